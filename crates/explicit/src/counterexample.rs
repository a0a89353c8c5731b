//! Runs of a system that violate a property, and the judge that believes none of them.

use crate::product::Deadlock;
use sempre_ltl::{Formula, Prop, Word, semantics};
use sempre_models::proposition::Propositions;
use sempre_models::{ActionId, Error, Fault, System};

/// A run: from an initial state through a prefix to a cycle that repeats for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The state in which it begins.
    pub initial: Box<[u32]>,
    /// The steps to the cycle.
    pub prefix: Vec<Move>,
    /// The steps of the cycle, the last of which leads back to the state where it began. Empty if
    /// the run ends in a state without successors, and that is what it shows.
    pub cycle: Vec<Move>,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// What happens; nothing if the last state of a run that ends repeats.
    pub action: Option<ActionId>,
    /// The state afterwards.
    pub state: Box<[u32]>,
}

/// Why a run is no counterexample. That is a mistake of a search, never of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run that was found is no counterexample: {0}")]
pub struct Rejected(pub String);

impl Counterexample {
    /// The run through these states, which must follow each other in the system: a prefix, and a
    /// cycle of at least one state.
    ///
    /// # Errors
    /// If the system has a fault, or the states do not follow each other.
    pub fn through<S: System>(
        system: &S,
        prefix: &[Box<[u32]>],
        cycle: &[Box<[u32]>],
    ) -> Result<Self, Rejected> {
        let mut states = prefix.iter().chain(cycle).chain(cycle.first());
        let initial = states.next().ok_or_else(|| Rejected("there is no state".into()))?;
        let mut scratch = system.scratch();
        let mut here = initial;
        let mut moves = Vec::with_capacity(prefix.len() + cycle.len());
        for state in states {
            let (mut action, mut is_last) = (None, true);
            system
                .successors(here, &mut scratch, |candidate, successor| {
                    is_last = false;
                    if action.is_none() && *successor == **state {
                        action = Some(candidate);
                    }
                })
                .map_err(|fault| Rejected(fault.to_string()))?;
            if action.is_none() && !(is_last && here == state) {
                return Err(Rejected("a state does not follow the one before".into()));
            }
            moves.push(Move { action, state: state.clone() });
            here = state;
        }
        let cycle = moves.split_off(prefix.len());
        Ok(Counterexample { initial: initial.clone(), prefix: moves, cycle })
    }

    /// The state that the run is in before each step of the prefix, and of the cycle.
    fn states(&self) -> (Vec<&[u32]>, Vec<&[u32]>) {
        let mut all: Vec<&[u32]> = vec![&self.initial];
        all.extend(self.prefix.iter().chain(&self.cycle).map(|step| &*step.state));
        let mut cycle = all.split_off(self.prefix.len());
        if !self.cycle.is_empty() {
            cycle.pop();
        }
        (all, cycle)
    }

    /// Replays the run on the system, step by step, and evaluates the formula on the word that it
    /// makes: it must be a run of the system, and the formula must not hold. What a search knows is
    /// not used. The word, if the run has a cycle.
    ///
    /// # Errors
    /// If it is no counterexample.
    pub fn judge<S: System>(
        &self,
        system: &S,
        formula: &Formula,
        deadlock: Deadlock,
    ) -> Result<Option<Word>, Rejected> {
        let fault = |fault: Fault| Rejected(fault.to_string());
        if !system.initial().map_err(fault)?.contains(&self.initial) {
            return Err(Rejected("it does not begin in an initial state".into()));
        }
        let mut scratch = system.scratch();
        let mut here: &[u32] = &self.initial;
        for (number, step) in self.prefix.iter().chain(&self.cycle).enumerate() {
            let is_right = match step.action {
                Some(action) => {
                    let mut found = false;
                    system
                        .successors(here, &mut scratch, |candidate, successor| {
                            found |= candidate == action && *successor == *step.state;
                        })
                        .map_err(fault)?;
                    found
                }
                None => {
                    deadlock == Deadlock::Stutter
                        && *here == *step.state
                        && system.is_deadlock(here, &mut scratch).map_err(fault)?
                }
            };
            if !is_right {
                return Err(Rejected(format!("step {} is none of the system", number + 1)));
            }
            here = &step.state;
        }
        let (prefix, cycle) = self.states();
        if self.cycle.is_empty() {
            let ends = system.is_deadlock(here, &mut scratch).map_err(fault)?;
            return match ends && deadlock == Deadlock::Report {
                true => Ok(None),
                false => Err(Rejected("it ends in a state that has successors".into())),
            };
        }
        if *here != *cycle[0] {
            return Err(Rejected("the cycle does not close".into()));
        }
        let word = word(system, formula, &prefix, &cycle)?;
        match semantics::holds(formula, &word) {
            true => Err(Rejected(format!("the property holds on {word}"))),
            false => Ok(Some(word)),
        }
    }
}

/// The word of a run over the propositions of a formula.
fn word<S: System>(
    system: &S,
    formula: &Formula,
    prefix: &[&[u32]],
    cycle: &[&[u32]],
) -> Result<Word, Rejected> {
    let error = |error: Error| Rejected(error.to_string());
    let props: Vec<Prop> = formula.props().into_iter().collect();
    let compiled = Propositions::compile(system, props.iter().map(Prop::name)).map_err(error)?;
    let mut scratch = system.scratch();
    let mut valuations = |states: &[&[u32]]| -> Result<Vec<u64>, Rejected> {
        let valuation = |state: &&[u32]| compiled.valuation(system, state, &mut scratch);
        states
            .iter()
            .map(valuation)
            .collect::<Result<_, Fault>>()
            .map_err(|f| Rejected(f.to_string()))
    };
    let (prefix, cycle) = (valuations(prefix)?, valuations(cycle)?);
    Word::from_valuations(props, &prefix, &cycle).map_err(error)
}
