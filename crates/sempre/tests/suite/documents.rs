//! Checks that the names in documents exist: packages, targets and features in cargo commands,
//! subcommands and options in `sempre` commands. The test `sessions` runs sessions; this one covers
//! commands in running text, and those that take long or need other files.
#![cfg(unix)]

use crate::sessions::{checkout, documents, output, subcommands};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Returns the commands of a document that begin with a word: between backticks in running text,
/// and in lines of blocks, without shell redirections.
fn commands<'a>(text: &'a str, word: &str) -> Vec<Vec<&'a str>> {
    let spans = text.split("```").enumerate().flat_map(|(number, part)| {
        let is_block = number % 2 == 1;
        let spans = part.split(if is_block { '\n' } else { '`' });
        spans.enumerate().filter(move |(number, _)| is_block || number % 2 == 1)
    });
    let parts = spans.flat_map(|(_, span)| span.split("&&"));
    let parts = parts.flat_map(|part| part.split(['|', '>', ';', '#']));
    let parts = parts.map(|part| part.trim_start_matches(['$', ' ']));
    parts
        .map(|part| part.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.first() == Some(&word))
        .collect()
}

/// Returns the targets by package and kind, and the features by package.
fn packages() -> BTreeMap<String, BTreeSet<(String, String)>> {
    let text = output("cargo metadata --no-deps --format-version 1 --offline", &checkout());
    let metadata: Value = serde_json::from_str(&text).unwrap();
    let string = |value: &Value| value.as_str().unwrap().to_owned();
    let package = |package: &Value| {
        let targets = package["targets"].as_array().unwrap().iter();
        let targets = targets.map(|target| (string(&target["kind"][0]), string(&target["name"])));
        let features = package["features"].as_object().unwrap().keys();
        let features = features.map(|feature| ("features".to_owned(), feature.clone()));
        (string(&package["name"]), targets.chain(features).collect())
    };
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

#[test]
fn names_in_cargo_commands_exist() {
    let packages = packages();
    let mut named = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for words in commands(&text, "cargo") {
            let after = |option: &str| {
                let place = words.iter().position(|word| *word == option)?;
                words.get(place + 1).copied()
            };
            let here = || format!("{}: {}", document.display(), words.join(" "));
            let package = after("-p").unwrap_or("sempre");
            let targets = packages.get(package).unwrap_or_else(|| panic!("{}", here()));
            for kind in ["bin", "test", "bench", "example", "features"] {
                let Some(name) = after(&format!("--{kind}")) else { continue };
                assert!(targets.contains(&(kind.to_owned(), name.to_owned())), "{}", here());
                named += 1;
            }
        }
    }
    assert!(named >= 5, "documents name benches and tests, but only {named} were found");
}

/// CONTRIBUTING lists the phases of `./test` in their order.
#[test]
fn the_task_list_is_that_of_the_checks() {
    let script = fs::read_to_string(checkout().join("test")).unwrap().replace("\\\n", "");
    let script = script.replace("\"${everything[@]}\"", "EVERYTHING");
    let phases = script.lines().filter_map(|line| line.trim().strip_prefix("phase \""));
    let phases: Vec<String> = phases
        .map(|phase| phase.split_once('"').unwrap().1)
        .map(|command| command.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let text = fs::read_to_string(checkout().join("CONTRIBUTING.md")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_suffix("` |")?.rsplit_once("| `"));
    let tasks: Vec<&str> = rows.map(|(_, command)| command).collect();
    assert_eq!(tasks, phases);
    let shared = script.lines().find_map(|line| line.strip_prefix("everything=(")).unwrap();
    assert!(text.contains(&format!("`EVERYTHING` is `{}`", shared.trim_end_matches(')'))));
}

/// The tests of a crate are one executable, except for those that need their own process.
#[test]
fn a_crate_has_one_executable_of_integration_tests() {
    for (package, targets) in packages() {
        let tests = targets.iter().filter(|(kind, _)| kind == "test");
        let tests: Vec<&str> = tests.map(|(_, name)| name.as_str()).collect();
        // `memory` counts all live formulas of its process.
        let apart = if package == "sempre-ltl" { 1 } else { 0 };
        assert!(tests.len() <= 1 + apart, "{package} has {tests:?}: make them modules of one");
    }
}

/// Returns the help of every command, by the words of the command.
fn helps() -> BTreeMap<String, String> {
    let mut queue = vec!["sempre".to_owned()];
    let mut helps = BTreeMap::new();
    while let Some(command) = queue.pop() {
        let help = output(&format!("{command} --help"), &checkout());
        queue.extend(subcommands(&help).iter().map(|name| format!("{command} {name}")));
        helps.insert(command, help);
    }
    helps
}

/// True if a help lists the option.
fn lists(help: &str, option: &str) -> bool {
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let mut words = lines.flat_map(|line| line.split([' ', ',', '=', '[', '<']));
    words.any(|word| word == option)
}

/// Returns the name of an option without its value, if the word is one.
fn option(word: &str) -> Option<&str> {
    let name = word.split(['=', '|']).next()?;
    let letters = name.strip_prefix("--")?;
    let is_name = letters.starts_with(|first: char| first.is_ascii_lowercase());
    (is_name && !letters.ends_with('-')).then_some(name)
}

/// Returns the words outside of quotes. Those within are a formula or another command.
fn unquoted<'a>(words: &[&'a str]) -> impl Iterator<Item = &'a str> {
    let mut is_inside = false;
    words.iter().copied().filter(move |word| {
        let was_inside = is_inside;
        is_inside ^= word.matches('\'').count() % 2 == 1;
        !was_inside
    })
}

#[test]
fn options_of_commands_exist() {
    let helps = helps();
    let mut named = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for words in commands(&text, "sempre") {
            let command = (1..=words.len().min(3)).rev().map(|length| words[..length].join(" "));
            let help = command.into_iter().find_map(|command| helps.get(&command)).unwrap();
            for option in unquoted(&words).filter_map(option) {
                let here = format!("{}: {}", document.display(), words.join(" "));
                assert!(lists(help, option) || option == "--help", "{here}: {option}");
                named += 1;
            }
        }
    }
    // The README and the tour also name options alone.
    for name in ["README.md", "docs/tour.md"] {
        let text = fs::read_to_string(checkout().join(name)).unwrap();
        let spans = text.split("```").step_by(2);
        let spans = spans.flat_map(|text| text.split('`').skip(1).step_by(2));
        for option in spans.filter_map(|span| option(span.split_whitespace().next()?)) {
            assert!(helps.values().any(|help| lists(help, option)), "{name}: {option}");
            named += 1;
        }
    }
    assert!(named >= 40, "documents name many options, but only {named} were found");
}
