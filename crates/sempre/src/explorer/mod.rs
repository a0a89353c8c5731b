//! Explorations from end to end: a model, settings, and a goal.
//!
//! As for checks, there is a row for each engine; `--engine` of `sempre explore`, its help and its
//! errors are made from the rows.

mod explicit;
mod observation;
mod symbolic;
mod unreached;

pub use observation::{Aggregate, ObservationGraph};
pub use unreached::{DeadTransition, Unreached};

use crate::check::{CheckError, Control, Counts, Failure, Path, Progress, Reason, Unsupported};
use crate::diagrams::{self, Manager, Usage};
use crate::engines::{AUTO, choose, used};
use crate::explicit::StoreKind;
use crate::explicit::explore::{Bound, StateGraph};
use crate::ltl::interrupt;
use crate::models::etf::Etf;
use crate::models::proposition::Propositions;
use crate::models::{Error, Extent, Languages, Model, System, VariableId};
use crate::symbolic::{MEMORY, Options as SymbolicOptions, Order};
use num_bigint::BigUint;
use std::borrow::Cow;
use std::path;
use std::rc::Rc;
use std::sync::Arc;

/// How a state space is explored.
#[derive(Clone, Debug)]
pub struct ExploreSettings {
    /// The name of the engine; `auto` lets the settings and the goal decide.
    pub engine: &'static str,
    /// The explicit engine: how states are stored.
    pub store: StoreKind,
    /// The explicit engine: the number of threads, at least one.
    pub threads: usize,
    /// The explicit engine: search depth-first.
    pub depth_first: bool,
    /// The greatest number of states to be stored; only the explicit engine stores states.
    pub states: Option<u64>,
    /// The symbolic engine: order of variables, saturation.
    pub symbolic: SymbolicOptions,
}

impl Default for ExploreSettings {
    fn default() -> Self {
        ExploreSettings {
            engine: AUTO,
            store: StoreKind::default(),
            threads: 1,
            depth_first: false,
            states: None,
            symbolic: SymbolicOptions::default(),
        }
    }
}

/// The purpose of an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Counts of states; on request also SCCs, the bounds of variables, and unreached parts.
    Count {
        /// Count strongly connected components, by a depth-first search on one thread.
        components: bool,
        /// Compute the least and the greatest value of each variable.
        bounds: bool,
        /// Find transitions that never occur and locations that are never reached.
        unreached: bool,
    },
    /// A path to a state that satisfies a proposition.
    Find(String),
    /// A path to a state without successors.
    Deadlock,
    /// All states and transitions, up to the limit of states.
    Graph,
    /// The observation graph of some propositions.
    Observe {
        /// Propositions, and transitions as `fired(NAME)`, at which aggregates end.
        observed: Vec<String>,
        /// Make a Kripke structure that satisfies the same formulas without X.
        as_structure: bool,
    },
}

/// Counts of sets of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetCounts {
    /// The reachable states.
    pub states: BigUint,
    /// The reachable states without successors.
    pub deadlocks: BigUint,
    /// The nodes of the diagram of all reachable states.
    pub nodes: usize,
    /// The peak number of nodes.
    pub peak_nodes: usize,
}

/// Counts of strongly connected components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentCounts {
    /// The number of components.
    pub count: u64,
    /// The states of the largest one.
    pub largest: u64,
}

/// The result of an exploration. Fields that the goal or the engine does not have are `None`.
#[derive(Clone)]
pub struct Explored {
    /// The system whose states, actions and variables the other fields consist of.
    pub system: Arc<dyn System>,
    /// The counts of a search state by state.
    pub counts: Option<Counts>,
    /// The counts of sets of states.
    pub sets: Option<SetCounts>,
    /// The counts of strongly connected components.
    pub components: Option<ComponentCounts>,
    /// The bounds of variables.
    pub bounds: Option<Vec<(VariableId, Bound)>>,
    /// The parts of the model that no run uses.
    pub unreached: Option<Unreached>,
    /// The path to a state that was asked for.
    pub path: Option<Path>,
    /// States and transitions.
    pub graph: Option<StateGraph>,
    /// The observation graph.
    pub observation: Option<ObservationGraph>,
    /// A fault of the model, and a path to it.
    pub failure: Option<Failure>,
    /// The limit that ended the search before it had seen everything.
    pub incomplete: Option<Reason>,
    /// Memory of the state space, in bytes.
    pub bytes: usize,
}

