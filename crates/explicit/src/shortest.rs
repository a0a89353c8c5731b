//! The shortest accepting lasso of a graph that is generated as it is visited.

use crate::graph::{Edge, Graph, Lasso};
use sempre_automata::emptiness::{self, Sparse};
use sempre_automata::{Condition, Mark, Marks};
use std::borrow::Cow;
use std::cell::RefCell;

/// An accepting lasso with the fewest edges in prefix and cycle together; `some` if there is no
/// other. See [`emptiness::shortest_accepting_lasso`] for the cost.
///
/// # Errors
/// If the graph cannot be generated further.
pub(crate) fn shortest<G: Graph>(
    graph: &mut G,
    condition: &Condition,
    some: Lasso,
) -> Result<Lasso, G::Error> {
    let shared = Shared(RefCell::new((graph, None)));
    let found = emptiness::shortest_accepting_lasso(&shared, condition);
    if let Some(error) = shared.0.into_inner().1 {
        return Err(error);
    }
    let nodes = |steps: Vec<(u32, Edge)>| steps.into_iter().map(|(node, _)| node).collect();
    Ok(found.map_or(some, |found| Lasso { prefix: nodes(found.prefix), cycle: nodes(found.cycle) }))
}

/// A graph behind a shared reference, with the first error that it had: after that, nodes have no
/// successors.
struct Shared<'a, G: Graph>(RefCell<(&'a mut G, Option<G::Error>)>);

impl<G: Graph> Shared<'_, G> {
    fn ask<A>(&self, question: impl FnOnce(&mut G, &mut Vec<A>) -> Result<(), G::Error>) -> Vec<A> {
        let (graph, error) = &mut *self.0.borrow_mut();
        let mut answer = Vec::new();
        if error.is_none()
            && let Err(new) = question(graph, &mut answer)
        {
            *error = Some(new);
            answer.clear();
        }
        answer
    }
}

impl<G: Graph> emptiness::Graph for Shared<'_, G> {
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
        let edges = self.ask(|graph, edges| graph.successors(node, edges));
        edges.into_iter().map(|edge| (edge, edge.target))
    }

    fn marks(&self, edge: Edge) -> Cow<'_, Marks> {
        let bits = edge.marks;
        Cow::Owned((0..u64::BITS as Mark).filter(|mark| bits >> mark & 1 == 1).collect())
    }
}
