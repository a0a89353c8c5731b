//! Compares mean sizes of constructions over random formulas with published ones.
//!
//! The report has 1,000 random formulas of each size (operators by its Table C.1, five
//! propositions, constants with probability 0.1). It counts the initial state; a transition is an
//! edge with its label. It gives no seeds, and whole numbers only.

use super::comparisons;
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{Parameter, parameter};
use crate::page::{Page, Sample};
use crate::plot::{Series, curves};
use crate::record::Record;
use crate::statistics::{Estimate, shown};
use crate::table::{Row, Table};
use anyhow::{Result, bail};
use sempre_automata::Automaton;
use sempre_ltl::Formula;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{OperatorSet, Priorities};
use sempre_translate::atoms;
use sempre_translate::classic::{Variant, translate_as};

pub(super) const PARAMETERS: &[Parameter] = &[
    parameter("sizes", "of formulas", "5 6 7 8 9 10 11 12", "5 6 7"),
    parameter("formulas", "of each size, for sizes of automata", "1000", "60"),
    parameter("compared", "of each size, for comparisons", "1000", "20"),
    parameter("seed", "of formulas", "0", "0"),
];

/// A construction that the report compares.
struct Construction {
    name: &'static str,
    /// The report's name of the same construction.
    published: &'static str,
    translate: fn(&Formula) -> Automaton,
    /// The largest formulas that are translated.
    largest: usize,
    /// Whether sizes are to agree, not only to grow alike.
    is_exact: bool,
}

const CONSTRUCTIONS: [Construction; 4] = [
    Construction {
        name: "classic",
        published: "LTL2AUT (GPVW)",
        translate: |formula| translate_as(formula, Variant::Gpvw, false),
        largest: usize::MAX,
        is_exact: true,
    },
    Construction {
        name: "gpvw+",
        published: "LTL2AUT (GPVW+)",
        translate: |formula| translate_as(formula, Variant::GpvwPlus, false),
        largest: usize::MAX,
        is_exact: true,
    },
    Construction {
        name: "ltl2aut",
        published: "LTL2AUT",
        translate: |formula| translate_as(formula, Variant::Ltl2aut, false),
        largest: usize::MAX,
        is_exact: true,
    },
    Construction {
        name: "atoms",
        published: "PROD",
        translate: atoms::translate,
        largest: 9,
        is_exact: false,
    },
];

pub(super) const UNIT: &[&str] = &["size", "part"];

