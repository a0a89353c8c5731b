//! The nodes on which a search for strongly connected components has not decided yet.
//!
//! They lie in the order in which they were met. The place of a node there, from 1, is its rank.

/// A rank that no live node has: that of a node which counts as complete from the beginning.
pub(super) const DEAD: u32 = u32::MAX;

/// The nodes whose components are not complete.
#[derive(Default)]
pub(super) struct Live {
    nodes: Vec<u32>,
    /// For each node that is live its rank.
    ranks: Vec<u32>,
}

impl Live {
    /// Adds a node, and tells its rank.
    #[inline]
    pub(super) fn push(&mut self, node: u32) -> u32 {
        self.nodes.push(node);
        let (place, rank) = (node as usize, self.nodes.len() as u32);
        if self.ranks.len() <= place {
            self.ranks.resize((place + 1).max(self.ranks.len() * 5 / 4), 0);
        }
        self.ranks[place] = rank;
        rank
    }

    /// The rank of a node that is live.
    #[inline]
    pub(super) fn rank(&self, node: u32) -> u32 {
        self.ranks[node as usize]
    }

    /// The node of a rank.
    pub(super) fn node(&self, rank: u32) -> u32 {
        self.nodes[rank as usize - 1]
    }

    /// The nodes from a rank on.
    pub(super) fn since(&self, rank: u32) -> &[u32] {
        &self.nodes[rank as usize - 1..]
    }

    /// Removes the nodes from a rank on.
    #[inline]
    pub(super) fn remove_since(&mut self, rank: u32) -> impl Iterator<Item = u32> + '_ {
        self.nodes.drain(rank as usize - 1..)
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.nodes.capacity() + self.ranks.capacity())
    }
}
