//! The `sempre-lab` command.

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use sempre_lab::bench::Meter;
use sempre_lab::fuzz::targets;
use sempre_lab::fuzz::{self, Corpus};
use sempre_lab::mutate::{self, Selection};
use sempre_lab::settings::{Settings, duration};
use sempre_lab::{registry, run};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Repeats published experiments, and compares engines with each other by seed.
#[derive(Parser)]
#[command(name = "sempre-lab", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists experiments and subjects of agreement runs.
    List {
        /// Lists the parameters of each experiment as well.
        #[arg(long)]
        parameters: bool,
    },
    /// Runs an experiment, or continues it: existing rows are not recomputed.
    ///
    /// Writes rows.csv, setup.csv, README.md and plots into the folder of the experiment. Ends with
    /// 1 if a result is wrong, such as a count or a verdict that differs from a known one.
    Run {
        /// The name of the experiment.
        experiment: String,
        /// Runs few and small cases, in seconds, on models that the project ships or generates.
        #[arg(long)]
        quick: bool,
        /// Computes no more units after this time: 90s, 10m, 2h. Run again to continue.
        #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "quick")]
        budget: Option<Duration>,
        /// A folder with the collections of models that the experiment needs, each in a folder of
        /// its name (beem, beem-ltl, promela, mcc, translation, complementation).
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// Sets a parameter (see `list --parameters`).
        #[arg(long = "set", value_name = "NAME=VALUE")]
        set: Vec<String>,
        /// The parent folder of the results.
        #[arg(short, value_name = "DIR", default_value = "experiments")]
        out: PathBuf,
    },
    /// Regenerates pages from rows.
    Page {
        /// The parent folder of the results.
        #[arg(short, value_name = "DIR", default_value = "experiments")]
        out: PathBuf,
    },
    /// Compares engines with each other on random inputs; ends with 1 if they disagree.
    Agree {
        /// The name of the subject.
        subject: String,
        /// The seed of the inputs.
        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
        /// The number of inputs.
        #[arg(long, value_name = "N")]
        count: Option<u64>,
    },
    /// Feeds changed files of the fuzz corpora to the readers; ends with 1 if one makes a mistake.
    ///
    /// Run it in the workspace. Panics of the checks are expected; the shrunk input is written to
    /// fuzz/findings.
    Fuzz {
        /// The name of a corpus; all of them if it is missing.
        target: Option<String>,
        /// The seed of the changes.
        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
        /// The number of inputs for each target.
        #[arg(long, value_name = "N", default_value_t = u64::MAX)]
        count: u64,
        /// The time for each target.
        #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10m")]
        time: Duration,
    },
    /// Changes conditions of the sources one at a time; ends with 1 if no test notices one.
    ///
    /// Run it in the workspace. It builds a copy with all mutations of `crates/lab/mutations`, runs
    /// the tests of each, and writes the results into docs/mutations.
    Mutate {
        /// Only mutations of this crate: explicit, ltl, …
        #[arg(long = "crate", value_name = "C")]
        package: Option<String>,
        /// Only mutations whose name contains this text.
        #[arg(long, value_name = "TEXT")]
        name: Option<String>,
        /// Only this number of mutations, chosen by the seed; 0 only writes the page again.
        #[arg(long, value_name = "N")]
        sample: Option<usize>,
        /// The seed of the sample.
        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
        /// The folder of the copy.
        #[arg(long, value_name = "DIR", default_value = "target/mutations")]
        copy: PathBuf,
    },
}

