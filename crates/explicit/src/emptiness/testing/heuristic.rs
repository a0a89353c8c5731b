//! The heuristic of Geldenhuys and Hansen, by which the first pass finds most of the cycles without
//! changes that the components do not show.

use rustc_hash::{FxHashMap, FxHashSet};

/// Which nodes on the way can be reached without change from nodes that the search has left.
#[derive(Default)]
pub(super) struct Heuristic {
    /// The ranks of livelock-accepting nodes on the way that were entered by a change, the last on
    /// top: all steps of the way after it are without change, and livelock-accepting.
    roots: Vec<(u32, u32)>,
    on_way: FxHashSet<u32>,
    /// For nodes that are not dead which nodes on the way they lead to without change.
    leads_to: FxHashMap<u32, Vec<u32>>,
}

impl Heuristic {
    /// A node is entered; with its rank if it is livelock-accepting and entered by a change.
    pub(super) fn enter(&mut self, node: u32, root: Option<u32>) {
        self.on_way.insert(node);
        self.roots.extend(root.map(|rank| (node, rank)));
    }

    /// A node is left; its parent is given if it was entered without change.
    pub(super) fn leave(&mut self, node: u32, parent: Option<u32>) {
        self.on_way.remove(&node);
        self.roots.pop_if(|(root, _)| *root == node);
        if let Some(parent) = parent
            && let Some(nodes) = self.leads_to.get(&node)
        {
            let nodes: Vec<u32> =
                nodes.iter().copied().filter(|node| self.on_way.contains(node)).collect();
            self.add(parent, &nodes);
        }
    }

    fn add(&mut self, node: u32, nodes: &[u32]) {
        if nodes.is_empty() {
            return;
        }
        let known = self.leads_to.entry(node).or_default();
        nodes
            .iter()
            .filter(|node| !known.contains(node))
            .copied()
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|node| known.push(node));
    }

    /// An edge without change from a livelock-accepting node on the way to one that is not dead; a
    /// node on a cycle without changes, if that is what it shows.
    pub(super) fn close(
        &mut self,
        source: u32,
        target: u32,
        rank: impl Fn(u32) -> u32,
    ) -> Option<u32> {
        let mut nodes = vec![target];
        nodes.extend(self.leads_to.get(&target).into_iter().flatten());
        nodes.retain(|node| self.on_way.contains(node));
        let last_root = self.roots.last().map_or(u32::MAX, |(_, rank)| *rank);
        let found = nodes.iter().copied().find(|node| rank(*node) >= last_root);
        if found.is_none() {
            self.add(source, &nodes);
        }
        found
    }

    pub(super) fn bytes(&self) -> usize {
        8 * (self.roots.capacity() + self.on_way.capacity() + 8 * self.leads_to.capacity())
    }
}
