//! `sempre check`: does a model satisfy a property?

mod answer;
mod contest;
mod run;
mod settings;

use crate::Exit;
use crate::input::{Failure, InputOptions, Source, Visit};
use crate::limits::{MOST_THREADS, SearchLimits};
use crate::models::ModelInput;
use crate::output::{Output, OutputOptions, printable};
use crate::progress::Meter;
use crate::signals::Gently;
use answer::Answer;
use anyhow::{Result, anyhow, bail};
use run::Format;
use sempre::check::combine::Reduce;
use sempre::check::{CheckError, Control, Deadlock, Progress, Reason, Unknown};
use sempre::explicit::StoreKind;
use sempre::explicit::emptiness::Check as Emptiness;
use sempre::ltl::interrupt::{self, Interrupt};
use sempre::ltl::{self, Formula};
use sempre::prelude::Checker;
use settings::{
    AutomatonChoice, HybridOptions, OrAuto, SymbolicOptions, automata, checks, deadlocks, engines,
    reductions, stores,
};
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  $ sempre generate philosophers 3 -o philosophers.net

  $ sempre check philosophers.net 'G !(eats_0 & eats_1)' | head -1
  G!(eats_0 & eats_1): holds

  $ sempre check philosophers.net 'F G !eats_0' --shortest --emptiness se
  FG!eats_0: violated
    engine: explicit (se), automaton: 2 states, states: 100, transitions: 267, deadlocks: stutter
  initial state
     idle_0 = 1
     idle_1 = 1
     idle_2 = 1
     fork_0 = 1
     fork_1 = 1
     fork_2 = 1
  from here on, again and again
  1. hungry_0
     idle_0: 1 -> 0
     wants_left_0: 0 -> 1
     wants_right_0: 0 -> 1
  2. take_left_0
     wants_left_0: 1 -> 0
     has_left_0: 0 -> 1
     fork_0: 1 -> 0
  3. take_right_0
     wants_right_0: 1 -> 0
     has_right_0: 0 -> 1
     fork_1: 1 -> 0
  4. eat_0
     has_left_0: 1 -> 0
     has_right_0: 1 -> 0
     eats_0: 0 -> 1
  5. leave_0
     idle_0: 0 -> 1
     fork_0: 0 -> 1
     fork_1: 0 -> 1
     eats_0: 1 -> 0
  ? 1

  $ sempre generate producer-consumer 1 -o buffer.net

  $ sempre check buffer.net 'F G !items' --format table --emptiness se
  FG!items: violated
    engine: explicit (se), automaton: 2 states, states: 6, transitions: 6, deadlocks: stutter
       action           producers_idle  produced  slots  items  consumers_idle  got
    0  (initial state)  1               0         1      0      1               0
  ╭ 1  produce          0               1
  │ 2  put              1               0         0      1
  │ 3  get                                        1      0      0               1
  ╰ 4  consume                                                  1               0
  ? 1

  $ sempre check buffer.net 'F G !items' --format svg -o run.svg --quiet
  ? 1

  $ sempre check philosophers.net --deadlock report --brief 1
  1: violated
    engine: explicit (weak), automaton: 0 states, states: 94, transitions: 234, deadlocks: report
  ? 1

Exit codes:
  0  all properties hold
  1  a property is violated
  2  a property could not be decided, or the command line, the model or a property is wrong
  130 (by the signal)  Ctrl-C ended the search: what is known so far has been printed";

