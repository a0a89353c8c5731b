//! Checks all properties of models, and compares the verdicts with known ones.
//!
//! The properties of a model share its state space. The time limit applies to each property; the
//! first one includes the preparation of the model. It is processor time, where the system reports
//! it, and ten times as much by the clock. If the symbolic state space is not computed for the
//! first property, it is not tried again. For undecided properties, the row has the reason.

use crate::bench::Bench;
use crate::cells;
use crate::collections::{Known, Specified, shuffled};
use crate::experiment::{Parameter, parameter};
use crate::page::Page;
use crate::record::Record;
use crate::settings::Settings;
use crate::statistics::{grouped, percent, quantile, shown};
use crate::stopwatch::{SLOWEST, Stopwatch};
use crate::table::Table;
use anyhow::{Context, Result, anyhow, bail};
use rustc_hash::FxHashSet;
use sempre::checker::Checker;
use sempre::engines::Settings as CheckSettings;
use sempre_automata::strength::Way;
use sempre_check::combine::Reduce;
use sempre_check::{CheckError, Control, Outcome, Reason, Unknown, Verdict};
use sempre_explicit::Options;
use sempre_explicit::emptiness::Check;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::Model;
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) const PARAMETERS: &[Parameter] = &[
    parameter("engine", "explicit or symbolic", "explicit", "explicit"),
    parameter("timeout", "seconds for a property, of processor time", "10", "2"),
    parameter("memory", "MiB for a model", "4096", "512"),
    parameter("reduce", "reduce nets: auto, on, off", "auto", "auto"),
    parameter("decompose", "split automata by strength: yes, no", "no", "no"),
    parameter("emptiness", "the emptiness check; chosen by strength if empty", "", ""),
    parameter("filter", "select names that contain one of these words", "", ""),
    parameter("after", "rows.csv of a run: check only the properties undecided there", "", ""),
    parameter("seed", "of the order of models", "0", "0"),
];

pub(super) const UNIT: &[&str] = &["model"];

pub(super) const VALUES: &[&str] = &["property", "answer", "verdict", "note", "seconds"];

struct Choices {
    timeout: Duration,
    /// The time limit by the clock.
    patience: Duration,
    bytes: usize,
    settings: CheckSettings,
}

impl Choices {
    fn new(settings: &Settings) -> Result<Self> {
        let timeout = settings.seconds("timeout")?;
        let reduce = settings.text("reduce");
        let reduce = Reduce::ALL.into_iter().find(|known| known.name() == reduce);
        let emptiness = match settings.text("emptiness") {
            "" => None,
            name => {
                let found = Check::ALL.iter().find(|(known, _)| *known == name);
                Some(found.with_context(|| format!("unknown emptiness check `{name}`"))?.1)
            }
        };
        let engine = match settings.text("engine") {
            "explicit" => "explicit",
            "symbolic" => "symbolic",
            other => bail!("unknown engine `{other}`; the engines are explicit and symbolic"),
        };
        let decompose = (settings.text("decompose") == "yes").then_some(Way::Inherent);
        Ok(Choices {
            timeout,
            patience: timeout.saturating_mul(SLOWEST),
            bytes: settings.bytes("memory")?,
            settings: CheckSettings {
                engine,
                decompose,
                reduce: reduce.context("expected reduce=auto, on or off")?,
                explicit: Options { emptiness, ..Options::default() },
                ..CheckSettings::default()
            },
        })
    }
}

/// Checks the properties of models.
pub(super) fn run(bench: &mut Bench<'_>, models: Vec<Specified>) -> Result<()> {
    let settings = bench.settings().clone();
    let choices = Choices::new(&settings)?;
    let only = match settings.text("after") {
        "" => None,
        path => Some(undecided(Path::new(path))?),
    };
    for model in shuffled(models, settings.number("seed")?) {
        if !settings.wants("filter", &model.name) {
            continue;
        }
        let mut properties = model.properties()?;
        if let Some(only) = &only {
            properties.retain(|known| only.contains(&known.property.name));
        }
        if !properties.is_empty() {
            bench.unit(&[&model.name], || Ok(check_model(&model, &properties, &choices)))?;
        }
    }
    Ok(())
}

/// Returns the properties that an earlier run left undecided.
fn undecided(path: &Path) -> Result<FxHashSet<String>> {
    let rows = Table::read(path)?;
    let rows = rows.rows().filter(|row| row.text("answer") == "undecided");
    Ok(rows.map(|row| row.text("property").to_owned()).collect())
}

fn check_model(model: &Specified, properties: &[Known], choices: &Choices) -> Vec<Vec<String>> {
    let deadline = Some(Instant::now() + choices.patience);
    let loaded = interrupt::run(&Interrupt::default(), deadline, || model.place.open());
    match loaded.unwrap_or_else(|_| Err(anyhow!("time"))) {
        Ok(model) => check_all(model, properties, choices),
        Err(error) => {
            let note = format!("the model cannot be loaded: {error:#}");
            let names = properties.iter().map(|known| &known.property.name);
            names.map(|name| cells![name, "undecided", "", note, "0"]).collect()
        }
    }
}

/// The check of the properties of a model.
struct Verification<'a> {
    choices: &'a Choices,
    /// The start of the work on the current property.
    start: Instant,
    begin: Stopwatch,
    rows: Vec<Vec<String>>,
}

