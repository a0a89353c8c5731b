//! Marks that no run can tell apart from others: put where they help, or removed.
//!
//! What matters of a mark is which cycles see it. An edge that is on no cycle without the mark may
//! have it or not; in particular an edge between components may have any marks. Saturation gives
//! such edges the mark, so that edges differ in their marks only if cycles do.

use super::graph::{Arc, Components, Context, Graph};
use crate::scc::{Successors, Tarjan};
use std::ops::{ControlFlow, Range};

/// The graph in which edges have all marks that every cycle through them sees anyway; those that
/// are on no cycle have the marks that are best. If the condition is without `Fin`, edges of
/// rejecting components have none.
pub(super) fn saturated(graph: &Graph, context: &Context<'_>, components: &Components) -> Graph {
    if !context.has_bits() {
        return graph.clone();
    }
    let mut arcs = graph.arcs().to_vec();
    let clear = !context.order.has_fin();
    let mut marks = 0;
    for arc in &mut arcs {
        let component = components.of[arc.source as usize];
        if component == Components::UNREACHABLE || !components.inside(arc) {
            arc.marks = context.order.best();
        } else if clear && !components.accepting[component as usize] {
            arc.marks = 0;
        } else {
            marks |= arc.marks;
        }
    }
    while marks != 0 {
        let mark = marks & marks.wrapping_neg();
        marks &= marks - 1;
        saturate(graph, components, mark, &mut arcs);
    }
    match arcs == graph.arcs() {
        true => graph.clone(),
        false => graph.with_arcs(arcs, &context.letters),
    }
}

/// Adds the mark to the edges of components with the mark that are on no cycle without it.
fn saturate(graph: &Graph, components: &Components, mark: u64, arcs: &mut [Arc]) {
    let mut without = Without { graph, components, arcs, mark };
    let mut tarjan = Tarjan::with_nodes(graph.states());
    let mut part = vec![u32::MAX; graph.states()];
    let mut parts = 0;
    for root in 0..graph.states() as u32 {
        let ControlFlow::Continue(()) = tarjan.run(&mut without, root, |_, states| {
            states.iter().for_each(|&state| part[state as usize] = parts);
            parts += 1;
            ControlFlow::<std::convert::Infallible>::Continue(())
        });
    }
    for arc in arcs {
        let component = components.of[arc.source as usize];
        if component != Components::UNREACHABLE
            && components.inside(arc)
            && components.marks[component as usize] & mark != 0
            && part[arc.source as usize] != part[arc.target as usize]
        {
            arc.marks |= mark;
        }
    }
}

/// The edges of components that do not have a mark.
struct Without<'a> {
    graph: &'a Graph,
    components: &'a Components,
    arcs: &'a [Arc],
    mark: u64,
}

impl Successors for Without<'_> {
    type Cursor = Range<usize>;

    fn enter(&mut self, node: u32) -> Range<usize> {
        self.graph.range(node as usize)
    }

    fn next(&mut self, cursor: &mut Range<usize>) -> Option<u32> {
        cursor.find_map(|place| {
            let arc = &self.arcs[place];
            let inside = arc.marks & self.mark == 0 && self.components.inside(arc);
            inside.then_some(arc.target)
        })
    }
}
