//! Compares the constructions with each other and with the semantics.
//!
//! The tests of H. Tauriainen, Automated testing of Büchi automata translators for linear temporal
//! logic (HUT-TCS-A66, 2000): automata of a formula and of its negation, by any constructions, have
//! no word in common. Together they accept every word, which is tested if the complement of their
//! union is small enough. Each accepts a word iff the formula holds on it. Words are random; each
//! automaton also contributes a word that it accepts.

use super::{Agreement, Subject};
use crate::bench::Meter;
use anyhow::Result;
use sempre_automata::language::{self, Universality};
use sempre_automata::{Automaton, emptiness, membership, product, sum};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{Priorities, Rng};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Formula, Op, Prop, Word};
use sempre_translate::classic::Variant;
use sempre_translate::{Method, Translator, alternating, classic, tableau};
use std::fmt;
use std::time::{Duration, Instant};

/// The limits of the size of a union that is complemented, and of the macrostates of its
/// complement.
const LARGEST_UNION: usize = 12;
const LARGEST_COMPLEMENT: usize = 1 << 10;

/// The bare constructions, on random formulas of up to 12 nodes with every operator.
pub const CONSTRUCTIONS_AGREE: Subject = Subject {
    name: "constructions",
    summary: "bare tableau, alternating automata and three classic tableaux, and the semantics",
    counted: "formulas",
    count: 20_000,
    run: |seed, count, meter| compare(&CONSTRUCTIONS, seed, count, meter),
};

/// The constructions with simplification and post-processing.
pub const TRANSLATORS_AGREE: Subject = Subject {
    name: "translators",
    summary: "the constructions with simplification and post-processing, and the semantics",
    counted: "formulas",
    count: 20_000,
    run: |seed, count, meter| compare(&TRANSLATORS, seed, count, meter),
};

/// The time limit for a formula.
const PATIENCE: Duration = Duration::from_secs(10);

/// Compares constructions on random formulas over three propositions.
fn compare(
    constructions: &[(&'static str, Construction)],
    seed: u64,
    count: u64,
    meter: &mut Meter,
) -> Result<Agreement> {
    let props = ["a", "b", "c"].map(Prop::new);
    let mut priorities = Priorities::equal(props.len());
    priorities.set(Op::StrictFinally, 1);
    priorities.set(Op::StrictGlobally, 1);
    let formulas = RandomFormulas::over(props).sizes(1..=12).priorities(priorities).seed(seed);
    let mut rng = Rng::new(seed);
    let (mut done, mut skipped, mut disagreements) = (0, 0, vec![]);
    for formula in formulas.generate()?.take(usize::try_from(count)?) {
        let formula = formula?;
        let deadline = Instant::now() + PATIENCE;
        let found = interrupt::run(&Interrupt::default(), Some(deadline), || {
            disagreement(&formula, constructions, 20, &mut rng)
        });
        match found {
            Ok(found) => disagreements.extend(found.map(|found| found.to_string())),
            Err(_) => skipped += 1,
        }
        done += 1;
        if done % 100 == 0 {
            meter.show(|time| format!("{done} formulas, {:.0} s", time.as_secs_f64()));
        }
    }
    let summary = format!("{done} formulas, {skipped} skipped for time");
    Ok(Agreement { summary, disagreements })
}

/// A function from formulas to automata.
pub type Construction = fn(&Formula) -> Automaton;

/// The bare constructions by name: without simplification and post-processing.
pub const CONSTRUCTIONS: [(&str, Construction); 5] = [
    ("tableau", tableau::translate),
    ("alternating", alternating::translate),
    ("classic", classic::translate),
    ("gpvw+", |formula| classic::translate_as(formula, Variant::GpvwPlus, false)),
    ("ltl2aut", |formula| classic::translate_as(formula, Variant::Ltl2aut, false)),
];

/// The methods of the [`Translator`] by name, with simplification and post-processing.
pub const TRANSLATORS: [(&str, Construction); 3] = [
    ("tableau", |formula| Translator::new().method(Method::Tableau).translate(formula)),
    ("alternating", |formula| Translator::new().method(Method::Alternating).translate(formula)),
    ("classic", |formula| Translator::new().method(Method::Classic).translate(formula)),
];

/// An automaton that is wrong on a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The name of the construction.
    pub construction: &'static str,
    /// The translated formula, perhaps a negation.
    pub formula: Formula,
    /// The word on which the automaton and the formula differ.
    pub word: Word,
    /// True if the automaton accepts the word.
    pub accepted: bool,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { construction, formula, word, accepted } = self;
        let verb = if *accepted { "accepts" } else { "rejects" };
        write!(out, "the automaton of {formula} by {construction} {verb} {word}")
    }
}

/// Translates a formula and its negation by all these constructions, and searches for wrong
/// automata. Tests the common words of two automata, a word that each accepts, a word that the
/// automata of the formula and of its negation both reject, and `words` random words.
pub fn disagreement(
    formula: &Formula,
    constructions: &[(&'static str, Construction)],
    words: usize,
    rng: &mut Rng,
) -> Option<Disagreement> {
    let evaluator = Evaluator::new(formula);
    let automata: Vec<(&'static str, bool, Automaton)> = [false, true]
        .into_iter()
        .flat_map(|negated| {
            let formula = if negated { Formula::not(formula) } else { formula.clone() };
            let all = constructions.iter();
            all.map(move |(name, translate)| (*name, negated, translate(&formula)))
        })
        .collect();
    let wrong_about = |word: &Word| {
        let holds = evaluator.holds(word);
        let (construction, negated, _) = automata.iter().find(|(_, negated, automaton)| {
            membership::accepts(automaton, word) != (holds != *negated)
        })?;
        let formula = if *negated { Formula::not(formula) } else { formula.clone() };
        let accepted = holds == *negated;
        Some(Disagreement { construction, formula, word: word.clone(), accepted })
    };
    let positive = automata.iter().filter(|(_, negated, _)| !negated);
    let shared = positive.flat_map(|(_, _, left)| {
        let negative = automata.iter().filter(|(_, negated, _)| *negated);
        negative.filter_map(|(_, _, right)| product::common_word(left, right))
    });
    let own = automata.iter().filter_map(|(_, _, automaton)| {
        emptiness::shortest_accepting_run(automaton).map(|run| run.word(automaton))
    });
    let missed = automata[..constructions.len()]
        .iter()
        .zip(&automata[constructions.len()..])
        .filter_map(|((_, _, automaton), (_, _, negation))| rejected_by_both(automaton, negation));
    let props = formula.props();
    let random = (0..words).map(|_| random_word(&props, rng));
    shared.chain(own).chain(missed).chain(random).find_map(|word| wrong_about(&word))
}

/// Returns a word that both automata reject, if one is found at acceptable cost.
pub fn rejected_by_both(left: &Automaton, right: &Automaton) -> Option<Word> {
    if left.state_count() + right.state_count() > LARGEST_UNION {
        return None;
    }
    match language::universality_up_to(&sum::union(left, right), LARGEST_COMPLEMENT) {
        Universality::Rejects(word) => Some(word),
        Universality::Universal | Universality::Unknown => None,
    }
}

/// Returns a word with a prefix of up to four letters and a cycle of up to four.
fn random_word(props: &[Prop], rng: &mut Rng) -> Word {
    let (prefix, cycle) = (rng.index(5), 1 + rng.index(4));
    Word::from_fn(props.iter().cloned(), prefix, cycle, |_, _| rng.chance(0.5))
        .unwrap_or_else(|_| unreachable!("the cycle has a letter, the propositions are distinct"))
}
