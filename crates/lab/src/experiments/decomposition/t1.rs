//! Table 1: the sizes of the parts relative to the whole automaton.

use super::DOCUMENT;
use super::selection::{
    self, DRAWN, LEAST, LEAST_NODES, MEMORY, MODELS, Measured, RULE, SEED, SHARE, UNIT, VERDICTS,
};
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::statistics::{mean, shown};
use crate::table::Table;
use anyhow::Result;
use sempre_automata::decompose::{Part, part_by, reduced_part};
use sempre_automata::strength::Strengths;
use sempre_explicit::emptiness::{Check, Roots};

/// Repeats Table 1.
#[derive(Debug)]
pub struct T1;

/// The parts, the strongest first.
const PARTS: [(&str, Part); 3] =
    [("strong", Part::Strong), ("weak", Part::Weak), ("terminal", Part::Terminal)];

/// States and edges in percent, before and after reduction.
const COLUMNS: [&str; 4] = ["states", "edges", "reduced_states", "reduced_edges"];

const ABOUT: About = About {
    name: "decomposition/t1",
    summary: "Sizes of the strong, weak and terminal parts of automata, in percent of the whole",
    source: Source { document: DOCUMENT, place: "Section 5, Table 1" },
    parameters: &[
        MODELS,
        parameter("cases", "formulas of each verdict for each model", "30", "2"),
        LEAST_NODES,
        DRAWN,
        parameter("timeout", "seconds of processor time for a check", "20", "5"),
        SHARE,
        MEMORY,
        SEED,
    ],
    unit: UNIT,
    values: &[
        "verdict",
        "formula",
        "part",
        "whole_states",
        "whole_edges",
        "states",
        "edges",
        "reduced_states",
        "reduced_edges",
    ],
};

impl Experiment for T1 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let couvreur = Check::Couvreur { roots: Roots::Compressed, known_first: true };
        selection::run(bench, 7, |subject, case| {
            let negation = case.negation;
            let Some(found) = subject.check(case.formula, negation, Some(couvreur))? else {
                return Ok(Measured::LeftOut("takes too long"));
            };
            let violated = found.violated;
            if case.is_full[usize::from(violated)] {
                return Ok(Measured::LeftOut("enough with this verdict"));
            }
            let strengths = Strengths::of(negation);
            let rows = PARTS.iter().map(|(name, strength)| {
                let cut = part_by(negation, &strengths, *strength);
                let smaller = reduced_part(negation, &strengths, *strength);
                cells![
                    name,
                    negation.state_count(),
                    negation.edge_count(),
                    cut.state_count(),
                    cut.edge_count(),
                    smaller.state_count(),
                    smaller.edge_count(),
                ]
            });
            Ok(Measured::Case { violated, rows: rows.collect() })
        })
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let published = Table::parse(include_str!("table-1.csv"), ',').unwrap_or_default();
        let percent = |name: &str, column: &str| {
            let parts = record.rows().rows().filter(|row| row.text("part") == name);
            let parts = parts.filter(|row| row.number("states").is_some_and(|states| states > 0.0));
            let whole = if column.ends_with("states") { "whole_states" } else { "whole_edges" };
            mean(parts.filter_map(|row| Some(100.0 * row.number(column)? / row.number(whole)?)))
        };
        let automata = |name: &str| {
            let rows = record.rows().rows().filter(|row| row.text("part") == name);
            rows.filter(|row| row.number("states").is_some_and(|states| states > 0.0)).count()
        };
        let sample = Sample::smallest(PARTS.map(|(name, _)| automata(name)), LEAST);
        page.heading("Table 1");
        page.paragraph(
            "In percent of the automaton, averages over the automata that have such a part: published / \
             ours.",
        );
        let lines = PARTS.iter().map(|(name, _)| {
            let theirs = published.find(&[("part", name)]);
            let cells = COLUMNS.iter().map(|column| {
                let theirs = theirs.and_then(|row| row.number(column));
                format!("{} / {}", shown(theirs, 2), shown(percent(name, column), 2))
            });
            let count = [automata(name).to_string()];
            [(*name).to_owned()].into_iter().chain(cells).chain(count).collect()
        });
        let titles =
            ["part", ">states", ">edges", ">states, reduced", ">edges, reduced", ">automata"];
        page.table(&titles, &lines.collect::<Vec<_>>());
        let sizes = PARTS.map(|(name, _)| percent(name, "reduced_states"));
        let figure = PARTS.iter().zip(sizes);
        let figure = figure.map(|((name, _), size)| format!("{name} {} %", shown(size, 1)));
        let [strong, weak, terminal] = sizes;
        page.conclude(
            "The strong part is reduced most",
            strong.zip(weak.zip(terminal)).map(|(s, (w, t))| s < w && s < t),
            sample,
            format!("states after reduction: {}", figure.collect::<Vec<_>>().join(", ")),
        );
        let shrinks = PARTS.map(|(name, _)| {
            percent(name, "states").zip(percent(name, "reduced_states")).map(|(b, a)| a <= b)
        });
        page.conclude(
            "Reducing the parts once more makes all of them smaller",
            shrinks.iter().copied().reduce(|a, b| a.zip(b).map(|(a, b)| a && b)).flatten(),
            sample,
            "states and edges with and without reduction in the table",
        );
        let cases = record
            .rows()
            .rows()
            .filter(|row| row.text("part") == "strong" && VERDICTS.contains(&row.text("verdict")));
        let models = record.rows().distinct("model").len();
        let cases =
            format!("{} formulas on {models} models, of the paper's 2,600 on 13", cases.count());
        page.coverage(cases, RULE);
        page
    }
}
