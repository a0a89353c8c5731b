//! Strongly connected components with their marks, in one depth-first pass over a graph that is
//! generated as it is visited.
//!
//! The [search for components](crate::scc::Search) with the marks of Couvreur ("On-the-fly
//! verification of linear temporal logic", FM 1999): every component on the path knows the marks
//! of the edges found inside it, so that a judge can end the search before the component is
//! complete. Linear in the edges visited.

use crate::Marks;
use crate::graph::Graph;
use crate::scc::{Search, Visitor};
use std::ops::ControlFlow;

/// Decides about components as they are found. Components that have no cycle are never shown.
pub(super) trait Judge<G: Graph> {
    /// A cycle was closed: the nodes, so far, are strongly connected by edges with these marks.
    /// True ends the search.
    fn grown(&mut self, nodes: &[u32], marks: &Marks) -> bool;

    /// A component is complete, and these are all marks in it. True if it is accepting.
    fn complete(&mut self, explored: Explored<'_, G>, nodes: &[u32], marks: &Marks) -> bool;

    /// True if the search is to end at the first component that is accepting.
    fn ends_at_first(&self) -> bool;
}

/// The part of a graph that a search has seen: its nodes with their numbers.
pub(super) struct Explored<'a, G: Graph> {
    pub(super) graph: &'a G,
    /// The nodes in the order in which they were met.
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
    /// The node of a number.
    pub(super) fn node(&self, number: u32) -> G::Node {
        self.nodes[number as usize].clone()
    }

    /// The number of a node, if the search has met it.
    pub(super) fn number(&self, node: G::Node) -> Option<u32> {
        self.search.number(node)
    }

    /// How far a node on the path lies after another; none if it does not.
    pub(super) fn place_after(&self, first: u32, node: u32) -> Option<u32> {
        self.search.place_after(first, node)
    }
}

/// A search that has come to a point.
pub(super) struct Exploration<'g, G: Graph> {
    graph: &'g G,
    nodes: Vec<G::Node>,
    /// For each node whose component is complete whether an accepting one can be reached.
    promising: Vec<bool>,
    search: Search<G::Numbering>,
}

/// A component on the path, not yet complete.
struct Partial {
    /// The marks of the edge by which it was entered.
    entered: Marks,
    /// The marks of the edges found inside.
    marks: Marks,
    /// Whether any such edge was found.
    cyclic: bool,
    /// Whether an accepting component can be reached from it.
    promising: bool,
}

impl<'g, G: Graph> Exploration<'g, G> {
    /// Nothing seen yet.
    pub(super) fn new(graph: &'g G) -> Self {
        let search = Search::new(graph.numbering());
        Exploration { graph, nodes: vec![], promising: vec![], search }
    }

    /// What was seen by now.
    pub(super) fn explored(&self) -> Explored<'_, G> {
        Explored { graph: self.graph, nodes: &self.nodes, search: &self.search }
    }

    /// True if an accepting component can be reached from the node, of which the search is over.
    pub(super) fn is_promising(&self, node: G::Node) -> bool {
        self.search.number(node).is_some_and(|number| self.promising[number as usize])
    }

    /// The number of a node, which it gets now if it had none.
    pub(super) fn meet(&mut self, node: G::Node) -> u32 {
        let number = self.search.meet(node.clone());
        if number as usize == self.nodes.len() {
            self.nodes.push(node);
        }
        number
    }

    /// Searches from a root; call it for one root after the other. True if the judge ended it.
    pub(super) fn search(&mut self, root: G::Node, judge: &mut impl Judge<G>) -> bool {
        let Exploration { graph, nodes, promising, search } = self;
        let mut marked = Marked { graph: *graph, nodes, promising, judge };
        search.run(*graph, root, &mut marked).is_break()
    }
}

/// Gathers the marks of components for a judge.
struct Marked<'a, G: Graph, J> {
    graph: &'a G,
    nodes: &'a mut Vec<G::Node>,
    promising: &'a mut Vec<bool>,
    judge: &'a mut J,
}

impl<G: Graph, J: Judge<G>> Visitor<G> for Marked<'_, G, J> {
    type Break = ();
    type Gathered = Partial;

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
        }
        ControlFlow::Continue(())
    }
}
