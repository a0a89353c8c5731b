//! Looks for systems and formulas about which kinds of automata disagree.
//!
//! `testing-agreement [SEED [PAIRS]]`: 50,000 pairs of a random structure and a random
//! stutter-invariant formula if no number is given, and those with other formulas that come up.
//! Exits with 1 if there is a disagreement.

use sempre_lab::agree::testing::compare;
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// True if all agree.
fn run() -> Result<bool, Box<dyn Error>> {
    let numbers: Result<Vec<u64>, _> = std::env::args().skip(1).map(|a| a.parse()).collect();
    let (seed, pairs) = match numbers.as_deref() {
        Ok([]) => (0, 50_000),
        Ok([seed]) => (*seed, 50_000),
        Ok([seed, pairs]) => (*seed, *pairs),
        _ => return Err("usage: testing-agreement [SEED [PAIRS]]".into()),
    };
    let mut told = 0;
    let (tally, found) = compare(seed, pairs, |tally| {
        if tally.pairs >= told + 5_000 {
            told = tally.pairs;
            eprintln!("{} pairs, {} checks", tally.pairs, tally.checks);
        }
    })?;
    if let Some(found) = &found {
        println!("{found}");
    }
    println!(
        "seed {seed}: {} pairs, {} with other formulas, of which {} hold, {} checks, {} disagreements",
        tally.pairs,
        tally.others,
        tally.holding,
        tally.checks,
        u8::from(found.is_some())
    );
    Ok(found.is_none())
}
