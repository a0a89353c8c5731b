//! `sempre cross`: tests translators against each other.

mod automata;
mod checkers;
mod formulas;
mod prompt;
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
use prompt::{Pause, Prompt};
use sempre::automata::transform::Language;
use sempre::cross::config::duration;
use sempre::cross::{self, Config, Expected, Limits, Round, Session, Statistics};
use sempre::ltl::Formula;
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
    The original formula is G(p -> (q R r)).

  ? 1

  $ sempre cross --automata --no-times -n 10 --size 4 'aut --determinize' 'aut --reduce'
                       results  failed  wrong  unknown   states    edges
    input                   10       0      0        0     4.00     7.10
    aut --determinize       10       0      0        0     4.20    12.20
    aut --reduce            10       0      0        0     2.30     4.10

  $ echo word | sempre cross --interactive -q --no-shrink -f 'a U b' tableau fault:empty | tail -n 6
  Paused after round 1; `help` lists the commands.
  cycle{!a&!b} does not satisfy a U b
  tableau (+) rejects it
  tableau (-) accepts it
  fault:empty (+) rejects it
  fault:empty (-) rejects it, wrongly

  $ sempre cross --checkers -q -n 20 --states 9 --size 5 explicit symbolic slap

  $ sempre cross -n 50 --size 5..9 -j 2 --html report.html tableau alternating | tail -n 1
  No failure in 50 rounds.

Comparing programs works the same way:
  sempre cross -n 1000 --timeout 10 --memory 1000 tableau spin lbt '{mine} ./translate -f %f -o %O'";

/// The help on files: unlike in other commands, standard input is read only on request.
const FILES: &str = "\
Read formulas from FILE, one per line, or automata (`-` is standard input); may be repeated.

Blank lines and lines that start with `#` are skipped.";

/// Test translators of formulas to automata against each other.
///
/// Each TOOL translates each formula and its negation. The automata are compared with each other,
/// on random structures, and with the semantics on words. A failed test names the wrong automaton
/// and a word that shows it, with a proof. The formula is then shrunk as long as the test fails.
///
/// A TOOL is the name of a known program (spin, lbt, ltl2ba, ltl3ba, ltl3dra, ltl3tela, ltl2dstar,
/// ltl2tgba, Owl's commands), optionally with options; or a command with a placeholder for the
/// formula: %f %s %l %w for an argument in the syntax of Spot, Spin, lbt or Wring, %F %S %L %W for
/// a file with it, %[WM]f for one without some operators; %O is the file for the automaton, if it
/// is not written to standard output. A prefix {name} names the tool, and `sh:` runs it in a shell.
/// A TOOL can also be one of our own constructions: tableau, alternating:ba, classic:tgba:low, or
/// `sempre translate` with its options; each optionally with steps of `sempre aut` after a bar:
/// `tableau | --determinize --to-complete`. `own` means all of these. Without TOOL, the three
/// constructions are compared.
///
/// The exit code is 0 if all tests pass, 1 if an automaton is wrong or a program failed.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, mut_arg("files", |arg| arg.long_help(FILES)))]
pub(crate) struct Cross {
    /// A tool: the name of a known one, or a command.
    #[arg(value_name = "TOOL")]
    tools: Vec<String>,

    #[command(flatten)]
    formulas: formulas::FormulaOptions,

    #[command(flatten)]
    input: InputOptions,

    #[command(flatten)]
    settings: Settings,

    /// Read the configuration from FILE: TOML, or a configuration file of lbtt. Options override
    /// it.
    #[arg(long, value_name = "FILE", help_heading = "Set-up")]
    config: Option<PathBuf>,

    /// Print the configuration as TOML and exit.
    #[arg(long, help_heading = "Set-up")]
    show_config: bool,

    /// Rerun the failures saved in FILE; without TOOL, with the saved tools.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["config", "show_config"], help_heading = "Set-up")]
    replay: Option<PathBuf>,

    /// Compare tools that transform automata and preserve the language. A TOOL is a command with
    /// %H, %S or %L for a file with the automaton in HOA, as a never claim or in lbtt's format; or
    /// steps of `sempre aut`, such as `aut --determinize`; `own` means all steps that preserve the
    /// language. Automata are read from the files of -F, or are random ones with --size states.
    #[arg(long, conflicts_with_all = ["replay", "save"], help_heading = "Automata")]
    automata: bool,

    /// Compare tools that complement automata.
    #[arg(long, requires = "automata", help_heading = "Automata")]
    complement: bool,