/// The columns for sizes, and then those for comparisons.
pub(super) const VALUES: &[&str] = &[
    "subject",
    "formulas",
    "states",
    "states_squared",
    "transitions",
    "transitions_squared",
    "test1",
    "test1_failed",
    "test3",
    "test3_failed",
    "local",
    "wrong",
    "test4",
    "test4_failed",
    "translations",
    "failures",
    "memory",
];

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
    let sizes = settings.words("sizes");
    let units = sizes.flat_map(|size| CONSTRUCTIONS.iter().map(move |ours| (size, ours)));
    for (text, ours) in units {
        let size: usize = text.parse()?;
        if size > ours.largest {
            continue;
        }
        bench.row(&[text, ours.name], || {
            let priorities = Priorities::report(operators, size)?;
            let formulas = RandomFormulas::over_numbered(5).size(size).priorities(priorities);
            let mut sums = [0u64; 4];
            for formula in formulas.seed(seed).generate()?.take(count) {
                let automaton = (ours.translate)(&formula?);
                let (states, edges) =
                    (automaton.state_count() as u64, automaton.edge_count() as u64);
                let values = [states, states * states, edges, edges * edges];
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
            let [states, states_squared, edges, edges_squared] = sums;
            let mut row = cells![ours.name, count, states, states_squared, edges, edges_squared];
            row.extend(comparisons::VALUES.map(|_| String::new()));
            Ok(row)
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
    page.heading(table);
    page.paragraph(
        "Mean states / transitions; ours with standard errors. `classic`, `gpvw+` and `ltl2aut` \
         (`--method`) are the three constructions of LTL2AUT; `atoms` is the one of PROD, which \
         added steps of its own: there the trend is compared.",
    );
    let shown_estimate = |estimate: Option<Estimate>| match estimate {
        Some(Estimate { value, error }) => format!("{value:.1} ± {error:.1}"),
        None => shown(None, 1),
    };
    let of = |size: &str, ours: &Construction, what: &str| {
        let rows = record.rows();
        estimate(&rows.find(&[("size", size), ("part", ours.name)])?, what)
    };
    let sizes = record.rows().distinct("size");
    let lines = sizes.iter().map(|size| {
        let ours = CONSTRUCTIONS.iter().map(|ours| {
            let [states, transitions] =
                ["states", "transitions"].map(|what| shown_estimate(of(size, ours, what)));
            format!("{states} / {transitions}")
        });
        let others = translators.iter().map(|translator| {
            let [states, transitions] =
                ["states", "transitions"].map(|what| shown(theirs(size, translator, what), 0));
            format!("{states} / {transitions}")
        });
        [(*size).to_owned()].into_iter().chain(ours).chain(others).collect()
    });
    let ours = CONSTRUCTIONS.iter().map(|ours| format!(">{}", ours.name));
    let names: Vec<String> = [">size".to_owned()]
        .into_iter()
        .chain(ours)
        .chain(translators.iter().map(|name| format!(">{name}")))
        .collect();
    let titles: Vec<&str> = names.iter().map(String::as_str).collect();
    page.table(&titles, &lines.collect::<Vec<Vec<String>>>());
    let series = CONSTRUCTIONS.iter().filter(|ours| ours.is_exact).flat_map(|ours| {
        [(ours.name, false), (ours.published, true)].map(|(name, is_theirs)| {
            let points = sizes.iter().filter_map(|size| {
                let value = match is_theirs {
                    true => theirs(size, ours.published, "states")?,
                    false => of(size, ours, "states")?.value,
                };
                Some((size.parse().ok()?, value))
            });
            Series { name: name.to_owned(), points: points.collect() }
        })
    });
    page.figure(
        "states.svg",
        "Mean states by size of formulas",
        curves(("size", "states"), &series.collect::<Vec<_>>()),
    );
    let counts = || record.rows().rows().filter_map(|row| row.number("formulas"));
    let sample = || Sample::smallest(counts().map(|count| count as usize), LEAST);
    for ours in CONSTRUCTIONS.iter().filter(|ours| ours.is_exact) {
        let compared: Vec<bool> = sizes
            .iter()
            .flat_map(|size| {
                ["states", "transitions"].map(|what| {
                    let tolerance = if what == "states" { STATES } else { TRANSITIONS };
                    let published = theirs(size, ours.published, what)?;
                    Some(of(size, ours, what)?.agrees_with(published, tolerance))
                })
            })
            .flatten()
            .collect();
        let agreeing = compared.iter().filter(|agrees| **agrees).count();
        page.conclude(
            format!(
                "{} gives automata of these mean sizes (a tenth for states, three tenths for \
                 transitions, or three standard errors)",
                ours.published
            ),
            (!compared.is_empty()).then_some(agreeing == compared.len()),
            sample(),
            format!("{agreeing} of {} means agree", compared.len()),
        );
    }
    let largest = |size: &&&str| {
        let states = |ours: &Construction| Some(of(size, ours, "states")?.value);
        let atoms = states(&CONSTRUCTIONS[3])?;
        Some(CONSTRUCTIONS[..3].iter().all(|ours| states(ours).is_some_and(|few| few < atoms)))
    };
    let atoms: Vec<bool> = sizes.iter().filter_map(|size| largest(&size)).collect();
    page.conclude(
        "Automata of atoms are larger than those of all tableaux",
        (!atoms.is_empty()).then(|| atoms.iter().all(|larger| *larger)),
        sample(),
        format!("{} of {} sizes", atoms.iter().filter(|larger| **larger).count(), atoms.len()),
    );
    page.coverage(
        format!(
            "{} of the 8 sizes, {} formulas each for sizes of automata and {} for comparisons (1,000 \
             published); 4 constructions for 4 of the {} translators",
            sizes.len(),
            record.settings().text("formulas"),
            record.settings().text("compared"),
            translators.len()
        ),
        "random formulas of the report's distribution from the seed; the versions of Spin of the report \
         are historical, deliberate faults play their parts",
    );
    page
}
