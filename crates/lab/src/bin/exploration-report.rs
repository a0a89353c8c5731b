//! Compares counts of reachable states and transitions with those that other tools obtain.
//!
//! `exploration-report beem|mcc DIRECTORY [--timeout SECONDS] [--memory MEGABYTES]
//! [--store arena|tree] [--threads N] [--filter TEXT] [--most STATES]`
//!
//! - `beem`: the directory has models `NAME.dve`, and `counts.tsv` with the columns `model`,
//!   `states` and `transitions`. Models that are not in the table are not explored.
//! - `mcc`: the directory has nets `INSTANCE/model.pnml`, and `index.tsv` with the columns
//!   `instance` and `reachable_markings`, which is `+inf` for unbounded nets.
//!
//! Speeds are transitions per second of work: the time for which processors have worked, not that
//! which has passed, so that other processes do not matter much. Reading is part of both.
//!
//! Models with more states than `--most` (10,000,000 nets, all DVE models) are not explored. The
//! process ends with 1 if a result is wrong.

use sempre_explicit::explore::{
    Counts, Exploration, Failure, Limits, Reason, breadth_first, parallel,
};
use sempre_explicit::store::{Arena, Store, Tree};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::petri::pnml;
use sempre_models::{Extent, Fault, Model, System, dve};
use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: exploration-report beem|mcc DIRECTORY [--timeout SECONDS] \
                     [--memory MEGABYTES] [--store arena|tree] [--threads N] [--filter TEXT] \
                     [--most STATES]";

#[derive(Clone, Copy, PartialEq)]
enum Collection {
    Beem,
    Mcc,
}

struct Options {
    collection: Collection,
    directory: PathBuf,
    timeout: Duration,
    bytes: usize,
    tree: bool,
    threads: NonZeroUsize,
    filter: String,
    most: u64,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let collection = match arguments.next().as_deref() {
        Some("beem") => Collection::Beem,
        Some("mcc") => Collection::Mcc,
        _ => return Err(USAGE.into()),
    };
    let mut options = Options {
        collection,
        directory: arguments.next().ok_or(USAGE)?.into(),
        timeout: Duration::from_secs(60),
        bytes: 4 << 30,
        tree: true,
        threads: NonZeroUsize::MIN,
        filter: String::new(),
        most: if collection == Collection::Mcc { 10_000_000 } else { u64::MAX },
    };
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or(USAGE)?;
        match argument.as_str() {
            "--timeout" => options.timeout = Duration::try_from_secs_f64(value.parse()?)?,
            "--memory" => options.bytes = value.parse::<usize>()? << 20,
            "--store" if value == "arena" => options.tree = false,
            "--store" if value == "tree" => options.tree = true,
            "--threads" => options.threads = value.parse()?,
            "--filter" => options.filter = value,
            "--most" => options.most = value.parse()?,
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}

/// A model and what is known of it.
struct Subject {
    name: String,
    file: PathBuf,
    /// None if the net is unbounded.
    states: Option<u64>,
    transitions: Option<u64>,
}

/// The subjects of a collection, from its table.
fn subjects(options: &Options) -> Result<Vec<Subject>, Box<dyn Error>> {
    let (table, name, states) = match options.collection {
        Collection::Beem => ("counts.tsv", "model", "states"),
        Collection::Mcc => ("index.tsv", "instance", "reachable_markings"),
    };
    let path = options.directory.join(table);
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |wanted: &str| header.iter().position(|name| *name == wanted);
    let missing = || format!("{}: the columns `{name}` and `{states}` are needed", path.display());
    let (name, states) = column(name).zip(column(states)).ok_or_else(missing)?;
    let transitions = column("transitions");
    let mut subjects = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |column: usize| cells.get(column).copied().unwrap_or_default();
        let count = match cell(states) {
            "+inf" => None,
            // Numbers that are unknown, or too large to be counted one by one.
            text => Some(text.parse().unwrap_or(u64::MAX)),
        };
        let name = cell(name).to_owned();
        let file = match options.collection {
            Collection::Beem => options.directory.join(format!("{name}.dve")),
            Collection::Mcc => options.directory.join(&name).join("model.pnml"),
        };
        let transitions = transitions.and_then(|column| cell(column).parse().ok());
        if name.contains(&options.filter) {
            subjects.push(Subject { name, file, states: count, transitions });
        }
    }
    Ok(subjects)
}

fn read(collection: Collection, file: &Path) -> Result<Model, Box<dyn Error>> {
    Ok(match collection {
        Collection::Beem => Model::from(dve::parse(&std::fs::read_to_string(file)?)?),
        Collection::Mcc => Model::from(pnml::read(BufReader::new(File::open(file)?))?),
    })
}

struct Explore<'a> {
    options: &'a Options,
    limits: Limits,
    /// How many words a state has.
    words: usize,
}

impl Explore<'_> {
    fn search<T: Store>(&self, system: &dyn System) -> Result<Exploration, Failure> {
        if self.options.threads == NonZeroUsize::MIN {
            return breadth_first(system, &mut T::new(system.words()), &self.limits, |_| ());
        }
        parallel::<T>(system, self.options.threads, &self.limits, |_| ())
            .map(|(exploration, _)| exploration)
    }

    fn run(&mut self, system: &dyn System) -> Result<Result<Exploration, Failure>, Fault> {
        self.words = system.words();
        let outcome = match self.options.tree {
            true => self.search::<Tree>(system),
            false => self.search::<Arena>(system),
        };
        match outcome {
            Err(Failure { fault: fault @ Fault::Overflow(_), .. }) => Err(fault),
            outcome => Ok(outcome),
        }
    }
}

/// For how long processors have worked for this process, where Linux says so: in hundredths of a
/// second, the fourteenth and fifteenth of the fields of which the second is in parentheses.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

