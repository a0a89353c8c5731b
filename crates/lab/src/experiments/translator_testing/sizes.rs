//! Compares mean sizes of classic tableaux over random formulas with published ones.
//!
//! The report has 1,000 random formulas of each size (operators by its Table C.1, five
//! propositions, constants with probability 0.1). It counts the initial state; a transition is an
//! edge with its label. It gives no seeds, and whole numbers only.

use crate::bench::Bench;
use crate::cells;
use crate::experiment::{Parameter, parameter};
use crate::page::{Page, Sample};
use crate::plot::{Series, curves};
use crate::record::Record;
use crate::statistics::{Estimate, shown};
use crate::table::{Row, Table};
use anyhow::{Result, bail};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{OperatorSet, Priorities};
use sempre_translate::classic;

pub(super) const PARAMETERS: &[Parameter] = &[
    parameter("sizes", "of formulas", "5 6 7 8 9 10 11 12", "5 6 7"),
    parameter("formulas", "of each size", "1000", "60"),
    parameter("seed", "of formulas", "0", "0"),
];

pub(super) const UNIT: &[&str] = &["size"];

pub(super) const VALUES: &[&str] =
    &["formulas", "states", "states_squared", "transitions", "transitions_squared"];

/// The relative deviation from the published mean that is allowed besides the sampling error.
const STATES: f64 = 0.1;
const TRANSITIONS: f64 = 0.3;

/// The number of formulas of each size that decides a conclusion.
const LEAST: usize = 500;

pub(super) fn run(bench: &mut Bench<'_>, operators: OperatorSet) -> Result<()> {
    let settings = bench.settings().clone();
    let (count, seed) = (settings.number("formulas")?, settings.number("seed")?);
    if count < 2 {
        bail!("a mean with its error needs two formulas");
    }
    for size in settings.words("sizes") {
        bench.row(&[size], || {
            let size = size.parse()?;
            let priorities = Priorities::report(operators, size)?;
            let formulas = RandomFormulas::over_numbered(5).size(size).priorities(priorities);
            let mut sums = [0u64; 4];
            for formula in formulas.seed(seed).generate()?.take(count) {
                let automaton = classic::translate(&formula?);
                let (states, edges) =
                    (automaton.state_count() as u64, automaton.edge_count() as u64);
                let values = [states, states * states, edges, edges * edges];
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
            let [states, states_squared, edges, edges_squared] = sums;
            Ok(cells![count, states, states_squared, edges, edges_squared])
        })?;
    }
    Ok(())
}

/// Returns the mean of states or transitions of a row.
fn estimate(row: &Row<'_>, what: &str) -> Option<Estimate> {
    let count = row.number("formulas")?;
    Some(Estimate::new(count, row.number(what)?, row.number(&format!("{what}_squared"))?))
}

pub(super) fn page(record: &Record, published: &str, table: &str) -> Page {
    let mut page = Page::default();
    let published = Table::parse(published, ',').unwrap_or_default();
    let translators = published.distinct("translator");
    let theirs = |size: &str, translator: &str, what: &str| {
        published.find(&[("size", size), ("translator", translator)])?.number(what)
    };
    const OURS: &str = "LTL2AUT (GPVW)";
    page.heading(table);
    page.paragraph(
        "Mean states / transitions. Ours is the classic tableau (`--method classic`), the construction \
         of LTL2AUT (GPVW), with standard errors.",
    );
    let shown_estimate = |estimate: Option<Estimate>| match estimate {
        Some(Estimate { value, error }) => format!("{value:.1} ± {error:.1}"),
        None => shown(None, 1),
    };
    let lines = record.rows().rows().map(|row| {
        let size = row.text("size");
        let [states, transitions] =
            ["states", "transitions"].map(|what| shown_estimate(estimate(&row, what)));
        let others = translators.iter().map(|translator| {
            let [states, transitions] =
                ["states", "transitions"].map(|what| shown(theirs(size, translator, what), 0));
            format!("{states} / {transitions}")
        });
        cells![size, format!("{states} / {transitions}")].into_iter().chain(others).collect()
    });
    let names: Vec<String> = translators.iter().map(|name| format!(">{name}")).collect();
    let titles = [">size", ">ours"].into_iter().chain(names.iter().map(String::as_str));
    page.table(&titles.collect::<Vec<_>>(), &lines.collect::<Vec<_>>());
    let series = [("ours", false), (OURS, true)].map(|(name, is_theirs)| {
        let points = record.rows().rows().filter_map(|row| {
            let value = match is_theirs {
                true => theirs(row.text("size"), OURS, "states")?,
                false => estimate(&row, "states")?.value,
            };
            Some((row.number("size")?, value))
        });
        Series { name: name.to_owned(), points: points.collect() }
    });
    page.figure(
        "states.svg",
        "Mean states by size of formulas",
        curves(("size", "states"), &series),
    );
    let compared: Vec<bool> = record
        .rows()
        .rows()
        .flat_map(|row| {
            ["states", "transitions"].map(|what| {
                let tolerance = if what == "states" { STATES } else { TRANSITIONS };
                let published = theirs(row.text("size"), OURS, what)?;
                Some(estimate(&row, what)?.agrees_with(published, tolerance))
            })
        })
        .flatten()
        .collect();
    let formulas = record.rows().rows().filter_map(|row| row.number("formulas"));
    let agreeing = compared.iter().filter(|agrees| **agrees).count();
    page.conclude(
        "GPVW gives automata of these mean sizes (a tenth for states, three tenths for transitions, or \
         three standard errors)",
        (!compared.is_empty()).then_some(agreeing == compared.len()),
        Sample::smallest(formulas.map(|count| count as usize), LEAST),
        format!("{agreeing} of {} means agree", compared.len()),
    );
    for claim in [
        "ÅSA+, all of LTL2AUT and PROD agree everywhere; SPIN converges to them with newer versions",
        "Comparing results at all states finds more than at initial states",
        "Random tests rarely find errors in an almost correct translator",
    ] {
        page.leave_open(claim, "the comparisons of this run are not repeated yet");
    }
    page.coverage(
        format!(
            "{} of the 8 sizes, {} formulas each (1,000 published); 1 of the {} translators",
            record.rows().len(),
            record.settings().text("formulas"),
            translators.len()
        ),
        "random formulas of the report's distribution from the seed; other translators of the report are \
         historical",
    );
    page
}
