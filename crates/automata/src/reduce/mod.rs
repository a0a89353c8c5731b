//! Smaller automata with the same language.
//!
//! [`reduce`] does all that its [`Level`] allows, until nothing changes any more:
//!
//! - States on no accepting run go, and edges between the same states with the same marks are
//!   joined.
//! - Marks are brought into a form that depends only on which cycles see them, so that edges do not
//!   differ where no run can tell; marks that tell nothing go, in each component separately.
//! - [Bisimilar](bisimulation) states are merged, or rather those that [simulate](simulation) each
//!   other, forwards or backwards; then edges go if a better one is at hand.
//! - States of different components are equivalent if a simulation in which marks between
//!   components do not count says so; edges to the upper of them lead to the lower instead.
//! - At the highest level an obligation becomes its minimal deterministic weak automaton
//!   ([`wdba`](crate::wdba)) if that is smaller, and in small automata merging any two states and
//!   removing any state is tried, and checked by comparing languages.
//!
//! All relations are computed on labels, not on letters, so that more propositions do not cost
//! more by themselves.
//!
//! ```
//! use sempre_automata::{hoa, reduce::{Level, reduce}};
//!
//! // Infinitely often a, with acceptance on states.
//! let text = r#"HOA: v1
//! States: 2
//! Start: 0
//! AP: 1 "a"
//! Acceptance: 1 Inf(0)
//! --BODY--
//! State: 0 {0} [0] 0 [!0] 1
//! State: 1 [0] 0 [!0] 1
//! --END--
//! "#;
//! let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
//! let reduced = reduce(&automaton, Level::Medium);
//! assert_eq!((reduced.state_count(), reduced.edge_count()), (1, 2));
//! # Ok::<(), sempre_automata::Error>(())
//! ```

pub mod bisimulation;
mod exact;
mod graph;
mod inclusion;
mod letters;
mod marks;
mod quotient;
mod relation;
pub mod simulation;
mod stutter;
#[cfg(test)]
mod tests;

pub use stutter::stutter_invariant;

use crate::automaton::Automaton;
use crate::{mark_cleanup, prune};
use graph::{Context, Graph};
use marks::Side;

/// How much is to be done to make an automaton small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// States on no accepting run, marks that tell nothing, and bisimilar states go. Nearly linear.
    Low,
    /// Direct and reverse simulation as well, until nothing changes any more. At most quadratic
    /// in the number of edges, times edges per state and rounds; memory is quadratic in the number
    /// of states.
    Medium,
    /// Also what takes comparing languages: exponential, but limited to 64 states and to parts of
    /// complements, so that it mostly takes milliseconds, and seconds at worst.
    #[default]
    High,
}

/// An automaton with the same language that is not larger: it has at most as many states, and if
/// it has as many, at most as many edges. Reducing it once more does not change its size.
///
/// Any acceptance condition is allowed, but more is done for generalised Büchi conditions. The
/// result may have several initial states, but only if the automaton has.
pub fn reduce(automaton: &Automaton, level: Level) -> Automaton {
    let reduced = by_relations(automaton, level);
    match level {
        Level::Low | Level::Medium => reduced,
        Level::High => exact::reduce(reduced, |automaton| by_relations(automaton, level)),
    }
}

fn size(automaton: &Automaton) -> (usize, usize, u32) {
    (automaton.state_count(), automaton.edge_count(), automaton.acceptance().marks())
}

