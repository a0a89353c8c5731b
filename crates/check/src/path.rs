//! Paths from initial states, and faults with the paths that lead to them.

use sempre_models::{ActionId, Fault, Names, Successors, System, VariableId};
use std::fmt;

/// A path from an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The initial state.
    pub initial: Box<[u32]>,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The action.
    pub action: ActionId,
    /// The state after the step.
    pub state: Box<[u32]>,
}

impl Path {
    /// Returns the last state.
    pub fn last(&self) -> &[u32] {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }

    /// Makes the path through these states, each a successor of the one before. If several actions
    /// lead to a successor, takes the first.
    ///
    /// # Errors
    /// If the system has a fault in a state other than the last.
    pub fn through(
        system: &dyn System,
        mut states: impl Iterator<Item = Box<[u32]>>,
    ) -> Result<Path, Fault> {
        let initial = states.next().expect("a path has a first state");
        let mut path = Path { initial, steps: Vec::new() };
        let mut expander = system.expander();
        let mut successors = Successors::new(system.words());
        for state in states {
            successors.clear();
            expander.expand(path.last(), &mut successors)?;
            let step = successors.iter().find(|(_, successor)| *successor == &*state);
            let (action, _) = step.expect("successors depend on the state alone");
            path.steps.push(Step { action, state });
        }
        Ok(path)
    }
}

/// A fault, and a shortest path to a state that has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The fault.
    pub fault: Fault,
    /// The path to the state of the fault. `None` if an initial state is undefined, if a value
    /// [overflowed](Fault::Overflow), or if a limit stopped the search for the path.
    pub path: Option<Path>,
}

impl Failure {
    /// Returns the variable whose value did not fit, if that is the fault.
    pub fn overflow(&self) -> Option<VariableId> {
        match self.fault {
            Fault::Overflow(variable) => Some(variable),
            _ => None,
        }
    }

    /// Returns the fault in words, with the action that has it.
    pub fn describe(&self, names: &dyn Names) -> String {
        match &self.fault {
            Fault::Undefined { action: Some(action), message } => {
                format!("{}: {message}", names.action_name(*action))
            }
            fault => fault.to_string(),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Failure { fault, path: None }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(out)
    }
}

impl std::error::Error for Failure {}
