//! The facts that our detectors find in models, each proved by exploration.
//!
//! The propositions are chosen by the names of a model: some locations of some processes, and values
//! of some variables or places. Each fact is checked as a property by the explicit engine, without
//! refinement.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use anyhow::{Result, anyhow};
use sempre::checker::Checker;
use sempre::engines::Settings as CheckSettings;
use sempre_check::{Control, Limits, Verdict};
use sempre_ltl::Prop;
use sempre_models::facts::{self, FactKind};
use sempre_models::proposition::{Propositions, written};
use sempre_models::{Model, VariableId};
use std::time::Instant;

/// Lists and proves facts.
#[derive(Debug)]
pub struct Facts;

const ABOUT: About = About {
    name: "property-automata/facts",
    summary: "Facts found by each detector in programs and nets, proved by exploration",
    source: Source { document: DOCUMENT, place: "Section 4.1, detection of constraints" },
    parameters: &[
        parameter(
            "models",
            "models of BEEM, shipped:NAME, or nets as FAMILY:NUMBER",
            "anderson.2 at.1 bakery.1 bopdp.1 bridge.1 brp.1 collision.1 cyclic_scheduler.1 \
             driving_phils.1 elevator2.1 elevator.2 peterson.1 philosophers:4 ring:3 fms:1 kanban:2 \
             peterson:2 round-robin:4 mapk:1 producer-consumer:2 dekker:3 \
             token-ring:3 readers-writers:3 swimming-pool:1 philosophers-simple:4",
            "shipped:peterson philosophers:3",
        ),
        parameter("propositions", "about each model, at most", "24", "12"),
        parameter("states", "limit of stored states of a proof", "300000", "20000"),
        parameter("timeout", "seconds for one proof", "10", "5"),
    ],
    unit: &["model"],
    values: &["detector", "formula", "reason", "verdict"],
};

impl Experiment for Facts {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let states = settings.number("states")?;
        let timeout = settings.seconds("timeout")?;
        for name in settings.words("models") {
            let model = Place::named(name, &settings)?.open()?;
            let count = settings.number("propositions")?;
            bench.unit(&[name], || {
                let props = propositions(&model, count);
                let check = CheckSettings { engine: "explicit", ..CheckSettings::default() };
                let checker = Checker::new(model.clone()).with(check);
                let mut checker = checker.map_err(|error| anyhow!("{name}: {error}"))?;
                let mut rows = Vec::new();
                for fact in facts::find(&model, &*model.system(), &props, facts::STEPS) {
                    let limits = Limits {
                        states: Some(states),
                        deadline: Some(Instant::now() + timeout),
                        ..Limits::default()
                    };
                    let formula = fact.assumption();
                    let outcome = checker.check_formula(&formula, &Control::new(limits));
                    let verdict = outcome.map_or("error", |outcome| outcome.verdict.name());
                    rows.push(cells![fact.kind.name(), formula, fact.reason, verdict]);
                }
                if rows.is_empty() {
                    rows.push(cells!["", "", "", ""]);
                }
                Ok(rows)
            })?;
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let rows = record.rows();
        let violated = Verdict::Violated.name();
        for row in rows.rows().filter(|row| [violated, "error"].contains(&row.text("verdict"))) {
            let (model, formula) = (row.text("model"), row.text("formula"));
            page.fault(format!("{model}: `{formula}` is {}", row.text("verdict")));
        }
        page.heading("Facts by detector");
        page.paragraph(
            "The number of facts in each model, and those that were proved where that differs: the \
             others reached a limit.",
        );
        let mut titles = vec!["model"];
        let kinds: Vec<String> =
            FactKind::ALL.iter().map(|kind| format!(">{}", kind.name())).collect();
        titles.extend(kinds.iter().map(String::as_str));
        let mut lines = Vec::new();
        let mut firing = [0; FactKind::ALL.len()];
        let (mut all, mut proved) = (0, 0);
        for model in rows.distinct("model") {
            let mut line = vec![model.to_owned()];
            for (place, kind) in FactKind::ALL.iter().enumerate() {
                let of = rows.rows().filter(|row| {
                    row.text("model") == model && row.text("detector") == kind.name()
                });
                let holds = Verdict::Holds.name();
                let sure = of.clone().filter(|row| row.text("verdict") == holds).count();
                let count = of.count();
                firing[place] += usize::from(count > 0);
                (all, proved) = (all + count, proved + sure);
                line.push(match count == sure {
                    true => count.to_string(),
                    false => format!("{count} ({sure})"),
                });
            }
            lines.push(line);
        }
        page.table(&titles, &lines);
        page.heading("The facts");
        let lines: Vec<Vec<String>> = rows
            .rows()
            .filter(|row| !row.text("detector").is_empty())
            .map(|row| {
                let cell = |column: &str| row.text(column).replace('|', "\\|");
                cells![
                    row.text("model"),
                    row.text("detector"),
                    format!("`{}`", cell("formula")),
                    cell("reason"),
                    row.text("verdict")
                ]
            })
            .collect();
        page.table(&["model", "detector", "formula", "reason", "verdict"], &lines);
        let models = rows.distinct("model").len();
        page.conclude(
            "each fact holds",
            (all > 0).then_some(page.faults().is_empty()),
            Sample { cases: all, least: 100 },
            format!("{proved} of {all} proved; proofs of {} reached a limit", all - proved),
        );
        let least = firing.iter().zip(FactKind::ALL).min_by_key(|(count, _)| **count);
        page.conclude(
            "each detector finds facts in at least three models",
            least.map(|(count, _)| *count >= 3),
            Sample { cases: models, least: 20 },
            least.map_or(String::new(), |(count, kind)| {
                format!("fewest: {} in {count} of {models} models", kind.name())
            }),
        );
        page.coverage(
            format!("{models} models, {all} facts"),
            "propositions by the names of a model",
        );
        page
    }
}

/// Chooses propositions about a model: locations of processes, comparisons of variables.
fn propositions(model: &Model, most: usize) -> Vec<Prop> {
    let system = model.system();
    let names = system.names();
    let mut texts: Vec<String> = Vec::new();
    let processes = names.processes();
    for process in processes.iter().take(3) {
        let locations = names.constants(process);
        texts.extend(locations.iter().take(4).map(|location| format!("{process}.{location}")));
    }
    let variables = (0..names.variable_count() as u32).map(VariableId);
    let variables: Vec<String> = variables
        .map(|variable| names.variable_name(variable))
        .filter(|name| !processes.contains(name))
        .take(if processes.is_empty() { 12 } else { 4 })
        .map(|name| written(&name).into_owned())
        .collect();
    match processes.is_empty() {
        true => texts.extend(variables.iter().cloned()),
        false => texts.extend(variables.iter().map(|name| format!("{name} = 1"))),
    }
    for name in variables.iter().take(3) {
        texts.extend([format!("{name} > 0"), format!("{name} > 1")]);
    }
    texts.extend(variables.windows(2).take(2).map(|pair| format!("{} < {}", pair[0], pair[1])));
    texts.retain(|text| Propositions::compile(names, [text.as_str()]).is_ok());
    texts.truncate(most);
    texts.into_iter().map(Prop::new).collect()
}
