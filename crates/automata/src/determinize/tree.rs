//! Ordered trees, or forests, of sets of states.
//!
//! A tree is stored as a path for each state, from the root to the deepest node that contains the
//! state. Older nodes have smaller names. In a forest paths start at different roots.

use crate::index::StateId;
use crate::marks::Mark;
use std::cmp::Ordering;

/// The nodes from the root to the deepest one that contains a state; names ascend.
pub(super) type Path = Vec<u32>;

/// A forest of nodes, by the states in them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Forest {
    /// Sorted by states, which are distinct.
    pub(super) paths: Vec<(StateId, Path)>,
    /// By node, the mark that it awaits.
    pub(super) awaited: Vec<Mark>,
}

/// Orders paths; the first one counts. Older nodes come first, and an extension comes before its
/// prefix.
pub(super) fn precedence(left: &Path, right: &Path) -> Ordering {
    let differing = left.iter().zip(right).map(|(l, r)| l.cmp(r)).find(|order| order.is_ne());
    differing.unwrap_or_else(|| right.len().cmp(&left.len()))
}

impl Forest {
    /// Returns the name of the child for states that see the mark of this node.
    pub(super) fn child(&self, node: u32) -> u32 {
        self.awaited.len() as u32 + node
    }

    /// Returns the name of a new root.
    pub(super) fn root(&self) -> u32 {
        2 * self.awaited.len() as u32
    }

    /// Builds the forest after a step that led to these paths, which are sorted by states and use
    /// the names of this forest. A node whose states are all in children absorbs them and waits for
    /// the next of `marks` marks. The event is 2i if node i vanishes and 2i + 1 if it absorbs its
    /// children, for the smallest i.
    pub(super) fn settle(
        &self,
        mut paths: Vec<(StateId, Path)>,
        marks: u32,
    ) -> (Forest, Option<Mark>) {
        let nodes = self.awaited.len();
        let (mut alive, mut own) = (vec![false; 2 * nodes + 1], vec![false; 2 * nodes + 1]);
        for (_, path) in &paths {
            path.iter().for_each(|&node| alive[node as usize] = true);
            path.iter().next_back().into_iter().for_each(|&node| own[node as usize] = true);
        }
        let is_good = |node: u32| alive[node as usize] && !own[node as usize];
        let good = (0..nodes as u32).find(|&node| is_good(node));
        for (_, path) in &mut paths {
            if let Some(place) = path.iter().position(|&node| is_good(node)) {
                path.truncate(place + 1);
            }
        }
        let waits = |node: usize| match self.awaited.get(node) {
            Some(mark) if is_good(node as u32) => (mark + 1) % marks,
            Some(mark) => *mark,
            None => 0,
        };
        // Now the remaining nodes are known; they get the smallest names, in order.
        let mut name = vec![None; 2 * nodes + 1];
        paths.iter().flat_map(|(_, path)| path).for_each(|&node| name[node as usize] = Some(0));
        let mut awaited = vec![];
        for (node, name) in name.iter_mut().enumerate() {
            if let Some(name) = name {
                *name = awaited.len() as u32;
                awaited.push(waits(node));
            }
        }
        let vanished = name[..nodes].iter().position(Option::is_none).map(|node| node as u32);
        for node in paths.iter_mut().flat_map(|(_, path)| path) {
            *node = name[*node as usize].unwrap_or_else(|| unreachable!("the node is left"));
        }
        let event = match (vanished, good) {
            (Some(bad), Some(good)) if good < bad => Some(2 * good + 1),
            (Some(bad), _) => Some(2 * bad),
            (None, good) => good.map(|good| 2 * good + 1),
        };
        (Forest { paths, awaited }, event)
    }
}
