//! Runs of a system that violate a property, and the judge that believes none of them.

use crate::bad_prefix::{Hopes, bad_prefix};
use crate::question::Deadlock;
use rustc_hash::FxHashMap;
use sempre_ltl::{Formula, Prop, Word, interrupt, semantics};
use sempre_models::proposition::Propositions;
use sempre_models::{ActionId, Error, Fault, Successors, System};

/// A run: from an initial state through a prefix to a cycle that repeats for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The state in which it begins.
    pub initial: Box<[u32]>,
    /// The steps to the cycle.
    pub prefix: Vec<Move>,
    /// The steps of the cycle, the last of which leads back to the state where it began. Empty if
    /// the run ends in a state without successors, and that is what it shows; or if whatever follows
    /// violates the property, and no cycle could be found.
    pub cycle: Vec<Move>,
}

/// How many steps are replayed at most to make a run shorter.
const MOST_STEPS: usize = 1 << 20;

/// What becomes of a run in which a state comes twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fold {
    /// What is between repeats for ever.
    Close,
    /// What is between, the last part of which is on the cycle, is left out: the cycle begins later.
    Turn,
    /// What is between is left out.
    Cut,
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
    /// cycle, one of which may be empty.
    ///
    /// # Errors
    /// If the system has a fault, or the states do not follow each other.
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
                return Err(Rejected("a state does not follow the one before".into()));
            }
            moves.push(Move { action, state: state.clone() });
            here = state;
        }
        let cycle = moves.split_off(prefix.len().min(moves.len()));
        Ok(Counterexample { initial: initial.clone(), prefix: moves, cycle })
    }

    /// A shorter run along the same states, if there is one that the [judge](Self::judge) lets pass:
    /// where a state comes back, the run may leave out what is between, or repeat that for ever.
    ///
    /// A shortest run of a product need not be a shortest one of the system, since the automaton may
    /// need some steps to be where a cycle can close.
    pub fn folded(mut self, system: &dyn System, formula: &Formula, deadlock: Deadlock) -> Self {
        let mut steps = MOST_STEPS;
        let mut is_left = |run: &Counterexample| {
            interrupt::poll();
            steps = steps.saturating_sub(run.prefix.len() + run.cycle.len());
            steps > 0 && run.judge(system, formula, deadlock).is_ok()
        };
        loop {
            let shorter = self.folds().find(&mut is_left);
            match shorter {
                Some(shorter) => self = shorter,
                None => return self,
            }
        }
    }

    /// Shorter runs along the same states, the shortest first.
    fn folds(&self) -> impl Iterator<Item = Counterexample> + '_ {
        let (prefix, cycle) = self.states();
        let (start, length) = (self.prefix.len(), self.prefix.len() + self.cycle.len());
        // The state before each step, and that after the last one.
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
    pub fn judge(
        &self,
        system: &dyn System,
        formula: &Formula,
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
                return Err(Rejected(format!("step {} is none of the system", number + 1)));
            }
            here = &step.state;
        }
        let (prefix, cycle) = self.states();
        if self.cycle.is_empty() {
            let is_right = match deadlock {
                Deadlock::Report => system.is_deadlock(here).map_err(fault)?,
                // There is a continuation, for a state without successors repeats.
                Deadlock::Stutter => is_bad(system, formula, &[prefix, cycle].concat())?,
                Deadlock::Ignore => false,
            };
            let reason = "it has no cycle, and what follows need not violate the property";
            return if is_right { Ok(None) } else { Err(Rejected(reason.into())) };
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

impl Counterexample {
    /// Returns the word of the run over the propositions of the formula, if the run has a cycle.
    ///
    /// # Errors
    /// If a proposition has no meaning in the system, or no value in a state.
    pub fn word(&self, system: &dyn System, formula: &Formula) -> Result<Option<Word>, Rejected> {
        let (prefix, cycle) = self.states();
        match self.cycle.is_empty() {
            true => Ok(None),
            false => word(system, formula, &prefix, &cycle).map(Some),
        }
    }

    /// Returns the number of steps to the bad state of the run: the first state after which every
    /// continuation violates the formula. `None` if there is none, or if finding it takes too long.
    ///
    /// # Errors
    /// As for [`Counterexample::word`].
    pub fn steps_to_bad_state(
        &self,
        system: &dyn System,
        formula: &Formula,
    ) -> Result<Option<usize>, Rejected> {
        let letters = match self.word(system, formula)? {
            Some(word) => bad_prefix(formula, &word),
            None => {
                let hopes = Hopes::new(formula);
                let valuations = valuations(system, hopes.props())?;
                let (prefix, last) = self.states();
                let states = prefix.iter().chain(&last);
                let letters: Result<Vec<u64>, Rejected> =
                    states.map(|state| valuations(state)).collect();
                hopes.lost_after(letters?)
            }
        };
        Ok(letters.map(|letters| letters.saturating_sub(1)))
    }
}

/// True if no word satisfies the formula that begins with the valuations of these states. That is
/// seen from an automaton of the formula, not of its negation: no run on the prefix leads to a state
/// from which something is accepted.
fn is_bad(system: &dyn System, formula: &Formula, states: &[&[u32]]) -> Result<bool, Rejected> {
    let hopes = Hopes::new(formula);
    let valuations = valuations(system, hopes.props())?;
    let letters: Result<Vec<u64>, Rejected> =
        states.iter().map(|state| valuations(state)).collect();
    Ok(hopes.lost_after(letters?).is_some())
}

/// Tells the valuations of states.
fn valuations<'a>(
    system: &'a dyn System,
    props: &[Prop],
) -> Result<impl Fn(&[u32]) -> Result<u64, Rejected> + use<'a>, Rejected> {
    let compiled = Propositions::compile(system.names(), props.iter().map(Prop::name));
    let compiled = compiled.map_err(|error| Rejected(error.to_string()))?;
    Ok(move |state: &[u32]| {
        let valuation = compiled.valuation(&mut *system.expander(), state);
        valuation.map_err(|fault| Rejected(fault.to_string()))
    })
}

/// The word of a run over the propositions of a formula.
fn word(
    system: &dyn System,
    formula: &Formula,
    prefix: &[&[u32]],
    cycle: &[&[u32]],
) -> Result<Word, Rejected> {
    let error = |error: Error| Rejected(error.to_string());
    let props: Vec<Prop> = formula.props().into_iter().collect();
    let valuation = valuations(system, &props)?;
    let all = |states: &[&[u32]]| states.iter().map(|state| valuation(state)).collect();
    let (prefix, cycle): (Vec<u64>, Vec<u64>) = match (all(prefix), all(cycle)) {
        (Ok(prefix), Ok(cycle)) => (prefix, cycle),
        (Err(rejected), _) | (_, Err(rejected)) => return Err(rejected),
    };
    Word::from_valuations(props, &prefix, &cycle).map_err(error)
}
