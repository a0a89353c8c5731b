//! The nodes whose SCCs are not complete yet, in the order of their first visit. The index of a
//! node in this order, from 1, is its rank.

/// The rank of a node that is closed from the start; no live node has it.
pub(super) const DEAD: u32 = u32::MAX;

/// The nodes whose SCCs are not complete.
#[derive(Default)]
pub(super) struct Live {
    nodes: Vec<u32>,
    /// The rank of each live node.
    ranks: Vec<u32>,
}

impl Live {
    /// Adds a node and returns its rank.
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

    /// Returns the rank of a live node.
    #[inline]
    pub(super) fn rank(&self, node: u32) -> u32 {
        self.ranks[node as usize]
    }

    /// Returns the node of a rank.
    pub(super) fn node(&self, rank: u32) -> u32 {
        self.nodes[rank as usize - 1]
    }

    /// Returns the nodes from a rank on.
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
