//! Checks Petri nets after a structural reduction for the property.
//!
//! A counterexample of the reduced net becomes a run of the original net: each step expands to the
//! transitions that it represents. Where the reduced net has a deadlock, the original net may still
//! have some unobserved steps; the run is extended by them.
//!
//! A cycle of the reduced net need not close in the original net: tokens may accumulate on places
//! that were removed because they never disable a transition. A second attempt keeps such places.
//! In bounded nets every cycle closes, since no step takes tokens from those places.

use super::AnyEngine;
use crate::control::{Control, Limits, Reason};
use crate::counterexample::{Counterexample, Move, Rejected};
use crate::engine::Engine;
use crate::outcome::{CheckError, Evidence, Outcome, Unknown, Unsupported, Verdict};
use crate::property::Property;
use crate::provenance::NetSize;
use crate::question::{Deadlock, Question};
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::{Prop, interrupt};
use sempre_models::petri::reduce::{Observed, PropertyClass, Reduction};
use sempre_models::petri::{self, Net, PlaceId, TransitionId};
use sempre_models::{ActionId, Expander, Fault, Model, Successors, System};
use std::sync::Arc;

/// When nets are reduced for each property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// If the original net has more than [`FEW_STATES`] states.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

impl Reduce {
    /// All choices.
    pub const ALL: [Reduce; 3] = [Reduce::Auto, Reduce::On, Reduce::Off];

    /// Returns the name in options and output.
    pub fn name(self) -> &'static str {
        match self {
            Reduce::Auto => "auto",
            Reduce::On => "on",
            Reduce::Off => "off",
        }
    }
}

/// The number of states above which `Reduce::Auto` reduces a net. States of a reduced net serve one
/// property only, and its counterexamples may be longer in the original net.
pub const FEW_STATES: u64 = 100_000;

/// Makes an engine for the systems of a model.
type Maker = Box<dyn Fn(&Model) -> Result<AnyEngine, CheckError>>;

/// Checks a reduced net in place of a large one.
///
/// Checks the original net if no reduction applies, or if deadlocks do not stutter.
pub struct NetReduction {
    net: Arc<Net>,
    reduce: Reduce,
    whole: AnyEngine,
    of_reduced: Maker,
    /// True if the original net has more than [`FEW_STATES`] states.
    is_large: bool,
}

impl NetReduction {
    /// Combines the engine of the original net with a maker of engines for reduced nets.
    pub fn new(
        net: Arc<Net>,
        reduce: Reduce,
        whole: AnyEngine,
        of_reduced: impl Fn(&Model) -> Result<AnyEngine, CheckError> + 'static,
    ) -> Self {
        let of_reduced = Box::new(of_reduced);
        NetReduction { net, reduce, whole, of_reduced, is_large: false }
    }

    /// Checks a reduced net. Returns `None` if there is none, or if its counterexample does not
    /// close a cycle in the original net.
    fn reduced(
        &self,
        question: &Question,
        control: &Control<'_>,
    ) -> Result<Option<Outcome>, CheckError> {
        let (net, property, limits) = (&*self.net, question.property(), &control.limits);
        let observed = Observed::by(net, question.props().iter().map(Prop::name));
        // The propositions were compiled for the system of the question.
        let Ok(Some(mut observed)) = observed else { return Ok(None) };
        loop {
            let Some(reduction) = limits.run(|| reduction(net, &observed, property))? else {
                return Ok(None);
            };
            let model = Model::from(reduction.net.clone());
            let smaller = question.about(model.system())?;
            let mut engine = (self.of_reduced)(&model)?;
            let mut outcome = match engine.check(&smaller, control) {
                Ok(outcome) => outcome,
                // The original net gives a better report of the fault.
                Err(CheckError::Fault(_)) => return Ok(None),
                Err(error) => return Err(error),
            };
            if matches!(outcome.verdict, Verdict::Unknown(Unknown::Fault(_))) {
                return Ok(None);
            }
            let (places, transitions) =
                (reduction.net.place_count(), reduction.net.transition_count());
            outcome.provenance.reduction = Some(NetSize { places, transitions });
            outcome.system = question.system().clone();
            let Some(run) = outcome.counterexample() else { return Ok(Some(outcome)) };
            let run = Transitions::of(run, &reduction);
            let known = observed.places.len();
            observed.places.extend(run.grown(net));
            if observed.places.len() > known {
                continue;
            }
            let run = limits.run(|| -> Result<_, CheckError> {
                let run = run.on(&**question.system())?;
                run.judge(&**question.system(), property, question.deadlock())?;
                Ok(run)
            })??;
            outcome.evidence = Some(Evidence::Run(run));
            return Ok(Some(outcome));
        }
    }
}

