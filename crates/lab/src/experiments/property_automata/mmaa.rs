//! The construction of Chapter 5 alone: sizes of families and of the literature, beside the published
//! ones.
//!
//! T is the number of states with generalized Rabin acceptance on transitions, S with Rabin acceptance
//! on states; both count the rejecting sink, as the publication does. On the literature, the smallest
//! automata of all routes are listed as well; they count no rejecting sink.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::table::Table;
use anyhow::{Context, Result};
use sempre_ltl::generate::family::Family;
use sempre_ltl::generate::patterns::PatternSet;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Formula, Traits};
use sempre_translate::deterministic::{self, Request, TargetAcceptance};
use sempre_translate::mmaa::{Fragment, Options};
use std::time::Instant;

/// Sizes of may/must alternating automata made deterministic.
#[derive(Debug)]
pub struct Mmaa;

const ABOUT: About = About {
    name: "property-automata/mmaa",
    summary: "Sizes of deterministic automata by may/must alternating automata alone",
    source: Source { document: DOCUMENT, place: "Chapter 5; Tables 6.6 and 6.12 to 6.15" },
    parameters: &[
        parameter("largest", "published sizes up to this many states", "1024", "30"),
        parameter("formulas", "how many of the literature", "10000", "60"),
        parameter("timeout", "seconds for an automaton with marks on states", "10", "5"),
    ],
    unit: &["set", "formula"],
    values: &["fragment", "t", "s", "dgra", "det"],
};

/// The set of formulas of the literature.
const LITERATURE: &str = "literature";

/// Families with published sizes: name, n, T, S; 0 if not published.
const PUBLISHED: [(&str, u64, usize, usize); 15] = [
    ("gh-e", 9, 512, 512),
    ("gh-s", 3, 8, 8),
    ("gh-s", 10, 1024, 1024),
    ("gh-c1", 8, 1, 2),
    ("gh-c2", 11, 1, 12),
    ("gh-q", 3, 30, 30),
    ("gh-q", 6, 910, 0),
    ("gh-r", 2, 1, 10),
    ("gh-u", 8, 719, 719),
    ("gh-u2", 8, 9, 9),
    ("ms-phi-r", 2, 1, 24),
    ("ms-phi-s", 1, 1, 8),
    ("go-theta", 5, 2, 7),
    ("and-fg", 11, 1, 2),
    ("or-fg", 5, 1, 32),
];

/// The sizes that Chapter 5 is to reach on the literature: complete, and of all routes without sinks.
const COMPLETE: u64 = 348;
const GENERALIZED: u64 = 307;
const ANY: u64 = 303;

fn key(family: &str, n: u64) -> String {
    format!("{family}({n})")
}

fn fragment(formula: &Formula) -> &'static str {
    match Fragment::of(formula) {
        Fragment::Outside => "outside",
        _ if formula.is(Traits::FRAGMENT_F_G) => "LTL(F,G)",
        _ => "LTL without U, X under G",
    }
}

impl Experiment for Mmaa {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let largest: usize = settings.number("largest")?;
        let options = Options::default();
        let timeout = settings.seconds("timeout")?;
        // The search over orders of marks may take long.
        let on_states = |formula: &Formula| {
            let deadline = Some(Instant::now() + timeout);
            let work = || options.state_based_rabin(formula).ok();
            let found = interrupt::run(&Interrupt::default(), deadline, work).ok().flatten();
            found.map(|automaton| automaton.state_count())
        };
        for (family, n, t, s) in PUBLISHED {
            if t.max(s) > largest {
                continue;
            }
            bench.row(&["families", &key(family, n)], || {
                let row = Family::by_name(family).with_context(|| family.to_owned())?;
                let formula = row.formula(n)?;
                let t = options.generalized_rabin(&formula).ok().map(|a| a.state_count());
                let s = number(on_states(&formula));
                Ok(cells![fragment(&formula), number(t), s, "", ""])
            })?;
        }
        let literature = PatternSet::by_name(LITERATURE).context("the set of the literature")?;
        for formula in literature.formulas().take(settings.number("formulas")?) {
            bench.row(&[LITERATURE, &formula.to_string()], || {
                let fragment = fragment(&formula);
                let Ok(automaton) = options.generalized_rabin(&formula) else {
                    return Ok(cells![fragment, "", "", "", ""]);
                };
                let t = Some(automaton.state_count());
                let s = number(on_states(&formula));
                let states = |wanted| {
                    let request = Request { wanted, ..Request::default() };
                    let automaton = deterministic::translate(&formula, &request);
                    number(automaton.map(|automaton| automaton.state_count()))
                };
                let dgra = states(TargetAcceptance::GeneralizedRabin);
                Ok(cells![fragment, number(t), s, dgra, states(TargetAcceptance::Any)])
            })?;
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let rows = record.rows();
        families(&mut page, rows);
        literature(&mut page, rows);
        page.coverage(format!("{} formulas", rows.len()), "all of both tables");
        page
    }
}

