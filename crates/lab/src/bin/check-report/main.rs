//! Compares our verdicts with known ones.
//!
//! `check-report [--engine explicit|symbolic] [--timeout SECONDS] [--memory MIB] [--filter TEXT]
//! [--only-unsolved FILE] [--reduce auto|on|off] [--decompose] [--emptiness NAME] mcc|beem DIR`
//!
//! `mcc`: DIR has a folder for each instance, with `model.pnml`, property files of the Model
//! Checking Contest, and `verdicts.tsv`, whose columns are a property's name and `TRUE`, `FALSE` or
//! `?`. `beem`: DIR has pairs of `NAME.dve` and `NAME.tsv`, whose columns are `holds` or `violated`
//! and a formula.
//!
//! The properties of a model share its state space; the time limit is for each of them, with what
//! must be prepared for the model counted for the first. It is processor time, where the system tells
//! it, and ten times as much by the clock. If the set of a model's states is not found for the first
//! property, it is not looked for again. For properties that are not decided, it is told what was in
//! the way. With `--only-unsolved`, only properties that FILE, the output of an
//! earlier run, names as undecided are checked. Exits with 1 if a verdict is wrong.

mod known;

use known::Known;
use rustc_hash::FxHashSet;
use sempre_explicit::emptiness::Check;
use sempre_explicit::explore::{Failure, Limits, Progress, Reason};
use sempre_explicit::store::Arena;
use sempre_explicit::{Options, Outcome, Reduce, Refusal, StateSpace, Verdict, verify, verify_net};
use sempre_lab::stopwatch::Stopwatch;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::{Extent, Fault, Model, System};
use sempre_symbolic::Sets;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: check-report [--engine explicit|symbolic] [--timeout SECONDS] \
                     [--memory MIB] [--filter TEXT] [--only-unsolved FILE] [--reduce auto|on|off] \
                     [--decompose] [--emptiness NAME] mcc|beem DIR";

struct Arguments {
    timeout: Duration,
    /// The time limit by the clock on the wall.
    patience: Duration,
    bytes: usize,
    filter: String,
    /// The properties to which the report is limited, if it is.
    only: Option<FxHashSet<String>>,
    reduce: Reduce,
    options: Options,
    /// On sets of states.
    is_symbolic: bool,
    is_mcc: bool,
    directory: PathBuf,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let (mut timeout, mut bytes) = (Duration::from_secs(10), 4 << 30);
    let (mut filter, mut options, mut rest) = (String::new(), Options::default(), vec![]);
    let (mut only, mut reduce, mut is_symbolic) = (None, Reduce::default(), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--timeout" => {
                let seconds: f64 = arguments.next().ok_or(USAGE)?.parse()?;
                timeout = Duration::try_from_secs_f64(seconds)?;
            }
            "--memory" => bytes = arguments.next().ok_or(USAGE)?.parse::<usize>()? << 20,
            "--filter" => filter = arguments.next().ok_or(USAGE)?,
            "--only-unsolved" => {
                only = Some(unsolved(&fs::read_to_string(arguments.next().ok_or(USAGE)?)?));
            }
            "--reduce" => {
                let name = arguments.next().ok_or(USAGE)?;
                let found = Reduce::ALL.into_iter().find(|reduce| reduce.name() == name);
                reduce = found.ok_or(USAGE)?;
            }
            "--engine" => {
                is_symbolic = match arguments.next().as_deref() {
                    Some("explicit") => false,
                    Some("symbolic") => true,
                    _ => return Err(USAGE.into()),
                }
            }
            "--decompose" => options.decompose = true,
            "--emptiness" => {
                let name = arguments.next().ok_or(USAGE)?;
                let found = Check::ALL.iter().find(|(known, _)| *known == name);
                options.emptiness = Some(found.ok_or(USAGE)?.1);
            }
            _ => rest.push(argument),
        }
    }
    let [kind, directory] = &*rest else { return Err(USAGE.into()) };
    let is_mcc = match kind.as_str() {
        "mcc" => true,
        "beem" => false,
        _ => return Err(USAGE.into()),
    };
    let patience = timeout.saturating_mul(SLOWEST);
    let directory = directory.into();
    Ok(Arguments {
        timeout,
        patience,
        bytes,
        filter,
        only,
        reduce,
        options,
        is_symbolic,
        is_mcc,
        directory,
    })
}

