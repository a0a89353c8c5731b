//! Compares orders of variables: how many nodes the reachable states need, and have needed at
//! most, and the time.
//!
//! `order-report MODEL… [--timeout SECONDS] [--memory MEBIBYTES]`
//!
//! The orders are that of the file, its reverse, those of the heuristics, and the one with which
//! the race ends that is held if nobody asks for another (`best`, with the peak and the time of all
//! that took part). The last column compares the peak with the least one.

use sempre_diagrams::order::Heuristic;
use sempre_diagrams::{Exhausted, Manager, Strategy};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::{Extent, Fault, Languages, System, VariableId};
use sempre_symbolic::{Order, Space};
use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: order-report MODEL... [--timeout SECONDS] [--memory MEBIBYTES]";

struct Options {
    models: Vec<String>,
    timeout: Duration,
    bytes: usize,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options =
        Options { models: Vec::new(), timeout: Duration::from_secs(60), bytes: 4 << 30 };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--timeout" => {
                let seconds = arguments.next().ok_or(USAGE)?.parse()?;
                options.timeout = Duration::try_from_secs_f64(seconds)?;
            }
            "--memory" => options.bytes = arguments.next().ok_or(USAGE)?.parse::<usize>()? << 20,
            _ => options.models.push(argument),
        }
    }
    if options.models.is_empty() {
        return Err(USAGE.into());
    }
    Ok(options)
}

/// An order to try.
#[derive(Clone, Copy)]
enum Choice {
    By(Heuristic),
    /// What the file has last is at the top.
    Reversed,
    Best,
}

impl Choice {
    fn all() -> impl Iterator<Item = Choice> {
        let heuristics = Heuristic::ALL.into_iter().map(Choice::By);
        heuristics.chain([Choice::Reversed, Choice::Best])
    }

    fn name(self) -> &'static str {
        match self {
            Choice::By(heuristic) => heuristic.name(),
            Choice::Reversed => "reversed",
            Choice::Best => "best",
        }
    }

    fn order(self, system: &dyn System) -> Order {
        match self {
            Choice::By(heuristic) => Order::By(heuristic),
            Choice::Reversed => {
                let variables = (0..system.names().variable_count() as u32).rev();
                Order::Given(variables.map(VariableId).collect())
            }
            Choice::Best => Order::Best,
        }
    }
}

struct Found {
    states: String,
    nodes: usize,
    peak_nodes: usize,
}

struct Count {
    choice: Choice,
    bytes: usize,
}

impl Count {
    fn run(&self, system: &Arc<dyn System>) -> Result<Result<Found, Exhausted>, Fault> {
        let poll = Some((|_| interrupt::poll()) as fn(&_));
        let manager = Manager::new(sempre_diagrams::Options { memory: self.bytes, poll });
        let found = manager.attempt(|| {
            let order = self.choice.order(&**system);
            let space = Space::find(&manager, system, &order, Strategy::Saturation)?;
            let peak_nodes = manager.usage().peak_nodes;
            let (states, nodes) = (space.count().to_string(), space.reached.nodes());
            Ok(Found { states, nodes, peak_nodes })
        });
        match found {
            Ok(Ok(found)) => Ok(Ok(found)),
            Ok(Err(fault)) => Err(fault),
            Err(exhausted) => Ok(Err(exhausted)),
        }
    }
}

fn report(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "model\torder\tstates\tnodes\tpeak nodes\tseconds\tpeak by least")?;
    for path in &options.models {
        let model =
            Languages::default().open(path, None).map_err(|error| format!("{path}: {error}"))?;
        let mut rows = Vec::new();
        for choice in Choice::all() {
            let start = Instant::now();
            let deadline = start.checked_add(options.timeout);
            let answer = interrupt::run(&Interrupt::default(), deadline, || {
                let count = Count { choice, bytes: options.bytes };
                model.run(Extent::OnTheFly, |system| count.run(system))
            });
            let found = match answer {
                Ok(Ok(Ok(found))) => Ok(found),
                Ok(Ok(Err(exhausted))) => Err(exhausted.to_string()),
                Ok(Err(fault)) => return Err(format!("{path}: {fault}").into()),
                Err(_) => Err("time".to_owned()),
            };
            rows.push((choice.name(), found, start.elapsed().as_secs_f64()));
        }
        let peaks = rows.iter().filter_map(|(_, found, _)| Some(found.as_ref().ok()?.peak_nodes));
        let least = peaks.min().unwrap_or(1).max(1) as f64;
        for (order, found, seconds) in rows {
            match found {
                Ok(Found { states, nodes, peak_nodes }) => {
                    let factor = peak_nodes as f64 / least;
                    writeln!(
                        out,
                        "{path}\t{order}\t{states}\t{nodes}\t{peak_nodes}\t{seconds:.3}\t{factor:.2}"
                    )?;
                }
                Err(reason) => writeln!(out, "{path}\t{order}\t{reason}\t\t\t{seconds:.3}\t")?,
            }
        }
        out.flush()?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match options().and_then(|options| report(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
