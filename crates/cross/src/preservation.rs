//! Tests tools that transform automata: is the language preserved, or complemented?
//!
//! The comparison with the input, or with its complement, is exact: by a product with an on-the-fly
//! complement. Membership in both automata verifies each word independently of the search. Steps of
//! the registry also have claims about properties, which are tested, too.

use crate::guard::guarded;
use crate::output::{Row, RowSizes};
use crate::{BrokenClaim, Entry, Failure, FailureKind, Limits, Step, Transformer, Translation};
use sempre_automata::transform::{self, Steps};
use sempre_automata::{Automaton, complement, language, membership};
use sempre_ltl::Word;
use std::fmt;
use std::time::Instant;

/// A transformation in this process.
pub struct InProcess {
    step: Step,
    claims: Option<transform::Claims>,
}

impl InProcess {
    /// Wraps any function, without claims.
    pub fn new(step: Step) -> Self {
        InProcess { step, claims: None }
    }

    /// Wraps steps of the registry, with their claims.
    pub fn of(steps: Steps) -> Self {
        let claims = steps.claims();
        let run =
            move |automaton: &Automaton| steps.run(automaton).map_err(|error| error.to_string());
        InProcess { step: Box::new(run), claims: Some(claims) }
    }
}

impl Transformer for InProcess {
    fn transform(&self, automaton: &Automaton, limits: &Limits) -> Result<Automaton, Failure> {
        let result = guarded(limits, || (self.step)(automaton))?;
        result.map_err(|message| Failure::new(FailureKind::Unsupported, message))
    }

    fn claims(&self) -> Option<transform::Claims> {
        self.claims
    }
}

/// The required language of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// That of the input.
    Same,
    /// The complement of that of the input.
    Complement,
}

/// How the language of a result differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A word on which they differ.
    pub word: Word,
    /// True if the input accepts it.
    pub input_accepts: bool,
    /// True if the result accepts it.
    pub result_accepts: bool,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = |accepts: bool| if accepts { "accepts" } else { "rejects" };
        let (input, result) = (verb(self.input_accepts), verb(self.result_accepts));
        let too = if self.input_accepts == self.result_accepts { ", too" } else { "" };
        write!(out, "the result {result} {}, which the input {input}{too}", self.word)
    }
}

/// The verdict on a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preservation {
    /// The language is as expected.
    Right,
    /// The language differs.
    Wrong(Difference),
    /// The language is as expected, but the result violates a claim.
    NotAsClaimed(BrokenClaim),
    /// There is no result, the comparison was too expensive, or it contradicts itself.
    Unknown(String),
}

/// The result of a tool for an automaton, with its verdict.
pub struct Transformation {
    /// The result and its sizes.
    pub entry: Entry,
    /// Whether the language is as expected.
    pub preservation: Preservation,
}

impl Transformation {
    /// Runs a tool on an automaton, and compares the languages; `limits` apply to each step.
    pub fn perform(
        tool: &dyn Transformer,
        automaton: &Automaton,
        expected: Expected,
        limits: &Limits,
    ) -> Transformation {
        let start = Instant::now();
        let result = tool.transform(automaton, limits);
        let translation = Translation { result, time: start.elapsed() };
        let preservation = match &translation.result {
            Ok(result) => guarded(limits, || judge(tool, automaton, result, expected))
                .unwrap_or_else(|failure| Preservation::Unknown(failure.to_string())),
            Err(_) => Preservation::Unknown("there is no result".to_owned()),
        };
        Transformation { entry: Entry::new(translation), preservation }
    }

    /// Returns its row of a table.
    pub fn row(&self, number: usize, tool: &str, automaton: &str) -> Row {
        let failure = self.entry.translation.result.as_ref().err();
        Row {
            round: number,
            formula: automaton.to_owned(),
            polarity: "+".to_owned(),
            tool: tool.to_owned(),
            status: failure.map_or("ok".to_owned(), |failure| failure.kind.to_string()),
            message: failure.map(|failure| failure.message.clone()),
            wrong: matches!(
                self.preservation,
                Preservation::Wrong(_) | Preservation::NotAsClaimed(_)
            ),
            seconds: Some(self.entry.translation.time.as_secs_f64()),
            sizes: self.entry.sizes.as_ref().map(RowSizes::of),
        }
    }
}

/// Compares the language of a result with the expected one, and its properties with the claims.
fn judge(
    tool: &dyn Transformer,
    input: &Automaton,
    result: &Automaton,
    expected: Expected,
) -> Preservation {
    let language = compare(input, result, expected);
    if let (Preservation::Right, Some(claims)) = (&language, tool.claims()) {
        let kept = claims.keeps.iter().filter(|property| property.holds(input));
        let mut claimed = claims.yields.iter().chain(kept);
        let broken = claimed.find_map(|property| {
            let reason = property.objection(result)?;
            Some(BrokenClaim { property: property.name().to_owned(), reason })
        });
        return broken.map_or(language, Preservation::NotAsClaimed);
    }
    language
}

