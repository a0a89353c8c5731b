//! Strongly connected components with their marks, in one depth-first pass over a graph that is
//! generated as it is visited.
//!
//! The path-based search of Dijkstra and Gabow with the marks of Couvreur ("On-the-fly
//! verification of linear temporal logic", FM 1999): every component on the path knows the marks
//! of the edges found inside it, so that a judge can end the search before the component is
//! complete. Linear in the edges visited; edges are not stored. Not recursive.

use super::graph::{Graph, Numbering};
use crate::Marks;
use sempre_ltl::interrupt;

/// Decides about components as they are found. Components that have no cycle are never shown.
pub(super) trait Judge<G: Graph> {
    /// A cycle was closed: the nodes, so far, are strongly connected by edges with these marks.
    /// True ends the search.
    fn grown(&mut self, nodes: &[u32], marks: &Marks) -> bool;

    /// A component is complete, and these are all marks in it. True if it is accepting.
    fn complete(&mut self, explored: &Explored<'_, G>, nodes: &[u32], marks: &Marks) -> bool;

    /// True if the search is to end at the first component that is accepting.
    fn ends_at_first(&self) -> bool;
}

/// The part of a graph that a search has seen: its nodes with their numbers.
pub(super) struct Explored<'g, G: Graph> {
    pub(super) graph: &'g G,
    /// The nodes in the order in which they were met.
    pub(super) nodes: Vec<G::Node>,
    numbers: G::Numbering,
    status: Vec<Status>,
}

/// Where a node stands: its place on the path, or what is known of its finished component.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Status(u32);

impl Status {
    /// Finished: no accepting component can be reached.
    const HOPELESS: Status = Status(u32::MAX);
    /// Finished: an accepting component can be reached.
    const PROMISING: Status = Status(u32::MAX - 1);
    /// Seen, but not entered.
    const NEW: Status = Status(u32::MAX - 2);
}

/// A component on the path, not yet complete.
struct Partial {
    /// The place of its first node among the active nodes.
    first: u32,
    /// The marks of the edge by which it was entered.
    entered: Marks,
    /// The marks of the edges found inside.
    marks: Marks,
    /// Whether any such edge was found.
    cyclic: bool,
    /// Whether an accepting component can be reached from it.
    promising: bool,
}

impl<'g, G: Graph> Explored<'g, G> {
    /// Nothing seen yet.
    pub(super) fn nothing(graph: &'g G) -> Self {
        Explored { graph, nodes: vec![], numbers: graph.numbering(), status: vec![] }
    }

    /// The number of a node, if the search has met it.
    pub(super) fn number(&self, node: G::Node) -> Option<u32> {
        self.numbers.get(node)
    }

    /// True if an accepting component can be reached from the node, of which the search is over.
    pub(super) fn is_promising(&self, node: G::Node) -> bool {
        self.number(node).is_some_and(|n| self.status[n as usize] == Status::PROMISING)
    }

    /// How far a node on the path lies after another; none if it does not.
    pub(super) fn place_after(&self, first: u32, node: u32) -> Option<u32> {
        let (first, node) = (self.status[first as usize].0, self.status[node as usize].0);
        if node < Status::NEW.0 { node.checked_sub(first) } else { None }
    }

    /// The number of a node, which it gets now if it had none.
    pub(super) fn meet(&mut self, node: G::Node) -> u32 {
        let next = self.nodes.len() as u32;
        assert!(next < Status::NEW.0, "more nodes than 32 bits can count");
        let number = self.numbers.number(node, next);
        if number == next {
            self.nodes.push(node);
            self.status.push(Status::NEW);
        }
        number
    }

    /// Searches from a root; call it for one root after the other. True if the judge ended it.
    pub(super) fn search(&mut self, root: G::Node, judge: &mut impl Judge<G>) -> bool {
        let graph = self.graph;
        let number = self.meet(root);
        if self.status[number as usize] != Status::NEW {
            return false;
        }
        let mut active: Vec<u32> = vec![];
        let mut path: Vec<Partial> = vec![];
        let mut frames = vec![];
        let enter = |active: &mut Vec<u32>, path: &mut Vec<Partial>, number, entered| {
            let first = active.len() as u32;
            active.push(number);
            let marks = Marks::EMPTY;
            path.push(Partial { first, entered, marks, cyclic: false, promising: false });
            Status(first)
        };
        self.status[number as usize] = enter(&mut active, &mut path, number, Marks::EMPTY);
        frames.push((number, graph.successors(root)));
        while let Some((number, successors)) = frames.last_mut() {
            interrupt::poll();
            let Some((edge, target)) = successors.next() else {
                let number = *number;
                frames.pop();
                if self.leave(number, &mut active, &mut path, judge) {
                    return true;
                }
                continue;
            };
            let target_number = self.meet(target);
            match self.status[target_number as usize] {
                Status::NEW => {
                    let marks = graph.marks(edge).into_owned();
                    let status = enter(&mut active, &mut path, target_number, marks);
                    self.status[target_number as usize] = status;
                    frames.push((target_number, graph.successors(target)));
                }
                Status::HOPELESS => {}
                Status::PROMISING => {
                    path.last_mut().unwrap_or_else(|| unreachable!("on the path")).promising = true;
                }
                Status(place) => {
                    let changed = close_cycle(&mut path, place, &graph.marks(edge));
                    let whole = path.last().unwrap_or_else(|| unreachable!("on the path"));
                    if changed && judge.grown(&active[whole.first as usize..], &whole.marks) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// All edges of a node were seen: if it is the first of its component, that is complete.
    fn leave(
        &mut self,
        number: u32,
        active: &mut Vec<u32>,
        path: &mut Vec<Partial>,
        judge: &mut impl Judge<G>,
    ) -> bool {
        let first = path.last().unwrap_or_else(|| unreachable!("on the path")).first;
        if active[first as usize] != number {
            return false;
        }
        let whole = path.pop().unwrap_or_else(|| unreachable!("on the path"));
        let nodes = &active[first as usize..];
        let accepting = whole.cyclic && judge.complete(self, nodes, &whole.marks);
        if accepting && judge.ends_at_first() {
            return true;
        }
        let promising = accepting || whole.promising;
        let status = if promising { Status::PROMISING } else { Status::HOPELESS };
        for node in nodes {
            self.status[*node as usize] = status;
        }
        active.truncate(first as usize);
        if let Some(before) = path.last_mut() {
            before.promising |= promising;
        }
        false
    }
}

/// Merges the components on the path from the one that holds `place` on; true if its marks or its
/// having a cycle are news.
fn close_cycle(path: &mut Vec<Partial>, place: u32, marks: &Marks) -> bool {
    let mut gathered = marks.clone();
    let mut promising = false;
    while path.last().is_some_and(|last| last.first > place) {
        let last = path.pop().unwrap_or_else(|| unreachable!("there is one"));
        gathered |= &last.marks;
        gathered |= &last.entered;
        promising |= last.promising;
    }
    let whole = path.last_mut().unwrap_or_else(|| unreachable!("the place is on the path"));
    let changed = !whole.cyclic || !gathered.is_subset(&whole.marks);
    whole.marks |= &gathered;
    whole.cyclic = true;
    whole.promising |= promising;
    changed
}
