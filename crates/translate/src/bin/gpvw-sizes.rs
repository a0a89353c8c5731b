//! Prints the mean sizes of classic tableaux beside the published ones.
//!
//! `gpvw-sizes [SEED [COUNT]]`: with a seed, COUNT random formulas (1,000 if not given) of each
//! size and operator set of the report, each mean with its standard error. The exit code is 1 if a
//! mean is further from the published one than sampling explains: a tenth for states, three tenths
//! for transitions, whose numbers vary much more, or three standard errors if that is more.

use sempre_ltl::generate::OperatorSet;
use sempre_translate::classic::sizes::{FORMULA_SIZES, Mean, measure, published};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Result<Vec<u64>, _> = std::env::args().skip(1).map(|a| a.parse()).collect();
    let (seed, count) = match arguments.as_deref() {
        Ok([]) => (0, 1000),
        Ok([seed]) => (*seed, 1000),
        Ok([seed, count]) if *count >= 2 => (*seed, *count as usize),
        _ => {
            eprintln!("usage: gpvw-sizes [SEED [COUNT]], with a COUNT of 2 or more");
            return ExitCode::from(2);
        }
    };
    let mut agree = true;
    for (operators, table) in [(OperatorSet::Op1, "6.10"), (OperatorSet::Op2, "6.11")] {
        println!("Table {table}: {count} random formulas of each size, seed {seed}");
        println!("size      states  published     transitions  published");
        for size in FORMULA_SIZES {
            let Some((wanted_states, wanted_edges)) = published(operators, size) else { continue };
            let (states, edges) = match measure(operators, size, count, seed) {
                Ok(means) => means,
                Err(error) => {
                    eprintln!("{error}");
                    return ExitCode::from(2);
                }
            };
            println!(
                "{size:>4} {:>11} {wanted_states:>10} {:>15} {wanted_edges:>10}",
                shown(states),
                shown(edges)
            );
            agree &= states.agrees_with(wanted_states, 0.1);
            agree &= edges.agrees_with(wanted_edges, 0.3);
        }
        println!();
    }
    ExitCode::from(u8::from(!agree))
}

fn shown(mean: Mean) -> String {
    format!("{:.1} ±{:.1}", mean.value, mean.error)
}
