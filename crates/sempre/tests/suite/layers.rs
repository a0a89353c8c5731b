//! Checks the table of crates in ARCHITECTURE.md: a crate depends only on the workspace crates in
//! its row. Dependencies of tests are unrestricted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The names of crates, without the prefix `sempre-`.
type Names = BTreeSet<String>;

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The short name of a crate of the workspace.
fn short(package: &str) -> Option<&str> {
    if package == "sempre" { Some(package) } else { package.strip_prefix("sempre-") }
}

/// Returns the dependencies in a `Cargo.toml`, except those of tests. Includes dependencies of a
/// target; a dependency may be a line or its own table.
fn dependencies(manifest: &str) -> Names {
    let mut section = "";
    let mut names = Names::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            let table = section.rsplit_once("dependencies.");
            let table = table.filter(|(before, _)| before.is_empty() || before.ends_with('.'));
            names.extend(table.and_then(|(_, name)| short(name)).map(str::to_owned));
        } else if section == "dependencies" || section.ends_with(".dependencies") {
            let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
            names.extend(short(name).map(str::to_owned));
        }
    }
    names
}

/// Returns the dependencies of all crates by name.
fn manifests() -> BTreeMap<String, Names> {
    let folders = fs::read_dir(checkout().join("crates")).unwrap();
    let folders = folders.map(|entry| entry.unwrap().path());
    let manifest = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        let name = text.lines().find_map(|line| line.strip_prefix("name = \"sempre"))?;
        let name = name.trim_end_matches('"').trim_start_matches('-');
        let name = if name.is_empty() { "sempre" } else { name };
        Some((name.to_owned(), dependencies(&text)))
    };
    folders.filter_map(manifest).collect()
}

/// Parses the rows of the table: a crate and its allowed dependencies. "and its dependencies"
/// refers to the last crate named before it. A row that names no crate and does not say "none"
/// allows all crates above it.
fn table(text: &str) -> Vec<(String, Names)> {
    let mut rows: Vec<(String, Names)> = Vec::new();
    let lines = text.lines().skip_while(|line| !line.starts_with("| crate |")).skip(2);
    for line in lines.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, knows] = cells[..] else { panic!("a row has three cells: {line}") };
        let quoted = |cell: &str| -> Vec<String> {
            let parts = cell.split('`').skip(1).step_by(2);
            parts.filter_map(|part| short(part).map(str::to_owned)).collect()
        };
        let package = quoted(name).pop().unwrap_or_else(|| panic!("no package in {name}"));
        let named = quoted(knows);
        let mut known: Names = named.iter().cloned().collect();
        if let (true, Some(last)) = (knows.contains("and its dependencies"), named.last()) {
            let row = rows.iter().find(|(name, _)| name == last);
            known.extend(row.unwrap_or_else(|| panic!("{last} is not above {package}")).1.clone());
        }
        if named.is_empty() && !matches!(knows, "–" | "none") {
            known = rows.iter().map(|(name, _)| name.clone()).collect();
        }
        rows.push((package, known));
    }
    rows
}

/// Returns the violations of the table.
fn violations(table: &[(String, Names)], crates: &BTreeMap<String, Names>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut above = Names::new();
    for (name, known) in table {
        for other in known.difference(&above) {
            wrong.push(format!("the row of {name} names {other}, which has no row above it"));
        }
        above.insert(name.clone());
        let Some(real) = crates.get(name) else {
            wrong.push(format!("the table has {name}, which is not in the workspace"));
            continue;
        };
        for other in real.difference(known) {
            wrong.push(format!("{name} depends on {other}, which its row does not allow"));
        }
    }
    for name in crates.keys().filter(|name| !above.contains(*name)) {
        wrong.push(format!("the table has no row for {name}"));
    }
    wrong
}

