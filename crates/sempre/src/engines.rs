//! The registry of engines: one row for each.
//!
//! A row makes an engine from [`Settings`] and lists the settings that only this engine reads.
//! `--engine`, its help and its errors come from the rows.

use crate::automata::strength::Way;
use crate::check::combine::{AnyEngine, LevelByLevel, NetReduction, Race, Reduce, Widening};
use crate::check::{CheckError, Components, Deadlock, Fairness, FairnessKind, Refine, Unsupported};
use crate::explicit::{ExplicitEngine, Options as ExplicitOptions, SearchOrder, StoreKind};
use crate::hybrid::{self, By, HybridEngine, Method};
use crate::ltl::nearest::suggestion;
use crate::models::{Model, System};
use crate::symbolic::{self, Kind, Order, SymbolicEngine};
use crate::testing::AutomatonKind;

/// The settings of a check.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the engine; `auto` chooses by settings and question.
    pub engine: &'static str,
    /// The treatment of deadlocks.
    pub deadlock: Deadlock,
    /// The runs that count, if not all do.
    pub fairness: Option<FairRuns>,
    /// The kind of automaton that formulas are checked with.
    pub automaton: AutomatonKind,
    /// How facts about the model refine the automaton.
    pub refine: Refine,
    /// Split the automaton by the strength of its SCCs, which this method finds.
    pub decompose: Option<Way>,
    /// When to reduce nets for each formula.
    pub reduce: Reduce,
    /// The explicit engine: emptiness check, search order, short counterexamples.
    pub explicit: ExplicitOptions,
    /// The explicit engine: the kind of state store.
    pub store: StoreKind,
    /// The maximal number of stored states; only the explicit engine stores states.
    pub states: Option<u64>,
    /// The symbolic engine: order of variables, fixpoint, steps. Hybrid engines use the same order.
    pub symbolic: symbolic::Options,
    /// Hybrid engines: observed propositions, external transitions, inclusion.
    pub hybrid: hybrid::Options,
    /// Hybrid engines: `tgba` and `tgta` run side by side.
    pub both_automata: bool,
    /// True if there will be only one question.
    pub is_single: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            engine: AUTO,
            deadlock: Deadlock::default(),
            fairness: None,
            automaton: AutomatonKind::default(),
            refine: Refine::default(),
            decompose: None,
            reduce: Reduce::default(),
            explicit: ExplicitOptions::default(),
            store: StoreKind::default(),
            states: None,
            symbolic: symbolic::Options::default(),
            hybrid: hybrid::Options::default(),
            both_automata: false,
            is_single: false,
        }
    }
}

/// The runs that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FairRuns {
    /// The demand on a run.
    pub kind: FairnessKind,
    /// The components that runs are fair to. If `None`: the processes if the model has some, and
    /// the transitions otherwise.
    pub components: Option<Components>,
}

