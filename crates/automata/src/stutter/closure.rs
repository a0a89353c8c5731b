//! The closure of an automaton under merging repeated letters.
//!
//! Wherever a path reads the same letter several times, an edge reads it once and sees the marks of
//! the whole path. Labels are not split into letters. The closure is a forward search from each
//! state, over targets and sets of marks. There may be 2^k times as many edges for k marks.

use crate::automaton::Automaton;
use crate::index::StateId;
use crate::label::Label;
use crate::marks::Marks;
use crate::parallel;
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// Returns an automaton with the same states for the words that become words of the language by
/// finitely many repetitions of each letter. It includes the language.
pub fn closure(automaton: &Automaton) -> Automaton {
    let alphabet = automaton.alphabet();
    // Without Fin, an edge is redundant if another one has all its marks and more.
    let monotone = automaton.acceptance().condition().inf_and_fin().1.is_empty();
    let mut builder = automaton.edit();
    builder.retain_edges(|_, _| false);
    for source in automaton.states() {
        let mut known = ReachedLetters { letters: FxHashMap::default(), monotone };
        let mut found: Vec<(Label, Marks, StateId)> = vec![];
        for edge in automaton.edges_from(source) {
            let new = known.add(automaton, edge.target, &edge.marks, edge.label);
            if new != alphabet.ff() {
                found.push((new, edge.marks.clone(), edge.target));
            }
        }
        // Extends a shorter path for the same letter by an edge.
        let mut extended = 0;
        while extended < found.len() {
            interrupt::poll();
            let (label, marks, middle) = found[extended].clone();
            extended += 1;
            for edge in automaton.edges_from(middle) {
                let both = alphabet.and(label, edge.label);
                if both == alphabet.ff() {
                    continue;
                }
                let marks = &marks | &edge.marks;
                let new = known.add(automaton, edge.target, &marks, both);
                if new != alphabet.ff() {
                    found.push((new, marks, edge.target));
                }
            }
        }
        for (label, marks, target) in found {
            builder.edge(source, label, marks, target);
        }
    }
    parallel::merge(&builder.build())
}

/// The letters by which a target has been reached from one state, by the marks on the path.
struct ReachedLetters {
    letters: FxHashMap<StateId, Vec<(Marks, Label)>>,
    monotone: bool,
}

impl ReachedLetters {
    /// Adds letters, and returns the new ones.
    fn add(
        &mut self,
        automaton: &Automaton,
        target: StateId,
        marks: &Marks,
        label: Label,
    ) -> Label {
        let alphabet = automaton.alphabet();
        let known = self.letters.entry(target).or_default();
        let mut new = label;
        for (others, letters) in known.iter() {
            interrupt::poll();
            if others == marks || (self.monotone && marks.is_subset(others)) {
                new = alphabet.minus(new, *letters);
            }
        }
        if new != alphabet.ff() {
            match known.iter_mut().find(|(others, _)| others == marks) {
                Some((_, letters)) => *letters = alphabet.or(*letters, new),
                None => known.push((marks.clone(), new)),
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{Size, automaton_of};
    use crate::membership;
    use crate::stutter::self_loopize;
    use crate::test_language::lassos_up_to;
    use proptest::prelude::*;
    use sempre_ltl::Word;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// A word is in the closure if the automaton accepts a word that repeats its letters.
        #[test]
        fn the_closure_has_the_words_that_become_words_by_repetitions(
            automaton in automaton_of(Size { states: 4, props: 1, ..Size::default() }),
        ) {
            let closed = closure(&automaton);
            prop_assert_eq!(closed.state_count(), automaton.state_count());
            let props = automaton.alphabet().props();
            for (prefix, cycle) in lassos_up_to(1 << props.len(), 2, 3) {
                let word = Word::from_valuations(props.to_vec(), &prefix, &cycle).unwrap();
                let repeated = self_loopize(&automaton_of_word(automaton.alphabet(), &word));
                let wanted = crate::product::common_word(&automaton, &repeated).is_some();
                prop_assert_eq!(membership::accepts(&closed, &word), wanted, "{}", word);
            }
        }
    }

    /// Returns the automaton that accepts only this word over its propositions.
    fn automaton_of_word(alphabet: &std::sync::Arc<crate::Alphabet>, word: &Word) -> Automaton {
        let mut builder = Automaton::builder(alphabet.clone());
        builder.add_states(word.len());
        builder.initial(StateId::new(0));
        for position in 0..word.len() {
            let value = |i: usize| word.value(position, &alphabet.props()[i]);
            let cube: Vec<(usize, bool)> =
                (0..alphabet.props().len()).map(|i| (i, value(i))).collect();
            let next = StateId::new(word.successor(position));
            let label = alphabet.from_cube(&cube);
            builder.edge(StateId::new(position), label, Marks::EMPTY, next);
        }
        builder.build()
    }
}
