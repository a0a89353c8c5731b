//! Draws state spaces.

use crate::pictures::{Drawing, Picture, values_text};
use crate::trace;
use anyhow::Result;
use sempre::explicit::explore::Graph;
use sempre::models::System;

/// Draws the graph.
pub(super) fn draw(system: &dyn System, graph: &Graph, drawing: Drawing) -> Result<String> {
    let states = graph.states.iter().map(|state| values_text(&trace::values(system, state)));
    let edges = graph.edges.iter().map(|edge| {
        (edge.source.index(), system.names().action_name(edge.action), edge.target.index())
    });
    Picture {
        name: "a state space",
        states: states.collect(),
        initial: graph.initial,
        edges: edges.collect(),
    }
    .draw(drawing)
}
