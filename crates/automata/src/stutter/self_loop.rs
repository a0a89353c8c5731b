//! Self-loopization: an automaton that allows letters to be repeated.
//!
//! States store the letter by which they were entered, and can read it again. It is a letter of the
//! whole alphabet: two letters that no label distinguishes still differ, and only one of them is a
//! repetition. There is at most one state for each pair of a state and a letter, so the result is
//! exponential in the number of propositions.

use crate::acceptance::{Acceptance, Condition};
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::label::Label;
use crate::marks::Marks;
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// Returns an automaton for the words that arise from words of the language by finitely many
/// repetitions of each letter. It includes the language.
///
/// If the condition accepts runs without marks, the result has another mark, so that no letter is
/// repeated forever.
pub fn self_loopize(automaton: &Automaton) -> Automaton {
    let alphabet = automaton.alphabet();
    let mut builder = Automaton::builder(alphabet.clone());
    let (acceptance, progress) = with_progress(automaton.acceptance());
    builder.acceptance(acceptance);
    if let Some(name) = automaton.name() {
        builder.name(name);
    }
    // The initial state has no letter to repeat.
    let mut states: Vec<(StateId, Option<Label>)> = vec![];
    let mut numbers: FxHashMap<(StateId, Label), StateId> = FxHashMap::default();
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
        if let Some(letter) = last {
            builder.edge(source, letter, Marks::EMPTY, source);
        }
        for edge in automaton.edges_from(state) {
            alphabet.for_each_letter(edge.label, |letter| {
                let target = *numbers.entry((edge.target, letter)).or_insert_with(|| {
                    states.push((edge.target, Some(letter)));
                    builder.add_state()
                });
                builder.edge(source, letter, &edge.marks | &progress, target);
            });
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
        #![proptest_config(ProptestConfig::with_cases(50))]

        #[test]
        fn words_with_repetitions_are_accepted(
            automaton in automaton_of(Size { states: 4, props: 2, ..Size::default() }),
        ) {
            let looped = self_loopize(&automaton);
            for (prefix, cycle) in lassos_up_to(1 << automaton.alphabet().props().len(), 1, 2) {
                let some = shorter(&prefix, &cycle).iter().any(|(p, c)| accepts(&automaton, p, c));
                let found = accepts(&looped, &prefix, &cycle);
                prop_assert!(found || !some, "{:?} {:?}", prefix, cycle);
            }
        }

        /// Edges that are split by letters make no difference.
        #[test]
        fn the_language_does_not_depend_on_how_edges_are_split(
            automaton in automaton_of(Size { states: 3, props: 2, ..Size::default() }),
        ) {
            let mut builder = automaton.edit();
            builder.retain_edges(|_, _| false);
            for state in 0..automaton.state_count() {
                let state = StateId::new(state);
                for edge in automaton.edges_from(state) {
                    automaton.alphabet().for_each_letter(edge.label, |letter| {
                        builder.edge(state, letter, edge.marks.clone(), edge.target);
                    });
                }
            }
            let (split, merged) = (self_loopize(&builder.build()), self_loopize(&automaton));
            for (prefix, cycle) in lassos_up_to(4, 2, 2) {
                let found = [&split, &merged].map(|looped| accepts(looped, &prefix, &cycle));
                prop_assert_eq!(found[0], found[1], "{:?} {:?}", prefix, cycle);
            }
        }

        #[test]
        fn what_is_accepted_is_stutter_equivalent_to_a_word_of_the_language(
            automaton in automaton_of(Size { states: 4, props: 2, ..Size::default() }),
        ) {
            let closed = crate::stutter::closure(&self_loopize(&automaton));
            let twice = self_loopize(&crate::stutter::closure(&automaton));
            for (prefix, cycle) in lassos_up_to(1 << automaton.alphabet().props().len(), 2, 2) {
                // In either order, all equivalent words are accepted.
                prop_assert_eq!(accepts(&closed, &prefix, &cycle), accepts(&twice, &prefix, &cycle));
            }
        }
    }

    /// `b` is free in the first label, but `{a, b}` is not repeated by `{a}`.
    #[test]
    fn letters_are_repeated_and_not_their_classes() {
        let text = r#"HOA: v1 States: 3 Start: 0 AP: 2 "a" "b" Acceptance: 0 t
            --BODY-- State: 0 [0] 1 State: 1 [!0] 2 State: 2 [t] 2 --END--"#;
        let automaton = crate::hoa::parse(text).unwrap().nondeterministic().unwrap();
        let looped = self_loopize(&automaton);
        assert!(accepts(&looped, &[0b11, 0b11], &[0b00]));
        assert!(!accepts(&looped, &[0b11, 0b01], &[0b00]));
    }
}