/// The properties that an earlier report names as undecided: those of the lines that are indented.
fn unsolved(report: &str) -> FxHashSet<String> {
    let lines = report.lines().filter_map(|line| line.strip_prefix("    "));
    lines.filter_map(|line| Some(line.split_once(": ")?.0.to_owned())).collect()
}

/// How many times more the clock on the wall may show: other work goes on on the machine.
const SLOWEST: u32 = 10;

/// How often it is looked whether the time is over, by a thread that does nothing else.
const LOOKS: Duration = Duration::from_millis(5);

/// What became of properties.
#[derive(Default)]
struct Tally {
    right: u32,
    /// Decided, but nobody knows whether that is right.
    unjudged: u32,
    /// Not decided, with what was in the way.
    unsolved: Vec<(String, Obstacle)>,
    wrong: u32,
    /// Seconds that all checks took together.
    seconds: f64,
    /// Seconds that each violation took.
    violations: Vec<f64>,
}

/// What keeps us from deciding a property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Obstacle {
    Loading,
    Translation,
    StateSpace,
    Memory,
    Fault(String),
}

impl Obstacle {
    fn of(engine: &str, reason: Reason) -> Self {
        match reason {
            Reason::Memory | Reason::Numbers => Obstacle::Memory,
            _ if engine.is_empty() => Obstacle::Translation,
            _ => Obstacle::StateSpace,
        }
    }

    /// A word for it.
    fn kind(&self) -> &'static str {
        match self {
            Obstacle::Loading => "the model cannot be loaded in time",
            Obstacle::Translation => "the automaton needs too much time",
            Obstacle::StateSpace => "the product has too many states for the time",
            Obstacle::Memory => "the product needs too much memory",
            Obstacle::Fault(_) => "the model has a fault",
        }
    }
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.right += other.right;
        self.unjudged += other.unjudged;
        self.unsolved.extend(other.unsolved);
        self.wrong += other.wrong;
        self.seconds += other.seconds;
        self.violations.extend(other.violations);
    }
}

/// The properties of a model that are still to be checked.
struct Verification<'a> {
    model: &'a Model,
    properties: &'a [Known],
    arguments: &'a Arguments,
    /// When the work on the next property began.
    start: Instant,
    begin: Stopwatch,
    tally: Tally,
}

impl Verification<'_> {
    fn run(&mut self, system: &Arc<dyn System>) -> Result<(), Fault> {
        if self.arguments.is_symbolic {
            return self.on_sets(system);
        }
        let mut space = StateSpace::<Arena>::new(&**system);
        while let [next, rest @ ..] = self.properties {
            let limits = Limits {
                bytes: Some(self.arguments.bytes),
                deadline: Some(self.start + self.arguments.patience),
                interrupt: Some(Interrupt::default()),
                ..Limits::default()
            };
            let (begin, timeout) = (&self.begin, self.arguments.timeout);
            let watch = |_: &Progress| {
                if let (Some(interrupt), true) = (&limits.interrupt, begin.elapsed() > timeout) {
                    interrupt.raise();
                }
            };
            let formula = &next.property.formula;
            let Arguments { options, reduce, .. } = self.arguments;
            let outcome = match self.model.net() {
                Some(net) => {
                    verify_net(&mut space, (net, *reduce), formula, options, &limits, &watch)
                }
                None => verify(&mut space, formula, options, &limits, &watch),
            };
            let answer = fitting(outcome)?;
            self.note(next, answer.map(|Outcome { verdict, engine, .. }| (verdict, engine)));
            self.properties = rest;
        }
        Ok(())
    }
}

