//! Repeats the experiments of A. E. Ben Salem, Improving the model checking of stutter-invariant LTL
//! properties (2014), and prints our figures beside the published ones.
//!
//! `testing-report e1|e2|e3|e4 [--formulas N] [--least N] [--orders N] [--seed N] [--large]`
//!
//! - `e1`: Büchi automata, generalized ones, and testing automata in two passes.
//! - `e2`: generalized Büchi automata, testing automata with second passes avoided, single-pass
//!   testing automata.
//! - `e3`: generalized Büchi automata, testing automata, TGTA.
//! - `e4`: the same after generalized Büchi automata were made small by all means.
//!
//! In all but the first, also our variants. Formulas are random: RND over four places, WFair a
//! formula over two places under two to five assumptions that places are marked infinitely often.
//! Those are kept for which every approach explores at least so many transitions. For violated ones,
//! figures are means over several orders of successors.

mod approach;
mod experiment;
mod published;

use approach::Approach;
use experiment::{Class, Model, Results, Settings};
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "usage: testing-report e1|e2|e3|e4 [--formulas N] [--least N] [--orders N] \
                     [--seed N] [--large]";

fn main() -> ExitCode {
    match settings().and_then(|settings| report(&settings)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn settings() -> Result<Settings, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    use Approach::*;
    let (approaches, reduced) = match arguments.next().as_deref() {
        Some("e1") => (vec![Tgba, Ba, TwoPassTa], false),
        Some("e2") => (vec![Tgba, Ta, Sta, OurTa, OurSta], false),
        Some("e3") => (vec![Tgba, Ta, Tgta, OurTgta], false),
        Some("e4") => (vec![Tgba, Ta, Tgta, OurTa, OurSta, OurTgta], true),
        _ => return Err(USAGE.into()),
    };
    let (formulas, least, orders, seed, large) = (20, 2_000, 5, 0, false);
    let mut settings = Settings { approaches, reduced, formulas, least, orders, seed, large };
    while let Some(argument) = arguments.next() {
        let mut number =
            || -> Result<u64, Box<dyn Error>> { Ok(arguments.next().ok_or(USAGE)?.parse()?) };
        match argument.as_str() {
            "--formulas" => settings.formulas = number()?.max(1) as usize,
            "--least" => settings.least = number()?,
            "--orders" => settings.orders = number()?.max(1),
            "--seed" => settings.seed = number()?,
            "--large" => settings.large = true,
            _ => return Err(USAGE.into()),
        }
    }
    Ok(settings)
}

fn report(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let mut results = vec![];
    for model in Model::ALL {
        eprintln!("{}", model.name(settings.large));
        results.push((model, experiment::run(model, settings)?));
    }
    let mut out = io::stdout().lock();
    for class in Class::ALL {
        write_class(class, &results, settings, &mut out)?;
    }
    Ok(())
}

/// Prints a table; ratios are to the generalized Büchi automaton.
fn write_class(
    class: Class,
    results: &[(Model, Results)],
    settings: &Settings,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "### {}\n", class.name())?;
    writeln!(
        out,
        "| model | approach | formulas | aut. states | aut. transitions | explored states | explored \
         transitions | ÷ TGBA | thesis | time ÷ TGBA |"
    )?;
    writeln!(out, "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    let mut means = vec![(vec![], vec![], vec![]); settings.approaches.len()];
    for (model, results) in results {
        let sums = &results[class as usize];
        if sums[0].formulas == 0 {
            writeln!(
                out,
                "| {} | no such formula was found | | | | | | | | |",
                model.name(settings.large)
            )?;
            continue;
        }
        for (place, (approach, own)) in settings.approaches.iter().zip(sums).enumerate() {
            let ratio = own.explored_transitions as f64 / sums[0].explored_transitions as f64;
            let time = own.time.as_secs_f64() / sums[0].time.as_secs_f64();
            let of = |approach| published::measured(settings.reduced, class, *model, approach);
            let theirs = match (of(*approach), of(Approach::Tgba)) {
                (Some((_, _, own)), Some((_, _, tgba))) => Some(own as f64 / tgba as f64),
                _ => None,
            };
            means[place].0.push(ratio);
            means[place].1.extend(theirs);
            means[place].2.push(time);
            let name = if place == 0 { model.name(settings.large) } else { String::new() };
            writeln!(
                out,
                "| {name} | {} | {} | {} | {} | {} | {} | {ratio:.2} | {} | {time:.2} |",
                approach.name(),
                own.formulas,
                own.states / own.formulas,
                own.transitions / own.formulas,
                own.explored_states / own.formulas,
                own.explored_transitions / own.formulas,
                theirs.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            )?;
        }
    }
    for (approach, (ratios, theirs, times)) in settings.approaches.iter().zip(&means) {
        writeln!(
            out,
            "| geometric mean | {} | | | | | | {} | {} | {} |",
            approach.name(),
            geometric(ratios),
            geometric(theirs),
            geometric(times),
        )?;
    }
    writeln!(out)
}

fn geometric(ratios: &[f64]) -> String {
    if ratios.is_empty() {
        return String::new();
    }
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
    format!("{:.2}", mean.exp())
}
