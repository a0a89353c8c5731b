//! The output of `sempre info` can be typed: its names and examples are propositions in formulas
//! and in state predicates, as they are printed.
#![cfg(unix)]

use crate::sessions::{checkout, output};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Names that formulas take apart, and names that are words of formulas or of propositions.
const OTHERS: [(&str, &str); 2] = [
    (
        "letters.dve",
        "byte Gate = 0; byte U[2]; channel {byte} Xs[1];
         process Fast { byte Forks; state Go, W; init Go;
           trans Go -> W { guard Gate == 0; sync Xs!1; effect Forks = 1, U[1] = 1; },
                 W -> Go { effect Gate = 0; }; }
         process G { state q; init q; trans q -> q { sync Xs?Gate; }; }
         system async;",
    ),
    (
        "letters.net",
        "pl Fork (1)  pl G  pl U (2)  pl {true}  pl {X 1}  pl fired
         tr Get Fork -> G  tr R G -> Fork  tr {W} U -> {true}  tr M {true} -> {X 1} fired",
    ),
];

/// The propositions that the text of `sempre info` gives rise to.
fn propositions(info: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut section = "";
    for line in info.lines() {
        let Some(line) = line.strip_prefix("  ") else {
            section = line;
            continue;
        };
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect();
        let name = cells[0];
        let initial = || {
            let cell = cells.iter().find_map(|cell| {
                cell.strip_prefix("initially ").or_else(|| cell.strip_prefix("always "))
            });
            cell.map(|values| values.split(' ').next().unwrap())
        };
        match section {
            "processes" => {
                found.extend(cells[1].split(' ').map(|state| format!("{name} = {state}")));
            }
            "channels" => found.push(format!("{name} < 2")),
            "transitions" => {
                let quoted = name.replace('\\', "\\\\").replace('\'', "\\'");
                found.push(format!("fired('{quoted}')"));
                found.push(format!("fireable('{quoted}')"));
            }
            "labels" => found.push(name.to_owned()),
            "propositions, for example" => found.push(line.to_owned()),
            _ => {
                let name = name.split_once('[').map_or(name.to_owned(), |(n, _)| format!("{n}[0]"));
                found.push(format!("{name} = {}", initial().unwrap_or("0")));
            }
        }
    }
    found
}

#[test]
fn what_info_prints_can_be_typed() {
    let folder = tempfile::tempdir().unwrap();
    let shipped = fs::read_dir(checkout().join("models")).unwrap();
    let mut models: Vec<_> = shipped.map(|entry| entry.unwrap().path()).collect();
    for (name, text) in OTHERS {
        models.push(folder.path().join(name));
        fs::write(models.last().unwrap(), text).unwrap();
    }
    let mut tried = 0;
    for model in models {
        let info = output(&format!("sempre info {}", model.display()), folder.path());
        let found = propositions(&info);
        let formulas: Vec<String> = found.iter().map(|p| format!("G({p}) | F!({p})")).collect();
        accepts(&["check", "--brief", "-q"], &model, &formulas);
        // Predicates are about states, and one search takes many.
        let about_states = found.iter().filter(|p| !p.starts_with("fired"));
        let all: Vec<String> = about_states.map(|p| format!("({p} || !({p}))")).collect();
        accepts(&["explore", "-q", "--find", &all.join(" && ")], &model, &[]);
        tried += found.len();
    }
    assert!(tried > 100, "only {tried} propositions were found");
}

/// Runs the command on a model, which must not end with an error.
fn accepts(arguments: &[&str], model: &Path, formulas: &[String]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sempre"));
    let run = command.args(arguments).arg(model).args(formulas).output().unwrap();
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(matches!(run.status.code(), Some(0 | 1)), "{}: {error}", model.display());
}
