//! Parallel edges.

use crate::automaton::Automaton;
use crate::index::StateId;
use crate::label::Label;
use crate::marks::Marks;
use rustc_hash::FxHashMap;

/// Merges edges with the same source, target and marks into one at the position of the first. The
/// language does not change. Linear.
pub fn merge(automaton: &Automaton) -> Automaton {
    let alphabet = automaton.alphabet();
    let mut builder = automaton.edit();
    builder.retain_edges(|_, _| false);
    let mut places: FxHashMap<(StateId, &Marks), usize> = FxHashMap::default();
    let mut merged: Vec<(Label, &Marks, StateId)> = vec![];
    for state in automaton.states() {
        places.clear();
        for edge in automaton.edges_from(state) {
            match places.get(&(edge.target, &edge.marks)) {
                Some(&place) => merged[place].0 = alphabet.or(merged[place].0, edge.label),
                None => {
                    places.insert((edge.target, &edge.marks), merged.len());
                    merged.push((edge.label, &edge.marks, edge.target));
                }
            }
        }
        for (label, marks, target) in merged.drain(..) {
            builder.edge(state, label, marks.clone(), target);
        }
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use crate::test_language::same_language;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn merging_keeps_the_transitions(automaton in arbitrary::automaton()) {
            let merged = merge(&automaton);
            let letters = |automaton: &Automaton| -> HashSet<(StateId, u64, Marks, StateId)> {
                let letters = 1u64 << automaton.alphabet().props().len();
                automaton
                    .transitions()
                    .flat_map(|(source, edge)| (0..letters).map(move |v| (source, edge, v)))
                    .filter(|(_, edge, v)| automaton.alphabet().satisfied(edge.label, *v))
                    .map(|(source, edge, v)| (source, v, edge.marks.clone(), edge.target))
                    .collect()
            };
            prop_assert_eq!(letters(&automaton), letters(&merged));
            let edges: Vec<_> =
                merged.transitions().map(|(s, e)| (s, e.target, e.marks.clone())).collect();
            prop_assert_eq!(edges.iter().collect::<HashSet<_>>().len(), edges.len());
            prop_assert!(same_language(&automaton, &merged));
        }
    }
}
