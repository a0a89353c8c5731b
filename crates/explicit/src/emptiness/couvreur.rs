//! Couvreur's check: a depth-first search for strongly connected components that keeps a stack of
//! their roots, and ends as soon as the marks of one are complete.
//!
//! Linear in nodes and edges, for any number of marks. [`Roots::Compressed`] represents roots of
//! components that lie side by side on the search stack, and are entered without marks, by one
//! entry (Renault, Duret-Lutz, Kordon, Poitrenaud 2013). The heuristic looks at edges to nodes that
//! are known before it goes on to new ones (Couvreur, Duret-Lutz, Poitrenaud 2005).
//!
//! Nodes whose state of the automaton is in no accepting component are not worth a component: no
//! accepting cycle goes through them. They count as complete from the beginning; what is reached
//! from them in another component of the automaton never leads back.

use super::walk::{DEAD, Next, Walk};
use super::{Property, lasso};
use crate::graph::{Edge, Effort, Graph, Lasso};

/// How the stack of roots is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Roots {
    /// One entry for each root.
    Plain,
    /// One entry for roots side by side.
    Compressed,
}

/// Components whose roots have the ranks from `first` to `last`; all of them but the last are
/// single nodes, for all that is known.
#[derive(Clone, Copy, Debug)]
struct Interval {
    first: u32,
    last: u32,
    /// The marks of the edge that leads to the first root; the others are entered without marks.
    entered: u32,
    /// The marks inside the component of the last root.
    inside: u32,
}

/// The components on the way of a search.
#[derive(Default)]
pub(super) struct Components {
    is_compressed: bool,
    /// The nodes whose components are not complete, in the order in which they were met. The place
    /// of a node there, from 1, is its rank.
    pub(super) live: Vec<u32>,
    roots: Vec<Interval>,
}

pub(super) fn search<G: Graph>(
    graph: &mut G,
    property: &Property,
    roots: Roots,
    known_first: bool,
    effort: &mut Effort,
) -> Result<Option<Lasso>, G::Error> {
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    let all = property.all.unwrap_or_default();
    let is_compressed = roots == Roots::Compressed;
    let mut components = Components::new(is_compressed);
    // The value of a node is its rank; 0 if it is new, [`DEAD`] at last.
    let mut walk = Walk::<u32>::new();
    for &start in &initial {
        let start = Edge { target: start, marks: 0 };
        let mut entering = (walk.value(start.target) == 0).then_some(start);
        loop {
            let mut is_complete = false;
            if let Some(edge) = entering.take() {
                effort.nodes += 1;
                let rank = match property.is_accepting(graph.location(edge.target)) {
                    true => components.push(edge),
                    false => DEAD,
                };
                walk.set(edge.target, rank);
                walk.enter(graph, edge.target, (), effort, || components.bytes())?;
                if known_first {
                    walk.retain(|edge, rank| {
                        if !matches!(rank, 0 | DEAD) && !is_complete {
                            is_complete = components.merge(edge.marks, rank) == all;
                        }
                        rank == 0
                    });
                }
            }
            if !is_complete {
                match walk.next() {
                    None => break,
                    Some(Next::Left(frame)) => match walk.value(frame.node) {
                        DEAD => {}
                        rank => components.pop(rank).for_each(|node| walk.set(node, DEAD)),
                    },
                    Some(Next::Edge(edge)) => match walk.value(edge.target) {
                        0 => entering = Some(edge),
                        rank => is_complete = components.merge(edge.marks, rank) == all,
                    },
                }
            }
            if is_complete {
                let (root, _) = components.top();
                let visited = |node| walk.value(node) != 0;
                let inside = |node| (root..DEAD).contains(&walk.value(node));
                return lasso::extract(graph, &initial, visited, inside, all).map(Some);
            }
        }
    }
    Ok(None)
}

impl Components {
    pub(super) fn new(is_compressed: bool) -> Self {
        Components { is_compressed, ..Components::default() }
    }

    /// The rank of the last root, and the marks inside its component.
    pub(super) fn top(&self) -> (u32, u32) {
        let top = self.roots.last().expect("a component");
        (top.last, top.inside)
    }

    /// Adds a node, to which this edge leads, and tells its rank.
    pub(super) fn push(&mut self, edge: Edge) -> u32 {
        self.live.push(edge.target);
        let rank = self.live.len() as u32;
        if self.is_compressed
            && edge.marks == 0
            && let Some(top) = self.roots.last_mut()
            && top.last == rank - 1
            && top.inside == 0
        {
            top.last = rank;
            return rank;
        }
        self.roots.push(Interval { first: rank, last: rank, entered: edge.marks, inside: 0 });
        rank
    }

    /// Removes the component whose root has this rank, if it is the root of one.
    pub(super) fn pop(&mut self, rank: u32) -> impl Iterator<Item = u32> + '_ {
        let top = self.roots.last_mut().expect("a root for each live node");
        let mut kept = self.live.len();
        if top.last == rank {
            kept = rank as usize - 1;
            if top.first == top.last {
                self.roots.pop();
            } else {
                top.last -= 1;
            }
        }
        self.live.drain(kept..)
    }

    /// Merges all components from that of the node of this rank on: an edge with these marks leads
    /// there. The marks inside.
    #[inline]
    pub(super) fn merge(&mut self, marks: u32, rank: u32) -> u32 {
        // Most edges stay in the component where the search is.
        match self.roots.last_mut() {
            Some(top) if rank >= top.last && (marks == 0 || top.first == top.last) => {
                top.inside |= marks;
                top.inside
            }
            _ => self.merge_several(marks, rank),
        }
    }

    fn merge_several(&mut self, marks: u32, rank: u32) -> u32 {
        let mut inside = marks;
        let mut top = self.roots.pop().expect("a root for each live node");
        while top.first > rank {
            inside |= top.inside | top.entered;
            top = self.roots.pop().expect("a root for each live node");
        }
        // Within the interval, each rank is a root.
        let root = rank.min(top.last);
        inside |= top.inside;
        if top.first < root && inside != 0 {
            self.roots.push(Interval { last: root - 1, inside: 0, ..top });
            self.roots.push(Interval { first: root, last: root, entered: 0, inside });
        } else {
            self.roots.push(Interval { last: root, inside, ..top });
        }
        inside
    }

    pub(super) fn bytes(&self) -> usize {
        4 * self.live.capacity() + self.roots.capacity() * size_of::<Interval>()
    }
}