impl Explored {
    fn of(system: &Arc<dyn System>) -> Self {
        Explored {
            system: system.clone(),
            counts: None,
            sets: None,
            components: None,
            bounds: None,
            unreached: None,
            path: None,
            graph: None,
            observation: None,
            failure: None,
            incomplete: None,
            bytes: 0,
        }
    }
}

/// A row of the registry of explorations.
#[derive(Clone, Copy, Debug)]
pub struct ExplorerRow {
    /// The name of the engine.
    pub name: &'static str,
    /// One line about the engine.
    pub description: &'static str,
    /// Returns the options of those changed settings and goals that this engine reads and others do
    /// not.
    pub reads: fn(&ExploreSettings, &Goal) -> Vec<&'static str>,
    /// Returns the goal of this engine instead of one that only others have.
    goal: fn(&Goal) -> Option<Goal>,
    explore: Explore,
}

/// Explores a system. A value that does not fit is an error; the caller retries with wider states.
type Explore = fn(&Job<'_>) -> Result<Explored, CheckError>;

/// The name of the row of observation graphs.
pub const SOG: &str = "sog";

/// The engines that explore.
pub static EXPLORERS: &[ExplorerRow] = &[
    ExplorerRow {
        name: AUTO,
        description: "explicit, unless an option of the symbolic engine is given",
        reads: |_, _| Vec::new(),
        goal: |_| None,
        explore: explicit::explore,
    },
    ExplorerRow {
        name: "explicit",
        description: "stores and visits states one by one",
        reads: |settings, goal| {
            used(&[
                (matches!(goal, Goal::Count { components: true, .. }), "--sccs"),
                (matches!(goal, Goal::Count { unreached: true, .. }), "--unreached"),
                (*goal == Goal::Graph, "--format"),
                (settings.threads > 1, "--threads"),
                (settings.states.is_some(), "--states"),
                (settings.depth_first, "--search"),
                (settings.store != StoreKind::default(), "--store"),
            ])
        },
        goal: |_| None,
        explore: explicit::explore,
    },
    ExplorerRow {
        name: "symbolic",
        description: "sets of states as decision diagrams: counts any number of states, but paths \
                      need not be shortest",
        reads: |settings, _| {
            used(&[
                (settings.symbolic.order != Order::Best, "--order"),
                (!settings.symbolic.saturate, "--no-saturation"),
            ])
        },
        goal: |_| None,
        explore: symbolic::explore,
    },
    ExplorerRow {
        name: SOG,
        description: "sets of states with the same observed propositions: an observation graph",
        reads: |_, goal| used(&[(matches!(goal, Goal::Observe { .. }), "--observe")]),
        goal: observation::goal,
        explore: observation::explore,
    },
];

/// One exploration of one system.
struct Job<'a> {
    system: &'a Arc<dyn System>,
    settings: &'a ExploreSettings,
    goal: &'a Goal,
    control: &'a Control<'a>,
    model: &'a Model,
}

impl Job<'_> {
    /// Returns the proposition that is looked for, compiled for the system.
    fn proposition(&self) -> Result<Option<Propositions>, CheckError> {
        let Goal::Find(text) = self.goal else { return Ok(None) };
        let mut propositions = Propositions::default();
        let failure = |error| CheckError::Proposition { name: text.clone(), error };
        propositions.push_about_states(self.system.names(), text).map_err(failure)?;
        Ok(Some(propositions))
    }
}

/// Explores a model.
///
/// ```
/// use sempre::explorer::{Explorer, Goal};
/// use sempre::models::generate;
/// let net = generate::family("philosophers").unwrap().net(3).unwrap();
/// let explorer = Explorer::new(net.into());
/// let explored = explorer.explore(&Goal::Deadlock, &Default::default())?;
/// assert_eq!(explored.path.unwrap().steps.len(), 6);
/// # Ok::<(), sempre::check::CheckError>(())
/// ```
#[derive(Clone)]
pub struct Explorer {
    model: Model,
    settings: ExploreSettings,
}

