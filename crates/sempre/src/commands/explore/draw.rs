//! Draws state spaces.

use crate::pictures::{Drawing, Picture, values_text};
use crate::trace;
use anyhow::Result;
use sempre::explicit::explore::Graph;
use sempre::models::System;

/// Draws the graph.
pub(super) fn draw(system: &dyn System, graph: &Graph, drawing: Drawing) -> Result<String> {
    let mut states: Vec<String> =
        (graph.states.iter()).map(|state| values_text(&trace::values(system, state))).collect();
    for state in &graph.unfinished {
        states[state.index()].push_str(" (more)");
    }
    let edges = graph.edges.iter().map(|edge| {
        (edge.source.index(), system.names().action_name(edge.action), edge.target.index())
    });
    Picture { name: "a state space", states, initial: graph.initial, edges: edges.collect() }
        .draw(drawing)
}
