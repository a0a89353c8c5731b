//! The data behind a manager: nodes, caches, events, and the roots of collections.
//!
//! Operations recurse over levels. Their intermediate nodes are on two stacks that are roots of a
//! collection: `scratch` (edges of nodes under construction) and `protected` (everything else). So
//! nodes can be collected during an operation.

use rustc_hash::FxHashMap;

use crate::cache::{Cache, Key};
use crate::events::Events;
use crate::manager::{Exhausted, Options, OutOfSteps, Usage};
use crate::nodes::{EMPTY, Edge, NodeId, Nodes, UNIT};

/// The number of nodes below which none are collected; tests collect constantly.
const FIRST_COLLECTION: usize = if cfg!(test) { 8 } else { 1 << 16 };

/// The number of cached results that weigh as much as a node in the decision when to collect.
const RESULTS_OF_NODE: usize = 8;

/// The minimal remaining stack for the next level of an operation, and the size of a new stack
/// segment. The number of variables determines the recursion depth.
const RED_ZONE: usize = 64 * 1024;
const STACK: usize = 4 * 1024 * 1024;

/// Operations have numbers in the cache, with 24 bits for an operand.
#[derive(Clone, Copy)]
#[repr(u32)]
pub(crate) enum Operation {
    Union,
    Intersection,
    Difference,
    Saturate,
    Close,
    Dead,
    Step,
    Table,
    PreStep,
    PreTable,
    Project,
    Select,
    Enabled,
    EnabledTable,
    Images,
    PreImages,
}

impl Operation {
    pub(crate) fn key(self, operand: u32, plain: u32, nodes: [NodeId; 3]) -> Key {
        debug_assert!(operand < 1 << 24);
        Key { operation: (self as u32) << 24 | operand, plain, nodes }
    }
}

pub(crate) struct Store<'f> {
    pub(crate) nodes: Nodes,
    pub(crate) cache: Cache,
    pub(crate) events: Events<'f>,
    pub(crate) scratch: Vec<Edge>,
    pub(crate) protected: Vec<NodeId>,
    /// The times of the last changes of children on the scratch stack, for nodes under saturation.
    pub(crate) stamps: Vec<u32>,
    /// The number of handles of each node.
    handles: FxHashMap<NodeId, usize>,
    options: Options<'f>,
    collect_at: usize,
    /// The number of requested nodes.
    steps: u64,
    /// The maximal number of requested nodes.
    pub(crate) max_steps: u64,
    /// The work until the next poll; nodes with many edges are much work.
    patience: usize,
    peak_nodes: usize,
    peak_bytes: usize,
    collections: usize,
    /// The nodes that the last collection left.
    kept_nodes: usize,
}

/// The nodes that tasks may leave.
const FEW_NODES: usize = 1 << 14;

/// The work between two polls.
const PATIENCE: usize = 1024;

impl<'f> Store<'f> {
    pub(crate) fn new(options: Options<'f>) -> Self {
        Store {
            nodes: Nodes::new(),
            cache: Cache::new(options.memory / 4),
            events: Events::new(),
            scratch: Vec::new(),
            protected: Vec::new(),
            stamps: Vec::new(),
            handles: FxHashMap::default(),
            options,
            collect_at: FIRST_COLLECTION,
            steps: 0,
            max_steps: u64::MAX,
            patience: PATIENCE,
            peak_nodes: 0,
            peak_bytes: 0,
            collections: 0,
            kept_nodes: 0,
        }
    }

    /// Clears the stacks after an aborted operation.
    pub(crate) fn begin(&mut self) {
        self.scratch.clear();
        self.protected.clear();
        self.stamps.clear();
    }

    pub(crate) fn hold(&mut self, node: NodeId) {
        if node > UNIT {
            *self.handles.entry(node).or_insert(0) += 1;
        }
    }

    pub(crate) fn release(&mut self, node: NodeId) {
        if let Some(count) = self.handles.get_mut(&node) {
            *count -= 1;
            if *count == 0 {
                self.handles.remove(&node);
            }
        }
    }

    pub(crate) fn restart_peak(&mut self) {
        (self.peak_nodes, self.peak_bytes) = (0, 0);
    }

    pub(crate) fn usage(&self) -> Usage {
        Usage {
            nodes: self.nodes.len(),
            peak_nodes: self.peak_nodes.max(self.nodes.len()),
            bytes: self.bytes(),
            peak_bytes: self.peak_bytes.max(self.bytes()),
            collections: self.collections,
            steps: self.steps,
        }
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.cache.bytes() + self.events.bytes()
    }

    /// Returns the number of nodes of the diagrams below `roots`.
    pub(crate) fn size(&self, roots: &[NodeId]) -> usize {
        self.nodes.mark(roots.iter().copied()).len()
    }

    /// Removes unreferenced nodes.
    pub(crate) fn collect(&mut self) {
        self.peak_nodes = self.peak_nodes.max(self.nodes.len());
        self.peak_bytes = self.peak_bytes.max(self.bytes());
        let marked = self.nodes.mark(
            (self.handles.keys().copied())
                .chain(self.scratch.iter().map(|edge| edge.child))
                .chain(self.protected.iter().copied())
                .chain(self.events.roots()),
        );
        self.nodes.sweep(&marked);
        self.cache.sweep(&marked);
        self.collections += 1;
        self.kept_nodes = self.nodes.len();
        // A collection visits all live nodes and all results, and drops results about dead nodes
        // even if they are needed soon. So it waits for as many new nodes as these visits cost.
        let (nodes, results) = (self.nodes.len(), self.cache.len() / RESULTS_OF_NODE);
        self.collect_at = match cfg!(test) {
            true => nodes + FIRST_COLLECTION,
            false => (nodes + nodes.max(results)).max(FIRST_COLLECTION),
        };
    }

