//! `sempre check`: does a model satisfy a property?

mod another;
mod answer;
mod chart;
mod contest;
mod finding;
mod itf;
mod json;
mod page;
mod run;
mod settings;
mod table;
mod vacuity;

use crate::Exit;
use crate::input::{Failure, InputOptions, Source, Visit};
use crate::limits::{MOST_THREADS, SearchLimits};
use crate::models::ModelInput;
use crate::output::{Output, OutputOptions, printable};
use crate::progress::Meter;
use crate::saved::{Saved, relative};
use crate::schema::VERSION;
use crate::signals::Gently;
use answer::Answer;
use anyhow::{Result, anyhow, bail};
use finding::Finding;
use json::CheckAnswer;
use page::Page;
use run::Format;
use sempre::check::combine::Reduce;
use sempre::check::{
    AutomatonKind, CheckError, Control, Deadlock, Progress, Reason, Unknown, Verdict,
};
use sempre::explicit::StoreKind;
use sempre::explicit::emptiness::Check as Emptiness;
use sempre::ltl::interrupt::{self, Interrupt};
use sempre::ltl::{self, Formula};
use sempre::prelude::Checker;
use settings::{OrAuto, SymbolicOptions, automata, checks, deadlocks, engines, reductions, stores};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
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
  cycle, repeated for ever
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

  $ printf '# properties\\nmutex: G !(eats_0 & eats_1)\\nno_starvation: G F eats_0\\n' > all.ltl

  $ sempre check philosophers.net -F all.ltl --brief
  mutex: holds
    formula: G!(eats_0 & eats_1)
    engine: explicit (terminal), automaton: 2 states, states: 100, transitions: 267, deadlocks: stutter
  no_starvation: violated
    formula: GFeats_0
    engine: explicit (weak), automaton: 2 states, states: 16, transitions: 16, deadlocks: stutter
  2 properties: 1 hold, 1 violated
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
/// A violation is shown as a run: the actions and their changes, up to the first state from which
/// every continuation violates the formula, or else up to a cycle that repeats for ever. It has been
/// replayed on the model, and the formula has been evaluated on it, before it is shown.
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
    /// takes them as well: it is a TGTA from where on the property does not count steps.
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = automata(), help_heading = "Check")]
    automaton: AutomatonKind,

    /// The engine.
    #[arg(long, default_value = "auto", value_parser = engines(), help_heading = "Check")]
    engine: &'static str,

    #[command(flatten)]
    symbolic: SymbolicOptions,

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

    /// Show why the run violates the formula: the subformulas that hold or fail, and the states that
    /// matter; changes at other steps are left out.
    #[arg(long, conflicts_with_all = ["brief", "json"], help_heading = "Output")]
    explain: bool,

    /// Show runs on which the property is exercised: for each proposition a run on which it matters.
    #[arg(long, conflicts_with_all = ["brief", "properties"], help_heading = "Output")]
    witness: bool,

    /// Look for N further runs that violate the formula, which differ in their actions or in the
    /// conjunct that fails.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        conflicts_with_all = ["brief", "properties"],
        help_heading = "Check"
    )]
    another: Option<usize>,

    /// Do not test whether a property that holds does so vacuously.
    #[arg(long, conflicts_with = "witness", help_heading = "Check")]
    no_vacuity: bool,

    /// Write a page with the runs of all violated properties to FILE: steps, lanes, the truth of each
    /// subformula, the automaton.
    #[arg(long, value_name = "FILE", conflicts_with = "properties", help_heading = "Output")]
    html: Option<PathBuf>,

    /// Keep model, property and run of each violation in FILE, for `sempre replay`.
    #[arg(long, value_name = "FILE", conflicts_with = "properties", help_heading = "Output")]
    save_as: Option<PathBuf>,

    /// How runs are shown.
    ///
    /// With `dot`, `svg` and `itf`, only runs are written, and verdicts go to standard error; nothing
    /// is written if all properties hold. With `svg` there can be but one formula; otherwise the runs
    /// of several follow one another.
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

