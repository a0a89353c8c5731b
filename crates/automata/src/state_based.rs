//! Acceptance marks on states instead of edges.
//!
//! A mark on a state is a mark on all its outgoing edges, so the reverse direction needs no
//! conversion.

use crate::automaton::Automaton;
use crate::index::StateId;
use crate::marks::Marks;
use crate::scc::Sccs;
use rustc_hash::FxHashMap;

/// Makes acceptance state-based without changing the language. Marks move to the targets of edges,
/// with a copy of the target for each incoming set of marks. Only reachable states remain;
/// state-based automata do not change.
///
/// Edges on no cycle lead to copies that exist anyway. Linear in the result.
pub fn state_based(automaton: &Automaton) -> Automaton {
    if automaton.is_state_based() {
        return automaton.clone();
    }
    let favourite = favourites(automaton);
    let sccs = Sccs::of(automaton);
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(automaton.acceptance().clone());
    if let Some(name) = automaton.name() {
        builder.name(name);
    }
    let mut numbers: FxHashMap<(StateId, &Marks), StateId> = FxHashMap::default();
    let mut copies: Vec<(StateId, &Marks)> = vec![];
    for &state in automaton.initial() {
        let copy = (state, &favourite[state.index()]);
        copies.push(copy);
        let number = builder.add_state();
        numbers.insert(copy, number);
        builder.initial(number);
    }
    let mut visited = 0;
    while visited < copies.len() {
        sempre_ltl::interrupt::poll();
        let ((state, marks), source) = (copies[visited], StateId::new(visited));
        visited += 1;
        if let Some(name) = automaton.state_name(state) {
            builder.state_name(source, name);
        }
        for edge in automaton.edges_from(state) {
            let arriving = match sccs.is_inside(state, edge.target) {
                true => &edge.marks,
                false => &favourite[edge.target.index()],
            };
            let copy = (edge.target, arriving);
            let target = *numbers.entry(copy).or_insert_with(|| {
                copies.push(copy);
                builder.add_state()
            });
            builder.edge(source, edge.label, marks.clone(), target);
        }
    }
    builder.build()
}

/// Makes acceptance state-based without changing the language, by guessing. A state has a copy for
/// each set of marks of its outgoing edges, which has these edges; runs guess which edge comes next.
/// The copies of targets in [`state_based()`] remember which edge came last instead.
///
/// Edges on no cycle leave the first copy. The copies of initial states are initial. Linear in the
/// result.
pub fn state_based_by_guesses(automaton: &Automaton) -> Automaton {
    let sccs = Sccs::of(automaton);
    // By state, the sets of marks of its copies, and the number of the first copy.
    let mut copies: Vec<Vec<&Marks>> = vec![vec![]; automaton.state_count()];
    for (source, edge) in automaton.transitions() {
        let known = &mut copies[source.index()];
        if sccs.is_inside(source, edge.target) && !known.contains(&&edge.marks) {
            known.push(&edge.marks);
        }
    }
    let none = Marks::EMPTY;
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(automaton.acceptance().clone());
    if let Some(name) = automaton.name() {
        builder.name(name);
    }
    let mut first = Vec::with_capacity(copies.len());
    for (state, copies) in automaton.states().zip(&mut copies) {
        if copies.is_empty() {
            copies.push(&none);
        }
        copies.sort_unstable();
        for number in 0..copies.len() {
            let copy = builder.add_state();
            if number == 0 {
                first.push(copy.index());
            }
            if let Some(name) = automaton.state_name(state) {
                builder.state_name(copy, name);
            }
        }
    }
    let of = |state: StateId| {
        let (first, count) = (first[state.index()], copies[state.index()].len());
        (first..first + count).map(StateId::new)
    };
    for &state in automaton.initial() {
        of(state).for_each(|copy| {
            builder.initial(copy);
        });
    }
    for (source, edge) in automaton.transitions() {
        sempre_ltl::interrupt::poll();
        let own = &copies[source.index()];
        let inside = sccs.is_inside(source, edge.target);
        let number = own.iter().position(|marks| inside && **marks == edge.marks).unwrap_or(0);
        let copy = StateId::new(first[source.index()] + number);
        for target in of(edge.target) {
            builder.edge(copy, edge.label, own[number].clone(), target);
        }
    }
    builder.build()
}

/// By state, the marks of the copy that edges on no cycle enter: the least of the sets that other
/// edges need.
fn favourites(automaton: &Automaton) -> Vec<Marks> {
    let sccs = Sccs::of(automaton);
    let mut least: Vec<Option<&Marks>> = vec![None; automaton.state_count()];
    for (source, edge) in automaton.transitions() {
        if sccs.is_inside(source, edge.target) {
            let known = &mut least[edge.target.index()];
            *known = Some(known.map_or(&edge.marks, |marks| marks.min(&edge.marks)));
        }
    }
    least.into_iter().map(|marks| marks.cloned().unwrap_or_default()).collect()
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
        fn pushing_marks_to_states_keeps_the_language(automaton in arbitrary::automaton()) {
            let pushed = state_based(&automaton);
            prop_assert!(pushed.is_state_based());
            prop_assert!(same_language(&automaton, &pushed));
            prop_assert!(!automaton.is_deterministic() || pushed.is_deterministic());
            // One copy for each incoming set of marks, or one if there is none.
            let copies = |state: StateId| {
                let edges = automaton.edges().iter().filter(|edge| edge.target == state);
                edges.map(|edge| &edge.marks).collect::<HashSet<_>>().len().max(1)
            };
            let most: usize = automaton.states().map(copies).sum();
            prop_assert!(pushed.state_count() <= most.max(automaton.state_count()));
        }

        #[test]
        fn guessing_marks_keeps_the_language(automaton in arbitrary::automaton()) {
            let guessed = state_based_by_guesses(&automaton);
            prop_assert!(guessed.is_state_based());
            prop_assert!(same_language(&automaton, &guessed));
            let copies = |state: StateId| {
                let edges = automaton.edges_from(state).iter();
                edges.map(|edge| &edge.marks).collect::<HashSet<_>>().len().max(1)
            };
            let most: usize = automaton.states().map(copies).sum();
            prop_assert!(guessed.state_count() <= most);
        }
    }
}