impl Verification<'_> {
    /// Runs work for the current property while another thread watches the time.
    fn limited<T>(&self, work: impl FnOnce(&Control<'_>) -> T) -> T {
        self.begin.limited(self.choices.timeout, self.choices.bytes, work)
    }

    /// Records an outcome.
    fn note(&mut self, Known { property, holds }: &Known, found: &Result<Outcome, CheckError>) {
        // Processor time is counted in steps that are longer than most checks.
        let seconds = format!("{:.4}", self.start.elapsed().as_secs_f64());
        (self.start, self.begin) = (Instant::now(), Stopwatch::start());
        let judged = |found: bool| match holds {
            None => "unjudged",
            Some(holds) if *holds == found => "right",
            Some(_) => "wrong",
        };
        let (answer, verdict, note) = match found {
            Ok(outcome) => {
                let provenance = &outcome.provenance;
                match &outcome.verdict {
                    Verdict::Holds => (judged(true), "holds", provenance.to_string()),
                    Verdict::Violated => (judged(false), "violated", provenance.to_string()),
                    Verdict::Unknown(Unknown::Limit(reason)) => {
                        let has_begun = !provenance.algorithms.is_empty();
                        ("undecided", "", obstacle(has_begun, *reason).to_owned())
                    }
                    Verdict::Unknown(reason) => {
                        ("undecided", "", format!("the model has a fault: {reason}"))
                    }
                }
            }
            // A run that is no counterexample is an error of the engine.
            Err(error @ CheckError::Rejected(_)) => ("wrong", "", error.to_string()),
            Err(error) => ("undecided", "", format!("the property cannot be checked: {error}")),
        };
        self.rows.push(cells![property.name, answer, verdict, note, seconds]);
    }
}

/// Returns why there is no verdict.
fn obstacle(has_begun: bool, reason: Reason) -> &'static str {
    match reason {
        Reason::Memory | Reason::Numbers => "the product needs too much memory",
        _ if !has_begun => "the automaton needs too much time",
        _ => "the product has too many states for the time",
    }
}

fn check_all(model: Model, properties: &[Known], choices: &Choices) -> Vec<Vec<String>> {
    let (start, begin) = (Instant::now(), Stopwatch::start());
    let mut task = Verification { choices, start, begin, rows: vec![] };
    model.prepare(Some(start + choices.patience));
    let checker = Checker::new(model).with(choices.settings.clone());
    let mut checker = match checker {
        Ok(checker) => checker,
        Err(reason) => {
            let found = Err(CheckError::Unsupported(reason));
            properties.iter().for_each(|known| task.note(known, &found));
            return task.rows;
        }
    };
    let mut given_up = None;
    for known in properties {
        let found = match given_up.take() {
            None => task.limited(|control| checker.check_formula(&known.property.formula, control)),
            Some(found) => found,
        };
        task.note(known, &found);
        // If the set of all states was not computed for one property, it is not for the next.
        let is_lost = |outcome: &Outcome| {
            choices.settings.engine == "symbolic"
                && !outcome.verdict.is_decided()
                && outcome.cost.states.is_none()
        };
        given_up = Some(found).filter(|found| found.as_ref().is_ok_and(is_lost));
    }
    task.rows
}

/// Makes the page: totals, obstacles, models.
pub(super) fn page(record: &Record, all: &str) -> Page {
    let mut page = Page::default();
    let rows = record.rows();
    let count = |answer: &str| rows.rows().filter(|row| row.text("answer") == answer).count();
    let (right, wrong) = (count("right"), count("wrong"));
    let (unjudged, undecided) = (count("unjudged"), count("undecided"));
    let models = rows.distinct("model");
    page.heading("Verdicts");
    let violations = rows.rows().filter(|row| row.text("verdict") == "violated");
    let median = quantile(violations.filter_map(|row| row.number("seconds")), 0.5);
    let seconds: f64 = rows.rows().filter_map(|row| row.number("seconds")).sum();
    page.paragraph(&format!(
        "{right} as known, {unjudged} without known verdict, {wrong} wrong, {undecided} undecided: {} % \
         decided. {seconds:.0} s in all; the median time of a violation is {} ms.",
        percent(rows.len() - undecided, rows.len()),
        shown(median.map(|seconds| 1e3 * seconds), 1)
    ));
    let mut obstacles: Vec<(&str, usize)> = vec![];
    for row in rows.rows() {
        let name = || format!("{} of {}", row.text("property"), row.text("model"));
        match row.text("answer") {
            "wrong" => {
                page.fault(format!("{}: {} {}", name(), row.text("verdict"), row.text("note")))
            }
            "undecided" => {
                let (kind, _) = row.text("note").split_once(": ").unwrap_or((row.text("note"), ""));
                match obstacles.iter_mut().find(|(known, _)| *known == kind) {
                    Some((_, count)) => *count += 1,
                    None => obstacles.push((kind, 1)),
                }
            }
            _ => {}
        }
    }
    if !obstacles.is_empty() {
        page.paragraph("Reasons for undecided properties:");
        obstacles.sort_unstable();
        let lines = obstacles.iter().map(|(kind, count)| cells![kind, count]);
        page.table(&["obstacle", ">properties"], &lines.collect::<Vec<_>>());
    }
    page.heading("Models");
    let lines = models.iter().map(|model| {
        let of = || rows.rows().filter(|row| row.text("model") == *model);
        let count = |answer: &str| of().filter(|row| row.text("answer") == answer).count();
        let seconds: f64 = of().filter_map(|row| row.number("seconds")).sum();
        let counts = ["right", "unjudged", "undecided", "wrong"].map(|a| count(a).to_string());
        let seconds = format!("{seconds:.2}");
        [(*model).to_owned()].into_iter().chain(counts).chain([seconds]).collect()
    });
    let titles = ["model", ">right", ">not known", ">undecided", ">wrong", ">seconds"];
    page.table(&titles, &lines.collect::<Vec<_>>());
    let number = grouped(&rows.len().to_string());
    page.coverage(
        format!("{number} properties of {} models, of {all}", models.len()),
        "models in an order that depends on the seed, with all properties",
    );
    page
}
