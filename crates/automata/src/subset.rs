//! Sets of states as bit vectors, and their successors for each class of letters.
//!
//! Constructions over sets of states use labels, not single valuations. Letters that a set of
//! states does not distinguish form a class, and there is one step per class. Classes arise by
//! splitting the label true by each edge, so a set with m edges takes O(m · classes) operations on
//! labels; O(m) for one state whose edges read different letters, because an edge is done when all
//! its letters were found.

use crate::{Automaton, EdgeId, Label, StateId};
use sempre_ltl::interrupt;
use smallvec::SmallVec;

/// A set of states, one bit each. Sets of the same automaton have the same number of words.
pub(crate) type StateSet = SmallVec<[u64; 2]>;

/// Returns the number of machine words of a set of this many states.
pub(crate) fn width(states: usize) -> usize {
    states.div_ceil(64).max(1)
}

/// The empty set.
pub(crate) fn empty(width: usize) -> StateSet {
    SmallVec::from_elem(0, width)
}

/// The set of these states.
pub(crate) fn set(width: usize, states: impl IntoIterator<Item = StateId>) -> StateSet {
    let mut set = empty(width);
    states.into_iter().for_each(|state| insert(&mut set, state));
    set
}

/// Adds a state.
pub(crate) fn insert(set: &mut [u64], state: StateId) {
    set[state.index() / 64] |= 1 << (state.index() % 64);
}

/// True if the state is in the set.
pub(crate) fn contains(set: &[u64], state: StateId) -> bool {
    set[state.index() / 64] >> (state.index() % 64) & 1 == 1
}

/// True if the set has no state.
pub(crate) fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|word| *word == 0)
}

/// True if the sets have a state in common.
pub(crate) fn intersects(left: &[u64], right: &[u64]) -> bool {
    left.iter().zip(right).any(|(l, r)| l & r != 0)
}

/// True if all states of the one set are in the other one.
pub(crate) fn is_within(inner: &[u64], outer: &[u64]) -> bool {
    inner.iter().zip(outer).all(|(inner, outer)| inner & !outer == 0)
}

/// The states of a set in ascending order.
pub(crate) fn states(set: &[u64]) -> impl Iterator<Item = StateId> + '_ {
    set.iter().enumerate().flat_map(|(place, word)| {
        let mut word = *word;
        std::iter::from_fn(move || {
            (word != 0).then(|| {
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                StateId::new(place * 64 + bit)
            })
        })
    })
}

/// A class of letters that a set of states does not distinguish.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// The letters.
    pub(crate) label: Label,
    /// The edges that read them, each with its source.
    pub(crate) edges: Vec<(StateId, EdgeId)>,
}

/// Returns the letter classes of a set of states: disjoint labels that cover all letters, with
/// pairwise different sets of edges.
pub(crate) fn classes(automaton: &Automaton, set: &[u64]) -> Vec<Class> {
    let classes = classes_up_to(automaton, set, usize::MAX);
    classes.unwrap_or_else(|| unreachable!("there is no limit"))
}

/// Returns the letter [classes] of a set of states; `None` if there are more than `most`.
pub(crate) fn classes_up_to(automaton: &Automaton, set: &[u64], most: usize) -> Option<Vec<Class>> {
    let alphabet = automaton.alphabet();
    let (ff, mut classes) = (alphabet.ff(), vec![Class { label: alphabet.tt(), edges: vec![] }]);
    for state in states(set) {
        for edge in automaton.edge_range(state) {
            // The letters of the edge that were not found yet.
            let mut rest = automaton.edges()[edge].label;
            for place in 0..classes.len() {
                interrupt::poll();
                if rest == ff {
                    break;
                }
                let class = &mut classes[place];
                let both = alphabet.and(class.label, rest);
                if both == ff {
                    continue;
                }
                rest = alphabet.minus(rest, both);
                if both == class.label {
                    class.edges.push((state, EdgeId::new(edge)));
                    continue;
                }
                let mut split = Class { label: both, edges: class.edges.clone() };
                class.label = alphabet.minus(class.label, both);
                split.edges.push((state, EdgeId::new(edge)));
                classes.push(split);
                if classes.len() > most {
                    return None;
                }
            }
        }
    }
    Some(classes)
}

