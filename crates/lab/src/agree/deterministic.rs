//! Are deterministic automata of formulas right, by every route and for every acceptance condition?
//!
//! Each automaton is judged by functions that share nothing with its construction: determinism
//! letter by letter, the acceptance condition by its truth table, the language by two products (no
//! word in common with the tableau of the negation, and none of the dual with the tableau of the
//! formula) and by random words under the semantics.

use super::{Agreement, Subject};
use crate::bench::Meter;
use anyhow::Result;
use sempre_automata::{Automaton, Marks, complement, membership, product};
use sempre_ltl::generate::Rng;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Formula, Word};
use sempre_translate::deterministic::{self, Request, Route, TargetAcceptance};
use sempre_translate::tableau;
use std::time::{Duration, Instant};

/// All routes, from the formula and from its negation, and all acceptance conditions, on random
/// formulas of 3 to 12 nodes over three propositions.
pub const ROUTES_AGREE: Subject = Subject {
    name: "deterministic",
    summary: "deterministic automata by every route and of every kind, tableaux, and the semantics",
    counted: "formulas",
    count: 20_000,
    run: |seed, count, meter| compare(seed, count, meter),
};

/// The time for one formula.
const PATIENCE: Duration = Duration::from_secs(20);

/// Random words for each automaton.
const WORDS: usize = 10;

/// Truth tables have at most this many marks.
const MAX_MARKS: u32 = 12;

fn compare(seed: u64, count: u64, meter: &mut Meter) -> Result<Agreement> {
    let formulas = RandomFormulas::over(["a", "b", "c"]).sizes(3..=12).seed(seed);
    let mut rng = Rng::new(seed);
    let (mut done, mut automata, mut skipped, mut disagreements) = (0u64, 0usize, 0u64, vec![]);
    for formula in formulas.generate()?.take(usize::try_from(count)?) {
        let formula = formula?;
        let deadline = Instant::now() + PATIENCE;
        let found =
            interrupt::run(&Interrupt::default(), Some(deadline), || faults(&formula, &mut rng));
        match found {
            Ok((count, faults)) => {
                automata += count;
                disagreements.extend(faults);
            }
            Err(_) => skipped += 1,
        }
        done += 1;
        if done % 100 == 0 {
            meter.show(|time| format!("{done} formulas, {:.0} s", time.as_secs_f64()));
        }
    }
    let summary = format!("{done} formulas, {automata} automata, {skipped} skipped for time");
    Ok(Agreement { summary, disagreements })
}

/// The number of automata of a formula, and a line about each that is wrong.
fn faults(formula: &Formula, rng: &mut Rng) -> (usize, Vec<String>) {
    let judge = Judge::new(formula, rng);
    let (mut count, mut faults) = (0, vec![]);
    for route in Route::ALL {
        for dual in [false, true] {
            if let Some(automaton) = route.automaton(formula, dual) {
                count += 1;
                let fault = judge.fault(&automaton, TargetAcceptance::Any);
                let way = if dual { format!("{route} of the negation") } else { route.to_string() };
                faults.extend(fault.map(|fault| format!("{formula} by {way}: {fault}")));
            }
        }
    }
    let wanted = [
        TargetAcceptance::Any,
        TargetAcceptance::Parity,
        TargetAcceptance::Rabin,
        TargetAcceptance::GeneralizedRabin,
        TargetAcceptance::GeneralizedBuchi,
    ];
    for wanted in wanted {
        let request = Request { wanted, ..Request::default() };
        if let Some(automaton) = deterministic::translate(formula, &request) {
            count += 1;
            let fault = judge.fault(&automaton, wanted);
            faults.extend(fault.map(|fault| format!("{formula} as {wanted:?}: {fault}")));
        }
    }
    (count, faults)
}

/// A formula with the automata and words by which others are judged.
struct Judge {
    formula: Formula,
    tableau: Automaton,
    negation: Automaton,
    words: Vec<(Word, bool)>,
}

impl Judge {
    fn new(formula: &Formula, rng: &mut Rng) -> Judge {
        let evaluator = Evaluator::new(formula);
        let words = (0..WORDS).map(|_| {
            let (prefix, cycle) = (rng.index(4), 1 + rng.index(4));
            let word = Word::from_fn(formula.props(), prefix, cycle, |_, _| rng.chance(0.5));
            let word = word.unwrap_or_else(|_| unreachable!("the propositions are distinct"));
            let holds = evaluator.holds(&word);
            (word, holds)
        });
        Judge {
            words: words.collect(),
            tableau: tableau::translate(formula),
            negation: tableau::translate(&Formula::not(formula)),
            formula: formula.clone(),
        }
    }

