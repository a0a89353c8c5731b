//! SCC search by the path-based algorithm of Dijkstra and Gabow (Gabow, "Path-based depth-first
//! search for strong and biconnected components", IPL 2000).
//!
//! It works on any [`Graph`], including on-the-fly ones. A [`Visitor`] is called for nodes, edges
//! that close cycles, and components. It can collect data about a component while it grows, and can
//! end the search. Each node and each edge is visited once; edges are not stored. Not recursive.

use crate::graph::{Graph, Numbering};
use sempre_ltl::interrupt;
use std::ops::ControlFlow;

#[cfg(test)]
mod tests;

/// Observes an SCC search. Nodes are given by their numbers.
pub trait Visitor<G: Graph> {
    /// The reason why a search ends early.
    type Break;
    /// The data about a component on the path, which may grow.
    type Summary;

    /// The search enters a node, by an edge unless it is a root; for now the node is a separate
    /// component.
    fn enter(
        &mut self,
        graph: &G,
        number: u32,
        node: &G::Node,
        edge: Option<G::Edge>,
    ) -> Self::Summary;

    /// An edge closes a cycle: the last components on the path, if any, join the one before them.
    /// `nodes` are all its nodes.
    ///
    /// # Errors
    /// Breaks to end the search.
    fn cycle<'a>(
        &mut self,
        _graph: &G,
        _edge: G::Edge,
        _nodes: &[u32],
        _whole: &mut Self::Summary,
        _parts: impl Iterator<Item = &'a Self::Summary>,
    ) -> ControlFlow<Self::Break>
    where
        Self::Summary: 'a,
    {
        ControlFlow::Continue(())
    }

    /// An edge leads from a component on the path to a closed node.
    fn reach(&mut self, _from: &mut Self::Summary, _target: u32) {}

    /// A component is complete, after all components that it reaches. Its first node is the one
    /// through which the search entered it. `before` is the preceding component on the path.
    ///
    /// # Errors
    /// Breaks to end the search.
    fn component(
        &mut self,
        search: &Search<G::Numbering>,
        nodes: &[u32],
        whole: Self::Summary,
        before: Option<&mut Self::Summary>,
    ) -> ControlFlow<Self::Break>;
}

/// The state of a search; it may start from several roots in sequence.
#[derive(Clone, Debug)]
pub struct Search<N> {
    numbers: N,
    /// By number: [`NEW`], [`DONE`], or the index of the node among the open ones.
    status: Vec<u32>,
}

const NEW: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

impl<N> Search<N> {
    /// Creates a search that has visited no node.
    pub fn new(numbers: N) -> Self {
        Search { numbers, status: vec![] }
    }

    /// Returns the number of a node; `None` if the search has not met it.
    pub fn number<T>(&self, node: T) -> Option<u32>
    where
        N: Numbering<T>,
    {
        self.numbers.get(node)
    }

    /// Returns the number of a node; assigns one on the first call.
    pub fn meet<T>(&mut self, node: T) -> u32
    where
        N: Numbering<T>,
    {
        let next = self.status.len() as u32;
        assert!(next < DONE, "more nodes than 32 bits can count");
        let number = self.numbers.number(node, next);
        if number >= next {
            self.status.resize(number as usize + 1, NEW);
        }
        number
    }

    /// Returns the distance of a node from `first` on the path; `None` if it does not follow
    /// `first`.
    pub fn place_after(&self, first: u32, node: u32) -> Option<u32> {
        let (first, node) = (self.status[first as usize], self.status[node as usize]);
        if node < DONE { node.checked_sub(first) } else { None }
    }

    /// Marks nodes as new, for a search in a part of the graph.
    pub fn forget(&mut self, numbers: impl Iterator<Item = u32>) {
        for number in numbers {
            if let Some(status) = self.status.get_mut(number as usize) {
                *status = NEW;
            }
        }
    }

