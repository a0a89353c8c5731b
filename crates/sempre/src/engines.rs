//! The registry of engines: one row for each.
//!
//! A row makes an engine from [`Settings`] and says which settings only it reads. `--engine`, its help
//! and its error messages are made from the rows.

use crate::check::combine::{AnyEngine, LevelByLevel, NetReduction, Race, Reduce, Widening};
use crate::check::{AutomatonKind, CheckError, Deadlock, Unsupported};
use crate::explicit::{ExplicitEngine, Options as ExplicitOptions, SearchOrder, StoreKind};
use crate::models::Model;
use crate::symbolic::{self, Kind, Order, SymbolicEngine};

/// How questions are answered.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the engine; `auto` lets the settings and the question decide.
    pub engine: &'static str,
    /// The meaning of states without successors.
    pub deadlock: Deadlock,
    /// The kind of automaton that formulas are checked with.
    pub automaton: AutomatonKind,
    /// Take the automaton apart by the strengths of its components.
    pub decompose: bool,
    /// Whether nets are reduced for each formula.
    pub reduce: Reduce,
    /// The explicit engine: emptiness check, order of the search, short counterexamples.
    pub explicit: ExplicitOptions,
    /// The explicit engine: how states are stored.
    pub store: StoreKind,
    /// The greatest number of states to be stored; only the explicit engine stores states.
    pub states: Option<u64>,
    /// The symbolic engine: order of variables, fixpoint, steps.
    pub symbolic: symbolic::Options,
    /// There will be one question only.
    pub is_single: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            engine: AUTO,
            deadlock: Deadlock::default(),
            automaton: AutomatonKind::default(),
            decompose: false,
            reduce: Reduce::default(),
            explicit: ExplicitOptions::default(),
            store: StoreKind::default(),
            states: None,
            symbolic: symbolic::Options::default(),
            is_single: false,
        }
    }
}

/// The name of the row that lets settings decide.
pub const AUTO: &str = "auto";

/// The name of the row of the explicit engine.
const EXPLICIT: &str = "explicit";

/// A row of the registry.
#[derive(Clone, Copy, Debug)]
pub struct EngineRow {
    /// The name.
    pub name: &'static str,
    /// One line about the engine.
    pub description: &'static str,
    /// Returns the first setting that was changed and that only this engine reads, as its option is
    /// called.
    pub reads: fn(&Settings) -> Option<&'static str>,
    /// Makes the engine for questions about a model.
    pub make: fn(&Model, &Settings) -> Result<AnyEngine, CheckError>,
}

/// The engines of this library.
pub static ENGINES: &[EngineRow] = &[
    EngineRow {
        name: AUTO,
        description: "explicit-state; after one second the symbolic engine joins on a second \
                      thread, and the first verdict wins",
        reads: |_| None,
        make: race,
    },
    EngineRow {
        name: EXPLICIT,
        description: "explicit-state search of the product, state by state",
        reads: |settings| {
            let used = [
                (settings.explicit.emptiness.is_some(), "--emptiness"),
                (
                    !matches!(
                        settings.automaton,
                        AutomatonKind::Auto | AutomatonKind::Tgba | AutomatonKind::Tgta
                    ),
                    "that --automaton",
                ),
                (settings.explicit.shortest, "--shortest"),
                (settings.states.is_some(), "--states"),
                (settings.explicit.order != SearchOrder::default(), "--threads"),
                (settings.store != StoreKind::default(), "--store"),
            ];
            used.iter().find(|(is_used, _)| *is_used).map(|(_, option)| *option)
        },
        make: explicit,
    },
    EngineRow {
        name: "symbolic",
        description: "fixpoints on sets of states, stored as decision diagrams",
        reads: |settings| {
            let default = symbolic::Options::default();
            let used = [
                (settings.symbolic.order != Order::Best, "--order"),
                (settings.symbolic.fixpoint.is_some(), "--fixpoint"),
                (settings.symbolic.saturate != default.saturate, "--no-saturation"),
                (settings.symbolic.steps != default.steps, "--steps"),
            ];
            used.iter().find(|(is_used, _)| *is_used).map(|(_, option)| *option)
        },
        make: |model, settings| widening(model, SymbolicEngine::new(settings.symbolic())),
    },
];

impl Settings {
    /// The same meaning of formulas, checked by the explicit engine with its default settings.
    pub(crate) fn explicit_alone(&self) -> Settings {
        let default = Settings::default();
        Settings {
            engine: EXPLICIT,
            reduce: Reduce::Off,
            automaton: default.automaton,
            decompose: default.decompose,
            explicit: default.explicit,
            store: default.store,
            states: default.states,
            symbolic: default.symbolic,
            is_single: default.is_single,
            // All that is left says which runs count.
            ..self.clone()
        }
    }

