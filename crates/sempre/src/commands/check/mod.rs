//! `sempre check`: does a model satisfy a property?

mod another;
mod answer;
mod by_name;
mod certify;
mod chart;
mod contest;
mod facts;
mod finding;
mod itf;
mod json;
mod page;
mod property;
mod run;
mod settings;
mod table;
mod unreached;
mod vacuity;

use crate::Exit;
use crate::input::{Failure, InputOptions, Reading, Source, Visit};
use crate::limits::SearchLimits;
use crate::models::ModelInput;
use crate::output::{Output, OutputOptions, is_coloured, printable};
use crate::progress::Meter;
use crate::report;
use crate::saved::{Saved, relative};
use crate::schema::VERSION;
use crate::search::SearchOptions;
use crate::signals::GracefulStop;
use crate::symbolic::SymbolicOptions;
use answer::Answer;
use anyhow::{Result, anyhow, bail};
use finding::Finding;
use json::CheckAnswer;
use page::Page;
use property::HoldsIf;
use run::Format;
use sempre::automata::strength::Way;
use sempre::check::combine::Reduce;
use sempre::check::{CheckError, Deadlock, Property, Reason, Refine, Unknown, Verdict};
use sempre::engines::FairRuns;
use sempre::ltl::interrupt::{self, Interrupt};
use sempre::ltl::{self, Formula};
use sempre::prelude::Checker;
use settings::{
    AutomatonChoice, EmptinessChoice, HybridOptions, ProductOptions, automata, checks, deadlocks,
    engines, fairness, reductions, refinements, strengths,
};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use unreached::Parts;

const EXAMPLES: &str = "\
Examples:
  $ sempre generate philosophers 3 -o philosophers.net

  $ sempre check philosophers.net 'G !(eats_0 & eats_1)' | head -1
  G!(eats_0 & eats_1): holds

  $ sempre check philosophers.net 'F G !eats_0' --shortest --emptiness se
  FG!eats_0: violated
    engine: explicit (se), automaton: 2 states, states: 100, transitions: 267, deadlocks: stutter
    stored: 21, visited: 59
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
    stored: 4, visited: 6
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

  $ printf '# properties\\nmutex: G !(eats_0 & eats_1)\\nno_starvation: G F eats_0\\n' > all.ltl

  $ sempre check philosophers.net -F all.ltl --brief | grep -v 'engine\\|stored'
  mutex: holds
    formula: G!(eats_0 & eats_1)
  no_starvation: violated
    formula: GFeats_0
  2 properties: 1 hold, 1 violated

Exit codes:
  0  all properties hold
  1  a property is violated, or --unreached lists something
  2  a property is undecided, or an error in the command line, the model or a property
  130 (by the signal)  Ctrl-C stopped the search after printing partial results";

