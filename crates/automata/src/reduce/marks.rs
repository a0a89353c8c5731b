//! Marks that no run can tell apart from others: put where they help, or removed.
//!
//! What matters of a mark is which cycles see it. An edge that is on no cycle without the mark may
//! have it or not; in particular an edge between components may have any marks. Saturation gives
//! such edges the mark, so that edges differ in their marks only if cycles do.

use super::graph::{Arc, Components, Context, Graph};
use super::relation::ones;
use crate::graph::Arrows;
use crate::scc::numbered;

/// Where a mark is put that all cycles through a state see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// On the edges that lead to the state, so that states differ less in the edges that leave.
    Incoming,
    /// On the edges that leave the state.
    Outgoing,
}

/// The graph with marks in a form that depends on what cycles see. If all cycles through a state
/// see a mark, it is on all edges of one side of the state, and elsewhere only as far as other
/// cycles see it; these edges have it whenever all cycles do that pass them and no such state.
/// Edges on no cycle have the marks that are worst. If the condition is without `Fin`, edges of
/// rejecting components have none.
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

/// Puts the mark where it belongs, on edges inside components that have it.
fn saturate(graph: &Graph, inside: impl Fn(&Arc) -> bool, mark: u64, side: Side, arcs: &mut [Arc]) {
    // States are always marked if they are on no cycle without the mark.
    let (without, count) = parts(graph, arcs, |arc| arc.marks & mark == 0 && inside(arc));
    let mut unmarked = vec![false; count];
    for arc in arcs.iter() {
        if arc.marks & mark == 0 && without[arc.source as usize] == without[arc.target as usize] {
            unmarked[without[arc.source as usize] as usize] |= inside(arc);
        }
    }
    let always = |state: u32| !unmarked[without[state as usize] as usize];
    // What is left without these states; if there are none, the component.
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

/// The graph, whose condition is a conjunction of `Inf` terms, with as few marks as its components
/// need: in a component a mark tells nothing if it is on all edges, or wherever another one is, and
/// the marks that are left get the smallest numbers, in each component anew. The context is changed
/// accordingly. Edges outside of accepting components have no marks.
pub(super) fn renumbered(
    graph: Graph,
    context: &mut Context<'_>,
    components: &Components,
) -> Graph {
    let Some(all) = context.generalized else { return graph };
    let rejecting = (0..components.accepting.len())
        .any(|component| !components.trivial[component] && !components.accepting[component]);
    // For each component the marks on all edges, and for each mark those that are not wherever it
    // is.
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

/// The graph with acceptance on states, if that only takes other marks on edges that are on no
/// cycle.
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

/// The strongly connected component of each state by the edges that are wanted, and how many
/// components there are.
fn parts(graph: &Graph, arcs: &[Arc], wanted: impl Fn(&Arc) -> bool) -> (Vec<u32>, usize) {
    let count = graph.states();
    let some = |state: u32| arcs[graph.range(state as usize)].iter().filter(|arc| wanted(arc));
    let graph = Arrows::new(count, |state| some(state).map(|arc| arc.target));
    numbered(&graph, count, 0..count as u32)
}
