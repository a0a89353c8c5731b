//! Runs that violate a property, and the judge that replays every one of them.

#[cfg(test)]
mod judge_tests;

use crate::bad_prefix::{Hopes, bad_prefix};
use crate::property::Specification;
use crate::question::Deadlock;
use rustc_hash::FxHashMap;
use sempre_ltl::{Prop, Word, interrupt};
use sempre_models::proposition::Propositions;
use sempre_models::{ActionId, Error, Fault, Successors, System};

/// A run that violates a property: an initial state, a prefix, and a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The initial state.
    pub initial: Box<[u32]>,
    /// The steps before the cycle.
    pub prefix: Vec<Move>,
    /// The steps of the cycle; the last one returns to the state where it begins. Empty if the run
    /// ends in a deadlock that is the violation. Also empty if every continuation of the prefix
    /// violates the property and no cycle was found.
    pub cycle: Vec<Move>,
}

/// The limit of replayed steps when a run is shortened.
const MAX_STEPS: usize = 1 << 20;

/// How to shorten a run at a state that occurs twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fold {
    /// Make the part between the two occurrences the cycle.
    Close,
    /// Remove the part between them, which ends on the cycle: the cycle begins later.
    Turn,
    /// Remove the part between them.
    Cut,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The action; `None` if a deadlock stutters.
    pub action: Option<ActionId>,
    /// The state after the step.
    pub state: Box<[u32]>,
}

/// Why a run is no counterexample. The cause is an error of a search, never of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run is no counterexample: {0}")]
pub struct Rejected(pub String);

impl Counterexample {
    /// Makes the run through these states: a prefix and a cycle, one of which may be empty.
    ///
    /// # Errors
    /// If the system has a fault, or a state is no successor of the one before.
    pub fn through(
        system: &dyn System,
        prefix: &[Box<[u32]>],
        cycle: &[Box<[u32]>],
    ) -> Result<Self, Rejected> {
        let mut states = prefix.iter().chain(cycle).chain(cycle.first());
        let initial = states.next().ok_or_else(|| Rejected("there is no state".into()))?;
        let mut expander = system.expander();
        let mut successors = Successors::new(system.words());
        let mut here = initial;
        let mut moves = Vec::with_capacity(prefix.len() + cycle.len());
        for state in states {
            successors.clear();
            let expanded = expander.expand(here, &mut successors);
            expanded.map_err(|fault| Rejected(fault.to_string()))?;
            let step = successors.iter().find(|(_, successor)| *successor == &**state);
            let action = step.map(|(action, _)| action);
            if action.is_none() && !(successors.is_empty() && here == state) {
                return Err(Rejected("a state is no successor of the one before".into()));
            }
            moves.push(Move { action, state: state.clone() });
            here = state;
        }
        let cycle = moves.split_off(prefix.len().min(moves.len()));
        Ok(Counterexample { initial: initial.clone(), prefix: moves, cycle })
    }

    /// Returns a shorter run along the same states that is accepted, or this run. Where a state
    /// occurs twice, the part between is removed or becomes the cycle.
    ///
    /// A shortest run of a product need not be a shortest one of the system, since the automaton
    /// may need further steps before a cycle closes.
    pub fn shorten(mut self, is_accepted: impl Fn(&Counterexample) -> bool) -> Self {
        let mut steps = MAX_STEPS;
        let mut is_left = |run: &Counterexample| {
            interrupt::poll();
            steps = steps.saturating_sub(run.prefix.len() + run.cycle.len());
            steps > 0 && is_accepted(run)
        };
        loop {
            let shorter = self.folds().find(&mut is_left);
            match shorter {
                Some(shorter) => self = shorter,
                None => return self,
            }
        }
    }