    /// Compare model checkers on random structures. A TOOL is an engine of `sempre check`, with a
    /// variant (`explicit couvreur tgba`), or spin; `engines` means all engines, `own` all with all
    /// variants. `explicit fault:until-weak` has a fault on purpose. Counterexamples are judged,
    /// and wrong answers shrunk to a small structure and formula.
    #[arg(long, conflicts_with_all = ["replay", "save", "automata", "csv", "html"], help_heading = "Checkers")]
    checkers: bool,

    /// Pause after each round with a failure, or after each round, and read commands that show its
    /// formula, automata, structures, words, proofs and runs; `help` lists them. Commands may come
    /// through a pipe; at the end of the input, the run ends.
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "on-error", conflicts_with_all = ["automata", "checkers"], help_heading = "Output")]
    interactive: Option<Pause>,

    #[command(flatten)]
    report: ReportOptions,
}

/// The options for the report.
#[derive(clap::Args, Debug)]
struct ReportOptions {
    /// Write a line for each formula and tool to FILE, as CSV.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,

    /// Write the results as JSON to FILE, or to standard output in place of the report.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-", help_heading = "Output")]
    json: Option<PathBuf>,

    /// Write a page with tables and plots to FILE.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,

    /// Append each failure to FILE, for --replay.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    save: Option<PathBuf>,

    /// Do not shrink formulas.
    #[arg(long, help_heading = "Output")]
    no_shrink: bool,

    /// Omit times in all results, so that they are the same for the same seeds, whatever -j is.
    #[arg(long, help_heading = "Output")]
    no_times: bool,

    /// Print failures only: no report, no progress.
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

impl ReportOptions {
    /// True if JSON replaces the report.
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
        self.check_prompt(&config)?;
        if self.checkers {
            return checkers::run(self, &config);
        }
        let named = match (self.automata, self.complement) {
            (false, _) => tools::expanded(&self.tools),
            (true, false) => tools::expanded_steps(&self.tools, Language::Same),
            (true, true) => tools::expanded_steps(&self.tools, Language::Complement),
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
            bail!("{} is empty", path.display());
        }
        for group in groups {
            let (tools, structures) = (group.tools, group.structures);
            let config = Config { tools, structures, ..config.clone() };
            exit = exit.max(self.compare(&config, Some(&group.cases))?);
        }
        Ok(exit)
    }

    /// Refuses a prompt that shares standard input or output with something else.
    fn check_prompt(&self, config: &Config) -> Result<()> {
        if self.interactive.is_none() {
            return Ok(());
        }
        let is_standard = |path: &std::path::Path| path.as_os_str() == "-";
        let from_files = config.formulas.files.iter().map(std::path::Path::new);
        if self.input.files().iter().map(PathBuf::as_path).chain(from_files).any(is_standard) {
            bail!(
                "--interactive reads commands from standard input, so formulas cannot come from it"
            );
        }
        let written = [&self.report.csv, &self.report.json, &self.report.html];
        if written.into_iter().flatten().any(|path| is_standard(path)) {
            bail!("--interactive answers on standard output, so results cannot go there");
        }
        Ok(())
    }

    /// Compares the tools of a configuration.
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
        signals::before_death(cross::end_all).context("cannot handle signals")?;
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

/// A comparison with its configuration.
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
        let expected = source.expected().iter().copied();
        let mut statistics = Statistics::new(self.session).expecting(expected);
        let mut failed = false;
        let threads = self.config.threads.unwrap_or(1);
        let mut prompt = self.command.interactive.map(|pause| Prompt::new(self.session, pause));
        let round = |number, formula: &Formula| self.session.round(number, formula);
        let bad = rounds::perform(round, threads, &source, &mut out, |round, out| {
            if prompt.as_mut().is_some_and(Prompt::skips) {
                return Ok(ControlFlow::Continue(()));
            }
            statistics.add(&round);
            let fails = show.round(&round, out)?;
            failed |= fails;
            if let Some(prompt) = &mut prompt
                && prompt.pauses(fails)
            {
                show.clear();
                return prompt.ask(&round, &statistics, out);
            }
            Ok(match fails && self.config.stop_on_error {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        })?;
        if statistics.rounds() == 0 {
            bail!("the input has no formula");
        }
        show.finish(&statistics, &mut out)?;
        out.finish()?;
        Ok(match bad.exit_code() {
            Exit::Success if failed => Exit::Violated,
            exit => exit,
        })
    }

    /// True if the round has a failure that counts.
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
