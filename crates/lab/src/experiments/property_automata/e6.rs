//! E6: complements of semi-deterministic Büchi automata (Tables 8.2 and 8.3).
//!
//! The collection `complementation` has the automata of the experiments in its folder `ncsb`, with
//! `index.csv`, whose columns are `name` and `letters`, among others. Letters are the codes below
//! that number; transitions are counted for each of them. With `--quick`, random automata are
//! complemented.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::plot::{Series, scatter};
use crate::record::Record;
use crate::settings::existing;
use crate::statistics::{grouped, percent};
use crate::stopwatch::Stopwatch;
use crate::table::Table;
use anyhow::{Context, Result};
use sempre_automata::complement::{self, Division, Guess, Method, Ranking};
use sempre_automata::degeneralize::Degeneralizer;
use sempre_automata::random::RandomBlocks;
use sempre_automata::scc::ComponentKind;
use sempre_automata::to_ba::to_ba;
use sempre_automata::{Automaton, convert, determinize, hoa, prune};
use sempre_ltl::interrupt::{self, Interrupt};
use std::time::{Duration, Instant};

/// Repeats Tables 8.2 and 8.3.
#[derive(Debug)]
pub struct E6;

/// A construction of a complement.
#[derive(Clone, Copy)]
enum Way {
    By(Method),
    /// The dual of the automaton by Safra's trees, without reductions.
    Safra,
}

const CONSTRUCTIONS: [(&str, Way); 9] = [
    ("ramsey", Way::By(Method::Ramsey)),
    ("rank", Way::By(Method::Rank(Ranking::Turns))),
    ("safra", Way::Safra),
    ("slices", Way::By(Method::Slices)),
    ("ncsb", Way::By(Method::Ncsb(Guess::StateBased))),
    ("ncsb-lazy", Way::By(Method::Ncsb(Guess::Lazy))),
    ("ncsb-delayed", Way::By(Method::Ncsb(Guess::Delayed))),
    ("modular", Way::By(Method::Modular)),
    ("determinize", Way::By(Method::Determinize)),
];

/// Isomorphic to others; and the difficult cases of Table 8.2, in its order.
const REPEATED: std::ops::RangeInclusive<u32> = 64..=72;
const DIFFICULT: [u32; 6] = [55, 56, 60, 61, 62, 78];

const ABOUT: About = About {
    name: "property-automata/e6",
    summary: "Complements of semi-deterministic Büchi automata by NCSB and its rivals",
    source: Source { document: DOCUMENT, place: "Section 8.6, Tables 8.2 and 8.3, Figure 8.2" },
    parameters: &[
        parameter("automata", "how many at most", "10000", "3"),
        parameter(
            "constructions",
            "which",
            "ncsb ncsb-lazy ncsb-delayed modular slices safra determinize rank ramsey",
            "ncsb ncsb-lazy ncsb-delayed modular slices safra determinize rank ramsey",
        ),
        parameter("macrostates", "how many an attempt may visit", "200000", "2000"),
        parameter("simplified", "complements of more states are not simplified", "2000", "200"),
        parameter("timeout", "seconds for a complement, and for its simplification", "300", "300"),
    ],
    unit: &["automaton", "construction"],
    values: &[
        "letters",
        "states",
        "transitions",
        "simplified_states",
        "simplified_transitions",
        "seconds",
    ],
};

/// How many transitions there are with one of the first letters.
fn transitions(automaton: &Automaton, letters: u64) -> usize {
    let alphabet = automaton.alphabet();
    let read = |label| (0..letters).filter(|letter| alphabet.satisfied(label, *letter)).count();
    automaton.edges().iter().map(|edge| read(edge.label)).sum()
}

/// The complement over the letters alone, as far as it is reached by them.
fn over_letters(automaton: &Automaton, letters: u64) -> Automaton {
    let alphabet = automaton.alphabet().clone();
    let mut builder = automaton.edit();
    builder
        .retain_edges(|_, edge| (0..letters).any(|letter| alphabet.satisfied(edge.label, letter)));
    prune::unreachable(&builder.build())
}

/// The limits of one complement.
#[derive(Clone, Copy)]
struct Limits {
    macrostates: usize,
    simplified: usize,
    time: Duration,
}

fn measure(automaton: &Automaton, letters: u64, way: Way, limits: Limits) -> Vec<String> {
    let clock = Stopwatch::start();
    let sizes = sizes(automaton, letters, way, limits);
    let sizes = sizes.map(|size| size.map(|size| size.to_string()).unwrap_or_default());
    let seconds = format!("{:.6}", clock.elapsed().as_secs_f64());
    [cells![letters], sizes.to_vec(), vec![seconds]].concat()
}

