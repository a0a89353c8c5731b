//! Which engine checks a property: states one by one, sets of states, or both.

use super::answer::{AT_ONCE, Told};
use super::work::Work;
use crate::symbolic::OrderChoice;
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::explicit::explore::{Limits, Progress};
use sempre::explicit::store::Store;
use sempre::explicit::{
    AutomatonKind, Options, Outcome, Refusal, StateSpace, Verdict, verify, verify_net,
};
use sempre::models::{Model, System};
use sempre::symbolic::{self, First, Fixpoint, Rival, Sets, Steps};
use std::sync::Arc;

/// How states are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Engine {
    /// One by one, and after a second also as sets on a second thread; whichever is first. The
    /// answer tells if sets took part. An option that only one of them knows decides for it.
    #[default]
    Auto,
    /// One by one.
    Explicit,
    /// As sets, in decision diagrams.
    Symbolic,
}

#[derive(clap::Args, Debug)]
pub(super) struct EngineOptions {
    /// How states are looked at.
    #[arg(long, value_enum, default_value_t, help_heading = "Check")]
    engine: Engine,

    /// The order of the variables in decision diagrams: the `best` of what heuristics find in
    /// short trials, `given`, `force`, `cuthill-mckee`, `sloan`, or `@FILE` with one name per line,
    /// from the top.
    #[arg(long, value_name = "ORDER", default_value = "best", help_heading = "Check")]
    order: OrderChoice,

    /// The fixpoint that is computed on sets of states; `auto` chooses by the strength of the
    /// property's automaton.
    #[arg(long, value_name = "FIXPOINT", default_value = "auto", value_parser = fixpoints(), help_heading = "Check")]
    fixpoint: Chosen,

    /// Compute sets of states layer by layer, without saturation.
    #[arg(long, help_heading = "Check")]
    no_saturation: bool,

    /// How steps of the property's automaton and the model together are computed on sets of states:
    /// `edges` one by one, `changes` of propositions first (for testing automata), or `split`, so
    /// that saturation closes what loops of the automaton allow.
    #[arg(long, value_name = "STEPS", default_value = "split", value_parser = steps(), help_heading = "Check")]
    steps: Steps,
}

/// A fixpoint, or none for the best.
#[derive(Clone, Copy, Debug)]
struct Chosen(Option<Fixpoint>);

fn fixpoints() -> impl TypedValueParser<Value = Chosen> {
    let names = std::iter::once("auto").chain(Fixpoint::ALL.map(|(name, _)| name));
    PossibleValuesParser::new(names).map(|name| {
        Chosen(Fixpoint::ALL.iter().find(|(known, _)| *known == name).map(|(_, it)| *it))
    })
}

fn steps() -> impl TypedValueParser<Value = Steps> {
    PossibleValuesParser::new(Steps::ALL.map(|(name, _)| name)).map(|name| {
        let named = Steps::ALL.into_iter().find(|(known, _)| *known == name);
        named.map_or(Steps::default(), |(_, steps)| steps)
    })
}

/// What looks at sets of states, if anything does, with what it knows from earlier formulas.
pub(super) enum OnSets {
    Nothing,
    Alone(Sets),
    /// Beside states one by one.
    Rival(Rival),
}

impl OnSets {
    /// What an engine needs.
    pub(super) fn new(engine: Engine, system: &Arc<dyn System>, bytes: Option<usize>) -> Self {
        match engine {
            Engine::Explicit => OnSets::Nothing,
            Engine::Symbolic => OnSets::Alone(Sets::new(system, bytes)),
            Engine::Auto => OnSets::Rival(Rival::start(system, bytes)),
        }
    }
}

impl EngineOptions {
    /// The engine, given the first of the options that were used and which only states one by one
    /// know.
    pub(super) fn choose(&self, one_by_one: Option<&str>) -> Result<Engine> {
        let sets = [
            (self.order != OrderChoice::Best, "--order"),
            (self.fixpoint.0.is_some(), "--fixpoint"),
            (self.no_saturation, "--no-saturation"),
            (self.steps != Steps::default(), "--steps"),
        ];
        let sets = sets.iter().find(|(is_used, _)| *is_used).map(|(_, option)| *option);
        Ok(match (self.engine, one_by_one, sets) {
            (Engine::Symbolic, Some(option), _) => {
                bail!("{option} does not go with --engine symbolic")
            }
            (Engine::Explicit, _, Some(option)) => {
                bail!("{option} does not go with --engine explicit")
            }
            (_, Some(option), Some(other)) => bail!("{option} does not go with {other}"),
            (Engine::Auto, Some(_), None) => Engine::Explicit,
            (Engine::Auto, None, Some(_)) => Engine::Symbolic,
            (engine, ..) => engine,
        })
    }

    /// How sets of states are checked.
    fn on_sets(&self, system: &dyn System, options: &Options) -> Result<symbolic::Options> {
        let kind = match options.automaton {
            AutomatonKind::Tgta => symbolic::Kind::Tgta,
            _ => symbolic::Kind::Tgba,
        };
        Ok(symbolic::Options {
            kind,
            decompose: options.decompose,
            deadlock: options.deadlock,
            fixpoint: self.fixpoint.0,
            saturate: !self.no_saturation,
            steps: self.steps,
            order: self.order.resolve(system)?,
        })
    }
}

impl Work<'_> {
    /// Checks with the engine that was chosen.
    pub(super) fn decide<T: Store>(
        &self,
        space: &mut StateSpace<'_, T>,
        on_sets: &mut OnSets,
        model: &Model,
        progress: &(dyn Fn(&Progress) + Sync),
    ) -> Result<Result<Told, Refusal>> {
        let Work { formula, options, limits, .. } = self;
        let system = space.system();
        let mut one_by_one = |limits: &Limits| match model.net() {
            Some(net) => verify_net(space, (net, self.reduce), formula, options, limits, progress),
            None => verify(space, formula, options, limits, progress),
        };
        let how = |system| self.engines.on_sets(system, options);
        let first = match on_sets {
            OnSets::Nothing => {
                return Ok(one_by_one(limits).map(|outcome| Told::new(system, outcome)));
            }
            OnSets::Alone(sets) => {
                let outcome = sets.verify(formula, &how(system)?, limits);
                return Ok(outcome.map(|outcome| Told::of_sets(system, outcome)));
            }
            OnSets::Rival(rival) => rival.race(formula, &how(system)?, limits, one_by_one),
        };
        Ok(first.map(|first| match first {
            First::AtOnce(outcome @ Outcome { verdict: Verdict::Unknown(_), .. }) => {
                Told::new(system, outcome)
            }
            First::AtOnce(outcome) => Told::new(system, outcome).since(AT_ONCE),
            First::Explicit(outcome) => {
                let why = match outcome.verdict {
                    Verdict::Unknown(_) => "sets of states have not decided it either",
                    _ => "it was first, ahead of sets of states",
                };
                Told::new(system, outcome).since(why)
            }
            First::Symbolic(outcome) => {
                Told::of_sets(system, outcome).since("it was first, ahead of states one by one")
            }
        }))
    }
}
