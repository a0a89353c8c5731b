//! Measures how the comparison of results depends on the density of structures.
//!
//! Section 6.3 of the report, Figures 6.8 and 6.9, whose data are not printed. For faults that
//! accept too much, dense structures show fewer differences, since some path is accepted anyway;
//! structures with a single path show many. Other faults show no such trend. The SPIN versions of
//! the report are historical; deliberately faulty participants replace them.

use crate::bench::Bench;
use crate::cells;
use crate::experiment::{Parameter, parameter};
use crate::page::{Page, Sample};
use crate::plot::{Series, curves};
use crate::record::Record;
use crate::statistics::{mean, shown};
use anyhow::Result;
use sempre_automata::random::KripkeKind;
use sempre_cross::faults::Fault;
use sempre_cross::{
    Limits, Participant, Polarity, Scope, StructureKind, Structures, global_answer,
};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{OperatorSet, Priorities};

pub(super) const PARAMETERS: &[Parameter] = &[
    parameter("sizes", "of formulas", "5 6 7 8 9 10 11 12", "6"),
    parameter("formulas", "for each size and density, each also negated", "1000", "10"),
    parameter("seed", "of formulas and structures", "1", "1"),
];

pub(super) const UNIT: &[&str] = &["density", "size"];

pub(super) const VALUES: &[&str] = &["fault", "performed", "global", "local"];

/// One fault of each kind: too much, too little, and another.
pub(super) const FAULTS: [Fault; 3] =
    [Fault::NoAcceptance, Fault::FulfilledOnly, Fault::NextAsIdentity];

/// A kind of structures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Point {
    /// Random connected graphs of this density.
    Connected(f64),
    /// Random structures with a single path.
    Sequential,
}

/// The number of comparisons, and of those with a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Differences {
    /// All comparisons: two for each formula.
    performed: usize,
    /// Those with a difference at some state.
    global: usize,
    /// Those with a difference at the initial state.
    local: usize,
}

/// Compares each faulty participant with a correct one, on random formulas of the report (all
/// operators, five propositions) of one size and their negations, on one structure of 50 states for
/// each formula.
fn measure(point: Point, size: usize, count: usize, seed: u64) -> Result<[Differences; 3]> {
    let structures = structures(point, seed);
    let participants = FAULTS.map(Fault::participant);
    let correct = Fault::None.participant();
    let mut found = [Differences { performed: 0, global: 0, local: 0 }; 3];
    for (number, formula) in (1..=count).zip(formulas(size, seed)?.generate()?) {
        let formula = formula?;
        for structure in structures.of_round(number, &formula)? {
            let answer = |participant: &Participant, polarity: Polarity| {
                let made = participant.translate(&polarity.of(&formula), &Limits::default());
                made.result.map(|made| global_answer(&structure, &made, Scope::Global).accepting)
            };
            for polarity in Polarity::ALL {
                let right = answer(&correct, polarity)?;
                for (participant, found) in participants.iter().zip(&mut found) {
                    let wrong = answer(participant, polarity)?;
                    let initial = structure.initial().index();
                    found.performed += 1;
                    found.global += usize::from(wrong != right);
                    found.local += usize::from(wrong[initial] != right[initial]);
                }
            }
        }
    }
    Ok(found)
}

fn formulas(size: usize, seed: u64) -> Result<RandomFormulas> {
    let priorities = Priorities::report(OperatorSet::Op2, size)?;
    Ok(RandomFormulas::over_numbered(5).size(size).priorities(priorities).seed(seed))
}

fn structures(point: Point, seed: u64) -> Structures {
    let (kind, density) = match point {
        Point::Connected(density) => (KripkeKind::Connected, density),
        Point::Sequential => (KripkeKind::Sequential, 0.0),
    };
    Structures { kind: StructureKind::Random(kind), density, seed, ..Structures::default() }
}

pub(super) fn run(bench: &mut Bench<'_>, points: &[Point]) -> Result<()> {
    let settings = bench.settings().clone();
    let (count, seed) = (settings.number("formulas")?, settings.number("seed")?);
    for size in settings.words("sizes") {
        for &point in points {
            let density = match point {
                Point::Connected(density) => format!("{density:.1}"),
                Point::Sequential => "seq.".to_owned(),
            };
            bench.unit(&[&density, size], || {
                let found = measure(point, size.parse()?, count, seed)?;
                let rows = FAULTS.iter().zip(found);
                Ok(rows
                    .map(|(fault, of)| cells![fault, of.performed, of.global, of.local])
                    .collect())
            })?;
        }
    }
    Ok(())
}

