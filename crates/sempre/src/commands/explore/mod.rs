//! `sempre explore`: computes the reachable states of a model.

mod draw;
mod report;
mod symbolic;

use crate::Exit;
use crate::limits::{MOST_THREADS, SearchLimits};
use crate::models::ModelInput;
use crate::output::OutputOptions;
use crate::pictures::Drawing;
use crate::progress::Meter;
use crate::report::{Located, Place, error as report_error};
use crate::signals::GracefulStop;
use crate::symbolic::{Engine, OrderOption};
use crate::trace::Trace;
use anyhow::{Error, Result, anyhow};
use report::{Report, Sccs, VariableRange};
use sempre::explicit::explore::{self, Exploration, Failure, Limits};
use sempre::explicit::store::{Arena, Store, Tree};
use sempre::ltl::interrupt::{self, Interrupt};
use sempre::models::proposition::Propositions;
use sempre::models::{Extent, Fault, System, VariableId};
use std::num::NonZeroUsize;
use std::sync::Arc;
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
  0  all states were explored, or the requested state was found
  1  all states were explored; the requested state was not found
  2  a limit was reached, or an error in the command line or the model
  130 (by the signal)  Ctrl-C stopped the search after printing partial counts";

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
    #[arg(long, value_name = "PROPOSITION", conflicts_with_all = ["deadlock", "sccs", "bounds"])]
    find: Option<String>,

    /// Find a shortest path to a deadlock.
    #[arg(long, conflicts_with_all = ["sccs", "bounds"])]
    deadlock: bool,

    /// Count the SCCs as well; searches depth-first, in one thread.
    #[arg(long, conflicts_with_all = ["search", "threads"])]
    sccs: bool,

    /// Report the minimal and maximal value of each variable as well.
    #[arg(long)]
    bounds: bool,

    /// Draw the state space; --states limits its size (default 200).
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        help_heading = "Output",
        conflicts_with_all = ["find", "deadlock", "sccs", "bounds", "json", "search", "threads"]
    )]
    format: Option<Drawing>,

    /// Print the results as one line of JSON, with time and memory.
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    output: OutputOptions,

    /// How to store states: plain or compressed.
    #[arg(long, value_enum, default_value_t, help_heading = "Search")]
    store: StoreOption,

    /// The engine: explicit-state, or symbolic with sets of states as decision diagrams. The
    /// symbolic engine counts astronomically many states; its paths need not be shortest.
    #[arg(long, value_enum, default_value_t, help_heading = "Search")]
    engine: Engine,

    #[command(flatten)]
    order: OrderOption,

    /// The search order.
    #[arg(
        long,
        value_enum,
        default_value_t,
        help_heading = "Search",
        conflicts_with_all = ["find", "deadlock", "threads"]
    )]
    search: Order,

    /// Search with N threads; 0 for all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=MOST_THREADS), help_heading = "Search", conflicts_with_all = ["find", "deadlock"])]
    threads: Option<u16>,

    #[command(flatten)]
    limits: SearchLimits,
}

/// The kind of state store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum StoreOption {
    /// Plain: fast.
    #[default]
    Arena,
    /// Compressed in a tree: small.
    Tree,
}

/// The search order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// Breadth-first.
    #[default]
    Bfs,
    /// Depth-first.
    Dfs,
}

/// The number of states that are drawn by default.
const DEFAULT_DRAWN: u64 = 200;

/// The delay before work other than the search is aborted, in which the search reports its counts.
const GRACE: Duration = Duration::from_secs(1);

impl Explore {
    pub(crate) fn run(&self) -> Result<Exit> {
        if self.engine == Engine::Symbolic {
            self.refuse_for_symbolic()?;
        }
        let start = Instant::now();
        let deadline = self.limits.model.deadline(start);
        let late = || {
            let limit = self.limits.model.timeout.unwrap_or_default().as_secs_f64();
            anyhow!("the time limit of {limit} s was reached while the model was read")
        };
        let model = interrupt::run(&Interrupt::default(), deadline, || self.model.open());
        let model = model.map_err(|_| late())??;
        let latest = deadline.and_then(|deadline| deadline.checked_add(GRACE));
        let outcome = GracefulStop::run(|stop| {
            let mut work = Work {
                options: self,
                limits: self.limits.from(start, stop.search.clone()),
                meter: Meter::new(),
            };
            let outcome = interrupt::run(&stop.rest, latest, || {
                model.run(Extent::Whole, |system| work.run(system))
            });
            work.meter.clear();
            outcome.map_err(|_| stop.rest.is_raised())
        })?;
        let report = match outcome {
            Ok(report) => report.map_err(|fault| anyhow!("{fault}"))??,
            Err(true) => {
                report_error(&anyhow!("interrupted before any state was counted"));
                return Ok(Exit::Interrupted);
            }
            Err(false) => return Err(late()),
        };
        report.write(self, start.elapsed())
    }
}