/// Returns the successors of a set of states in the powerset: by set of targets, the letters that
/// lead to exactly these. The labels are disjoint and cover all letters. The empty set of targets
/// is included if some letter cannot be read. `None` if that takes more than `most` steps, before
/// those with equal targets are merged.
pub(crate) fn powerset_steps(
    automaton: &Automaton,
    set: &[u64],
    most: usize,
) -> Option<Vec<(Label, StateSet)>> {
    let alphabet = automaton.alphabet();
    let ff = alphabet.ff();
    let mut steps = vec![(alphabet.tt(), empty(set.len()))];
    for state in states(set) {
        let before = steps.len();
        for edge in automaton.edges_from(state) {
            // The letters of the edge that were not found yet.
            let mut rest = edge.label;
            for place in 0..steps.len() {
                interrupt::poll();
                if rest == ff {
                    break;
                }
                let (label, targets) = &mut steps[place];
                let both = alphabet.and(*label, rest);
                if both == ff {
                    continue;
                }
                rest = alphabet.minus(rest, both);
                if contains(targets, edge.target) {
                    continue;
                }
                if both == *label {
                    insert(targets, edge.target);
                    continue;
                }
                *label = alphabet.minus(*label, both);
                let mut split = targets.clone();
                insert(&mut split, edge.target);
                steps.push((both, split));
                if steps.len() > most {
                    return None;
                }
            }
        }
        // Classes with the same targets need not be distinguished by the remaining states.
        if steps.len() > before.max(2) {
            merge_equal_targets(automaton, &mut steps);
        }
    }
    merge_equal_targets(automaton, &mut steps);
    Some(steps)
}

fn merge_equal_targets(automaton: &Automaton, steps: &mut Vec<(Label, StateSet)>) {
    steps.sort_unstable_by(|l, r| l.1.cmp(&r.1));
    steps.dedup_by(|later, kept| {
        interrupt::poll();
        let same = later.1 == kept.1;
        if same {
            kept.0 = automaton.alphabet().or(kept.0, later.0);
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use proptest::prelude::*;

    fn letter_by_letter(automaton: &Automaton, set: &[u64], letter: u64) -> StateSet {
        let edges = states(set).flat_map(|state| automaton.edges_from(state));
        let read = edges.filter(|edge| automaton.alphabet().satisfied(edge.label, letter));
        super::set(set.len(), read.map(|edge| edge.target))
    }

    proptest! {
        #[test]
        fn every_letter_has_one_step(automaton in arbitrary::automaton(), set in 1u64..64) {
            let below = (1 << automaton.state_count()) - 1;
            let set = super::set(1, states(&[set & below]));
            let (alphabet, classes) = (automaton.alphabet(), classes(&automaton, &set));
            let steps = powerset_steps(&automaton, &set, usize::MAX).unwrap();
            for letter in 0..1u64 << alphabet.props().len() {
                let wanted = letter_by_letter(&automaton, &set, letter);
                let own: Vec<_> =
                    steps.iter().filter(|step| alphabet.satisfied(step.0, letter)).collect();
                prop_assert!(own.len() == 1 && own[0].1 == wanted);
                let own: Vec<_> =
                    classes.iter().filter(|c| alphabet.satisfied(c.label, letter)).collect();
                prop_assert_eq!(own.len(), 1);
                let targets = own[0].edges.iter().map(|(_, edge)| automaton.edge(*edge).target);
                prop_assert_eq!(super::set(1, targets), wanted);
            }
            let mut targets: Vec<_> = steps.iter().map(|step| &step.1).collect();
            targets.dedup();
            prop_assert_eq!(targets.len(), steps.len());
        }
    }
}