/// Check a model against formulas, which all its runs must satisfy.
///
/// Propositions are about the states of the model: names of places or variables, `Process.state`,
/// and, in double quotes, anything like "2 * p + q >= 3", "fireable(t)" or "deadlock".
///
/// What violates a formula is shown as a run: what happens at each step and what that changes, up
/// to a cycle that repeats for ever. It has been replayed on the model, and the formula has been
/// evaluated on it, before it is shown.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    #[command(flatten)]
    model: ModelInput,

    /// A formula; without any, and without -F and --properties, they are read from standard input.
    #[arg(value_name = "FORMULA")]
    formulas: Vec<String>,

    #[command(flatten)]
    input: InputOptions,

    /// Check the properties in FILE, which is in the format of the Model Checking Contest, and
    /// answer as the Contest wants it; may be repeated.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    properties: Vec<PathBuf>,

    /// What a state without successors means: its last state repeats for ever, the run does not
    /// count, or it is a violation by itself.
    #[arg(long, value_name = "MEANING", default_value = "stutter", value_parser = deadlocks(), help_heading = "Check")]
    deadlock: Deadlock,

    /// The kind of automaton the property is checked with; `auto` chooses by what was measured.
    ///
    /// Testing automata (ta, sta, tgta) read changes of valuations. They are for stutter-invariant
    /// properties; others are refused, with two words that differ in repetitions only. `partly-tgta`
    /// takes them as well: it is a TGTA from where on the property does not count steps. `both` lets
    /// `tgba` and `tgta` run side by side, with the hybrid engines.
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = automata(), help_heading = "Check")]
    automaton: AutomatonChoice,

    /// The engine.
    #[arg(long, default_value = "auto", value_parser = engines(), help_heading = "Check")]
    engine: &'static str,

    #[command(flatten)]
    symbolic: SymbolicOptions,

    #[command(flatten)]
    hybrid: HybridOptions,

    /// Make Petri nets smaller for each property; `auto` does so if they have 100000 states or more.
    ///
    /// What the property does not depend on is removed, and transitions are joined if the property
    /// does not depend on repetitions. Runs are told in the net as it is.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = reductions(), help_heading = "Check")]
    reduce: Reduce,

    /// How to look for a violation; `auto` chooses by the strength of the property's automaton.
    #[arg(long, value_name = "CHECK", default_value = "auto", value_parser = checks(), help_heading = "Check")]
    emptiness: OrAuto<Emptiness>,

    /// Take the property's automaton apart by strength, and check the parts side by side.
    #[arg(long, help_heading = "Check")]
    decompose: bool,

    /// Look for a run that is as short as the property's automaton allows, and fold it where a state
    /// comes twice.
    #[arg(long, help_heading = "Check")]
    shortest: bool,

    /// Search on that many threads, 0 for all cores, if the property's automaton is terminal or
    /// weak and --emptiness is `auto`.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(..=MOST_THREADS), help_heading = "Check")]
    threads: u16,

    /// Where states are kept: as they are, or compressed.
    #[arg(long, value_name = "STORE", default_value = "arena", value_parser = stores(), help_heading = "Check")]
    store: StoreKind,

    /// Print no run, only verdicts.
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    brief: bool,

    /// How runs are shown.
    ///
    /// With `dot` and `svg`, only pictures are written, and verdicts go to standard error; nothing
    /// is written if all properties hold. With `svg` there can be but one formula, with `dot` the
    /// runs of several follow one another.
    #[arg(
        long,
        value_enum,
        default_value_t,
        help_heading = "Output",
        conflicts_with_all = ["brief", "json", "properties"]
    )]
    format: Format,

    /// Print a line of JSON for each property; `sempre simulate --replay` walks through its run.
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    output: OutputOptions,

    #[command(flatten)]
    limits: SearchLimits,
}

/// What has been drawn so far.
#[derive(Debug, Default)]
struct Pictures {
    formulas: usize,
    drawn: usize,
}

const ONE_PICTURE: &str = "--format svg draws the run of one formula, not of several";

impl Check {
    pub(crate) fn run(&self) -> Result<Exit> {
        if self.format == Format::Svg && self.formulas.len() > 1 {
            bail!(ONE_PICTURE);
        }
        let reads_formulas = self.properties.is_empty() || self.input.has_files();
        let from_stdin = self.formulas.is_empty() && reads_formulas && self.input.reads_stdin();
        if from_stdin && self.model.is_standard_input() {
            bail!("standard input cannot be both the model and the formulas");
        }
        let mut checker = self.load()?;
        let mut out = self.output.open()?;
        let (exit, pictures) = self.all(&mut checker, &mut out)?;
        // A file without a picture in it is of no use.
        if self.format.drawing().is_none() || pictures.drawn > 0 {
            out.finish()?;
        }
        Ok(exit)
    }

    /// Reads the model; `None` if the time was over before that was done.
    fn load(&self) -> Result<Option<Checker>> {
        let deadline = self.limits.model.deadline(Instant::now());
        let model = interrupt::run(&Interrupt::default(), deadline, || self.model.open());
        let Ok(model) = model else { return Ok(None) };
        let model = model?;
        model.prepare(deadline);
        let checker = Checker::new(model);
        let settings = self.settings(&**checker.system())?;
        Ok(Some(checker.with(settings)?))
    }