    fn explicit(&self) -> ExplicitOptions {
        let (automaton, decompose) = (self.automaton, self.decompose);
        ExplicitOptions { automaton, decompose, ..self.explicit }
    }

    fn symbolic(&self) -> symbolic::Options {
        let kind = match self.automaton {
            AutomatonKind::Tgta => Kind::Tgta,
            _ => Kind::Tgba,
        };
        symbolic::Options { kind, decompose: self.decompose, ..self.symbolic.clone() }
    }
}

/// The engines that a program has: those of this library, and added ones.
#[derive(Clone, Debug, Default)]
pub struct Engines {
    added: Vec<EngineRow>,
}

impl Engines {
    /// Adds an engine.
    #[must_use]
    pub fn with(mut self, row: EngineRow) -> Self {
        self.added.push(row);
        self
    }

    /// Iterates over all rows.
    pub fn iter(&self) -> impl Iterator<Item = &EngineRow> {
        ENGINES.iter().chain(&self.added)
    }

    /// Chooses the engine: the one that is asked for, or the only one that reads a setting that was
    /// changed.
    ///
    /// # Errors
    /// If there is no engine of that name, or settings exclude each other.
    pub fn choose(&self, settings: &Settings) -> Result<&EngineRow, Unsupported> {
        let mut readers = self.iter().filter_map(|row| Some((row, (row.reads)(settings)?)));
        let named = |name: &str| self.iter().find(|row| row.name == name);
        let asked = named(settings.engine).ok_or_else(|| {
            let names: Vec<_> = self.iter().map(|row| row.name).collect();
            let (name, names) = (settings.engine, names.join(", "));
            Unsupported(format!("there is no engine `{name}`; there are {names}"))
        })?;
        let refuse = |option: &str, other: &str| {
            Err(Unsupported(format!("{option} does not go with {other}")))
        };
        match asked.name {
            AUTO => match (readers.next(), readers.next()) {
                (Some((_, option)), Some((_, other))) => refuse(option, other),
                (Some((row, _)), None) => Ok(row),
                (None, _) => Ok(asked),
            },
            name => match readers.find(|(row, _)| row.name != name) {
                Some((_, option)) => refuse(option, &format!("--engine {name}")),
                None => Ok(asked),
            },
        }
    }
}

/// Wraps an engine so that it is asked again when values need more bits.
fn widening(
    model: &Model,
    engine: impl sempre_check::Engine + 'static,
) -> Result<AnyEngine, CheckError> {
    Ok(Box::new(Widening::new(model, engine)?))
}

/// The explicit engine, on reduced nets where that helps.
fn one_by_one(model: &Model, settings: &Settings) -> AnyEngine {
    let (options, store) = (settings.explicit(), settings.store);
    let engine = ExplicitEngine::new(options).store(store);
    let whole: AnyEngine = match settings.is_single {
        true => Box::new(engine.for_one_question()),
        false => Box::new(engine),
    };
    // A shortest run of a reduced net need not be one of the given net.
    if settings.explicit.shortest || settings.reduce == Reduce::Off {
        return whole;
    }
    match model.shared() {
        None => whole,
        Some(net) => Box::new(NetReduction::new(net, settings.reduce, whole, move |model| {
            widening(model, ExplicitEngine::new(options).store(store).for_one_question())
        })),
    }
}

/// Adds the fallback for unbounded nets, unless another search is asked for.
fn with_fallback(
    model: &Model,
    settings: &Settings,
    engine: AnyEngine,
) -> Result<AnyEngine, CheckError> {
    let engine = widening(model, engine)?;
    let options = settings.explicit();
    if model.net().is_none() || options.emptiness.is_some() || options.order != SearchOrder::ByCheck
    {
        return Ok(engine);
    }
    let order = SearchOrder::LevelByLevel { threads: 1 };
    let levels = ExplicitEngine::new(ExplicitOptions { order, ..options });
    let levels = widening(model, levels.store(settings.store).for_one_question())?;
    Ok(Box::new(LevelByLevel::new(engine, levels)))
}

fn explicit(model: &Model, settings: &Settings) -> Result<AnyEngine, CheckError> {
    with_fallback(model, settings, one_by_one(model, settings))
}

fn race(model: &Model, settings: &Settings) -> Result<AnyEngine, CheckError> {
    let (first, options) = (one_by_one(model, settings), settings.symbolic());
    let second = move || Box::new(SymbolicEngine::new(options)) as AnyEngine;
    let race = Race::new(first, "symbolic", SymbolicEngine::supports, second);
    with_fallback(model, settings, Box::new(race))
}
