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
use crate::statistics::grouped;
use crate::table::Table;
use anyhow::{Context, Result};
use sempre_automata::complement::{self, Division, Guess, Method, Ranking};
use sempre_automata::random::RandomBlocks;
use sempre_automata::scc::ComponentKind;
use sempre_automata::to_ba::to_ba;
use sempre_automata::{Automaton, hoa, prune};

/// Repeats Tables 8.2 and 8.3.
#[derive(Debug)]
pub struct E6;

const CONSTRUCTIONS: [(&str, Method); 8] = [
    ("ramsey", Method::Ramsey),
    ("rank", Method::Rank(Ranking::Turns)),
    ("determinize", Method::Determinize),
    ("slices", Method::Slices),
    ("ncsb", Method::Ncsb(Guess::StateBased)),
    ("ncsb-lazy", Method::Ncsb(Guess::Lazy)),
    ("ncsb-delayed", Method::Ncsb(Guess::Delayed)),
    ("modular", Method::Modular),
];

/// Isomorphic to others; and the difficult cases of Table 8.2, in its order.
const REPEATED: std::ops::RangeInclusive<u32> = 64..=72;
const DIFFICULT: [u32; 6] = [55, 56, 60, 61, 62, 78];

const ABOUT: About = About {
    name: "property-automata/e6",
    summary: "Complements of semi-deterministic Büchi automata by NCSB and its rivals",
    source: Source { document: DOCUMENT, place: "Section 8.6, Tables 8.2 and 8.3" },
    parameters: &[
        parameter("automata", "how many at most", "10000", "3"),
        parameter(
            "constructions",
            "which",
            "ncsb ncsb-lazy ncsb-delayed modular slices determinize rank ramsey",
            "ncsb ncsb-lazy ncsb-delayed modular slices determinize rank ramsey",
        ),
        parameter("macrostates", "how many an attempt may visit", "200000", "2000"),
        parameter("simplified", "complements of more states are not simplified", "2000", "200"),
    ],
    unit: &["automaton", "construction"],
    values: &["letters", "states", "transitions", "simplified_states", "simplified_transitions"],
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

fn measure(
    automaton: &Automaton,
    letters: u64,
    method: Method,
    (most, simplified): (usize, usize),
) -> Vec<String> {
    let complement = match method {
        Method::Ncsb(guess) => complement::ncsb(automaton, guess, Division::Smallest, most),
        method => complement::raw(automaton, method, Division::Smallest, most),
    };
    let Ok(complement) = complement else { return cells![letters, "", "", "", ""] };
    let complement = over_letters(&complement, letters);
    let mut cells = cells![letters, complement.state_count(), transitions(&complement, letters)];
    if complement.state_count() > simplified {
        cells.extend(cells!["", ""]);
        return cells;
    }
    let small = over_letters(&to_ba(&complement), letters);
    cells.extend(cells![small.state_count(), transitions(&small, letters)]);
    cells
}

impl Experiment for E6 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let most = settings.number("automata")?;
        let limits = (settings.number("macrostates")?, settings.number("simplified")?);
        let chosen = settings.words("constructions").map(|name| {
            let row = CONSTRUCTIONS.iter().find(|(known, _)| *known == name);
            row.copied().with_context(|| format!("there is no construction `{name}`"))
        });
        let chosen: Vec<(&str, Method)> = chosen.collect::<Result<_>>()?;
        if settings.quick {
            let kinds = vec![ComponentKind::Rejecting, ComponentKind::Deterministic];
            let random = RandomBlocks::over(["a"])?.kinds(kinds).seed(1);
            let semi = |automaton: &Automaton| automaton.is_semi_deterministic();
            let states = |automaton: Automaton| to_ba(&automaton);
            for (number, automaton) in
                random.generate().map(states).filter(semi).take(most).enumerate()
            {
                for &(name, method) in &chosen {
                    let key = cells![format!("random {number}"), name];
                    bench.row(&key, || Ok(measure(&automaton, 2, method, limits)))?;
                }
            }
            return Ok(());
        }
        let folder = settings.collection("complementation")?.join("ncsb");
        let table = Table::read(&existing(&folder, "index.csv")?)?;
        // Constructions in turn, so that a budget covers all automata by the first ones.
        for (construction, method) in chosen {
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
                    Ok(measure(&automaton, letters, method, limits))
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
        let mut lines = vec![];
        for (name, _) in CONSTRUCTIONS {
            let theirs = published.find(&[("construction", name)]);
            let theirs = |column: &str| theirs.map_or("", |row| row.text(column)).to_owned();
            let mut line =
                cells![name, grouped(&theirs("states")), grouped(&theirs("transitions"))];
            line.push(shown(sum(&easy, name, "states")));
            line.push(shown(sum(&easy, name, "transitions")));
            for case in DIFFICULT {
                line.push(shown(value(&format!("ncsb-{case:03}"), name, "states")));
            }
            lines.push(line);
        }
        page.table(
            &[
                "construction",
                ">published states",
                ">transitions",
                ">our states",
                ">transitions",
                ">055",
                ">056",
                ">060",
                ">061",
                ">062",
                ">078",
            ],
            &lines,
        );
        let done = |name: &&&str| {
            CONSTRUCTIONS.iter().all(|(c, _)| value(name, c, "simplified_states").is_some())
        };
        let common: Vec<&str> = easy.iter().filter(done).copied().collect();
        page.heading("Simplified (Table 8.3)");
        page.paragraph(&format!(
            "Our sums are over the {} automata whose complements were all simplified.",
            common.len()
        ));
        let published = table(include_str!("table-8-3.csv"));
        let mut lines = vec![];
        for (name, _) in CONSTRUCTIONS {
            let theirs = published.find(&[("construction", name)]);
            let theirs = |column: &str| grouped(theirs.map_or("", |row| row.text(column)));
            let mut line = vec![name.to_owned()];
            for column in ["states", "simplified_states"] {
                line.extend([theirs(column), shown(sum(&common, name, column))]);
            }
            let smallest = common.iter().filter(|automaton| {
                let size = |c: &str| value(automaton, c, "simplified_states").unwrap_or(f64::MAX);
                CONSTRUCTIONS.iter().all(|(other, _)| size(name) <= size(other))
            });
            line.extend(cells![theirs("smallest"), smallest.count()]);
            lines.push(line);
        }
        page.table(
            &[
                "construction",
                ">published states",
                ">ours",
                ">published simplified",
                ">ours",
                ">published smallest",
                ">ours",
            ],
            &lines,
        );
        let rivals = &CONSTRUCTIONS[..4];
        let point = |name: &&str| {
            let best = rivals.iter().filter_map(|(c, _)| value(name, c, "states"));
            Some((value(name, "ncsb", "states")?, best.fold(f64::INFINITY, f64::min)))
        };
        let points: Vec<(f64, f64)> =
            easy.iter().filter_map(point).filter(|(_, best)| best.is_finite()).collect();
        let least = points.iter().filter(|(own, best)| own <= best).count();
        let series = [Series { name: "easy".to_owned(), points: points.clone() }];
        page.figure(
            "ncsb-best-other.svg",
            "States by NCSB and by the best of Ramsey, ranks, determinization and slices",
            scatter(("NCSB", "best other"), &series),
        );
        let sample = Sample { cases: points.len(), least: 91 };
        page.conclude(
            "NCSB has the fewest states on each of the easy automata",
            Some(least == points.len()),
            sample,
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
        page.coverage(
            format!("{} automata", rows.distinct("automaton").len()),
            "all automata of the index in its order; nine are isomorphic to others and not in sums",
        );
        page
    }
}
