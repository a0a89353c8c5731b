//! Compares hybrid engines with the explicit and the symbolic one, in one run: ten pairs of a model
//! and a formula, five of which hold.
//!
//! Each check begins from nothing, on the net as it is. The shortest of several rounds counts, of
//! processor time where the system reports it.

use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::statistics::{geometric_mean, grouped, shown};
use crate::stopwatch::Stopwatch;
use crate::table::Row;
use anyhow::{Result, anyhow};
use sempre::engines::{ENGINES, Settings as CheckSettings};
use sempre_check::combine::Reduce;
use sempre_check::{Control, Deadlock, Outcome, Question};
use sempre_ltl::Formula;
use sempre_models::Model;
use std::time::Duration;

/// Compares hybrid engines with the others.
#[derive(Debug)]
pub struct Hybrids;

/// The engines, those that are compared with hybrid ones first.
const NAMES: [&str; 5] = ["explicit", "symbolic", "sog", "sop", "slap"];
const HYBRIDS: &[&str] = &["sog", "sop", "slap"];

/// The pairs: a model, one for quick runs, and a formula. The first five hold.
const PAIRS: [(&str, &str, &str); 10] = [
    ("philosophers:20", "philosophers:4", "G !(eats_0 & eats_1)"),
    ("kanban:8", "kanban:1", "G(work_1 | cards_1 | done_1 | bad_1)"),
    ("round-robin:12", "round-robin:3", "G !(holds_0 & holds_1)"),
    ("peterson:3", "peterson:2", "G !(critical_0 & critical_1)"),
    ("mapk:4", "mapk:1", "!((!RafP) U MEKP) & !((!MEKP) U MEKPP)"),
    ("philosophers:20", "philosophers:4", "G F eats_0"),
    ("fms:5", "fms:1", "G F shipped_1"),
    ("kanban:8", "kanban:1", "G(work_1 -> F done_4)"),
    ("ring:6", "ring:3", "G F written_0"),
    ("round-robin:12", "round-robin:3", "F G !holds_0"),
];

const ABOUT: About = About {
    name: "sempre/hybrid",
    summary: "hybrid, explicit and symbolic engines on ten pairs of a model and a formula",
    source: Source { document: "none", place: "engines are compared with each other" },
    parameters: &[
        parameter("rounds", "of which the shortest counts", "3", "1"),
        parameter("timeout", "seconds for a check, of processor time", "20", "2"),
        parameter("memory", "MiB for a check", "4096", "512"),
    ],
    unit: &["model", "formula", "engine"],
    values: &["verdict", "seconds", "states", "aggregates", "peak_nodes"],
};