/// A model with the checkers that keep its states.
struct Loaded {
    checker: Checker,
    /// The explicit checker for questions besides the verdict, once there was one.
    side: Option<Checker>,
}

/// The verdicts so far.
#[derive(Debug, Default)]
struct Tally {
    formulas: usize,
    holds: usize,
    violated: usize,
    /// The runs that have been written as pictures or traces.
    drawn: usize,
    /// The names of the properties.
    names: BTreeSet<String>,
    /// The page of --html.
    page: Page,
    /// The runs of --save-as.
    saved: Vec<Saved>,
}

impl Tally {
    fn count(&mut self, answer: &Answer) {
        self.formulas += 1;
        match answer.verdict() {
            Verdict::Holds => self.holds += 1,
            Verdict::Violated => self.violated += 1,
            Verdict::Unknown(_) => {}
        }
    }

    /// Writes the counts, if there was more than one property.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Tally { formulas, holds, violated, .. } = *self;
        if formulas < 2 {
            return Ok(());
        }
        let unknown = formulas - holds - violated;
        write!(out, "{formulas} properties: {holds} hold, {violated} violated")?;
        match unknown {
            0 => writeln!(out),
            unknown => writeln!(out, ", {unknown} unknown"),
        }
    }
}

const ONE_PICTURE: &str = "--format svg draws the run of one formula, not of several";

impl Check {
    pub(crate) fn run(&self) -> Result<Exit> {
        if self.format == Format::Svg && self.formulas.len() > 1 {
            bail!(ONE_PICTURE);
        }
        let reads_formulas = self.properties.is_empty() || self.input.has_files();
        let from_stdin = self.formulas.is_empty() && reads_formulas && self.input.reads_stdin();
        if self.save_as.is_some() && self.model.is_standard_input() {
            bail!("--save-as needs a model in a file");
        }
        if from_stdin && self.model.is_standard_input() {
            bail!("standard input cannot be both the model and the formulas");
        }
        let mut checker = self.load()?;
        let mut out = self.output.open()?;
        let (exit, tally) = self.all(&mut checker, &mut out)?;
        self.write_files(&tally)?;
        if self.format.is_alone() {
            if !self.model.is_quiet() {
                tally.write(&mut io::stderr().lock())?;
            }
            // A file without a run in it is of no use.
            if tally.drawn > 0 {
                out.finish()?;
            }
            return Ok(exit);
        }
        if !self.json && self.format != Format::Json {
            tally.write(&mut out)?;
        }
        out.finish()?;
        Ok(exit)
    }

    /// Reads the model; `None` if the time was over before that was done.
    fn load(&self) -> Result<Option<Loaded>> {
        let deadline = self.limits.model.deadline(Instant::now());
        let model = interrupt::run(&Interrupt::default(), deadline, || self.model.open());
        let Ok(model) = model else { return Ok(None) };
        let model = model?;
        model.prepare(deadline);
        let checker = Checker::new(model);
        let settings = self.settings(&**checker.system())?;
        Ok(Some(Loaded { checker: checker.with(settings)?, side: None }))
    }

    /// True if it is known from the arguments that one formula is to be checked.
    fn has_one_formula(&self) -> bool {
        self.formulas.len() == 1 && self.properties.is_empty() && !self.input.has_files()
    }

