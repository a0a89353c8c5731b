//! Couvreur's check: a depth-first search for SCCs with a stack of their roots. It stops as soon as
//! an SCC has all marks.
//!
//! Linear in nodes and edges, for any number of marks. [`Roots::Compressed`] represents consecutive
//! roots on the DFS stack that are entered without marks by one entry (Renault, Duret-Lutz, Kordon,
//! Poitrenaud 2013). The heuristic follows edges to visited nodes first (Couvreur, Duret-Lutz,
//! Poitrenaud 2005).
//!
//! Nodes whose automaton state is in no accepting SCC are closed from the start: no accepting cycle
//! contains them. Nodes reached from them in another SCC of the automaton never lead back.

use super::live::{DEAD, Live};
use super::walk::{Next, Status, Walk};
use super::{Property, lasso};
use crate::graph::{Edge, Effort, Lasso, SearchGraph};

/// The representation of the stack of roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Roots {
    /// One entry for each root.
    Plain,
    /// One entry for consecutive roots.
    Compressed,
}

/// SCCs whose roots have the ranks from `first` to `last`; all but the last are single nodes so
/// far.
#[derive(Clone, Copy, Debug)]
struct Interval {
    first: u32,
    last: u32,
    /// The marks of the edge to the first root; the others are entered without marks.
    entered: u32,
    /// The marks inside the SCC of the last root.
    inside: u32,
}

/// The SCCs on the DFS stack.
#[derive(Default)]
pub(super) struct Components {
    is_compressed: bool,
    pub(super) live: Live,
    roots: Vec<Interval>,
}

#[inline(never)]
pub(super) fn search<G: SearchGraph>(
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
    // A node on the stack has its rank, or [`DEAD`].
    let mut walk = Walk::<u32>::new();
    for &start in &initial {
        let start = Edge { target: start, marks: 0 };
        let mut entering = walk.is_new(start.target).then_some(start);
        loop {
            let mut is_complete = false;
            if let Some(edge) = entering.take() {
                effort.nodes += 1;
                let is_accepting = property.is_accepting(graph.location(edge.target));
                let rank = match is_accepting {
                    true => components.push(edge),
                    false => DEAD,
                };
                walk.open_or_close(edge.target, is_accepting);
                walk.enter(graph, edge.target, rank, effort, || components.bytes())?;
                if known_first {
                    walk.retain(|edge, is_new| {
                        if !is_new && !is_complete {
                            is_complete = components.merge(edge) == all;
                        }
                        is_new
                    });
                }
            }
            if !is_complete {
                match walk.next() {
                    None => break,
                    Some(Next::Left(frame)) if frame.data == DEAD => {}
                    Some(Next::Left(frame)) => {
                        components.pop(frame.data).for_each(|node| walk.close(node));
                    }
                    Some(Next::Edge(edge, true)) => entering = Some(edge),
                    Some(Next::Edge(edge, false)) => is_complete = components.merge(edge) == all,
                }
            }
            if is_complete {
                let (root, _) = components.top();
                let visited = |node| !walk.is_new(node);
                let inside =
                    |node| walk.status(node) == Status::Live && components.live.rank(node) >= root;
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

    /// Returns the rank of the last root, and the marks inside its SCC.
    pub(super) fn top(&self) -> (u32, u32) {
        let top = self.roots.last().expect("a component");
        (top.last, top.inside)
    }

    /// Adds the target of this edge and returns its rank.
    pub(super) fn push(&mut self, edge: Edge) -> u32 {
        let rank = self.live.push(edge.target);
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

    /// Removes the SCC whose root has this rank, if there is one.
    #[inline]
    pub(super) fn pop(&mut self, rank: u32) -> impl Iterator<Item = u32> + '_ {
        let top = self.roots.last_mut().expect("a root for each live node");
        let is_root = top.last == rank;
        if is_root && top.first == top.last {
            self.roots.pop();
        } else if is_root {
            top.last -= 1;
        }
        is_root.then(|| self.live.remove_since(rank)).into_iter().flatten()
    }

    /// Merges all SCCs from the target of an edge on. Returns the marks inside.
    #[inline]
    pub(super) fn merge(&mut self, edge: Edge) -> u32 {
        let (marks, rank) = (edge.marks, self.live.rank(edge.target));
        // Most edges stay in the current SCC.
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
        self.live.bytes() + self.roots.capacity() * size_of::<Interval>()
    }
}