    /// Returns shorter runs along the same states, shortest first.
    fn folds(&self) -> impl Iterator<Item = Counterexample> + '_ {
        let (prefix, cycle) = self.states();
        let (start, length) = (self.prefix.len(), self.prefix.len() + self.cycle.len());
        // The state before each step, and the one after the last step.
        let states: Vec<&[u32]> = [&prefix[..], &cycle[..], &cycle[..cycle.len().min(1)]].concat();
        let mut places: FxHashMap<&[u32], Vec<usize>> = FxHashMap::default();
        let mut found = Vec::new();
        for (place, state) in states.iter().enumerate().filter(|_| !self.cycle.is_empty()) {
            let earlier = places.entry(state).or_default();
            for &before in &*earlier {
                found.push((place, Fold::Close, before, place));
                let cut = length - (place - before);
                match (before < start, place <= start) {
                    (true, false) => {
                        found.push((before + length - start, Fold::Turn, before, place))
                    }
                    // The cycle must not become empty.
                    _ if place - before < length - start || place <= start => {
                        found.push((cut, Fold::Cut, before, place));
                    }
                    _ => {}
                }
            }
            earlier.push(place);
        }
        found.retain(|(steps, ..)| *steps < length);
        found.sort_unstable();
        found.into_iter().map(move |(_, fold, from, to)| {
            let moves: Vec<&Move> = self.prefix.iter().chain(&self.cycle).collect();
            let (prefix, cycle) = match fold {
                Fold::Close => (moves[..from].to_vec(), moves[from..to].to_vec()),
                Fold::Turn => (moves[..from].to_vec(), [&moves[to..], &moves[start..to]].concat()),
                Fold::Cut if to <= start => {
                    ([&moves[..from], &moves[to..start]].concat(), moves[start..].to_vec())
                }
                Fold::Cut => {
                    (moves[..start].to_vec(), [&moves[start..from], &moves[to..]].concat())
                }
            };
            let owned = |moves: Vec<&Move>| moves.into_iter().cloned().collect();
            let initial = self.initial.clone();
            Counterexample { initial, prefix: owned(prefix), cycle: owned(cycle) }
        })
    }

    /// Returns the state before each step of the prefix, and before each step of the cycle.
    fn states(&self) -> (Vec<&[u32]>, Vec<&[u32]>) {
        let mut all: Vec<&[u32]> = vec![&self.initial];
        all.extend(self.prefix.iter().chain(&self.cycle).map(|step| &*step.state));
        let mut cycle = all.split_off(self.prefix.len());
        if !self.cycle.is_empty() {
            cycle.pop();
        }
        (all, cycle)
    }

    /// The action of each step of the prefix, and of the cycle.
    fn actions(&self) -> (Vec<Option<ActionId>>, Vec<Option<ActionId>>) {
        let actions = |moves: &[Move]| moves.iter().map(|step| step.action).collect();
        (actions(&self.prefix), actions(&self.cycle))
    }

    /// Replays the run on the system, step by step, and decides whether its word violates the
    /// property: it must be a run of the system, and the property must not hold. What a search knows
    /// is not used. The word, if the run has a cycle.
    ///
    /// # Errors
    /// If the steps are no run of the system, or the property holds on its word.
    pub fn judge(
        &self,
        system: &dyn System,
        property: &impl Specification,
        deadlock: Deadlock,
    ) -> Result<Option<Word>, Rejected> {
        let fault = |fault: Fault| Rejected(fault.to_string());
        if !system.initial().map_err(fault)?.contains(&self.initial) {
            return Err(Rejected("it does not begin in an initial state".into()));
        }
        let mut here: &[u32] = &self.initial;
        for (number, step) in self.prefix.iter().chain(&self.cycle).enumerate() {
            let is_right = match step.action {
                Some(action) => {
                    let successors = system.successors(here).map_err(fault)?;
                    successors.iter().any(|found| found == (action, &*step.state))
                }
                None => {
                    deadlock == Deadlock::Stutter
                        && *here == *step.state
                        && system.is_deadlock(here).map_err(fault)?
                }
            };
            if !is_right {
                return Err(Rejected(format!("step {} is no step of the system", number + 1)));
            }
            here = &step.state;
        }
        let (prefix, cycle) = self.states();
        if self.cycle.is_empty() {
            let is_right = match deadlock {
                Deadlock::Report => system.is_deadlock(here).map_err(fault)?,
                // There is a continuation, for a state without successors repeats.
                Deadlock::Stutter => {
                    let states = [prefix, cycle].concat();
                    is_bad(system, property, &states, &self.actions().0)?
                }
                Deadlock::Ignore => false,
            };
            let reason = "it has no cycle, and some continuation may satisfy the property";
            return if is_right { Ok(None) } else { Err(Rejected(reason.into())) };
        }
        if *here != *cycle[0] {
            return Err(Rejected("the cycle does not close".into()));
        }
        let actions = self.actions();
        let word = word(system, property, (&prefix, &actions.0), (&cycle, &actions.1))?;
        match property.is_violated_by(&word) {
            false => Err(Rejected(format!("the property holds on {word}"))),
            true => Ok(Some(word)),
        }
    }
}

