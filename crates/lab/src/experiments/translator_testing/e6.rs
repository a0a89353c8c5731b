//! E6: priorities that make all operators equally frequent (Table C.1), with observed numbers.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Parameter, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::statistics::shown;
use crate::table::{Row, Table};
use anyhow::Result;
use sempre_ltl::generate::distribution::{EPSILON, SEARCH_LIMIT, expected, probabilities, tune};
use sempre_ltl::generate::observed::Observed;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{OperatorSet, Priorities};
use sempre_ltl::{Arity, Op};

/// Repeats E6.
#[derive(Debug)]
pub struct E6;

const SETS: [(&str, OperatorSet); 2] = [("OP1", OperatorSet::Op1), ("OP2", OperatorSet::Op2)];

/// The number of formulas that decides whether observed numbers are as expected.
const LEAST: usize = 500;

impl Experiment for E6 {
    fn about(&self) -> About {
        About {
            name: "translator-testing/e6",
            summary: "Priorities that make operators equally frequent, and observed frequencies",
            source: Source { document: DOCUMENT, place: "Appendix C, Table C.1" },
            parameters: const {
                &[
                    parameter("sizes", "of formulas", "5 6 7 8 9 10 11 12", "5 6"),
                    parameter("formulas", "of each size", "10000", "500"),
                    parameter("seed", "of formulas", "0", "0"),
                ] as &[Parameter]
            },
            unit: &["operators", "size"],
            values: &[
                "unary",
                "binary",
                "expected_unary",
                "expected_binary",
                "equal_unary",
                "equal_binary",
                "formulas",
                "farthest",
                "largest_chi",
            ],
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let (count, seed) = (settings.number("formulas")?, settings.number("seed")?);
        for (name, set) in SETS {
            for size in settings.words("sizes") {
                bench.row(&[name, size], || measure(set, size.parse()?, count, seed))?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

/// Returns a row: the tuned priorities; the expected numbers of a unary and a binary operator with
/// them and with equal priorities; and how far observed numbers are from expected ones.
fn measure(set: OperatorSet, size: usize, count: usize, seed: u64) -> Result<Vec<String>> {
    let operators = set.operators();
    let of_arity =
        |unary: bool| operators.iter().filter(move |op| (op.arity() == Arity::Unary) == unary);
    let (unary, binary) =
        tune(of_arity(true).count(), of_arity(false).count(), size, EPSILON, SEARCH_LIMIT)?;
    let tuned = Priorities::common(operators, unary, binary);
    let equal = Priorities::common(operators, 1, 1);
    let [one, two] = [Op::Not, Op::Until];
    let mut observed = Observed::default();
    let formulas = RandomFormulas::over_numbered(5).size(size).priorities(tuned.clone()).seed(seed);
    for formula in formulas.generate()?.take(count) {
        observed.add(&formula?);
    }
    let (mut farthest, mut largest_chi) = (0.0f64, 0.0f64);
    for &op in operators {
        let exact = probabilities(&tuned, op, size)?;
        let mean = expected(&tuned, op, size)?;
        let squares: f64 = exact.iter().enumerate().map(|(k, p)| (k * k) as f64 * p).sum();
        let error = ((squares - mean * mean) / count as f64).sqrt();
        farthest = farthest.max((observed.mean(op) - mean).abs() / error);
        largest_chi = largest_chi.max(observed.chi_squared(op, &exact).deviations());
    }
    Ok(cells![
        unary,
        binary,
        format!("{:.6}", expected(&tuned, one, size)?),
        format!("{:.6}", expected(&tuned, two, size)?),
        format!("{:.4}", expected(&equal, one, size)?),
        format!("{:.4}", expected(&equal, two, size)?),
        count,
        format!("{farthest:.2}"),
        format!("{largest_chi:.2}")
    ])
}

fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let published = Table::parse(include_str!("table-c-1.csv"), ',').unwrap_or_default();
    let theirs = |row: &Row<'_>, column: &str| {
        let key = [("operators", row.text("operators")), ("size", row.text("size"))];
        published.find(&key).map_or("–".to_owned(), |row| row.text(column).to_owned())
    };
    page.heading("Table C.1");
    page.paragraph(
        "Priorities of each unary / binary operator, published and ours; the expected number of a \
         unary / binary operator in a formula, with these priorities and with equal ones. Observed: \
         for the operator that is farthest from expectation, the distance of its mean in standard \
         errors, and the largest χ² over the exact distribution of an operator, as the distance from \
         its mean in standard deviations.",
    );
    let rows: Vec<Row<'_>> = record.rows().rows().collect();
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let both = |one: &str, two: &str| format!("{} / {}", row.text(one), row.text(two));
            cells![
                row.text("operators"),
                row.text("size"),
                format!("{} / {}", theirs(row, "unary"), theirs(row, "binary")),
                both("unary", "binary"),
                both("expected_unary", "expected_binary"),
                both("equal_unary", "equal_binary"),
                row.text("farthest"),
                row.text("largest_chi")
            ]
        })
        .collect();
    page.table(
        &[
            "operators",
            ">size",
            ">published",
            ">ours",
            ">expected",
            ">with equal priorities",
            ">mean observed",
            ">χ² observed",
        ],
        &lines,
    );
    let same = |row: &&Row<'_>| {
        ["unary", "binary"].iter().all(|column| theirs(row, column) == row.text(column))
    };
    let count = rows.iter().filter(same).count();
    let pairs = Sample { cases: rows.len(), least: 16 };
    page.conclude(
        "The search finds the published priorities",
        Some(count == rows.len()),
        pairs,
        format!("{count} of {} pairs are equal", rows.len()),
    );
    let near = rows.iter().filter(|row| row.text("expected_unary") == row.text("expected_binary"));
    let near = near.count();
    page.conclude(
        "With these priorities, unary and binary operators are equally frequent",
        Some(near == rows.len()),
        pairs,
        format!("{near} of {} pairs, to six decimals", rows.len()),
    );
    let favoured = rows.iter().filter(|row| row.number("equal_unary") > row.number("equal_binary"));
    let favoured = favoured.count();
    page.conclude(
        "Equal priorities favour unary operators",
        Some(favoured == rows.len()),
        pairs,
        format!("{favoured} of {} pairs", rows.len()),
    );
    let largest = |column: &str| {
        let values = rows.iter().filter_map(|row| row.number(column));
        values.fold(None, |most: Option<f64>, value| Some(most.map_or(value, |m| m.max(value))))
    };
    let (farthest, chi) = (largest("farthest"), largest("largest_chi"));
    let formulas = rows.iter().filter_map(|row| row.number("formulas")).map(|n| n as usize);
    page.conclude(
        "Observed numbers of operators follow the exact distribution (four standard errors; χ² within \
         five standard deviations)",
        farthest.zip(chi).map(|(mean, chi)| mean <= 4.0 && chi <= 5.0),
        Sample::smallest(formulas, LEAST),
        format!("means: at most {} standard errors; χ²: {}", shown(farthest, 2), shown(chi, 2)),
    );
    page.coverage(
        format!(
            "{} of the 16 pairs; {} formulas for each, for the observed numbers",
            rows.len(),
            record.settings().text("formulas")
        ),
        "the report's search from priorities 1 and 2; random formulas from the seed",
    );
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_published_priorities() {
        let row = measure(OperatorSet::Op1, 5, 500, 3).unwrap();
        assert_eq!(row[..2], ["3667", "13443"]);
        assert_eq!(row[2], "0.363636");
        assert!(row[7].parse::<f64>().unwrap() < 4.0, "{row:?}");
    }
}