/// The automaton reduced by relations between its states.
fn by_relations(automaton: &Automaton, level: Level) -> Automaton {
    let (mut context, graph) = Context::of(automaton);
    if context.generalized.is_some() {
        let graph = iterate(graph, &mut context, level);
        let mut best = context.automaton(&graph, automaton);
        // Once marks have their final form, more may be possible.
        loop {
            let (mut context, graph) = Context::of(&best);
            let graph = iterate(graph, &mut context, level);
            let next = context.automaton(&graph, &best);
            if size(&next) >= size(&best) {
                return best;
            }
            best = next;
        }
    }
    // Rejecting components are found by a search, and marks are cleaned up outside.
    let mut best = mark_cleanup::clean(&prune::trim(automaton));
    loop {
        let (mut context, graph) = Context::of(&best);
        if context.generalized.is_some() {
            return by_relations(&best, level);
        }
        let graph = iterate(graph, &mut context, level);
        let next = mark_cleanup::clean(&prune::trim(&context.automaton(&graph, &best)));
        if size(&next) >= size(&best) {
            return best;
        }
        best = next;
    }
}

/// Reduces the graph until nothing changes any more, and gives marks their final form.
fn iterate(mut graph: Graph, context: &mut Context<'_>, level: Level) -> Graph {
    loop {
        let before = Measure::of(&graph, context);
        graph = match level {
            Level::Low => low(graph, context),
            Level::Medium | Level::High => round(graph, context),
        };
        if before.is_settled(&graph, context) {
            let components = graph.components(context);
            graph = marks::renumbered(graph, context, &components);
            return marks::on_states(graph, context, &components);
        }
    }
}

/// What decreases from round to round, and decides what the next round can do: marks are always
/// brought into a form that depends on cycles only.
struct Measure {
    marks: u32,
    states: usize,
    labels: Vec<(u32, u32, u64)>,
}

impl Measure {
    fn of(graph: &Graph, context: &Context<'_>) -> Self {
        let mut labels: Vec<(u32, u32, u64)> =
            graph.arcs().iter().map(|arc| (arc.source, arc.target, arc.label)).collect();
        labels.sort_unstable();
        Measure { marks: context.acceptance.marks(), states: graph.states(), labels }
    }

    /// True if the graph, which has become of the other, is still the same.
    fn is_settled(&self, graph: &Graph, context: &Context<'_>) -> bool {
        let now = Measure::of(graph, context);
        (self.marks, self.states, &self.labels) == (now.marks, now.states, &now.labels)
    }
}

fn low(graph: Graph, context: &mut Context<'_>) -> Graph {
    let (graph, components) = graph.trimmed(context);
    let graph = marks::saturated(graph, context, &components, Side::Incoming);
    let graph = marks::renumbered(graph, context, &components);
    let partition = bisimulation::Partition::coarsest(graph.states()).refined(&graph, context);
    bisimulation::merged(graph, context, &partition)
}

/// Simulation of larger graphs is preceded by the bisimulation that it contains, which is faster.
const BISIMULATION_FIRST: usize = 64;

/// Each of the reductions once.
fn round(graph: Graph, context: &mut Context<'_>) -> Graph {
    // Forwards: states of one component, then states of different ones.
    let graph = if graph.states() > BISIMULATION_FIRST { low(graph, context) } else { graph };
    let (graph, mut components) = graph.trimmed(context);
    let graph = marks::saturated(graph, context, &components, Side::Incoming);
    let mut graph = marks::renumbered(graph, context, &components);
    let relation = simulation::largest(&graph, context, None, |_| false);
    if let Some(smaller) = quotient::by_simulation(&graph, context, &relation) {
        (graph, components) = smaller.trimmed(context);
    }
    if components.trivial.len() > 1 || graph.initial.len() > 1 {
        let included = inclusion::by_simulation(&graph, context, &components);
        if let Some(smaller) = inclusion::reduced(&graph, context, &components, &included) {
            (graph, components) = smaller.trimmed(context);
        }
    }
    // Backwards.
    let graph = marks::saturated(graph, context, &components, Side::Outgoing);
    let (relation, reversed) = simulation::largest_reverse(&graph, context);
    match quotient::by_simulation(&reversed, context, &relation) {
        Some(smaller) => smaller.reversed(&context.letters).trimmed(context).0,
        None => graph,
    }
}
