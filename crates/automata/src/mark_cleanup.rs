//! Removal of redundant marks. Languages do not change.

use crate::acceptance::{Acceptance, Condition};
use crate::automaton::Automaton;
use crate::marks::{Mark, Marks};
use crate::scc::Sccs;
use rustc_hash::FxHashMap;

/// Applies all functions of this module. Then each mark is in the condition and on some edge inside
/// a component. No two marks are on the same edges, and numbers have no gaps. State-based
/// acceptance may be lost, because marks outside of components are removed.
pub fn clean(automaton: &Automaton) -> Automaton {
    unused(&equal(&outside_components(automaton)))
}

/// Removes marks that are not in the condition, and replaces terms by constants if their marks are
/// on no edge or on every edge. Remaining marks keep their order and get numbers without gaps.
///
/// ```
/// use sempre_automata::{Acceptance, Alphabet, Automaton, Condition, Marks, mark_cleanup};
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// let condition = Condition::and([Condition::Fin(0), Condition::Inf(2)]);
/// builder.acceptance(Acceptance::new(3, condition));
/// let (state, a) = (builder.add_state(), builder.alphabet().prop(0));
/// builder.initial(state);
/// builder.edge(state, a, Marks::from_iter([1, 2]), state);
/// builder.edge(state, a, Marks::EMPTY, state);
/// let automaton = mark_cleanup::unused(&builder.build());
/// assert_eq!(automaton.acceptance().condition().to_string(), "Inf(0)");
/// assert_eq!(automaton.edges()[0].marks, Marks::from_iter([0]));
/// ```
pub fn unused(automaton: &Automaton) -> Automaton {
    let mut somewhere = Marks::EMPTY;
    let mut everywhere = Marks::all(automaton.acceptance().marks());
    for edge in automaton.edges() {
        somewhere |= &edge.marks;
        everywhere = &everywhere & &edge.marks;
    }
    let condition = automaton.acceptance().condition().replace(&|term| match term {
        Condition::Inf(mark) if !somewhere.contains(*mark) => Condition::False,
        Condition::Fin(mark) if !somewhere.contains(*mark) => Condition::True,
        Condition::Inf(mark) if everywhere.contains(*mark) => Condition::True,
        Condition::Fin(mark) if everywhere.contains(*mark) => Condition::False,
        other => other.clone(),
    });
    renumber(automaton, &simplify(&condition))
}

/// Removes all marks from edges that are on no cycle, and from rejecting components that are
/// rejecting without marks.
pub fn outside_components(automaton: &Automaton) -> Automaton {
    let sccs = Sccs::of(automaton);
    let mut keep = sccs.accepting(automaton);
    if automaton.acceptance().accepts(&Marks::EMPTY) {
        keep.fill(true);
    }
    let mut builder = automaton.edit();
    builder.retain_edges(|source, edge| {
        let inside = sccs.is_inside(source, edge.target);
        if !inside || !sccs.component(source).is_some_and(|scc| keep[scc.index()]) {
            edge.marks = Marks::EMPTY;
        }
        true
    });
    builder.build()
}

/// Replaces a mark by a smaller one on the same edges. Linear in the number of marks on edges.
pub fn equal(automaton: &Automaton) -> Automaton {
    // A class has the marks that are on the same edges, among the edges seen so far.
    let mut class = vec![0u32; automaton.acceptance().marks() as usize];
    let mut classes = 1;
    for edge in automaton.edges() {
        // The marks of the edge move from their classes to new ones. A class that loses all its
        // marks only changes its number.
        let mut moved: FxHashMap<u32, u32> = FxHashMap::default();
        for mark in edge.marks.iter() {
            class[mark as usize] = *moved.entry(class[mark as usize]).or_insert_with(|| {
                classes += 1;
                classes - 1
            });
        }
    }
    let mut first: FxHashMap<u32, Mark> = FxHashMap::default();
    let representative: Vec<Mark> = class
        .iter()
        .enumerate()
        .map(|(mark, class)| *first.entry(*class).or_insert(mark as Mark))
        .collect();
    let condition =
        automaton.acceptance().condition().map_marks(&|mark| representative[mark as usize]);
    renumber(automaton, &simplify(&condition))
}

/// Sets an equivalent condition, and removes the marks that do not occur in it.
pub(crate) fn renumber(automaton: &Automaton, condition: &Condition) -> Automaton {
    let used = condition.marks();
    let mut number = vec![None; automaton.acceptance().marks() as usize];
    for (new, old) in used.iter().enumerate() {
        number[old as usize] = Some(new as Mark);
    }
    let mut builder = automaton.edit();
    let condition = condition.map_marks(&|mark| number[mark as usize].unwrap_or(mark));
    builder.acceptance(Acceptance::new(used.len() as u32, condition));
    builder.retain_edges(|_, edge| {
        edge.marks = edge.marks.iter().filter_map(|mark| number[mark as usize]).collect();
        true
    });
    builder.build()
}

/// Removes repeated operands, and replaces `Inf(m) & Fin(m)` and `Inf(m) | Fin(m)` by constants.
fn simplify(condition: &Condition) -> Condition {
    let distinct = |operands: &[Condition]| {
        let mut kept: Vec<Condition> = vec![];
        for operand in operands.iter().map(simplify) {
            if !kept.contains(&operand) {
                kept.push(operand);
            }
        }
        let contradicts = |operand: &Condition| match operand {
            Condition::Inf(mark) => kept.contains(&Condition::Fin(*mark)),
            _ => false,
        };
        let contradiction = kept.iter().any(contradicts);
        (kept, contradiction)
    };
    match condition {
        Condition::And(operands) => match distinct(operands) {
            (_, true) => Condition::False,
            (kept, false) => Condition::and(kept),
        },
        Condition::Or(operands) => match distinct(operands) {
            (_, true) => Condition::True,
            (kept, false) => Condition::or(kept),
        },
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use crate::test_language::same_language;
    use proptest::prelude::*;

    fn places(automaton: &Automaton, mark: Mark) -> Vec<usize> {
        let edges = automaton.edges().iter().enumerate();
        edges.filter(|(_, edge)| edge.marks.contains(mark)).map(|(place, _)| place).collect()
    }

    proptest! {
        #[test]
        fn cleaning_keeps_the_language(automaton in arbitrary::automaton()) {
            for cleaned in [
                unused(&automaton),
                outside_components(&automaton),
                equal(&automaton),
                clean(&automaton),
            ] {
                prop_assert!(same_language(&automaton, &cleaned));
                prop_assert!(cleaned.acceptance().marks() <= automaton.acceptance().marks());
                prop_assert_eq!(cleaned.state_count(), automaton.state_count());
            }
        }

        #[test]
        fn what_remains_is_needed(automaton in arbitrary::automaton()) {
            let cleaned = clean(&automaton);
            let marks = cleaned.acceptance().marks();
            prop_assert_eq!(cleaned.acceptance().condition().marks(), Marks::all(marks));
            for mark in 0..marks {
                let on = places(&cleaned, mark);
                prop_assert!(!on.is_empty() && on.len() < cleaned.edge_count());
                prop_assert!((0..mark).all(|other| places(&cleaned, other) != on));
            }
        }

        #[test]
        fn simplified_conditions_are_equivalent(acceptance in arbitrary::acceptance(3)) {
            let simple = simplify(acceptance.condition());
            for set in 0..8 {
                let marks = Marks::from_bits(set);
                prop_assert_eq!(simple.accepts(&marks), acceptance.accepts(&marks));
            }
        }
    }
}
