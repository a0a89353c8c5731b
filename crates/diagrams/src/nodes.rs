//! Hash-consed nodes.
//!
//! A node is a list of edges, sorted by value; no edge leads to the empty set. Nodes have no level:
//! equal lists of edges have equal heights above the terminals. So a diagram can be used below more
//! variables without a copy. One vector holds the edges of all nodes; garbage collection removes
//! dead ones, but keeps the numbers of nodes.

use hashbrown::HashTable;

/// The number of a node.
pub(crate) type NodeId = u32;

/// The empty set, at every level.
pub(crate) const EMPTY: NodeId = 0;

/// The set of the empty tuple, the only nonempty set at level 0.
pub(crate) const UNIT: NodeId = 1;

/// A value of a variable, and the set of suffixes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) value: u32,
    pub(crate) child: NodeId,
}

#[derive(Clone, Copy, Default)]
struct Span {
    start: u32,
    len: u32,
}

/// All nodes of a manager.
pub(crate) struct Nodes {
    spans: Vec<Span>,
    edges: Vec<Edge>,
    index: HashTable<NodeId>,
    free: Vec<NodeId>,
}

fn hash(edges: &[Edge]) -> u64 {
    let mut hash = edges.len() as u64;
    for edge in edges {
        let word = u64::from(edge.value) << 32 | u64::from(edge.child);
        let product = u128::from(hash ^ word) * 0x9E37_79B9_7F4A_7C15;
        hash = (product as u64) ^ ((product >> 64) as u64);
    }
    hash
}

impl Nodes {
    pub(crate) fn new() -> Self {
        Nodes {
            // The two terminals have no edges and fixed numbers.
            spans: vec![Span::default(); 2],
            edges: Vec::new(),
            index: HashTable::new(),
            free: Vec::new(),
        }
    }

    /// Returns the number of stored nodes, without the terminals.
    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    /// Returns the bytes in use, including spare capacity.
    pub(crate) fn bytes(&self) -> usize {
        self.spans.capacity() * size_of::<Span>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.index.allocation_size()
            + self.free.capacity() * size_of::<NodeId>()
    }

    /// True if there are numbers for many more edges.
    pub(crate) fn has_room(&self) -> bool {
        self.edges.len() < (u32::MAX / 2) as usize
    }

    /// Frees spare capacity, but reserves room for as many edges as there are.
    pub(crate) fn shrink(&mut self) {
        self.edges.shrink_to(2 * self.edges.len());
    }

    #[inline]
    pub(crate) fn edges(&self, node: NodeId) -> &[Edge] {
        let span = self.spans[node as usize];
        &self.edges[span.start as usize..(span.start + span.len) as usize]
    }

    #[inline]
    pub(crate) fn degree(&self, node: NodeId) -> usize {
        self.spans[node as usize].len as usize
    }

    /// Returns the edge of a node at a position; garbage collection preserves positions.
    #[inline]
    pub(crate) fn edge(&self, node: NodeId, position: usize) -> Edge {
        self.edges[self.spans[node as usize].start as usize + position]
    }

    /// Returns the child for `value`.
    #[inline]
    pub(crate) fn child(&self, node: NodeId, value: u32) -> NodeId {
        let edges = self.edges(node);
        // Values are mostly dense, so the first guess is usually right.
        if let Some(first) = edges.first()
            && let Some(edge) = edges.get(value.wrapping_sub(first.value) as usize)
            && edge.value == value
        {
            return edge.child;
        }
        match edges.binary_search_by_key(&value, |edge| edge.value) {
            Ok(position) => edges[position].child,
            Err(_) => EMPTY,
        }
    }

    /// Returns the node with these edges, which must be sorted and not lead to the empty set.
    pub(crate) fn intern(&mut self, edges: &[Edge]) -> NodeId {
        debug_assert!(edges.is_sorted_by(|a, b| a.value < b.value));
        debug_assert!(edges.iter().all(|edge| edge.child != EMPTY));
        if edges.is_empty() {
            return EMPTY;
        }
        let hash = hash(edges);
        if let Some(&node) = self.index.find(hash, |&node| self.edges(node) == edges) {
            return node;
        }
        let span = Span {
            start: u32::try_from(self.edges.len()).expect("fewer than 2^32 edges"),
            len: edges.len() as u32,
        };
        self.edges.extend_from_slice(edges);
        let node = if let Some(node) = self.free.pop() {
            self.spans[node as usize] = span;
            node
        } else {
            self.spans.push(span);
            (self.spans.len() - 1) as NodeId
        };
        let (spans, all) = (&self.spans, &self.edges);
        self.index.insert_unique(hash, node, |&node| {
            let span = spans[node as usize];
            self::hash(&all[span.start as usize..(span.start + span.len) as usize])
        });
        node
    }