    /// Checks everything that is to be checked.
    fn all(&self, checker: &mut Option<Loaded>, out: &mut Output) -> Result<(Exit, Tally)> {
        let mut checked = 0u64;
        let mut exit = Exit::Success;
        let mut tally = Tally::default();
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
                self.formula(&formula, source, checker, out, &mut exit, &mut tally)
            };
            let bad = self.input.for_each_with_source(&self.formulas, quiet, out, check)?;
            if checked == 0 && self.properties.is_empty() && exit == Exit::Success {
                bail!("there is no formula to check");
            }
            exit = exit.max(bad.exit_code());
        }
        Ok((exit, tally))
    }

    /// Checks a formula and answers for people or programs.
    fn formula(
        &self,
        formula: &Formula,
        source: &Source<'_>,
        checker: &mut Option<Loaded>,
        out: &mut Output,
        exit: &mut Exit,
        tally: &mut Tally,
    ) -> Visit {
        if self.format == Format::Svg && tally.formulas > 0 {
            return Err(anyhow!(ONE_PICTURE).into());
        }
        let shown = printable(formula)?.to_string();
        if let Some(name) = source.name()
            && !tally.names.insert(name.to_owned())
        {
            return Err(ltl::Error::new(format!("the name `{name}` is used twice")).into());
        }
        let name = source.name().unwrap_or(&shown);
        let mut answer = self.answer(checker, name, formula, &shown, Some(source))?;
        if let (Some(loaded), true) = (checker.as_mut(), answer.verdict() == Verdict::Holds) {
            answer.vacuity = self.vacuity(loaded, formula)?;
        }
        if let (Some(loaded), Some(count)) = (checker.as_ref(), self.another) {
            answer.others = self.others(&loaded.checker, formula, &answer, count)?;
        }
        *exit = (*exit).max(answer.exit());
        tally.count(&answer);
        if self.html.is_some() {
            tally.page.add(&answer, formula);
        }
        if let Some(path) = &self.save_as {
            tally.saved.extend(self.saved(path, &answer));
        }
        if let Some(drawing) = self.format.drawing() {
            if !self.model.is_quiet() {
                answer.write_verdict(&mut io::stderr().lock())?;
            }
            tally.drawn += usize::from(answer.draw(drawing, out)?);
        } else if self.json || self.format == Format::Json {
            CheckAnswer::new(&answer, self.witness).write(out)?;
        } else if self.format == Format::Itf {
            if !self.model.is_quiet() {
                answer.write_verdict(&mut io::stderr().lock())?;
            }
            tally.drawn += usize::from(itf::write(&answer, out)?);
        } else {
            answer.write((!self.brief).then_some(self.format), self.witness, out)?;
        }
        Ok(match *exit {
            Exit::Interrupted => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }

    /// The counterexample as it is kept.
    fn saved(&self, path: &Path, answer: &Answer) -> Option<Saved> {
        Some(Saved {
            version: VERSION,
            model: relative(self.model.path(), path).display().to_string(),
            model_format: self.model.format().map(str::to_owned),
            property: answer.property.clone(),
            formula: answer.formula.clone(),
            deadlock: self.deadlock.name().to_owned(),
            counterexample: answer.finding.as_ref()?.trace.clone(),
        })
    }

    /// Writes the files besides the output: a page, and runs that are kept.
    fn write_files(&self, tally: &Tally) -> Result<()> {
        if let (Some(path), Some(page)) = (&self.html, tally.page.text()) {
            Output::write(path, page.as_bytes())?;
        }
        if let (Some(path), false) = (&self.save_as, tally.saved.is_empty()) {
            let mut text = Vec::new();
            for saved in &tally.saved {
                serde_json::to_writer(&mut text, saved)?;
                text.push(b'\n');
            }
            Output::write(path, &text)?;
        }
        Ok(())
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
        checker: &mut Option<Loaded>,
        property: &str,
        formula: &Formula,
        shown: &str,
        source: Option<&Source<'_>>,
    ) -> Result<Answer, Failure> {
        let start = Instant::now();
        let outcome = match checker {
            None => Err(Unknown::NotLoaded),
            Some(Loaded { checker, .. }) => Gently::run(|gently| {
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
        let finding = match &outcome {
            Ok(outcome) => Finding::of(outcome, formula, self.explain)?,
            Err(_) => None,
        };
        Ok(Answer {
            finding,
            vacuity: None,
            others: Vec::new(),
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
