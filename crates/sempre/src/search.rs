//! The options of searches, the same in every command: the engine, stores and threads.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sempre::explicit::StoreKind;

/// The options of a search state by state.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct SearchOptions {
    /// How states are stored: as they are, or compressed.
    #[arg(long, value_name = "STORE", default_value = "arena", value_parser = stores(), help_heading = "Search")]
    pub(crate) store: StoreKind,

    /// Search on N threads, 0 for all cores.
    ///
    /// A check does so if the property's automaton is terminal or weak and --emptiness is `auto`.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(..=MAX_THREADS), help_heading = "Search")]
    threads: u16,
}

/// The greatest number of threads.
pub(crate) const MAX_THREADS: i64 = 256;

impl SearchOptions {
    /// The number of threads, at least one.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.into(),
        }
    }
}

fn stores() -> impl TypedValueParser<Value = StoreKind> {
    named(StoreKind::ALL.map(|store| (store.name(), store)).to_vec())
}

/// Parses the names of values.
pub(crate) fn named<T: Clone + Send + Sync + 'static>(
    rows: Vec<(&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let names: Vec<&'static str> = rows.iter().map(|(name, _)| *name).collect();
    PossibleValuesParser::new(names).try_map(move |name| {
        let found = rows.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone()).ok_or("there is no such name")
    })
}

/// Parses the names of the rows of a registry, each with a line of help.
pub(crate) fn described<T: Clone + Send + Sync + 'static>(
    rows: impl Iterator<Item = (&'static str, &'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let rows: Vec<_> = rows.collect();
    let values = rows.iter().map(|(name, help, _)| PossibleValue::new(*name).help(*help));
    let values: Vec<_> = values.collect();
    PossibleValuesParser::new(values).try_map(move |name| {
        let row = rows.iter().find(|(known, ..)| *known == name);
        row.map(|(.., value)| value.clone()).ok_or("there is no such name")
    })
}
