//! Emptiness for any acceptance condition, with accepting runs as witnesses.
//!
//! A depth-first search computes the strongly connected components, and ends when the marks of one
//! are accepted ([Couvreur 1999]). If the condition has `Fin` terms, a complete component whose set
//! of marks is rejected is searched further ([Baier et al. 2019]). This works for automata and
//! every other [`Graph`] with marks, such as on-the-fly products. Linear in the edges visited for
//! conditions without `Fin`.
//!
//! ```
//! use sempre_automata::{Alphabet, Automaton, Marks, Named, emptiness};
//!
//! // Finitely often !a, by a co-Büchi condition.
//! let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
//! builder.acceptance(Named::CoBuchi.acceptance());
//! let state = builder.add_state();
//! builder.initial(state);
//! let a = builder.alphabet().prop(0);
//! let not_a = builder.alphabet().not(a);
//! builder.edge(state, not_a, Marks::from_iter([0]), state);
//! builder.edge(state, a, Marks::EMPTY, state);
//! let automaton = builder.build();
//!
//! assert!(!emptiness::is_empty(&automaton));
//! let run = emptiness::accepting_run(&automaton).unwrap();
//! assert_eq!(run.word(&automaton).to_string(), "cycle{a}");
//! ```
//!
//! [Couvreur 1999]: https://doi.org/10.1007/3-540-48119-2_16
//! [Baier et al. 2019]: https://doi.org/10.1007/978-3-030-31784-3_26

mod components;
mod generic;
mod lasso;
mod part;
mod shortest;
#[cfg(test)]
mod tests;

pub use crate::graph::{Dense, Graph, Numbering, Sparse};
pub use lasso::Lasso;

use crate::{Automaton, Condition, Marks, Run};
use components::{Exploration, Explored, Judge};
use generic::{Accepting, accepting_part};

/// True if the automaton accepts no word.
pub fn is_empty(automaton: &Automaton) -> bool {
    !has_accepting_lasso(automaton, automaton.acceptance().condition())
}

/// Returns an accepting run, checked by [`Run::check`]; `None` if the language is empty.
pub fn accepting_run(automaton: &Automaton) -> Option<Run> {
    let lasso = accepting_lasso(automaton, automaton.acceptance().condition())?;
    Some(Run::checked(automaton, lasso))
}

/// Returns an accepting run with the fewest edges in prefix and cycle together, checked by
/// [`Run::check`]; `None` if the language is empty.
///
/// At worst quadratic, times 2^k for k marks; see [`shortest_accepting_lasso`].
pub fn shortest_accepting_run(automaton: &Automaton) -> Option<Run> {
    let lasso = shortest_accepting_lasso(automaton, automaton.acceptance().condition())?;
    Some(Run::checked(automaton, lasso))
}

/// True if an infinite path from an initial node satisfies the condition.
pub fn has_accepting_lasso<G: Graph>(graph: &G, condition: &Condition) -> bool {
    search(graph, condition, |_| {}).is_some()
}

/// Returns an accepting lasso of a graph; `None` if there is none.
pub fn accepting_lasso<G: Graph>(
    graph: &G,
    condition: &Condition,
) -> Option<Lasso<G::Node, G::Edge>> {
    accepting_lasso_noting(graph, condition, |_| {})
}

/// The same, and passes on the visited nodes from which there is no accepting path, as soon as that
/// is known. From then on the graph may leave out others of which it knows the same for this reason.
pub(crate) fn accepting_lasso_noting<G: Graph>(
    graph: &G,
    condition: &Condition,
    dead: impl FnMut(&G::Node),
) -> Option<Lasso<G::Node, G::Edge>> {
    let (exploration, accepting) = search(graph, condition, dead)?;
    Some(lasso::extract(exploration.explored(), &accepting, condition))
}

/// Returns an accepting lasso with the fewest edges in prefix and cycle together, if there is one.
///
/// Exact for every condition. Runs a breadth-first search over nodes and sets of marks from each
/// node that is near enough to the initial ones. At worst O(nodes × edges × 2^k) for k marks in the
/// condition.
pub fn shortest_accepting_lasso<G: Graph>(
    graph: &G,
    condition: &Condition,
) -> Option<Lasso<G::Node, G::Edge>> {
    let some = accepting_lasso(graph, condition)?;
    Some(shortest::shorten(graph, condition, some))
}

/// By node, whether an accepting path starts there, in one search for all nodes.
///
/// When a component is complete, all components that it reaches are known. So no backward search is
/// needed, and edges are not stored. Linear in the edges for conditions without `Fin`.
pub fn accepting_from<G: Graph>(
    graph: &G,
    condition: &Condition,
    nodes: impl IntoIterator<Item = G::Node>,
) -> Vec<bool> {
    let mut exploration = Exploration::new(graph);
    let mut every = Every { condition };
    let answer = |node: G::Node| {
        exploration.search(node.clone(), &mut every);
        exploration.is_promising(node)
    };
    nodes.into_iter().map(answer).collect()
}

/// Searches for an accepting part; also returns the explored graph.
fn search<'g, G: Graph>(
    graph: &'g G,
    condition: &Condition,
    dead: impl FnMut(&G::Node),
) -> Option<(Exploration<'g, G>, Accepting)> {
    if *condition == Condition::False {
        return None;
    }
    let mut exploration = Exploration::new(graph);
    let mut first = First { condition, found: None, dead };
    graph.initial().any(|node| exploration.search(node, &mut first));
    first.found.map(|found| (exploration, found))
}

/// Ends the search at the first accepting part.
struct First<'a, D> {
    condition: &'a Condition,
    found: Option<Accepting>,
    /// Takes nodes without accepting paths.
    dead: D,
}

impl<G: Graph, D: FnMut(&G::Node)> Judge<G> for First<'_, D> {
    fn grown(&mut self, nodes: &[u32], marks: &Marks) -> bool {
        let accepted = self.condition.accepts(marks);
        if accepted {
            self.found = Some(Accepting { nodes: nodes.to_vec(), marks: marks.clone() });
        }
        accepted
    }

    fn complete(&mut self, explored: Explored<'_, G>, nodes: &[u32], marks: &Marks) -> bool {
        self.found = accepting_part(explored, nodes, self.condition, marks);
        self.found.is_some()
    }

    fn ends_at_first(&self) -> bool {
        true
    }

    fn dead(&mut self, explored: Explored<'_, G>, nodes: &[u32]) {
        nodes.iter().for_each(|node| (self.dead)(&explored.nodes[*node as usize]));
    }
}

/// Judges every component.
struct Every<'a> {
    condition: &'a Condition,
}

impl<G: Graph> Judge<G> for Every<'_> {
    fn grown(&mut self, _: &[u32], _: &Marks) -> bool {
        false
    }

    fn complete(&mut self, explored: Explored<'_, G>, nodes: &[u32], marks: &Marks) -> bool {
        self.condition.accepts(marks)
            || accepting_part(explored, nodes, self.condition, marks).is_some()
    }

    fn ends_at_first(&self) -> bool {
        false
    }
}
