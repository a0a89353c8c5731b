//! The options of a comparison, and their effect on a configuration.

use crate::limits::seconds;
use crate::report::{Located, Place};
use crate::search::MAX_THREADS;
use anyhow::{Context, Result, anyhow};
use sempre::cross::Config;
use sempre::cross::Test;
use sempre::cross::config::{GraphKind, ScopeConfig, ToolConfig};
use sempre::ltl;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The options for the comparison of tools.
#[derive(clap::Args, Debug)]
pub(super) struct Settings {
    /// Run only these tests: intersection, universality, comparison, consistency, complement,
    /// claims.
    #[arg(long = "test", value_name = "TESTS", value_delimiter = ',', value_parser = tests(), help_heading = "Tests")]
    tests: Vec<String>,

    /// Skip these tests.
    #[arg(long = "no-test", value_name = "TESTS", value_delimiter = ',', value_parser = tests(), help_heading = "Tests")]
    without: Vec<String>,

    /// Run no tests; only measure.
    #[arg(long, conflicts_with_all = ["tests", "without"], help_heading = "Tests")]
    no_checks: bool,

    /// The time limit of a test, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Tests")]
    test_timeout: Option<Duration>,

    /// Trust the automata of this tool; it takes part like the others.
    #[arg(long, value_name = "TOOL", help_heading = "Tests")]
    reference: Vec<String>,

    /// The kind of structures for the comparison.
    #[arg(long, value_name = "KIND", help_heading = "Structures")]
    structure: Option<Structure>,

    /// The number of states of a structure [default: 50].
    #[arg(long, value_name = "N", help_heading = "Structures")]
    states: Option<usize>,

    /// The probability of an edge between two states [default: 0.1].
    #[arg(long, value_name = "PROBABILITY", help_heading = "Structures")]
    density: Option<f64>,

    /// The probability that a proposition holds in a state [default: 0.5].
    #[arg(long, value_name = "PROBABILITY", help_heading = "Structures")]
    truth: Option<f64>,

    /// The number of structures in each round [default: 1].
    #[arg(long, value_name = "N", help_heading = "Structures")]
    structures: Option<usize>,

    /// The seed of random structures [default: 0].
    #[arg(long, value_name = "SEED", help_heading = "Structures")]
    structure_seed: Option<u64>,

    /// Compare at the initial state only, not at all states.
    #[arg(long, help_heading = "Structures")]
    local: bool,

    /// Abort a translation after SECONDS [default: 60].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    timeout: Option<Duration>,

    /// Limit the memory of a program to MIB.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    memory: Option<u64>,

    /// Run N rounds concurrently; the report stays the same.
    #[arg(
        short = 'j',
        long,
        visible_alias = "jobs",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS),
        help_heading = "Limits"
    )]
    threads: Option<u32>,

    /// Stop after the first round with a failure.
    #[arg(long, help_heading = "Limits")]
    stop_on_error: bool,

    /// Count a translation that takes too long as a failure.
    #[arg(long, help_heading = "Limits")]
    fail_on_timeout: bool,

    /// Run commands in a shell.
    #[arg(long, help_heading = "Set-up")]
    shell: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Structure {
    /// Random graphs whose states are all reachable [default]
    Connected,
    /// Random graphs
    Random,
    /// A lasso: one path that leads back to one of its states
    Sequential,
    /// All lassos, one after the other
    Enumerated,
}

fn tests() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(Test::ALL.map(Test::name))
}

impl Settings {
    /// Applies the options to the configuration.
    pub(super) fn apply(&self, config: &mut Config) -> Result<()> {
        let all = Test::ALL.map(|test| test.name().to_owned());
        let only = !self.tests.is_empty() || self.no_checks;
        let off = if only { &all[..] } else { &self.without };
        for (names, on) in [(off, false), (&*self.tests, true), (&*self.without, false)] {
            for name in names {
                *config.tests.by_name(name).with_context(|| format!("no test {name}"))? = on;
            }
        }
        let structures = &mut config.structures;
        if let Some(kind) = self.structure {
            structures.kind = match kind {
                Structure::Connected => GraphKind::Connected,
                Structure::Random => GraphKind::Random,
                Structure::Sequential => GraphKind::Sequential,
                Structure::Enumerated => GraphKind::Enumerated,
            };
        }
        set(&mut structures.states, self.states);
        set(&mut structures.density, self.density);
        set(&mut structures.truth, self.truth);
        set(&mut structures.count, self.structures);
        set(&mut structures.seed, self.structure_seed);
        if self.local {
            structures.scope = ScopeConfig::Local;
        }
        config.tests.timeout = self.test_timeout.map(|t| t.as_secs_f64()).or(config.tests.timeout);
        config.timeout = self.timeout.map(|time| time.as_secs_f64()).or(config.timeout);
        config.memory = self.memory.or(config.memory);
        config.threads = self.threads.map(|threads| threads as usize).or(config.threads);
        config.stop_on_error |= self.stop_on_error;
        config.fail_on_timeout |= self.fail_on_timeout;
        config.shell |= self.shell;
        Ok(())
    }

    /// Returns the trusted tools.
    pub(super) fn references(&self) -> impl Iterator<Item = ToolConfig> {
        let reference = |text: &String| ToolConfig { reference: true, ..ToolConfig::new(text) };
        self.reference.iter().map(reference)
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// Reads a configuration.
pub(super) fn read(path: &Path) -> Result<Config> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    Config::read(&text).map_err(|error| match error.place {
        None => anyhow!("{name}: {}", error.message),
        Some(place) => {
            let error = ltl::Error::at(place, error.message);
            Located::new(&Place::Line(&name, 1), &text, error).into()
        }
    })
}
