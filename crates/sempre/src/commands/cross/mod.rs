//! `sempre cross`: translators tested against each other.

mod automata;
mod formulas;
mod replay;
mod rounds;
mod settings;
mod show;
mod tools;

use crate::Exit;
use crate::input::InputOptions;
use crate::output::{Output, OutputOptions};
use crate::signals;
use anyhow::{Context, Error, Result, bail};
use sempre::automata::transform::Language;
use sempre::cross::config::duration;
use sempre::cross::{self, Config, Expected, Limits, Round, Session, Statistics};
use settings::Settings;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ sempre cross -q --patterns dac tableau alternating:ba 'classic | --determinize --to-complete'

  $ sempre cross -q -f 'G(p -> (q R r))' tableau '{mine} fault:release-never'
  Round 1, mine: the automaton of q R q wrongly rejects q; cycle{!q}, which satisfies it
    The universality test failed: mine (+) and tableau (-) both reject it.
    So did another universality test.
    Why q; cycle{!q} satisfies q R q:
      position 0: q
      position 1: !q   for ever

      [1] q R q holds at 0: q holds at 0, and q holds up to there, at 0
    The formula was found as G(p -> (q R r)).

  ? 1

  $ sempre cross --automata --no-times -n 10 --size 4 'aut --determinize' 'aut --reduce'
                       results  failed  wrong  unknown   states    edges
    input                   10       0      0        0     4.00     7.10
    aut --determinize       10       0      0        0     5.40    16.30
    aut --reduce            10       0      0        0     2.30     4.10

  $ sempre cross -n 50 --size 5..9 -j 2 --html report.html tableau alternating | tail -n 1
  Nothing was found in 50 rounds.

Programs are compared in the same way:
  sempre cross -n 1000 --timeout 10 --memory 1000 tableau spin lbt '{mine} ./translate -f %f -o %O'";

/// What is said about files here: standard input is not read unless that is asked for.
const FILES: &str = "\
Read formulas from FILE, one per line, or automata (`-` is standard input); may be repeated.

Blank lines and lines that start with `#` are skipped.";

/// Test translators of formulas to automata against each other.
///
/// Each TOOL translates each formula and its negation; the automata are compared with each other,
/// on random structures, and with the semantics of the logic on words. A failed test names the
/// automaton that is wrong and a word that shows it, with a proof, and the formula is made smaller
/// as long as the same goes wrong.
///
/// A TOOL is the name of a known program (spin, lbt, ltl2ba, ltl3ba, ltl3dra, ltl3tela, ltl2dstar,
/// ltl2tgba, Owl's commands), perhaps with options; or a command with a place for the formula: %f
/// %s %l %w for an argument in the syntax of Spot, Spin, lbt or Wring, %F %S %L %W for a file with
/// it, %[WM]f for one without some operators; %O is the file for the automaton, if it is not
/// written to standard output. {name} in front gives it a name, and `sh:` has it run by a shell.
/// Or it is one of our own constructions: tableau, alternating:ba, classic:tgba:low, `sempre
/// translate` with its options, each perhaps with steps of `sempre aut` after a bar: `tableau |
/// --determinize --to-complete`. `own` stands for all of these that there are. Without TOOL, the
/// three constructions are compared.
///
/// The exit code is 0 if nothing was found, 1 if an automaton is wrong or a program failed.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, mut_arg("files", |arg| arg.long_help(FILES)))]
pub(crate) struct Cross {
    /// Who takes part: the name of a known tool, or a command.
    #[arg(value_name = "TOOL")]
    tools: Vec<String>,

    #[command(flatten)]
    formulas: formulas::FormulaOptions,

    #[command(flatten)]
    input: InputOptions,

    #[command(flatten)]
    settings: Settings,

    /// Read the set-up from FILE: TOML, or a configuration file of lbtt. Options override it.
    #[arg(long, value_name = "FILE", help_heading = "Set-up")]
    config: Option<PathBuf>,

    /// Print the set-up as TOML and do nothing.
    #[arg(long, help_heading = "Set-up")]
    show_config: bool,

    /// Perform again what was saved in FILE; without TOOL, with the tools that were saved.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["config", "show_config"], help_heading = "Set-up")]
    replay: Option<PathBuf>,

    /// Compare tools that turn automata into automata of the same language. A TOOL is a command
    /// with %H, %S or %L for a file with the automaton in HOA, as a never claim or in lbtt's
    /// format; or steps of `sempre aut`, such as `aut --determinize`; `own` stands for all steps
    /// that do so. Automata are read from the files of -F, or are random ones with --size states.
    #[arg(long, conflicts_with_all = ["replay", "save"], help_heading = "Automata")]
    automata: bool,

    /// The results are to accept the complement.
    #[arg(long, requires = "automata", help_heading = "Automata")]
    complement: bool,

    #[command(flatten)]
    report: ReportOptions,
}

