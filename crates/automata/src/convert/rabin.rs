//! Rabin and generalized Rabin conditions.
//!
//! A condition in disjunctive normal form is a generalized Rabin condition over other marks on the
//! same edges: the `Fin` marks of a disjunct become one. A Rabin condition needs at most one `Inf`
//! in each disjunct. If there are more, the alternating cycle decomposition decides whether the
//! graph allows a Rabin condition. Otherwise it gives a parity condition, which is a Rabin
//! condition.

use super::{ParityForm, simplify_acceptance, to_parity};
use crate::acceptance::{Disjunct, Named};
use crate::acd::Decomposition;
use crate::automaton::Automaton;
use crate::marks::{Mark, Marks};
use sempre_ltl::interrupt;

/// The maximal number of disjuncts of a condition to convert.
const MAX_PAIRS: usize = 1 << 10;

/// Converts to generalized Rabin on the same graph; `None` if that takes more than 1024 pairs.
///
/// ```
/// use sempre_automata::random::{RandomAcceptance, RandomAutomata};
/// use sempre_automata::{Named, convert};
/// let random = RandomAutomata::over(["a"]).unwrap().acceptance(RandomAcceptance::Condition(4));
/// let automaton = convert::to_generalized_rabin(&random.generate().next().unwrap()).unwrap();
/// let name = Named::of(automaton.acceptance()).unwrap();
/// assert!(matches!(name, Named::GeneralizedRabin(_) | Named::Rabin(_) | Named::CoBuchi));
/// ```
pub fn to_generalized_rabin(automaton: &Automaton) -> Option<Automaton> {
    let simple = simplify_acceptance(automaton);
    let pairs = disjuncts(&simple)?;
    let counts = pairs.iter().map(|pair| pair.inf.len() as u32).collect();
    let mut next = 0;
    // By pair: its new Fin mark, the marks to avoid, and each Inf mark with its new number.
    let renumbered = pairs
        .into_iter()
        .map(|pair| {
            let fin = next;
            let inf: Vec<(Mark, Mark)> = pair.inf.iter().zip(next + 1..).collect();
            next += 1 + inf.len() as Mark;
            (fin, pair.fin, inf)
        })
        .collect::<Vec<_>>();
    let mut builder = simple.edit();
    builder.acceptance(Named::GeneralizedRabin(counts).acceptance());
    builder.retain_edges(|_, edge| {
        interrupt::poll();
        let mut new = Marks::EMPTY;
        for (number, fin, inf) in &renumbered {
            if !edge.marks.is_disjoint(fin) {
                new.insert(*number);
            }
            let seen = inf.iter().filter(|(old, _)| edge.marks.contains(*old));
            seen.for_each(|(_, number)| new.insert(*number));
        }
        edge.marks = new;
        true
    });
    Some(builder.build())
}

/// Converts to a Rabin automaton for the same language; `None` if that takes more than `steps`
/// steps. Copies states only if the graph allows no Rabin condition; preserves determinism.
pub fn to_rabin(automaton: &Automaton, steps: usize) -> Option<Automaton> {
    let simple = simplify_acceptance(automaton);
    if let Some(rabin) = pairs(&simple) {
        return Some(rabin);
    }
    let decomposition = Decomposition::of(&simple, steps)?;
    if let Some(rabin) = decomposition.to_rabin() {
        return Some(rabin);
    }
    pairs(&to_parity(&decomposition.to_parity(), ParityForm::any()).ok()?)
}

/// Uses the disjuncts of the condition as pairs, if each has at most one `Inf`.
fn pairs(automaton: &Automaton) -> Option<Automaton> {
    let pairs = disjuncts(automaton)?;
    if pairs.iter().any(|pair| pair.inf.len() > 1) {
        return None;
    }
    let mut builder = automaton.edit();
    builder.acceptance(Named::Rabin(pairs.len() as u32).acceptance());
    builder.retain_edges(|_, edge| {
        interrupt::poll();
        let mut new = Marks::EMPTY;
        for (number, pair) in pairs.iter().enumerate() {
            let number = 2 * number as Mark;
            if !edge.marks.is_disjoint(&pair.fin) {
                new.insert(number);
            }
            if pair.inf.is_subset(&edge.marks) {
                new.insert(number + 1);
            }
        }
        edge.marks = new;
        true
    });
    Some(builder.build())
}

/// Returns the disjuncts of the condition, if there are not too many.
pub(super) fn disjuncts(automaton: &Automaton) -> Option<Vec<Disjunct>> {
    let condition = automaton.acceptance().condition();
    (condition.disjunct_count() <= MAX_PAIRS).then(|| condition.disjuncts())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{Size, automaton_of};
    use crate::test_language::{is_deterministic_letter_by_letter, same_language};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn pairs_accept_what_the_condition_accepts(
            automaton in automaton_of(Size { states: 4, props: 1, marks: 4, degree: 3 }),
        ) {
            let generalized = to_generalized_rabin(&automaton).unwrap();
            prop_assert!(same_language(&automaton, &generalized));
            prop_assert_eq!(generalized.state_count(), automaton.state_count());
            let rabin = to_rabin(&automaton, 1 << 20).unwrap();
            prop_assert!(same_language(&automaton, &rabin));
            let pairs = rabin.acceptance().marks() / 2;
            prop_assert_eq!(rabin.acceptance(), &Named::Rabin(pairs).acceptance());
            prop_assert!(!automaton.is_deterministic() || is_deterministic_letter_by_letter(&rabin));
        }
    }
}