/// An answer, unless a value did not fit: then the work is to be done again with more bits.
fn fitting<T>(answer: Result<T, Refusal>) -> Result<Result<T, Refusal>, Fault> {
    match answer {
        Err(Refusal::Fault(Failure { fault: fault @ Fault::Overflow(_), .. })) => Err(fault),
        answer => Ok(answer),
    }
}

impl Verification<'_> {
    /// The same with sets of states.
    fn on_sets(&mut self, system: &Arc<dyn System>) -> Result<(), Fault> {
        let mut sets = Sets::new(system, Some(self.arguments.bytes));
        let Options { decompose, .. } = self.arguments.options;
        let options = sempre_symbolic::Options { decompose, ..Default::default() };
        let mut given_up = None;
        while let [next, rest @ ..] = self.properties {
            let answer = match &given_up {
                None => {
                    let verify =
                        |limits: &Limits| sets.verify(&next.property.formula, &options, limits);
                    let answer = fitting(self.limited(verify))?;
                    answer.map(|outcome| (outcome.verdict, outcome.engine, outcome.states))
                }
                Some((verdict, engine)) => {
                    Ok((Verdict::clone(verdict), String::clone(engine), None))
                }
            };
            if let Ok((verdict @ Verdict::Unknown(_), engine, None)) = &answer {
                given_up = Some((verdict.clone(), engine.clone()));
            }
            self.note(next, answer.map(|(verdict, engine, _)| (verdict, engine)));
            self.properties = rest;
        }
        Ok(())
    }

    /// Works on the next property on this thread, while another one watches over the time.
    fn limited<T>(&self, work: impl FnOnce(&Limits) -> T) -> T {
        let interrupt = Interrupt::default();
        let deadline = Some(self.start + self.arguments.patience);
        let limits = Limits { deadline, interrupt: Some(interrupt.clone()), ..Limits::default() };
        let (begin, timeout) = (&self.begin, self.arguments.timeout);
        let (done, working) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                while working.recv_timeout(LOOKS) == Err(RecvTimeoutError::Timeout) {
                    if begin.elapsed() > timeout {
                        interrupt.raise();
                    }
                }
            });
            let result = work(&limits);
            drop(done);
            result
        })
    }

    /// Takes note of an answer, with the engine that gave it.
    fn note(
        &mut self,
        Known { property, holds }: &Known,
        answer: Result<(Verdict, String), Refusal>,
    ) {
        // Processor time is told in steps that are longer than most checks.
        let seconds = self.start.elapsed().as_secs_f64();
        (self.start, self.begin) = (Instant::now(), Stopwatch::start());
        let tally = &mut self.tally;
        tally.seconds += seconds;
        let found = match answer {
            Ok((Verdict::Holds, _)) => Ok(true),
            Ok((Verdict::Violated(_), _)) => {
                tally.violations.push(seconds);
                Ok(false)
            }
            Ok((Verdict::Unknown(reason), engine)) => Err(Obstacle::of(&engine, reason)),
            Err(refusal) => {
                // A run that is no counterexample is a mistake of ours.
                tally.wrong += u32::from(matches!(refusal, Refusal::Rejected(_)));
                Err(Obstacle::Fault(refusal.to_string()))
            }
        };
        match (found, holds) {
            (Err(obstacle), _) => tally.unsolved.push((property.name.clone(), obstacle)),
            (Ok(_), None) => tally.unjudged += 1,
            (Ok(found), Some(holds)) if found == *holds => tally.right += 1,
            (Ok(found), Some(_)) => {
                eprintln!("{}: wrong, we say {found}", property.name);
                tally.wrong += 1;
            }
        }
    }
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| report(&arguments)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Prints what became of the properties of each model, and the totals; how many verdicts are wrong.
fn report(arguments: &Arguments) -> Result<u32, Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let mut entries: Vec<PathBuf> = fs::read_dir(&arguments.directory)?
        .map(|e| Ok(e?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    entries.sort();
    let mut total = Tally::default();
    for path in entries {
        let is_model = match arguments.is_mcc {
            true => path.join("model.pnml").exists(),
            false => path.extension().is_some_and(|extension| extension == "dve"),
        };
        let name = match arguments.is_mcc {
            true => path.file_name(),
            false => path.file_stem(),
        };
        let name = name.unwrap_or_default().to_string_lossy().into_owned();
        if !is_model || !name.contains(&arguments.filter) {
            continue;
        }
        if arguments.is_mcc
            && let Some(only) = &arguments.only
            && !only.iter().any(|property| property.starts_with(&format!("{name}-LTL")))
        {
            continue;
        }
        let start = Instant::now();
        let mut properties = match arguments.is_mcc {
            true => known::of_instance(&path)?,
            false => known::of_dve(&path)?,
        };
        if let Some(only) = &arguments.only {
            properties.retain(|known| only.contains(&known.property.name));
        }
        let load = || match arguments.is_mcc {
            true => known::instance(&path),
            false => known::dve(&path),
        };
        let deadline = Some(start + arguments.patience);
        let loaded = interrupt::run(&Interrupt::default(), deadline, load)
            .unwrap_or_else(|_| Err("the time was over".into()));
        let loading = start.elapsed().as_secs_f64();
        let tally = match loaded {
            Ok(model) => check_all(&model, &properties, arguments),
            Err(error) => {
                eprintln!("{name}: {error}");
                let unsolved = properties.into_iter().map(|known| known.property.name);
                let unsolved = unsolved.map(|name| (name, Obstacle::Loading)).collect();
                Tally { unsolved, ..Tally::default() }
            }
        };
        writeln!(
            out,
            "{name}: {} right, {} unjudged, {} unsolved, {} wrong; loading {loading:.2} s, checks {:.2} s",
            tally.right,
            tally.unjudged,
            tally.unsolved.len(),
            tally.wrong,
            tally.seconds
        )?;
        for (property, obstacle) in &tally.unsolved {
            match obstacle {
                Obstacle::Fault(fault) => writeln!(out, "    {property}: {fault}")?,
                _ => writeln!(out, "    {property}: {}", obstacle.kind())?,
            }
        }
        out.flush()?;
        total.add(tally);
    }
    total.violations.sort_by(f64::total_cmp);
    let median = total.violations.get(total.violations.len() / 2).copied().unwrap_or_default();
    writeln!(
        out,
        "total: {} right, {} unjudged, {} unsolved, {} wrong; {:.0} s; median time of a violation {:.1} ms",
        total.right,
        total.unjudged,
        total.unsolved.len(),
        total.wrong,
        total.seconds,
        1e3 * median
    )?;
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, obstacle) in &total.unsolved {
        *kinds.entry(obstacle.kind()).or_default() += 1;
    }
    for (kind, count) in kinds {
        writeln!(out, "unsolved because {kind}: {count}")?;
    }
    let decided = total.right + total.unjudged + total.wrong;
    let all = decided + total.unsolved.len() as u32;
    writeln!(out, "decided: {:.2} %", 100.0 * f64::from(decided) / f64::from(all.max(1)))?;
    Ok(total.wrong)
}

fn check_all(model: &Model, properties: &[Known], arguments: &Arguments) -> Tally {
    let (start, begin, tally) = (Instant::now(), Stopwatch::start(), Tally::default());
    let mut task = Verification { model, properties, arguments, start, begin, tally };
    model.prepare(Some(start + arguments.patience));
    loop {
        // A fault ends the work on one property only.
        let done = model.run(Extent::OnTheFly, |system| task.run(system));
        match (done, task.properties) {
            (Err(fault), [next, rest @ ..]) => {
                let failure = Failure { fault, path: None };
                task.note(next, Err(Refusal::Fault(failure)));
                task.properties = rest;
            }
            _ => return task.tally,
        }
    }
}
