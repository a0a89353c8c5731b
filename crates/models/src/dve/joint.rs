//! Synchronous systems: all processes step simultaneously.
//!
//! As in DiVinE, a joint step takes one enabled transition of each process. Guards are those of the
//! state before; each process computes its effects, one after the other, from the state before, and
//! the effects are combined. A variable that two of them assign in the same step is undefined: that
//! is a [fault](crate::Fault); arrays count as a whole. A state in which some process has no
//! enabled transition is a deadlock.
//!
//! Each transition is executed once per state, for all joint steps that contain it. Each joint step
//! costs the changes of the processes after the first different choice.

use super::compile::{Code, Step, holds, range};
use super::effect;
use super::model::Dve;
use crate::system::{ActionId, Fault, Successors};
use sempre_ltl::interrupt;

/// The data of joint steps beside the code of the processes.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// For each process the source and the target of its transitions, each pair once.
    arrows: Vec<Vec<(usize, usize)>>,
    /// For each step, by the number of its action, what it adds to that of the joint one.
    shares: Box<[u32]>,
    /// For each step the variables that it assigns and that transitions of other processes assign.
    contested: Box<[Vec<usize>]>,
    /// True if some variable is assigned by two processes.
    conflicts: bool,
}

/// Buffers for joint steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    /// The enabled steps: indices among those of the process.
    enabled: Vec<u32>,
    /// For each process the first of its enabled steps; one more at the end.
    first: Vec<usize>,
    /// For each enabled step what it changes: the bits that are different after it.
    changes: Vec<u32>,
    /// The step of each process: indices of enabled ones.
    chosen: Vec<usize>,
    /// The state after the changes of the first processes, for each number of them.
    partial: Vec<u32>,
}

/// The different sources and targets of the transitions of each process.
fn arrows(dve: &Dve) -> Vec<Vec<(usize, usize)>> {
    let of_process = |process: &super::model::Process| {
        let mut arrows: Vec<_> =
            process.transitions.iter().map(|transition| (transition.from, transition.to)).collect();
        arrows.sort_unstable();
        arrows.dedup();
        arrows
    };
    dve.processes.iter().map(of_process).collect()
}

/// True if there are not too many joint actions to have numbers.
pub(super) fn is_small(dve: &Dve) -> bool {
    let count = |product: u32, arrows: &Vec<_>| product.checked_mul(arrows.len().max(1) as u32);
    arrows(dve).iter().try_fold(1, count).is_some()
}

impl Joint {
    pub(super) fn new(dve: &Dve) -> Self {
        let arrows = arrows(dve);
        let (mut shares, mut assigned) = (Vec::new(), Vec::new());
        // The process that assigns each variable, and whether others do.
        let mut owner: Vec<Option<(usize, bool)>> = vec![None; dve.variables.len()];
        let mut weight = 1u32;
        for (index, (process, arrows)) in dve.processes.iter().zip(&arrows).enumerate() {
            for transition in &process.transitions {
                let arrow = (transition.from, transition.to);
                let number = arrows.partition_point(|other| *other < arrow);
                shares.push(number as u32 * weight);
                let mut variables: Vec<usize> =
                    transition.effects.iter().map(|(target, _)| target.variable).collect();
                variables.sort_unstable();
                variables.dedup();
                for variable in &variables {
                    let (first, shared) = owner[*variable].get_or_insert((index, false));
                    *shared |= *first != index;
                }
                assigned.push(variables);
            }
            weight *= arrows.len().max(1) as u32;
        }
        let is_shared = |variable: &usize| owner[*variable].is_some_and(|(_, shared)| shared);
        for variables in &mut assigned {
            variables.retain(is_shared);
        }
        let conflicts = assigned.iter().any(|variables| !variables.is_empty());
        Joint { arrows, shares: shares.into(), contested: assigned.into(), conflicts }
    }

    /// The transitions of the joint action: for each process the source and the target.
    pub(super) fn parts(&self, action: ActionId) -> Vec<(usize, usize)> {
        let mut rest = action.0 as usize;
        let digit = |arrows: &Vec<(usize, usize)>| {
            let arrow = arrows[rest % arrows.len()];
            rest /= arrows.len();
            arrow
        };
        self.arrows.iter().map(digit).collect()
    }

