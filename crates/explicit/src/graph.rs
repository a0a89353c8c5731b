//! Graphs with marks on their edges, generated as a search visits them.

/// A finite graph whose nodes have numbers, at most a few times as many as there are nodes, and whose
/// edges carry acceptance marks as bits. What emptiness checks search: products, in the main.
pub trait Graph {
    /// Why a part of the graph cannot be generated: a fault of the model, a limit.
    type Error;

    /// Appends the initial nodes.
    ///
    /// # Errors
    /// If they cannot be generated.
    fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), Self::Error>;

    /// Appends those edges that leave a node and lead to nodes that are wanted, in the same order each
    /// time. Tells how many leave it in all.
    ///
    /// # Errors
    /// If they cannot be generated.
    fn successors(
        &mut self,
        node: u32,
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) -> Result<usize, Self::Error>;

    /// The state of the property's automaton in this node.
    fn location(&self, node: u32) -> usize;

    /// True if there is no use in looking any further because of this error, and what has been found
    /// until then is to be kept.
    fn is_final(&self, _error: &Self::Error) -> bool {
        false
    }

    /// Tells how much memory the search uses for itself, so that the graph can end it when there is
    /// no more.
    fn note_bytes(&mut self, _bytes: usize) {}
}

/// How many acceptance marks there are at most.
pub const MOST_MARKS: u32 = u32::BITS;

/// An edge of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where the edge leads.
    pub target: u32,
    /// The acceptance marks of the edge, as bits.
    pub marks: u32,
}

/// A path from an initial node to a cycle, and the cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The nodes before the cycle; may be empty.
    pub prefix: Vec<u32>,
    /// The nodes of the cycle, of which the last has an edge to the first. Empty if the path ends in a
    /// node from which all runs are accepting, and no cycle could be reached from there.
    pub cycle: Vec<u32>,
}

/// What a search has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many nodes were stored.
    pub nodes: u64,
    /// How many edges were followed, each time that one was.
    pub edges: u64,
    /// How deep the search went: the nodes on its stack, or the levels of a breadth-first search.
    pub depth: u64,
}
