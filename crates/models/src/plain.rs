//! Plain interpreters of all languages: slow, short, and written from the description of each
//! language alone.
//!
//! States are lists of numbers, and models are executed as they were read: nothing is packed,
//! compiled, reduced or bounded. Tests compare the generators of packed states with these
//! interpreters, and the checker of certificates uses nothing else.

use crate::dve::{Dve, PlainDve};
use crate::etf::{Etf, PlainEtf};
use crate::kripke::Kripke;
use crate::model::Model;
use crate::petri::Net;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Why a state has no successors or a proposition no value: a division by zero, an index out of
/// range, an assertion that fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Undefined(pub String);

/// The participants of a step, as numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The processes that step together.
    pub processes: SmallVec<[u32; 2]>,
    /// The transitions that happen together.
    pub transitions: SmallVec<[u32; 2]>,
}

impl Step {
    /// Makes a step by one transition of a model without processes.
    pub fn by(transition: u32) -> Self {
        Step { processes: SmallVec::new(), transitions: SmallVec::from_slice(&[transition]) }
    }
}

/// The meaning of a name in a proposition, over the variables of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The sum of some variables.
    Sum(Vec<usize>),
    /// A variable whose numbers stand for names.
    Named(usize),
    /// 1 where a variable has this value, and 0 elsewhere.
    Equal(usize, i64),
    /// An array: the variable of its first element, and the number of elements.
    Array(usize, usize),
    /// A number.
    Constant(i64),
    /// Numbers that do not change, of which an index chooses one.
    Table(Vec<i64>),
    /// A number for the values of some variables; 0 for values without an entry.
    Function(Vec<usize>, FxHashMap<Vec<i64>, i64>),
}

/// A set of steps that has a name.
pub type NamedSteps<'a> = Box<dyn Fn(&Step) -> bool + Sync + 'a>;

/// A model that is executed as it was read. A state is a list of numbers, one for each variable.
pub trait Plain: Sync {
    /// Returns the names of the variables.
    fn variables(&self) -> Vec<String>;

    /// Returns the initial states.
    fn initial(&self) -> Vec<Vec<i64>>;

    /// Calls `visit` with each successor of a state. The state may be any list of the right length.
    ///
    /// # Errors
    /// If the model does something without a meaning in this state.
    fn successors(
        &self,
        state: &[i64],
        visit: &mut dyn FnMut(&Step, &[i64]),
    ) -> Result<(), Undefined>;

    /// Returns the meaning of a name.
    fn meaning(&self, name: &str) -> Option<Meaning>;

    /// Returns the number of a value that has a name where it is compared with another name.
    fn constant(&self, name: &str, value: &str) -> Option<i64> {
        let _ = (name, value);
        None
    }

    /// Returns the steps of that name; `None` if no step has it.
    fn steps(&self, name: &str) -> Option<NamedSteps<'_>>;

    /// Returns the number of processes; 0 if the language has none.
    fn process_count(&self) -> usize {
        0
    }

    /// Returns the number of transitions.
    fn transition_count(&self) -> usize;
}

/// Returns the plain interpreter of a model; `None` for a language that is not of this library.
pub fn of(model: &Model) -> Option<Box<dyn Plain + '_>> {
    if let Some(net) = model.get::<Net>() {
        return Some(Box::new(net));
    }
    if let Some(dve) = model.get::<Dve>() {
        return Some(Box::new(PlainDve::new(dve)));
    }
    if let Some(kripke) = model.get::<Kripke>() {
        return Some(Box::new(kripke));
    }
    let etf = model.get::<Etf>()?;
    Some(Box::new(PlainEtf::new(etf)))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::proposition::{PlainPropositions, Propositions};
    use crate::system::{Fault, VariableId};
    use std::collections::BTreeSet;

    /// Walks through the states of a model, at most that many, and compares steps and propositions
    /// with those of the plain interpreter. Returns the number of states.
    pub(crate) fn compare(model: &Model, texts: &[&str], most: usize) -> usize {
        let (plain, system) = (of(model).unwrap(), model.system());
        let names = system.names();
        let count = plain.variables().len();
        let unpack = |state: &[u32]| -> Vec<i64> {
            (0..count as u32).map(|number| names.value(state, VariableId(number))).collect()
        };
        let compiled = Propositions::compile(names, texts.iter().copied()).unwrap();
        let propositions = PlainPropositions::new(&*plain, texts.iter().copied()).unwrap();
        let mut states = system.initial().unwrap();
        let unpacked: Vec<Vec<i64>> = states.iter().map(|state| unpack(state)).collect();
        assert_eq!(unpacked, plain.initial());
        let mut known: BTreeSet<Box<[u32]>> = states.iter().cloned().collect();
        let mut next = 0;
        while next < states.len() {
            let state = states[next].clone();
            next += 1;
            let successors = match system.successors(&state) {
                Ok(successors) => successors,
                Err(Fault::Overflow(_)) => continue,
                Err(fault) => panic!("{fault}"),
            };
            let (mut steps, mut expected) = (Vec::new(), Vec::new());
            let walked = plain.successors(&unpack(&state), &mut |step, next| {
                steps.push(step.clone());
                expected.push(next.to_vec());
            });
            assert_eq!(walked, Ok(()));
            let mut found: Vec<Vec<i64>> =
                successors.iter().map(|(_, successor)| unpack(successor)).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "after {:?}", unpack(&state));
            let actions: BTreeSet<_> = successors.actions().iter().collect();
            let participants: BTreeSet<_> = steps.iter().map(|step| &step.transitions).collect();
            assert_eq!(actions.len(), participants.len(), "after {:?}", unpack(&state));
            let valuation = compiled.valuation(&mut *system.expander(), &state).ok();
            assert_eq!(propositions.holding(&unpack(&state), &steps).ok(), valuation);
            for (_, successor) in successors.iter() {
                if states.len() < most && known.insert(successor.into()) {
                    states.push(successor.into());
                }
            }
        }
        states.len()
    }

    #[test]
    fn names_without_a_meaning_are_refused() {
        let kripke = crate::kripke::text::parse("init a; state a: p -> a;").unwrap();
        let model = Model::from(kripke);
        let plain = of(&model).unwrap();
        let refused = |text: &str| PlainPropositions::new(&*plain, [text]).is_err();
        let wrong = ["q", "state", "fireable(a)", "fired('to a')", "a &", "state < 1"];
        assert!(wrong.iter().all(|text| refused(text)));
        assert!(["p", "a", "state = a", "fireable('to a')"].iter().all(|text| !refused(text)));
    }
}
