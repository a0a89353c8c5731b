//! Quotients by simulations: classes of equivalent states are merged, and edges that another edge
//! of the same state dominates are removed.
//!
//! Somenzi and Bloem, Efficient Büchi automata from LTL formulae (CAV 2000). States that simulate
//! each other match the same edges, so those of one state suffice. For each letter, a state needs
//! only the edges with a maximal pair of marks and target; other edges lose the letter. On reversed
//! graphs, with a reverse simulation, the same holds for incoming edges.

use super::graph::{Arc, Context, Graph};
use super::relation::Relation;

/// Returns the graph of the classes of a preorder, a direct simulation, without dominated edges;
/// `None` if nothing changes.
pub(super) fn by_simulation(
    graph: &Graph,
    context: &Context<'_>,
    relation: &Relation,
) -> Option<Graph> {
    let states = graph.states();
    let mut class = vec![u32::MAX; states];
    let mut representatives: Vec<usize> = vec![];
    for state in 0..states {
        if class[state] != u32::MAX {
            continue;
        }
        let id = representatives.len() as u32;
        representatives.push(state);
        for (other, class) in class.iter_mut().enumerate().skip(state) {
            if relation.mutual(state, other) {
                *class = id;
            }
        }
    }
    let below = |left: u32, right: u32| {
        relation.holds(representatives[left as usize], representatives[right as usize])
    };
    let merged = (representatives.len() < states).then(|| {
        let mut initial: Vec<u32> = vec![];
        for &state in &graph.initial {
            if !initial.contains(&class[state as usize]) {
                initial.push(class[state as usize]);
            }
        }
        let arcs = representatives.iter().flat_map(|&state| graph.from(state)).map(|arc| Arc {
            source: class[arc.source as usize],
            target: class[arc.target as usize],
            ..*arc
        });
        Graph::new(representatives.len(), initial, arcs.collect(), &context.letters)
    });
    without_dominated_edges(merged.as_ref().unwrap_or(graph), context, below).or(merged)
}

/// Removes letters from edges if another edge of the same state reads them with marks and a target
/// that are at least as good. `below` must be a partial order. `None` if there are no such letters.
fn without_dominated_edges(
    graph: &Graph,
    context: &Context<'_>,
    below: impl Fn(u32, u32) -> bool,
) -> Option<Graph> {
    let mut arcs = graph.arcs().to_vec();
    let mut changed = false;
    for state in 0..graph.states() {
        let range = graph.range(state);
        for place in range.clone() {
            for other in range.clone() {
                let (arc, rival) = (arcs[place], arcs[other]);
                if place != other
                    && context.order.below(arc.marks, rival.marks)
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
    changed.then(|| graph.with_arcs(arcs, &context.letters))
}

/// Removes initial states that another one simulates; `below` must be a preorder.
pub(super) fn without_dominated_initial(graph: &mut Graph, below: impl Fn(u32, u32) -> bool) {
    let mut place = 0;
    while place < graph.initial.len() {
        let state = graph.initial[place];
        let mut others = graph.initial.iter().filter(|&&other| other != state);
        if others.any(|&other| below(state, other)) {
            graph.initial.remove(place);
        } else {
            place += 1;
        }
    }
}
