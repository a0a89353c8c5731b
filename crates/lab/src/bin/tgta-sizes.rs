//! Compares the sizes of TGTA by the way in which they are made.
//!
//! `tgta-sizes [--list] [--timeout SECONDS] FILE.csv…`
//!
//! A file has a header and a line per formula, with the formula in the first column. Formulas that
//! are not stutter-invariant are left out, as are those for which a way takes longer than 5 seconds.
//! With `--list`, those are named for which the tableau gives a smaller automaton.

use sempre_ltl::Formula;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_testing::{Tgta, TgtaOptions, require_invariance};
use sempre_translate::{Preference, Translator};
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: tgta-sizes [--list] [--timeout SECONDS] FILE.csv…";

/// The ways; sizes are compared with those of the second.
const WAYS: [&str; 6] = [
    "TGBA, as in the thesis",
    "TGBA",
    "deterministic TGBA",
    "tableau",
    "tableau, postponing",
    "smallest",
];

/// States and transitions.
type Size = (usize, u128);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let (mut list, mut timeout, mut files) = (false, Duration::from_secs(5), vec![]);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--list" => list = true,
            "--timeout" => {
                let seconds: f64 = arguments.next().ok_or(USAGE)?.parse()?;
                timeout = Duration::try_from_secs_f64(seconds)?;
            }
            file if !file.starts_with('-') => files.push(argument),
            _ => return Err(USAGE.into()),
        }
    }
    if files.is_empty() {
        return Err(USAGE.into());
    }
    let mut out = io::stdout().lock();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        let (mut left_out, mut sizes) = (0, vec![]);
        for line in text.lines().skip(1) {
            let formula: Formula = line.split(',').next().unwrap_or_default().parse()?;
            if require_invariance(&formula).is_err() {
                continue;
            }
            let Some(found) = sizes_of(&formula, timeout) else {
                left_out += 1;
                continue;
            };
            if list && found[3].min(found[4]) < found[1] {
                writeln!(out, "{formula}: {:?} {:?} {:?}", found[1], found[3], found[4])?;
            }
            sizes.push(found);
        }
        write_table(&file, &sizes, left_out, &mut out)?;
    }
    Ok(())
}

/// The sizes for a formula, unless there is not enough time or the automaton would be too large.
fn sizes_of(formula: &Formula, timeout: Duration) -> Option<[Size; 6]> {
    let options = TgtaOptions::default();
    let mut sizes = [(0, 0); 6];
    for (way, size) in sizes[..5].iter_mut().enumerate() {
        let make = || match way {
            0 => Tgta::new(&Translator::new().translate(formula), &TgtaOptions::THESIS).ok(),
            1 => Tgta::new(&Translator::new().translate(formula), &options).ok(),
            2 => {
                let mut translator = Translator::new().prefer(Preference::Deterministic);
                Tgta::new(&translator.translate(formula), &options).ok()
            }
            _ => Tgta::of_tableau(formula, way == 4, &options).ok().flatten(),
        };
        let deadline = Instant::now().checked_add(timeout);
        let tgta = interrupt::run(&Interrupt::default(), deadline, make).ok()??;
        *size = (tgta.state_count(), tgta.transition_count());
    }
    sizes[5] = sizes[..5].iter().copied().min()?;
    Some(sizes)
}

fn write_table(
    file: &str,
    sizes: &[[Size; 6]],
    left_out: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "{file}: {} formulas, {left_out} left out\n", sizes.len())?;
    writeln!(out, "| made of | states | transitions | smaller | alike | larger |")?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|")?;
    for (way, name) in WAYS.iter().enumerate() {
        let own = || sizes.iter().map(|sizes| sizes[way]);
        let states: usize = own().map(|size| size.0).sum();
        let transitions: u128 = own().map(|size| size.1).sum();
        let count = |order| sizes.iter().filter(|all| all[way].cmp(&all[1]) == order).count();
        use std::cmp::Ordering::{Equal, Greater, Less};
        let counts = [Less, Equal, Greater].map(count);
        let [smaller, alike, larger] = counts;
        writeln!(out, "| {name} | {states} | {transitions} | {smaller} | {alike} | {larger} |")?;
    }
    writeln!(out)
}
