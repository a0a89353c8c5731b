//! Sizes of reduced automata beside those of another tool.
//!
//! `cargo run --release -p sempre-automata --example reduction-report -- CSV INPUT_DIR`
//!
//! The table has the columns `automaton` (a file in the directory), `states`, `edges`,
//! `reduced_states`, `reduced_edges` and `reduced_marks`: what another tool made of it.

use sempre_automata::reduce::{Level, reduce};
use sempre_automata::{Automaton, hoa, parallel};
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

const LEVELS: [Level; 3] = [Level::Low, Level::Medium, Level::High];

/// States and edges.
type Size = (usize, usize);

struct Row {
    name: String,
    before: Size,
    theirs: Size,
    ours: [Size; 3],
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [table, directory] = arguments.as_slice() else {
        return Err("usage: reduction-report CSV INPUT_DIR".into());
    };
    let (rows, times) = measure(&std::fs::read_to_string(table)?, Path::new(directory))?;
    print(&rows, times);
    Ok(())
}

fn measure(table: &str, directory: &Path) -> Result<(Vec<Row>, [Duration; 3]), Box<dyn Error>> {
    let (mut rows, mut times) = (vec![], [Duration::ZERO; 3]);
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let [name, numbers @ ..] = columns.as_slice() else { continue };
        let numbers: Vec<usize> = numbers.iter().map(|n| n.parse()).collect::<Result<_, _>>()?;
        let text = std::fs::read_to_string(directory.join(name))?;
        let automaton = hoa::parse(&text)?.nondeterministic().ok_or("an alternating automaton")?;
        let mut ours = [(0, 0); 3];
        for (place, level) in LEVELS.into_iter().enumerate() {
            let start = Instant::now();
            let reduced = reduce(&automaton, level);
            times[place] += start.elapsed();
            ours[place] = size(&reduced);
        }
        let theirs = (numbers[2], numbers[3]);
        rows.push(Row { name: name.to_string(), before: size(&automaton), theirs, ours });
    }
    Ok((rows, times))
}

fn size(automaton: &Automaton) -> Size {
    (automaton.state_count(), parallel::merge(automaton).edge_count())
}

fn print(rows: &[Row], times: [Duration; 3]) {
    let line = |before: Size, theirs: Size, ours: [Size; 3], name: &str| {
        let [low, medium, high] = ours.map(|size| format!("{}/{}", size.0, size.1));
        let (before, theirs) =
            (format!("{}/{}", before.0, before.1), format!("{}/{}", theirs.0, theirs.1));
        println!("{before:>11}{theirs:>11}{low:>11}{medium:>11}{high:>11}  {name}");
    };
    println!(
        "{:>11}{:>11}{:>11}{:>11}{:>11}  (states/edges)",
        "before", "theirs", "low", "medium", "high"
    );
    for row in rows {
        line(row.before, row.theirs, row.ours, &row.name);
    }
    let sum = |size: &dyn Fn(&Row) -> Size| {
        rows.iter().map(size).fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    };
    let ours = [0, 1, 2].map(|level| sum(&|row: &Row| row.ours[level]));
    line(sum(&|row| row.before), sum(&|row| row.theirs), ours, "sum");
    println!("time: low {:.1?}, medium {:.1?}, high {:.1?}", times[0], times[1], times[2]);
    println!("\nwith more states than theirs at the highest level:");
    for row in rows.iter().filter(|row| row.ours[2].0 > row.theirs.0) {
        line(row.before, row.theirs, row.ours, &row.name);
    }
}