    /// True if it is known from the arguments that one formula is to be checked.
    fn has_one_formula(&self) -> bool {
        self.formulas.len() == 1 && self.properties.is_empty() && !self.input.has_files()
    }

    /// Checks everything that is to be checked.
    fn all(&self, checker: &mut Option<Checker>, out: &mut Output) -> Result<(Exit, Pictures)> {
        let mut checked = 0u64;
        let mut exit = Exit::Success;
        let mut pictures = Pictures::default();
        for path in &self.properties {
            if exit != Exit::Interrupted {
                self.contest(path, checker, out, &mut exit)?;
            }
        }
        if exit == Exit::Interrupted {
            // Nothing more is checked.
        } else if self.properties.is_empty() || !self.formulas.is_empty() || self.input.has_files()
        {
            let quiet = self.model.is_quiet();
            let check = |formula: Formula, source: &Source<'_>, out: &mut Output| {
                checked += 1;
                self.formula(&formula, source, checker, out, &mut exit, &mut pictures)
            };
            let bad = self.input.for_each_with_source(&self.formulas, quiet, out, check)?;
            if checked == 0 && self.properties.is_empty() && exit == Exit::Success {
                bail!("there is no formula to check");
            }
            exit = exit.max(bad.exit_code());
        }
        Ok((exit, pictures))
    }

    /// Checks a formula and answers for people or programs.
    fn formula(
        &self,
        formula: &Formula,
        source: &Source<'_>,
        checker: &mut Option<Checker>,
        out: &mut Output,
        exit: &mut Exit,
        pictures: &mut Pictures,
    ) -> Visit {
        pictures.formulas += 1;
        if self.format == Format::Svg && pictures.formulas > 1 {
            return Err(anyhow!(ONE_PICTURE).into());
        }
        let name = printable(formula)?.to_string();
        let answer = self.answer(checker, &name, formula, &name, Some(source))?;
        *exit = (*exit).max(answer.exit());
        if let Some(drawing) = self.format.drawing() {
            if !self.model.is_quiet() {
                answer.write_verdict(&mut io::stderr().lock())?;
            }
            pictures.drawn += usize::from(answer.draw(drawing, out)?);
        } else if self.json {
            answer.write_json(out)?;
        } else {
            answer.write((!self.brief).then_some(self.format), out)?;
        }
        Ok(match *exit {
            Exit::Interrupted => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }

    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.into(),
        }
    }

    /// The answer for a formula that was read there, if it was read as text.
    fn answer(
        &self,
        checker: &mut Option<Checker>,
        property: &str,
        formula: &Formula,
        shown: &str,
        source: Option<&Source<'_>>,
    ) -> Result<Answer, Failure> {
        let start = Instant::now();
        let outcome = match checker {
            None => Err(Unknown::NotLoaded),
            Some(checker) => Gently::run(|gently| {
                let meter = Mutex::new(Meter::new());
                let progress = |progress: &Progress| {
                    // A thread that finds another one writing has nothing new.
                    if let Ok(mut meter) = meter.try_lock() {
                        meter.show(progress);
                    }
                };
                let limits = self.limits.from(start, gently.soon.clone());
                let control = Control { limits, progress: &progress };
                let work = || checker.check_formula(formula, &control);
                let outcome = match interrupt::run(&gently.late, None, work) {
                    Ok(outcome) => outcome.map(Ok),
                    Err(_) => Ok(Err(Unknown::Limit(Reason::Interrupt))),
                };
                meter.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
                outcome
            })?
            .map_err(|error| failure(error, source))?,
        };
        Ok(Answer {
            property: property.to_owned(),
            formula: shown.to_owned(),
            deadlock: self.deadlock,
            seconds: start.elapsed().as_secs_f64(),
            outcome,
        })
    }
}

/// Why a formula could not be checked. The place of an error in a proposition is one in the text
/// that the formula was read from.
fn failure(error: CheckError, source: Option<&Source<'_>>) -> Failure {
    match error {
        CheckError::Proposition { name, error } => match source {
            Some(source) => source.in_proposition(&name, error).into(),
            None => ltl::Error::new(error.to_string()).into(),
        },
        CheckError::Unsupported(reason) => ltl::Error::new(reason.to_string()).into(),
        error => anyhow!(error).into(),
    }
}