impl FairRuns {
    /// Returns the fairness for a system.
    pub fn of(self, system: &dyn System) -> Fairness {
        let components =
            self.components.unwrap_or_else(|| match system.names().processes().is_empty() {
                true => Components::Transitions,
                false => Components::Processes,
            });
        Fairness { kind: self.kind, components }
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
    /// A one-line description.
    pub description: &'static str,
    /// Returns the options of those changed settings that this engine reads and others do not.
    pub reads: fn(&Settings) -> Vec<&'static str>,
    /// Makes the engine for questions about a model.
    pub make: fn(&Model, &Settings) -> Result<AnyEngine, CheckError>,
}

/// The engines of this library.
pub static ENGINES: &[EngineRow] = &[
    EngineRow {
        name: AUTO,
        description: "explicit-state; after one second the symbolic engine joins on a second \
                      thread, and the first verdict wins",
        reads: |_| Vec::new(),
        make: race,
    },
    EngineRow {
        name: EXPLICIT,
        description: "explicit-state search of the product, state by state",
        reads: |settings| {
            used(&[
                (settings.explicit.has_check(), "--emptiness"),
                (settings.has_rare_automaton(), "that --automaton"),
                (settings.explicit.shortest, "--shortest"),
                (settings.states.is_some(), "--states"),
                (settings.explicit.order != SearchOrder::default(), "--threads"),
                (settings.store != StoreKind::default(), "--store"),
                (settings.fairness.is_some(), "--fair"),
            ])
        },
        make: explicit,
    },
    EngineRow {
        name: "symbolic",
        description: "fixpoints on sets of states, stored as decision diagrams",
        reads: |settings| {
            let default = symbolic::Options::default();
            used(&[
                (settings.symbolic.order != Order::Best, "--order"),
                (settings.symbolic.fixpoint.is_some(), "--fixpoint"),
                (settings.symbolic.saturate != default.saturate, "--no-saturation"),
                (settings.symbolic.steps != default.steps, "--steps"),
            ])
        },
        make: |model, settings| {
            let engine = SymbolicEngine::new(settings.symbolic());
            Ok(Box::new(Widening::new(model, engine)?.of_all_states()))
        },
    },
    EngineRow {
        name: Method::Sog.name(),
        description: "hybrid: the product with a symbolic observation graph, for stutter-invariant \
                      formulas",
        reads: |settings| {
            let options = &settings.hybrid;
            let own = [
                (options.by != By::default(), "--sog-by"),
                (!options.external.is_empty(), "--external"),
                (!options.observe.is_empty(), "--observe"),
            ];
            settings.read_by_hybrids().into_iter().chain(used(&own)).collect()
        },
        make: |model, settings| hybrid(model, settings, Method::Sog),
    },
    EngineRow {
        name: Method::Sop.name(),
        description: "hybrid: the symbolic observation product, for stutter-invariant formulas",
        reads: Settings::read_by_products,
        make: |model, settings| hybrid(model, settings, Method::Sop),
    },
    EngineRow {
        name: Method::Slap.name(),
        description: "hybrid: the self-loop aggregation product",
        reads: Settings::read_by_products,
        make: |model, settings| hybrid(model, settings, Method::Slap),
    },
];

/// The options that are used.
pub(crate) fn used(options: &[(bool, &'static str)]) -> Vec<&'static str> {
    options.iter().filter(|(is_used, _)| *is_used).map(|(_, option)| *option).collect()
}

impl Settings {
    /// The same meaning of formulas, checked by the explicit engine with its default settings.
    pub(crate) fn explicit_alone(&self) -> Settings {
        let default = Settings::default();
        Settings {
            engine: EXPLICIT,
            reduce: Reduce::Off,
            automaton: default.automaton,
            refine: default.refine,
            decompose: default.decompose,
            explicit: default.explicit,
            store: default.store,
            states: default.states,
            symbolic: default.symbolic,
            is_single: default.is_single,
            // The remaining settings define which runs count.
            ..self.clone()
        }
    }

    /// True for a kind of automaton that only explicit engines take.
    fn has_rare_automaton(&self) -> bool {
        let usual = [AutomatonKind::Auto, AutomatonKind::Tgba, AutomatonKind::Tgta];
        !usual.contains(&self.automaton)
    }

    /// The options that all hybrid engines read. These engines refuse rare automata, with a reason.
    fn read_by_hybrids(&self) -> Vec<&'static str> {
        used(&[
            (self.explicit.emptiness.is_some(), "--emptiness"),
            (self.has_rare_automaton(), "that --automaton"),
            (self.symbolic.order != Order::Best, "--order"),
            (self.both_automata, "--automaton both"),
        ])
    }

    fn read_by_products(&self) -> Vec<&'static str> {
        let inclusion = (!self.hybrid.inclusion, "--no-inclusion");
        self.read_by_hybrids().into_iter().chain(used(&[inclusion])).collect()
    }

    fn hybrid(&self, method: Method, automaton: AutomatonKind) -> hybrid::Options {
        hybrid::Options {
            method,
            automaton,
            emptiness: self.explicit.emptiness,
            decompose: self.decompose,
            order: self.symbolic.order.clone(),
            ..self.hybrid.clone()
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

/// The engines of a program: those of this library and added ones.
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

    /// Chooses the named engine, or the only one that reads a changed setting.
    ///
    /// # Errors
    /// If no engine has this name, or settings exclude each other.
    pub fn choose(&self, settings: &Settings) -> Result<&EngineRow, Unsupported> {
        let rows: Vec<&EngineRow> = self.iter().collect();
        let reads = rows.iter().map(|row| (row.name, (row.reads)(settings)));
        Ok(rows[choose(settings.engine, reads)?])
    }
}

/// Chooses among rows of engines, each with the changed options that it reads. Returns the position
/// of the named row; for `auto`, of the first row that reads all of these options.
///
/// # Errors
/// If no row has the name, or options exclude each other.
pub(crate) fn choose(
    asked: &str,
    rows: impl Iterator<Item = (&'static str, Vec<&'static str>)>,
) -> Result<usize, Unsupported> {
    let rows: Vec<_> = rows.collect();
    let found = rows.iter().position(|(name, _)| *name == asked).ok_or_else(|| {
        let names = rows.iter().map(|(name, _)| *name);
        let near = suggestion(asked, names.clone());
        let names = names.collect::<Vec<_>>().join(", ");
        Unsupported(format!("there is no engine `{asked}`{near}; there are {names}"))
    })?;
    let refuse = |option: &str, other: &str| {
        Err(Unsupported(format!("{option} cannot be combined with {other}")))
    };
    let used: Vec<&str> = rows.iter().flat_map(|(_, read)| read.iter().copied()).collect();
    let missing =
        |place: usize| used.iter().find(|option| !rows[place].1.contains(option)).copied();
    match (asked, used.first()) {
        (_, None) => Ok(found),
        (AUTO, Some(first)) => {
            let mut readers =
                (0..rows.len()).filter(|place| rows[*place].1.contains(first)).peekable();
            let other = readers.peek().and_then(|place| missing(*place));
            match readers.find(|place| missing(*place).is_none()) {
                Some(place) => Ok(place),
                None => refuse(first, other.unwrap_or_default()),
            }
        }
        (name, Some(_)) => match missing(found) {
            Some(option) => refuse(option, &format!("--engine {name}")),
            None => Ok(found),
        },
    }
}

/// Wraps an engine so that it retries with wider states when values need more bits.
fn widening(
    model: &Model,
    engine: impl sempre_check::Engine + 'static,
) -> Result<AnyEngine, CheckError> {
    Ok(Box::new(Widening::new(model, engine)?))
}

/// Makes the explicit engine, with reduced nets where they help.
fn one_by_one(model: &Model, settings: &Settings) -> AnyEngine {
    let (options, store) = (settings.explicit(), settings.store);
    let engine = ExplicitEngine::new(options).store(store);
    let whole: AnyEngine = match settings.is_single {
        true => Box::new(engine.for_one_question()),
        false => Box::new(engine),
    };
    // A shortest run of a reduced net need not be shortest in the original net.
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

/// Adds the search by levels for unbounded nets, unless the settings choose another search.
fn with_fallback(
    model: &Model,
    settings: &Settings,
    engine: AnyEngine,
) -> Result<AnyEngine, CheckError> {
    let engine = widening(model, engine)?;
    let options = settings.explicit();
    if model.net().is_none() || options.has_check() || options.order != SearchOrder::ByCheck {
        return Ok(engine);
    }
    let order = SearchOrder::LevelByLevel { threads: 1 };
    let levels = ExplicitEngine::new(ExplicitOptions { order, ..options });
    let levels = widening(model, levels.store(settings.store).for_one_question())?;
    let alone = widening(model, one_by_one(model, settings))?;
    Ok(Box::new(LevelByLevel::new(model, engine, levels).if_unbounded(alone)))
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

/// Makes a hybrid engine. It uses reduced nets only on request, since a graph may serve several
/// formulas. External transitions are those of the given net.
fn hybrid(model: &Model, settings: &Settings, method: Method) -> Result<AnyEngine, CheckError> {
    let kinds = match settings.both_automata {
        true => [Some(AutomatonKind::Tgba), Some(AutomatonKind::Tgta)],
        false => [Some(settings.automaton), None],
    };
    let options = kinds.map(|kind| kind.map(|kind| settings.hybrid(method, kind)));
    let make = move || -> AnyEngine {
        let [first, second] = options.clone();
        let first = Box::new(HybridEngine::new(first.unwrap_or_default()));
        match second {
            None => first,
            Some(second) => {
                let name = match method {
                    Method::Sog => "sog(tgta)",
                    Method::Sop => "sop(tgta)",
                    Method::Slap => "slap(tgta)",
                };
                let maker = move || Box::new(HybridEngine::new(second)) as AnyEngine;
                let race = Race::new(first, name, HybridEngine::supports, maker);
                Box::new(race.without_head_start())
            }
        }
    };
    let is_reduced = settings.reduce == Reduce::On && settings.hybrid.external.is_empty();
    match model.shared().filter(|_| is_reduced) {
        None => Ok(Box::new(Widening::new(model, make())?.unless_unbounded())),
        Some(net) => {
            let whole = make();
            let reduced = move |model: &Model| widening(model, make());
            let either = NetReduction::new(net, settings.reduce, whole, reduced);
            Ok(Box::new(Widening::new(model, either)?.unless_unbounded()))
        }
    }
}
