//! Self-loopization: an automaton that allows letters to be repeated.
//!
//! States store the letter by which they were entered, and can read it again. Letters that no label
//! distinguishes form a class, and only the class is stored: the language cannot distinguish a
//! repeated letter from another one of its class. There are at most as many classes as letters, and
//! at most one state for each pair of a state and a class.

use crate::acceptance::{Acceptance, Condition};
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::marks::Marks;
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// Returns an automaton for the words that arise from words of the language by finitely many
/// repetitions of each letter. Letters that no label distinguishes count as equal. It includes the
/// language.
///
/// If the condition accepts runs without marks, the result has another mark, so that no letter is
/// repeated forever.
pub fn self_loopize(automaton: &Automaton) -> Automaton {
    let alphabet = automaton.alphabet();
    let classes = alphabet.classes(automaton.edges().iter().map(|edge| edge.label));
    let mut builder = Automaton::builder(alphabet.clone());
    let (acceptance, progress) = with_progress(automaton.acceptance());
    builder.acceptance(acceptance);
    if let Some(name) = automaton.name() {
        builder.name(name);
    }
    // The initial state has no letter to repeat.
    let mut states: Vec<(StateId, Option<usize>)> = vec![];
    let mut numbers: FxHashMap<(StateId, usize), StateId> = FxHashMap::default();
    for &state in automaton.initial() {
        let number = builder.add_state();
        builder.initial(number);
        states.push((state, None));
    }
    let mut visited = 0;
    while visited < states.len() {
        interrupt::poll();
        let ((state, last), source) = (states[visited], StateId::new(visited));
        visited += 1;
        if let Some(class) = last {
            builder.edge(source, classes[class], Marks::EMPTY, source);
        }
        for edge in automaton.edges_from(state) {
            for (class, &letters) in classes.iter().enumerate() {
                if !alphabet.implies(letters, edge.label) {
                    continue;
                }
                let target = *numbers.entry((edge.target, class)).or_insert_with(|| {
                    states.push((edge.target, Some(class)));
                    builder.add_state()
                });
                builder.edge(source, letters, &edge.marks | &progress, target);
            }
        }
    }
    builder.build()
}

/// Returns a condition that rejects runs that finally see no mark, and the marks that all edges get
/// for it.
fn with_progress(acceptance: &Acceptance) -> (Acceptance, Marks) {
    if !acceptance.accepts(&Marks::EMPTY) {
        return (acceptance.clone(), Marks::EMPTY);
    }
    let progress = acceptance.marks();
    let condition = Condition::and([Condition::Inf(progress), acceptance.condition().clone()]);
    (Acceptance::new(progress + 1, condition), Marks::from_iter([progress]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{Size, automaton_of};
    use crate::test_language::{accepts, lassos_up_to};
    use proptest::prelude::*;

    /// Returns all lassos with some repetitions dropped once around the cycle, which is unrolled
    /// twice so that a sequence may span its end.
    fn shorter(prefix: &[u64], cycle: &[u64]) -> Vec<(Vec<u64>, Vec<u64>)> {
        let prefix: Vec<u64> = [prefix, cycle].concat();
        let letters: Vec<u64> = [&*prefix, cycle, cycle].concat();
        // A letter may be dropped if it repeats the previous one. The first letter of the unrolled
        // cycle repeats the last one of the prefix, which ends with the same letter.
        let repeats = |place: usize| place > 0 && letters[place] == letters[place - 1];
        let choices: Vec<usize> = (0..letters.len()).filter(|&place| repeats(place)).collect();
        let mut all = vec![];
        for chosen in 0..1u32 << choices.len() {
            let dropped = |place: usize| {
                choices.iter().position(|&c| c == place).is_some_and(|c| chosen >> c & 1 == 1)
            };
            let keep = |range: std::ops::Range<usize>| -> Vec<u64> {
                range.filter(|&place| !dropped(place)).map(|place| letters[place]).collect()
            };
            let cycle = keep(prefix.len()..letters.len());
            if !cycle.is_empty() {
                all.push((keep(0..prefix.len()), cycle));
            }
        }
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn words_with_repetitions_are_accepted(
            automaton in automaton_of(Size { states: 4, props: 1, ..Size::default() }),
        ) {
            let looped = self_loopize(&automaton);
            for (prefix, cycle) in lassos_up_to(1 << automaton.alphabet().props().len(), 1, 2) {
                let some = shorter(&prefix, &cycle).iter().any(|(p, c)| accepts(&automaton, p, c));
                let found = accepts(&looped, &prefix, &cycle);
                prop_assert!(found || !some, "{:?} {:?}", prefix, cycle);
            }
        }

        /// With two letters, each class is one letter.
        #[test]
        fn what_is_accepted_is_stutter_equivalent_to_a_word_of_the_language(
            automaton in automaton_of(Size { states: 4, props: 1, ..Size::default() }),
        ) {
            let closed = crate::stutter::closure(&self_loopize(&automaton));
            let twice = self_loopize(&crate::stutter::closure(&automaton));
            for (prefix, cycle) in lassos_up_to(1 << automaton.alphabet().props().len(), 2, 2) {
                // In either order, all equivalent words are accepted.
                prop_assert_eq!(accepts(&closed, &prefix, &cycle), accepts(&twice, &prefix, &cycle));
            }
        }
    }
}