/// States and transitions, before and after simplification.
fn sizes(automaton: &Automaton, letters: u64, way: Way, limits: Limits) -> [Option<usize>; 4] {
    let within = |work: &dyn Fn() -> Option<Automaton>| {
        let deadline = Some(Instant::now() + limits.time);
        interrupt::run(&Interrupt::default(), deadline, work).ok().flatten()
    };
    let most = limits.macrostates;
    let complement = within(&|| match way {
        Way::By(Method::Ncsb(guess)) => {
            complement::ncsb(automaton, guess, Division::Smallest, most).ok()
        }
        Way::By(method) => complement::raw(automaton, method, Division::Smallest, most).ok(),
        Way::Safra => {
            let deterministic = determinize::parity_up_to(automaton, most)?;
            let dual = complement::deterministic(&deterministic).ok()?;
            let generalized = convert::to_generalized_buchi(&dual);
            Some(prune::unreachable(&Degeneralizer::plain().transition_based(&generalized)))
        }
    });
    let Some(complement) = complement else { return [None; 4] };
    let complement = over_letters(&complement, letters);
    let before = [complement.state_count(), transitions(&complement, letters)].map(Some);
    let small = match complement.state_count() <= limits.simplified {
        true => within(&|| Some(over_letters(&to_ba(&complement), letters))),
        false => None,
    };
    let size = |small: &Automaton| [small.state_count(), transitions(small, letters)].map(Some);
    let after = small.as_ref().map_or([None; 2], size);
    [before[0], before[1], after[0], after[1]]
}

