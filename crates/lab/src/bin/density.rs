//! Prints how often comparisons of results find a fault, by the density of the structures.
//!
//! `density [SEED [COUNT]]`: COUNT random formulas (200 if not given) of each size for each density
//! and fault, as comma-separated values: the percentages of comparisons that differ at some state.

use sempre_cross::density::{POINTS, Point, measure};
use sempre_cross::faults::Fault;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

/// One fault of each kind: too much, too little, something else.
const FAULTS: [Fault; 3] = [Fault::NoAcceptance, Fault::FulfilledOnly, Fault::NextAsIdentity];

/// The formula sizes of the report.
const SIZES: std::ops::RangeInclusive<usize> = 5..=12;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
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

fn run() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    let arguments: Result<Vec<u64>, _> = std::env::args().skip(1).map(|a| a.parse()).collect();
    let (seed, count) = match arguments.as_deref() {
        Ok([]) => (1, 200),
        Ok([seed]) => (*seed, 200),
        Ok([seed, count]) => (*seed, *count as usize),
        _ => return Err("usage: density [SEED [COUNT]]".into()),
    };
    let sizes: Vec<String> = SIZES.map(|size| format!("n={size}")).collect();
    writeln!(out, "fault,density,{}", sizes.join(","))?;
    for fault in FAULTS {
        for point in POINTS {
            let density = match point {
                Point::Connected(density) => format!("{density:.1}"),
                Point::Sequential => "seq.".to_owned(),
            };
            write!(out, "{fault},{density}")?;
            for size in SIZES {
                let found = measure(fault, point, size, count, seed)?;
                write!(out, ",{:.1}", found.percentage())?;
            }
            writeln!(out)?;
            out.flush()?;
        }
    }
    Ok(())
}
