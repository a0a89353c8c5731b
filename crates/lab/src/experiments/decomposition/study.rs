//! The study of section 3: how many weak and terminal components each way to find strengths
//! recognizes, and its cost.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::statistics::{grouped, shown};
use crate::table::Table;
use anyhow::Result;
use sempre_automata::strength::{Strength, Strengths, Way};
use sempre_automata::{Automaton, StateId};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::{Formula, interrupt};
use sempre_translate::Translator;
use std::time::{Duration, Instant};

/// Repeats the study.
#[derive(Debug)]
pub struct Study;

/// The formulas of a row.
const BLOCK: usize = 100;

/// The number of formulas of the paper.
const PUBLISHED: usize = 10_000;

/// The work for a translation and for a way, in units of [`interrupt::within`]: cycles and states may
/// be exponentially many.
const BUDGET: u64 = 1 << 12;

/// Each way is timed as often, and the shortest time counts.
const REPETITIONS: usize = 5;

/// The ways with their columns: weak and terminal components found, nanoseconds.
const WAYS: [(Way, [&str; 3]); 4] = [
    (Way::Inherent, ["weak", "terminal", "inherent_ns"]),
    (Way::Cycles, ["weak_cycles", "terminal_cycles", "cycles_ns"]),
    (Way::Structural, ["weak_structural", "terminal_structural", "structural_ns"]),
    (Way::Syntactic, ["weak_syntactic", "terminal_syntactic", "syntactic_ns"]),
];

const VALUES: &[&str] = &[
    "formulas",
    "given_up",
    "components",
    "strong",
    "weak",
    "terminal",
    "inherent_ns",
    "weak_cycles",
    "terminal_cycles",
    "cycles_ns",
    "weak_structural",
    "terminal_structural",
    "structural_ns",
    "weak_syntactic",
    "terminal_syntactic",
    "syntactic_ns",
    "too_weak",
];

const ABOUT: About = About {
    name: "decomposition/study",
    summary: "Weak and terminal components that each way to find strengths recognizes",
    source: Source { document: DOCUMENT, place: "Section 3" },
    parameters: &[
        parameter("formulas", "number of random formulas", "10000", "300"),
        parameter("propositions", "in the formulas", "4", "3"),
        parameter("least", "smallest tree size", "5", "5"),
        parameter("most", "largest tree size", "20", "12"),
        parameter("seed", "of formulas", "0", "0"),
    ],
    unit: &["block"],
    values: VALUES,
};