    /// Visits the unvisited components reachable from the root. After an early end the search can
    /// continue with [forgotten nodes](Self::forget).
    ///
    /// # Errors
    /// Breaks if the visitor does.
    pub fn run<G: Graph<Numbering = N>, V: Visitor<G>>(
        &mut self,
        graph: &G,
        root: G::Node,
        visitor: &mut V,
    ) -> ControlFlow<V::Break>
    where
        N: Numbering<G::Node>,
    {
        let number = self.meet(root.clone());
        if self.status[number as usize] != NEW {
            return ControlFlow::Continue(());
        }
        self.status[number as usize] = 0;
        // The open nodes, in the order of discovery.
        let mut open = vec![number];
        // The components on the path, each with the index of its first node among the open ones.
        let mut path = vec![(0, visitor.enter(graph, number, &root, None))];
        let mut frames = vec![(number, graph.successors(root))];
        while let Some((number, successors)) = frames.last_mut() {
            let Some((edge, target)) = successors.next() else {
                interrupt::poll();
                let number = *number;
                frames.pop();
                if let Some((first, whole)) =
                    path.pop_if(|(first, _)| open[*first as usize] == number)
                {
                    let nodes = &open[first as usize..];
                    let before = path.last_mut().map(|(_, before)| before);
                    visitor.component(self, nodes, whole, before)?;
                    nodes.iter().for_each(|node| self.status[*node as usize] = DONE);
                    open.truncate(first as usize);
                }
                continue;
            };
            let number = self.meet(target.clone());
            match self.status[number as usize] {
                NEW => {
                    let place = open.len() as u32;
                    self.status[number as usize] = place;
                    open.push(number);
                    path.push((place, visitor.enter(graph, number, &target, Some(edge))));
                    frames.push((number, graph.successors(target)));
                }
                DONE => {
                    if let Some((_, from)) = path.last_mut() {
                        visitor.reach(from, number);
                    }
                }
                place => {
                    let mut kept = path.len();
                    while kept > 1 && path[kept - 1].0 > place {
                        kept -= 1;
                    }
                    let (whole, parts) = path.split_at_mut(kept);
                    if let Some((first, whole)) = whole.last_mut() {
                        let parts = parts.iter().map(|(_, part)| part);
                        visitor.cycle(graph, edge, &open[*first as usize..], whole, parts)?;
                    }
                    path.truncate(kept);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the components reachable from the root with a function; see [`Search::run`].
    ///
    /// # Errors
    /// Breaks if the function does.
    pub fn each<G: Graph<Numbering = N>, B>(
        &mut self,
        graph: &G,
        root: G::Node,
        visit: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> ControlFlow<B>
    where
        N: Numbering<G::Node>,
    {
        self.run(graph, root, &mut ComponentVisitor(visit))
    }
}

/// A visitor that calls a function for each component.
struct ComponentVisitor<F>(F);

impl<G: Graph, B, F: FnMut(&[u32]) -> ControlFlow<B>> Visitor<G> for ComponentVisitor<F> {
    type Break = B;
    type Summary = ();

    fn enter(&mut self, _: &G, _: u32, _: &G::Node, _: Option<G::Edge>) {}

    fn component(
        &mut self,
        _: &Search<G::Numbering>,
        nodes: &[u32],
        (): (),
        _: Option<&mut ()>,
    ) -> ControlFlow<B> {
        (self.0)(nodes)
    }
}

/// Returns the number of the component of each node, and the number of components. Edges lead to
/// equal or smaller numbers. Nodes that are unreachable from the roots have the greatest number.
pub(crate) fn numbered<G: Graph<Node = u32>>(
    graph: &G,
    count: usize,
    roots: impl IntoIterator<Item = u32>,
) -> (Vec<u32>, usize) {
    let mut component = vec![u32::MAX; count];
    let mut found = 0;
    let mut search = Search::new(graph.numbering());
    for root in roots {
        let ControlFlow::Continue(()) = search.each(graph, root, |nodes| {
            nodes.iter().for_each(|&node| component[node as usize] = found);
            found += 1;
            ControlFlow::<std::convert::Infallible>::Continue(())
        });
    }
    (component, found as usize)
}

/// Visits the strongly connected components reachable from the initial nodes. Each is visited when
/// it is complete, after all components that it reaches. Its first node is the one through which
/// the search entered it.
///
/// # Errors
/// Breaks if `visit` does, and ends the search.
///
/// ```
/// use sempre_automata::graph::{Graph, Sparse};
/// use sempre_automata::scc::components;
/// use std::ops::ControlFlow;
///
/// /// From n to n / 2 and from odd numbers also to n - 1.
/// struct Halves(u32);
/// impl Graph for Halves {
///     type Node = u32;
///     type Edge = ();
///     type Numbering = Sparse<u32>;
///     fn numbering(&self) -> Sparse<u32> {
///         Sparse::default()
///     }
///     fn initial(&self) -> impl Iterator<Item = u32> + '_ {
///         std::iter::once(self.0)
///     }
///     fn successors(&self, node: u32) -> impl Iterator<Item = ((), u32)> + '_ {
///         let before = (node % 2 == 1).then(|| node - 1);
///         std::iter::once(node / 2).chain(before).map(|target| ((), target))
///     }
/// }
///
/// let mut found = vec![];
/// let _ = components(&Halves(5), |component| {
///     found.push(component.to_vec());
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(found, [[0], [1], [2], [4], [5]]);
/// ```
pub fn components<G: Graph, B>(
    graph: &G,
    visit: impl FnMut(&[G::Node]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut search = Search::new(graph.numbering());
    let mut remembering = ComponentNodes { nodes: vec![], component: vec![], visit };
    for root in graph.initial() {
        search.run(graph, root, &mut remembering)?;
    }
    ControlFlow::Continue(())
}

/// A visitor that stores the open nodes and reports components as nodes.
struct ComponentNodes<T, F> {
    /// The open nodes, in the order of discovery.
    nodes: Vec<T>,
    component: Vec<T>,
    visit: F,
}

impl<G: Graph, B, F: FnMut(&[G::Node]) -> ControlFlow<B>> Visitor<G>
    for ComponentNodes<G::Node, F>
{
    type Break = B;
    type Summary = ();

    fn enter(&mut self, _: &G, _: u32, node: &G::Node, _: Option<G::Edge>) {
        self.nodes.push(node.clone());
    }

    fn component(
        &mut self,
        _: &Search<G::Numbering>,
        nodes: &[u32],
        (): (),
        _: Option<&mut ()>,
    ) -> ControlFlow<B> {
        // The nodes of a component are the last opened ones.
        self.component.clear();
        self.component.extend(self.nodes.drain(self.nodes.len() - nodes.len()..));
        (self.visit)(&self.component)
    }
}
