//! Graphs with marks on edges, generated on the fly.

/// A finite graph for emptiness checks, usually a product. Numbers of nodes are nearly dense; edges
/// carry acceptance marks as bits.
pub trait SearchGraph {
    /// Why a part of the graph cannot be generated: a fault of the model or a limit.
    type Error;

    /// Appends the initial nodes.
    ///
    /// # Errors
    /// If they cannot be generated.
    fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), Self::Error>;

    /// Appends the edges from a node to wanted targets, in the same order each time. Returns the
    /// total number of edges from the node.
    ///
    /// # Errors
    /// If they cannot be generated.
    fn successors(
        &mut self,
        node: u32,
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) -> Result<usize, Self::Error>;

    /// Returns the automaton state of this node.
    fn location(&self, node: u32) -> usize;

    /// True if this error ends the search, and its results so far remain valid.
    fn is_final(&self, _error: &Self::Error) -> bool {
        false
    }

    /// Reports the memory of the search itself, so that the graph can enforce the memory limit.
    fn report_bytes(&mut self, _bytes: usize) {}
}

/// The maximal number of acceptance marks.
pub const MAX_MARKS: u32 = u32::BITS;

/// An edge of a [`SearchGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The target.
    pub target: u32,
    /// The acceptance marks of the edge, as bits.
    pub marks: u32,
}

/// A prefix from an initial node, and a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The nodes of the prefix; may be empty.
    pub prefix: Vec<u32>,
    /// The nodes of the cycle; the last has an edge to the first. Empty if every run from the end
    /// of the prefix is accepting, and no cycle was found.
    pub cycle: Vec<u32>,
}

/// The cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The number of stored nodes.
    pub nodes: u64,
    /// The number of followed edges, counted each time.
    pub edges: u64,
    /// The depth of the search: the length of the DFS stack, or the number of breadth-first levels.
    pub depth: u64,
}
