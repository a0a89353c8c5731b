//! Executions of Kripke structures as lassos of states, and their check.

use crate::{Error, Kripke, StateId};
use sempre_ltl::Word;

/// An ultimately periodic execution of a Kripke structure: the states of a prefix, then those of a
/// cycle forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    prefix: Vec<StateId>,
    cycle: Vec<StateId>,
}

impl Execution {
    /// Creates the execution through these states, without checking it; see [`Execution::check`].
    ///
    /// # Errors
    /// If the cycle is empty.
    pub fn new(prefix: Vec<StateId>, cycle: Vec<StateId>) -> Result<Self, Error> {
        if cycle.is_empty() {
            return Err(Error::new("the cycle of an execution cannot be empty"));
        }
        Ok(Execution { prefix, cycle })
    }

    /// The states before the cycle.
    pub fn prefix(&self) -> &[StateId] {
        &self.prefix
    }

    /// The states of the cycle, at least one.
    pub fn cycle(&self) -> &[StateId] {
        &self.cycle
    }

    /// The states of prefix and cycle.
    pub fn states(&self) -> impl Iterator<Item = StateId> + '_ {
        self.prefix.iter().chain(&self.cycle).copied()
    }

    /// Checks the execution: it must start in the initial state of the structure, each state must
    /// be a successor of the previous one, and the cycle must close. Shares no code with searches.
    ///
    /// # Errors
    /// Describes the first violation.
    pub fn check(&self, kripke: &Kripke) -> Result<(), Error> {
        let mut states = self.states();
        let mut last = states.next().unwrap_or_else(|| unreachable!("the cycle is not empty"));
        if last != kripke.initial() {
            return Err(Error::new(format!(
                "the execution starts in {last}, which is not initial"
            )));
        }
        for state in states.chain([self.cycle[0]]) {
            if !kripke.successors(last).contains(&state) {
                return Err(Error::new(format!("{state} is no successor of {last}")));
            }
            last = state;
        }
        Ok(())
    }

    /// Returns the word of the labels of its states.
    ///
    /// # Panics
    /// If the structure does not have these states.
    pub fn word(&self, kripke: &Kripke) -> Word {
        let labels: Vec<u64> = self.states().map(|state| kripke.label(state)).collect();
        let (prefix, cycle) = labels.split_at(self.prefix.len());
        Word::from_valuations(kripke.alphabet().props().iter().cloned(), prefix, cycle)
            .unwrap_or_else(|_| unreachable!("structures have at most 64 distinct propositions"))
    }
}