fn number(value: Option<usize>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn families(page: &mut Page, rows: &Table) {
    page.heading("Families");
    let (mut lines, mut same, mut all, mut larger) = (vec![], 0, 0, vec![]);
    for (family, n, t, s) in PUBLISHED {
        let name = key(family, n);
        let Some(row) = rows.rows().find(|row| row.text("formula") == name) else { continue };
        for (column, published) in [("t", t), ("s", s)].into_iter().filter(|(_, size)| *size > 0) {
            let Some(own) = row.number(column) else {
                larger.push(format!("{name} (no result)"));
                continue;
            };
            all += 1;
            same += usize::from(own as usize == published);
            if own as usize > published {
                larger.push(name.clone());
            }
        }
        let published = |size: usize| number((size > 0).then_some(size));
        lines.push(cells![name, published(t), row.text("t"), published(s), row.text("s")]);
    }
    page.table(&["family", ">T published", ">T", ">S published", ">S"], &lines);
    let found = match larger.is_empty() {
        true => format!("{same} of {all} are equal, the others smaller"),
        false => format!("larger: {}", larger.join(", ")),
    };
    page.conclude(
        "families have at most the published sizes",
        (all > 0).then_some(larger.is_empty()),
        Sample { cases: all, least: 10 },
        found,
    );
}

fn literature(page: &mut Page, rows: &Table) {
    page.heading("Literature");
    let own = || rows.rows().filter(|row| row.text("set") == LITERATURE);
    let count = |fragment: &str| own().filter(|row| row.text("fragment") == fragment).count();
    let counts = ["LTL(F,G)", "LTL without U, X under G", "outside"].map(count);
    let total: usize = counts.iter().sum();
    let sum = |column: &str| -> u64 {
        own().filter_map(|row| row.number(column)).map(|states| states as u64).sum()
    };
    let sums = ["t", "s", "dgra", "det"].map(sum);
    let on_states = own().filter(|row| row.number("s").is_some()).count();
    page.table(
        &["construction", ">formulas", ">states"],
        &[
            cells![
                "Chapter 5, generalized Rabin on transitions, complete",
                counts[0] + counts[1],
                sums[0]
            ],
            cells!["Chapter 5, Rabin on states, complete", on_states, sums[1]],
            cells!["all routes, generalized Rabin, without sinks", counts[0] + counts[1], sums[2]],
            cells!["all routes, any acceptance, without sinks", counts[0] + counts[1], sums[3]],
        ],
    );
    let sample = Sample { cases: total, least: 221 };
    let whole = total >= 221;
    page.conclude(
        "42 of the 221 formulas are in LTL(F,G), 92 have neither U nor X under G, 129 are outside",
        whole.then_some([counts[0], counts[0] + counts[1], counts[2]] == [42, 92, 129]),
        sample,
        format!("{}, {}, {}", counts[0], counts[0] + counts[1], counts[2]),
    );
    let most = [
        ("the construction alone has at most 348 states", sums[0], COMPLETE),
        ("all routes have at most 307 states as generalized Rabin automata", sums[2], GENERALIZED),
        ("all routes have at most 303 states with any acceptance", sums[3], ANY),
    ];
    for (claim, states, most) in most {
        page.conclude(claim, whole.then_some(states <= most), sample, format!("{states} states"));
    }
}
