//! Emptiness checks of products with testing automata: one pass for single-pass automata, two for
//! others.
//!
//! A cycle is accepting in two cases. Either it has a change and a Büchi-accepting state; or it has
//! no change and its states, which then share one automaton state, are livelock-accepting. The
//! first pass searches for SCCs and finds all cycles of the first kind. Of the second kind, it may
//! miss those in SCCs that also have changes. A second pass follows only steps without change.
//! After Geldenhuys and Hansen, Larger automata and less work for LTL model checking (SPIN 2006),
//! and Ben Salem's thesis (2014). The rules for avoiding a second pass are sharper than in the
//! thesis. Each pass is linear.

mod heuristic;
pub(crate) mod passes;

use super::couvreur::Components;
use super::lasso;
use super::walk::{Next, Status, Walk};
use crate::graph::{Edge, Effort, Lasso, SearchGraph};
use heuristic::Heuristic;
pub use passes::TWO_PASSES;
use sempre_automata::{Acceptance, Marks};
use sempre_testing::{ChangeGraph, TestingAutomaton};
pub use sempre_testing::{Passes, SecondPass};

/// Marks of edges, as bits: the source is Büchi-accepting.
const BUCHI: u32 = 1 << 0;
/// The step has a change.
const CHANGE: u32 = 1 << 1;
/// The source is livelock-accepting.
const LIVELOCK: u32 = 1 << 2;
/// Every cycle through the source is accepting: it is livelock-accepting, and also Büchi-accepting
/// or without successors.
pub(crate) const SURE: u32 = 1 << 3;

/// A testing automaton, prepared for the search.
#[derive(Clone, Debug)]
pub struct Livelocks {
    /// The edges, with one mark more than in the testing automaton.
    graph: ChangeGraph,
    locations: Locations,
}

/// The properties of the locations of a product that the search needs.
#[derive(Clone, Debug)]
pub struct Locations {
    /// The marks of each, as above.
    marks: Vec<u32>,
    /// Whether the first pass may miss cycles through each.
    undecided: Vec<bool>,
}

impl Locations {
    /// The locations of products with testing automata that are built on demand: the
    /// [classes](sempre_testing::OnDemand::class) of their states.
    pub fn of_classes() -> Self {
        let marks = |class: u32| {
            let bit = |place: u32, mark: u32| if class >> place & 1 == 1 { mark } else { 0 };
            bit(0, BUCHI) | bit(1, LIVELOCK) | bit(2, SURE)
        };
        let marks: Vec<u32> = (0..8).map(marks).collect();
        let undecided = marks.iter().map(|marks| marks & (LIVELOCK | SURE) == LIVELOCK).collect();
        Locations { marks, undecided }
    }

    fn is_livelock(&self, location: usize) -> bool {
        self.marks[location] & LIVELOCK != 0
    }
}

impl Livelocks {
    /// Prepares an automaton.
    pub fn new(automaton: &TestingAutomaton) -> Self {
        let graph = automaton.graph().automaton();
        let mut has_successors = vec![false; graph.state_count()];
        for (source, _, _) in automaton.edges() {
            has_successors[source.index()] = true;
        }
        let (mut marks, mut undecided) = (vec![], vec![]);
        for state in graph.states() {
            let (buchi, livelock) = (automaton.is_buchi(state), automaton.is_livelock(state));
            let sure = livelock && (buchi || !has_successors[state.index()]);
            let bit = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
            marks.push(bit(buchi, BUCHI) | bit(livelock, LIVELOCK) | bit(sure, SURE));
            undecided.push(livelock && !sure);
        }
        let acceptance = Acceptance::new(4, graph.acceptance().condition().clone());
        let graph = automaton.graph().with_marks(acceptance, |source, edge| {
            let bits = edge.marks.as_bits().unwrap_or_default();
            Marks::from_bits(bits | u64::from(marks[source.index()]))
        });
        Livelocks { graph, locations: Locations { marks, undecided } }
    }

    /// Returns the graph for the product.
    pub fn graph(&self) -> &ChangeGraph {
        &self.graph
    }

    /// Returns the properties of its states.
    pub fn locations(&self) -> &Locations {
        &self.locations
    }
}

