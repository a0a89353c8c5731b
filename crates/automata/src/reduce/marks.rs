//! Marks that no run can tell apart from others: put where they help, or removed.
//!
//! What matters of a mark is which cycles see it. An edge that is on no cycle without the mark may
//! have it or not; in particular an edge between components may have any marks. Saturation gives
//! such edges the mark, so that edges differ in their marks only if cycles do.

use super::graph::{Arc, Components, Context, Graph};
use crate::scc::{Successors, Tarjan};
use std::ops::{ControlFlow, Range};

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
    graph: &Graph,
    context: &Context<'_>,
    components: &Components,
    side: Side,
) -> Graph {
    if !context.has_bits() {
        return graph.clone();
    }
    let mut arcs = graph.arcs().to_vec();
    let clear = !context.order.has_fin();
    let mut marks = 0;
    for arc in &mut arcs {
        let component = components.of[arc.source as usize];
        if component == Components::UNREACHABLE || !components.inside(arc) {
            arc.marks = context.order.worst();
        } else if clear && !components.accepting[component as usize] {
            arc.marks = 0;
        } else {
            marks |= arc.marks;
        }
    }
    while marks != 0 {
        let mark = marks & marks.wrapping_neg();
        marks &= marks - 1;
        saturate(graph, components, mark, side, &mut arcs);
    }
    match arcs == graph.arcs() {
        true => graph.clone(),
        false => graph.with_arcs(arcs, &context.letters),
    }
}

/// Puts the mark where it belongs.
fn saturate(graph: &Graph, components: &Components, mark: u64, side: Side, arcs: &mut [Arc]) {
    let inside = |arc: &Arc| {
        let component = components.of[arc.source as usize];
        component != Components::UNREACHABLE
            && components.inside(arc)
            && components.marks[component as usize] & mark != 0
    };
    // States are always marked if they are on no cycle without the mark.
    let (without, count) = parts(graph, arcs, |arc| arc.marks & mark == 0 && inside(arc));
    let mut unmarked = vec![false; count];
    for arc in arcs.iter() {
        if arc.marks & mark == 0 && without[arc.source as usize] == without[arc.target as usize] {
            unmarked[without[arc.source as usize] as usize] |= inside(arc);
        }
    }
    let always = |state: u32| !unmarked[without[state as usize] as usize];
    // What is left without these states.
    let (rest, _) =
        parts(graph, arcs, |arc| inside(arc) && !always(arc.source) && !always(arc.target));
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
        } else if always(before) || rest[before as usize] != rest[after as usize] {
            arc.marks &= !mark;
        } else if without[before as usize] != without[after as usize] {
            arc.marks |= mark;
        }
    }
}

/// The strongly connected component of each state by the edges that are wanted, and how many
/// components there are.
fn parts(graph: &Graph, arcs: &[Arc], wanted: impl Fn(&Arc) -> bool) -> (Vec<u32>, usize) {
    let mut part = vec![u32::MAX; graph.states()];
    let mut count = 0;
    let mut tarjan = Tarjan::with_nodes(graph.states());
    let mut some = Part { graph, arcs, wanted };
    for root in 0..graph.states() as u32 {
        let ControlFlow::Continue(()) = tarjan.run(&mut some, root, |_, states| {
            states.iter().for_each(|&state| part[state as usize] = count as u32);
            count += 1;
            ControlFlow::<std::convert::Infallible>::Continue(())
        });
    }
    (part, count)
}

/// Some of the edges of a graph.
struct Part<'a, F> {
    graph: &'a Graph,
    arcs: &'a [Arc],
    wanted: F,
}

impl<F: Fn(&Arc) -> bool> Successors for Part<'_, F> {
    type Cursor = Range<usize>;

    fn enter(&mut self, node: u32) -> Range<usize> {
        self.graph.range(node as usize)
    }

    fn next(&mut self, cursor: &mut Range<usize>) -> Option<u32> {
        cursor.map(|place| &self.arcs[place]).find(|arc| (self.wanted)(arc)).map(|arc| arc.target)
    }
}
