//! `sempre check`: does a model satisfy a property?

mod answer;
mod contest;
mod run;
mod settings;

use crate::Exit;
use crate::input::{Failure, InputOptions, Source, Visit};
use crate::limits::{MOST_THREADS, SearchLimits};
use crate::models::ModelInput;
use crate::output::{Output, OutputOptions, is_coloured, printable};
use crate::progress::Meter;
use crate::signals::GracefulStop;
use answer::Answer;
use anyhow::{Result, anyhow, bail};
use run::Format;
use sempre::check::combine::Reduce;
use sempre::check::{AutomatonKind, CheckError, Control, Deadlock, Progress, Reason, Unknown};
use sempre::explicit::StoreKind;
use sempre::explicit::emptiness::Check as Emptiness;
use sempre::ltl::interrupt::{self, Interrupt};
use sempre::ltl::{self, Formula};
use sempre::prelude::Checker;
use settings::{OrAuto, SymbolicOptions, automata, checks, deadlocks, engines, reductions, stores};
use std::io::{self, IsTerminal, Write};
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
  cycle
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

  $ sempre check philosophers.net --deadlock report --brief 1 | head -1
  1: violated

Exit codes:
  0  all properties hold
  1  a property is violated
  2  a property is undecided, or an error in the command line, the model or a property
  130 (by the signal)  Ctrl-C stopped the search after printing partial results";

/// Check that all runs of a model satisfy formulas.
///
/// Propositions refer to the states of the model: names of places or variables, `Process.state`,
/// and expressions in double quotes such as "2 * p + q >= 3", "fireable(t)" or "deadlock".
///
/// A violation comes with a counterexample: the actions of a prefix and of a cycle, with the
/// changes of each step. Before it is printed, it is replayed on the model and the formula is
/// evaluated on it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    #[command(flatten)]
    model: ModelInput,

    /// A formula; without any, and without -F and --properties, read from standard input.
    #[arg(value_name = "FORMULA")]
    formulas: Vec<String>,

    #[command(flatten)]
    input: InputOptions,

    /// Check the properties in FILE, in the format of the Model Checking Contest, and answer in its
    /// format; may be repeated.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    properties: Vec<PathBuf>,

    /// How to treat deadlocks: repeat the last state, ignore finite runs, or report a violation.
    #[arg(long, value_name = "MEANING", default_value = "stutter", value_parser = deadlocks(), help_heading = "Check")]
    deadlock: Deadlock,

    /// The kind of automaton for the negated property; `auto` chooses by measurements.
    ///
    /// Testing automata (ta, sta, tgta) read changes of valuations. They exist for
    /// stutter-invariant properties; for others, the error shows two words that differ only in
    /// repetitions. `partly-tgta` exists for all: it becomes a TGTA where the language is
    /// stutter-invariant.
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = automata(), help_heading = "Check")]
    automaton: AutomatonKind,

    /// The engine.
    #[arg(long, default_value = "auto", value_parser = engines(), help_heading = "Check")]
    engine: &'static str,

    #[command(flatten)]
    symbolic: SymbolicOptions,

    /// Reduce Petri nets for each property; `auto` reduces nets with more than 100000 states.
    ///
    /// The reduction removes parts that the property does not depend on, and agglomerates
    /// transitions if the property is stutter-invariant. Counterexamples refer to the original net.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = reductions(), help_heading = "Check")]
    reduce: Reduce,

    /// The emptiness check; `auto` chooses by the strength of the automaton.
    #[arg(long, value_name = "CHECK", default_value = "auto", value_parser = checks(), help_heading = "Check")]
    emptiness: OrAuto<Emptiness>,

    /// Split the automaton by the strength of its SCCs, and check the parts concurrently.
    #[arg(long, help_heading = "Check")]
    decompose: bool,

    /// Search for a shortest run of the product, and shorten it where a state occurs twice.
    #[arg(long, help_heading = "Check")]
    shortest: bool,

    /// Search with N threads, 0 for all cores. Applies to terminal and weak automata with
    /// --emptiness auto.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(..=MOST_THREADS), help_heading = "Check")]
    threads: u16,

    /// How to store states: plain or compressed.
    #[arg(long, value_name = "STORE", default_value = "arena", value_parser = stores(), help_heading = "Check")]
    store: StoreKind,

    /// Print verdicts without counterexamples.
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    brief: bool,

    /// The format of counterexamples.
    ///
    /// With `dot` and `svg`, drawings go to the output and verdicts to standard error. If all
    /// properties hold, nothing is drawn. `svg` needs a single formula; `dot` writes one drawing
    /// per counterexample.
    #[arg(
        long,
        value_enum,
        default_value_t,
        help_heading = "Output",
        conflicts_with_all = ["brief", "json", "properties"]
    )]
    format: Format,

    /// Print a line of JSON for each property; `sempre simulate --replay` replays its
    /// counterexample.
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    output: OutputOptions,

    #[command(flatten)]
    limits: SearchLimits,
}

/// The number of formulas and drawings so far.
#[derive(Debug, Default)]
struct Pictures {
    formulas: usize,
    drawn: usize,
}

const ONE_PICTURE: &str = "--format svg needs a single formula";

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
        // A file without a drawing would be useless.
        if self.format.drawing().is_none() || pictures.drawn > 0 {
            out.finish()?;
        }
        Ok(exit)
    }

    /// Reads the model; `None` if the time limit was reached first.
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

    /// True if the arguments give exactly one formula.
    fn has_one_formula(&self) -> bool {
        self.formulas.len() == 1 && self.properties.is_empty() && !self.input.has_files()
    }

    /// Checks all properties and formulas.
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

    /// Checks a formula and writes the answer.
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
                answer.write_verdict(is_coloured(&io::stderr()), &mut io::stderr().lock())?;
            }
            pictures.drawn += usize::from(answer.draw(drawing, out)?);
        } else if self.json {
            answer.write_json(out)?;
        } else {
            answer.write((!self.brief).then_some(self.format), out)?;
            self.show_time(&answer)?;
        }
        Ok(match *exit {
            Exit::Interrupted => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }

    /// Writes the time to standard error if that is a terminal: results depend on the input alone.
    fn show_time(&self, answer: &Answer) -> io::Result<()> {
        let stderr = io::stderr();
        if self.model.is_quiet() || !stderr.is_terminal() {
            return Ok(());
        }
        writeln!(stderr.lock(), "  time: {:.2} s", answer.seconds)
    }

    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.into(),
        }
    }

    /// Returns the answer for a formula and, if it was read as text, uses its place in errors.
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
            Some(checker) => GracefulStop::run(|stop| {
                let meter = Mutex::new(Meter::new());
                let progress = |progress: &Progress| {
                    // If another thread is writing, this update is not needed.
                    if let Ok(mut meter) = meter.try_lock() {
                        meter.show(progress);
                    }
                };
                let limits = self.limits.from(start, stop.search.clone());
                let control = Control { limits, progress: &progress };
                let work = || checker.check_formula(formula, &control);
                let outcome = match interrupt::run(&stop.rest, None, work) {
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

/// Converts the error of a check. The position of an error in a proposition refers to the text of
/// the formula.
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
