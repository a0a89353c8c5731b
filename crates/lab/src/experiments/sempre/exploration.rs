//! Counts reachable states and transitions with the explicit engine, and compares with known
//! numbers.
//!
//! Speeds are transitions per second of processor time, so that other processes matter little. The
//! time includes reading.

use crate::bench::Bench;
use crate::cells;
use crate::collections::{Counted, Expected, counted, shuffled};
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::Page;
use crate::record::Record;
use crate::settings::Settings;
use crate::statistics::{grouped, shown};
use crate::stopwatch;
use crate::table::Row;
use anyhow::Result;
use sempre_explicit::explore::{
    Exploration as Explored, Failure, Limits, Reason, breadth_first, parallel,
};
use sempre_explicit::store::{Arena, Store, Tree};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::{Extent, Fault, System};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// Explores models of collections.
#[derive(Debug)]
pub struct Exploration;

const ABOUT: About = About {
    name: "sempre/exploration",
    summary: "Reachable states and transitions by the explicit engine, beside known counts; speed and memory",
    source: Source {
        document: "the BEEM collection (counts by LTSmin) and the Model Checking Contest 2023",
        place: "counts.tsv, index.tsv",
    },
    parameters: &[
        parameter("collections", "which: beem, mcc, generated", "beem mcc", "generated"),
        parameter("timeout", "seconds for a model", "60", "10"),
        parameter("memory", "MiB for a model", "4096", "512"),
        parameter("store", "arena or tree (compressed)", "tree", "tree"),
        parameter("threads", "number of threads", "1", "1"),
        parameter("most", "maximal number of states of a model", "10000000", "50000"),
        parameter("filter", "select names that contain one of these words", "", ""),
        parameter("seed", "of the order of models", "0", "0"),
    ],
    unit: &["collection", "model"],
    values: &["answer", "note", "states", "transitions", "seconds", "work", "words", "bytes"],
};

struct Options {
    timeout: Duration,
    bytes: usize,
    tree: bool,
    threads: NonZeroUsize,
}

impl Experiment for Exploration {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let options = Options {
            timeout: settings.seconds("timeout")?,
            bytes: settings.bytes("memory")?,
            tree: settings.text("store") != "arena",
            threads: settings.number("threads")?,
        };
        for model in models(&settings)? {
            bench.row(&[model.collection, &model.name], || Ok(explore(&options, &model)))?;
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        for collection in record.rows().distinct("collection") {
            section(&mut page, collection, record);
        }
        let settings = record.settings();
        let count = grouped(&record.rows().len().to_string());
        page.coverage(
            format!("{count} models"),
            format!(
                "models of the collections `{}` with at most {} states, or unbounded, in an order that \
                 depends on the seed",
                settings.text("collections"),
                grouped(settings.text("most"))
            ),
        );
        page
    }
}

/// Returns the models to explore: those with few states, and unbounded ones.
fn models(settings: &Settings) -> Result<Vec<Counted>> {
    let most: u64 = settings.number("most")?;
    let mut models = vec![];
    for collection in settings.words("collections") {
        let all = counted(collection, settings)?.into_iter().filter(|model| {
            let is_small = match &model.states {
                Expected::Count(count) => count.parse().is_ok_and(|count: u64| count <= most),
                Expected::Unbounded => true,
                Expected::Unknown => false,
            };
            is_small && settings.wants("filter", &model.name)
        });
        models.extend(shuffled(all.collect(), settings.number("seed")?));
    }
    Ok(models)
}

struct Search<'a> {
    options: &'a Options,
    limits: Limits,
    /// The number of words of a state.
    words: usize,
}

impl Search<'_> {
    fn search<T: Store>(&self, system: &dyn System) -> Result<Explored, Failure> {
        if self.options.threads == NonZeroUsize::MIN {
            return breadth_first(system, &mut T::new(system.words()), &self.limits, |_| ());
        }
        parallel::<T>(system, self.options.threads, &self.limits, |_| ())
            .map(|(exploration, _)| exploration)
    }
}

impl Search<'_> {
    fn run(&mut self, system: &dyn System) -> Result<Result<Explored, Failure>, Fault> {
        self.words = system.words();
        let outcome = match self.options.tree {
            true => self.search::<Tree>(system),
            false => self.search::<Arena>(system),
        };
        match outcome {
            Err(Failure { fault: fault @ Fault::Overflow(_), .. }) => Err(fault),
            outcome => Ok(outcome),
        }
    }
}

