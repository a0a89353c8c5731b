//! The heuristic of Geldenhuys and Hansen: in the first pass, it finds most of the cycles without
//! change that SCCs miss.

use rustc_hash::{FxHashMap, FxHashSet};

/// The nodes on the DFS stack that are reachable without change from nodes already left.
#[derive(Default)]
pub(super) struct Heuristic {
    /// The ranks of livelock-accepting nodes on the stack that were entered by a change, the last
    /// on top. All later steps on the stack are without change, through livelock-accepting nodes.
    roots: Vec<(u32, u32)>,
    on_way: FxHashSet<u32>,
    /// For each live node, the nodes on the stack that it reaches without change.
    leads_to: FxHashMap<u32, Vec<u32>>,
}

impl Heuristic {
    /// Enters a node; `root` is its rank if it is livelock-accepting and entered by a change.
    pub(super) fn enter(&mut self, node: u32, root: Option<u32>) {
        self.on_way.insert(node);
        self.roots.extend(root.map(|rank| (node, rank)));
    }

    /// Leaves a node; `parent` is given if it was entered without change.
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

    /// Processes an edge without change from a livelock-accepting node on the stack to a live node.
    /// Returns a node on a cycle without change, if the edge shows one.
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
