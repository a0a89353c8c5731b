//! `sempre explore`: computes the reachable states of a model.

mod draw;
mod json;
mod observation;
mod report;

use crate::Exit;
use crate::limits::SearchLimits;
use crate::models::ModelInput;
use crate::output::OutputOptions;
use crate::pictures::Drawing;
use crate::progress::Meter;
use crate::report::{Located, Place, error as report_error};
use crate::search::{SearchOptions, described};
use crate::signals::GracefulStop;
use crate::symbolic::SymbolicOptions;
use anyhow::{Error, Result, anyhow, bail};
use clap::builder::TypedValueParser;
use sempre::check::CheckError;
use sempre::explorer::{EXPLORERS, ExploreSettings, Explorer, Goal};
use sempre::ltl::interrupt::{self, Interrupt};
use sempre::models::System;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  $ sempre generate philosophers 3 -o philosophers.net

  $ sempre explore philosophers.net
  states: 100
  transitions: 267
  deadlocks: 2
  depth: 7

  $ sempre explore philosophers.net --find 'eats_0 && eats_1'
  not found
  ? 1

  $ sempre explore philosophers.net --find 'wants_left_0 && has_right_0'
  found after 2 steps
     idle_0 = 1
     idle_1 = 1
     idle_2 = 1
     fork_0 = 1
     fork_1 = 1
     fork_2 = 1
  1. hungry_0
     idle_0: 1 -> 0
     wants_left_0: 0 -> 1
     wants_right_0: 0 -> 1
  2. take_right_0
     wants_right_0: 1 -> 0
     has_right_0: 0 -> 1
     fork_1: 1 -> 0

  $ sempre generate philosophers 100 -o many.net

  $ sempre explore many.net --engine symbolic
  states: 5076867310869459303965237426343690627016305531972579810857669516626
  deadlocks: 2
  nodes: 3776
  peak nodes: 10502

Exit codes:
  0  all states were explored; the state that was asked for was found
  1  all states were explored; the state that was asked for was not found, or --unreached lists
     something; or an assertion of the model fails
  2  a limit ended the search, or the command line or the model is wrong
  130 (by the signal)  Ctrl-C ended the search: what was counted so far has been printed";

/// Explore the reachable states of a model.
///
/// Counts states, transitions and deadlocks, and finds shortest paths to states that satisfy a
/// proposition, such as `Place >= 2`, `fireable(t)` or `Process.state && x < 3`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explore {
    #[command(flatten)]
    model: ModelInput,

    /// Find a shortest path to a state in which the proposition holds.
    #[arg(long, value_name = "PROPOSITION", allow_hyphen_values = true, conflicts_with_all = ["deadlock", "sccs", "bounds", "threads"])]
    find: Option<String>,

    /// Find a shortest path to a state without successors.
    #[arg(long, conflicts_with_all = ["sccs", "bounds", "threads"])]
    deadlock: bool,

    /// Count the SCCs as well; searches depth-first, in one thread.
    #[arg(long, conflicts_with_all = ["search", "threads"])]
    sccs: bool,

    /// Report the minimal and maximal value of each variable as well.
    #[arg(long)]
    bounds: bool,

    /// List the transitions that never occur and the locations that are never reached; the exit
    /// code is 1 if there are any.
    #[arg(long, conflicts_with_all = ["find", "deadlock"])]
    unreached: bool,

    /// Draw the state space; --states limits how much of it (200 without it), and states with
    /// further successors end with `(more)`. Without this option, a file that ends with .svg or .dot
    /// gets a drawing.
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        help_heading = "Output",
        conflicts_with_all = ["find", "deadlock", "sccs", "bounds", "unreached", "json", "search", "threads"]
    )]
    format: Option<Drawing>,

    /// Print the results as one line of JSON, with time and memory; docs/explore.schema.json describes
    /// it.
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    output: OutputOptions,

    /// The engine.
    #[arg(long, default_value = "auto", value_parser = engines(), help_heading = "Search")]
    engine: &'static str,

    /// The propositions that an observation graph observes, and transitions, as `fired(NAME)`, at
    /// which its aggregates end (--engine sog).
    #[arg(long, value_name = "PROPOSITIONS", value_delimiter = ',', help_heading = "Search")]
    observe: Vec<String>,

    /// Write the observation graph as a Kripke structure that satisfies the same formulas without X
    /// about the observed propositions (--engine sog).
    #[arg(long, help_heading = "Output", conflicts_with_all = ["format", "json"])]
    kripke: bool,

    /// The search order.
    #[arg(
        long,
        value_enum,
        default_value_t,
        help_heading = "Search",
        conflicts_with_all = ["find", "deadlock", "threads"]
    )]
    search: Order,

    #[command(flatten)]
    options: SearchOptions,

    #[command(flatten)]
    symbolic: SymbolicOptions,

    #[command(flatten)]
    limits: SearchLimits,
}

