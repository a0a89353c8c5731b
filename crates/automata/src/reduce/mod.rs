//! Smaller automata with the same language.

pub mod bisimulation;
mod delayed;
mod exact;
mod graph;
mod inclusion;
mod letters;
mod marks;
mod quotient;
mod relation;
mod simulation;
#[cfg(test)]
mod tests;

use crate::automaton::Automaton;
use crate::{mark_cleanup, prune};
use graph::{Context, Graph};
use marks::Side;

/// How much is to be done to make an automaton small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// States on no accepting run, marks and edges that tell nothing, and bisimilar states go.
    Low,
    /// Direct and reverse simulation as well, until nothing changes any more.
    Medium,
    /// Everything that there is; small automata may be complemented.
    #[default]
    High,
}

/// An automaton with the same language that is not larger: it has at most as many states, and if
/// it has as many, at most as many edges. Reducing it once more does not change its size.
///
/// Any acceptance condition is allowed, but more is done for generalised Büchi conditions. The
/// result may have several initial states, but only if the automaton has.
pub fn reduce(automaton: &Automaton, level: Level) -> Automaton {
    let reduced = repeated(automaton, level);
    match level {
        Level::Low | Level::Medium => reduced,
        Level::High => exact::reduce(reduced, |automaton| repeated(automaton, level)),
    }
}

fn repeated(automaton: &Automaton, level: Level) -> Automaton {
    let mut best = once(automaton, level);
    // Acceptance may have become simpler, so that more can be done.
    loop {
        let next = once(&best, level);
        if size(&next) >= size(&best) {
            return best;
        }
        best = next;
    }
}

fn size(automaton: &Automaton) -> (usize, usize, u32) {
    (automaton.state_count(), automaton.edge_count(), automaton.acceptance().marks())
}

fn once(automaton: &Automaton, level: Level) -> Automaton {
    let start = match automaton.acceptance().condition().inf_and_fin().1.is_empty() {
        true => None,
        false => Some(prune::trim(automaton)),
    };
    let start = start.as_ref().unwrap_or(automaton);
    let (context, graph) = Context::of(start);
    let graph = graph.trimmed(&context, &graph.components(&context));
    let graph = match level {
        Level::Low => low(&graph, &context),
        Level::Medium | Level::High => medium(graph, &context),
    };
    mark_cleanup::clean(&context.automaton(&graph, automaton))
}

fn low(graph: &Graph, context: &Context<'_>) -> Graph {
    let graph = marks::saturated(graph, context, &graph.components(context), Side::Incoming);
    let partition = bisimulation::Partition::coarsest(graph.states()).refined(&graph, context);
    bisimulation::merged(&graph, context, &partition)
}

fn medium(mut graph: Graph, context: &Context<'_>) -> Graph {
    loop {
        let next = round(&graph, context);
        if (next.states(), next.arcs().len()) >= (graph.states(), graph.arcs().len()) {
            return next;
        }
        graph = next;
    }
}

/// Each of the reductions once.
fn round(graph: &Graph, context: &Context<'_>) -> Graph {
    let graph = low(graph, context);
    // Forwards: states of one component, then states of different ones.
    let relation = simulation::largest(&graph, context, |_, _| true, |_| false);
    let mut graph = quotient::by_simulation(&graph, context, &relation);
    if let Some(mark) = context.generalized.filter(|marks| marks.is_power_of_two()) {
        graph = delayed::quotient(&graph, context, mark);
    }
    let components = graph.components(context);
    let included = inclusion::by_simulation(&graph, context, &components);
    let graph = inclusion::reduced(&graph, context, &components, &included);
    let graph = graph.trimmed(context, &graph.components(context));
    // Backwards: states that are initial simulate all that are not.
    let graph = marks::saturated(&graph, context, &graph.components(context), Side::Outgoing);
    let mut initial = vec![false; graph.states()];
    graph.initial.iter().for_each(|&state| initial[state as usize] = true);
    let reversed = graph.reversed(&context.letters);
    let may = |left: usize, right: usize| !initial[left] || initial[right];
    let relation = simulation::largest(&reversed, context, may, |_| false);
    let graph = quotient::by_simulation(&reversed, context, &relation);
    let graph = graph.reversed(&context.letters);
    graph.trimmed(context, &graph.components(context))
}
