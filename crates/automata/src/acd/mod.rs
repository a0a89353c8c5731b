//! The alternating cycle decomposition of an automaton.
//!
//! Each component has a tree. The root is the set of all edges of the component. The children of a
//! node are the maximal strongly connected subsets of its edges with the opposite verdict:
//! accepting below rejecting nodes, and rejecting below accepting ones. See Casares, Colcombet and
//! Fijalkow (ICALP 2021), and Casares, Duret-Lutz, Meyer, Renkin and Sickert (TACAS 2022). The
//! trees determine which conditions fit the same graph ([`Typeness`]). They also give the smallest
//! parity automaton that copies states of this one ([`Decomposition::to_parity`]).
//!
//! The number of nodes can be exponential in the number of marks, so the number of steps is
//! limited. It is small for Rabin, Streett and parity conditions.

mod pairs;
mod parity;
#[cfg(test)]
mod tests;
mod tree;
mod typeness;

pub use typeness::Typeness;

use crate::automaton::Automaton;
use crate::index::SccId;
use crate::scc::Sccs;
use tree::Tree;

/// The trees of all reachable components.
///
/// ```
/// use sempre_automata::acd::Decomposition;
/// use sempre_automata::{Alphabet, Automaton, Marks, Named};
///
/// // Infinitely often a and infinitely often b, in one state.
/// let mut builder = Automaton::builder(Alphabet::new(["a", "b"]).unwrap());
/// builder.acceptance(Named::GeneralizedBuchi(2).acceptance());
/// let (state, alphabet) = (builder.add_state(), builder.alphabet().clone());
/// builder.initial(state);
/// for (letter, marks) in [(0, vec![]), (1, vec![0]), (2, vec![1]), (3, vec![0, 1])] {
///     let cube = [(0, letter & 1 == 1), (1, letter & 2 == 2)];
///     builder.edge(state, alphabet.from_cube(&cube), Marks::from_iter(marks), state);
/// }
/// let automaton = builder.build();
/// let decomposition = Decomposition::of(&automaton, 1000).unwrap();
/// let typeness = decomposition.typeness();
/// assert!(typeness.is_buchi_language && !typeness.is_parity);
/// assert_eq!(decomposition.to_parity().state_count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Decomposition<'a> {
    automaton: &'a Automaton,
    sccs: Sccs,
    /// By component; `None` for a trivial one.
    trees: Vec<Option<Tree>>,
}

impl<'a> Decomposition<'a> {
    /// Computes the decomposition; `None` if it takes more than `steps` steps. A step visits an
    /// edge or compares two sets of edges.
    pub fn of(automaton: &'a Automaton, steps: usize) -> Option<Self> {
        let sccs = Sccs::of(automaton);
        let mut steps = steps;
        let tree = |scc: SccId| match sccs.is_trivial(scc) {
            true => Some(None),
            false => Tree::of(automaton, &sccs, scc, &mut steps).map(Some),
        };
        let trees = sccs.iter().map(tree).collect::<Option<Vec<Option<Tree>>>>()?;
        Some(Decomposition { automaton, sccs, trees })
    }

    /// Returns the number of nodes of all trees.
    pub fn nodes(&self) -> usize {
        self.trees.iter().flatten().map(|tree| tree.nodes.len()).sum()
    }

    /// Returns the trees of nontrivial components.
    fn trees(&self) -> impl Iterator<Item = &Tree> {
        self.trees.iter().flatten()
    }
}
