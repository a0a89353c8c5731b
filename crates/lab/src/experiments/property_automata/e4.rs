//! E4: ways from formulas to deterministic automata (Chapter 6).
//!
//! An approach is a participant of `sempre cross`: one of our routes (`master`, `master:dual`), a kind
//! of the portfolio (`tableau:det`), or an installed tool (`ltl3dra`). Tables of the collection
//! `deterministic` have a formula in the first column and sizes by other tools in columns `T_trimmed`
//! and `T_sets`; these tools are approaches as well. Every automaton is compared with the tableaux of
//! the formula and of its negation.

use super::DOCUMENT;
use super::metrics::{On, Results};
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::plot::{self, Series};
use crate::record::Record;
use crate::settings::{Settings, existing};
use crate::statistics::{quantile, shown};
use crate::stopwatch::Stopwatch;
use crate::table::Table;
use anyhow::{Context, Result, anyhow};
use sempre_automata::{Automaton, Marks, complement, product, state_based};
use sempre_cross::{Limits, Participant, participant};
use sempre_ltl::generate::family::Family;
use sempre_ltl::generate::patterns::PatternSet;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Formula, Traits};
use sempre_translate::tableau;
use std::time::{Duration, Instant};

/// Compares ways to deterministic automata.
#[derive(Debug)]
pub struct E4;

const ABOUT: About = About {
    name: "property-automata/e4",
    summary: "States and marks of deterministic automata by our routes and other tools",
    source: Source {
        document: DOCUMENT,
        place: "Chapter 6, Tables 6.4 to 6.15, Figure 6.8 and Section 6.6",
    },
    parameters: &[
        parameter(
            "sets",
            "tables of sizes; with --quick sets of patterns; NAME:N is a family up to N",
            "literature random400 families",
            "eh gh-q:2 or-fg:3",
        ),
        parameter("formulas", "how many of each set", "10000", "6"),
        parameter(
            "approaches",
            "participants of `sempre cross`",
            "tableau:det tableau:dpa tableau:dra tableau:dgra weak breakpoint breakpoint:dual \
             breakpoint-unfolded breakpoint-unfolded:dual master master:dual decomposition \
             decomposition-obligations decomposition-classes decomposition-limits normalization \
             normalization:dual mmaa mmaa:dual safra safra:dual",
            "tableau:det tableau:dpa master mmaa safra",
        ),
        parameter("timeout", "seconds for a formula", "10", "5"),
    ],
    unit: &["set", "formula"],
    values: &["approach", "states", "marks", "on_states", "seconds", "fault"],
};

/// Our own approach, and the parity one.
const OURS: &str = "tableau:det";
const PARITY: &str = "tableau:dpa";

/// A formula with what other tools reach: approach, trimmed states, marks.
struct Case {
    text: String,
    others: Vec<[String; 3]>,
}

fn cases(set: &str, settings: &Settings) -> Result<Vec<Case>> {
    let alone = |formula: Formula| Case { text: formula.to_string(), others: vec![] };
    if let Some((name, most)) = set.split_once(':') {
        let family =
            Family::by_name(name).with_context(|| format!("there is no family `{name}`"))?;
        let most: u64 = most.parse().with_context(|| format!("{most} is no number"))?;
        let formulas = (1..=most).map(|n| Ok(alone(family.formula(n)?)));
        return formulas.collect();
    }
    if settings.quick {
        let set = PatternSet::by_name(set).with_context(|| format!("there is no set `{set}`"))?;
        return Ok(set.formulas().map(alone).collect());
    }
    let table =
        Table::read(&existing(&settings.collection("deterministic")?, &format!("{set}.csv"))?)?;
    let tools: Vec<&str> =
        table.columns().iter().filter_map(|column| column.strip_suffix("_trimmed")).collect();
    let cases = table.rows().map(|row| Case {
        text: row.text("formula").to_owned(),
        others: tools
            .iter()
            .map(|tool| {
                let cell = |suffix: &str| {
                    let value = row.number(&format!("{tool}_{suffix}"));
                    value.map(|value| value.to_string()).unwrap_or_default()
                };
                [(*tool).to_owned(), cell("trimmed"), cell("sets")]
            })
            .collect(),
    });
    Ok(cases.collect())
}