/// Searches the product, which must be one with the [graph](Livelocks::graph) of these livelocks or
/// with an automaton that is built on demand, for an accepting run. `effort` receives the cost, also in case of an error.
///
/// # Errors
/// If the graph cannot be generated further.
pub fn search<G: SearchGraph>(
    graph: &mut G,
    locations: &Locations,
    passes: Passes,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let mut first = FirstPass {
        locations,
        passes,
        components: Components::new(false),
        walk: Walk::new(),
        heuristic: Heuristic::default(),
        seen_livelock: false,
        seen_undecided: false,
    };
    if let Some(found) = first.search(graph, &initial, effort)? {
        return first.lasso(graph, &initial, found).map(Some);
    }
    let needed = match passes.second {
        SecondPass::Never => false,
        SecondPass::Always => true,
        SecondPass::IfLivelocks => first.seen_livelock,
        SecondPass::Undecided => first.seen_undecided,
    };
    if !needed {
        return Ok(None);
    }
    let reached: Vec<u32> = match passes.second {
        SecondPass::Undecided => first.reached_undecided(graph),
        _ => initial.clone(),
    };
    let Some(node) = second_pass(graph, locations, passes.second, reached, effort)? else {
        return Ok(None);
    };
    let visited = |node| !first.walk.is_new(node);
    stuttering_lasso(graph, &initial, visited, |_| true, node).map(Some)
}

/// The result of the first pass.
enum Found {
    /// An accepting SCC.
    Component,
    /// A node on a cycle without change.
    Livelock(u32),
}

struct FirstPass<'a> {
    locations: &'a Locations,
    passes: Passes,
    components: Components,
    /// A node on the stack has its rank, and whether it was entered without change.
    walk: Walk<(u32, bool)>,
    heuristic: Heuristic,
    seen_livelock: bool,
    seen_undecided: bool,
}

