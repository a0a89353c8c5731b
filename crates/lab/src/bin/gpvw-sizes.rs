//! Prints the mean sizes of classic tableaux beside the published ones.
//!
//! `gpvw-sizes [SEED [COUNT]]`: with a seed, COUNT random formulas (1,000 if not given) of each
//! size and operator set of the report, each mean with its standard error. The exit code is 1 if a
//! mean is further from the published one than sampling explains: a tenth for states, three tenths
//! for transitions, whose numbers vary much more, or three standard errors if that is more.

use sempre_ltl::generate::OperatorSet;
use sempre_translate::classic::sizes::{FORMULA_SIZES, Mean, measure, published};
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // Whoever reads has read enough.
        Err(error) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe)
}

/// Prints the tables; true if they agree with those that were published.
fn run() -> Result<bool, Box<dyn Error>> {
    let mut out = io::stdout().lock();
    let arguments: Result<Vec<u64>, _> = std::env::args().skip(1).map(|a| a.parse()).collect();
    let (seed, count) = match arguments.as_deref() {
        Ok([]) => (0, 1000),
        Ok([seed]) => (*seed, 1000),
        Ok([seed, count]) if *count >= 2 => (*seed, *count as usize),
        _ => return Err("usage: gpvw-sizes [SEED [COUNT]], with a COUNT of 2 or more".into()),
    };
    let mut agree = true;
    for (operators, table) in [(OperatorSet::Op1, "6.10"), (OperatorSet::Op2, "6.11")] {
        writeln!(out, "Table {table}: {count} random formulas of each size, seed {seed}")?;
        writeln!(out, "size      states  published     transitions  published")?;
        for size in FORMULA_SIZES {
            let Some((wanted_states, wanted_edges)) = published(operators, size) else { continue };
            let (states, edges) = measure(operators, size, count, seed)?;
            writeln!(
                out,
                "{size:>4} {:>11} {wanted_states:>10} {:>15} {wanted_edges:>10}",
                shown(states),
                shown(edges)
            )?;
            agree &= states.agrees_with(wanted_states, 0.1);
            agree &= edges.agrees_with(wanted_edges, 0.3);
        }
        writeln!(out)?;
    }
    Ok(agree)
}

fn shown(mean: Mean) -> String {
    format!("{:.1} ±{:.1}", mean.value, mean.error)
}