/// Check that all runs of a model satisfy formulas.
///
/// Propositions are about the states of the model: names of places or variables, `Process.state`,
/// comparisons such as `x < 2` or `P = idle`, and, in double quotes, anything like
/// "2 * (p + q) >= 3" or "deadlock". `fireable(t)` holds in states in which t can happen, `fired(t)`
/// at steps by which it happens. `sempre info` lists the names of a model.
///
/// A violation is shown as a run: the actions and their changes, up to the first state from which
/// every continuation violates the formula, or else up to a cycle that repeats for ever. It has been
/// replayed on the model, and the formula has been evaluated on it, before it is shown.
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

    /// Check the property that an automaton in FILE gives (HOA, never claim, lbtt): it accepts the
    /// erroneous runs, unless --holds-if says otherwise; may be repeated.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["explain", "witness", "another", "html", "save_as", "certify", "refine"],
        help_heading = "Input"
    )]
    property: Vec<PathBuf>,

    /// The runs that are correct by the automaton of --property; with `accepted` it is complemented.
    #[arg(long, value_enum, default_value_t, requires = "property", help_heading = "Input")]
    holds_if: HoldsIf,

    /// How to treat deadlocks: repeat the last state, ignore finite runs, or report a violation.
    #[arg(long, value_name = "MEANING", default_value = "stutter", value_parser = deadlocks(), help_heading = "Check")]
    deadlock: Deadlock,

    /// Let only fair runs count: a process or transition that is enabled for ever (`weak`) or
    /// infinitely often (`strong`) happens infinitely often. Processes if the model has some, else
    /// transitions, unless `:process` or `:transition` says so. Explicit engine only.
    #[arg(long, value_name = "FAIRNESS", value_parser = fairness(), help_heading = "Check")]
    fair: Option<FairRuns>,

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
    search: SearchOptions,

    #[command(flatten)]
    symbolic: SymbolicOptions,

    #[command(flatten)]
    product: ProductOptions,

    #[command(flatten)]
    hybrid: HybridOptions,

    /// Make Petri nets smaller for each property; `auto` does so if they have 100000 states or more.
    ///
    /// The reduction removes parts that the property does not depend on, and agglomerates
    /// transitions if the property is stutter-invariant. Counterexamples refer to the original net.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = reductions(), help_heading = "Check")]
    reduce: Reduce,

    /// Refine the automaton of each property by facts of the model: constraints on its propositions
    /// that hold in each state, such as that a process is in one location at a time.
    ///
    /// `formula` translates the property together with the constraints, `automaton` restricts its
    /// automaton and reduces it, `auto` keeps the smallest one. Verdicts stay the same. --explain lists
    /// the facts.
    #[arg(long, value_name = "WAY", default_value = "off", value_parser = refinements(), help_heading = "Check")]
    refine: Refine,

    /// The emptiness check; `auto` chooses by the strength of the automaton.
    #[arg(long, value_name = "CHECK", default_value = "auto", value_parser = checks(), help_heading = "Check")]
    emptiness: EmptinessChoice,

    /// Split the automaton by the strength of its SCCs, and check the parts concurrently. Then
    /// --emptiness and --fixpoint are for the strong part; the weak and the terminal one have their
    /// own.
    #[arg(long, help_heading = "Check")]
    decompose: bool,

    /// How --decompose finds the strength of SCCs.
    #[arg(long, value_name = "METHOD", default_value = "inherent", requires = "decompose", value_parser = strengths(), help_heading = "Check")]
    strength: Way,

    /// Search for a shortest run of the product, and shorten it where a state occurs twice.
    #[arg(long, help_heading = "Check")]
    shortest: bool,

    /// Print no run, only verdicts.
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    brief: bool,

    /// Show why the run violates the formula: the subformulas that hold or fail, and the states that
    /// matter; changes at other steps are left out. Also list the facts that the model satisfies by
    /// its structure, about the propositions of the formula.
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

    /// List the transitions that never occur and the locations that are never reached as well. It
    /// explores all states, state by state; the exit code is 1 if there are any.
    #[arg(long, conflicts_with = "properties", help_heading = "Check")]
    unreached: bool,

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

    /// Write a certificate of each property that holds to FILE, for `sempre certificate check`; with
    /// several properties to FILE.1, FILE.2 and so on, by their order. Takes the time that is left of
    /// --timeout, and at most 4096 MiB by default.
    #[arg(long, value_name = "FILE", conflicts_with = "properties", help_heading = "Output")]
    certify: Option<PathBuf>,

    /// How runs are shown; without this option, a file that ends with .svg, .dot, .itf, .itf.json or
    /// .json gets that.
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

    /// Print a line of JSON for each property; `sempre simulate --replay` replays its
    /// counterexample.
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
    /// When reading the model began, if that counts for the next property.
    begun: Option<Instant>,
}

