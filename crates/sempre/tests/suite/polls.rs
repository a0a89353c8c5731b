//! Finds loops that may be exponential and do not poll limits: loops over cubes, letter classes and
//! subsets, loops over all valuations, and worklists that grow while they are processed.
//!
//! A loop needs a poll of its own: one in a loop inside it may have no rounds. Polls elsewhere, in
//! functions and in loops that are not recognized, are counted by file in `polls.txt`. So no poll of
//! a listed file can be removed without a failure. `POLLS=overwrite cargo test -p sempre --test
//! suite polls` writes the current counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose algorithms may take exponential time.
const CRATES: [&str; 8] = [
    "automata",
    "translate",
    "testing",
    "certificate",
    "certificate-sets",
    "explicit",
    "symbolic",
    "hybrid",
];

/// Polls whose removal is tried by name: the file, and the header of the loop.
const NAMED: [(&str, &str); 12] = [
    ("automata/src/isomorphism.rs", "while let Some(colours) = branches.pop() {"),
    ("automata/src/state_based.rs", "while visited < copies.len() {"),
    ("automata/src/determinize/safra.rs", "while visited < trees.len() {"),
    ("certificate/src/obligations.rs", "while let Some(mut branch) = branches.pop() {"),
    ("explicit/src/emptiness/reachability.rs", "while goal.is_none() && next < queue.len() {"),
    ("explicit/src/steps/search.rs", "while let Some((mut nodes, neglected)) = work.pop() {"),
    ("hybrid/src/check.rs", "while next < queue.len() {"),
    ("symbolic/src/relations.rs", "while let Some(number) = self.waiting.pop_front() {"),
    ("symbolic/src/steps.rs", "for (after, class) in classes {"),
    ("testing/src/ta.rs", "while let Some(state) = queue.pop_front() {"),
    (
        "translate/src/diagrams.rs",
        "while let Some((keep, variable, rest, mut without)) = stack.pop() {",
    ),
    ("translate/src/mmaa/macrostates.rs", "for letters in classes {"),
];

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

fn is_exponential(one: &Loop) -> bool {
    EXPONENTIAL.iter().any(|part| one.header.contains(part))
}

/// Returns the loops of a source text.
fn loops(lines: &[&str]) -> Vec<Loop> {
    let mut found = vec![];
    for start in 0..lines.len() {
        let line = lines[start].trim_start();
        let line = match line.split_once(": ") {
            Some((label, rest)) if label.starts_with('\'') => rest,
            _ => line,
        };
        if !["for ", "while ", "loop {"].iter().any(|keyword| line.starts_with(keyword)) {
            continue;
        }
        let Some(open) = (start..lines.len()).find(|&at| lines[at].trim_end().ends_with('{'))
        else {
            continue;
        };
        let header =
            lines[start..=open].iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
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
    POLLS.iter().any(|poll| line.contains(poll)) && !line.trim_start().starts_with("//")
}

/// Returns the lines with polls that a loop has outside of loops inside it.
fn own_polls(lines: &[&str], all: &[Loop], one: &Loop) -> Vec<usize> {
    let inner = |at: &usize| {
        all.iter().any(|other| other.start > one.start && (other.start..other.end).contains(at))
    };
    (one.start..one.end).filter(|at| polls(lines[*at]) && !inner(at)).collect()
}

/// Returns the loops that may be exponential and do not poll.
fn unpolled(source: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let all = loops(&lines);
    let silent =
        all.iter().filter(|one| is_exponential(one) && own_polls(&lines, &all, one).is_empty());
    silent.map(|found| found.header.clone()).collect()
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
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
            let name = path.strip_prefix(crates()).unwrap().to_str().unwrap().to_owned();
            found.push((name, code));
        }
    }
}

fn all_sources(crates_of: &[&str]) -> Vec<(String, String)> {
    let mut found = vec![];
    for name in crates_of {
        sources(&crates().join(name).join("src"), &mut found);
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
    for (file, source) in all_sources(&CRATES) {
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

/// Returns whether a source without one of its lines has a loop without a poll that it had not.
fn is_noticed(source: &str, line: usize) -> bool {
    let without: Vec<&str> =
        source.lines().enumerate().filter(|(at, _)| *at != line).map(|(_, text)| text).collect();
    unpolled(&without.join("\n")).len() > unpolled(source).len()
}

/// Removing the only poll of a loop is noticed, for every loop that has only one, in every crate.
#[test]
fn a_removed_poll_is_noticed() {
    let mut by_crate = BTreeMap::new();
    for (file, source) in all_sources(&CRATES) {
        let lines: Vec<&str> = source.lines().collect();
        let all = loops(&lines);
        for one in all.iter().filter(|one| is_exponential(one)) {
            let [place] = own_polls(&lines, &all, one)[..] else { continue };
            assert!(is_noticed(&source, place), "{file}: {} without its poll", one.header);
            let name = file.split("/src/").next().unwrap_or_default();
            *by_crate.entry(name.to_owned()).or_insert(0) += 1;
        }
    }
    assert_eq!(by_crate.len(), CRATES.len(), "{by_crate:?}");
    assert!(by_crate.values().sum::<usize>() >= 100, "{by_crate:?}");
}

#[test]
fn removed_polls_of_named_loops_are_noticed() {
    let sources = all_sources(&CRATES);
    for (name, header) in NAMED {
        let (_, source) = sources.iter().find(|(file, _)| file == name).unwrap();
        let lines: Vec<&str> = source.lines().collect();
        let all = loops(&lines);
        let one = all.iter().find(|one| one.header == header);
        let one = one.unwrap_or_else(|| panic!("{name} has no loop `{header}`"));
        let places = own_polls(&lines, &all, one);
        assert_eq!(places.len(), 1, "{name}: {header}");
        assert!(is_noticed(source, places[0]), "{name}: {header}");
    }
}

/// Files have no fewer polls than were counted, in all crates.
#[test]
fn counted_polls_are_there() {
    let folders = fs::read_dir(crates()).unwrap();
    let names: Vec<String> = folders
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !["cross", "lab"].contains(&&**name))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let count = |source: &str| source.lines().filter(|line| polls(line)).count();
    let current: BTreeMap<String, usize> = all_sources(&names)
        .into_iter()
        .map(|(file, source)| (file, count(&source)))
        .filter(|(_, count)| *count > 0)
        .collect();
    let path = crates().join("sempre/tests/polls.txt");
    if std::env::var("POLLS").is_ok_and(|value| value == "overwrite") {
        let lines: Vec<String> =
            current.iter().map(|(file, count)| format!("{count} {file}\n")).collect();
        fs::write(&path, lines.concat()).unwrap();
    }
    let counted = fs::read_to_string(path).unwrap();
    let mut fewer = Vec::new();
    for line in counted.lines() {
        let (count, file) = line.split_once(' ').unwrap();
        let (count, now): (usize, _) = (count.parse().unwrap(), current.get(file).copied());
        if now.unwrap_or(0) < count {
            fewer.push(format!("{file} has {} polls, not {count}", now.unwrap_or(0)));
        }
    }
    assert!(
        fewer.is_empty(),
        "polls were removed or moved; with reason, write the counts with POLLS=overwrite: {fewer:#?}"
    );
    assert!(counted.lines().count() >= 100);
}