impl Experiment for E6 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let most = settings.number("automata")?;
        let limits = Limits {
            macrostates: settings.number("macrostates")?,
            simplified: settings.number("simplified")?,
            time: settings.seconds("timeout")?,
        };
        let chosen = settings.words("constructions").map(|name| {
            let row = CONSTRUCTIONS.iter().find(|(known, _)| *known == name);
            row.copied().with_context(|| format!("there is no construction `{name}`"))
        });
        let chosen: Vec<(&str, Way)> = chosen.collect::<Result<_>>()?;
        if settings.quick {
            let kinds = vec![ComponentKind::Rejecting, ComponentKind::Deterministic];
            let random = RandomBlocks::over(["a"])?.kinds(kinds).seed(1);
            let semi = |automaton: &Automaton| automaton.is_semi_deterministic();
            let states = |automaton: Automaton| to_ba(&automaton);
            for (number, automaton) in
                random.generate().map(states).filter(semi).take(most).enumerate()
            {
                for &(name, way) in &chosen {
                    let key = cells![format!("random {number}"), name];
                    bench.row(&key, || Ok(measure(&automaton, 2, way, limits)))?;
                }
            }
            return Ok(());
        }
        let folder = settings.collection("complementation")?.join("ncsb");
        let table = Table::read(&existing(&folder, "index.csv")?)?;
        // Constructions in turn, so that a budget covers all automata by the first ones.
        for (construction, way) in chosen {
            for row in table.rows().take(most) {
                let name = row.text("name").trim_end_matches(".hoa").to_owned();
                let key = [name.as_str(), construction];
                bench.row(&key, || {
                    let letters = row.number("letters").context("index.csv has no letters")? as u64;
                    let path = existing(&folder, &format!("{name}.hoa"))?;
                    let parsed = hoa::parse(&std::fs::read_to_string(path)?);
                    let parsed = parsed.with_context(|| name.clone())?;
                    let automaton =
                        parsed.nondeterministic().context("an alternating automaton")?;
                    Ok(measure(&automaton, letters, way, limits))
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let rows = record.rows();
        let number = |name: &str| name.rsplit('-').next().and_then(|text| text.parse::<u32>().ok());
        let is_easy = |name: &str| {
            number(name).is_none_or(|n| !REPEATED.contains(&n) && !DIFFICULT.contains(&n))
        };
        let easy: Vec<&str> =
            rows.distinct("automaton").into_iter().filter(|n| is_easy(n)).collect();
        let value = |name: &str, construction: &str, column: &str| {
            rows.find(&[("automaton", name), ("construction", construction)])
                .and_then(|row| row.number(column))
        };
        let sum = |names: &[&str], construction: &str, column: &str| -> Option<f64> {
            let values = names.iter().map(|name| value(name, construction, column));
            values.sum::<Option<f64>>().filter(|_| !names.is_empty())
        };
        let shown =
            |sum: Option<f64>| sum.map_or("–".to_owned(), |sum| grouped(&format!("{sum:.0}")));
        let table = |text| Table::parse(text, ',').unwrap_or_else(|error| unreachable!("{error}"));
        let published = table(include_str!("table-8-2.csv"));
        page.heading("Without simplification (Table 8.2)");
        page.paragraph(
            "Sums over the easy automata that the construction complements (how many it does not \
             follows in brackets), then the states of the six difficult ones. Published figures come \
             first; the rivals of NCSB are those of another tool, with its own refinements. The row \
             `safra` is ours beside Piterman's; `determinize` takes the smallest of several methods \
             and is reduced already.",
        );
        let with_missing = |names: &[&str], name: &str, column: &str| {
            let values: Vec<f64> = names.iter().filter_map(|n| value(n, name, column)).collect();
            let sum = grouped(&format!("{:.0}", values.iter().fold(0.0, |sum, value| sum + value)));
            match names.len() - values.len() {
                0 => sum,
                missing => format!("{sum} ({missing})"),
            }
        };
        let mut lines = vec![];
        for (name, _) in CONSTRUCTIONS {
            let theirs = published.find(&[("construction", name)]);
            let theirs = |column: &str| match theirs.map_or("", |row| row.text(column)) {
                "" => "–".to_owned(),
                text => grouped(text),
            };
            let mut line = vec![name.to_owned()];
            for column in ["states", "transitions"] {
                line.extend([theirs(column), with_missing(&easy, name, column)]);
            }
            for (number, case) in DIFFICULT.iter().enumerate() {
                let ours = shown(value(&format!("ncsb-{case:03}"), name, "states"));
                line.push(format!("{} / {ours}", theirs(&format!("case_{}", number + 1))));
            }
            lines.push(line);
        }
        page.table(
            &[
                "construction",
                ">published states",
                ">ours",
                ">published transitions",
                ">ours",
                ">055",
                ">056",
                ">060",
                ">061",
                ">062",
                ">078",
            ],
            &lines,
        );
        // Constructions that hardly ever end would leave nothing to compare.
        let counts = CONSTRUCTIONS.map(|(c, _)| {
            let done = easy.iter().filter(|name| value(name, c, "simplified_states").is_some());
            (c, done.count())
        });
        let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
        let often = |count: usize| count * 10 >= most * 8 && count > 0;
        let compared: Vec<&str> =
            counts.iter().filter(|(_, count)| often(*count)).map(|(c, _)| *c).collect();
        let done =
            |name: &&&str| compared.iter().all(|c| value(name, c, "simplified_states").is_some());
        let common: Vec<&str> = easy.iter().filter(done).copied().collect();
        page.heading("Simplified (Table 8.3)");
        let left_out: Vec<&str> =
            counts.iter().filter(|(_, count)| !often(*count)).map(|(c, _)| *c).collect();
        page.paragraph(&format!(
            "Our sums are over the {} easy automata whose complements were all simplified{}. Failures \
             are those of complementation and of simplification, of all automata.",
            common.len(),
            match left_out.is_empty() {
                true => String::new(),
                false => format!(", without those by {}", left_out.join(", ")),
            }
        ));
        let published = table(include_str!("table-8-3.csv"));
        let distinct: Vec<&str> = {
            let names = rows.distinct("automaton").into_iter();
            names.filter(|name| number(name).is_none_or(|n| !REPEATED.contains(&n))).collect()
        };
        let mut lines = vec![];
        for (name, _) in CONSTRUCTIONS {
            let theirs = published.find(&[("construction", name)]);
            let theirs = |column: &str| match theirs.map_or("", |row| row.text(column)) {
                "" => "–".to_owned(),
                text => grouped(text),
            };
            let is_compared = compared.contains(&name);
            let mut line = vec![name.to_owned()];
            let columns = ["states", "transitions", "simplified_states", "simplified_transitions"];
            for column in columns {
                let ours = is_compared.then(|| sum(&common, name, column)).flatten();
                line.extend([theirs(column), shown(ours)]);
            }
            let smallest = common.iter().filter(|automaton| {
                let size = |c: &str| value(automaton, c, "simplified_states").unwrap_or(f64::MAX);
                CONSTRUCTIONS.iter().all(|(other, _)| size(name) <= size(other))
            });
            line.extend(cells![theirs("smallest"), smallest.count()]);
            let lacks =
                |column: &str| distinct.iter().filter(|n| value(n, name, column).is_none()).count();
            let (failed, rough) = (lacks("states"), lacks("simplified_states"));
            line.push(format!("{} / {failed}", theirs("failures")));
            line.push(format!("{} / {}", theirs("simplification_failures"), rough - failed));
            lines.push(line);
        }
        page.table(
            &[
                "construction",
                ">published states",
                ">ours",
                ">published transitions",
                ">ours",
                ">simplified states",
                ">ours",
                ">simplified transitions",
                ">ours",
                ">smallest",
                ">ours",
                ">failures",
                ">of simplification",
            ],
            &lines,
        );
        let rivals = &CONSTRUCTIONS[..4];
        let best_other = |name: &str| {
            let best = rivals.iter().filter_map(|(c, _)| value(name, c, "states"));
            best.min_by(f64::total_cmp)
        };
        let point = |name: &&str| Some((value(name, "ncsb", "states")?, best_other(name)?));
        let points: Vec<(f64, f64)> = easy.iter().filter_map(point).collect();
        let least = points.iter().filter(|(own, best)| own <= best).count();
        let hard: Vec<(f64, f64)> = {
            let names = DIFFICULT.map(|case| format!("ncsb-{case:03}"));
            names.iter().filter_map(|name| point(&name.as_str())).collect()
        };
        let series = [
            Series { name: "easy".to_owned(), points: points.clone() },
            Series { name: "difficult".to_owned(), points: hard },
        ];
        page.figure(
            "ncsb-best-other.svg",
            "States by NCSB and by the best of Ramsey, ranks, determinization and slices",
            scatter(("NCSB", "best other"), &series),
        );
        page.conclude(
            "NCSB has the fewest states on each of the easy automata",
            Some(least == points.len()),
            Sample { cases: points.len(), least: 91 },
            format!("on {least} of {}", points.len()),
        );
        let (states, edges) = (sum(&easy, "ncsb", "states"), sum(&easy, "ncsb", "transitions"));
        let exact = states == Some(950.0) && edges == Some(8003.0);
        page.conclude(
            "NCSB gives 950 states and 8003 transitions for the easy automata",
            Some(exact),
            Sample { cases: easy.len(), least: 91 },
            format!("{} states and {} transitions", shown(states), shown(edges)),
        );
        let hard = |case: u32, construction: &str, column: &str| {
            value(&format!("ncsb-{case:03}"), construction, column)
        };
        let six = [20711.0, 84567.0, 108.0, 343.0, 401.0, 5449.0];
        let ours = DIFFICULT.map(|case| hard(case, "ncsb", "states"));
        let known: Vec<(f64, f64)> =
            ours.iter().zip(six).filter_map(|(own, wanted)| Some(((*own)?, wanted))).collect();
        page.conclude(
            "NCSB gives the published number of states for the six difficult automata",
            Some(known.iter().all(|(own, wanted)| own == wanted)),
            Sample { cases: known.len(), least: 6 },
            ours.map(shown).join(", "),
        );
        let [fewer, more] = [("states", false), ("transitions", true)].map(|(column, more)| {
            let better = |case: &&u32| {
                let pair = [hard(**case, "safra", column), hard(**case, "ncsb", column)];
                match pair {
                    [Some(other), Some(own)] if more => other > own,
                    [Some(other), Some(own)] => other < own,
                    _ => false,
                }
            };
            [62, 78].iter().filter(better).count()
        });
        let both = [62, 78].iter().filter(|case| hard(**case, "safra", "states").is_some());
        page.conclude(
            "On the last two difficult automata determinization has fewer states than NCSB, but more \
             transitions",
            Some(fewer == 2 && more == 2),
            Sample { cases: both.count(), least: 2 },
            format!("fewer states on {fewer}, more transitions on {more}"),
        );
        let gain = |construction: &str| {
            let before = sum(&common, construction, "transitions")?;
            let after = sum(&common, construction, "simplified_transitions")?;
            Some(percent((before - after).max(0.0) as usize, before as usize))
        };
        let part = |construction: &str| {
            let before = sum(&common, construction, "transitions").unwrap_or(0.0);
            let after = sum(&common, construction, "simplified_transitions").unwrap_or(0.0);
            if before > 0.0 { 1.0 - after / before } else { 0.0 }
        };
        let others: Vec<&str> =
            rivals.iter().map(|(c, _)| *c).filter(|c| compared.contains(c)).collect();
        let names = others.iter().chain(["ncsb"].iter());
        let figures = names.filter_map(|c| Some(format!("{c} {} %", gain(c)?)));
        page.conclude(
            "Simplification removes more than a fifth of the transitions of the other constructions, \
             but of NCSB less than of each of these",
            Some(others.iter().all(|c| part(c) > 0.2 && part(c) > part("ncsb"))),
            Sample { cases: common.len(), least: 75 },
            figures.collect::<Vec<_>>().join(", "),
        );
        page.coverage(
            format!("{} automata", rows.distinct("automaton").len()),
            "all automata of the index in its order; nine are isomorphic to others and not in sums",
        );
        page
    }
}
