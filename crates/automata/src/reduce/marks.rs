//! Normal forms of marks: moved to where they help, or removed.
//!
//! Only the cycles that see a mark matter. An edge that is on no cycle without the mark may have it
//! or not; an edge between components may have any marks. Saturation adds the mark to such edges,
//! so that edges differ in their marks only if cycles do.

use super::graph::{Arc, Components, Context, Graph};
use super::relation::ones;
use crate::graph::FunctionGraph;
use crate::scc::numbered;

/// The position of a mark that all cycles through a state see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// On the incoming edges of the state, so that the outgoing edges of states differ less.
    Incoming,
    /// On the outgoing edges of the state.
    Outgoing,
}

/// Converts marks to a normal form that depends on cycles. If all cycles through a state see a
/// mark, the mark is on all edges of one side of the state. Other edges have it exactly if all
/// cycles through them that avoid such states see it. Edges on no cycle have the worst marks. If
/// the condition has no `Fin`, edges of rejecting components have none.
pub(super) fn saturated(
    graph: Graph,
    context: &Context<'_>,
    components: &Components,
    side: Side,
) -> Graph {
    if !context.has_bits() {
        return graph;
    }
    let mut arcs = graph.arcs().to_vec();
    let clear = !context.order.has_fin();
    let mut marks = vec![0; components.accepting.len()];
    for arc in &mut arcs {
        let component = components.of[arc.source as usize] as usize;
        if !components.inside(arc) {
            arc.marks = context.order.worst();
        } else if clear && !components.accepting[component] {
            arc.marks = 0;
        } else {
            marks[component] |= arc.marks;
        }
    }
    for mark in ones(&[marks.iter().fold(0, |all, marks| all | marks)]) {
        let inside = |arc: &Arc| {
            components.inside(arc)
                && marks[components.of[arc.source as usize] as usize] >> mark & 1 == 1
        };
        saturate(&graph, inside, 1 << mark, side, &mut arcs);
    }
    if arcs == graph.arcs() { graph } else { graph.with_arcs(arcs, &context.letters) }
}

/// Saturates one mark on edges inside components that have it.
fn saturate(graph: &Graph, inside: impl Fn(&Arc) -> bool, mark: u64, side: Side, arcs: &mut [Arc]) {
    // A state is always marked if it is on no cycle without the mark.
    let (without, count) = parts(graph, arcs, |arc| arc.marks & mark == 0 && inside(arc));
    let mut unmarked = vec![false; count];
    for arc in arcs.iter() {
        if arc.marks & mark == 0 && without[arc.source as usize] == without[arc.target as usize] {
            unmarked[without[arc.source as usize] as usize] |= inside(arc);
        }
    }
    let always = |state: u32| !unmarked[without[state as usize] as usize];
    // The rest without these states; the whole component if there are none.
    let rest = arcs.iter().any(|arc| inside(arc) && always(arc.source)).then(|| {
        let wanted = |arc: &Arc| inside(arc) && !always(arc.source) && !always(arc.target);
        parts(graph, arcs, wanted).0
    });
    let apart = |left: u32, right: u32| {
        rest.as_ref().is_some_and(|rest| rest[left as usize] != rest[right as usize])
    };
    for arc in arcs {
        if !inside(arc) {
            continue;
        }
        let (before, after) = match side {
            Side::Incoming => (arc.source, arc.target),
            Side::Outgoing => (arc.target, arc.source),
        };
        if always(after) {
            arc.marks |= mark;
        } else if always(before) || apart(before, after) {
            arc.marks &= !mark;
        } else if without[before as usize] != without[after as usize] {
            arc.marks |= mark;
        }
    }
}

/// Reduces the marks of a graph with generalized Büchi acceptance to those that its components
/// need. In a component a mark is redundant if it is on all edges, or wherever another one is. The
/// remaining marks get the smallest numbers, in each component separately. Updates the context.
/// Edges outside of accepting components have no marks.
pub(super) fn renumbered(
    graph: Graph,
    context: &mut Context<'_>,
    components: &Components,
) -> Graph {
    let Some(all) = context.generalized else { return graph };
    let rejecting = (0..components.accepting.len())
        .any(|component| !components.trivial[component] && !components.accepting[component]);
    // By component, the marks on all edges; by mark, those that some of its edges lack.
    let count = all.count_ones() as usize;
    let numbers: Vec<u32> = ones(&[all]).map(|mark| mark as u32).collect();
    let mut everywhere = vec![all; components.accepting.len()];
    let mut independent = vec![0u64; components.accepting.len() * count];
    let accepting = |arc: &Arc| {
        let component = components.of[arc.source as usize] as usize;
        (components.inside(arc) && components.accepting[component]).then_some(component)
    };
    for arc in graph.arcs() {
        let Some(component) = accepting(arc) else { continue };
        everywhere[component] &= arc.marks;
        for (place, &mark) in numbers.iter().enumerate() {
            if arc.marks >> mark & 1 == 1 {
                independent[component * count + place] |= all & !arc.marks;
            }
        }
    }
    let mut most = u32::from(rejecting);
    let mut needed = vec![0u64; components.accepting.len()];
    for component in 0..components.accepting.len() {
        if !components.accepting[component] {
            continue;
        }
        let mut kept = all & !everywhere[component];
        for place in (0..count).rev() {
            let mark = 1u64 << numbers[place];
            let implied = numbers.iter().enumerate().any(|(other, &number)| {
                other != place
                    && kept >> number & 1 == 1
                    && independent[component * count + other] & mark == 0
            });
            if implied {
                kept &= !mark;
            }
        }
        needed[component] = kept;
        most = most.max(kept.count_ones());
    }
    let mut arcs = graph.arcs().to_vec();
    for arc in &mut arcs {
        let Some(component) = accepting(arc) else {
            arc.marks = 0;
            continue;
        };
        let kept = needed[component];
        let own = [kept];
        let own = ones(&own).enumerate();
        let marks = own.fold(0, |marks, (new, old)| marks | (arc.marks >> old & 1) << new);
        arc.marks = marks | low_bits(most) & !low_bits(kept.count_ones());
    }
    context.generalize(most);
    if arcs == graph.arcs() { graph } else { graph.with_arcs(arcs, &context.letters) }
}

fn low_bits(count: u32) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Makes acceptance state-based, if only marks of edges on no cycle have to change.
pub(super) fn on_states(graph: Graph, context: &Context<'_>, components: &Components) -> Graph {
    let mut marks = vec![None; graph.states()];
    for arc in graph.arcs().iter().filter(|arc| components.inside(arc)) {
        if *marks[arc.source as usize].get_or_insert(arc.marks) != arc.marks {
            return graph;
        }
    }
    let marked = |arc: &Arc| Arc { marks: marks[arc.source as usize].unwrap_or(0), ..*arc };
    graph.with_arcs(graph.arcs().iter().map(marked).collect(), &context.letters)
}

/// Returns the strongly connected component of each state by the wanted edges, and the number of
/// components.
fn parts(graph: &Graph, arcs: &[Arc], wanted: impl Fn(&Arc) -> bool) -> (Vec<u32>, usize) {
    let count = graph.states();
    let some = |state: u32| arcs[graph.range(state as usize)].iter().filter(|arc| wanted(arc));
    let graph = FunctionGraph::new(count, |state| some(state).map(|arc| arc.target));
    numbered(&graph, count, 0..count as u32)
}