fn main() -> ExitCode {
    match execute(Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // The reader of the output has closed the pipe.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe)
}

/// Runs the command; false if a result is wrong.
fn execute(command: Command) -> Result<bool> {
    let mut out = io::stdout().lock();
    match command {
        Command::List { parameters } => list(parameters, &mut out).map(|()| true),
        Command::Run { experiment, quick, budget, data, set, out: folder } => {
            let experiment = registry::experiment(&experiment).with_context(|| {
                format!("unknown experiment `{experiment}`; `sempre-lab list` lists all")
            })?;
            let mut settings = Settings::new(&experiment.about(), quick, &set)?;
            settings.data = data;
            let summary = run::run(experiment, settings, budget, &folder)?;
            for fault in &summary.faults {
                writeln!(out, "WRONG: {fault}")?;
            }
            let rest = if summary.is_complete {
                ""
            } else {
                "; the budget is spent, run again to continue"
            };
            writeln!(
                out,
                "{} rows, {} units computed{rest}: {}",
                summary.rows,
                summary.computed,
                summary.folder.join(run::PAGE).display()
            )?;
            Ok(summary.faults.is_empty())
        }
        Command::Page { out: folder } => {
            let count = run::write_pages(&folder)?;
            if count == 0 {
                bail!("no rows below {}", folder.display());
            }
            writeln!(out, "{count} pages: {}", folder.join(run::PAGE).display())?;
            Ok(true)
        }
        Command::Agree { subject, seed, count } => {
            let subject = registry::subject(&subject).with_context(|| {
                format!("unknown subject `{subject}`; `sempre-lab list` lists all")
            })?;
            let agreement = (subject.run)(seed, count.unwrap_or(subject.count), &mut Meter::new())?;
            for disagreement in &agreement.disagreements {
                writeln!(out, "{disagreement}")?;
            }
            let wrong = agreement.disagreements.len();
            writeln!(out, "seed {seed}: {}, {wrong} disagreements", agreement.summary)?;
            Ok(wrong == 0)
        }
        Command::Fuzz { target, seed, count, time } => {
            let workspace = Path::new(".");
            let fits = |one: &&targets::Target| target.as_ref().is_none_or(|name| one.name == name);
            let mut is_right = true;
            let mut targets = targets::ALL.iter().filter(fits).peekable();
            if targets.peek().is_none() {
                bail!("there is no such fuzz target");
            }
            for target in targets {
                let corpus = Corpus::read(workspace, target)?;
                let run = fuzz::run(target, &corpus, seed, count, Some(time));
                write!(out, "{}: {} inputs", target.name, run.inputs)?;
                match run.finding {
                    None => writeln!(out, ", no finding")?,
                    Some(finding) => {
                        is_right = false;
                        let path = workspace.join("fuzz/findings").join(target.name);
                        std::fs::create_dir_all(path.parent().context("a folder")?)?;
                        std::fs::write(&path, &finding.input)?;
                        writeln!(out, ", {}: {}", path.display(), finding.message)?;
                    }
                }
                out.flush()?;
            }
            Ok(is_right)
        }
        Command::Mutate { package, name, sample, seed, copy } => {
            let selection = Selection { package, name, sample, seed };
            let missed = mutate::run(Path::new("."), &copy, &selection, &mut out)?;
            writeln!(out, "{missed} mutations survived")?;
            Ok(missed == 0)
        }
    }
}

fn list(parameters: bool, out: &mut impl Write) -> Result<()> {
    writeln!(out, "experiments (run NAME):")?;
    for experiment in registry::experiments() {
        let about = experiment.about();
        writeln!(out, "  {:<26} {}", about.name, about.summary)?;
        if parameters {
            for parameter in about.parameters {
                let value = |value: &str| match value {
                    "" => "–".to_owned(),
                    value => value.to_owned(),
                };
                let (full, quick) = (value(parameter.full), value(parameter.quick));
                writeln!(
                    out,
                    "      {}: {} ({full}; quick: {quick})",
                    parameter.name, parameter.meaning
                )?;
            }
        }
    }
    writeln!(out, "\nsubjects (agree NAME):")?;
    for subject in registry::subjects() {
        writeln!(out, "  {:<26} {}", subject.name, subject.summary)?;
    }
    Ok(())
}