impl Counterexample {
    /// Returns the word of the run over the propositions of the property, if the run has a cycle.
    ///
    /// # Errors
    /// If a proposition has no meaning in the system, or no value in a state.
    pub fn word(
        &self,
        system: &dyn System,
        property: &impl Specification,
    ) -> Result<Option<Word>, Rejected> {
        let (prefix, cycle) = self.states();
        match self.cycle.is_empty() {
            true => Ok(None),
            false => {
                let actions = self.actions();
                word(system, property, (&prefix, &actions.0), (&cycle, &actions.1)).map(Some)
            }
        }
    }

    /// Returns the number of steps to the bad state of the run: the first state after which every
    /// continuation violates the property. `None` if there is none, or if finding it takes too long.
    ///
    /// # Errors
    /// As for [`Counterexample::word`].
    pub fn steps_to_bad_state(
        &self,
        system: &dyn System,
        property: &impl Specification,
    ) -> Result<Option<usize>, Rejected> {
        let letters = match self.word(system, property)? {
            Some(word) => bad_prefix(property, &word),
            None => {
                let hopes = Hopes::new(property);
                let (prefix, last) = self.states();
                let word = letters_of(system, &hopes, &[prefix, last].concat(), &self.actions().0)?;
                hopes.lost_after(word)
            }
        };
        // The last letter of a property about steps is that of a step, not of a state alone.
        let props = property.props();
        let is_about_steps = Letters::new(system, &props)?.propositions.is_about_steps();
        Ok(letters.map(|letters| letters.saturating_sub(usize::from(!is_about_steps))))
    }
}

/// True if no word satisfies the property that begins with the valuations of these states. That is
/// seen from an automaton of the property, not of its negation: no run on the prefix leads to a state
/// from which something is accepted.
///
/// There are actions for all states but the last, whose step is not known: if the property is about
/// steps, its letter does not count.
fn is_bad(
    system: &dyn System,
    property: &impl Specification,
    states: &[&[u32]],
    actions: &[Option<ActionId>],
) -> Result<bool, Rejected> {
    let hopes = Hopes::new(property);
    let word = letters_of(system, &hopes, states, actions)?;
    Ok(hopes.lost_after(word).is_some())
}

/// The letters of a finite run, over the propositions of an automaton.
fn letters_of(
    system: &dyn System,
    hopes: &Hopes,
    states: &[&[u32]],
    actions: &[Option<ActionId>],
) -> Result<Vec<u64>, Rejected> {
    let letters = Letters::new(system, hopes.props())?;
    let counted = states.len() - usize::from(letters.propositions.is_about_steps());
    (states.iter().enumerate().take(counted))
        .map(|(number, state)| letters.of(state, actions.get(number).copied().flatten()))
        .collect()
}

/// The letters of steps: the valuation of the state that a step leaves, with what its action says.
struct Letters<'a> {
    system: &'a dyn System,
    propositions: Propositions,
}

impl<'a> Letters<'a> {
    fn new(system: &'a dyn System, props: &[Prop]) -> Result<Self, Rejected> {
        let propositions = Propositions::compile(system.names(), props.iter().map(Prop::name));
        let propositions = propositions.map_err(|error| Rejected(error.to_string()))?;
        Ok(Letters { system, propositions })
    }

    fn of(&self, state: &[u32], action: Option<ActionId>) -> Result<u64, Rejected> {
        let valuation = self.propositions.valuation(&mut *self.system.expander(), state);
        let valuation = valuation.map_err(|fault| Rejected(fault.to_string()))?;
        Ok(valuation | action.map_or(0, |action| self.propositions.fired(action)))
    }
}

/// The states of a part of a run, and the action of the step that leaves each.
type Part<'a> = (&'a [&'a [u32]], &'a [Option<ActionId>]);

/// The word of a run over the propositions of a property.
fn word(
    system: &dyn System,
    property: &impl Specification,
    prefix: Part<'_>,
    cycle: Part<'_>,
) -> Result<Word, Rejected> {
    let error = |error: Error| Rejected(error.to_string());
    let props = property.props();
    let letters = Letters::new(system, &props)?;
    let all = |(states, actions): Part<'_>| -> Result<Vec<u64>, Rejected> {
        states.iter().zip(actions).map(|(state, action)| letters.of(state, *action)).collect()
    };
    let (prefix, cycle) = (all(prefix)?, all(cycle)?);
    Word::from_valuations(props, &prefix, &cycle).map_err(error)
}