    /// Returns the nodes reachable from `roots`.
    pub(crate) fn mark(&self, roots: impl Iterator<Item = NodeId>) -> Marked {
        let mut marked = Marked(vec![0; self.spans.len().div_ceil(64)]);
        marked.insert(EMPTY);
        marked.insert(UNIT);
        let mut stack = Vec::new();
        for root in roots {
            if marked.insert(root) {
                stack.push(root);
            }
            while let Some(node) = stack.pop() {
                for edge in self.edges(node) {
                    if marked.insert(edge.child) {
                        stack.push(edge.child);
                    }
                }
            }
        }
        marked
    }

    /// Removes all unmarked nodes.
    pub(crate) fn sweep(&mut self, marked: &Marked) {
        self.index.retain(|&mut node| marked.contains(node));
        let mut order: Vec<NodeId> = Vec::with_capacity(self.index.len());
        for node in UNIT + 1..self.spans.len() as NodeId {
            if marked.contains(node) {
                order.push(node);
            } else if self.spans[node as usize].len > 0 {
                self.spans[node as usize].len = 0;
                self.free.push(node);
            }
        }
        order.sort_unstable_by_key(|&node| self.spans[node as usize].start);
        let mut end = 0;
        for node in order {
            let span = &mut self.spans[node as usize];
            let (start, len) = (span.start as usize, span.len as usize);
            self.edges.copy_within(start..start + len, end);
            span.start = end as u32;
            end += len;
        }
        self.edges.truncate(end);
    }
}

/// A set of nodes.
pub(crate) struct Marked(Vec<u64>);

impl Marked {
    fn insert(&mut self, node: NodeId) -> bool {
        let word = &mut self.0[node as usize / 64];
        let bit = 1 << (node % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    pub(crate) fn contains(&self, node: NodeId) -> bool {
        self.0[node as usize / 64] >> (node % 64) & 1 == 1
    }

    /// Returns the number of nodes, without the terminals.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum::<usize>() - 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(value: u32, child: NodeId) -> Edge {
        Edge { value, child }
    }

    #[test]
    fn equal_nodes_are_one_node() {
        let mut nodes = Nodes::new();
        let a = nodes.intern(&[edge(0, UNIT), edge(7, UNIT)]);
        let b = nodes.intern(&[edge(0, UNIT), edge(7, UNIT)]);
        assert_eq!(a, b);
        assert_eq!(nodes.len(), 1);
        assert_eq!(nodes.child(a, 7), UNIT);
        assert_eq!(nodes.child(a, 3), EMPTY);
        assert_eq!(nodes.intern(&[]), EMPTY);
    }

    #[test]
    fn sweeping_keeps_what_is_marked_where_it_was() {
        let mut nodes = Nodes::new();
        let dead = nodes.intern(&[edge(1, UNIT), edge(2, UNIT)]);
        let below = nodes.intern(&[edge(3, UNIT)]);
        let above = nodes.intern(&[edge(4, below)]);
        let marked = nodes.mark([above].into_iter());
        assert!(!marked.contains(dead));
        assert_eq!(marked.len(), 2);
        nodes.sweep(&marked);
        assert_eq!(nodes.len(), 2);
        assert_eq!(nodes.edges(above), [edge(4, below)]);
        assert_eq!(nodes.edges(below), [edge(3, UNIT)]);
        // The number of the dead node is reused, and found by its new content.
        let new = nodes.intern(&[edge(9, below)]);
        assert_eq!(new, dead);
        assert_eq!(nodes.intern(&[edge(9, below)]), dead);
        assert_eq!(nodes.intern(&[edge(4, below)]), above);
    }
}
