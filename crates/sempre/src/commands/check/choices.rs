//! What options of the command can be.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::explicit::emptiness::Check as Emptiness;
use sempre::explicit::{AutomatonKind, Deadlock, Reduce};

/// An emptiness check, or none for the best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen(pub(super) Option<Emptiness>);

pub(super) fn checks() -> impl TypedValueParser<Value = Chosen> {
    let names = std::iter::once("auto").chain(Emptiness::ALL.map(|(name, _)| name));
    PossibleValuesParser::new(names).map(|name| {
        Chosen(Emptiness::ALL.iter().find(|(known, _)| *known == name).map(|(_, check)| *check))
    })
}

pub(super) fn automata() -> impl TypedValueParser<Value = AutomatonKind> {
    PossibleValuesParser::new(AutomatonKind::ALL.map(AutomatonKind::name)).map(|name| {
        let named = AutomatonKind::ALL.into_iter().find(|kind| kind.name() == name);
        named.unwrap_or_default()
    })
}

pub(super) fn deadlocks() -> impl TypedValueParser<Value = Deadlock> {
    PossibleValuesParser::new(Deadlock::ALL.map(Deadlock::name)).map(|name| {
        let named = Deadlock::ALL.into_iter().find(|deadlock| deadlock.name() == name);
        named.unwrap_or_default()
    })
}

pub(super) fn reductions() -> impl TypedValueParser<Value = Reduce> {
    PossibleValuesParser::new(Reduce::ALL.map(Reduce::name)).map(|name| {
        let named = Reduce::ALL.into_iter().find(|reduce| reduce.name() == name);
        named.unwrap_or_default()
    })
}
