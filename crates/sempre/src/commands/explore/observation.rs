//! Observation graphs, for people.

use crate::pictures::{Drawing, Picture, shorten};
use anyhow::Result;
use sempre::explorer::{Aggregate, ObservationGraph};
use std::io::{self, Write};

/// Draws the graph: aggregates with the propositions that hold, the number of their states, and
/// whether a run may end or stay there.
pub(super) fn draw(graph: &ObservationGraph, drawing: Drawing) -> Result<String> {
    let state = |one: &Aggregate| {
        let names = graph.propositions.iter().enumerate();
        let holding = names.filter(|(number, _)| one.label >> number & 1 == 1);
        let mut holding = holding.map(|(_, name)| &**name).collect::<Vec<_>>().join(" ");
        if holding.is_empty() {
            holding.push('–');
        }
        let kind = match (one.is_dead, one.is_live) {
            (true, true) => ", dead, live",
            (true, false) => ", dead",
            (false, true) => ", live",
            (false, false) => "",
        };
        let noun = if one.states == 1_u32.into() { "state" } else { "states" };
        shorten(format!("{holding}: {} {noun}{kind}", one.states))
    };
    let edge = |(source, action, target): &(usize, Option<String>, usize)| {
        (*source, action.clone().unwrap_or_else(|| "step".to_owned()), *target)
    };
    Picture {
        name: "an observation graph",
        states: graph.aggregates.iter().map(state).collect(),
        initial: graph.initial,
        edges: graph.edges.iter().map(edge).collect(),
    }
    .draw(drawing)
}

/// Writes the size of the graph.
pub(super) fn write(graph: &ObservationGraph, out: &mut impl Write) -> io::Result<()> {
    let count = |is: fn(&Aggregate) -> bool| graph.aggregates.iter().filter(|one| is(one)).count();
    writeln!(out, "aggregates: {}", graph.aggregates.len())?;
    writeln!(out, "edges: {}", graph.edges.len())?;
    writeln!(out, "dead: {}", count(|one| one.is_dead))?;
    writeln!(out, "live: {}", count(|one| one.is_live))?;
    writeln!(out, "peak nodes: {}", graph.peak_nodes)
}
