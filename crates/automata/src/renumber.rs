//! Renumbering and selection of states.

use crate::automaton::{Automaton, Edge};
use crate::index::StateId;
use crate::label::Cube;
use crate::parallel;
use std::collections::VecDeque;

/// Selects states: state `i` of the result is `states[i]`. Other states and their edges are
/// dropped. Initial states and edges keep their order.
///
/// # Panics
/// If a state occurs twice or is unknown.
pub fn select(automaton: &Automaton, states: &[StateId]) -> Automaton {
    let mut place = vec![None; automaton.state_count()];
    for (new, old) in states.iter().enumerate() {
        let previous = place[old.index()].replace(StateId::new(new));
        assert!(previous.is_none(), "state {old} is selected twice");
    }
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(automaton.acceptance().clone());
    builder.add_states(states.len());
    if let Some(name) = automaton.name() {
        builder.name(name);
    }
    for state in automaton.initial() {
        if let Some(new) = place[state.index()] {
            builder.initial(new);
        }
    }
    for (new, &old) in states.iter().enumerate() {
        let new = StateId::new(new);
        if let Some(name) = automaton.state_name(old) {
            builder.state_name(new, name);
        }
        for edge in automaton.edges_from(old) {
            if let Some(target) = place[edge.target.index()] {
                builder.edge(new, edge.label, edge.marks.clone(), target);
            }
        }
    }
    builder.build()
}

/// Numbers the reachable states in breadth-first order, merges parallel edges, and sorts the edges
/// of each state by a criterion that ignores numbers.
///
/// Deterministic automata become equal if they differ only in the numbers of states, the order of
/// edges, or the distribution of labels over parallel edges. For others the result depends on the
/// order of initial states, and of edges with equal labels and marks. Linear, besides sorting
/// edges.
///
/// ```
/// use sempre_automata::random::RandomAutomata;
/// use sempre_automata::{StateId, renumber};
/// let random = RandomAutomata::over(["a", "b"]).unwrap().states(3).deterministic(true);
/// let automaton = random.generate().next().unwrap();
/// let shuffled = renumber::select(&automaton, &[2, 0, 1].map(StateId::new));
/// assert!(automaton != shuffled);
/// assert!(renumber::canonical(&automaton) == renumber::canonical(&shuffled));
/// ```
pub fn canonical(automaton: &Automaton) -> Automaton {
    let merged = parallel::merge(automaton);
    let alphabet = merged.alphabet();
    // The least letter distinguishes the labels of a deterministic state; cubes distinguish all
    // labels.
    let key = |edge: &Edge| -> (Option<Vec<usize>>, Vec<Cube>) {
        (alphabet.some_valuation(edge.label), alphabet.cubes(edge.label))
    };
    let mut number = vec![None; merged.state_count()];
    let (mut order, mut queue) = (vec![], VecDeque::new());
    let mut reach = |state: StateId, queue: &mut VecDeque<StateId>| {
        *number[state.index()].get_or_insert_with(|| {
            queue.push_back(state);
            order.push(state);
            order.len() - 1
        })
    };
    for &state in merged.initial() {
        reach(state, &mut queue);
    }
    let mut edges: Vec<Vec<Edge>> = vec![];
    while let Some(state) = queue.pop_front() {
        sempre_ltl::interrupt::poll();
        let mut leaving = merged.edges_from(state).to_vec();
        leaving.sort_by_cached_key(|edge| (key(edge), edge.marks.clone()));
        for edge in &mut leaving {
            edge.target = StateId::new(reach(edge.target, &mut queue));
        }
        leaving.sort_by_cached_key(|edge| (key(edge), edge.marks.clone(), edge.target));
        edges.push(leaving);
    }
    let mut builder = select(&merged, &order).edit();
    builder.retain_edges(|_, _| false);
    for (source, leaving) in edges.into_iter().enumerate() {
        for edge in leaving {
            builder.edge(StateId::new(source), edge.label, edge.marks, edge.target);
        }
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::RandomAutomata;
    use crate::test_language::same_language;
    use sempre_ltl::generate::Rng;

    fn shuffled(automaton: &Automaton, rng: &mut Rng) -> Automaton {
        let mut states: Vec<StateId> = automaton.states().collect();
        for last in (1..states.len()).rev() {
            states.swap(last, rng.index(last + 1));
        }
        let mut builder = select(automaton, &states).edit();
        let mut edges = vec![];
        builder.retain_edges(|source, edge| {
            edges.push((source, edge.clone()));
            false
        });
        while !edges.is_empty() {
            let (source, edge) = edges.swap_remove(rng.index(edges.len()));
            let split = builder.alphabet().prop(0);
            let (l, r) = (
                builder.alphabet().and(edge.label, split),
                builder.alphabet().minus(edge.label, split),
            );
            builder.edge(source, l, edge.marks.clone(), edge.target);
            builder.edge(source, r, edge.marks, edge.target);
        }
        builder.build()
    }

    #[test]
    fn numbering_does_not_matter_to_the_canonical_form() {
        let mut rng = Rng::new(1);
        for (props, seed) in [(1, 1), (3, 2), (8, 3)] {
            let names = (0..props).map(|i| format!("p{i}"));
            let random = RandomAutomata::over(names).unwrap().deterministic(true).seed(seed);
            for automaton in random.states(7).density(0.3).generate().take(60) {
                let form = canonical(&automaton);
                assert!(form == canonical(&shuffled(&automaton, &mut rng)));
                assert!(form == canonical(&form));
            }
        }
    }

    #[test]
    fn the_canonical_form_has_the_same_language() {
        let random = RandomAutomata::over(["a", "b"]).unwrap().states(4).density(0.3).seed(5);
        for automaton in random.generate().take(60) {
            assert!(same_language(&automaton, &canonical(&automaton)));
        }
    }
}
