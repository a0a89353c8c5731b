//! Reductions by inclusions between the languages of states.
//!
//! If two states of different components have the same language, every edge to the upper one can be
//! redirected to the lower one. A run is redirected only finitely often. An edge is redundant on a
//! letter that another edge of its state reads, if that one leaves the component to a state with a
//! larger language. An initial state is redundant if its language is included in that of another
//! one. The languages of the remaining states do not change, so these reductions can be combined.
//!
//! The inclusions come from a direct simulation that ignores marks on edges between components,
//! because no run takes such an edge infinitely often.

use super::graph::{Arc, Components, Context, Graph};
use super::quotient::without_dominated_initial;
use super::relation::{Relation, ones};
use super::simulation;

/// Returns pairs of states such that the language of the left is included in that of the right.
pub(super) fn by_simulation(
    graph: &Graph,
    context: &Context<'_>,
    components: &Components,
) -> Relation {
    let free = |place: usize| !components.inside(&graph.arcs()[place]);
    simulation::largest(graph, context, None, free)
}

/// Reduces the graph by inclusions between the languages of its states; some states may become
/// unreachable. `None` if nothing changes.
pub(super) fn reduced(
    graph: &Graph,
    context: &Context<'_>,
    components: &Components,
    included: &Relation,
) -> Option<Graph> {
    let states = graph.states();
    // For each state, an equivalent one as low as possible.
    let mut lowest: Vec<u32> = (0..states as u32).collect();
    let mut changed = false;
    for (state, lowest) in lowest.iter_mut().enumerate() {
        for other in ones(included.row(state)) {
            if components.of[other] < components.of[*lowest as usize]
                && included.holds(other, state)
            {
                *lowest = other as u32;
                changed = true;
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
                    let rest = context.letters.minus(arc.label, rival.label);
                    changed |= rest != arc.label;
                    arcs[place].label = rest;
                    if rest == 0 {
                        break;
                    }
                }
            }
        }
    }
    graph = graph.with_arcs(arcs, &context.letters);
    let several = graph.initial.len();
    without_dominated_initial(&mut graph, below);
    (changed || graph.initial.len() < several).then_some(graph)
}