/// The verdicts so far.
#[derive(Default)]
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
    /// True if the first formula has a certificate, which has no number yet.
    is_first_certified: bool,
    /// The runs of --save-as.
    saved: Vec<Saved>,
    /// The parts of the model that no run uses, if that is asked for.
    unreached: Option<Parts>,
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

    /// Writes the counts, if there was more than one property, and the parts that no run uses.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.write_counts(out)?;
        match &self.unreached {
            Some(parts) => parts.write(out),
            None => Ok(()),
        }
    }

    fn write_counts(&self, out: &mut impl Write) -> io::Result<()> {
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

const ONE_PICTURE: &str = "--format svg needs a single formula";

/// Returns when the time of the next property begins.
fn begin(loaded: &mut Option<Loaded>) -> Instant {
    loaded.as_mut().and_then(|loaded| loaded.begun.take()).unwrap_or_else(Instant::now)
}

impl Check {
    pub(crate) fn run(&self) -> Result<Exit> {
        let at_least =
            self.formulas.len().max(usize::from(self.input.has_files())) + self.property.len();
        if self.format == Format::Svg && at_least > 1 {
            bail!(ONE_PICTURE);
        }
        if self.draws_nothing() {
            bail!("--brief shows no run, so there is nothing to draw");
        }
        let reads_formulas = !self.has_property_files() || self.input.has_files();
        let from_stdin = self.formulas.is_empty() && reads_formulas && self.input.reads_stdin();
        if self.save_as.is_some() && self.model.is_standard_input() {
            bail!("--save-as needs a model in a file");
        }
        if self.certify.is_some() && self.model.is_standard_input() {
            bail!("--certify needs a model in a file");
        }
        if from_stdin && self.model.is_standard_input() {
            bail!("standard input cannot be both the model and the formulas");
        }
        self.prepare_certificate()?;
        let mut checker = self.load()?;
        if checker.is_none() && !self.properties.is_empty() {
            let limit = self.limits.model.time.timeout.unwrap_or_default().as_secs_f64();
            report::error(&anyhow!(
                "nothing is checked: the model was not read in the {limit} s that --timeout allows"
            ));
        }
        let mut out = self.output.open()?;
        let (mut exit, tally) = self.all(&mut checker, &mut out)?;
        // The process ends anyway, and large models take long to free.
        std::mem::forget(checker);
        if let Some(parts) = &tally.unreached {
            exit = exit.max(parts.exit());
            parts.remark();
        }
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
        let start = Instant::now();
        let deadline = self.limits.model.time.deadline(start);
        let interrupt = Interrupt::default();
        let _watch = self.limits.model.watch(start, &interrupt)?;
        let model = interrupt::run(&interrupt, deadline, || self.model.open());
        let Ok(model) = model else {
            if interrupt.is_raised() {
                bail!("reading the model needs more memory than --memory allows");
            }
            return Ok(None);
        };
        let model = model?;
        model.prepare(deadline);
        let checker = Checker::new(model);
        let settings = self.settings(&**checker.system())?;
        // Reading counts for the time of a single property.
        let begun = self.has_one_formula().then_some(start);
        Ok(Some(Loaded { checker: checker.with(settings)?, side: None, begun }))
    }

    /// True if the arguments give exactly one formula.
    fn has_one_formula(&self) -> bool {
        self.formulas.len() == 1 && !self.has_property_files() && !self.input.has_files()
    }

    /// True if files give properties.
    fn has_property_files(&self) -> bool {
        !self.properties.is_empty() || !self.property.is_empty()
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
        for path in &self.property {
            if exit != Exit::Interrupted {
                self.automata(path, checker, out, &mut exit, &mut tally)?;
            }
        }
        if exit == Exit::Interrupted {
            // Nothing more is checked.
        } else if !self.has_property_files() || !self.formulas.is_empty() || self.input.has_files()
        {
            let system = checker.as_ref().map(|loaded| loaded.checker.system().clone());
            let reading = Reading {
                quiet: self.model.is_quiet(),
                single: (self.format == Format::Svg).then_some(ONE_PICTURE),
                explain: &|text, error| match &system {
                    Some(system) => self.model.explained(&**system, text, error),
                    None => error,
                },
            };
            let check = |formula: Formula, source: &Source<'_>, out: &mut Output| {
                checked += 1;
                self.formula(&formula, source, checker, out, &mut exit, &mut tally)
            };
            let bad = self.input.for_each_with_source(&self.formulas, reading, out, check)?;
            if checked == 0 && !self.has_property_files() && exit == Exit::Success {
                bail!("there is no formula to check");
            }
            exit = exit.max(bad.exit_code());
        }
        Ok((exit, tally))
    }

    /// Checks a formula and writes the answer.
    fn formula(
        &self,
        formula: &Formula,
        source: &Source<'_>,
        checker: &mut Option<Loaded>,
        out: &mut Output,
        exit: &mut Exit,
        tally: &mut Tally,
    ) -> Visit {
        let shown = printable(formula)?.to_string();
        if let Some(name) = source.name()
            && !tally.names.insert(name.to_owned())
        {
            return Err(ltl::Error::new(format!("the name `{name}` is used twice")).into());
        }
        let name = source.name().unwrap_or(&shown);
        let (start, property) = (begin(checker), formula.clone().into());
        let mut answer =
            self.answer(checker, name, &property, Some(&shown), Some(source), start)?;
        if tally.formulas == 1 && std::mem::take(&mut tally.is_first_certified) {
            self.number_first_certificate()?;
        }
        if let (Some(loaded), true) = (checker.as_mut(), answer.verdict() == Verdict::Holds) {
            answer.certified = self.certify(loaded, formula, start, tally.formulas + 1)?;
            let is_certified = matches!(answer.certified, Some(Ok(_)));
            tally.is_first_certified = tally.formulas == 0 && is_certified;
            answer.vacuity = self.vacuity(loaded, formula, start)?;
        }
        if let Some(loaded) = checker.as_ref() {
            answer.facts = self.facts(loaded, formula)?;
        }
        if let (Some(loaded), Some(count)) = (checker.as_ref(), self.another) {
            answer.others = self.others(&loaded.checker, formula, &answer, count, start)?;
        }
        if tally.unreached.is_none() {
            tally.unreached = self.unreached(checker.as_ref())?;
        }
        *exit = (*exit).max(answer.exit());
        if self.html.is_some() {
            tally.page.add(&answer, formula);
        }
        if let Some(path) = &self.save_as {
            tally.saved.extend(self.saved(path, &answer));
        }
        self.write_answer(&answer, out, tally)?;
        Ok(match *exit {
            Exit::Interrupted => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }

    /// Counts an answer and writes it.
    fn write_answer(&self, answer: &Answer, out: &mut Output, tally: &mut Tally) -> Result<()> {
        tally.count(answer);
        if let Some(drawing) = self.format.drawing() {
            if !self.model.is_quiet() {
                answer.write_verdict(is_coloured(&io::stderr()), &mut io::stderr().lock())?;
            }
            let file = self.model.path().file_name().unwrap_or_default().to_string_lossy();
            tally.drawn += usize::from(answer.draw(drawing, &file, out)?);
        } else if self.json || self.format == Format::Json {
            let unreached = tally.unreached.as_ref().and_then(Parts::found);
            CheckAnswer::new(answer, self.witness, unreached).write(out)?;
        } else if self.format == Format::Itf {
            if !self.model.is_quiet() {
                answer.write_verdict(is_coloured(&io::stderr()), &mut io::stderr().lock())?;
            }
            tally.drawn += usize::from(itf::write(answer, out)?);
        } else {
            answer.write((!self.brief).then_some(self.format), self.witness, out)?;
            if let (Some(facts), true) = (&answer.facts, self.explain) {
                facts.write(out)?;
            }
        }
        Ok(())
    }

    /// The counterexample as it is kept.
    fn saved(&self, path: &Path, answer: &Answer) -> Option<Saved> {
        Some(Saved {
            version: VERSION,
            model: relative(self.model.path(), path).display().to_string(),
            model_format: self.model.format().map(str::to_owned),
            property: answer.property.clone(),
            formula: answer.subject().to_owned(),
            deadlock: self.deadlock.name().to_owned(),
            fairness: answer.fairness().map(|fairness| fairness.to_string()),
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

    /// Returns the answer for a property and, if it was read as text, uses its place in errors.
    fn answer(
        &self,
        checker: &mut Option<Loaded>,
        name: &str,
        property: &Property,
        shown: Option<&str>,
        source: Option<&Source<'_>>,
        start: Instant,
    ) -> Result<Answer, Failure> {
        let now = Instant::now();
        let memory = Interrupt::default();
        let _watch = self.limits.model.watch(start, &memory)?;
        let outcome = match checker {
            None => Err(Unknown::NotLoaded),
            Some(Loaded { checker, .. }) => {
                let outcome = GracefulStop::run(|stop| {
                    let limits = self.limits.from(start, stop.search.or(&memory));
                    Meter::run(limits, |control| {
                        let work = || checker.check_property(property, control);
                        interrupt::run(&stop.rest.or(&memory), None, work)
                    })
                })?;
                match outcome {
                    _ if memory.is_raised() => Err(Unknown::Limit(Reason::Memory)),
                    Ok(outcome) => Ok(outcome.map_err(|error| self.failure(error, source))?),
                    Err(_) => Err(Unknown::Limit(Reason::Interrupt)),
                }
            }
        };
        let finding = match &outcome {
            Ok(outcome) => Finding::of(outcome, property, self.explain)?,
            Err(_) => None,
        };
        Ok(Answer {
            finding,
            certified: None,
            vacuity: None,
            facts: None,
            others: Vec::new(),
            property: name.to_owned(),
            formula: shown.map(str::to_owned),
            deadlock: self.deadlock,
            seconds: now.elapsed().as_secs_f64(),
            outcome,
        })
    }

    /// Why a formula could not be checked. The place of an error in a proposition is one in the text
    /// that the formula was read from.
    fn failure(&self, error: CheckError, source: Option<&Source<'_>>) -> Failure {
        match error {
            CheckError::Proposition { name, error } => match source {
                Some(source) => source.in_proposition(&name, error).into(),
                None => ltl::Error::new(error.to_string()).into(),
            },
            CheckError::Unsupported(reason) => ltl::Error::new(reason.to_string()).into(),
            error => anyhow!(error).into(),
        }
    }
}