/// What became of a model.
enum Verdict {
    Solved,
    Unsolved(String),
    Wrong(String),
}

struct Attempt {
    verdict: Verdict,
    exploration: Option<Exploration>,
    /// The time that passed.
    seconds: f64,
    /// The time that processors worked, of all threads together.
    work: f64,
    words: usize,
}

fn explore(options: &Options, subject: &Subject) -> Attempt {
    let (start, idle) = (Instant::now(), processor_seconds());
    let deadline = start + options.timeout;
    let limits =
        Limits { bytes: Some(options.bytes), deadline: Some(deadline), ..Limits::default() };
    let mut task = Explore { options, limits, words: 0 };
    // Searches end by themselves at the deadline; this is for what comes before them.
    let latest = deadline + options.timeout / 8;
    let outcome = interrupt::run(&Interrupt::default(), Some(latest), || {
        let model = read(options.collection, &subject.file).map_err(|error| error.to_string())?;
        Ok(model.run(Extent::Whole, |system| task.run(&**system)))
    });
    let words = task.words;
    let seconds = start.elapsed().as_secs_f64();
    let work = match (idle, processor_seconds()) {
        (Some(before), Some(after)) => after - before,
        _ => seconds,
    };
    let (verdict, exploration) = match outcome {
        Err(_) => (Verdict::Unsolved("time".into()), None),
        Ok(Err(error)) => (Verdict::Wrong(error), None),
        Ok(Ok(Err(Fault::Unbounded { .. }))) if subject.states.is_none() => (Verdict::Solved, None),
        Ok(Ok(Err(fault))) => (Verdict::Wrong(fault.to_string()), None),
        Ok(Ok(Ok(Err(failure)))) => (Verdict::Wrong(failure.to_string()), None),
        Ok(Ok(Ok(Ok(exploration)))) => (compare(subject, &exploration), Some(exploration)),
    };
    Attempt { verdict, exploration, seconds, work, words }
}

fn compare(subject: &Subject, exploration: &Exploration) -> Verdict {
    if let Some(reason) = exploration.incomplete {
        return Verdict::Unsolved(match reason {
            Reason::Time => "time".into(),
            Reason::Memory => "memory".into(),
            other => other.to_string(),
        });
    }
    let Counts { states, transitions, .. } = exploration.counts;
    match (subject.states, subject.transitions) {
        (None, _) => Verdict::Wrong("the net is unbounded".into()),
        (Some(expected), _) if expected != states => {
            Verdict::Wrong(format!("{expected} states expected"))
        }
        (_, Some(expected)) if expected != transitions => {
            Verdict::Wrong(format!("{expected} transitions expected"))
        }
        _ => Verdict::Solved,
    }
}

/// Sums over all models.
#[derive(Default)]
struct Totals {
    solved: u64,
    unsolved: u64,
    wrong: u64,
    states: u64,
    transitions: u64,
    bytes: usize,
    seconds: f64,
    work: f64,
    /// The most bytes per state of a model with 100,000 states or more, and its name.
    worst: (f64, String),
}

fn report(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let mut totals = Totals::default();
    let mut skipped = 0;
    let mut out = std::io::stdout().lock();
    for subject in subjects(options)? {
        if subject.states.is_some_and(|states| states > options.most) {
            skipped += 1;
            continue;
        }
        let result = explore(options, &subject);
        let (word, note) = match &result.verdict {
            Verdict::Solved => ("solved", ""),
            Verdict::Unsolved(reason) => ("unsolved", reason.as_str()),
            Verdict::Wrong(what) => ("WRONG", what.as_str()),
        };
        match result.verdict {
            Verdict::Solved => totals.solved += 1,
            Verdict::Unsolved(_) => totals.unsolved += 1,
            Verdict::Wrong(_) => totals.wrong += 1,
        }
        write!(out, "{word:8} {:40}", subject.name)?;
        match &result.exploration {
            Some(Exploration { counts, bytes, .. }) => {
                let per_state = *bytes as f64 / counts.states as f64;
                write!(
                    out,
                    " {:>10} states {:>11} transitions {:7.2} s {:7.2} s of work \
                     {:6.2} M/s {:3} words {:6.1} B/state",
                    counts.states,
                    counts.transitions,
                    result.seconds,
                    result.work,
                    counts.transitions as f64 / result.work.max(0.01) / 1e6,
                    result.words,
                    per_state,
                )?;
                totals.states += counts.states;
                totals.transitions += counts.transitions;
                totals.bytes += bytes;
                totals.seconds += result.seconds;
                totals.work += result.work;
                if counts.states >= 100_000 && per_state > totals.worst.0 {
                    totals.worst = (per_state, subject.name.clone());
                }
            }
            None => write!(out, " {:8.2} s", result.seconds)?,
        }
        writeln!(out, " {note}")?;
        out.flush()?;
    }
    writeln!(
        out,
        "{} solved, {} unsolved, {} wrong, {skipped} not tried",
        totals.solved, totals.unsolved, totals.wrong
    )?;
    writeln!(
        out,
        "{} states, {} transitions, {:.1} s, {:.1} s of work, {:.2} M/s, {:.1} B/state, at most {:.1} ({})",
        totals.states,
        totals.transitions,
        totals.seconds,
        totals.work,
        totals.transitions as f64 / totals.work.max(0.01) / 1e6,
        totals.bytes as f64 / totals.states as f64,
        totals.worst.0,
        totals.worst.1,
    )?;
    Ok(ExitCode::from(u8::from(totals.wrong > 0)))
}

fn main() -> ExitCode {
    match options().and_then(|options| report(&options)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("exploration-report: {error}");
            ExitCode::from(2)
        }
    }
}