/// Returns dependencies in the table that the crate does not have. Skips rows that allow more than
/// they name.
fn stale(text: &str, crates: &BTreeMap<String, Names>) -> Vec<String> {
    let is_open = |name: &str| {
        let row = text.lines().find(|line| line.contains(&format!("(`sempre-{name}`")));
        row.is_none_or(|row| row.contains("and its dependencies") || !row.contains("`sempre-ltl`"))
    };
    let rows = table(text).into_iter().filter(|(name, _)| !is_open(name));
    let missing = |(name, known): (String, Names)| {
        let real = crates.get(&name).cloned().unwrap_or_default();
        known.into_iter().filter(move |other| !real.contains(other)).map(move |o| (name.clone(), o))
    };
    rows.flat_map(missing)
        .map(|(name, other)| format!("{name} does not depend on {other}"))
        .collect()
}

#[test]
fn dependencies_are_in_the_table() {
    let text = fs::read_to_string(checkout().join("ARCHITECTURE.md")).unwrap();
    let (table, crates) = (table(&text), manifests());
    assert!(table.len() >= 10 && crates.len() >= 10);
    assert_eq!(violations(&table, &crates), Vec::<String>::new());
    assert_eq!(stale(&text, &crates), Vec::<String>::new());
}

/// The checkers of certificates depend on no engine, no diagrams and no translation, and on automata
/// only through the reader of Kripke structures in HOA.
#[test]
fn the_checkers_of_certificates_stand_alone() {
    let crates = manifests();
    let all_below = |name: &str| {
        let mut known = crates[name].clone();
        while let Some(more) = (known.iter())
            .flat_map(|name| crates[name].iter())
            .find(|name| !known.contains(*name))
            .cloned()
        {
            known.insert(more);
        }
        known.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(all_below("certificate"), ["automata", "ltl", "models"]);
    // Sets of states are checked with another package than the one that has found them.
    assert_eq!(all_below("certificate-sets"), ["automata", "certificate", "ltl", "models"]);
    let mut folders = vec![checkout().join("crates/models/src")];
    let mut users = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if fs::read_to_string(&path).unwrap_or_default().contains("sempre_automata") {
                users.push(path);
            }
        }
    }
    assert!(users.iter().all(|path| path.ends_with("kripke/hoa.rs")), "{users:?}");
}

/// The checkers of certificates are short: lines of code, without comments.
#[test]
fn the_checkers_of_certificates_are_short() {
    for name in ["certificate", "certificate-sets"] {
        let folder = checkout().join("crates").join(name).join("src");
        let mut lines = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            let code = text.lines().map(str::trim);
            lines += code.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
        }
        assert!((100..=800).contains(&lines), "{name} has {lines} lines");
    }
}

#[test]
fn violations_of_the_table_are_found() {
    let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Names>();
    let text = "\
        | crate | holds | depends on |\n|---|---|---|\n\
        | `a` (`sempre-a`) | – | – |\n\
        | `b` (`sempre-b`) | – | `sempre-a` |\n\
        | `c` (`sempre-c`) | – | `sempre-b` and its dependencies |\n\
        | `d` (`sempre-d`) | – | all of them |\n";
    let rows = table(text);
    assert_eq!(rows[2].1, names(&["a", "b"]));
    assert_eq!(rows[3].1, names(&["a", "b", "c"]));
    let crates = |b: &[&str]| -> BTreeMap<String, Names> {
        let rows = [("a", names(&[])), ("b", names(b)), ("c", names(&["a"])), ("d", names(&["c"]))];
        rows.into_iter().map(|(name, known)| (name.to_owned(), known)).collect()
    };
    assert_eq!(violations(&rows, &crates(&["a"])), Vec::<String>::new());
    assert_eq!(violations(&rows, &crates(&["c"])).len(), 1);
    let mut more = crates(&["a"]);
    more.insert("e".to_owned(), names(&[]));
    assert_eq!(violations(&rows, &more), ["the table has no row for e"]);

    let manifest = "[dependencies]\nsempre-a.workspace = true\nserde = \"1\"\n\
        [target.'cfg(unix)'.dependencies]\nsempre-b = { workspace = true }\n\
        [dependencies.sempre-c]\nworkspace = true\n\
        [dev-dependencies]\nsempre-d.workspace = true\n";
    assert_eq!(dependencies(manifest), names(&["a", "b", "c"]));
}
