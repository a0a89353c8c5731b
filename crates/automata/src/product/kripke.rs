//! The product of a Kripke structure with an automaton.
//!
//! The product has a step from `(s, q)` to `(s', q')` if `s'` is a successor of `s` and the
//! automaton reads the label of `s` from `q` to `q'`. The structure is not converted to an
//! automaton, and steps need no allocation.

use super::Pair;
use crate::emptiness::{self, Graph, Sparse};
use crate::execution::Execution;
use crate::letters::Letters;
use crate::{Automaton, EdgeId, Error, Kripke, Marks, Run, StateId};
use std::borrow::Cow;

/// Creates the product of a structure with an automaton. Propositions that the structure lacks are
/// false in all its states.
pub fn with_kripke<'a>(kripke: &'a Kripke, automaton: &'a Automaton) -> KripkeProduct<'a> {
    let alphabet = automaton.alphabet();
    let mut letters = Letters::all_false(alphabet, kripke.state_count());
    for (index, prop) in alphabet.props().iter().enumerate() {
        let Some(bit) = kripke.alphabet().index_of(prop) else { continue };
        for state in kripke.states() {
            if kripke.label(state) >> bit & 1 == 1 {
                letters.set(state.index(), index);
            }
        }
    }
    KripkeProduct { kripke, automaton, letters }
}

/// By state of a structure, whether the automaton accepts an execution that starts there.
///
/// One search for all states, linear in the product for conditions without `Fin`; see
/// [`emptiness::accepting_from`].
pub fn global_check(kripke: &Kripke, automaton: &Automaton) -> Vec<bool> {
    let initial = automaton.initial();
    if initial.is_empty() {
        return vec![false; kripke.state_count()];
    }
    let roots = kripke.states().flat_map(|s| initial.iter().map(move |q| Pair::new(s, *q)));
    let product = with_kripke(kripke, automaton);
    let answers = emptiness::accepting_from(&product, automaton.acceptance().condition(), roots);
    answers.chunks(initial.len()).map(|answers| answers.contains(&true)).collect()
}

/// The on-the-fly product of a Kripke structure with an automaton. The left state of a pair is that
/// of the structure.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Kripke, Marks, product};
///
/// let mut builder = Automaton::builder(Alphabet::new(["p"]).unwrap());
/// let state = builder.add_state();
/// let p = builder.alphabet().prop(0);
/// builder.initial(state).edge(state, p, Marks::EMPTY, state);
/// let always_p = builder.build();
/// let edges = [(0, 1), (0, 2), (1, 0), (2, 2)];
/// let kripke = Kripke::new(Alphabet::new(["p"]).unwrap(), vec![1, 1, 0], edges, 0).unwrap();
///
/// let product = product::with_kripke(&kripke, &always_p);
/// let (execution, _) = product.accepted_execution().unwrap();
/// assert_eq!(execution.word(&kripke).to_string(), "cycle{p; p}");
/// assert_eq!(product::global_check(&kripke, &always_p), [true, true, false]);
/// ```
#[derive(Clone, Debug)]
pub struct KripkeProduct<'a> {
    kripke: &'a Kripke,
    automaton: &'a Automaton,
    /// The label of each state of the structure, over the automaton's alphabet.
    letters: Letters,
}

