//! Table 3: nodes, edges, time and memory of checks of the whole automaton and of its parts.

use super::DOCUMENT;
use super::selection::{
    self, DRAWN, LEAST, LEAST_NODES, MEMORY, MODELS, RULE, SEED, SHARE, UNIT, VERDICTS,
};
use super::setups::{COLUMNS, NAMES, measure};
use crate::bench::Bench;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::plot::{Series, scatter};
use crate::record::Record;
use crate::statistics::{mean, rounded, shown};
use crate::table::{Row, Table};
use anyhow::Result;
use rustc_hash::FxHashSet;

/// Repeats Table 3.
#[derive(Debug)]
pub struct T3;

const ABOUT: About = About {
    name: "decomposition/t3",
    summary: "Nodes, edges, time and memory of checks, of the whole automaton and of its parts",
    source: Source { document: DOCUMENT, place: "Section 5, Table 3" },
    parameters: &[
        MODELS,
        parameter("cases", "formulas of each verdict for each model", "30", "2"),
        parameter("symbolic", "of these, checked by OWCTY as well", "5", "2"),
        LEAST_NODES,
        DRAWN,
        parameter("timeout", "seconds of processor time for a check", "30", "5"),
        parameter("states", "of the model: kept, or fresh for each check", "kept", "kept"),
        SHARE,
        MEMORY,
        SEED,
    ],
    unit: UNIT,
    values: COLUMNS,
};

impl Experiment for T3 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let symbolic = bench.settings().number("symbolic")?;
        selection::run(bench, COLUMNS.len() - 2, |subject, case| measure(subject, case, symbolic))
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

/// The formulas that a set-up decides with and without parts; of explicit ones, those that all three
/// decide.
fn of<'a>(
    record: &'a Record,
    verdict: &'a str,
    model: Option<&'a str>,
    setup: &'a str,
) -> impl Iterator<Item = Row<'a>> {
    let rows = || record.rows().rows();
    let key = |row: &Row<'a>| (row.text("model"), row.text("drawn"));
    let is_undecided = |row: &Row<'_>| {
        row.number("whole_seconds").is_none() || row.number("parts_seconds").is_none()
    };
    let is_explicit = |row: &Row<'_>| row.text("setup") != "OWCTY";
    let undecided = rows().filter(|row| !row.text("setup").is_empty());
    let undecided = undecided.filter(|row| is_undecided(row) && is_explicit(row));
    let undecided: FxHashSet<_> = undecided.map(|row| key(&row)).collect();
    rows().filter(move |row| {
        row.text("verdict") == verdict
            && row.text("setup") == setup
            && model.is_none_or(|model| row.text("model") == model)
            && !is_undecided(row)
            && !(is_explicit(row) && undecided.contains(&key(row)))
    })
}

/// The measures of the table with the decimals that are shown.
const MEASURES: [(&str, usize); 4] = [("nodes", 0), ("edges", 0), ("seconds", 2), ("megabytes", 1)];

fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let published = Table::parse(include_str!("table-3.csv"), ',').unwrap_or_default();
    let models = record.rows().distinct("model");
    let ours = |verdict, model, setup, column: &str| {
        mean(of(record, verdict, model, setup).filter_map(|row| row.number(column)))
    };
    page.heading("Table 3");
    page.paragraph(
        "Averages over the formulas of a model that all explicit checks decide, for OWCTY over those \
         that it decides: published / ours. The published memory is that of the process; ours is \
         besides the states of the model, which all checks of a model share: the \
         first check explores them, later ones find them.",
    );
    let mut lines = vec![];
    for model in &models {
        for verdict in VERDICTS {
            for (place, setup) in NAMES.into_iter().enumerate() {
                let theirs =
                    published.find(&[("verdict", verdict), ("model", model), ("check", setup)]);
                let count = of(record, verdict, Some(model), setup).count();
                let cells = ["whole", "parts"].into_iter().flat_map(|side| {
                    MEASURES.map(|(measure, decimals)| {
                        let column = format!("{side}_{measure}");
                        let theirs = theirs.and_then(|row| row.number(&column));
                        let own = ours(verdict, Some(*model), setup, &column);
                        match decimals {
                            0 => format!("{} / {}", rounded(theirs), rounded(own)),
                            _ => format!("{} / {}", shown(theirs, decimals), shown(own, decimals)),
                        }
                    })
                });
                let left = |whole: Option<f64>, parts: Option<f64>| {
                    shown(whole.zip(parts).map(|(whole, parts)| 100.0 * parts / whole), 1)
                };
                let theirs_left = theirs.map_or_else(
                    || shown(None, 1),
                    |row| left(row.number("whole_edges"), row.number("parts_edges")),
                );
                let own = |column: &str| ours(verdict, Some(*model), setup, column);
                let left =
                    format!("{theirs_left} / {}", left(own("whole_edges"), own("parts_edges")));
                let name = if place == 0 { (*model).to_owned() } else { String::new() };
                let head = [name, format!("{count} that {verdict}"), setup.to_owned()];
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
            ">edges",
            ">seconds",
            ">MB",
            ">parts: nodes",
            ">edges",
            ">seconds",
            ">MB",
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
    lengths(&mut page, record);
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

/// Adds the lengths of counterexamples.
fn lengths(page: &mut Page, record: &Record) {
    page.heading("Lengths of counterexamples");
    page.paragraph(
        "Average numbers of steps, prefix and cycle, over the violated formulas of all models. The \
         paper cites that weak and terminal automata tend to have shorter ones, without figures.",
    );
    let length = |setup, side: &str| {
        let rows = of(record, VERDICTS[1], None, setup);
        mean(rows.filter_map(|row| row.number(&format!("{side}_length"))))
    };
    let lines = NAMES.map(|setup| {
        let count = of(record, VERDICTS[1], None, setup).count().to_string();
        let [whole, parts] = ["whole", "parts"].map(|side| shown(length(setup, side), 1));
        vec![setup.to_owned(), count, whole, parts]
    });
    page.table(&["check", ">formulas", ">whole", ">parts"], &lines);
    let pair = |setup| length(setup, "whole").zip(length(setup, "parts"));
    let explicit = &NAMES[..3];
    let shorter: Option<Vec<bool>> =
        explicit.iter().map(|setup| pair(*setup).map(|(whole, parts)| parts < whole)).collect();
    let figures = explicit.iter().map(|setup| {
        format!(
            "{setup} {} → {}",
            shown(length(setup, "whole"), 1),
            shown(length(setup, "parts"), 1)
        )
    });
    page.conclude(
        "Counterexamples of parts tend to be shorter (on average, with each explicit check)",
        shorter.map(|shorter| shorter.into_iter().all(|shorter| shorter)),
        Sample::smallest(explicit.iter().map(|s| of(record, VERDICTS[1], None, s).count()), LEAST),
        figures.collect::<Vec<_>>().join(", "),
    );
}

fn conclusions(page: &mut Page, record: &Record) {
    let explicit = &NAMES[..3];
    let sample = |verdict: &str| {
        let counts = explicit.iter().map(|check| of(record, verdict, None, check).count());
        Sample::smallest(counts, LEAST)
    };
    let left = |verdict: &str, setup: &str, measure: &str| {
        let sum = |side: &str| {
            let column = format!("{side}_{measure}");
            of(record, verdict, None, setup).filter_map(|row| row.number(&column)).sum::<f64>()
        };
        let (whole, parts) = (sum("whole"), sum("parts"));
        (whole > 0.0).then(|| 100.0 * parts / whole)
    };
    for (verdict, claim) in VERDICTS.iter().zip([
        "For formulas that hold, the parts have fewer edges to follow, with every check",
        "Counterexamples are found much sooner in parts: with less than half of the edges",
    ]) {
        let left: Vec<_> = explicit.iter().map(|setup| left(verdict, setup, "edges")).collect();
        let most = if *verdict == "hold" { 100.0 } else { 50.0 };
        let known = left.iter().all(Option::is_some);
        let figures = explicit.iter().zip(&left);
        let figures = figures.map(|(check, left)| format!("{check} {} %", shown(*left, 1)));
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
    for verdict in VERDICTS {
        let time: Vec<_> = explicit.iter().map(|setup| left(verdict, setup, "seconds")).collect();
        let figures = explicit.iter().zip(&time);
        let figures = figures.map(|(check, left)| format!("{check} {} %", shown(*left, 1)));
        page.conclude(
            format!(
                "Run time is always improved, with every explicit check (formulas that {verdict})"
            ),
            time.iter().all(Option::is_some).then(|| time.iter().flatten().all(|t| *t < 100.0)),
            sample(verdict),
            format!("time left: {}", figures.collect::<Vec<_>>().join(", ")),
        );
    }
    let symbolic = VERDICTS.map(|verdict| left(verdict, "OWCTY", "seconds"));
    let count = |verdict: &str| of(record, verdict, None, "OWCTY").count();
    page.conclude(
        "So is that of the symbolic check",
        symbolic[0].zip(symbolic[1]).map(|(hold, violated)| hold < 100.0 && violated < 100.0),
        Sample::smallest(VERDICTS.map(count), LEAST),
        format!(
            "time left: {} % of formulas that hold, {} % of violated ones",
            shown(symbolic[0], 1),
            shown(symbolic[1], 1)
        ),
    );
    let memory: Vec<_> =
        explicit.iter().map(|setup| left(VERDICTS[0], setup, "megabytes")).collect();
    let figures = explicit.iter().zip(&memory);
    let figures = figures.map(|(check, left)| format!("{check} {} %", shown(*left, 1)));
    page.conclude(
        "The gain in memory is not always so obvious: it is smaller than that in edges (formulas that \
         hold, Couvreur's check)",
        memory[2].zip(left(VERDICTS[0], "Cou", "edges")).map(|(memory, edges)| memory > edges),
        sample(VERDICTS[0]),
        format!("memory left, besides states: {}", figures.collect::<Vec<_>>().join(", ")),
    );
}