impl Experiment for Hybrids {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let bounds = Bounds {
            rounds: settings.number("rounds")?,
            check: settings.seconds("timeout")?,
            bytes: settings.bytes("memory")?,
        };
        for (large, small, text) in PAIRS {
            let name = if settings.quick { small } else { large };
            let model = Place::named(name, &settings)?.open()?;
            let formula: Formula = text.parse()?;
            for engine in NAMES {
                bench.row(&[name, text, engine], || measure(&model, &formula, engine, &bounds))?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

struct Bounds {
    rounds: usize,
    check: Duration,
    bytes: usize,
}

fn measure(
    model: &Model,
    formula: &Formula,
    engine: &'static str,
    bounds: &Bounds,
) -> Result<Vec<String>> {
    let mut least = Duration::MAX;
    let mut last: Option<Outcome> = None;
    for _ in 0..bounds.rounds.max(1) {
        let clock = Stopwatch::start();
        let settings = CheckSettings { engine, reduce: Reduce::Off, ..Default::default() };
        let row = ENGINES.iter().find(|row| row.name == engine);
        let row = row.ok_or_else(|| anyhow!("no engine `{engine}`"))?;
        let question = Question::new(model.system(), formula, Deadlock::Stutter)?;
        let mut engine = (row.make)(model, &settings)?;
        let work = |control: &Control<'_>| engine.check(&question, control);
        let outcome = clock.limited(bounds.check, bounds.bytes, work)?;
        least = least.min(clock.elapsed());
        let is_decided = outcome.verdict.is_decided();
        last = Some(outcome);
        if !is_decided {
            break;
        }
    }
    let outcome = last.ok_or_else(|| anyhow!("no round"))?;
    let cost = &outcome.cost;
    let text = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
    Ok(cells![
        outcome.verdict.name(),
        format!("{:.6}", least.as_secs_f64()),
        text(cost.stored),
        text(cost.aggregates),
        text(cost.peak_nodes.map(|nodes| nodes as u64)),
    ])
}

/// The seconds of a row with a verdict.
fn seconds(row: Option<Row<'_>>) -> Option<f64> {
    row.filter(|row| row.text("verdict") != "unknown")?.number("seconds")
}

/// The fastest of some engines on a pair.
fn best<'n>(names: &[&'n str], times: &dyn Fn(&str) -> Option<f64>) -> Option<(&'n str, f64)> {
    let times = names.iter().filter_map(|name| Some((*name, times(name)?)));
    times.min_by(|one, other| one.1.total_cmp(&other.1))
}

fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let mut lines = vec![];
    let (mut pairs, mut holding, mut wins, mut only) = (0, 0, 0, 0);
    let (mut to_explicit, mut to_symbolic) = (vec![], vec![]);
    for (large, small, formula) in PAIRS {
        let model = if record.settings().quick { small } else { large };
        let find = |engine: &str| {
            let cells = [("model", model), ("formula", formula), ("engine", engine)];
            record.rows().find(&cells)
        };
        let verdicts =
            NAMES.iter().filter_map(|engine| find(engine)).map(|row| row.text("verdict"));
        let mut verdicts: Vec<&str> = verdicts.filter(|verdict| *verdict != "unknown").collect();
        verdicts.dedup();
        let Some(verdict) = verdicts.first() else { continue };
        if verdicts.len() > 1 {
            page.fault(format!("{model}, {formula}: two verdicts"));
        }
        pairs += 1;
        holding += usize::from(*verdict == "holds");
        let times = |engine: &str| seconds(find(engine));
        let hybrid = best(HYBRIDS, &times);
        let other = best(&NAMES[..2], &times);
        if let Some((_, hybrid)) = hybrid {
            only += usize::from(other.is_none());
            wins += usize::from(other.is_none_or(|(_, other)| hybrid < other));
            to_explicit.extend(times("explicit").map(|time| hybrid / time));
            to_symbolic.extend(times("symbolic").map(|time| hybrid / time));
        }
        let ratio = hybrid.zip(other).map(|((_, hybrid), (_, other))| hybrid / other);
        let shown_times = NAMES.iter().map(|engine| shown(times(engine), 4));
        let aggregates = find("slap").map_or("", |row| row.text("aggregates"));
        let head = cells![model.replace(':', " "), format!("`{formula}`"), verdict];
        let tail =
            cells![hybrid.map_or("–", |(name, _)| name), shown(ratio, 2), grouped(aggregates),];
        lines.push(head.into_iter().chain(shown_times).chain(tail).collect());
    }
    page.heading("Seconds");
    page.paragraph(
        "A dash: no verdict within the limits. The ratio is the fastest hybrid engine against the faster \
         one of explicit and symbolic.",
    );
    let titles = [
        "model",
        "formula",
        "verdict",
        ">explicit",
        ">symbolic",
        ">sog",
        ">sop",
        ">slap",
        "fastest hybrid",
        ">ratio",
        ">aggregates of slap",
    ];
    page.table(&titles, &lines);
    let sample = Sample { cases: pairs, least: PAIRS.len() };
    page.conclude(
        "A hybrid engine is faster than both others on some pairs",
        (pairs > 0).then_some(wins > 0),
        sample,
        format!("fastest on {wins} of {pairs} pairs, alone in deciding {only}"),
    );
    let means = [geometric_mean(to_explicit), geometric_mean(to_symbolic)];
    page.conclude(
        "The fastest hybrid engine takes less time than the symbolic one in the mean",
        means[1].map(|mean| mean < 1.0),
        sample,
        format!(
            "geometric means: {} times the explicit engine, {} times the symbolic one",
            shown(means[0], 2),
            shown(means[1], 2)
        ),
    );
    page.coverage(
        format!("{pairs} pairs, {holding} of which hold"),
        "pairs chosen by hand from generated families, before they were measured",
    );
    page
}