impl Explorer {
    /// Opens a model; its language is recognized by the name of the file or its beginning.
    ///
    /// # Errors
    /// If the file is no model; with the place in the file.
    pub fn open(path: impl AsRef<path::Path>) -> Result<Self, Error> {
        Ok(Explorer::new(Languages::default().open(path, None)?))
    }

    /// Explores a model.
    pub fn new(model: Model) -> Self {
        Explorer { model, settings: ExploreSettings::default() }
    }

    /// Uses these settings from now on.
    #[must_use]
    pub fn with(self, settings: ExploreSettings) -> Self {
        Explorer { settings, ..self }
    }

    /// Returns the engine for a goal.
    ///
    /// # Errors
    /// If the settings and the goal exclude each other.
    pub fn choose(
        settings: &ExploreSettings,
        goal: &Goal,
    ) -> Result<&'static ExplorerRow, Unsupported> {
        let goal = Explorer::goal(settings, goal);
        let rows = EXPLORERS.iter().map(|row| (row.name, (row.reads)(settings, &goal)));
        Ok(&EXPLORERS[choose(settings.engine, rows)?])
    }

    /// Returns the goal, or that of the engine instead.
    fn goal<'g>(settings: &ExploreSettings, goal: &'g Goal) -> Cow<'g, Goal> {
        let row = EXPLORERS.iter().find(|row| row.name == settings.engine);
        let own = row.and_then(|row| (row.goal)(goal));
        own.map_or(Cow::Borrowed(goal), Cow::Owned)
    }

    /// Explores under a control. Reaching a limit, or a state with a fault, is a result and not an
    /// error.
    ///
    /// # Errors
    /// If the settings and the goal exclude each other, the proposition has no meaning in the
    /// model, or the state space is known to be infinite.
    pub fn explore(&self, goal: &Goal, control: &Control<'_>) -> Result<Explored, CheckError> {
        let row = Explorer::choose(&self.settings, goal)?;
        let goal = &*Explorer::goal(&self.settings, goal);
        let mut control = control.clone();
        control.limits.states = self.settings.states.or(control.limits.states);
        self.on_systems(|system| {
            let (settings, model) = (&self.settings, &self.model);
            let job = Job { system, settings, goal, control: &control, model };
            match (row.explore)(&job) {
                Err(CheckError::Fault(failure)) if failure.overflow().is_none() => {
                    Ok(Explored { failure: Some(failure), ..Explored::of(system) })
                }
                Err(CheckError::Limit(reason)) => {
                    Ok(Explored { incomplete: Some(reason), ..Explored::of(system) })
                }
                explored => explored,
            }
        })
    }

    /// Returns the model as tables of transitions, by the symbolic engine.
    ///
    /// # Errors
    /// If the model has a fault, several initial states or no variables, or a limit was reached.
    pub fn tabulate(&self, control: &Control<'_>) -> Result<Etf, CheckError> {
        self.on_systems(|system| symbolic::tabulate(system, &self.settings, control))
    }

    /// Does work on the system of the model, and repeats it on wider ones while a value does not
    /// fit.
    fn on_systems<T>(
        &self,
        mut work: impl FnMut(&Arc<dyn System>) -> Result<T, CheckError>,
    ) -> Result<T, CheckError> {
        let mut systems = self.model.systems(Extent::Whole)?;
        loop {
            match work(systems.current()) {
                Err(error) => match error.overflow() {
                    Some(variable) => systems.widen(variable)?,
                    None => return Err(error),
                },
                done => return done,
            }
        }
    }
}

/// Makes a manager of diagrams that reports its size, and can be interrupted.
fn manager<'a>(control: &'a Control<'a>) -> Manager<'a> {
    let poll = move |usage: &Usage| {
        (control.progress)(&Progress {
            nodes: usage.nodes,
            bytes: usage.bytes,
            ..Progress::default()
        });
        interrupt::poll_now();
    };
    let memory = control.limits.bytes.unwrap_or(MEMORY);
    Manager::new(diagrams::Options { memory, poll: Some(Rc::new(poll)) })
}
