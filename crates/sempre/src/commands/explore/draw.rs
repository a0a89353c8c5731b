//! Draws state spaces.

use crate::origin::{sources, with_sources};
use crate::pictures::{Drawing, Picture, values_text};
use crate::trace;
use anyhow::Result;
use sempre::explicit::explore::StateGraph;
use sempre::models::System;

/// Draws the graph of the model in a file.
pub(super) fn draw(
    system: &dyn System,
    graph: &StateGraph,
    file: &str,
    drawing: Drawing,
) -> Result<String> {
    let mut states: Vec<String> =
        (graph.states.iter()).map(|state| values_text(&trace::values(system, state))).collect();
    for state in &graph.unfinished {
        states[state.index()].push_str(" (more)");
    }
    let edges = graph.edges.iter().map(|edge| {
        let name = system.names().action_name(edge.action);
        let name = with_sources(&name, &sources(system, edge.action), file);
        (edge.source.index(), name, edge.target.index())
    });
    Picture { name: "a state space", states, initial: graph.initial, edges: edges.collect() }
        .draw(drawing)
}
