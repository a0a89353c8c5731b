//! Strongly connected components with their marks, in one depth-first search on the fly.
//!
//! The [SCC search](crate::scc::Search) with the marks of Couvreur ("On-the-fly verification of
//! linear temporal logic", FM 1999). Every component on the search path stores the marks of its
//! edges, so that a judge can end the search before the component is complete. Linear in the edges
//! visited.

use crate::Marks;
use crate::graph::Graph;
use crate::scc::{Search, Visitor};
use std::ops::ControlFlow;

/// Judges components during the search. Trivial components are not reported.
pub(super) trait Judge<G: Graph> {
    /// Called when a cycle closes: these nodes are strongly connected by edges with these marks.
    /// True ends the search.
    fn grown(&mut self, nodes: &[u32], marks: &Marks) -> bool;

    /// Called for a complete component with all its marks. True if it is accepting.
    fn complete(&mut self, explored: Explored<'_, G>, nodes: &[u32], marks: &Marks) -> bool;

    /// True if the search ends at the first accepting component.
    fn ends_at_first(&self) -> bool;

    /// Called for every complete component that neither is accepting nor reaches such a one.
    fn dead(&mut self, _explored: Explored<'_, G>, _nodes: &[u32]) {}
}

/// The visited part of a graph: its nodes with their numbers.
pub(super) struct Explored<'a, G: Graph> {
    pub(super) graph: &'a G,
    /// The nodes in the order of their discovery.
    pub(super) nodes: &'a [G::Node],
    search: &'a Search<G::Numbering>,
}

impl<G: Graph> Clone for Explored<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Graph> Copy for Explored<'_, G> {}

impl<G: Graph> Explored<'_, G> {
    /// Returns the node with a number.
    pub(super) fn node(&self, number: u32) -> G::Node {
        self.nodes[number as usize].clone()
    }

    /// Returns the number of a node; `None` if the search has not met it.
    pub(super) fn number(&self, node: G::Node) -> Option<u32> {
        self.search.number(node)
    }

    /// Returns the distance of a node from `first` on the path; `None` if it does not follow
    /// `first`.
    pub(super) fn place_after(&self, first: u32, node: u32) -> Option<u32> {
        self.search.place_after(first, node)
    }
}

/// The state of a search.
pub(super) struct Exploration<'g, G: Graph> {
    graph: &'g G,
    nodes: Vec<G::Node>,
    /// By node of a complete component, whether it reaches an accepting one.
    promising: Vec<bool>,
    search: Search<G::Numbering>,
}

/// An incomplete component on the path.
struct Partial {
    /// The marks of the edge that entered it.
    entered: Marks,
    /// The marks of the edges inside.
    marks: Marks,
    /// True if it has an edge inside.
    cyclic: bool,
    /// True if it reaches an accepting component.
    promising: bool,
}

impl<'g, G: Graph> Exploration<'g, G> {
    /// Creates a search that has visited no node.
    pub(super) fn new(graph: &'g G) -> Self {
        let search = Search::new(graph.numbering());
        Exploration { graph, nodes: vec![], promising: vec![], search }
    }

    /// Returns the visited part.
    pub(super) fn explored(&self) -> Explored<'_, G> {
        Explored { graph: self.graph, nodes: &self.nodes, search: &self.search }
    }

    /// True if the closed node reaches an accepting component.
    pub(super) fn is_promising(&self, node: G::Node) -> bool {
        self.search.number(node).is_some_and(|number| self.promising[number as usize])
    }

    /// Returns the number of a node; assigns one on the first call.
    pub(super) fn meet(&mut self, node: G::Node) -> u32 {
        let number = self.search.meet(node.clone());
        if number as usize == self.nodes.len() {
            self.nodes.push(node);
        }
        number
    }

    /// Searches from a root; call it for each root. True if the judge ended the search.
    pub(super) fn search(&mut self, root: G::Node, judge: &mut impl Judge<G>) -> bool {
        let Exploration { graph, nodes, promising, search } = self;
        let mut marked = Marked { graph: *graph, nodes, promising, judge };
        search.run(*graph, root, &mut marked).is_break()
    }
}

/// Collects the marks of components for a judge.
struct Marked<'a, G: Graph, J> {
    graph: &'a G,
    nodes: &'a mut Vec<G::Node>,
    promising: &'a mut Vec<bool>,
    judge: &'a mut J,
}

impl<G: Graph, J: Judge<G>> Visitor<G> for Marked<'_, G, J> {
    type Break = ();
    type Summary = Partial;

    fn enter(&mut self, graph: &G, _: u32, node: &G::Node, edge: Option<G::Edge>) -> Partial {
        self.nodes.push(node.clone());
        self.promising.push(false);
        let entered = edge.map_or(Marks::EMPTY, |edge| graph.marks(edge).into_owned());
        Partial { entered, marks: Marks::EMPTY, cyclic: false, promising: false }
    }

    fn cycle<'a>(
        &mut self,
        graph: &G,
        edge: G::Edge,
        nodes: &[u32],
        whole: &mut Partial,
        parts: impl Iterator<Item = &'a Partial>,
    ) -> ControlFlow<()> {
        let mut gathered = graph.marks(edge).into_owned();
        for part in parts {
            gathered |= &part.marks;
            gathered |= &part.entered;
            whole.promising |= part.promising;
        }
        let is_news = !whole.cyclic || !gathered.is_subset(&whole.marks);
        whole.marks |= &gathered;
        whole.cyclic = true;
        match is_news && self.judge.grown(nodes, &whole.marks) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn reach(&mut self, from: &mut Partial, target: u32) {
        from.promising |= self.promising[target as usize];
    }

    fn component(
        &mut self,
        search: &Search<G::Numbering>,
        nodes: &[u32],
        whole: Partial,
        before: Option<&mut Partial>,
    ) -> ControlFlow<()> {
        let explored = Explored { graph: self.graph, nodes: self.nodes, search };
        let accepting = whole.cyclic && self.judge.complete(explored, nodes, &whole.marks);
        if accepting && self.judge.ends_at_first() {
            return ControlFlow::Break(());
        }
        if accepting || whole.promising {
            nodes.iter().for_each(|node| self.promising[*node as usize] = true);
            if let Some(before) = before {
                before.promising = true;
            }
        } else {
            self.judge.dead(explored, nodes);
        }
        ControlFlow::Continue(())
    }
}