/// What is reported, and where.
#[derive(clap::Args, Debug)]
struct ReportOptions {
    /// Write a line for each formula and tool to FILE, as CSV.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,

    /// Write everything as JSON to FILE, or instead of the report.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-", help_heading = "Output")]
    json: Option<PathBuf>,

    /// Write a page with tables and plots to FILE.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,

    /// Add each failure to FILE, from where --replay performs it again.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    save: Option<PathBuf>,

    /// Leave formulas as large as they are.
    #[arg(long, help_heading = "Output")]
    no_shrink: bool,

    /// Leave times out of the report, which is the same for the same seeds then.
    #[arg(long, help_heading = "Output")]
    no_times: bool,

    /// Print failures only: no report, no progress.
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

impl ReportOptions {
    /// Whether JSON is printed instead of the report.
    fn prints_json(&self) -> bool {
        self.json.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }
}

impl Cross {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut config = match &self.config {
            Some(path) => settings::read(path)?,
            None => Config::default(),
        };
        self.settings.apply(&mut config)?;
        self.formulas.apply(&mut config);
        let named = match (self.automata, self.complement) {
            (false, _) => tools::expanded(&self.tools),
            (true, false) => tools::expanded_steps(&self.tools, Language::Kept),
            (true, true) => tools::expanded_steps(&self.tools, Language::Complemented),
        };
        let Some(path) = &self.replay else {
            if !named.is_empty() {
                config.tools = named;
            } else if config.tools.is_empty() && !self.automata {
                config.tools = tools::expanded(&tools::DEFAULT.map(ToOwned::to_owned));
            }
            config.tools.extend(self.settings.references());
            return self.compare(&config, None);
        };
        let mut exit = Exit::Success;
        let groups = replay::read(path, &named)?;
        if groups.is_empty() {
            bail!("there is nothing in {}", path.display());
        }
        for group in groups {
            let (tools, structures) = (group.tools, group.structures);
            let config = Config { tools, structures, ..config.clone() };
            exit = exit.max(self.compare(&config, Some(&group.cases))?);
        }
        Ok(exit)
    }

    /// Compares the tools of a set-up.
    fn compare(&self, config: &Config, saved: Option<&[replay::Case]>) -> Result<Exit> {
        if self.show_config {
            let mut out = Output::standard();
            out.write_all(config.to_toml().map_err(Error::msg)?.as_bytes())?;
            out.finish()?;
            return Ok(Exit::Success);
        }
        if self.automata {
            let expected = match self.complement {
                true => Expected::Complement,
                false => Expected::Same,
            };
            return automata::Run::new(self, config, expected)?.run();
        }
        let participants = tools::participants(config)?;
        signals::before_death(cross::end_all).context("cannot wait for signals")?;
        let limits = Limits {
            time: config.timeout.map(duration).transpose().map_err(Error::msg)?,
            memory: config.memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20)),
        };
        let session = Session::new(participants)
            .tests(config.tests.tests().map_err(Error::msg)?)
            .limits(limits)
            .structures(config.structures.structures().map_err(Error::msg)?);
        Run { command: self, config, session: &session }.run(saved)
    }
}

/// A run with its set-up.
struct Run<'a> {
    command: &'a Cross,
    config: &'a Config,
    session: &'a Session,
}

impl Run<'_> {
    fn run(&self, saved: Option<&[replay::Case]>) -> Result<Exit> {
        let source = formulas::Source::new(self.command, self.config, saved)?;
        let mut out = Output::standard();
        let mut show = show::Show::new(self, source.total())?;
        let mut statistics = Statistics::new(self.session);
        let mut failed = false;
        let threads = self.config.threads.unwrap_or(1);
        let bad = rounds::perform(self.session, threads, &source, &mut out, |round, out| {
            statistics.add(&round);
            let fails = show.round(&round, out)?;
            failed |= fails;
            Ok(match fails && self.config.stop_on_error {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        })?;
        if statistics.rounds() == 0 {
            bail!("there are no formulas");
        }
        show.finish(&statistics, &mut out)?;
        out.finish()?;
        Ok(match bad.exit_code() {
            Exit::Success if failed => Exit::Violated,
            exit => exit,
        })
    }

    /// Whether something went wrong in a round that is not to be passed over.
    fn fails(&self, round: &Round) -> bool {
        use cross::FailureKind::{Memory, Time, Unsupported};
        let failures = round.entries.iter().flatten();
        let failures = failures.filter_map(|entry| entry.translation.result.as_ref().err());
        let counts = |kind| match kind {
            Time => self.config.fail_on_timeout,
            Memory | Unsupported => false,
            _ => true,
        };
        !round.findings.is_empty() || failures.into_iter().any(|failure| counts(failure.kind))
    }
}

/// Opens a file for results.
fn open(path: &std::path::Path) -> Result<Output> {
    OutputOptions { output: Some(path.to_owned()) }.open()
}
