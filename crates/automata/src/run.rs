//! Accepting runs as lassos of edges, and their check.

use crate::emptiness::Lasso;
use crate::{Automaton, EdgeId, Error, Marks, StateId};
use sempre_ltl::Word;

/// An ultimately periodic run of an automaton: the edges of a prefix, then those of a cycle
/// forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    start: StateId,
    prefix: Vec<EdgeId>,
    cycle: Vec<EdgeId>,
}

impl Run {
    /// Creates the run that starts in a state and takes these edges, without checking it; see
    /// [`Run::check`].
    ///
    /// # Errors
    /// If the cycle is empty.
    pub fn new(start: StateId, prefix: Vec<EdgeId>, cycle: Vec<EdgeId>) -> Result<Self, Error> {
        if cycle.is_empty() {
            return Err(Error::new("the cycle of a run cannot be empty"));
        }
        Ok(Run { start, prefix, cycle })
    }

    /// Converts a lasso from a search.
    ///
    /// # Panics
    /// If it is not an accepting run of the automaton, because the search is wrong.
    pub(crate) fn checked(automaton: &Automaton, lasso: Lasso<StateId, EdgeId>) -> Self {
        let start = lasso.prefix.iter().chain(&lasso.cycle).map(|(state, _)| *state).next();
        let edges = |steps: Vec<(StateId, EdgeId)>| steps.into_iter().map(|(_, e)| e).collect();
        let run = Run::new(start.unwrap_or_default(), edges(lasso.prefix), edges(lasso.cycle))
            .and_then(|run| run.check(automaton).map(|()| run));
        run.unwrap_or_else(|error| panic!("a search found an invalid run: {error}"))
    }

    /// Returns the first state.
    pub fn start(&self) -> StateId {
        self.start
    }

    /// The edges before the cycle.
    pub fn prefix(&self) -> &[EdgeId] {
        &self.prefix
    }

    /// The edges of the cycle, at least one.
    pub fn cycle(&self) -> &[EdgeId] {
        &self.cycle
    }

    /// The number of edges of prefix and cycle together, at least one.
    #[expect(clippy::len_without_is_empty, reason = "no run is empty")]
    pub fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// The edges of prefix and cycle.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.prefix.iter().chain(&self.cycle).copied()
    }

    /// Returns the sources of the edges of prefix and cycle.
    pub fn states<'a>(&'a self, automaton: &'a Automaton) -> impl Iterator<Item = StateId> + 'a {
        let targets = self.edges().map(|edge| automaton.edge(edge).target);
        std::iter::once(self.start).chain(targets).take(self.len())
    }

    /// The marks that the run sees infinitely often.
    pub fn marks(&self, automaton: &Automaton) -> Marks {
        let mut marks = Marks::EMPTY;
        for edge in &self.cycle {
            marks |= &automaton.edge(*edge).marks;
        }
        marks
    }

    /// Checks that this is an accepting run of the automaton. It must start in an initial state,
    /// consecutive edges must be adjacent, and the cycle must be closed. Every label must be
    /// satisfiable, and the marks of the cycle accepted. Shares no code with the searches for runs.
    ///
    /// # Errors
    /// Describes the first violation.
    pub fn check(&self, automaton: &Automaton) -> Result<(), Error> {
        if !automaton.initial().contains(&self.start) {
            return Err(Error::new(format!(
                "the run starts in {}, which is not initial",
                self.start
            )));
        }
        let mut state = self.start;
        let mut entry = state;
        for (place, edge) in self.edges().enumerate() {
            if place == self.prefix.len() {
                entry = state;
            }
            if !automaton.edge_range(state).contains(&edge.index()) {
                return Err(Error::new(format!("edge {edge} does not leave state {state}")));
            }
            let edge = automaton.edge(edge);
            if edge.label == automaton.alphabet().ff() {
                return Err(Error::new(format!(
                    "an edge that leaves state {state} reads no letter"
                )));
            }
            state = edge.target;
        }
        if state != entry {
            return Err(Error::new(format!("the cycle starts in {entry} but ends in {state}")));
        }
        let marks = self.marks(automaton);
        if !automaton.acceptance().accepts(&marks) {
            return Err(Error::new(format!("the marks of the cycle, {marks}, are not accepted")));
        }
        Ok(())
    }

    /// Returns a word that the run reads, with few true propositions; equal edges read equal
    /// letters.
    ///
    /// # Panics
    /// If the automaton does not have these edges.
    pub fn word(&self, automaton: &Automaton) -> Word {
        let alphabet = automaton.alphabet();
        let letters: Vec<Vec<usize>> = self
            .edges()
            .map(|edge| alphabet.some_valuation(automaton.edge(edge).label).unwrap_or_default())
            .collect();
        let holds = |position: usize, prop: usize| letters[position].contains(&prop);
        Word::from_fn(alphabet.props().iter().cloned(), self.prefix.len(), self.cycle.len(), holds)
            .unwrap_or_else(|_| unreachable!("the cycle is not empty, the propositions distinct"))
    }
}
