//! Kripke structures by the letter: a state has one number, its own.

use super::structure::{Kripke, KripkeStateId};
use crate::plain::{Meaning, NamedSteps, Plain, Step, Undefined};

impl Kripke {
    /// Returns the state of that name.
    fn state_named(&self, name: &str) -> Option<KripkeStateId> {
        self.states().find(|state| self.state_name(*state) == name)
    }

    /// True if `state` is the variable that has names of states as values.
    fn has_state_variable(&self) -> bool {
        self.state_named("state").is_none() && !self.propositions().iter().any(|p| p == "state")
    }
}

impl Plain for &Kripke {
    fn variables(&self) -> Vec<String> {
        vec!["state".to_owned()]
    }

    fn initial(&self) -> Vec<Vec<i64>> {
        self.initial_states().map(|state| vec![i64::from(state.0)]).collect()
    }

    fn successors(
        &self,
        state: &[i64],
        visit: &mut dyn FnMut(&Step, &[i64]),
    ) -> Result<(), Undefined> {
        let known = u32::try_from(state[0]).ok().filter(|s| (*s as usize) < self.state_count());
        let state = known.ok_or_else(|| Undefined("there is no such state".to_owned()))?;
        for successor in self.edges_from(KripkeStateId(state)) {
            visit(&Step::by(successor.0), &[i64::from(successor.0)]);
        }
        Ok(())
    }

    fn meaning(&self, name: &str) -> Option<Meaning> {
        if let Some(number) = self.propositions().iter().position(|known| known == name) {
            let holding = self.states().filter(|state| self.holds(*state, number));
            let entries = holding.map(|state| (vec![i64::from(state.0)], 1)).collect();
            return Some(Meaning::Function(vec![0], entries));
        }
        match self.state_named(name) {
            Some(state) => Some(Meaning::Equal(0, i64::from(state.0))),
            None => (name == "state").then_some(Meaning::Named(0)),
        }
    }

    fn constant(&self, name: &str, value: &str) -> Option<i64> {
        let state = (name == "state" && self.has_state_variable()).then_some(value)?;
        Some(i64::from(self.state_named(state)?.0))
    }

    /// Steps are called by where they lead.
    fn steps(&self, name: &str) -> Option<NamedSteps<'_>> {
        let target = self.state_named(name.strip_prefix("to ")?)?;
        Some(Box::new(move |step| step.transitions[0] == target.0))
    }

    fn transition_count(&self) -> usize {
        self.state_count()
    }
}
