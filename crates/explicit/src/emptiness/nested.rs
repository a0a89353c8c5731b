//! Nested depth-first searches, for Büchi acceptance on states.
//!
//! The outer (blue) search visits every node; when it leaves an accepting one, the inner (red)
//! search looks for a way back to the stack of the outer one. Both visit each node at most once.
//! [`schwoon_esparza`] moreover detects cycles that the outer search closes itself; [`spin`] does
//! not. Colours are all that is stored for a node.

use super::Property;
use crate::graph::{Edge, Effort, Graph, Lasso};
use sempre_automata::strength::Strength;
use sempre_ltl::interrupt;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    New,
    /// On the stack of the outer search.
    Cyan,
    /// Left by the outer search.
    Blue,
    /// Visited by the inner search.
    Red,
}

struct Frame {
    node: u32,
    /// Where the edges of this node begin that are still to be followed; they are at the end.
    edges: usize,
}

/// The two searches over one graph.
struct Nested<'a, G> {
    graph: &'a mut G,
    effort: &'a mut Effort,
    accepting: &'a [bool],
    colours: Vec<Colour>,
    edges: Vec<Edge>,
    outer: Vec<Frame>,
    inner: Vec<Frame>,
}

/// Nested depth-first search with early detection of cycles. With a `guide`, inner searches stay
/// within the component of the automaton where they begin, and are left out if it is not strong:
/// the outer search finds all accepting cycles of weak components.
pub(super) fn schwoon_esparza<G: Graph>(
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
        |search, node| match guide {
            Some(guide) => guide.strength(search.graph.location(node)) == Strength::Strong,
            None => true,
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

/// Nested depth-first search as Spin has it: only inner searches find cycles.
pub(super) fn spin<G: Graph>(
    graph: &mut G,
    accepting: &[bool],
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut search = Nested::new(graph, accepting, effort);
    search.run(|_, _, _| false, |_, _| true, |_, _, _| true)
}

impl<'a, G: Graph> Nested<'a, G> {
    fn new(graph: &'a mut G, accepting: &'a [bool], effort: &'a mut Effort) -> Self {
        let (colours, edges, outer, inner) = (vec![], vec![], vec![], vec![]);
        Nested { graph, effort, accepting, colours, edges, outer, inner }
    }

    fn accepts(&self, node: u32) -> bool {
        self.accepting[self.graph.location(node)]
    }

    fn colour(&self, node: u32) -> Colour {
        self.colours.get(node as usize).copied().unwrap_or(Colour::New)
    }

    fn paint(&mut self, node: u32, colour: Colour) {
        let place = node as usize;
        if self.colours.len() <= place {
            self.colours.resize((place + 1).max(self.colours.len() * 3 / 2), Colour::New);
        }
        self.colours[place] = colour;
    }

    /// Puts the edges of a node on the stack; where they begin.
    fn expand(&mut self, node: u32) -> Result<usize, G::Error> {
        interrupt::poll();
        let from = self.edges.len();
        self.graph.successors(node, &mut self.edges)?;
        self.effort.edges += (self.edges.len() - from) as u64;
        Ok(from)
    }

    /// The outer search. `is_early` tells whether an edge to a node on the stack closes an
    /// accepting cycle, `is_seed` whether an accepting node needs an inner search, and `is_admitted`
    /// whether the inner search from a seed may go to a node.
    fn run(
        &mut self,
        is_early: impl Fn(&Self, u32, u32) -> bool,
        is_seed: impl Fn(&Self, u32) -> bool,
        is_admitted: impl Fn(&Self, u32, u32) -> bool,
    ) -> Result<Option<Lasso>, G::Error> {
        let mut initial = Vec::new();
        self.graph.initial(&mut initial)?;
        for start in initial {
            if self.colour(start) != Colour::New {
                continue;
            }
            self.enter(start)?;
            while let Some(&Frame { node, edges }) = self.outer.last() {
                if self.edges.len() > edges {
                    let target = self.edges.pop().expect("edges of the frame").target;
                    match self.colour(target) {
                        Colour::New => self.enter(target)?,
                        Colour::Cyan if is_early(self, node, target) => {
                            return Ok(Some(self.lasso(target)));
                        }
                        _ => {}
                    }
                    continue;
                }
                let mut colour = Colour::Blue;
                if self.accepts(node) && is_seed(self, node) {
                    if let Some(target) = self.red(node, &is_admitted)? {
                        return Ok(Some(self.lasso(target)));
                    }
                    colour = Colour::Red;
                }
                self.paint(node, colour);
                self.outer.pop();
            }
        }
        Ok(None)
    }

    fn enter(&mut self, node: u32) -> Result<(), G::Error> {
        self.paint(node, Colour::Cyan);
        let edges = self.expand(node)?;
        self.outer.push(Frame { node, edges });
        self.effort.nodes += 1;
        self.effort.depth = self.effort.depth.max(self.outer.len() as u64);
        Ok(())
    }

    /// The inner search from an accepting node: a node on the outer stack that it reaches.
    fn red(
        &mut self,
        seed: u32,
        is_admitted: &impl Fn(&Self, u32, u32) -> bool,
    ) -> Result<Option<u32>, G::Error> {
        let edges = self.expand(seed)?;
        self.inner.push(Frame { node: seed, edges });
        while let Some(&Frame { edges, .. }) = self.inner.last() {
            if self.edges.len() == edges {
                self.inner.pop();
                continue;
            }
            let target = self.edges.pop().expect("edges of the frame").target;
            if !is_admitted(self, seed, target) {
                continue;
            }
            match self.colour(target) {
                Colour::Cyan => return Ok(Some(target)),
                Colour::Blue => {
                    self.paint(target, Colour::Red);
                    let edges = self.expand(target)?;
                    self.inner.push(Frame { node: target, edges });
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The lasso that closes when the top of the inner stack, or else of the outer one, leads to a
    /// node on the outer stack.
    fn lasso(&self, target: u32) -> Lasso {
        let nodes: Vec<u32> = self.outer.iter().map(|frame| frame.node).collect();
        let start = nodes.iter().position(|node| *node == target).expect("a node on the stack");
        let (prefix, cycle) = nodes.split_at(start);
        let inner = self.inner.iter().skip(1).map(|frame| frame.node);
        Lasso { prefix: prefix.to_vec(), cycle: cycle.iter().copied().chain(inner).collect() }
    }
}
