//! Looks for formulas about which the constructions disagree.
//!
//! `translation-agreement [--translator] [SEED [COUNT]]`: COUNT random formulas (20,000 if not
//! given) of up to 12 nodes over three propositions, with every operator. The exit code is 1 if
//! there is a disagreement; formulas that take longer than ten seconds are skipped, and counted.
//! With `--translator`, simplification and post-processing are tried too, not the constructions
//! alone.

use sempre_lab::agree::translation::{CONSTRUCTIONS, TRANSLATORS, disagreement};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{Priorities, Rng};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Op, Prop};
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
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

/// The number of disagreements.
fn run() -> Result<u64, Box<dyn Error>> {
    let mut out = io::stdout().lock();
    let (options, numbers): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument == "--translator");
    let constructions = if options.is_empty() { CONSTRUCTIONS } else { TRANSLATORS };
    let arguments: Result<Vec<u64>, _> = numbers.iter().map(|a| a.parse()).collect();
    let (seed, count) = match arguments.as_deref() {
        Ok([]) => (0, 20_000),
        Ok([seed]) => (*seed, 20_000),
        Ok([seed, count]) => (*seed, *count as usize),
        _ => return Err("usage: translation-agreement [--translator] [SEED [COUNT]]".into()),
    };
    let props = ["a", "b", "c"].map(Prop::new);
    let mut priorities = Priorities::equal(props.len());
    priorities.set(Op::StrictFinally, 1);
    priorities.set(Op::StrictGlobally, 1);
    let formulas = RandomFormulas::over(props).sizes(1..=12).priorities(priorities).seed(seed);
    let formulas = formulas.generate()?;
    let mut rng = Rng::new(seed);
    let (mut done, mut disagreements, mut skipped) = (0, 0, 0);
    for formula in formulas.take(count).flatten() {
        let deadline = Instant::now() + Duration::from_secs(10);
        match interrupt::run(&Interrupt::default(), Some(deadline), || {
            disagreement(&formula, &constructions, 20, &mut rng)
        }) {
            Ok(None) => {}
            Ok(Some(disagreement)) => {
                writeln!(out, "{disagreement}")?;
                disagreements += 1;
            }
            Err(_) => {
                writeln!(out, "no time for {formula}")?;
                skipped += 1;
            }
        }
        done += 1;
    }
    writeln!(
        out,
        "{done} formulas, seed {seed}: {disagreements} disagreements, {skipped} skipped"
    )?;
    Ok(disagreements)
}