/// An exploration of a system.
struct Work<'a> {
    options: &'a Explore,
    limits: Limits,
    meter: Meter,
}

impl Work<'_> {
    fn run(&mut self, shared: &Arc<dyn System>) -> Result<Result<Report>, Fault> {
        let system = &**shared;
        if let Some(drawing) = self.options.format {
            let limit = self.limits.states.unwrap_or(DEFAULT_DRAWN);
            let graph = explore::graph(system, usize::try_from(limit).unwrap_or(usize::MAX))?;
            let drawn = draw::draw(system, &graph, drawing);
            return Ok(drawn.map(|picture| Report {
                picture: Some(picture),
                incomplete: graph.incomplete,
                ..Report::default()
            }));
        }
        if self.options.engine == Engine::Symbolic {
            return self.explore_symbolically(shared);
        }
        match self.options.store {
            StoreOption::Arena => self.search::<Arena>(system),
            StoreOption::Tree => self.search::<Tree>(system),
        }
    }

    /// Searches with this kind of store. A fault of the model is a result with the path to it; an
    /// overflow is an error.
    fn search<T: Store>(&mut self, system: &dyn System) -> Result<Result<Report>, Fault> {
        let propositions = match self.propositions(system) {
            Ok(propositions) => propositions,
            Err(error) => return Ok(Err(error)),
        };
        let outcome = match propositions {
            Some(propositions) => self.find::<T>(system, &propositions),
            None if self.options.deadlock => self.find_deadlock::<T>(system),
            None => self.count::<T>(system),
        };
        match outcome {
            Ok(report) => Ok(Ok(report)),
            Err(Failure { fault: fault @ Fault::Overflow(_), .. }) => Err(fault),
            Err(Failure { fault, path }) => {
                let action = match &fault {
                    Fault::Undefined { action: Some(action), .. } => {
                        format!("{}: ", system.names().action_name(*action))
                    }
                    _ => String::new(),
                };
                Ok(Ok(Report {
                    fault: Some(format!("{action}{fault}")),
                    path: path.map(|path| Trace::new(system, &path)),
                    ..Report::default()
                }))
            }
        }
    }

    fn propositions(&self, system: &dyn System) -> Result<Option<Propositions>> {
        let Some(text) = &self.options.find else { return Ok(None) };
        let propositions = Propositions::compile(system.names(), [text.as_str()]);
        let located = |error| Error::from(Located::new(&Place::Named("--find"), text, error));
        propositions.map(Some).map_err(located)
    }

    fn find<T: Store>(
        &mut self,
        system: &dyn System,
        propositions: &Propositions,
    ) -> Result<Report, Failure> {
        let mut expander = system.expander();
        let goal = |state: &[u32]| Ok(propositions.valuation(&mut *expander, state)? == 1);
        let (mut store, meter) = (T::new(system.words()), &mut self.meter);
        let progress = |progress: &_| meter.show(progress);
        let answer = explore::shortest_path(system, &mut store, &self.limits, progress, goal)?;
        Ok(Report::answer(system, &answer))
    }

    fn find_deadlock<T: Store>(&mut self, system: &dyn System) -> Result<Report, Failure> {
        let (mut store, meter) = (T::new(system.words()), &mut self.meter);
        let progress = |progress: &_| meter.show(progress);
        let answer =
            explore::shortest_path_to_deadlock(system, &mut store, &self.limits, progress)?;
        Ok(Report::answer(system, &answer))
    }

    fn count<T: Store>(&mut self, system: &dyn System) -> Result<Report, Failure> {
        let meter = &mut self.meter;
        let progress = |progress: &_| meter.show(progress);
        let limits = &self.limits;
        let mut store = T::new(system.words());
        let mut sccs = None;
        let exploration: Exploration;
        let stores: Vec<T>;
        if self.options.sccs {
            let components = explore::components(system, &mut store, limits, progress)?;
            sccs = Some(Sccs { count: components.count, largest: components.largest });
            (exploration, stores) = (components.exploration, vec![store]);
        } else if let Some(threads) = self.options.threads.filter(|threads| *threads != 1) {
            let all = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
            let threads = NonZeroUsize::new(threads.into()).unwrap_or(all);
            (exploration, stores) = explore::parallel(system, threads, limits, progress)?;
        } else {
            exploration = match self.options.search {
                Order::Bfs => explore::breadth_first(system, &mut store, limits, progress)?,
                Order::Dfs => explore::depth_first(system, &mut store, limits, progress)?,
            };
            stores = vec![store];
        }
        let bounds = self.options.bounds.then(|| {
            let bounds = explore::bounds(system, &stores).into_iter().enumerate();
            let range = |(number, bound): (usize, explore::Bound)| VariableRange {
                variable: system.names().variable_name(VariableId(number as u32)),
                least: bound.least,
                greatest: bound.greatest,
            };
            bounds.map(range).collect()
        });
        Ok(Report { sccs, bounds, ..Report::of(exploration) })
    }
}
