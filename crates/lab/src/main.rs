//! The `sempre-lab` command.

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use sempre_lab::bench::Meter;
use sempre_lab::settings::{Settings, duration};
use sempre_lab::{registry, run};
use std::io::{self, Write};
use std::path::PathBuf;
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