impl Engine for NetReduction {
    fn name(&self) -> &'static str {
        self.whole.name()
    }

    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        self.whole.supports(question)
    }

    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        // Transitions that are joined or removed are not treated fairly.
        let is_unfit = question.deadlock() != Deadlock::Stutter || question.fairness().is_some();
        if self.reduce == Reduce::Off || is_unfit {
            return self.whole.check(question, control);
        }
        if self.reduce == Reduce::Auto && !self.is_large {
            let limits = &control.limits;
            let states = limits.states.map_or(FEW_STATES, |most| most.min(FEW_STATES));
            let few = Limits { states: Some(states), ..limits.clone() };
            let outcome = self.whole.check(question, &control.with(few))?;
            self.is_large = outcome.verdict == Verdict::Unknown(Unknown::Limit(Reason::States));
            if !self.is_large || limits.states.is_some_and(|most| most <= states) {
                return Ok(outcome);
            }
        }
        match self.reduced(question, control) {
            Ok(Some(outcome)) => Ok(outcome),
            Ok(None) => self.whole.check(question, control),
            Err(error) => error.or_unknown(question, self.name()),
        }
    }
}

/// Returns a reduced net for a property over the observed places and transitions, if one exists.
fn reduction(net: &Net, observed: &Observed, property: &Property) -> Option<Reduction> {
    // Steps of which it is asked whether they happen count, even if nothing else changes.
    let is_invariant = observed.fired.is_empty() && property.require_invariance().is_ok();
    let kept = match is_invariant {
        true => PropertyClass::StutterInvariant,
        false => PropertyClass::All,
    };
    petri::reduce::reduce(net, observed, kept)
}

/// A run of a net as a sequence of transitions.
struct Transitions {
    prefix: Vec<ActionId>,
    cycle: Vec<ActionId>,
    /// True if the run ends in a deadlock.
    ends: bool,
}

impl Transitions {
    /// Returns the run of the original net that a run of the reduced net represents.
    fn of(run: &Counterexample, reduction: &Reduction) -> Self {
        let expand = |moves: &[Move]| -> Vec<ActionId> {
            let actions = moves.iter().filter_map(|step| step.action);
            let steps = actions.map(|action| &reduction.steps[action.0 as usize]);
            steps.flatten().map(|transition| ActionId(transition.0)).collect()
        };
        let ends = run.cycle.iter().any(|step| step.action.is_none());
        Transitions { prefix: expand(&run.prefix), cycle: expand(&run.cycle), ends }
    }

    /// Returns the places that gain tokens in each iteration of the cycle.
    fn grown(&self, net: &Net) -> Vec<PlaceId> {
        let mut effect: FxHashMap<PlaceId, i64> = FxHashMap::default();
        for action in &self.cycle {
            let transition = TransitionId(action.0);
            for (place, weight) in net.inputs(transition) {
                *effect.entry(*place).or_default() -= i64::from(*weight);
            }
            for (place, weight) in net.outputs(transition) {
                *effect.entry(*place).or_default() += i64::from(*weight);
            }
        }
        effect.into_iter().filter(|(_, change)| *change > 0).map(|(place, _)| place).collect()
    }