    /// Appends every successor.
    pub(super) fn expand(
        &self,
        dve: &Dve,
        code: &Code,
        state: &[u32],
        choices: &mut Choices,
        successors: &mut Successors,
    ) -> Result<(), Fault> {
        if !choices.find_enabled(dve, code, state)? {
            return Ok(());
        }
        choices.find_changes(dve, code, state)?;
        let Choices { enabled, first, changes, chosen, partial } = choices;
        let (words, count) = (state.len(), code.controls.len());
        chosen.clear();
        chosen.extend_from_slice(&first[..count]);
        partial.clear();
        partial.resize(words * (count + 1), 0);
        partial[..words].copy_from_slice(state);
        let step = |process: usize, chosen: usize| {
            let control = &code.controls[process];
            &control.steps[enabled[chosen] as usize]
        };
        // The first process whose choice is new.
        let mut changed = 0;
        loop {
            interrupt::poll();
            for process in changed..count {
                let (before, after) = partial.split_at_mut((process + 1) * words);
                let changes = &changes[chosen[process] * words..][..words];
                for ((after, before), change) in
                    after.iter_mut().zip(&before[process * words..]).zip(changes)
                {
                    *after = before ^ change;
                }
            }
            let steps = || (0..count).map(|process| step(process, chosen[process]));
            let action = ActionId(steps().map(|step| self.shares[step.action as usize]).sum());
            if self.conflicts {
                self.check_conflicts(dve, steps, action)?;
            }
            successors.push(action, &partial[count * words..]);
            // The next combination: the last process that has another choice takes it.
            let Some(process) =
                (0..count).rev().find(|process| chosen[*process] + 1 < first[*process + 1])
            else {
                return Ok(());
            };
            chosen[process] += 1;
            chosen[process + 1..].copy_from_slice(&first[process + 1..count]);
            changed = process;
        }
    }

    /// No two processes may assign the same variable.
    fn check_conflicts<'a, I: Iterator<Item = &'a Step>>(
        &self,
        dve: &Dve,
        steps: impl Fn() -> I,
        action: ActionId,
    ) -> Result<(), Fault> {
        let contested = |step: &Step| &self.contested[step.action as usize];
        for (process, step) in steps().enumerate() {
            for (other, earlier) in steps().enumerate().take(process) {
                let both = contested(step).iter().find(|one| contested(earlier).contains(one));
                if let Some(variable) = both {
                    let name = |process: usize| &dve.processes[process].name;
                    let message = format!(
                        "`{}` and `{}` assign `{}` in the same step",
                        name(other),
                        name(process),
                        dve.variables[*variable].name
                    );
                    return Err(Fault::Undefined { action: Some(action), message });
                }
            }
        }
        Ok(())
    }
}

impl Choices {
    /// Finds the enabled transitions of each process; false if one has none.
    fn find_enabled(&mut self, dve: &Dve, code: &Code, state: &[u32]) -> Result<bool, Fault> {
        self.enabled.clear();
        self.first.clear();
        for (process, control) in code.controls.iter().enumerate() {
            self.first.push(self.enabled.len());
            for index in range(&control.first, control.location.get(state) as usize) {
                let step = &control.steps[index];
                if holds(&step.guard, state).map_err(|fault| blame(dve, process, step, *fault))? {
                    self.enabled.push(index as u32);
                }
            }
            if self.first.last() == Some(&self.enabled.len()) {
                return Ok(false);
            }
        }
        self.first.push(self.enabled.len());
        Ok(true)
    }

    /// Computes what each enabled transition changes.
    fn find_changes(&mut self, dve: &Dve, code: &Code, state: &[u32]) -> Result<(), Fault> {
        self.changes.clear();
        for (process, control) in code.controls.iter().enumerate() {
            for index in &self.enabled[self.first[process]..self.first[process + 1]] {
                let step = &control.steps[*index as usize];
                let start = self.changes.len();
                self.changes.extend_from_slice(state);
                let next = &mut self.changes[start..];
                effect::apply(&step.effects, &code.queues, next, &mut [])
                    .map_err(|fault| blame(dve, process, step, *fault))?;
                for (next, word) in next.iter_mut().zip(state) {
                    *next ^= word;
                }
            }
        }
        Ok(())
    }
}

/// The fault, with the transition that does it: the joint action is not known yet.
#[cold]
fn blame(dve: &Dve, process: usize, step: &Step, fault: Fault) -> Fault {
    let before: usize =
        dve.processes[..process].iter().map(|process| process.transitions.len()).sum();
    let transition = &dve.processes[process].transitions[step.action as usize - before];
    let arrow = dve.arrow(process, transition.from, transition.to);
    Fault::Undefined { action: None, message: format!("`{arrow}`: {fault}") }
}