/// In which order states are explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// Breadth-first.
    #[default]
    Bfs,
    /// Depth-first.
    Dfs,
}

/// How much later than the search itself the work around it is ended when the time is over, so that
/// a search has the time to report its counts.
const GRACE: Duration = Duration::from_millis(250);

impl Explore {
    /// The drawing that is asked for, by an option or by the name of the output.
    fn drawing(&self) -> Option<Drawing> {
        let is_text = self.find.is_some() || self.deadlock || self.sccs || self.bounds;
        let by_name = || Drawing::of_extension(&self.output.extension()?);
        self.format.or_else(|| by_name().filter(|_| !is_text && !self.json && !self.unreached))
    }

    pub(crate) fn run(&self) -> Result<Exit> {
        let start = Instant::now();
        let deadline = self.limits.model.time.deadline(start);
        let late = || {
            let limit = self.limits.model.time.timeout.unwrap_or_default().as_secs_f64();
            anyhow!("the model was not even read in the {limit} s that --timeout allows")
        };
        let memory = Interrupt::default();
        let _watch = self.limits.model.watch(start, &memory)?;
        let full = || anyhow!("the work around the search needs more than --memory allows");
        let model = interrupt::run(&memory, deadline, || self.model.open());
        let model = model.map_err(|_| if memory.is_raised() { full() } else { late() })??;
        let system = model.system();
        let (goal, settings) = (self.goal()?, self.settings(&*system)?);
        let explorer = Explorer::new(model).with(settings);
        let latest = deadline.and_then(|deadline| deadline.checked_add(GRACE));
        let explored = GracefulStop::run(|stop| {
            let limits = self.limits.from(start, stop.search.or(&memory));
            Meter::run(limits, |control| {
                let rest = stop.rest.or(&memory);
                interrupt::run(&rest, latest, || explorer.explore(&goal, control))
                    .map_err(|_| stop.rest.is_raised())
            })
        })?;
        match explored {
            _ if memory.is_raised() => Err(full()),
            Ok(explored) => {
                let explored = explored.map_err(|error| self.located(&*system, error))?;
                self.write(&explored, start.elapsed())
            }
            Err(true) => {
                report_error(&anyhow!("interrupted before anything was counted"));
                Ok(Exit::Interrupted)
            }
            Err(false) => Err(late()),
        }
    }

    fn goal(&self) -> Result<Goal> {
        if self.kripke || !self.observe.is_empty() {
            let asked = [
                (self.sccs, "--sccs"),
                (self.bounds, "--bounds"),
                (self.unreached, "--unreached"),
                (self.find.is_some(), "--find"),
                (self.deadlock, "--deadlock"),
            ];
            return match asked.iter().find(|(is_asked, _)| *is_asked) {
                Some((_, option)) => bail!("{option} cannot be combined with an observation graph"),
                None => {
                    Ok(Goal::Observe { observed: self.observe.clone(), as_structure: self.kripke })
                }
            };
        }
        Ok(match &self.find {
            Some(proposition) => Goal::Find(proposition.clone()),
            None if self.deadlock => Goal::Deadlock,
            None if self.drawing().is_some() => Goal::Graph,
            None => Goal::Count {
                components: self.sccs,
                bounds: self.bounds,
                unreached: self.unreached,
            },
        })
    }

    fn settings(&self, system: &dyn System) -> Result<ExploreSettings> {
        Ok(ExploreSettings {
            engine: self.engine,
            store: self.options.store,
            threads: self.options.threads(),
            depth_first: self.search == Order::Dfs,
            states: self.limits.states,
            symbolic: self.symbolic.resolve(system)?,
        })
    }

    /// The error with the part of the proposition that is to blame.
    fn located(&self, system: &dyn System, error: CheckError) -> Error {
        match error {
            CheckError::Proposition { name, error } => {
                let error = self.model.explained(system, &name, error);
                let option = if self.find.is_some() { "--find" } else { "--observe" };
                Located::new(&Place::Named(option), &name, error).into()
            }
            error => anyhow!(error),
        }
    }
}

fn engines() -> impl TypedValueParser<Value = &'static str> {
    described(EXPLORERS.iter().map(|row| (row.name, row.description, row.name)))
}