/// Compares the language of a result with the expected one.
fn compare(input: &Automaton, result: &Automaton, expected: Expected) -> Preservation {
    let found = match expected {
        Expected::Same => language::distinguishing_word(input, result),
        Expected::Complement => {
            language::distinguishing_word(&complement::complement(input), result)
        }
    };
    let Some((word, _)) = found else { return Preservation::Right };
    let word = word.reduced();
    let input_accepts = membership::accepts(input, &word);
    let result_accepts = membership::accepts(result, &word);
    let as_expected = (input_accepts == result_accepts) == (expected == Expected::Same);
    if as_expected {
        let reason = format!("the comparison contradicts itself about {word}");
        return Preservation::Unknown(reason);
    }
    Preservation::Wrong(Difference { word, input_accepts, result_accepts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sempre_automata::random::RandomAutomata;
    use sempre_automata::transform::{Language, Property, Registry, Step};
    use sempre_automata::{Named, determinize, prune};
    use sempre_ltl::options::Settings;
    use sempre_translate::Translator;
    use std::sync::Arc;

    type Function = crate::Step;

    fn perform(step: Function, expected: Expected) -> Preservation {
        let automaton = Translator::new().translate(&"F G a".parse().unwrap());
        let tool = InProcess::new(step);
        Transformation::perform(&tool, &automaton, expected, &Limits::default()).preservation
    }

    #[test]
    fn languages_are_preserved_or_not() {
        let determinize: fn() -> Function = || Box::new(|a| Ok(determinize::parity(a)));
        assert_eq!(perform(determinize(), Expected::Same), Preservation::Right);
        let Preservation::Wrong(difference) = perform(determinize(), Expected::Complement) else {
            panic!("it is not the complement")
        };
        assert_eq!(difference.input_accepts, difference.result_accepts);
        let complement: Function = Box::new(|a| Ok(complement::complement(a)));
        assert_eq!(perform(complement, Expected::Complement), Preservation::Right);
        // Without the initial state, the language is empty.
        let forgetful: Function = Box::new(|a| {
            let mut builder = a.edit();
            builder.clear_initial();
            Ok(prune::trim(&builder.build()))
        });
        let Preservation::Wrong(difference) = perform(forgetful, Expected::Same) else {
            panic!("nothing is accepted any more")
        };
        assert!(difference.input_accepts && !difference.result_accepts);
        assert!(difference.to_string().starts_with("the result rejects "));
    }

    /// Every row, with each of its options, that preserves or complements the language.
    #[test]
    fn rows_do_what_they_claim() {
        let registry = Registry::built_in();
        let random = || RandomAutomata::over(["a", "b"]).unwrap().states(3).density(0.3);
        let operand = Arc::new(random().generate().next().unwrap());
        let conditions = [Named::Buchi, Named::GeneralizedBuchi(2), Named::Rabin(1)];
        let mut tested = 0;
        for step in Step::all(&registry, &operand) {
            let expected = match step.claims().language {
                Language::Same => Expected::Same,
                Language::Complement => Expected::Complement,
                _ => continue,
            };
            let name = step.to_string();
            // Results have up to 67 states, and the comparison complements them, which takes minutes;
            // `automata` tests the method on words.
            if name.contains("ramsey") {
                continue;
            }
            tested += 1;
            let tool = InProcess::of(Steps(vec![step]));
            let mut right = 0;
            for (seed, condition) in conditions.iter().cycle().take(6).enumerate() {
                let random = random().acceptance(condition.clone()).seed(seed as u64);
                let automaton = random.generate().next().unwrap();
                let limits = Limits::default();
                let done = Transformation::perform(&tool, &automaton, expected, &limits);
                match done.preservation {
                    Preservation::Right => right += 1,
                    Preservation::Unknown(_) => {}
                    wrong => panic!("{name}: {wrong:?}"),
                }
            }
            assert!(right > 0, "{name} gave no result");
        }
        assert!(tested > 25);
    }

    #[test]
    fn claims_of_steps_are_tested() {
        let claims = |_: &Settings| {
            let properties = [Property::Deterministic];
            transform::Claims::new(Language::Same).yields(&properties)
        };
        let row = transform::Transformation {
            name: "nothing",
            help: "Do nothing, and claim that it is deterministic",
            value: None,
            options: &[],
            claims,
            run: transform::Run::Unary(|automaton, _| Ok(automaton.clone())),
            keeping: &[],
        };
        let registry = Registry::built_in().with(Box::leak(Box::new(row)));
        let tool = InProcess::of(Steps::read(&registry, "trim nothing").unwrap());
        let automaton = Translator::new().translate(&"F G a".parse().unwrap());
        let limits = Limits::default();
        let done = Transformation::perform(&tool, &automaton, Expected::Same, &limits);
        let Preservation::NotAsClaimed(claim) = done.preservation else { panic!("it is not") };
        assert_eq!(claim.property, "deterministic");
    }

    #[test]
    fn tools_that_fail_prove_nothing() {
        let broken: Function = Box::new(|_| panic!("broken"));
        assert!(matches!(perform(broken, Expected::Same), Preservation::Unknown(_)));
    }
}
