//! Compares our verdicts with known ones.
//!
//! `check-report [--timeout SECONDS] [--filter TEXT] [--decompose] [--emptiness NAME] mcc|beem DIR`
//!
//! `mcc`: DIR has a folder for each instance, with `model.pnml`, property files of the Model
//! Checking Contest, and `verdicts.tsv`, whose columns are a property's name and `TRUE`, `FALSE` or
//! `?`. `beem`: DIR has pairs of `NAME.dve` and `NAME.tsv`, whose columns are `holds` or `violated`
//! and a formula. Exits with 1 if a verdict is wrong.

use rustc_hash::FxHashMap;
use sempre_explicit::emptiness::Check;
use sempre_explicit::explore::{Failure, Limits};
use sempre_explicit::store::Arena;
use sempre_explicit::{Options, Outcome, Refusal, Verdict, verify};
use sempre_ltl::Formula;
use sempre_models::petri::pnml;
use sempre_models::property::{Property, mcc};
use sempre_models::{Fault, Model, System, Task, dve};
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: check-report [--timeout SECONDS] [--memory MIB] [--filter TEXT] \
                     [--decompose] [--emptiness NAME] mcc|beem DIR";

struct Arguments {
    timeout: Duration,
    bytes: usize,
    filter: String,
    options: Options,
    is_mcc: bool,
    directory: PathBuf,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let (mut timeout, mut bytes) = (Duration::from_secs(10), 4 << 30);
    let (mut filter, mut options, mut rest) = (String::new(), Options::default(), vec![]);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--timeout" => {
                let seconds: f64 = arguments.next().ok_or(USAGE)?.parse()?;
                timeout = Duration::try_from_secs_f64(seconds)?;
            }
            "--memory" => bytes = arguments.next().ok_or(USAGE)?.parse::<usize>()? << 20,
            "--filter" => filter = arguments.next().ok_or(USAGE)?,
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
    Ok(Arguments { timeout, bytes, filter, options, is_mcc, directory: directory.into() })
}

/// A property whose verdict is known, or not.
struct Known {
    property: Property,
    holds: Option<bool>,
}

/// What became of properties.
#[derive(Clone, Copy, Default)]
struct Tally {
    right: u32,
    /// Decided, but nobody knows whether that is right.
    unjudged: u32,
    unsolved: u32,
    wrong: u32,
    /// Seconds that violations took, for the median.
    seconds: f64,
}

struct Verification<'a> {
    formula: &'a Formula,
    options: &'a Options,
    limits: Limits,
}