impl KripkeProduct<'_> {
    /// True if the automaton accepts some execution of the structure.
    pub fn accepts_some(&self) -> bool {
        emptiness::has_accepting_lasso(self, self.automaton.acceptance().condition())
    }

    /// Returns an execution that the automaton accepts, with its run; both have been checked.
    pub fn accepted_execution(&self) -> Option<(Execution, Run)> {
        let condition = self.automaton.acceptance().condition();
        emptiness::accepting_lasso(self, condition).map(|lasso| self.checked(lasso))
    }

    /// Returns a shortest execution and run; see [`emptiness::shortest_accepting_lasso`].
    pub fn shortest_accepted_execution(&self) -> Option<(Execution, Run)> {
        let condition = self.automaton.acceptance().condition();
        emptiness::shortest_accepting_lasso(self, condition).map(|lasso| self.checked(lasso))
    }

    /// Returns the execution and the run of a lasso.
    ///
    /// # Panics
    /// If one of them is invalid or they do not match, because the search is wrong.
    fn checked(&self, lasso: emptiness::Lasso<Pair, EdgeId>) -> (Execution, Run) {
        let states = |steps: &[(Pair, EdgeId)]| steps.iter().map(|(pair, _)| pair.left()).collect();
        let execution = Execution::new(states(&lasso.prefix), states(&lasso.cycle))
            .and_then(|execution| execution.check(self.kripke).map(|()| execution))
            .unwrap_or_else(|error| panic!("a search found an invalid execution: {error}"));
        let steps = |steps: Vec<(Pair, EdgeId)>| {
            steps.into_iter().map(|(pair, edge)| (pair.right(), edge)).collect()
        };
        let lasso = emptiness::Lasso { prefix: steps(lasso.prefix), cycle: steps(lasso.cycle) };
        let run = Run::checked(self.automaton, lasso);
        self.check_labels(&execution, &run)
            .unwrap_or_else(|error| panic!("a search found a run that does not match: {error}"));
        (execution, run)
    }

    /// Checks that each edge of the run reads the label of the execution's state.
    fn check_labels(&self, execution: &Execution, run: &Run) -> Result<(), Error> {
        let (own, other) = (self.automaton.alphabet(), self.kripke.alphabet());
        for (state, edge) in execution.states().zip(run.edges()) {
            let value = |prop: usize| {
                let bit = other.index_of(&own.props()[prop]);
                bit.is_some_and(|bit| self.kripke.label(state) >> bit & 1 == 1)
            };
            if !own.satisfied_by(self.automaton.edge(edge).label, value) {
                return Err(Error::new(format!("edge {edge} does not read the label of {state}")));
            }
        }
        Ok(())
    }
}

impl Graph for KripkeProduct<'_> {
    type Node = Pair;
    type Edge = EdgeId;
    type Numbering = Sparse<Pair>;

    fn numbering(&self) -> Sparse<Pair> {
        Sparse::default()
    }

    fn initial(&self) -> impl Iterator<Item = Pair> + '_ {
        let start = self.kripke.initial();
        self.automaton.initial().iter().map(move |state| Pair::new(start, *state))
    }

    fn successors(&self, node: Pair) -> impl Iterator<Item = (EdgeId, Pair)> + '_ {
        let state = node.left();
        let successors: &[StateId] = self.kripke.successors(state);
        let (alphabet, edges) = (self.automaton.alphabet(), self.automaton.edges());
        self.automaton
            .edge_range(node.right())
            .filter(move |edge| self.letters.satisfy(state.index(), alphabet, edges[*edge].label))
            .flat_map(move |edge| {
                let target = edges[edge].target;
                successors.iter().map(move |s| (EdgeId::new(edge), Pair::new(*s, target)))
            })
    }

    fn marks(&self, edge: EdgeId) -> Cow<'_, Marks> {
        Cow::Borrowed(&self.automaton.edge(edge).marks)
    }
}

impl Kripke {
    /// Returns an automaton for the words of all executions: edges read the label of their source
    /// state, and every run is accepting.
    pub fn to_automaton(&self) -> Automaton {
        let mut builder = Automaton::builder(self.alphabet().clone());
        builder.add_states(self.state_count());
        builder.initial(self.initial());
        for state in self.states() {
            let value = |prop: usize| self.label(state) >> prop & 1 == 1;
            let cube: Vec<(usize, bool)> =
                (0..self.alphabet().props().len()).map(|prop| (prop, value(prop))).collect();
            let label = self.alphabet().from_cube(&cube);
            for successor in self.successors(state) {
                builder.edge(state, label, Marks::EMPTY, *successor);
            }
        }
        builder.build()
    }
}

#[cfg(test)]
mod tests;