    /// A line about what is wrong with an automaton.
    fn fault(&self, automaton: &Automaton, wanted: TargetAcceptance) -> Option<String> {
        if !is_deterministic(automaton) {
            return Some("not deterministic".to_owned());
        }
        if !has_condition(automaton, wanted) {
            return Some(format!("the condition is {}", automaton.acceptance().condition()));
        }
        if let Some(word) = product::common_word(automaton, &self.negation) {
            return Some(format!("accepts {word}"));
        }
        let Ok(dual) = complement::deterministic(automaton) else {
            return Some("has no dual".to_owned());
        };
        if let Some(word) = product::common_word(&dual, &self.tableau) {
            return Some(format!("rejects {word}"));
        }
        let wrong = |(word, holds): &&(Word, bool)| membership::accepts(automaton, word) != *holds;
        self.words
            .iter()
            .find(wrong)
            .map(|(word, _)| format!("differs from the semantics of {} on {word}", self.formula))
    }
}

/// True if there is one initial state, and no state reads a letter twice: letter by letter.
fn is_deterministic(automaton: &Automaton) -> bool {
    let alphabet = automaton.alphabet();
    let letters = 1u64 << alphabet.props().len();
    automaton.initial().len() == 1
        && automaton.states().all(|state| {
            (0..letters).all(|letter| {
                let edges = automaton.edges_from(state).iter();
                edges.filter(|edge| alphabet.satisfied(edge.label, letter)).count() <= 1
            })
        })
}

/// True if the condition has the values that its kind has by definition, for each set of marks. The
/// generalized Rabin condition is judged by its form: one `Fin` in each disjunct.
fn has_condition(automaton: &Automaton, wanted: TargetAcceptance) -> bool {
    let acceptance = automaton.acceptance();
    let marks = acceptance.marks();
    if marks > MAX_MARKS {
        return true;
    }
    let agrees = |defined: &dyn Fn(u32) -> bool| {
        (0u32..1 << marks).all(|set| {
            let seen: Marks = (0..marks).filter(|mark| set >> mark & 1 == 1).collect();
            acceptance.accepts(&seen) == defined(set)
        })
    };
    match wanted {
        TargetAcceptance::Any => true,
        TargetAcceptance::Parity => {
            [(false, 0), (false, 1), (true, 0), (true, 1)].into_iter().any(|(largest, parity)| {
                agrees(&|set| {
                    let decisive = if largest { set.checked_ilog2() } else { lowest(set) };
                    // Without marks, a largest one of -1 decides, or a smallest one above all.
                    match decisive {
                        Some(mark) => mark % 2 == parity,
                        None if largest => parity == 1,
                        None => marks % 2 == parity,
                    }
                })
            })
        }
        TargetAcceptance::Rabin => {
            let pair =
                |set: u32, pair: u32| set >> (2 * pair) & 1 == 0 && set >> (2 * pair + 1) & 1 == 1;
            marks.is_multiple_of(2) && agrees(&|set| (0..marks / 2).any(|p| pair(set, p)))
        }
        TargetAcceptance::GeneralizedRabin => {
            acceptance.condition().disjuncts().iter().all(|disjunct| disjunct.fin.len() <= 1)
        }
        TargetAcceptance::GeneralizedBuchi => agrees(&|set| set == (1 << marks) - 1),
    }
}

fn lowest(set: u32) -> Option<u32> {
    (set != 0).then(|| set.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_automata_are_found() {
        let judge = Judge::new(&"FGa | GFb".parse().unwrap(), &mut Rng::new(1));
        for other in ["FGa & GFb", "FGa", "GFb", "F(a & Gb)", "1"] {
            let request = Request { wanted: TargetAcceptance::Parity, ..Request::default() };
            let automaton = deterministic::translate(&other.parse().unwrap(), &request).unwrap();
            assert!(judge.fault(&automaton, TargetAcceptance::Parity).is_some(), "{other}");
        }
        let nondeterministic = tableau::translate(&"FGa | GFb".parse().unwrap());
        assert_eq!(
            judge.fault(&nondeterministic, TargetAcceptance::Any).unwrap(),
            "not deterministic"
        );
    }
}
