//! Transitions that never occur and locations that are never reached, in a state space that is known
//! as a whole.

use crate::explicit::store::{StateId, Store};
use crate::ltl::interrupt;
use crate::models::description::Description;
use crate::models::proposition::written_value;
use crate::models::{Fault, Successors, System, VariableId};
use std::collections::HashSet;

/// The parts of a model that no run uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unreached {
    /// The transitions that never occur.
    pub transitions: Vec<DeadTransition>,
    /// The locations that are never reached, as propositions.
    pub locations: Vec<String>,
}

/// A transition that never occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadTransition {
    /// Its name.
    pub name: String,
    /// Its line in the text of the model, from 1, if it is known.
    pub line: Option<usize>,
}

impl Unreached {
    /// Expands all states of complete stores once more.
    pub(super) fn find<T: Store>(
        system: &dyn System,
        description: &Description,
        stores: &[T],
    ) -> Result<Self, Fault> {
        let names = system.names();
        let variable_of = |name: &str| {
            let all = (0..names.variable_count() as u32).map(VariableId);
            all.into_iter().find(|variable| names.variable_name(*variable) == name)
        };
        // The variables whose values are locations, and the propositions about these.
        let mut places: Vec<(VariableId, Vec<String>)> = Vec::new();
        for process in &description.processes {
            if let Some(variable) = variable_of(&process.name) {
                let name = |state: &String| format!("{}.{state}", process.name);
                places.push((variable, process.states.iter().map(name).collect()));
            }
        }
        for variable in description.variables.iter().filter(|one| one.kind == "state") {
            if let Some(place) = variable_of(&variable.name) {
                let name = |state: &String| format!("{} = {}", variable.name, written_value(state));
                places.push((place, variable.values.iter().map(name).collect()));
            }
        }
        let mut occurring: HashSet<u32> = HashSet::new();
        let mut reached: Vec<HashSet<i64>> = vec![HashSet::new(); places.len()];
        let mut known = HashSet::new();
        let mut expander = system.expander();
        let (mut state, mut successors) =
            (vec![0; system.words()], Successors::new(system.words()));
        for store in stores {
            for number in 0..store.len() as u32 {
                interrupt::poll();
                store.get(StateId(number), &mut state);
                successors.clear();
                expander.expand(&state, &mut successors)?;
                for action in successors.actions() {
                    if known.insert(*action) {
                        occurring.extend(names.transitions_of(*action));
                    }
                }
                for ((variable, _), reached) in places.iter().zip(&mut reached) {
                    reached.insert(names.value(&state, *variable));
                }
            }
        }
        let is_dead = |(number, _): &(usize, &_)| !occurring.contains(&(*number as u32));
        let transitions = description.transitions.iter().enumerate().filter(is_dead);
        let transitions = transitions.map(|(_, transition)| DeadTransition {
            name: transition.name.clone(),
            line: transition.origin.line,
        });
        let locations = places.iter().zip(&reached).flat_map(|((_, names), reached)| {
            let all = names.iter().enumerate();
            all.filter(|(value, _)| !reached.contains(&(*value as i64)))
                .map(|(_, name)| name.clone())
        });
        Ok(Unreached { transitions: transitions.collect(), locations: locations.collect() })
    }

    /// True if some run uses every part.
    pub fn is_empty(&self) -> bool {
        self.transitions.is_empty() && self.locations.is_empty()
    }
}