    /// Collects between two tasks if there are many more nodes than after the last collection: what a
    /// task leaves would only make the cache larger.
    pub(crate) fn tidy(&mut self) {
        if self.nodes.len() > 2 * self.kept_nodes + FEW_NODES {
            self.collect();
        }
    }

    /// Collects if there is no memory for more nodes, and unwinds if that does not help. The number
    /// of nodes alone is no measure, because nodes have any number of edges.
    fn keep_within_memory(&mut self) {
        if self.bytes() <= self.options.memory && self.nodes.has_room() {
            return;
        }
        self.collect();
        self.nodes.shrink();
        if self.bytes() > self.options.memory || !self.nodes.has_room() {
            Exhausted::unwind();
        }
    }

    /// Counts work, and polls when enough has been done; true if so.
    #[inline]
    pub(crate) fn tick(&mut self, work: usize) -> bool {
        if self.patience > work {
            self.patience -= work;
            return false;
        }
        self.patience = PATIENCE;
        if let Some(poll) = &self.options.poll {
            poll(&self.usage());
        }
        true
    }

    /// Takes the edges from `base` on from the scratch stack, and returns their node.
    pub(crate) fn make(&mut self, base: usize) -> NodeId {
        if self.nodes.len() >= self.collect_at {
            self.collect();
            self.cache.fit(self.nodes.len());
        }
        self.steps += 1;
        if self.steps.is_multiple_of(1024) {
            self.keep_within_memory();
            if self.steps >= self.max_steps {
                OutOfSteps::unwind();
            }
            self.cache.fit(self.nodes.len());
        }
        if self.tick(1 + (self.scratch.len() - base) / 8) {
            self.keep_within_memory();
        }
        let node = self.nodes.intern(&self.scratch[base..]);
        self.scratch.truncate(base);
        node
    }

    /// Adds `child` to the child for `value` in the node on the scratch stack from `base` on.
    /// Returns the position if that changes anything.
    pub(crate) fn add(&mut self, base: usize, value: u32, child: NodeId) -> Option<usize> {
        if child == EMPTY {
            return None;
        }
        match self.scratch[base..].binary_search_by_key(&value, |edge| edge.value) {
            Ok(position) => {
                let old = self.scratch[base + position].child;
                if old == child {
                    return None;
                }
                self.protected.push(child);
                let new = self.union(old, child);
                self.protected.pop();
                self.scratch[base + position].child = new;
                (new != old).then_some(position)
            }
            Err(position) => {
                self.scratch.insert(base + position, Edge { value, child });
                Some(position)
            }
        }
    }

    /// Puts the edges of a node on the scratch stack, with a function applied to each child; edges
    /// to the empty set are dropped.
    #[inline]
    pub(crate) fn put_children(
        &mut self,
        node: NodeId,
        mut child: impl FnMut(&mut Self, Edge) -> NodeId,
    ) {
        for i in 0..self.nodes.degree(node) {
            let edge = self.nodes.edge(node, i);
            let child = self.deeper(|store| child(store, edge));
            if child != EMPTY {
                self.scratch.push(Edge { child, ..edge });
            }
        }
    }

    /// Runs one level of an operation with enough stack for the next.
    #[inline]
    pub(crate) fn deeper<R>(&mut self, step: impl FnOnce(&mut Self) -> R) -> R {
        stacker::maybe_grow(RED_ZONE, STACK, || step(self))
    }

    /// Returns the set of one tuple, given from the top.
    pub(crate) fn tuple(&mut self, values: &[u32]) -> NodeId {
        let mut node = UNIT;
        for &value in values.iter().rev() {
            let base = self.scratch.len();
            self.scratch.push(Edge { value, child: node });
            node = self.make(base);
        }
        node
    }

    pub(crate) fn union(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
            return b;
        }
        let (a, b) = (a.min(b), a.max(b));
        let key = Operation::Union.key(0, 0, [a, b, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        let (mut i, mut j) = (0, 0);
        loop {
            let left = (i < self.nodes.degree(a)).then(|| self.nodes.edge(a, i));
            let right = (j < self.nodes.degree(b)).then(|| self.nodes.edge(b, j));
            let edge = match (left, right) {
                (None, None) => break,
                (Some(x), Some(y)) if x.value == y.value => {
                    (i, j) = (i + 1, j + 1);
                    Edge {
                        value: x.value,
                        child: self.deeper(|store| store.union(x.child, y.child)),
                    }
                }
                (Some(x), y) if y.is_none_or(|y| x.value < y.value) => {
                    i += 1;
                    x
                }
                (_, Some(y)) => {
                    j += 1;
                    y
                }
                (Some(_), None) => unreachable!("taken by the arm before"),
            };
            self.scratch.push(edge);
        }
        let result = self.make(base);
        self.cache.put(key, result);
        result
    }

    pub(crate) fn intersection(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if a == b || a == EMPTY {
            return a;
        }
        if b == EMPTY {
            return EMPTY;
        }
        let (a, b) = (a.min(b), a.max(b));
        let key = Operation::Intersection.key(0, 0, [a, b, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        self.put_children(a, |store, Edge { value, child }| {
            let other = store.nodes.child(b, value);
            store.intersection(child, other)
        });
        let result = self.make(base);
        self.cache.put(key, result);
        result
    }

    pub(crate) fn difference(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if a == b || a == EMPTY {
            return EMPTY;
        }
        if b == EMPTY {
            return a;
        }
        let key = Operation::Difference.key(0, 0, [a, b, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        self.put_children(a, |store, Edge { value, child }| {
            let other = store.nodes.child(b, value);
            store.difference(child, other)
        });
        let result = self.make(base);
        self.cache.put(key, result);
        result
    }
}
