//! The checks as work on a system, whatever its kind.

use super::answer::Told;
use super::engine::{Engine, EngineOptions, OnSets};
use super::{Check, Pictures};
use crate::Exit;
use crate::commands::explore::Kept;
use crate::input::{Failure, Source};
use crate::output::Output;
use crate::progress::Meter;
use anyhow::{Result, anyhow};
use sempre::explicit::explore::{self, Limits};
use sempre::explicit::store::{Arena, Store, Tree};
use sempre::explicit::{Options, Reduce, Refusal, StateSpace};
use sempre::ltl::{self, Formula};
use sempre::models::proposition::Propositions;
use sempre::models::{Extent, Fault, Model, System};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// Does all checks on the system of a model.
pub(super) fn on_model(check: &Check, model: &Model, out: &mut Output) -> Result<(Exit, Pictures)> {
    let done = model.run(Extent::OnTheFly, |system| {
        Ok(match check.store {
            Kept::Arena => on_system::<Arena>(check, model, system, out),
            Kept::Tree => on_system::<Tree>(check, model, system, out),
        })
    });
    done.map_err(|fault| anyhow!("{fault}"))?
}

fn on_system<T: Store>(
    check: &Check,
    model: &Model,
    system: &Arc<dyn System>,
    out: &mut Output,
) -> Result<(Exit, Pictures)> {
    let engine = check.engine()?;
    let space = match check.has_one_formula() {
        true => StateSpace::<T>::for_one_property(&**system),
        false => StateSpace::new(&**system),
    };
    let on_sets = OnSets::new(engine, system, check.bytes());
    check.all(&mut Known { model, space, on_sets }, out)
}

/// What answers questions about a model.
pub(super) trait Answers {
    /// The propositions among these that have a meaning in the model.
    fn meaningful(&self, propositions: &BTreeSet<String>) -> BTreeSet<String>;

    /// The name that the model gives itself, if it has one.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Does the work.
    fn answer(&mut self, work: &mut Work<'_>) -> Result<Result<Told, Failure>, Fault>;
}

/// A model that was not ready in time.
pub(super) struct Unprepared;

impl Answers for Unprepared {
    fn meaningful(&self, propositions: &BTreeSet<String>) -> BTreeSet<String> {
        propositions.clone()
    }

    fn answer(&mut self, _: &mut Work<'_>) -> Result<Result<Told, Failure>, Fault> {
        Ok(Ok(Told::unprepared()))
    }
}

/// A model with what is known about its state space from one formula to the next.
struct Known<'a, T> {
    model: &'a Model,
    space: StateSpace<'a, T>,
    on_sets: OnSets,
}

impl<T: Store> Answers for Known<'_, T> {
    fn meaningful(&self, propositions: &BTreeSet<String>) -> BTreeSet<String> {
        let names = self.space.system().names();
        let has_meaning = |text: &&String| Propositions::compile(names, [text.as_str()]).is_ok();
        propositions.iter().filter(has_meaning).cloned().collect()
    }

    fn name(&self) -> Option<&str> {
        self.model.name()
    }

    fn answer(&mut self, work: &mut Work<'_>) -> Result<Result<Told, Failure>, Fault> {
        let model = self.model;
        // This formula may need states with more bits.
        let fault = match work.verify(&mut self.space, &mut self.on_sets, model) {
            Err(Fault::Overflow(_)) => match work.again(model) {
                Err(fault @ Fault::Unbounded { .. }) => fault,
                answer => return answer,
            },
            answer => return answer,
        };
        if !work.go_level_by_level() {
            return Err(fault);
        }
        match work.again(model) {
            Ok(Ok(told)) if told.is_decided() => Ok(Ok(told)),
            _ => Err(fault),
        }
    }
}

/// How many states of an unbounded net are looked at level by level.
const UNBOUNDED_STATES: u64 = 100_000;

/// The check of one formula.
pub(super) struct Work<'a> {
    pub(super) formula: &'a Formula,
    /// Where the formula was read.
    pub(super) source: Option<&'a Source<'a>>,
    pub(super) options: Options,
    pub(super) store: Kept,
    pub(super) engine: Engine,
    pub(super) engines: &'a EngineOptions,
    pub(super) limits: Limits,
    /// Whether nets are made smaller.
    pub(super) reduce: Reduce,
    pub(super) meter: Mutex<Meter>,
}

impl Work<'_> {
    /// Does the check with another state space.
    fn again(&self, model: &Model) -> Result<Result<Told, Failure>, Fault> {
        model.run(Extent::OnTheFly, |system| {
            let on_sets = &mut OnSets::new(self.engine, system, self.limits.bytes);
            match self.store {
                Kept::Arena => {
                    let mut space = StateSpace::<Arena>::for_one_property(&**system);
                    self.verify(&mut space, on_sets, model)
                }
                Kept::Tree => {
                    let mut space = StateSpace::<Tree>::for_one_property(&**system);
                    self.verify(&mut space, on_sets, model)
                }
            }
        })
    }

    /// Has the search go level by level from now on, and not far: one that goes into the depth adds
    /// tokens for ever, where there may be a violation near the beginning. False if another search
    /// was asked for.
    fn go_level_by_level(&mut self) -> bool {
        let Options { emptiness, threads, .. } = &mut self.options;
        if emptiness.is_some() || *threads != 1 || self.engine == Engine::Symbolic {
            return false;
        }
        // Several threads go level by level; the engine with sets cannot have an end here.
        *threads = 2;
        self.engine = Engine::Explicit;
        let states = self.limits.states.unwrap_or(u64::MAX);
        self.limits.states = Some(states.min(UNBOUNDED_STATES));
        true
    }

    fn verify<T: Store>(
        &self,
        space: &mut StateSpace<'_, T>,
        on_sets: &mut OnSets,
        model: &Model,
    ) -> Result<Result<Told, Failure>, Fault> {
        let system = space.system();
        let progress = |progress: &_| {
            // Whoever is late has nothing new to tell.
            if let Ok(mut meter) = self.meter.try_lock() {
                meter.show(progress);
            }
        };
        if let Err(error) = self.propositions(system) {
            return Ok(Err(error.into()));
        }
        let told = match self.decide(space, on_sets, model, &progress) {
            Ok(told) => told,
            Err(error) => return Ok(Err(error.into())),
        };
        match told {
            Ok(told) => Ok(Ok(told)),
            Err(Refusal::Fault(explore::Failure { fault: fault @ Fault::Overflow(_), .. })) => {
                Err(fault)
            }
            Err(Refusal::Fault(failure)) => Ok(Ok(Told::fault(system, &failure))),
            Err(Refusal::Error(error)) => Ok(Err(error.into())),
            Err(error) => Ok(Err(anyhow!(error).into())),
        }
    }

    /// Sees that the propositions have a meaning in the system. The place of an error is one in the
    /// text that the formula was read from.
    fn propositions(&self, system: &dyn System) -> Result<(), ltl::Error> {
        let mut propositions = Propositions::default();
        for prop in self.formula.props() {
            propositions.push(system.names(), prop.name()).map_err(|error| match self.source {
                Some(source) => source.in_proposition(prop.name(), error),
                None => ltl::Error::new(error.to_string()),
            })?;
        }
        Ok(())
    }
}