/// Returns the percentage of comparisons that differ at some state, over all sizes or for one.
pub(super) fn percentage(
    record: &Record,
    fault: &str,
    density: &str,
    size: Option<&str>,
) -> Option<f64> {
    let rows = record.rows().rows().filter(|row| {
        row.text("fault") == fault
            && row.text("density") == density
            && size.is_none_or(|size| row.text("size") == size)
    });
    mean(rows.filter_map(|row| Some(100.0 * row.number("global")? / row.number("performed")?)))
}

/// The number of comparisons of a fault and a density that decides a conclusion.
const LEAST: usize = 400;

/// Returns the comparisons behind the percentages of some faults and densities.
pub(super) fn sample(record: &Record, faults: &[Fault], densities: &[&str]) -> Sample {
    let groups = faults.iter().flat_map(|fault| {
        let fault = fault.to_string();
        densities.iter().map(move |density| {
            let rows = record.rows().rows();
            let rows = rows.filter(|r| r.text("fault") == fault && r.text("density") == *density);
            rows.filter_map(|row| row.number("performed")).sum::<f64>() as usize
        })
    });
    Sample::smallest(groups, LEAST)
}

/// Makes the table, with a plot for each fault if there are several densities.
pub(super) fn page(record: &Record, cases: &str) -> Page {
    let mut page = Page::default();
    let [faults, densities, sizes] =
        ["fault", "density", "size"].map(|column| record.rows().distinct(column));
    page.heading("Differences");
    page.paragraph(
        "Percent of the comparisons that differ at some state, by the fault of one participant, the \
         density of structures and the size of formulas.",
    );
    let mut lines = vec![];
    for fault in &faults {
        for density in &densities {
            let cells =
                sizes.iter().map(|size| shown(percentage(record, fault, density, Some(size)), 1));
            let all = shown(percentage(record, fault, density, None), 1);
            lines.push(cells![fault, density].into_iter().chain(cells).chain([all]).collect());
        }
    }
    let names: Vec<String> = sizes.iter().map(|size| format!(">n = {size}")).collect();
    let titles = ["fault", ">density"].into_iter().chain(names.iter().map(String::as_str));
    page.table(&titles.chain([">mean"]).collect::<Vec<_>>(), &lines);
    if densities.len() > 1 {
        page.heading("Curves");
        for fault in &faults {
            let series = sizes.iter().map(|size| {
                let points = densities.iter().filter_map(|density| {
                    Some((density.parse().ok()?, percentage(record, fault, density, Some(size))?))
                });
                Series { name: format!("n = {size}"), points: points.collect() }
            });
            let series: Vec<Series> = series.collect();
            let file = format!("{}.svg", fault.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
            let caption = format!("Percent of comparisons that differ, fault {fault}");
            page.figure(&file, &caption, curves(("density", "percent"), &series));
        }
    }
    page.coverage(
        format!(
            "{} points with {} formulas each, and their negations; {cases}",
            record.rows().len(),
            record.settings().text("formulas")
        ),
        "random formulas of the report's distribution and random structures from the seed",
    );
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use sempre_cross::{Session, Statistics, Test, Tests};

    /// The differences of the first two faults, which accept too much and too little.
    fn found(point: Point) -> [Differences; 3] {
        let found = measure(point, 8, 80, 1).unwrap();
        for of in found {
            assert_eq!(of.performed, 160);
            assert!(of.local <= of.global);
        }
        found
    }

    #[test]
    fn too_much_shows_less_in_dense_structures_and_too_little_everywhere() {
        let [sparse, some, dense] = [0.0, 0.1, 0.5].map(|d| found(Point::Connected(d)));
        let [sequential, ..] = found(Point::Sequential);
        assert!(sparse[0].global > some[0].global && some[0].global > dense[0].global);
        assert!(sequential.global > dense[0].global);
        let shares = [sparse, some, dense].map(|found| 100.0 * found[1].global as f64 / 160.0);
        let least = shares.into_iter().fold(f64::INFINITY, f64::min);
        let most = shares.into_iter().fold(0.0, f64::max);
        assert!(least > 20.0 && most - least < 25.0, "{shares:?}");
    }

    #[test]
    fn differences_are_those_of_the_third_test() {
        for point in [Point::Connected(0.1), Point::Sequential] {
            let found = measure(point, 6, 25, 3).unwrap();
            for (fault, found) in FAULTS.into_iter().zip(found) {
                let session = Session::new(vec![Fault::None.participant(), fault.participant()])
                    .tests(Tests::default().only(Test::Comparison))
                    .structures(structures(point, 3));
                let mut statistics = Statistics::new(&session);
                let formulas = formulas(6, 3).unwrap().generate().unwrap();
                for (number, formula) in (1..=25).zip(formulas) {
                    statistics.add(&session.round(number, &formula.unwrap()));
                }
                let pair = statistics.pair(0, 1);
                let tally = pair.tests(Test::Comparison);
                assert_eq!((found.performed, found.global), (tally.performed, tally.failed));
                assert_eq!(found.local, pair.local);
            }
        }
    }
}
