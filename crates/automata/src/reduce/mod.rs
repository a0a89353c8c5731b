//! Reductions: smaller automata with the same language.
//!
//! [`reduce`] applies the reductions of its [`Level`] until nothing changes:
//!
//! - States on no accepting run are removed, and parallel edges with the same marks merged.
//! - Marks get a normal form that depends only on the cycles that see them, and redundant marks are
//!   removed, in each component separately.
//! - [Bisimilar](bisimulation) states, or states that [simulate](simulation) each other forwards or
//!   backwards, are merged. Edges are removed if a better one exists.
//! - States of different components are equivalent if a simulation that ignores marks between
//!   components shows it. Edges to the upper state are redirected to the lower one.
//! - At the highest level an obligation becomes its minimal deterministic weak automaton
//!   ([`wdba`](crate::wdba)) if that is smaller. In small automata, merging any two states and
//!   removing any state is tried, and checked by comparing languages.
//!
//! All relations are computed on labels, not on letters, so more propositions alone do not increase
//! the cost.
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
pub mod deterministic;
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

/// The effort of a reduction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Removes states on no accepting run and redundant marks, and merges bisimilar states. Nearly
    /// linear.
    Low,
    /// Adds direct and reverse simulation, until nothing changes. At most quadratic in the number
    /// of edges, times edges per state and rounds. Memory is quadratic in the number of states.
    Medium,
    /// Adds reductions that compare languages. These are exponential, but limited to 64 states and
    /// to parts of complements: usually milliseconds, at worst seconds.
    #[default]
    High,
}

/// Returns an automaton for the same language that is not larger: it has at most as many states,
/// and for the same number of states at most as many edges. Reducing it again does not change its
/// size.
///
/// Supports any acceptance condition, but reduces generalized Büchi conditions further. The result
/// has several initial states only if the automaton has.
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

/// Reduces the automaton by relations between its states, until nothing changes.
fn by_relations(automaton: &Automaton, level: Level) -> Automaton {
    let (mut context, graph) = Context::of(automaton);
    if context.generalized.is_some() {
        let graph = iterate(graph, &mut context, level);
        return context.automaton(&graph, automaton);
    }
    // A search finds rejecting components, and marks outside are removed.
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

/// Reduces the graph until nothing changes, with marks in their final form.
fn iterate(mut graph: Graph, context: &mut Context<'_>, level: Level) -> Graph {
    let steps: &[Step] = match level {
        Level::Low => &[low],
        Level::Medium | Level::High => &[forwards, between_components, backwards],
    };
    // A step without effect has none again until the graph changes.
    let mut unchanged = 0;
    for step in steps.iter().cycle() {
        let before = Measure::of(&graph, context);
        graph = step(graph, context);
        unchanged = if before == Measure::of(&graph, context) { unchanged + 1 } else { 0 };
        if unchanged < steps.len() {
            continue;
        }
        let before = Measure::of(&graph, context);
        graph = finished(graph, context, level);
        if before <= Measure::of(&graph, context) {
            break;
        }
        // With marks in their final form, further reductions may apply.
        unchanged = 0;
    }
    graph
}

/// A reduction, applied in turn with others.
type Step = fn(Graph, &mut Context<'_>) -> Graph;

/// The sizes that reductions decrease; equal measures mean that nothing has changed. Marks are
/// always in the normal form that depends only on cycles.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Measure {
    states: usize,
    initial: usize,
    arcs: usize,
    marks: u32,
    /// A hash of the labels of edges.
    labels: u64,
}

impl Measure {
    fn of(graph: &Graph, context: &Context<'_>) -> Self {
        let mut labels = 0u64;
        for arc in graph.arcs() {
            // Independent of the order of edges.
            let ends = u64::from(arc.source) << 32 | u64::from(arc.target);
            let mixed = (ends ^ arc.label.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mixed = (mixed ^ mixed >> 32 ^ arc.label).wrapping_mul(0xd6e8_feb8_6659_fd93);
            labels = labels.wrapping_add(mixed ^ mixed >> 32);
        }
        Measure {
            states: graph.states(),
            initial: graph.initial.len(),
            arcs: graph.arcs().len(),
            marks: context.acceptance.marks(),
            labels,
        }
    }
}

/// Converts marks to their final form.
fn finished(graph: Graph, context: &mut Context<'_>, level: Level) -> Graph {
    let components = graph.components(context);
    let graph = match level {
        Level::Low => graph,
        Level::Medium | Level::High => {
            marks::saturated(graph, context, &components, Side::Outgoing)
        }
    };
    let graph = marks::renumbered(graph, context, &components);
    marks::on_states(graph, context, &components)
}

fn low(graph: Graph, context: &mut Context<'_>) -> Graph {
    let (graph, components) = graph.trimmed(context);
    let graph = marks::saturated(graph, context, &components, Side::Incoming);
    let graph = marks::renumbered(graph, context, &components);
    let partition = bisimulation::Partition::coarsest(graph.states()).refined(&graph, context);
    bisimulation::merged(graph, context, &partition)
}

/// The minimal number of states for a bisimulation before the simulation, which contains it and is
/// slower.
const BISIMULATION_FIRST: usize = 64;

/// Merges states that simulate each other.
fn forwards(graph: Graph, context: &mut Context<'_>) -> Graph {
    let graph = if graph.states() > BISIMULATION_FIRST { low(graph, context) } else { graph };
    let (graph, components) = graph.trimmed(context);
    let graph = marks::saturated(graph, context, &components, Side::Incoming);
    let graph = marks::renumbered(graph, context, &components);
    let relation = simulation::largest(&graph, context, None, |_| false);
    match quotient::by_simulation(&graph, context, &relation) {
        Some(smaller) => smaller.trimmed(context).0,
        None => graph,
    }
}

/// Redirects edges to the lowest of equivalent states of different components.
fn between_components(graph: Graph, context: &mut Context<'_>) -> Graph {
    let components = graph.components(context);
    if components.trivial.len() <= 1 && graph.initial.len() <= 1 {
        return graph;
    }
    let included = inclusion::by_simulation(&graph, context, &components);
    match inclusion::reduced(&graph, context, &components, &included) {
        Some(smaller) => smaller.trimmed(context).0,
        None => graph,
    }
}

/// Merges states that simulate each other backwards.
fn backwards(graph: Graph, context: &mut Context<'_>) -> Graph {
    let components = graph.components(context);
    let graph = marks::saturated(graph, context, &components, Side::Outgoing);
    let (relation, reversed) = simulation::largest_reverse(&graph, context);
    match quotient::by_simulation(&reversed, context, &relation) {
        Some(smaller) => smaller.reversed(&context.letters).trimmed(context).0,
        None => graph,
    }
}
