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
use anyhow::{Error, Result};
use sempre::explorer::{ExploreSettings, Explored, Explorer, Goal};
use sempre_check::{CheckError, Control, Limits};
use sempre_explicit::StoreKind;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::Fault;
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
    settings: ExploreSettings,
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
            settings: ExploreSettings {
                store: match settings.text("store") {
                    "arena" => StoreKind::Arena,
                    _ => StoreKind::Tree,
                },
                threads: settings.number("threads")?,
                ..ExploreSettings::default()
            },
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

/// The cells of a model.
fn explore(options: &Options, model: &Counted) -> Vec<String> {
    let (start, idle) = (Instant::now(), stopwatch::processor_seconds());
    let deadline = start + options.timeout;
    let limits =
        Limits { bytes: Some(options.bytes), deadline: Some(deadline), ..Limits::default() };
    // Searches end by themselves at the deadline; this is for what comes before them.
    let latest = deadline + options.timeout / 8;
    let explored = interrupt::run(&Interrupt::default(), Some(latest), || {
        let explorer = Explorer::new(model.place.open()?).with(options.settings.clone());
        let goal = Goal::Count { components: false, bounds: false, unreached: false };
        anyhow::Ok(explorer.explore(&goal, &Control::new(limits))?)
    });
    let seconds = start.elapsed().as_secs_f64();
    let work = match (idle, stopwatch::processor_seconds()) {
        (Some(before), Some(after)) => after - before,
        _ => seconds,
    };
    let (answer, note) = match &explored {
        Err(_) => ("unsolved", "time".to_owned()),
        Ok(explored) => compare(model, explored.as_ref()),
    };
    let explored = explored.ok().and_then(Result::ok);
    let counts = explored.as_ref().and_then(|explored| explored.counts);
    let (states, transitions) = counts.map_or((0, 0), |all| (all.states, all.transitions));
    let words = explored.as_ref().map_or(0, |explored| explored.system.words());
    let bytes = explored.as_ref().map_or(0, |explored| explored.bytes as u64);
    let cell = |value: u64| if counts.is_some() { value.to_string() } else { String::new() };
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

fn compare(model: &Counted, explored: Result<&Explored, &Error>) -> (&'static str, String) {
    let explored = match explored {
        Ok(explored) => explored,
        Err(error) => {
            return match error.downcast_ref::<CheckError>() {
                Some(CheckError::Fault(failure))
                    if model.states == Expected::Unbounded
                        && matches!(failure.fault, Fault::Unbounded { .. }) =>
                {
                    ("right", "unbounded".to_owned())
                }
                _ => ("wrong", format!("{error:#}")),
            };
        }
    };
    if let Some(failure) = &explored.failure {
        return ("wrong", failure.to_string());
    }
    if let Some(reason) = explored.incomplete {
        return ("unsolved", reason.name().to_owned());
    }
    let counts = explored.counts.unwrap_or_default();
    let (found, transitions) = (counts.states.to_string(), counts.transitions.to_string());
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