    /// Replays the transitions on a system whose actions they are.
    fn on(self, system: &dyn System) -> Result<Counterexample, CheckError> {
        let initial = system.initial().map_err(fault)?;
        let initial = initial.into_iter().next();
        let initial = initial.ok_or_else(|| Rejected("the system has no initial state".into()))?;
        let mut replay = Replay { expander: system.expander(), here: initial.clone() };
        let prefix = self.prefix.iter().map(|action| replay.fire(*action));
        let mut prefix: Vec<Move> = prefix.collect::<Result<_, _>>()?;
        let cycle = match self.ends {
            true => {
                let mut seen = FxHashSet::default();
                while let Some(step) = replay.any()? {
                    interrupt::poll();
                    if !seen.insert(step.state.clone()) {
                        return Err(
                            Rejected("the run ends in a state that has successors".into()).into()
                        );
                    }
                    prefix.push(step);
                }
                vec![Move { action: None, state: replay.here }]
            }
            false => {
                let cycle = self.cycle.iter().map(|action| replay.fire(*action));
                cycle.collect::<Result<_, _>>()?
            }
        };
        Ok(Counterexample { initial, prefix, cycle })
    }
}

fn fault(fault: Fault) -> CheckError {
    CheckError::Fault(fault.into())
}

/// A system and its current state.
struct Replay<'a> {
    expander: Box<dyn Expander + 'a>,
    here: Box<[u32]>,
}

impl Replay<'_> {
    /// Fires an action.
    fn fire(&mut self, wanted: ActionId) -> Result<Move, CheckError> {
        let happened = self.step(|action| action == wanted)?;
        happened.ok_or_else(|| Rejected("an action of the run is not enabled".into()).into())
    }

    /// Fires the first enabled action, if any.
    fn any(&mut self) -> Result<Option<Move>, CheckError> {
        self.step(|_| true)
    }

    fn step(&mut self, is_wanted: impl Fn(ActionId) -> bool) -> Result<Option<Move>, CheckError> {
        let mut successors = Successors::new(self.here.len());
        self.expander.expand(&self.here, &mut successors).map_err(fault)?;
        let next = successors.iter().find(|(action, _)| is_wanted(*action));
        let next = next.map(|(action, state)| Move { action: Some(action), state: state.into() });
        if let Some(step) = &next {
            self.here.clone_from(&step.state);
        }
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use super::{ActionId, CheckError, PlaceId, Rejected, Transitions};
    use sempre_models::petri::{NetSystem, text};

    fn run(prefix: &[u32], cycle: &[u32]) -> Transitions {
        let actions = |numbers: &[u32]| numbers.iter().copied().map(ActionId).collect();
        Transitions { prefix: actions(prefix), cycle: actions(cycle), ends: false }
    }

    #[test]
    fn runs_that_are_none_are_rejected() {
        let net = text::parse("pl a (1)  tr t a -> b c  tr u b -> a").unwrap();
        let system = NetSystem::new(net.clone(), net.bounds(), 16);
        let rejected = run(&[1], &[]).on(&system);
        assert!(matches!(rejected, Err(CheckError::Rejected(Rejected(_)))), "{rejected:?}");
        let net = text::parse("pl a (1)  tr t a -> b  tr u b -> a").unwrap();
        let system = NetSystem::new(net.clone(), net.bounds(), 16);
        let rejected = Transitions { ends: true, ..run(&[0], &[]) }.on(&system);
        assert!(matches!(rejected, Err(CheckError::Rejected(Rejected(_)))), "{rejected:?}");
    }

    #[test]
    fn cycles_that_do_not_close_leave_tokens() {
        let net = text::parse("pl a (1)  tr t a -> b c  tr u b -> a").unwrap();
        assert_eq!(run(&[], &[0, 1]).grown(&net), [PlaceId(2)]);
        assert_eq!(run(&[0, 1], &[]).grown(&net), []);
    }
}