impl Experiment for Study {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let sizes = settings.number("least")?..=settings.number("most")?;
        let formulas = RandomFormulas::over_numbered(settings.number("propositions")?);
        let formulas = formulas.sizes(sizes).seed(settings.number("seed")?).unique();
        let mut formulas = formulas.generate()?.take(settings.number("formulas")?);
        for block in 0.. {
            let formulas = formulas.by_ref().take(BLOCK).collect::<Result<Vec<_>, _>>()?;
            if formulas.is_empty() {
                break;
            }
            bench.row(&[block.to_string()], || Ok(measure(&formulas)))?;
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

/// What was counted.
#[derive(Default)]
struct Counts {
    /// Formulas whose translation or strengths took too much work.
    given_up: usize,
    components: usize,
    strong: usize,
    /// Weak and terminal components by each way.
    found: [[usize; 2]; WAYS.len()],
    time: [Duration; WAYS.len()],
    /// Components whose strength a way underestimates.
    too_weak: usize,
}

/// Counts the components of the automata of these formulas.
fn measure(formulas: &[Formula]) -> Vec<String> {
    let mut counts = Counts::default();
    for formula in formulas {
        let translate = || Translator::new().names(true).translate(formula);
        let done = interrupt::within(BUDGET, translate).is_ok_and(|made| counts.add(&made));
        counts.given_up += usize::from(!done);
    }
    let Counts { given_up, components, strong, found, time, too_weak } = counts;
    let mut cells = cells![formulas.len(), given_up, components, strong];
    for ([weak, terminal], time) in found.into_iter().zip(time) {
        cells.extend(cells![weak, terminal, time.as_nanos()]);
    }
    cells.push(too_weak.to_string());
    cells
}

impl Counts {
    /// Adds an automaton; false if a way takes too much work.
    fn add(&mut self, automaton: &Automaton) -> bool {
        // Parsing of names is not part of the method.
        let formulas: Vec<Option<Formula>> = automaton
            .states()
            .map(|state| automaton.state_name(state).and_then(|name| name.parse().ok()))
            .collect();
        let by = |way| match way {
            Way::Syntactic => {
                Strengths::by_formulas(automaton, |state: StateId| formulas[state.index()].clone())
            }
            way => Strengths::by(automaton, way),
        };
        let exact = Strengths::of(automaton);
        let mut all = Vec::new();
        for (way, _) in WAYS {
            let Ok(first) = interrupt::within(BUDGET, || by(way)) else { return false };
            let times = (0..REPETITIONS).map(|_| {
                let start = Instant::now();
                by(way);
                start.elapsed()
            });
            all.push((first, times.min().unwrap_or_default()));
        }
        for (place, (found, time)) in all.into_iter().enumerate() {
            self.time[place] += time;
            for scc in exact.sccs().iter() {
                let Some(&state) = exact.sccs().states(scc).first() else { continue };
                let (known, here) = (exact.of_component(scc), found.of_state(state));
                self.too_weak += usize::from(here < Some(known));
                match known {
                    Strength::Weak => self.found[place][0] += usize::from(here == Some(known)),
                    Strength::Terminal => self.found[place][1] += usize::from(here == Some(known)),
                    _ => {}
                }
            }
        }
        self.components += exact.sccs().len();
        self.strong += exact.count(Strength::Strong);
        true
    }
}

fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let published = Table::parse(include_str!("table-recall.csv"), ',').unwrap_or_default();
    let sum =
        |column: &str| -> f64 { record.rows().rows().filter_map(|row| row.number(column)).sum() };
    let recall = |found: &str, all: &str| {
        let all = sum(all);
        (all > 0.0).then(|| 100.0 * sum(found) / all)
    };
    let [.., structural, _] = WAYS;
    let time = |column: &str| {
        let unit = sum(structural.1[2]);
        (unit > 0.0).then(|| sum(column) / unit)
    };
    page.heading("Section 3");
    page.paragraph(
        "Weak and terminal components that a way recognizes, in percent, and its time as a multiple of \
         that of the structural way: published / ours. The paper's inherent way enumerates cycles; \
         ours searches for a rejecting cycle, and `cycles` is the paper's.",
    );
    let lines = WAYS.iter().map(|(way, [weak, terminal, ns])| {
        // The published inherent way is the enumeration.
        let theirs = match way {
            Way::Inherent => None,
            Way::Cycles => published.find(&[("way", "inherent")]),
            way => published.find(&[("way", way.name())]),
        };
        let pair = |column: &str, ours: Option<f64>| {
            let theirs = theirs.and_then(|row| row.number(column));
            format!("{} / {}", shown(theirs, 2), shown(ours, 2))
        };
        vec![
            way.name().to_owned(),
            pair("weak", recall(weak, "weak")),
            pair("terminal", recall(terminal, "terminal")),
            pair("time", time(ns)),
        ]
    });
    page.table(&["way", ">weak, %", ">terminal, %", ">time"], &lines.collect::<Vec<_>>());
    page.paragraph(&format!(
        "The automata have {} components: {} strong, {} weak, {} terminal; the others accept nothing.",
        grouped(&sum("components").to_string()),
        grouped(&sum("strong").to_string()),
        grouped(&sum("weak").to_string()),
        grouped(&sum("terminal").to_string()),
    ));
    let too_weak = sum("too_weak");
    if too_weak > 0.0 {
        page.fault(format!("{too_weak} strengths are underestimated"));
    }
    for (found, all) in [("weak_cycles", "weak"), ("terminal_cycles", "terminal")] {
        if sum(found) != sum(all) {
            page.fault(format!("enumerating cycles finds {} of {} {all}", sum(found), sum(all)));
        }
    }
    let sample = |all: &str, least| Sample { cases: sum(all) as usize, least };
    let weak = |way: &str| recall(&format!("weak_{way}"), "weak");
    let terminal = |way: &str| recall(&format!("terminal_{way}"), "terminal");
    page.conclude(
        "The structural way misses very few weak components (below one in a hundred)",
        weak("structural").map(|found| found >= 99.0),
        sample("weak", 1000),
        format!("{} % of the weak ones found", shown(weak("structural"), 2)),
    );
    page.conclude(
        "The syntactic way finds clearly fewer weak components (below 95 %)",
        weak("syntactic").map(|found| found < 95.0),
        sample("weak", 1000),
        format!("{} % of the weak ones found", shown(weak("syntactic"), 2)),
    );
    let both = terminal("structural").zip(terminal("syntactic"));
    page.conclude(
        "All ways find all terminal components",
        both.map(|(left, right)| left == 100.0 && right == 100.0),
        sample("terminal", 1000),
        format!(
            "structural {} %, syntactic {} %",
            shown(terminal("structural"), 2),
            shown(terminal("syntactic"), 2)
        ),
    );
    let times = |column: &str| time(column);
    page.conclude(
        "The structural way is slower than the syntactic one (three times)",
        times("syntactic_ns").map(|time| time < 1.0),
        sample("components", 1000),
        format!("the syntactic one takes {} times as long", shown(times("syntactic_ns"), 2)),
    );
    page.conclude(
        "Enumerating cycles is clearly slower than the structural way (ten times; here at least twice)",
        times("cycles_ns").map(|time| time >= 2.0),
        sample("components", 1000),
        format!("{} times as long", shown(times("cycles_ns"), 2)),
    );
    page.conclude(
        "Ours: the polynomial test is exact and cheaper than enumerating cycles",
        times("inherent_ns").zip(times("cycles_ns")).map(|(ours, cycles)| ours < cycles),
        sample("components", 1000),
        format!("{} times as long as the structural way", shown(times("inherent_ns"), 2)),
    );
    let (formulas, given_up) = (sum("formulas"), sum("given_up"));
    page.coverage(
        format!(
            "{} formulas, of the paper's {}; {given_up} are left out, which take too much work",
            grouped(&(formulas - given_up).to_string()),
            grouped(&PUBLISHED.to_string())
        ),
        "random formulas without duplicates; automata of the tableau, whose states have the names of \
         their formulas; states with an empty language are removed",
    );
    page
}
