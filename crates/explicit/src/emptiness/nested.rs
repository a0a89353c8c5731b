//! Nested depth-first searches, for Büchi acceptance on states.
//!
//! The outer (blue) search visits every node; when it leaves an accepting node, the inner (red)
//! search looks for a path back to the outer DFS stack. Both visit each node at most once.
//! [`schwoon_esparza`] and [`spin`] also detect cycles that the outer search closes, if the edge
//! begins or ends in an accepting node; [`holzmann_peled_yannakakis`] does not. Each search stores two bits per node. For the outer one, nodes on its stack are live (cyan) and nodes
//! that it has left are done (blue). For the inner one, visited nodes are done (red).

use super::Property;
use super::walk::{Next, Status, Walk, split_at_node};
use crate::graph::{Effort, Lasso, SearchGraph};
use sempre_automata::strength::Strength;

/// The two searches over one graph.
struct Nested<'a, G> {
    graph: &'a mut G,
    effort: &'a mut Effort,
    accepting: &'a [bool],
    outer: Walk,
    inner: Walk,
}

/// Nested depth-first search with early detection of cycles. With a `guide`, inner searches stay
/// within the SCC of the automaton where they begin, and are skipped if it is not strong: the outer
/// search finds all accepting cycles of weak SCCs.
#[inline(never)]
pub(super) fn schwoon_esparza<G: SearchGraph>(
    graph: &mut G,
    accepting: &[bool],
    guide: Option<&Property>,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut search = Nested::new(graph, accepting, effort);
    search.run(
        |search, node, target| {
            let of_weak_component =
                guide.is_some_and(|guide| is_weak(guide, search.graph.location(target)));
            of_weak_component || search.accepts(node) || search.accepts(target)
        },
        |search, node| {
            // The outer search has checked edges back to accepting nodes, so the cycle must contain
            // another accepting node of the stack.
            let has_others = search.outer.depth() > 0;
            let is_strong =
                |guide: &Property| guide.strength(search.graph.location(node)) == Strength::Strong;
            has_others && guide.is_none_or(is_strong)
        },
        |search, seed, target| match guide {
            Some(guide) => {
                guide.component(search.graph.location(seed))
                    == guide.component(search.graph.location(target))
            }
            None => true,
        },
    )
}

fn is_weak(guide: &Property, location: usize) -> bool {
    matches!(guide.strength(location), Strength::Weak | Strength::Terminal)
}

/// Nested depth-first search as in Spin: an inner search from each accepting node.
#[inline(never)]
pub(super) fn spin<G: SearchGraph>(
    graph: &mut G,
    accepting: &[bool],
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut search = Nested::new(graph, accepting, effort);
    search.run(
        |search, node, target| search.accepts(node) || search.accepts(target),
        |_, _| true,
        |_, _, _| true,
    )
}

/// Nested depth-first search of 1996: only inner searches find cycles.
#[inline(never)]
pub(super) fn holzmann_peled_yannakakis<G: SearchGraph>(
    graph: &mut G,
    accepting: &[bool],
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut search = Nested::new(graph, accepting, effort);
    search.run(|_, _, _| false, |_, _| true, |_, _, _| true)
}

impl<'a, G: SearchGraph> Nested<'a, G> {
    fn new(graph: &'a mut G, accepting: &'a [bool], effort: &'a mut Effort) -> Self {
        Nested { graph, effort, accepting, outer: Walk::new(), inner: Walk::new() }
    }

    fn accepts(&self, node: u32) -> bool {
        self.accepting[self.graph.location(node)]
    }

    /// Runs the outer search. `is_early` decides whether an edge to a node on the stack closes an
    /// accepting cycle, `is_seed` whether an accepting node needs an inner search, and
    /// `is_admitted` whether the inner search from a seed may enter a node.
    fn run(
        &mut self,
        is_early: impl Fn(&Self, u32, u32) -> bool,
        is_seed: impl Fn(&Self, u32) -> bool,
        is_admitted: impl Fn(&Self, u32, u32) -> bool,
    ) -> Result<Option<Lasso>, G::Error> {
        let mut initial = Vec::new();
        self.graph.initial(&mut initial)?;
        for start in initial {
            let mut entering = self.outer.is_new(start).then_some(start);
            loop {
                if let Some(node) = entering.take() {
                    self.outer.open(node);
                    self.effort.nodes += 1;
                    let inner = || self.inner.bytes();
                    self.outer.enter(self.graph, node, (), self.effort, inner)?;
                }
                let Some(next) = self.outer.next() else { break };
                match next {
                    Next::Edge(edge, true) => entering = Some(edge.target),
                    Next::Edge(edge, false) => {
                        let node = self.outer.last().expect("where the edge begins").node;
                        if is_early(self, node, edge.target) {
                            return Ok(Some(lasso(&self.outer.nodes(), edge.target, &[])));
                        }
                    }
                    Next::Left(left) => {
                        let seed = left.node;
                        if self.accepts(seed) && is_seed(self, seed) {
                            if let Some(target) = self.red(seed, &is_admitted)? {
                                let mut outer = self.outer.nodes();
                                outer.push(seed);
                                let inner = &self.inner.nodes()[1..];
                                return Ok(Some(lasso(&outer, target, inner)));
                            }
                            self.inner.close(seed);
                        }
                        self.outer.close(seed);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Runs the inner search from an accepting node. Returns a node on the outer stack that it
    /// reaches, if any.
    fn red(
        &mut self,
        seed: u32,
        is_admitted: &impl Fn(&Self, u32, u32) -> bool,
    ) -> Result<Option<u32>, G::Error> {
        let mut entering = Some(seed);
        loop {
            if let Some(node) = entering.take() {
                let outer = || self.outer.bytes();
                self.inner.enter(self.graph, node, (), self.effort, outer)?;
            }
            match self.inner.next() {
                None => return Ok(None),
                Some(Next::Left(_)) => {}
                Some(Next::Edge(edge, _)) => match self.outer.status(edge.target) {
                    _ if !is_admitted(self, seed, edge.target) => {}
                    Status::Live => return Ok(Some(edge.target)),
                    Status::Done => {
                        self.inner.close(edge.target);
                        entering = Some(edge.target);
                    }
                    Status::New => {}
                },
            }
        }
    }
}

/// Returns the lasso that closes when the inner search, which began in the last node of the outer
/// stack, reaches a node on the outer stack.
fn lasso(outer: &[u32], target: u32, inner: &[u32]) -> Lasso {
    let (prefix, cycle) = split_at_node(outer, target);
    Lasso { prefix: prefix.into(), cycle: [cycle, inner].concat() }
}
