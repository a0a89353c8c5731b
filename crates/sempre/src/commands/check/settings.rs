//! Converts the options of a check to settings of the library.

use super::Check;
use crate::symbolic::OrderOption;
use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sempre::check::combine::Reduce;
use sempre::check::{AutomatonKind, Deadlock};
use sempre::engines::{ENGINES, Settings};
use sempre::explicit::emptiness::Check as Emptiness;
use sempre::explicit::{Options as ExplicitOptions, SearchOrder, StoreKind};
use sempre::models::System;
use sempre::symbolic::{self, Fixpoint, Steps};

/// Options of the symbolic engine.
#[derive(clap::Args, Debug)]
pub(super) struct SymbolicOptions {
    #[command(flatten)]
    order: OrderOption,

    /// The fixpoint on sets of states; `auto` chooses by the strength of the automaton.
    #[arg(long, value_name = "FIXPOINT", default_value = "auto", value_parser = or_auto(&Fixpoint::ALL), help_heading = "Check")]
    fixpoint: OrAuto<Fixpoint>,

    /// Compute sets of states breadth-first, without saturation.
    #[arg(long, help_heading = "Check")]
    no_saturation: bool,

    /// How to compute steps of the product on sets of states: `edges` one by one, `changes` of
    /// propositions first (for testing automata), or `split`, which saturates under self-loops of
    /// the automaton.
    #[arg(long, value_name = "STEPS", default_value = "split", value_parser = named(Steps::ALL.to_vec()), help_heading = "Check")]
    steps: Steps,
}

/// A value of a registry; `None` for `auto`.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrAuto<T>(Option<T>);

/// Parses a name of a registry, or `auto`.
pub(super) fn or_auto<T: Copy + Send + Sync + 'static>(
    rows: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = OrAuto<T>> {
    let names = std::iter::once("auto").chain(rows.iter().map(|(name, _)| *name));
    PossibleValuesParser::new(names)
        .map(|name| OrAuto(rows.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)))
}

/// Parses the name of a value.
fn named<T: Clone + Send + Sync + 'static>(
    rows: Vec<(&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let names: Vec<&'static str> = rows.iter().map(|(name, _)| *name).collect();
    PossibleValuesParser::new(names).try_map(move |name| {
        let found = rows.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone()).ok_or("no value has this name")
    })
}

pub(super) fn checks() -> impl TypedValueParser<Value = OrAuto<Emptiness>> {
    or_auto(&Emptiness::ALL)
}

pub(super) fn automata() -> impl TypedValueParser<Value = AutomatonKind> {
    named(AutomatonKind::ALL.map(|kind| (kind.name(), kind)).to_vec())
}

pub(super) fn deadlocks() -> impl TypedValueParser<Value = Deadlock> {
    named(Deadlock::ALL.map(|deadlock| (deadlock.name(), deadlock)).to_vec())
}

pub(super) fn reductions() -> impl TypedValueParser<Value = Reduce> {
    named(Reduce::ALL.map(|reduce| (reduce.name(), reduce)).to_vec())
}

pub(super) fn stores() -> impl TypedValueParser<Value = StoreKind> {
    named(StoreKind::ALL.map(|store| (store.name(), store)).to_vec())
}

/// Parses the name of an engine; the help comes from the registry.
pub(super) fn engines() -> impl TypedValueParser<Value = &'static str> {
    let rows = ENGINES.iter().map(|row| PossibleValue::new(row.name).help(row.description));
    PossibleValuesParser::new(rows).try_map(|name| {
        let row = ENGINES.iter().find(|row| row.name == name);
        row.map(|row| row.name).ok_or("no engine has this name")
    })
}

impl Check {
    /// Returns the settings for a system.
    pub(super) fn settings(&self, system: &dyn System) -> Result<Settings> {
        Ok(Settings {
            engine: self.engine,
            deadlock: self.deadlock,
            automaton: self.automaton,
            decompose: self.decompose,
            reduce: self.reduce,
            explicit: ExplicitOptions {
                emptiness: self.emptiness.0,
                shortest: self.shortest,
                order: SearchOrder::on_threads(self.threads()),
                ..ExplicitOptions::default()
            },
            store: self.store,
            states: self.limits.states,
            symbolic: symbolic::Options {
                order: self.symbolic.order.order.resolve(system)?,
                fixpoint: self.symbolic.fixpoint.0,
                saturate: !self.symbolic.no_saturation,
                steps: self.symbolic.steps,
                ..symbolic::Options::default()
            },
            is_single: self.has_one_formula(),
        })
    }
}
