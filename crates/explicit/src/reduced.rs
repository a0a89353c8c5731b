//! Checks of Petri nets that are made smaller for the property at hand.
//!
//! What violates the property in the smaller net is told as a run of the given one: each step is
//! replaced by the transitions that it stands for. Where the smaller net can do nothing more, the
//! given one may have a few steps left that change nothing observed.
//!
//! A cycle of the smaller net need not be one of the given net: tokens may pile up on places that
//! were removed because they always have enough. Such places are kept in a second attempt. In nets
//! whose places are bounded all cycles close, since no step takes tokens from those places.

use crate::check::{Options, Outcome, Refusal, Verdict, negate, verify, verify_against, within};
use crate::counterexample::{Counterexample, Move, Rejected};
use crate::explore::{Failure, Limits, Progress, Reason};
use crate::negation::Negation;
use crate::product::Deadlock;
use crate::state_space::StateSpace;
use crate::store::Store;
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Formula, Prop};
use sempre_models::petri::reduce::{Kept, Observed, Reduction};
use sempre_models::petri::{self, Net, PlaceId, TransitionId};
use sempre_models::proposition::Propositions;
use sempre_models::{ActionId, Expander, Extent, Fault, Model, Successors, System};
use sempre_testing::require_invariance;
use std::sync::Arc;

/// Whether nets are made smaller for each property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// If the net as it is has more than a few states.
    #[default]
    Auto,
    /// At once.
    On,
    /// Never.
    Off,
}

impl Reduce {
    /// All choices.
    pub const ALL: [Reduce; 3] = [Reduce::Auto, Reduce::On, Reduce::Off];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Reduce::Auto => "auto",
            Reduce::On => "on",
            Reduce::Off => "off",
        }
    }
}

/// How many states a net has at least that is reduced without being asked for. The states of a
/// smaller net serve one property only, and its runs may be longer in the given one.
pub const FEW_STATES: u64 = 100_000;

/// Checks a net against a formula, as [`verify`](crate::verify()) does, but removes before what the
/// formula does not depend on. The state space is that of the given net.
///
/// Nets are checked as they are if nothing can be removed, or if the options ask for what a smaller
/// net does not show: shortest runs, deadlocks that do not repeat.
///
/// # Errors
/// As for [`verify`](crate::verify()).
pub fn verify_net<T: Store>(
    space: &mut StateSpace<'_, T>,
    (net, reduce): (&Net, Reduce),
    formula: &Formula,
    options: &Options,
    limits: &Limits,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Outcome, Refusal> {
    let can_show = !options.shortest && options.deadlock == Deadlock::Stutter;
    if reduce == Reduce::Off || !can_show {
        return verify(space, formula, options, limits, progress);
    }
    let system = space.system();
    // Unknown names are errors even if simplification would drop them.
    Propositions::compile(system.names(), formula.props().iter().map(Prop::name))?;
    let negation = match negate(formula, options, limits)? {
        Ok(negation) => negation,
        Err(reason) => return Ok(Outcome::unknown(reason)),
    };
    let question = Question { formula, negation: &negation, options, limits, progress };
    // If more states are known already, an earlier property needed them.
    if reduce == Reduce::Auto && space.states() < FEW_STATES as usize {
        let states = limits.states.map_or(FEW_STATES, |most| most.min(FEW_STATES));
        let few = Limits { states: Some(states), ..limits.clone() };
        let outcome = verify_against(space, formula, &negation, options, &few, progress)?;
        let is_large = matches!(outcome.verdict, Verdict::Unknown(Reason::States));
        if !is_large || limits.states.is_some_and(|most| most <= states) {
            return Ok(outcome);
        }
    }
    match question.reduced::<T>(system, net)? {
        Some(outcome) => Ok(outcome),
        None => verify_against(space, formula, &negation, options, limits, progress),
    }
}

/// A formula, and how it is to be checked.
#[derive(Clone, Copy)]
struct Question<'a> {
    formula: &'a Formula,
    negation: &'a Negation,
    options: &'a Options,
    limits: &'a Limits,
    progress: &'a (dyn Fn(&Progress) + Sync),
}

