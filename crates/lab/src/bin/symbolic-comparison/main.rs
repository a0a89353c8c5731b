//! Repeats published experiments with sets of states, and prints our figures beside theirs.
//!
//! `symbolic-comparison e5 DIRECTORY [--formulas N] [--seed N] [--timeout SECONDS] [--filter TEXT]…`
//! `symbolic-comparison sog [--formulas N] [--seed N] [--timeout SECONDS] [--filter TEXT]…`
//!
//! - `e5`: generalized Büchi automata against generalized testing automata, with and without
//!   saturation, on models `NAME.dve` in the directory (A. E. Ben Salem, Improving the model
//!   checking of stutter-invariant LTL properties, 2014, chapter 6).
//! - `sog`: states one by one against sets of states, on families of nets (Klai and Poitrenaud,
//!   MC-SOG: an LTL model checker based on symbolic observation graphs, 2008, Table 1).

mod e5;
mod sog;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "usage: symbolic-comparison e5 DIRECTORY | sog [--formulas N] [--seed N] \
                     [--timeout SECONDS] [--filter TEXT]…";

/// What is measured.
struct Settings {
    /// For each model: as many formulas of each verdict, or in all.
    formulas: usize,
    seed: u64,
    /// For each check.
    timeout: Duration,
    /// What names of models must contain, one of them.
    filters: Vec<String>,
}

impl Settings {
    fn wants(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let experiment = arguments.next();
    let directory = match experiment.as_deref() {
        Some("e5") => PathBuf::from(arguments.next().ok_or(USAGE)?),
        Some("sog") => PathBuf::new(),
        _ => return Err(USAGE.into()),
    };
    let formulas = if experiment.as_deref() == Some("e5") { 10 } else { 100 };
    let timeout = Duration::from_secs(60);
    let mut settings = Settings { formulas, seed: 0, timeout, filters: Vec::new() };
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or(USAGE)?;
        match argument.as_str() {
            "--formulas" => settings.formulas = value.parse()?,
            "--seed" => settings.seed = value.parse()?,
            "--timeout" => settings.timeout = Duration::try_from_secs_f64(value.parse()?)?,
            "--filter" => settings.filters.push(value),
            _ => return Err(USAGE.into()),
        }
    }
    match experiment.as_deref() {
        Some("e5") => e5::report(&directory, &settings),
        _ => sog::report(&settings),
    }
}
