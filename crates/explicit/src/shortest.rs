//! Computes a shortest accepting lasso of an on-the-fly graph.

use crate::graph::{Edge, Lasso, SearchGraph};
use sempre_automata::emptiness::{self, Sparse};
use sempre_automata::{Condition, Mark, Marks};
use sempre_ltl::interrupt::{self, Interrupt};
use std::borrow::Cow;
use std::cell::RefCell;

/// Returns an accepting lasso with the fewest edges in prefix and cycle together; `some` if the
/// graph cannot be generated far enough. See [`emptiness::shortest_accepting_lasso`] for the cost.
pub(crate) fn shortest<G: SearchGraph>(graph: &mut G, condition: &Condition, some: Lasso) -> Lasso {
    let nodes = |steps: Vec<(u32, Edge)>| steps.into_iter().map(|(node, _)| node).collect();
    match shortest_steps(graph, condition) {
        Some([prefix, cycle]) => Lasso { prefix: nodes(prefix), cycle: nodes(cycle) },
        None => some,
    }
}

/// Returns the prefix and the cycle of a shortest accepting lasso, each node with the edge that
/// leaves it; `None` if there is none, or the graph cannot be generated far enough.
pub(crate) fn shortest_steps<G: SearchGraph>(
    graph: &mut G,
    condition: &Condition,
) -> Option<[Vec<(u32, Edge)>; 2]> {
    let stop = Interrupt::default();
    let shared = Shared { graph: RefCell::new(graph), stop: &stop };
    let search = || emptiness::shortest_accepting_lasso(&shared, condition);
    let found = interrupt::run(&stop, None, search).ok()??;
    Some([found.prefix, found.cycle])
}

/// A graph behind a shared reference. It ends a search that it cannot serve further.
struct Shared<'a, G: SearchGraph> {
    graph: RefCell<&'a mut G>,
    stop: &'a Interrupt,
}

impl<G: SearchGraph> Shared<'_, G> {
    fn ask<A>(&self, question: impl FnOnce(&mut G, &mut Vec<A>) -> Result<(), G::Error>) -> Vec<A> {
        let mut answer = Vec::new();
        if question(&mut self.graph.borrow_mut(), &mut answer).is_err() {
            self.stop.raise();
            interrupt::poll_now();
        }
        answer
    }
}

impl<G: SearchGraph> emptiness::Graph for Shared<'_, G> {
    type Node = u32;
    type Edge = Edge;
    type Numbering = Sparse<u32>;

    fn numbering(&self) -> Sparse<u32> {
        Sparse::default()
    }

    fn initial(&self) -> impl Iterator<Item = u32> + '_ {
        self.ask(|graph, nodes| graph.initial(nodes)).into_iter()
    }

    fn successors(&self, node: u32) -> impl Iterator<Item = (Edge, u32)> + '_ {
        let edges = self.ask(|graph, edges| graph.successors(node, |_| true, edges).map(drop));
        edges.into_iter().map(|edge| (edge, edge.target))
    }

    fn marks(&self, edge: Edge) -> Cow<'_, Marks> {
        let bits = edge.marks;
        Cow::Owned((0..u32::BITS as Mark).filter(|mark| bits >> mark & 1 == 1).collect())
    }
}
