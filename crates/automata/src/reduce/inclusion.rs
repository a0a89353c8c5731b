//! Reductions by inclusions between the languages of states, whatever proves them.
//!
//! If the languages of two states of different components are the same, every edge to the one in
//! the component further up can lead to the other instead: a run changes over only finitely often.
//! An edge is superfluous on letters that another edge of its state reads, if that one leaves the
//! component for good and leads to a state with a larger language. And no initial state is needed
//! whose language is included in that of another one. None of this changes the language of a state
//! that remains, so that all of it can be done one after the other.
//!
//! The inclusions come from a direct simulation in which the marks of edges between components do
//! not count, as no run takes such an edge infinitely often.

use super::graph::{Arc, Components, Context, Graph};
use super::quotient::without_dominated_initial;
use super::relation::Relation;
use super::simulation;

/// Pairs of states such that the language of the left is included in that of the right.
pub(super) fn by_simulation(
    graph: &Graph,
    context: &Context<'_>,
    components: &Components,
) -> Relation {
    let free = |place: usize| !components.inside(&graph.arcs()[place]);
    simulation::largest(graph, context, None, free)
}

/// The graph reduced by inclusions between the languages of its states; it may have states that
/// can no longer be reached.
pub(super) fn reduced(
    graph: &Graph,
    context: &Context<'_>,
    components: &Components,
    included: &Relation,
) -> Graph {
    let states = graph.states();
    // For each state an equivalent one as far down as possible.
    let mut lowest: Vec<u32> = (0..states as u32).collect();
    for (state, lowest) in lowest.iter_mut().enumerate() {
        for other in 0..states {
            if components.of[other] < components.of[*lowest as usize]
                && included.mutual(state, other)
            {
                *lowest = other as u32;
            }
        }
    }
    // Equivalence is transitive even if the relation is not.
    for state in 0..states {
        while lowest[lowest[state] as usize] != lowest[state] {
            lowest[state] = lowest[lowest[state] as usize];
        }
    }
    let redirected = |arc: &Arc| Arc { target: lowest[arc.target as usize], ..*arc };
    let arcs = graph.arcs().iter().map(redirected).collect();
    let mut initial: Vec<u32> = vec![];
    for &state in &graph.initial {
        if !initial.contains(&lowest[state as usize]) {
            initial.push(lowest[state as usize]);
        }
    }
    let mut graph = Graph::new(states, initial, arcs, &context.letters);
    let below = |left: u32, right: u32| included.holds(left as usize, right as usize);
    let mut arcs = graph.arcs().to_vec();
    for state in 0..states {
        let range = graph.range(state);
        for place in range.clone() {
            for other in range.clone() {
                let (arc, rival) = (arcs[place], arcs[other]);
                if place != other
                    && components.of[rival.target as usize] < components.of[state]
                    && below(arc.target, rival.target)
                {
                    arcs[place].label = context.letters.minus(arc.label, rival.label);
                    if arcs[place].label == 0 {
                        break;
                    }
                }
            }
        }
    }
    graph = graph.with_arcs(arcs, &context.letters);
    without_dominated_initial(&mut graph, below);
    graph
}
