//! Compares symbolic counts of reachable states with those that other tools obtain.
//!
//! `symbolic-report beem|mcc DIRECTORY [--timeout SECONDS] [--memory MEBIBYTES] [--order ORDER]
//! [--filter TEXT]`
//!
//! - `beem`: the directory has models `NAME.dve`, and `counts.tsv` with the columns `model` and
//!   `states`.
//! - `mcc`: the directory has nets `INSTANCE/model.pnml`, and `index.tsv` with the columns
//!   `instance` and `reachable_markings`.
//!
//! Models of which the table does not know a number, or a range, are skipped. `ORDER` is `best`,
//! `given`, `force`, `cuthill-mckee` or `sloan`. The process ends with 1 if a count is wrong.

use sempre_diagrams::order::Heuristic;
use sempre_diagrams::{Exhausted, Manager, Strategy, Usage};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::{Extent, Fault, Languages, System};
use sempre_symbolic::{Order, Space};
use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: symbolic-report beem|mcc DIRECTORY [--timeout SECONDS] \
                     [--memory MEBIBYTES] [--order best|given|force|cuthill-mckee|sloan] \
                     [--filter TEXT]";

struct Options {
    is_mcc: bool,
    directory: PathBuf,
    timeout: Duration,
    bytes: usize,
    order: Order,
    filter: String,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let is_mcc = match arguments.next().as_deref() {
        Some("beem") => false,
        Some("mcc") => true,
        _ => return Err(USAGE.into()),
    };
    let mut options = Options {
        is_mcc,
        directory: arguments.next().ok_or(USAGE)?.into(),
        timeout: Duration::from_secs(60),
        bytes: 8 << 30,
        order: Order::Best,
        filter: String::new(),
    };
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or(USAGE)?;
        match argument.as_str() {
            "--timeout" => options.timeout = Duration::try_from_secs_f64(value.parse()?)?,
            "--memory" => options.bytes = value.parse::<usize>()? << 20,
            "--order" if value == "best" => options.order = Order::Best,
            "--order" => {
                let heuristic = Heuristic::ALL.into_iter().find(|one| one.name() == value);
                options.order = Order::By(heuristic.ok_or(USAGE)?);
            }
            "--filter" => options.filter = value,
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}

/// A model to count the states of.
struct Row {
    name: String,
    path: PathBuf,
    /// How many states others have found.
    states: String,
}

/// The models of which the table knows a number.
fn rows(options: &Options) -> Result<Vec<Row>, Box<dyn Error>> {
    let (table, key, number) = match options.is_mcc {
        true => ("index.tsv", "instance", "reachable_markings"),
        false => ("counts.tsv", "model", "states"),
    };
    let path = options.directory.join(table);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let mut lines = text.lines();
    let heads: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let column = heads.iter().position(|head| *head == name);
        column.ok_or_else(|| format!("{table} has no column `{name}`"))
    };
    let (key, number) = (column(key)?, column(number)?);
    let mut rows = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let (Some(name), Some(states)) = (cells.get(key), cells.get(number)) else { continue };
        let is_number = !states.is_empty() && states.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || !name.contains(&options.filter) {
            continue;
        }
        let file = match options.is_mcc {
            true => Path::new(name).join("model.pnml"),
            false => PathBuf::from(format!("{name}.dve")),
        };
        rows.push(Row {
            name: name.to_string(),
            path: options.directory.join(file),
            states: states.to_string(),
        });
    }
    Ok(rows)
}

/// How many states and nodes there are.
struct Found {
    states: String,
    nodes: usize,
    usage: Usage,
}

fn count(options: &Options, system: &Arc<dyn System>) -> Result<Result<Found, Exhausted>, Fault> {
    let poll = Some((|_| interrupt::poll_now()) as fn(&_));
    let manager = Manager::new(sempre_diagrams::Options { memory: options.bytes, poll });
    let found = manager.attempt(|| {
        let space = Space::find(&manager, system, &options.order, Strategy::Saturation)?;
        let states = space.count().to_string();
        Ok(Found { states, nodes: space.reached.nodes(), usage: manager.usage() })
    });
    match found {
        Ok(Ok(found)) => Ok(Ok(found)),
        Ok(Err(fault)) => Err(fault),
        Err(exhausted) => Ok(Err(exhausted)),
    }
}

fn report(options: &Options) -> Result<bool, Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "answer\tmodel\tstates\tnodes\tpeak nodes\tseconds")?;
    let (mut right, mut wrong, mut unsolved) = (0, 0, 0);
    for Row { name, path, states: expected } in rows(options)? {
        let start = Instant::now();
        let deadline = start.checked_add(options.timeout);
        let answer = interrupt::run(&Interrupt::default(), deadline, || {
            let model =
                Languages::default().open(&path, None).map_err(|error| error.to_string())?;
            let found = model.run(Extent::OnTheFly, |system| count(options, system));
            found.map_err(|fault| fault.to_string())?.map_err(|exhausted| exhausted.to_string())
        });
        let seconds = start.elapsed().as_secs_f64();
        match answer {
            Ok(Ok(Found { states, nodes, usage })) => {
                let is_right = states == expected;
                right += usize::from(is_right);
                wrong += usize::from(!is_right);
                let verdict = if is_right { "right" } else { "WRONG" };
                let peak = usage.peak_nodes;
                writeln!(out, "{verdict}\t{name}\t{states}\t{nodes}\t{peak}\t{seconds:.3}")?;
            }
            Ok(Err(reason)) => {
                unsolved += 1;
                writeln!(out, "unsolved\t{name}\t({expected})\t{reason}\t\t{seconds:.3}")?;
            }
            Err(_) => {
                unsolved += 1;
                writeln!(out, "unsolved\t{name}\t({expected})\ttime\t\t{seconds:.3}")?;
            }
        }
        out.flush()?;
    }
    writeln!(out, "{right} right, {wrong} wrong, {unsolved} unsolved")?;
    Ok(wrong == 0)
}

fn main() -> ExitCode {
    match options().and_then(|options| report(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
