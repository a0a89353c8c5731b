//! Table 3: nodes and edges that emptiness checks visit in the whole product and in the parts.
//!
//! If the formula holds, the part with the most followed edges counts; otherwise the part that
//! finds a violation with the fewest.

use super::DOCUMENT;
use super::selection::{self, LEAST, Measured, PARAMETERS, RULE, Subject, UNIT, VERDICTS, reduced};
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source};
use crate::page::{Page, Sample};
use crate::plot::{Series, scatter};
use crate::record::Record;
use crate::statistics::{mean, rounded, shown};
use crate::table::{Row, Table};
use anyhow::{Result, bail};
use sempre_automata::Automaton;
use sempre_automata::decompose::Part;
use sempre_explicit::emptiness::{Check, Roots};

/// Repeats Table 3.
#[derive(Debug)]
pub struct T3;

/// The emptiness checks for the whole automaton and its strong part.
const CHECKS: [(&str, Check); 3] = [
    ("SE", Check::SchwoonEsparza),
    ("ELL", Check::Restricted),
    ("Cou", Check::Couvreur { roots: Roots::Compressed, known_first: true }),
];

const COLUMNS: [&str; 4] = ["whole_nodes", "whole_edges", "parts_nodes", "parts_edges"];

impl Experiment for T3 {
    fn about(&self) -> About {
        About {
            name: "decomposition/t3",
            summary: "Nodes and edges that checks visit, of the whole automaton and of its parts",
            source: Source { document: DOCUMENT, place: "Section 5, Table 3" },
            parameters: PARAMETERS,
            unit: UNIT,
            values: &[
                "verdict",
                "formula",
                "check",
                "automaton_states",
                "whole_nodes",
                "whole_edges",
                "parts_nodes",
                "parts_edges",
            ],
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        selection::run(bench, 6, measure)
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

/// Returns the cost of a formula with each of the checks.
fn measure(subject: &mut Subject<'_>, negation: &Automaton, full: [bool; 2]) -> Result<Measured> {
    const TOO_LONG: Result<Measured> = Ok(Measured::LeftOut("takes too long"));
    let parts = [Part::Terminal, Part::Weak].map(|strength| reduced(negation, strength));
    let strong = reduced(negation, Part::Strong);
    let (mut rows, mut verdict) = (vec![], false);
    // The last check is the fastest.
    for (name, emptiness) in CHECKS.iter().rev() {
        let Some((violated, whole)) = subject.check(negation, Some(*emptiness))? else {
            return TOO_LONG;
        };
        if full[usize::from(violated)] {
            return Ok(Measured::LeftOut("enough with this verdict"));
        }
        verdict = violated;
        let mut efforts = Vec::new();
        for part in parts.iter().filter(|part| part.state_count() > 0) {
            let Some(found) = subject.check(part, None)? else { return TOO_LONG };
            efforts.push(found);
        }
        if strong.state_count() > 0 {
            let Some(found) = subject.check(&strong, Some(*emptiness))? else { return TOO_LONG };
            efforts.push(found);
        }
        if efforts.iter().any(|(part, _)| *part) != violated {
            bail!("the parts and the whole do not agree");
        }
        let finding =
            efforts.iter().filter(|(part, _)| *part == violated).map(|(_, effort)| *effort);
        let counted = match violated {
            true => finding.min_by_key(|effort| effort.edges),
            false => finding.max_by_key(|effort| effort.edges),
        };
        let parts = counted.unwrap_or_default();
        let states = negation.state_count();
        rows.insert(0, cells![name, states, whole.nodes, whole.edges, parts.nodes, parts.edges]);
    }
    Ok(Measured::Case { violated: verdict, rows })
}

fn of<'a>(
    record: &'a Record,
    verdict: &'a str,
    model: Option<&'a str>,
    check: &'a str,
) -> impl Iterator<Item = Row<'a>> {
    record.rows().rows().filter(move |row| {
        row.text("verdict") == verdict
            && row.text("check") == check
            && model.is_none_or(|model| row.text("model") == model)
    })
}

fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let published = Table::parse(include_str!("table-3.csv"), ',').unwrap_or_default();
    let models = record.rows().distinct("model");
    page.heading("Table 3");
    page.paragraph("Averages over the formulas of a model: published / ours.");
    let mut lines = vec![];
    for model in &models {
        for verdict in VERDICTS {
            for (place, (check, _)) in CHECKS.iter().enumerate() {
                let theirs =
                    published.find(&[("verdict", verdict), ("model", model), ("check", check)]);
                let count = of(record, verdict, Some(model), check).count();
                let ours = |column: &str| {
                    let rows = of(record, verdict, Some(model), check);
                    mean(rows.filter_map(|row| row.number(column)))
                };
                let cells = COLUMNS.map(|column| {
                    let theirs = theirs.and_then(|row| row.number(column));
                    format!("{} / {}", rounded(theirs), rounded(ours(column)))
                });
                let left = |whole: Option<f64>, parts: Option<f64>| {
                    shown(whole.zip(parts).map(|(whole, parts)| 100.0 * parts / whole), 1)
                };
                let theirs_left = theirs.map_or_else(
                    || shown(None, 1),
                    |row| left(row.number("whole_edges"), row.number("parts_edges")),
                );
                let left =
                    format!("{theirs_left} / {}", left(ours("whole_edges"), ours("parts_edges")));
                let name = if place == 0 { (*model).to_owned() } else { String::new() };
                let head = [name, format!("{count} that {verdict}"), (*check).to_owned()];
                lines.push(head.into_iter().chain(cells).chain([left]).collect());
            }
        }
    }
    page.table(
        &[
            "model",
            "formulas",
            "check",
            ">whole: nodes",
            ">whole: edges",
            ">parts: nodes",
            ">parts: edges",
            ">edges left, %",
        ],
        &lines,
    );
    let series = VERDICTS.map(|verdict| {
        let rows = of(record, verdict, None, "Cou");
        let points =
            rows.filter_map(|r| Some((r.number("whole_edges")?, r.number("parts_edges")?)));
        Series { name: verdict.to_owned(), points: points.collect() }
    });
    let caption = "Edges that Couvreur's check follows for each formula: the whole and the parts";
    page.figure("edges.svg", caption, scatter(("whole, edges", "parts, edges"), &series));
    conclusions(&mut page, record);
    let cases = VERDICTS.map(|verdict| of(record, verdict, None, "Cou").count());
    page.coverage(
        format!(
            "{} formulas that hold and {} that are violated on {} models, of the paper's 441 and 476 on 5",
            cases[0],
            cases[1],
            models.len()
        ),
        RULE,
    );
    page
}

