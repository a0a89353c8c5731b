//! Tarjan's algorithm (SIAM J. Comput. 1972) without recursion, on graphs that may be generated
//! while they are visited. Each node is entered once and each edge looked at once.

use sempre_ltl::interrupt;
use std::hash::Hash;
use std::ops::ControlFlow;

/// A graph that is generated as it is visited.
pub trait Graph {
    /// What a node is; cheap to clone.
    type Node: Clone + Eq + Hash;

    /// Adds the nodes from which the search starts.
    fn roots(&mut self, roots: &mut Vec<Self::Node>);

    /// Adds the successors of a node; asked once for each node that is reached. They are visited
    /// in this order, and may repeat.
    fn successors(&mut self, node: &Self::Node, successors: &mut Vec<Self::Node>);
}

/// Visits the strongly connected components that can be reached from the roots: each as soon as
/// it is complete, which is after all components that it leads to. The first node of a component
/// is the one through which the search entered it. The search ends early if `visit` breaks.
///
/// ```
/// use sempre_automata::scc::{Graph, components};
/// use std::ops::ControlFlow;
///
/// /// From n to n / 2 and from odd numbers also to n - 1.
/// struct Halves(u32);
/// impl Graph for Halves {
///     type Node = u32;
///     fn roots(&mut self, roots: &mut Vec<u32>) {
///         roots.push(self.0);
///     }
///     fn successors(&mut self, node: &u32, successors: &mut Vec<u32>) {
///         successors.push(node / 2);
///         if node % 2 == 1 {
///             successors.push(node - 1);
///         }
///     }
/// }
///
/// let mut found = vec![];
/// let _ = components(&mut Halves(5), |component| {
///     found.push(component.to_vec());
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(found, [[0], [1], [2], [4], [5]]);
/// ```
pub fn components<G: Graph, B>(
    graph: &mut G,
    mut visit: impl FnMut(&[G::Node]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut roots = vec![];
    graph.roots(&mut roots);
    let mut lazy = Lazy {
        graph,
        numbers: hashbrown::HashMap::default(),
        nodes: vec![],
        pending: vec![],
        successors: vec![],
    };
    let roots: Vec<u32> = roots.into_iter().map(|root| lazy.number(root)).collect();
    let mut tarjan = Tarjan::default();
    let mut component = vec![];
    for root in roots {
        tarjan.run(&mut lazy, root, |lazy, numbers| {
            component.clear();
            component.extend(numbers.iter().map(|&number| lazy.nodes[number as usize].clone()));
            visit(&component)
        })?;
    }
    ControlFlow::Continue(())
}

/// A graph over small numbers, as the algorithm sees it.
pub(crate) trait Successors {
    /// Where the search stands among the successors of a node.
    type Cursor;
    fn enter(&mut self, node: u32) -> Self::Cursor;
    fn next(&mut self, cursor: &mut Self::Cursor) -> Option<u32>;
}

/// Numbers the nodes of a [`Graph`] in the order in which they are met.
struct Lazy<'g, G: Graph> {
    graph: &'g mut G,
    numbers: hashbrown::HashMap<G::Node, u32, rustc_hash::FxBuildHasher>,
    nodes: Vec<G::Node>,
    /// The successors still to be visited, those of the node entered last on top.
    pending: Vec<u32>,
    successors: Vec<G::Node>,
}

impl<G: Graph> Lazy<'_, G> {
    fn number(&mut self, node: G::Node) -> u32 {
        let fresh = self.nodes.len();
        *self.numbers.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            u32::try_from(fresh).expect("more than 2^32 nodes")
        })
    }
}

impl<G: Graph> Successors for Lazy<'_, G> {
    /// The height of `pending` without the successors of the node.
    type Cursor = usize;

    fn enter(&mut self, node: u32) -> usize {
        let mut successors = std::mem::take(&mut self.successors);
        self.graph.successors(&self.nodes[node as usize], &mut successors);
        let base = self.pending.len();
        for successor in successors.drain(..) {
            let number = self.number(successor);
            self.pending.push(number);
        }
        self.pending[base..].reverse();
        self.successors = successors;
        base
    }

    fn next(&mut self, base: &mut usize) -> Option<u32> {
        (self.pending.len() > *base).then(|| self.pending.pop()).flatten()
    }
}

/// The state of a search; it may start from several roots one after the other.
#[derive(Default)]
pub(crate) struct Tarjan {
    /// For each node [`UNSEEN`], its place in the order of discovery, or [`DONE`].
    order: Vec<u32>,
    discovered: u32,
    /// Nodes whose component is not complete, by discovery.
    open: Vec<u32>,
}

const UNSEEN: u32 = 0;
const DONE: u32 = u32::MAX;

struct Frame<C> {
    node: u32,
    /// The earliest open node known to be reachable.
    low: u32,
    cursor: C,
}

impl Tarjan {
    /// A search in a graph of so many nodes; it grows if there are more.
    pub(crate) fn with_nodes(count: usize) -> Self {
        Tarjan { order: vec![UNSEEN; count], discovered: 0, open: vec![] }
    }

    /// Makes nodes unseen again, for a search in a part of the graph.
    pub(crate) fn forget(&mut self, nodes: impl Iterator<Item = u32>) {
        nodes.for_each(|node| self.order[node as usize] = UNSEEN);
        self.discovered = 0;
    }

    fn enter<S: Successors>(&mut self, graph: &mut S, node: u32) -> Frame<S::Cursor> {
        self.discovered += 1;
        self.order[node as usize] = self.discovered;
        self.open.push(node);
        Frame { node, low: self.discovered, cursor: graph.enter(node) }
    }

    fn is_unseen(&mut self, node: u32) -> bool {
        if self.order.len() <= node as usize {
            self.order.resize(node as usize + 1, UNSEEN);
        }
        self.order[node as usize] == UNSEEN
    }

    /// Visits the components reachable from the root that have not been visited before.
    pub(crate) fn run<S: Successors, B>(
        &mut self,
        graph: &mut S,
        root: u32,
        mut visit: impl FnMut(&S, &[u32]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if !self.is_unseen(root) {
            return ControlFlow::Continue(());
        }
        let mut path = vec![self.enter(graph, root)];
        while let Some(frame) = path.last_mut() {
            if let Some(successor) = graph.next(&mut frame.cursor) {
                if self.is_unseen(successor) {
                    path.push(self.enter(graph, successor));
                } else {
                    // A finished successor has the greatest number, which changes nothing.
                    frame.low = frame.low.min(self.order[successor as usize]);
                }
                continue;
            }
            interrupt::poll();
            let (node, low) = (frame.node, frame.low);
            path.pop();
            if low == self.order[node as usize] {
                let start = self.open.iter().rposition(|&open| open == node).unwrap_or(0);
                for &member in &self.open[start..] {
                    self.order[member as usize] = DONE;
                }
                visit(graph, &self.open[start..])?;
                self.open.truncate(start);
            } else if let Some(parent) = path.last_mut() {
                parent.low = parent.low.min(low);
            }
        }
        ControlFlow::Continue(())
    }
}
