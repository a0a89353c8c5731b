//! Finds loops that may be exponential and do not poll limits: loops over cubes, letter classes and
//! subsets, loops over all valuations, and worklists that grow while they are processed.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose algorithms may take exponential time.
const CRATES: [&str; 5] = ["automata", "translate", "testing", "symbolic", "hybrid"];

/// Parts of the header of a loop that may have exponentially many rounds.
const EXPONENTIAL: [&str; 15] = [
    "cubes",
    "classes",
    "subset",
    "powerset",
    "macrostates",
    "letters",
    ".pop()",
    ".pop_front()",
    ".pop_first()",
    "1 << ",
    "1u32 << ",
    "1u64 << ",
    "steps.len()",
    "visited < ",
    "next < ",
];

/// Calls that look at limits.
const POLLS: [&str; 3] = ["poll();", "poll_now();", ".tick("];

/// Files whose loops end soon for another reason.
const EXCEPTIONS: [(&str, &str); 6] = [
    ("automata/src/draw/", "drawings have a bounded number of states"),
    ("automata/src/hoa/body.rs", "a text has at least one character for each round"),
    ("automata/src/formats/ats.rs", "a text has at least one word for each letter"),
    ("automata/src/random/", "random automata have few propositions"),
    ("automata/src/kripke.rs", "one round for each state"),
    ("automata/src/transform/property.rs", "one round for each property"),
];

/// A loop of a source text, by lines.
struct Loop {
    /// The first line, from 0.
    start: usize,
    /// The line after the last.
    end: usize,
    header: String,
}

/// Returns the loops of a source text that may be exponential.
fn loops(lines: &[&str]) -> Vec<Loop> {
    let mut found = vec![];
    for start in 0..lines.len() {
        let line = lines[start].trim_start();
        let line = match line.split_once(": ") {
            Some((label, rest)) if label.starts_with('\'') => rest,
            _ => line,
        };
        if !["for ", "while "].iter().any(|keyword| line.starts_with(keyword)) {
            continue;
        }
        let Some(open) = (start..lines.len()).find(|&at| lines[at].trim_end().ends_with('{'))
        else {
            continue;
        };
        let header =
            lines[start..=open].iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        if !EXPONENTIAL.iter().any(|part| header.contains(part)) {
            continue;
        }
        // Code is formatted: the loop ends with a brace below its first letter.
        let indent = lines[start].len() - lines[start].trim_start().len();
        let closes = |at: &usize| {
            let line = lines[*at];
            line.trim() == "}" && line.len() - line.trim_start().len() == indent
        };
        let end = (open + 1..lines.len()).find(closes).unwrap_or(lines.len());
        found.push(Loop { start, end, header });
    }
    found
}

fn polls(line: &str) -> bool {
    POLLS.iter().any(|poll| line.contains(poll))
}

/// Returns the loops that may be exponential and do not poll.
fn unpolled(source: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let silent = loops(&lines)
        .into_iter()
        .filter(|found| !lines[found.start..found.end].iter().any(|line| polls(line)));
    silent.map(|found| found.header).collect()
}

/// Returns the sources below a folder, without tests, each with its name.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.contains("test") || name == "arbitrary.rs" {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned();
            found.push((path.to_str().unwrap().to_owned(), code));
        }
    }
}

fn all_sources() -> Vec<(String, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = vec![];
    for name in CRATES {
        sources(&crates.join(name).join("src"), &mut found);
    }
    found
}

fn exception(file: &str) -> Option<usize> {
    EXCEPTIONS.iter().position(|(part, _)| file.contains(part))
}

#[test]
fn loops_that_may_be_exponential_poll() {
    let mut silent = vec![];
    let mut is_needed = [false; EXCEPTIONS.len()];
    for (file, source) in all_sources() {
        for header in unpolled(&source) {
            match exception(&file) {
                Some(place) => is_needed[place] = true,
                None => silent.push(format!("{file}: {header}")),
            }
        }
    }
    assert!(silent.is_empty(), "loops without a poll:\n{}", silent.join("\n"));
    assert_eq!(is_needed, [true; EXCEPTIONS.len()], "an exception is not needed");
}

/// Removing the only poll of a loop is noticed, for every loop that has only one.
#[test]
fn a_removed_poll_is_noticed() {
    let mut removals = 0;
    for (file, source) in all_sources() {
        let lines: Vec<&str> = source.lines().collect();
        let before = unpolled(&source).len();
        for found in loops(&lines) {
            let places: Vec<usize> =
                (found.start..found.end).filter(|&at| polls(lines[at])).collect();
            let [place] = places[..] else { continue };
            let mut without = lines.clone();
            without.remove(place);
            let after = unpolled(&without.join("\n"));
            assert!(
                after.len() > before && after.contains(&found.header),
                "{file}: {} without its poll",
                found.header
            );
            removals += 1;
        }
    }
    assert!(removals >= 10, "only {removals} removals");
}
