//! Sums: the union of two languages as the disjoint union of two automata.
//!
//! A run stays in its part, and only the condition of that part may judge it. The parts have
//! different marks, so a condition that rejects the empty set of marks cannot hold in the other
//! part. A condition that accepts it, because of a `Fin`, gets an additional `Inf` of a mark on all
//! edges of its own part. Linear in the edges.

use crate::product::joint_alphabet;
use crate::{Acceptance, Automaton, Condition, Marks, StateId, single_initial};

/// Returns an automaton for the union of two languages, with the initial states of both.
///
/// The states of `right` follow those of `left`. If both conditions are equal, or both are
/// (generalized) Büchi, they share their marks, and the sum has the larger condition.
pub fn union(left: &Automaton, right: &Automaton) -> Automaton {
    let (alphabet, left_places, right_places) = joint_alphabet(left.alphabet(), right.alphabet());
    let joint = Joint::new(left.acceptance(), right.acceptance());
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(joint.acceptance);
    let parts = [(left, left_places, joint.left), (right, right_places, joint.right)];
    for (part, places, marks) in parts {
        let first = builder.add_states(part.state_count());
        let moved = |state: StateId| StateId::new(first.index() + state.index());
        for state in part.initial() {
            builder.initial(moved(*state));
        }
        for (source, edge) in part.transitions() {
            let label = part.alphabet().translate(edge.label, &alphabet, &places);
            let marks = &edge.marks.shifted(marks.shift) | &marks.added;
            builder.edge(moved(source), label, marks, moved(edge.target));
        }
        for state in part.states() {
            if let Some(name) = part.state_name(state) {
                builder.state_name(moved(state), name);
            }
        }
    }
    builder.build()
}

/// Returns an automaton for the union of two languages with at most one initial state; see
/// [`single_initial`].
pub fn union_with_one_initial(left: &Automaton, right: &Automaton) -> Automaton {
    single_initial(&union(left, right))
}

/// A condition for both parts, and the new marks of each.
struct Joint {
    acceptance: Acceptance,
    left: MarkShift,
    right: MarkShift,
}

struct MarkShift {
    shift: u32,
    added: Marks,
}

impl Joint {
    fn new(left: &Acceptance, right: &Acceptance) -> Self {
        let (ours, theirs) = (left.marks(), right.marks());
        let unmoved = || MarkShift { shift: 0, added: Marks::EMPTY };
        if left == right {
            return Joint { acceptance: left.clone(), left: unmoved(), right: unmoved() };
        }
        if left.generalized_buchi().is_some() && right.generalized_buchi().is_some() {
            let missing = |own: u32| (own..ours.max(theirs)).collect();
            return Joint {
                acceptance: if ours > theirs { left.clone() } else { right.clone() },
                left: MarkShift { shift: 0, added: missing(ours) },
                right: MarkShift { shift: 0, added: missing(theirs) },
            };
        }
        let mut marks = ours + theirs;
        let mut distinguished = |condition: Condition| {
            if !condition.accepts(&Marks::EMPTY) {
                return (condition, Marks::EMPTY);
            }
            marks += 1;
            let own = marks - 1;
            (Condition::and([condition, Condition::Inf(own)]), Marks::from_iter([own]))
        };
        let (left, left_added) = distinguished(left.condition().clone());
        let (right, right_added) = distinguished(right.condition().map_marks(&|mark| mark + ours));
        Joint {
            acceptance: Acceptance::new(marks, Condition::or([left, right])),
            left: MarkShift { shift: 0, added: left_added },
            right: MarkShift { shift: ours, added: right_added },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use crate::membership::accepts;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_sum_accepts_what_one_of_the_parts_accepts(
            left in arbitrary::automaton(),
            right in arbitrary::automaton(),
            words in prop::collection::vec(sempre_ltl::arbitrary::word(3), 8),
        ) {
            let sum = union(&left, &right);
            let single = union_with_one_initial(&left, &right);
            prop_assert!(single.initial().len() <= 1);
            for word in &words {
                let wanted = accepts(&left, word) || accepts(&right, word);
                prop_assert_eq!(accepts(&sum, word), wanted, "{}", word);
                prop_assert_eq!(accepts(&single, word), wanted, "{}", word);
            }
        }
    }
}