impl Experiment for E4 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let limits = Limits { time: Some(settings.seconds("timeout")?), ..Limits::default() };
        let approaches = settings.words("approaches").map(|text| {
            participant(text, false).map_err(|error| anyhow!("{text}: {}", error.message))
        });
        let approaches: Vec<Participant> = approaches.collect::<Result<_>>()?;
        for set in settings.words("sets") {
            for case in cases(set, &settings)?.iter().take(settings.number("formulas")?) {
                bench.unit(&[set, &case.text], || {
                    let formula: Formula = case.text.parse().with_context(|| case.text.clone())?;
                    let own = approaches.iter().map(|one| measured(one, &formula, &limits));
                    let others = case
                        .others
                        .iter()
                        .map(|[tool, states, marks]| cells![tool, states, marks, "", "", ""]);
                    Ok(own.chain(others).collect())
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let rows = record.rows();
        for row in rows.rows().filter(|row| !row.text("fault").is_empty()) {
            page.fault(format!(
                "{} by {}: {}",
                row.text("formula"),
                row.text("approach"),
                row.text("fault")
            ));
        }
        for set in rows.distinct("set") {
            page.heading(set);
            for (on, title) in [
                (On::Transitions, "Marks on transitions."),
                (On::States, "After marks have been pushed to states."),
            ] {
                let results = Results::of(rows, set, on);
                page.paragraph(&format!(
                    "{title} Minima: formulas with the fewest states of all approaches, and those \
                     where no other reaches it. Sums: over the formulas that the approach solves; and \
                     of the approaches that solve nine of ten formulas, over those that all these solve."
                ));
                page.table(
                    &[
                        "approach",
                        ">solved",
                        ">minima",
                        ">alone",
                        ">states",
                        ">marks",
                        ">common",
                        ">states ",
                        ">marks ",
                        ">median ms",
                    ],
                    &sum_lines(&results),
                );
            }
            let results = Results::of(rows, set, On::Transitions);
            page.paragraph(
                "Minima by tool: the best approach of each counts. Marks on transitions.",
            );
            page.table(
                &["tool", ">solved", ">minima", ">alone", ">states", ">marks"],
                &tool_lines(&results),
            );
            for (on, title) in [(On::Transitions, "transitions"), (On::States, "states")] {
                let results = Results::of(rows, set, on);
                let general: Vec<String> = results
                    .general()
                    .into_iter()
                    .map(|place| results.approaches[place].clone())
                    .collect();
                let results = results.of_approaches(|name| general.iter().any(|one| one == name));
                page.paragraph(&format!(
                    "Victories of the row over the column, with marks on {title}: fewer states, or as \
                     many and fewer marks; or the other has no result. Only approaches that solve nine \
                     of ten formulas."
                ));
                let (titles, lines) = victory_lines(&results);
                page.table(&titles.iter().map(String::as_str).collect::<Vec<_>>(), &lines);
            }
            plots(&mut page, set, &results);
        }
        page.heading("Published sums");
        page.paragraph("Tables 6.6 and 6.7; their random formulas are not ours.");
        page.table(
            &["chain", "set", ">states", ">marks", ">seconds"],
            &published().rows().map(|row| row.cells().to_vec()).collect::<Vec<_>>(),
        );
        routes(&mut page, rows);
        larger(&mut page, rows);
        conclusions(&mut page, rows);
        let formulas: usize = rows
            .distinct("set")
            .into_iter()
            .map(|set| Results::of(rows, set, On::Transitions).sizes.len())
            .sum();
        page.coverage(format!("{formulas} formulas"), "all formulas of a set, in its order");
        page
    }
}

fn published() -> Table {
    Table::parse(include_str!("tables-6-6-and-6-7.csv"), ',')
        .unwrap_or_else(|_| unreachable!("the file is part of the program"))
}

/// The cells of an approach on a formula.
fn measured(approach: &Participant, formula: &Formula, limits: &Limits) -> Vec<String> {
    let clock = Stopwatch::start();
    let result = approach.tool.translate(formula, limits);
    let seconds = format!("{:.6}", clock.elapsed().as_secs_f64());
    let Ok(automaton) = result else {
        return cells![approach.name, "", "", "", seconds, ""];
    };
    let deadline = Some(Instant::now() + limits.time.unwrap_or(Duration::from_secs(10)));
    let judged = || (fault(formula, &automaton), trimmed(&state_based(&automaton)));
    let (fault, on_states) = match interrupt::run(&Interrupt::default(), deadline, judged) {
        Ok((fault, on_states)) => (fault.unwrap_or_default(), on_states.to_string()),
        Err(_) => (String::new(), String::new()),
    };
    let marks = automaton.acceptance().marks();
    cells![approach.name, trimmed(&automaton), marks, on_states, seconds, fault]
}

/// Returns the fault of an automaton, if any: by determinism, and by both tableaux.
fn fault(formula: &Formula, automaton: &Automaton) -> Option<String> {
    if !automaton.is_deterministic() {
        return Some("nondeterministic".to_owned());
    }
    let negation = tableau::translate(&sempre_ltl::simplify(&Formula::not(formula)));
    if let Some(word) = product::common_word(automaton, &negation) {
        return Some(format!("accepts {word}"));
    }
    let dual = complement::deterministic(automaton).ok()?;
    let tableau = tableau::translate(&sempre_ltl::simplify(formula));
    product::common_word(&dual, &tableau).map(|word| format!("rejects {word}"))
}

/// The number of states without rejecting sinks, at least one.
fn trimmed(automaton: &Automaton) -> usize {
    let is_sink = |state| {
        let edges = automaton.edges_from(state);
        let loops = edges.iter().all(|edge| edge.target == state);
        let mut all = Marks::EMPTY;
        edges.iter().for_each(|edge| all |= &edge.marks);
        // Deterministic sinks have one edge after equal ones are merged.
        edges.is_empty() || (loops && edges.len() == 1 && !automaton.acceptance().accepts(&all))
    };
    automaton.states().filter(|state| !is_sink(*state)).count().max(1)
}

fn sum_lines(results: &Results) -> Vec<Vec<String>> {
    let line = |place: usize| {
        let (minima, alone) = results.minima(place);
        let (solved, states, marks) = results.own_sums(place);
        let (common, common_states, common_marks) = results.sums(place);
        let times = results.seconds.iter().filter_map(|seconds| seconds[place]);
        let median = quantile(times.map(|seconds| 1e3 * seconds), 0.5);
        cells![
            results.approaches[place],
            solved,
            minima,
            alone,
            states,
            marks,
            common,
            common_states,
            common_marks,
            shown(median, 1),
        ]
    };
    (0..results.approaches.len()).map(line).collect()
}

/// The tool of an approach: ours for routes and kinds, else the part before the kind of automaton.
fn tool(approach: &str) -> String {
    let known = ["spot", "owl", "ltl2dstar", "ltl3dra", "ltl3tela"];
    let found = known.iter().find(|tool| approach.starts_with(**tool));
    found.map_or("sempre", |tool| tool).to_owned()
}

fn tool_lines(results: &Results) -> Vec<Vec<String>> {
    let grouped = results.grouped(tool);
    let line = |place: usize| {
        let (minima, alone) = grouped.minima(place);
        let (solved, states, marks) = grouped.own_sums(place);
        cells![grouped.approaches[place], solved, minima, alone, states, marks]
    };
    (0..grouped.approaches.len()).map(line).collect()
}

/// How often each of our routes has the smallest result of our routes.
fn routes(page: &mut Page, rows: &Table) {
    let is_route = |name: &str| tool(name) == "sempre" && !name.starts_with("tableau:");
    let mut totals: Vec<(String, [usize; 4])> = vec![];
    for set in rows.distinct("set") {
        let results = Results::of(rows, set, On::Transitions).of_approaches(is_route);
        for (place, name) in results.approaches.iter().enumerate() {
            let [smallest, first, alone] = results.smallest(place);
            let counts = [results.own_sums(place).0, smallest, first, alone];
            match totals.iter_mut().find(|(known, _)| known == name) {
                Some((_, sums)) => sums.iter_mut().zip(counts).for_each(|(sum, one)| *sum += one),
                None => totals.push((name.clone(), counts)),
            }
        }
    }
    page.heading("Routes");
    page.paragraph(
        "Formulas of all sets on which the route has the smallest result of all routes, by states and \
         then marks; is the first in this order that has it; and alone has it. `:dual` is the route for \
         the negation.",
    );
    let lines = totals.iter().map(|(name, [solved, smallest, first, alone])| {
        cells![name, solved, smallest, first, alone]
    });
    let titles = ["route", ">solved", ">smallest", ">first", ">alone"];
    page.table(&titles, &lines.collect::<Vec<_>>());
}

fn victory_lines(results: &Results) -> (Vec<String>, Vec<Vec<String>>) {
    let count = results.approaches.len();
    let mut titles = vec!["approach".to_owned()];
    titles.extend((1..=count).map(|number| format!(">({number})")));
    titles.push(">total".to_owned());
    let lines = (0..count).map(|winner| {
        let cells: Vec<Option<usize>> = (0..count)
            .map(|loser| (winner != loser).then(|| results.victories(winner, loser)))
            .collect();
        let total: usize = cells.iter().flatten().sum();
        let mut line = vec![format!("({}) {}", winner + 1, results.approaches[winner])];
        line.extend(cells.iter().map(|cell| match cell {
            Some(victories) => victories.to_string(),
            None => "·".to_owned(),
        }));
        line.push(total.to_string());
        line
    });
    (titles, lines.collect())
}

fn plots(page: &mut Page, set: &str, results: &Results) {
    let file = |kind: &str| format!("{}-{kind}.svg", set.replace(':', "-"));
    let quantiles: Vec<Series> = results
        .approaches
        .iter()
        .enumerate()
        .map(|(place, name)| {
            let mut states: Vec<u32> =
                results.sizes.iter().filter_map(|sizes| Some(sizes[place]?.states)).collect();
            states.sort_unstable();
            let points = states.iter().enumerate();
            let points = points.map(|(rank, states)| (rank as f64 + 1.0, f64::from(*states)));
            Series { name: name.clone(), points: points.collect() }
        })
        .collect();
    let caption = format!("{set}: states of the formulas of each approach, ascending");
    page.figure(&file("quantiles"), &caption, plot::curves(("formulas", "states"), &quantiles));
    let Some(ours) = results.place(OURS) else { return };
    // Other tools only, where there are such.
    let has_tools = results.approaches.iter().any(|name| tool(name) != "sempre");
    let others: Vec<Series> = (0..results.approaches.len())
        .filter(|place| *place != ours)
        .filter(|place| !has_tools || tool(&results.approaches[*place]) != "sempre")
        .map(|place| {
            let points = results.sizes.iter().filter_map(|sizes| {
                Some((f64::from(sizes[ours]?.states), f64::from(sizes[place]?.states)))
            });
            Series { name: results.approaches[place].clone(), points: points.collect() }
        })
        .collect();
    let caption = format!("{set}: states of {OURS} and of the others, formula by formula");
    page.figure(&file("scatter"), &caption, plot::scatter((OURS, "others"), &others));
}

/// Lists formulas on which another approach has fewer states than our smallest kind.
fn larger(page: &mut Page, rows: &Table) {
    let mut lines = vec![];
    for set in rows.distinct("set") {
        let results = Results::of(rows, set, On::Transitions);
        let Some(ours) = results.place(OURS) else { continue };
        for (formula, sizes) in results.formulas.iter().zip(&results.sizes) {
            let Some(own) = sizes[ours] else { continue };
            let best = sizes.iter().enumerate().filter_map(|(place, size)| Some(((*size)?, place)));
            if let Some((best, place)) = best.min()
                && best.states < own.states
            {
                let by = &results.approaches[place];
                lines.push(cells![set, format!("`{formula}`"), own.states, best.states, by]);
            }
        }
    }
    page.heading("Where another approach is smaller");
    page.table(&["set", "formula", ">ours", ">theirs", "by"], &lines);
}

/// The conclusions of Section 6.6.
fn conclusions(page: &mut Page, rows: &Table) {
    let sets: Vec<Results> = rows
        .distinct("set")
        .into_iter()
        .map(|set| Results::of(rows, set, On::Transitions))
        .collect();
    let formulas = sets.iter().map(|results| results.sizes.len()).sum::<usize>();
    let sample = Sample { cases: formulas, least: 100 };
    dominance(page, &sets, sample);
    let on = |approaches: &[&str], class: &dyn Fn(&str) -> bool| {
        let (mut count, mut sums) = (0, vec![(0, 0); approaches.len()]);
        for results in &sets {
            if let Some((own, found)) = results.sums_on(approaches, class) {
                count += own;
                for (sum, (states, marks)) in sums.iter_mut().zip(found) {
                    *sum = (sum.0 + states, sum.1 + marks);
                }
            }
        }
        (count, sums)
    };
    let is = |text: &str, traits: Traits| text.parse::<Formula>().is_ok_and(|f| f.is(traits));
    let f_g = |text: &str| is(text, Traits::FRAGMENT_F_G);
    let no_gux = |text: &str| is(text, Traits::FRAGMENT_NO_GUX);
    let outside = |text: &str| !no_gux(text);

    let (count, sums) = on(&["master", "safra"], &f_g);
    page.conclude(
        "on LTL(F,G) direct translations are far ahead of determinization",
        (count > 0).then_some(10 * sums[0].0 < 9 * sums[1].0),
        Sample { cases: count, least: 50 },
        format!("master {} states, safra {}, on {count} formulas", sums[0].0, sums[1].0),
    );
    let peers = ["spot_generic", "owl_dgra", "owl_dra", "owl_dpa"];
    let (count, sums) = on(&peers, &outside);
    page.conclude(
        "on full LTL Spot is the best tool, by states and by marks",
        (count > 0).then_some(sums[1..].iter().all(|sum| sums[0].0 <= sum.0 && sums[0].1 <= sum.1)),
        Sample { cases: count, least: 100 },
        tools_shown(&peers, &sums, count),
    );
    let peers = ["owl_dgra", "spot_parity", "owl_dpa"];
    let (count, sums) = on(&peers, &no_gux);
    page.conclude(
        "on LTL without U and X under G, Rabinizer 4 (now in Owl) has the fewest states, Spot the fewest \
         marks",
        (count > 0).then_some(sums[0].0 <= sums[1].0.min(sums[2].0) && sums[1].1 <= sums[0].1.min(sums[2].1)),
        Sample { cases: count, least: 100 },
        tools_shown(&peers, &sums, count),
    );
    let (count, sums) = on(&["spot_parity", "owl_dpa", "owl_dgra"], &f_g);
    page.conclude(
        "the weakness of Spot is LTL(F,G)",
        (count > 0).then_some(sums[0].0 > sums[1].0.min(sums[2].0)),
        Sample { cases: count, least: 50 },
        tools_shown(&["spot_parity", "owl_dpa", "owl_dgra"], &sums, count),
    );
    let pushed = |approach: &str| {
        let mut sums = (0u64, 0u64);
        for set in rows.distinct("set") {
            let on = [On::Transitions, On::States].map(|on| {
                let results = Results::of(rows, set, on);
                results.place(approach).map_or(0, |place| results.own_sums(place).1)
            });
            sums = (sums.0 + on[0], sums.1 + on[1]);
        }
        (sums.0 > 0).then_some(sums.1 as f64 / sums.0 as f64)
    };
    let (dgra, dpa) = (pushed("tableau:dgra"), pushed(PARITY));
    page.conclude(
        "pushing marks to states costs generalized Rabin automata more than parity automata",
        dgra.zip(dpa).map(|(dgra, dpa)| dgra > dpa),
        sample,
        format!("states grow by {} (dgra) and {} (dpa)", shown(dgra, 2), shown(dpa, 2)),
    );
    page.leave_open(
        "Rabinizer 3.1 beats Rabinizer 4 on more than 200 formulas",
        "the sizes of Rabinizer 3.1 are not known for these formulas",
    );
    page.leave_open(
        "ltl2dstar is best with Spot as its front end",
        "the table of sizes has one front end",
    );
}

/// No approach has all minima; the portfolio has nearly all.
fn dominance(page: &mut Page, sets: &[Results], sample: Sample) {
    let (mut ours, mut singles) = (0, vec![]);
    for results in sets {
        ours += results.place(OURS).map_or(0, |place| results.minima(place).0);
        for (place, name) in results.approaches.iter().enumerate() {
            if name.starts_with("tableau:") {
                continue;
            }
            let minima = results.minima(place).0;
            match singles.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += minima,
                None => singles.push((name.clone(), minima)),
            }
        }
    }
    let best = singles.iter().max_by_key(|(_, minima)| *minima);
    page.conclude(
        "no single approach gives the fewest states for all formulas",
        best.map(|(_, minima)| *minima < sample.cases),
        sample,
        best.map_or(String::new(), |(name, minima)| {
            format!("the best one, {name}, reaches {minima} of {} minima", sample.cases)
        }),
    );
    page.conclude(
        "a portfolio reaches nearly all minima (all but 4)",
        (sample.cases > 0).then_some(ours * 100 >= sample.cases * 98),
        sample,
        format!("{OURS} reaches {ours} of {}", sample.cases),
    );
}

fn tools_shown(tools: &[&str], sums: &[(u64, u64)], count: usize) -> String {
    let shown =
        tools.iter().zip(sums).map(|(tool, (states, marks))| format!("{tool} {states}/{marks}"));
    let shown: Vec<String> = shown.collect();
    format!("states/marks on {count} formulas: {}", shown.join(", "))
}