/// Returns the cells of a model.
fn explore(options: &Options, model: &Counted) -> Vec<String> {
    let (start, idle) = (Instant::now(), stopwatch::processor_seconds());
    let deadline = start + options.timeout;
    let limits =
        Limits { bytes: Some(options.bytes), deadline: Some(deadline), ..Limits::default() };
    let mut task = Search { options, limits, words: 0 };
    // Searches stop at the deadline; this limit is for the work before them.
    let latest = deadline + options.timeout / 8;
    let outcome = interrupt::run(&Interrupt::default(), Some(latest), || {
        model.place.open().map(|model| model.run(Extent::Whole, |system| task.run(&**system)))
    });
    let (words, seconds) = (task.words, start.elapsed().as_secs_f64());
    let work = match (idle, stopwatch::processor_seconds()) {
        (Some(before), Some(after)) => after - before,
        _ => seconds,
    };
    let (answer, note, explored) = match outcome {
        Err(_) => ("unsolved", "time".to_owned(), None),
        Ok(Err(error)) => ("wrong", format!("{error:#}"), None),
        Ok(Ok(Err(Fault::Unbounded { .. }))) if model.states == Expected::Unbounded => {
            ("right", "unbounded".to_owned(), None)
        }
        Ok(Ok(Err(fault))) => ("wrong", fault.to_string(), None),
        Ok(Ok(Ok(Err(failure)))) => ("wrong", failure.to_string(), None),
        Ok(Ok(Ok(Ok(explored)))) => {
            let (answer, note) = compare(model, &explored);
            (answer, note, Some(explored))
        }
    };
    let (states, transitions, bytes) = match &explored {
        Some(explored) => {
            (explored.counts.states, explored.counts.transitions, explored.bytes as u64)
        }
        None => (0, 0, 0),
    };
    let cell = |value: u64| if explored.is_some() { value.to_string() } else { String::new() };
    cells![
        answer,
        note,
        cell(states),
        cell(transitions),
        format!("{seconds:.3}"),
        format!("{work:.2}"),
        words,
        cell(bytes),
    ]
}

fn compare(model: &Counted, explored: &Explored) -> (&'static str, String) {
    if let Some(reason) = explored.incomplete {
        let reason = match reason {
            Reason::Time => "time".into(),
            Reason::Memory => "memory".into(),
            other => other.to_string(),
        };
        return ("unsolved", reason);
    }
    let found = explored.counts.states.to_string();
    let transitions = explored.counts.transitions.to_string();
    match (&model.states, &model.transitions) {
        (Expected::Unbounded, _) => ("wrong", "the net is unbounded".to_owned()),
        (Expected::Count(count), _) if *count != found => {
            ("wrong", format!("{count} states expected"))
        }
        (_, Some(count)) if *count != transitions => {
            ("wrong", format!("{count} transitions expected"))
        }
        _ => ("right", String::new()),
    }
}

fn section(page: &mut Page, collection: &str, record: &Record) {
    let rows: Vec<Row<'_>> =
        record.rows().rows().filter(|row| row.text("collection") == collection).collect();
    let count = |answer: &str| rows.iter().filter(|row| row.text("answer") == answer).count();
    let sum = |column: &str| rows.iter().filter_map(|row| row.number(column)).sum::<f64>();
    let with_counts = || rows.iter().filter(|row| !row.text("states").is_empty());
    let per_state = |row: &Row<'_>| Some(row.number("bytes")? / row.number("states")?);
    let large = with_counts().filter(|row| row.number("states").is_some_and(|n| n >= 100_000.0));
    let worst = large
        .filter_map(|row| Some((per_state(row)?, row.text("model"))))
        .max_by(|left, right| left.0.total_cmp(&right.0));
    let work: f64 = with_counts().filter_map(|row| row.number("work")).sum();
    page.heading(collection);
    page.paragraph(&format!(
        "{} right, {} unsolved, {} wrong. {} states, {} transitions, {:.1} s, {work:.1} s of work: {} \
         million transitions per second of work, {} bytes per state{}.",
        count("right"),
        count("unsolved"),
        count("wrong"),
        grouped(&format!("{:.0}", sum("states"))),
        grouped(&format!("{:.0}", sum("transitions"))),
        sum("seconds"),
        shown(Some(sum("transitions") / work / 1e6), 2),
        shown(Some(sum("bytes") / sum("states")), 1),
        worst.map_or_else(String::new, |(bytes, model)| format!(
            "; of models with 100,000 states or more at most {bytes:.1} ({model})"
        )),
    ));
    let lines = rows.iter().map(|row| {
        if row.text("answer") == "wrong" {
            page.fault(format!("{}: {}", row.text("model"), row.text("note")));
        }
        let speed = row.number("transitions").zip(row.number("work"));
        vec![
            row.text("model").to_owned(),
            row.text("answer").to_owned(),
            grouped(row.text("states")),
            grouped(row.text("transitions")),
            row.text("seconds").to_owned(),
            row.text("work").to_owned(),
            // Processor time is counted in hundredths of seconds.
            shown(speed.filter(|(_, work)| *work > 0.05).map(|(n, work)| n / work / 1e6), 2),
            row.text("words").to_owned(),
            shown(per_state(row), 1),
            row.text("note").to_owned(),
        ]
    });
    let lines: Vec<Vec<String>> = lines.collect();
    page.table(
        &[
            "model",
            "answer",
            ">states",
            ">transitions",
            ">seconds",
            ">work",
            ">M transitions/s",
            ">words",
            ">bytes/state",
            "note",
        ],
        &lines,
    );
}
