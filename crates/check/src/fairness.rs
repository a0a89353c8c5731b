//! Fairness: which infinite runs count.
//!
//! A component is a process or a transition; it is enabled in a state if one of its steps leaves the
//! state. A step that two processes make together is a step of both.

use crate::counterexample::{Counterexample, Rejected};
use rustc_hash::FxHashSet;
use sempre_models::{ActionId, Names, System};
use std::fmt;

/// The demand on fair runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FairnessKind {
    /// A component that is enabled from some point on for ever steps infinitely often.
    Weak,
    /// A component that is enabled infinitely often steps infinitely often.
    Strong,
}

/// The components to which a run is fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Components {
    /// The processes of the model.
    Processes,
    /// The transitions of the model.
    Transitions,
}

/// The runs that count: those that are fair to all components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fairness {
    /// The demand on a run.
    pub kind: FairnessKind,
    /// To which components.
    pub components: Components,
}

impl Fairness {
    /// All kinds of fairness.
    pub const ALL: [Fairness; 4] = {
        use Components::{Processes, Transitions};
        use FairnessKind::{Strong, Weak};
        [
            Fairness { kind: Weak, components: Processes },
            Fairness { kind: Weak, components: Transitions },
            Fairness { kind: Strong, components: Processes },
            Fairness { kind: Strong, components: Transitions },
        ]
    };

    /// Returns the fairness that is written like this.
    pub fn named(text: &str) -> Option<Self> {
        Fairness::ALL.into_iter().find(|fairness| fairness.to_string() == text)
    }

    /// Returns the components that step by this action, as numbers.
    pub fn stepping(self, names: &dyn Names, action: ActionId) -> Vec<u32> {
        match self.components {
            Components::Processes => names.processes_of(action),
            Components::Transitions => names.transitions_of(action),
        }
    }

    /// Tests the definition on the cycle of a run: a component that is enabled in all states of it
    /// (weak) or in some (strong) steps on it. A run that ends is fair.
    ///
    /// # Errors
    /// If the run is not fair.
    pub fn judge(self, run: &Counterexample, system: &dyn System) -> Result<(), Rejected> {
        let names = system.names();
        let stepping = run.cycle.iter().filter_map(|step| step.action);
        let stepping: FxHashSet<u32> =
            stepping.flat_map(|action| self.stepping(names, action)).collect();
        let mut enabled: Option<FxHashSet<u32>> = None;
        for step in &run.cycle {
            let successors = system.successors(&step.state);
            let successors = successors.map_err(|fault| Rejected(fault.to_string()))?;
            let actions = successors.actions().iter();
            let here: FxHashSet<u32> =
                actions.flat_map(|action| self.stepping(names, *action)).collect();
            enabled = Some(match (enabled, self.kind) {
                (None, _) => here,
                (Some(before), FairnessKind::Weak) => &before & &here,
                (Some(before), FairnessKind::Strong) => &before | &here,
            });
        }
        match enabled.is_none_or(|enabled| enabled.is_subset(&stepping)) {
            true => Ok(()),
            false => Err(Rejected(format!("it is not fair ({self})"))),
        }
    }
}

impl fmt::Display for Fairness {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            FairnessKind::Weak => "weak",
            FairnessKind::Strong => "strong",
        };
        let components = match self.components {
            Components::Processes => "process",
            Components::Transitions => "transition",
        };
        write!(out, "{kind}:{components}")
    }
}