impl Question<'_> {
    /// Checks the smaller net; what was found, and the run if there is one.
    fn on<T: Store>(
        self,
        system: &dyn System,
        reduction: &Reduction,
    ) -> Result<Result<(Outcome, Option<Transitions>), Refusal>, Fault> {
        let mut space = StateSpace::<T>::for_one_property(system);
        let Question { formula, negation, options, limits, progress } = self;
        // The search ends by itself when a limit is reached, and reports how far it has got.
        let found = interrupt::run(&Interrupt::default(), None, || {
            verify_against(&mut space, formula, negation, options, limits, progress)
        });
        match found.unwrap_or_else(|_| unreachable!("nobody else knows of the interrupt")) {
            Err(Refusal::Fault(Failure { fault: fault @ Fault::Overflow(_), .. })) => Err(fault),
            Ok(outcome) => {
                let run = match &outcome.verdict {
                    Verdict::Violated(run) => Some(Transitions::of(run, reduction)),
                    _ => None,
                };
                let size = &reduction.net;
                let (places, transitions) = (size.place_count(), size.transition_count());
                let engine = &outcome.engine;
                let engine =
                    format!("{engine} (net of {places} places, {transitions} transitions)");
                Ok(Ok((Outcome { engine, ..outcome }, run)))
            }
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// The answer from a smaller net; `system` is the token game of the given one. None if there is
    /// no smaller net whose runs come back to a marking of the given one.
    fn reduced<T: Store>(self, system: &dyn System, net: &Net) -> Result<Option<Outcome>, Refusal> {
        let Question { formula, options, limits, .. } = self;
        let Some(mut observed) = Observed::by(net, formula.props().iter().map(Prop::name))? else {
            return Ok(None);
        };
        loop {
            let reduction = match within(limits, || reduction(net, &observed, formula)) {
                Ok(Some(reduction)) => reduction,
                Ok(None) => return Ok(None),
                Err(reason) => return Ok(Some(Outcome::unknown(reason))),
            };
            let model = Model::from(reduction.net.clone());
            let check = |system: &Arc<dyn System>| self.on::<T>(&**system, &reduction);
            let found = match within(limits, || model.run(Extent::OnTheFly, check)) {
                Ok(Ok(Ok(found))) => found,
                // The net itself tells more about its faults.
                Ok(Ok(Err(Refusal::Fault(_))) | Err(_)) => return Ok(None),
                Ok(Ok(Err(refusal))) => return Err(refusal),
                Err(reason) => return Ok(Some(Outcome::unknown(reason))),
            };
            let (outcome, Some(run)) = found else { return Ok(Some(found.0)) };
            let known = observed.places.len();
            observed.places.extend(run.grown(net));
            if observed.places.len() > known {
                continue;
            }
            let told = within(limits, || -> Result<_, Refusal> {
                let run = run.on(system)?;
                run.judge(system, formula, options.deadlock)?;
                Ok(Verdict::Violated(run))
            });
            return Ok(Some(match told {
                Ok(verdict) => Outcome { verdict: verdict?, ..outcome },
                Err(reason) => Outcome::unknown(reason),
            }));
        }
    }
}

/// A smaller net for a formula that is about what is observed, if there is one.
fn reduction(net: &Net, observed: &Observed, formula: &Formula) -> Option<Reduction> {
    let kept = match require_invariance(formula) {
        Ok(_) => Kept::StutterInvariant,
        Err(_) => Kept::All,
    };
    petri::reduce::reduce(net, observed, kept)
}

/// A run of a net, as the transitions that happen.
struct Transitions {
    prefix: Vec<ActionId>,
    cycle: Vec<ActionId>,
    /// The run ends where nothing more can happen.
    ends: bool,
}

impl Transitions {
    /// The run of the given net that a run of the smaller one stands for.
    fn of(run: &Counterexample, reduction: &Reduction) -> Self {
        let expand = |moves: &[Move]| -> Vec<ActionId> {
            let actions = moves.iter().filter_map(|step| step.action);
            let steps = actions.map(|action| &reduction.steps[action.0 as usize]);
            steps.flatten().map(|transition| ActionId(transition.0)).collect()
        };
        let ends = run.cycle.iter().any(|step| step.action.is_none());
        Transitions { prefix: expand(&run.prefix), cycle: expand(&run.cycle), ends }
    }

    /// The places that have more tokens after each round of the cycle.
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

    /// The run on a system whose actions are these transitions.
    fn on(self, system: &dyn System) -> Result<Counterexample, Refusal> {
        let initial = system.initial().map_err(fault)?;
        let initial = initial.into_iter().next();
        let initial = initial.ok_or_else(|| Rejected("there is no initial state".into()))?;
        let mut replay = Replay { expander: system.expander(), here: initial.clone() };
        let prefix = self.prefix.iter().map(|action| replay.fire(*action));
        let mut prefix: Vec<Move> = prefix.collect::<Result<_, _>>()?;
        let cycle = match self.ends {
            true => {
                let mut seen = FxHashSet::default();
                while let Some(step) = replay.any()? {
                    interrupt::poll();
                    if !seen.insert(step.state.clone()) {
                        return Err(Rejected("a run that should end does not".into()).into());
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

fn fault(fault: Fault) -> Refusal {
    Refusal::Fault(fault.into())
}

/// A system in a state.
struct Replay<'a> {
    expander: Box<dyn Expander + 'a>,
    here: Box<[u32]>,
}

impl Replay<'_> {
    /// Lets an action happen.
    fn fire(&mut self, wanted: ActionId) -> Result<Move, Refusal> {
        let happened = self.step(|action| action == wanted)?;
        happened.ok_or_else(|| Rejected("an action cannot happen where it should".into()).into())
    }

    /// Lets anything happen, if something can.
    fn any(&mut self) -> Result<Option<Move>, Refusal> {
        self.step(|_| true)
    }

    fn step(&mut self, is_wanted: impl Fn(ActionId) -> bool) -> Result<Option<Move>, Refusal> {
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
    use super::{ActionId, PlaceId, Refusal, Rejected, Transitions};
    use sempre_models::petri::{NetSystem, text};

    fn run(prefix: &[u32], cycle: &[u32]) -> Transitions {
        let actions = |numbers: &[u32]| numbers.iter().copied().map(ActionId).collect();
        Transitions { prefix: actions(prefix), cycle: actions(cycle), ends: false }
    }

    #[test]
    fn runs_that_are_none_are_rejected() {
        let net = text::parse("pl a (1)  tr t a -> b c  tr u b -> a").unwrap();
        let system = NetSystem::new(net.clone(), net.bounds(), 16);
        let told = run(&[1], &[]).on(&system);
        assert!(matches!(told, Err(Refusal::Rejected(Rejected(_)))), "{told:?}");
        let net = text::parse("pl a (1)  tr t a -> b  tr u b -> a").unwrap();
        let system = NetSystem::new(net.clone(), net.bounds(), 16);
        let told = Transitions { ends: true, ..run(&[0], &[]) }.on(&system);
        assert!(matches!(told, Err(Refusal::Rejected(Rejected(_)))), "{told:?}");
    }

    #[test]
    fn cycles_that_do_not_close_leave_tokens() {
        let net = text::parse("pl a (1)  tr t a -> b c  tr u b -> a").unwrap();
        assert_eq!(run(&[], &[0, 1]).grown(&net), [PlaceId(2)]);
        assert_eq!(run(&[0, 1], &[]).grown(&net), []);
    }
}