impl FirstPass<'_> {
    fn search<G: SearchGraph>(
        &mut self,
        graph: &mut G,
        initial: &[u32],
        effort: &mut Effort,
    ) -> Result<Option<Found>, G::Error> {
        for &start in initial {
            // Initial nodes count as entered by a change.
            let start = Edge { target: start, marks: CHANGE };
            let mut entering = self.walk.is_new(start.target).then_some(start);
            loop {
                if let Some(edge) = entering.take() {
                    self.enter(graph, edge, effort)?;
                }
                match self.walk.next() {
                    None => break,
                    Some(Next::Left(frame)) => {
                        let (rank, stutters) = frame.data;
                        let parent = self.walk.last().map(|frame| frame.node);
                        self.heuristic.leave(frame.node, parent.filter(|_| stutters));
                        self.components.pop(rank).for_each(|node| self.walk.close(node));
                    }
                    Some(Next::Edge(edge, true)) => entering = Some(edge),
                    Some(Next::Edge(edge, false)) => {
                        let inside = self.components.merge(edge);
                        if self.accepts(inside) {
                            return Ok(Some(Found::Component));
                        }
                        if let Some(node) = self.livelock(edge) {
                            return Ok(Some(Found::Livelock(node)));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    fn enter<G: SearchGraph>(
        &mut self,
        graph: &mut G,
        edge: Edge,
        effort: &mut Effort,
    ) -> Result<(), G::Error> {
        effort.nodes += 1;
        let rank = self.components.push(edge);
        self.walk.open(edge.target);
        let stutters = edge.marks & CHANGE == 0;
        let location = graph.location(edge.target);
        let is_livelock = self.locations.is_livelock(location);
        self.seen_livelock |= is_livelock;
        self.seen_undecided |= self.locations.undecided[location];
        if self.passes.heuristic {
            self.heuristic.enter(edge.target, (is_livelock && !stutters).then_some(rank));
        }
        let FirstPass { walk, components, heuristic, .. } = self;
        let bytes = || components.bytes() + heuristic.bytes();
        walk.enter(graph, edge.target, (rank, stutters), effort, bytes)
    }

    /// True if an SCC with these marks inside has an accepting cycle.
    fn accepts(&self, inside: u32) -> bool {
        inside & (BUCHI | CHANGE) == BUCHI | CHANGE
            || inside & (LIVELOCK | CHANGE) == LIVELOCK
            || self.passes.sure_cycles && inside & SURE != 0
    }

    /// Applies the heuristic to an edge: does it close a cycle without change?
    fn livelock(&mut self, edge: Edge) -> Option<u32> {
        if !self.passes.heuristic || edge.marks & (CHANGE | LIVELOCK) != LIVELOCK {
            return None;
        }
        let source = self.walk.last().map(|frame| frame.node)?;
        let FirstPass { heuristic, components, .. } = self;
        heuristic.close(source, edge.target, |node| components.live.rank(node))
    }

    fn lasso<G: SearchGraph>(
        &self,
        graph: &mut G,
        initial: &[u32],
        found: Found,
    ) -> Result<Lasso, G::Error> {
        let visited = |node| !self.walk.is_new(node);
        let (root, inside) = self.components.top();
        let in_component = |node| {
            self.walk.status(node) == Status::Live && self.components.live.rank(node) >= root
        };
        match found {
            Found::Livelock(node) => stuttering_lasso(graph, initial, visited, |_| true, node),
            Found::Component if inside & (LIVELOCK | CHANGE) == LIVELOCK => {
                let node = self.components.live.node(root);
                stuttering_lasso(graph, initial, visited, in_component, node)
            }
            Found::Component => {
                let wanted = match inside & (BUCHI | CHANGE) == BUCHI | CHANGE {
                    true => BUCHI | CHANGE,
                    false => SURE,
                };
                lasso::extract(graph, initial, visited, in_component, wanted)
            }
        }
    }

    /// Returns the visited nodes that the first pass cannot decide.
    fn reached_undecided<G: SearchGraph>(&self, graph: &G) -> Vec<u32> {
        self.walk.known().filter(|node| self.locations.undecided[graph.location(*node)]).collect()
    }
}

/// Returns the lasso to this node and back to it without change; one must exist.
fn stuttering_lasso<G: SearchGraph>(
    graph: &mut G,
    initial: &[u32],
    visited: impl Fn(u32) -> bool,
    inside: impl Fn(u32) -> bool,
    node: u32,
) -> Result<Lasso, G::Error> {
    let mut prefix = match initial.contains(&node) {
        true => vec![node],
        false => lasso::path(graph, initial, |e| visited(e.target), |e| e.target == node)?,
    };
    prefix.pop();
    let stutters = |edge: Edge| edge.marks & CHANGE == 0 && inside(edge.target);
    let mut cycle = lasso::path(graph, &[node], stutters, |edge| edge.target == node)?;
    cycle.pop();
    Ok(Lasso { prefix, cycle })
}

/// Searches for a cycle without change through livelock-accepting nodes; returns a node on it. From
/// the roots on, changes lead to further nodes unless `second` excludes them.
fn second_pass<G: SearchGraph>(
    graph: &mut G,
    locations: &Locations,
    second: SecondPass,
    mut roots: Vec<u32>,
    effort: &mut Effort,
) -> Result<Option<u32>, G::Error> {
    let goes_on = second != SecondPass::Undecided;
    // Live nodes are on the DFS stack.
    let mut walk = Walk::<()>::new();
    while let Some(root) = roots.pop() {
        if !walk.is_new(root) {
            continue;
        }
        let mut entering = Some(root);
        loop {
            if let Some(node) = entering.take() {
                effort.nodes += 1;
                walk.open(node);
                walk.enter(graph, node, (), effort, || 4 * roots.capacity())?;
                walk.retain(|edge, is_new| {
                    if edge.marks & CHANGE == 0 {
                        return true;
                    }
                    if goes_on && is_new {
                        roots.push(edge.target);
                    }
                    false
                });
            }
            match walk.next() {
                None => break,
                Some(Next::Left(frame)) => walk.close(frame.node),
                Some(Next::Edge(edge, true)) => entering = Some(edge.target),
                Some(Next::Edge(edge, false)) => {
                    if locations.is_livelock(graph.location(edge.target)) {
                        return Ok(Some(edge.target));
                    }
                }
            }
        }
    }
    Ok(None)
}
