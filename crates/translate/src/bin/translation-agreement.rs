//! Looks for formulas about which the constructions disagree.
//!
//! `translation-agreement [--translator] [SEED [COUNT]]`: COUNT random formulas (20,000 if not
//! given) of up to 12 nodes over three propositions, with every operator. The exit code is 1 if
//! there is a disagreement; formulas that take longer than ten seconds are skipped, and counted.
//! With `--translator`, simplification and post-processing are tried too, not the constructions
//! alone.

use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{Priorities, Rng};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Op, Prop};
use sempre_translate::agreement::{CONSTRUCTIONS, TRANSLATORS, disagreement};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let (options, numbers): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument == "--translator");
    let constructions = if options.is_empty() { CONSTRUCTIONS } else { TRANSLATORS };
    let arguments: Result<Vec<u64>, _> = numbers.iter().map(|a| a.parse()).collect();
    let (seed, count) = match arguments.as_deref() {
        Ok([]) => (0, 20_000),
        Ok([seed]) => (*seed, 20_000),
        Ok([seed, count]) => (*seed, *count as usize),
        _ => {
            eprintln!("usage: translation-agreement [--translator] [SEED [COUNT]]");
            return ExitCode::from(2);
        }
    };
    let props = ["a", "b", "c"].map(Prop::new);
    let mut priorities = Priorities::equal(props.len());
    priorities.set(Op::StrictFinally, 1);
    priorities.set(Op::StrictGlobally, 1);
    let formulas = RandomFormulas::over(props).sizes(1..=12).priorities(priorities).seed(seed);
    let formulas = match formulas.generate() {
        Ok(formulas) => formulas,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let mut rng = Rng::new(seed);
    let (mut done, mut disagreements, mut skipped) = (0, 0, 0);
    for formula in formulas.take(count).flatten() {
        let deadline = Instant::now() + Duration::from_secs(10);
        match interrupt::run(&Interrupt::default(), Some(deadline), || {
            disagreement(&formula, &constructions, 20, &mut rng)
        }) {
            Ok(None) => {}
            Ok(Some(disagreement)) => {
                println!("{disagreement}");
                disagreements += 1;
            }
            Err(_) => {
                println!("no time for {formula}");
                skipped += 1;
            }
        }
        done += 1;
    }
    println!("{done} formulas, seed {seed}: {disagreements} disagreements, {skipped} skipped");
    ExitCode::from(u8::from(disagreements > 0))
}
