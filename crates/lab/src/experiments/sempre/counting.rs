//! Counts reachable states with the symbolic engine, and compares with known numbers.

use crate::bench::Bench;
use crate::cells;
use crate::collections::{Counted, Expected, counted, shuffled};
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::Page;
use crate::record::Record;
use crate::statistics::grouped;
use anyhow::{Context, Result, anyhow};
use sempre::explorer::{ExploreSettings, Explorer, Goal, SetCounts};
use sempre_check::{Control, Limits};
use sempre_diagrams::order::Heuristic;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::{Model, System, VariableId};
use sempre_symbolic::{Options, Order};
use std::time::{Duration, Instant};

/// Counts the states of models.
#[derive(Debug)]
pub struct Counting;

const ABOUT: About = About {
    name: "sempre/counting",
    summary: "Numbers of reachable states by the symbolic engine, beside known ones; nodes of diagrams",
    source: Source {
        document: "the BEEM collection (counts by LTSmin) and the Model Checking Contest 2023",
        place: "counts.tsv, index.tsv",
    },
    parameters: &[
        parameter("collections", "which: beem, mcc, generated", "mcc beem", "generated"),
        parameter("timeout", "seconds for a model", "60", "10"),
        parameter("memory", "MiB for a model", "8192", "512"),
        parameter(
            "order",
            "of variables: best, given, force, cuthill-mckee, sloan",
            "best",
            "best",
        ),
        parameter("filter", "select names that contain one of these words", "", ""),
        parameter("seed", "of the order of models", "0", "0"),
    ],
    unit: &["collection", "model"],
    values: &["answer", "note", "states", "nodes", "peak_nodes", "seconds"],
};

impl Experiment for Counting {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let (timeout, bytes) = (settings.seconds("timeout")?, settings.bytes("memory")?);
        let choice = Choice::named(settings.text("order"))?;
        for collection in settings.words("collections") {
            let models = counted(collection, &settings)?.into_iter().filter(|model| {
                matches!(model.states, Expected::Count(_)) && settings.wants("filter", &model.name)
            });
            for model in shuffled(models.collect(), settings.number("seed")?) {
                bench.row(&[model.collection, &model.name], || {
                    Ok(count_model(&model, choice, timeout, bytes))
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        for collection in record.rows().distinct("collection") {
            let rows = || record.rows().rows().filter(|row| row.text("collection") == collection);
            let count = |answer: &str| rows().filter(|row| row.text("answer") == answer).count();
            page.heading(collection);
            page.paragraph(&format!(
                "{} right, {} wrong, {} unsolved.",
                count("right"),
                count("wrong"),
                count("unsolved")
            ));
            let lines = rows().map(|row| {
                if row.text("answer") == "wrong" {
                    page.fault(format!("{}: {}", row.text("model"), row.text("note")));
                }
                let names = ["model", "answer"].map(|column| row.text(column).to_owned());
                let numbers =
                    ["states", "nodes", "peak_nodes", "seconds"].map(|c| grouped(row.text(c)));
                let note = [row.text("note").to_owned()];
                names.into_iter().chain(numbers).chain(note).collect()
            });
            let lines: Vec<Vec<String>> = lines.collect();
            let titles =
                ["model", "answer", ">states", ">nodes", ">peak nodes", ">seconds", "note"];
            page.table(&titles, &lines);
        }
        page.coverage(
            format!("{} models", record.rows().len()),
            "models whose number of states is known, in an order that depends on the seed",
        );
        page
    }
}

/// An order to try.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice {
    By(Heuristic),
    /// The reverse of the file.
    Reversed,
    Best,
}

impl Choice {
    pub(super) fn all() -> impl Iterator<Item = Choice> {
        let heuristics = Heuristic::ALL.into_iter().map(Choice::By);
        heuristics.chain([Choice::Reversed, Choice::Best])
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Choice::By(heuristic) => heuristic.name(),
            Choice::Reversed => "reversed",
            Choice::Best => "best",
        }
    }

    fn named(name: &str) -> Result<Self> {
        let found = Self::all().find(|choice| choice.name() == name);
        found.with_context(|| format!("unknown order `{name}`"))
    }

    fn order(self, system: &dyn System) -> Order {
        match self {
            Choice::By(heuristic) => Order::By(heuristic),
            Choice::Reversed => {
                let variables = (0..system.names().variable_count() as u32).rev();
                Order::Given(variables.map(VariableId).collect())
            }
            Choice::Best => Order::Best,
        }
    }
}

/// The numbers of states and nodes.
pub(super) struct Found {
    pub(super) states: String,
    pub(super) nodes: usize,
    pub(super) peak_nodes: usize,
}

/// Counts the states of a model with an order, or says what was in the way, within limits.
pub(super) fn count(
    open: impl FnOnce() -> Result<Model>,
    choice: Choice,
    timeout: Duration,
    bytes: usize,
) -> (Result<Found>, f64) {
    let start = Instant::now();
    let deadline = start.checked_add(timeout);
    let answer = interrupt::run(&Interrupt::default(), deadline, || {
        let model = open()?;
        let order = choice.order(&*model.system());
        let symbolic = Options { order, ..Options::default() };
        let settings =
            ExploreSettings { engine: "symbolic", symbolic, ..ExploreSettings::default() };
        let limits = Limits { bytes: Some(bytes), deadline, ..Limits::default() };
        let goal = Goal::Count { components: false, bounds: false, unreached: false };
        let explored = Explorer::new(model).with(settings).explore(&goal, &Control::new(limits))?;
        if let Some(failure) = &explored.failure {
            return Err(anyhow!(failure.describe(explored.system.names())));
        }
        let sets = explored.sets.ok_or_else(|| match explored.incomplete {
            Some(reason) => anyhow!(reason.name()),
            None => anyhow!("nothing was counted"),
        })?;
        let SetCounts { states, nodes, peak_nodes, .. } = sets;
        Ok(Found { states: states.to_string(), nodes, peak_nodes })
    });
    let answer = answer.unwrap_or_else(|_| Err(anyhow!("time")));
    (answer, start.elapsed().as_secs_f64())
}

fn count_model(model: &Counted, choice: Choice, timeout: Duration, bytes: usize) -> Vec<String> {
    let (answer, seconds) = count(|| model.place.open(), choice, timeout, bytes);
    let seconds = format!("{seconds:.3}");
    match answer {
        Ok(Found { states, nodes, peak_nodes }) => {
            let (answer, note) = match &model.states {
                Expected::Count(count) if *count != states => {
                    ("wrong", format!("{count} expected"))
                }
                _ => ("right", String::new()),
            };
            cells![answer, note, states, nodes, peak_nodes, seconds]
        }
        Err(reason) => cells!["unsolved", reason, "", "", "", seconds],
    }
}