impl Task for Verification<'_> {
    type Output = Result<Outcome, Refusal>;

    fn run<S: System>(&mut self, system: &S) -> Result<Self::Output, Fault> {
        match verify::<S, Arena>(system, self.formula, self.options, &self.limits, &|_| ()) {
            Err(Refusal::Fault(Failure { fault: fault @ Fault::Overflow(_), .. })) => Err(fault),
            outcome => Ok(outcome),
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

/// Prints a line per model, and the totals; how many verdicts are wrong.
fn report(arguments: &Arguments) -> Result<u32, Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let mut entries: Vec<PathBuf> = fs::read_dir(&arguments.directory)?
        .map(|e| Ok(e?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    entries.sort();
    let mut total = Tally::default();
    let mut times = Vec::new();
    for path in entries {
        let is_model = match arguments.is_mcc {
            true => path.join("model.pnml").exists(),
            false => path.extension().is_some_and(|extension| extension == "dve"),
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !is_model || !name.contains(&arguments.filter) {
            continue;
        }
        let start = Instant::now();
        let loaded = if arguments.is_mcc { load_mcc(&path) } else { load_beem(&path) };
        let (model, properties) = match loaded {
            Ok(loaded) => loaded,
            Err(error) => {
                writeln!(out, "{name}: not loaded: {error}")?;
                continue;
            }
        };
        let loading = start.elapsed().as_secs_f64();
        let tally = check_all(&model, &properties, arguments, &mut times)?;
        writeln!(
            out,
            "{name}: {} right, {} unjudged, {} unsolved, {} wrong; loading {loading:.2} s, checks {:.2} s",
            tally.right, tally.unjudged, tally.unsolved, tally.wrong, tally.seconds
        )?;
        out.flush()?;
        total.right += tally.right;
        total.unjudged += tally.unjudged;
        total.unsolved += tally.unsolved;
        total.wrong += tally.wrong;
        total.seconds += tally.seconds;
    }
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    writeln!(
        out,
        "total: {} right, {} unjudged, {} unsolved, {} wrong; {:.0} s; median time of a violation {:.1} ms",
        total.right,
        total.unjudged,
        total.unsolved,
        total.wrong,
        total.seconds,
        1e3 * median
    )?;
    Ok(total.wrong)
}

fn check_all(
    model: &Model,
    properties: &[Known],
    arguments: &Arguments,
    times: &mut Vec<f64>,
) -> Result<Tally, Box<dyn Error>> {
    let mut tally = Tally::default();
    for Known { property, holds } in properties {
        let start = Instant::now();
        let limits = Limits {
            bytes: Some(arguments.bytes),
            deadline: Some(start + arguments.timeout),
            ..Limits::default()
        };
        let options = &arguments.options;
        let mut task = Verification { formula: &property.formula, options, limits };
        let outcome = model.run_on_the_fly(&mut task);
        let seconds = start.elapsed().as_secs_f64();
        tally.seconds += seconds;
        let found = match outcome {
            Ok(Ok(Outcome { verdict: Verdict::Holds, .. })) => Some(true),
            Ok(Ok(Outcome { verdict: Verdict::Violated(_), .. })) => {
                times.push(seconds);
                Some(false)
            }
            Ok(Ok(_)) => None,
            Ok(Err(refusal)) => {
                eprintln!("{}: {refusal}", property.name);
                // A run that is no counterexample is a mistake of ours.
                tally.wrong += u32::from(matches!(refusal, Refusal::Rejected(_)));
                None
            }
            Err(fault) => {
                eprintln!("{}: {fault}", property.name);
                None
            }
        };
        match (found, holds) {
            (None, _) => tally.unsolved += 1,
            (Some(_), None) => tally.unjudged += 1,
            (Some(found), Some(holds)) if found == *holds => tally.right += 1,
            (Some(found), _) => {
                eprintln!("{}: wrong, we say {found}", property.name);
                tally.wrong += 1;
            }
        }
    }
    Ok(tally)
}

type Loaded = Result<(Model, Vec<Known>), Box<dyn Error>>;

fn load_mcc(directory: &Path) -> Loaded {
    let verdicts = fs::read_to_string(directory.join("verdicts.tsv"))?;
    let verdicts: FxHashMap<&str, Option<bool>> = verdicts
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, verdict)| {
            let holds = match verdict.trim() {
                "TRUE" => Some(true),
                "FALSE" => Some(false),
                _ => None,
            };
            (name, holds)
        })
        .collect();
    let net = pnml::read(BufReader::new(File::open(directory.join("model.pnml"))?))?;
    let mut properties = Vec::new();
    for name in ["LTLCardinality.xml", "LTLFireability.xml"] {
        // Some instances lack one.
        if let Ok(text) = fs::read_to_string(directory.join(name)) {
            properties.extend(mcc::read(&text)?.into_iter().map(|property| {
                let holds = verdicts.get(property.name.as_str()).copied().flatten();
                Known { property, holds }
            }));
        }
    }
    Ok((Model::Net(net), properties))
}

fn load_beem(path: &Path) -> Loaded {
    let model = dve::parse(&fs::read_to_string(path)?)?;
    let table = fs::read_to_string(path.with_extension("tsv"))?;
    let mut properties = Vec::new();
    for (number, line) in table.lines().enumerate().skip(1) {
        let Some((verdict, formula)) = line.split_once('\t') else { continue };
        let name = format!("{}:{}", path.with_extension("tsv").display(), number + 1);
        let property = Property { name, formula: formula.parse()? };
        properties.push(Known { property, holds: Some(verdict == "holds") });
    }
    Ok((Model::Dve(model), properties))
}
