//! Accepting lassos: a shortest path to an accepting part, then a closed walk inside it through the
//! required marks.
//!
//! Each leg is a breadth-first search, at most one per required mark. The cycle is short, but not
//! always the shortest (see [`super::shortest`]).

use super::components::Explored;
use super::generic::Accepting;
use crate::graph::Graph;
use crate::{Condition, Marks};
use sempre_ltl::interrupt;

/// A path from an initial node to a cycle, and the cycle: edges, each with its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso<N, E> {
    /// The path to the cycle; may be empty.
    pub prefix: Vec<(N, E)>,
    /// The cycle; it has at least one edge and ends in its first node.
    pub cycle: Vec<(N, E)>,
}

impl<N, E> Lasso<N, E> {
    /// The number of edges of prefix and cycle together.
    #[expect(clippy::len_without_is_empty, reason = "no lasso is empty")]
    pub fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }
}

/// The lasso of a graph.
pub(super) type LassoOf<G> = Lasso<<G as Graph>::Node, <G as Graph>::Edge>;

/// Returns a subset of `marks` such that the condition accepts every set between the subset and
/// `marks`, which it must accept.
fn sufficient(condition: &Condition, marks: &Marks) -> Marks {
    match condition {
        Condition::Inf(mark) => Marks::from_iter([*mark]),
        Condition::And(conjuncts) => conjuncts.iter().fold(Marks::EMPTY, |mut all, conjunct| {
            all |= &sufficient(conjunct, marks);
            all
        }),
        Condition::Or(disjuncts) => disjuncts
            .iter()
            .filter(|disjunct| disjunct.accepts(marks))
            .map(|disjunct| sufficient(disjunct, marks))
            .min_by_key(Marks::len)
            .unwrap_or_default(),
        Condition::True | Condition::False | Condition::Fin(_) => Marks::EMPTY,
    }
}

/// Extracts an accepting lasso into this accepting part, within the explored graph.
pub(super) fn extract<G: Graph>(
    explored: Explored<'_, G>,
    accepting: &Accepting,
    condition: &Condition,
) -> LassoOf<G> {
    let graph = explored.graph;
    let mut inside = vec![false; explored.nodes.len()];
    for node in &accepting.nodes {
        inside[*node as usize] = true;
    }
    let mut legs = Legs::new(explored);
    let starts: Vec<u32> = graph.initial().filter_map(|node| explored.number(node)).collect();
    let (prefix, entry) = match starts.iter().find(|start| inside[**start as usize]) {
        Some(start) => (vec![], *start),
        None => legs.search(&starts, |_, _| true, |_, target| inside[target as usize]),
    };
    let admitted = |edge: G::Edge, target: u32| {
        inside[target as usize] && graph.marks(edge).is_subset(&accepting.marks)
    };
    let mut missing = sufficient(condition, &accepting.marks);
    let (mut cycle, mut here) = (vec![], entry);
    while !missing.is_empty() {
        let news = |edge, _| !graph.marks(edge).is_disjoint(&missing);
        let (leg, end) = legs.search(&[here], admitted, news);
        for (_, edge) in &leg {
            missing = &missing - &graph.marks(*edge);
        }
        cycle.extend(leg);
        here = end;
    }
    if here != entry || cycle.is_empty() {
        cycle.extend(legs.search(&[here], admitted, |_, target| target == entry).0);
    }
    Lasso { prefix, cycle }
}

/// An edge with its source.
type StepOf<G> = (<G as Graph>::Node, <G as Graph>::Edge);

/// Consecutive breadth-first searches with shared buffers.
struct Legs<'e, G: Graph> {
    explored: Explored<'e, G>,
    /// The nodes reached by the last search.
    queue: Vec<u32>,
    reached: Vec<bool>,
    /// The incoming edge of each node in the last search; `None` for its sources.
    parents: Vec<Option<(u32, G::Edge)>>,
}

impl<'e, G: Graph> Legs<'e, G> {
    fn new(explored: Explored<'e, G>) -> Self {
        let count = explored.nodes.len();
        Legs { explored, queue: vec![], reached: vec![false; count], parents: vec![None; count] }
    }

    /// Finds a shortest nonempty path of admitted edges from a source whose last edge is a goal;
    /// there must be one.
    fn search(
        &mut self,
        starts: &[u32],
        admitted: impl Fn(G::Edge, u32) -> bool,
        goal: impl Fn(G::Edge, u32) -> bool,
    ) -> (Vec<StepOf<G>>, u32) {
        let explored = self.explored;
        for node in self.queue.drain(..) {
            self.reached[node as usize] = false;
            self.parents[node as usize] = None;
        }
        for start in starts {
            self.reached[*start as usize] = true;
            self.queue.push(*start);
        }
        let mut next = 0;
        while let Some(&node) = self.queue.get(next) {
            next += 1;
            interrupt::poll();
            for (edge, target) in explored.graph.successors(explored.node(node)) {
                let Some(target) = explored.number(target) else { continue };
                if !admitted(edge, target) {
                    continue;
                }
                if goal(edge, target) {
                    return (self.path(node, edge), target);
                }
                if !self.reached[target as usize] {
                    self.reached[target as usize] = true;
                    self.parents[target as usize] = Some((node, edge));
                    self.queue.push(target);
                }
            }
        }
        unreachable!("an accepting part can be reached and is strongly connected")
    }

    fn path(&self, mut node: u32, last: G::Edge) -> Vec<StepOf<G>> {
        let mut path = vec![(self.explored.node(node), last)];
        while let Some((parent, edge)) = self.parents[node as usize] {
            path.push((self.explored.node(parent), edge));
            node = parent;
        }
        path.reverse();
        path
    }
}