fn conclusions(page: &mut Page, record: &Record) {
    let sample = |verdict: &str| {
        let counts = CHECKS.map(|(check, _)| of(record, verdict, None, check).count());
        Sample::smallest(counts, LEAST)
    };
    for (verdict, claim) in VERDICTS.iter().zip([
        "For formulas that hold, the parts have fewer edges to follow, with every check",
        "Counterexamples are found much sooner in parts: with less than half of the edges",
    ]) {
        let left = CHECKS.map(|(check, _)| {
            let sum = |column: &str| {
                let rows = of(record, verdict, None, check);
                rows.filter_map(|row| row.number(column)).sum::<f64>()
            };
            let (whole, parts) = (sum("whole_edges"), sum("parts_edges"));
            (whole > 0.0).then(|| 100.0 * parts / whole)
        });
        let most = if *verdict == "hold" { 100.0 } else { 50.0 };
        let known = left.iter().all(Option::is_some);
        let figures = CHECKS.iter().zip(left);
        let figures = figures.map(|((check, _), left)| format!("{check} {} %", shown(left, 1)));
        page.conclude(
            claim,
            known.then(|| left.iter().flatten().all(|left| *left < most)),
            sample(verdict),
            format!("edges left, of all: {}", figures.collect::<Vec<_>>().join(", ")),
        );
    }
    let edges = |check: &str| {
        let rows = of(record, VERDICTS[0], None, check);
        mean(rows.filter_map(|row| row.number("whole_edges")))
    };
    page.conclude(
        "ELL follows fewer edges than SE, since its inner search stays in strong components",
        edges("ELL").zip(edges("SE")).map(|(ell, se)| ell < se),
        sample(VERDICTS[0]),
        format!(
            "formulas that hold, whole: ELL {} edges, SE {}",
            rounded(edges("ELL")),
            rounded(edges("SE"))
        ),
    );
    page.leave_open(
        "Run time is always improved, memory not always",
        "time and memory are not measured yet",
    );
}
