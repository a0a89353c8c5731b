//! Saved counterexamples with a change are replayed, refused, or no counterexamples any more.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

fn sempre(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_sempre"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), printed)
}

/// The paths of all values that are neither objects nor lists.
fn leaves(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Object(entries) => {
            entries.iter().for_each(|(name, value)| leaves(value, format!("{path}/{name}"), found));
        }
        Value::Array(values) => {
            let values = values.iter().enumerate();
            values.for_each(|(place, value)| leaves(value, format!("{path}/{place}"), found));
        }
        _ => found.push(path),
    }
}

#[test]
fn changed_runs_are_replayed_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("ring.net"), "pl a (1)\ntr t a -> b\ntr u b -> c\ntr v c -> b\n")
        .unwrap();
    let check = ["check", "ring.net", "G F a > 0", "--save-as", "run.json", "--quiet"];
    assert_eq!(sempre(folder, &check).0, Some(1));
    assert_eq!(sempre(folder, &["replay", "run.json"]).0, Some(0));
    let saved: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("run.json")).unwrap()).unwrap();
    let mut paths = Vec::new();
    leaves(&saved, String::new(), &mut paths);
    // The source of a step is for human readers only.
    paths.retain(|path| !path.contains("/source/"));
    let (mut rejected, mut refused) = (0, 0);
    for path in &paths {
        for other in [json!("2"), Value::Null] {
            let mut changed = saved.clone();
            let place = changed.pointer_mut(path).unwrap();
            if *place == other {
                continue;
            }
            *place = other;
            fs::write(folder.join("changed.json"), changed.to_string()).unwrap();
            let (code, printed) = sempre(folder, &["replay", "changed.json"]);
            let context = || format!("{path} is {}: {printed}", changed.pointer(path).unwrap());
            match code {
                Some(0) => {
                    let decides = path.contains("/initial/")
                        || path.ends_with("/action")
                        || path.ends_with("/after");
                    assert!(!decides, "{}", context());
                }
                Some(1) => rejected += 1,
                Some(2) => {
                    assert!(printed.starts_with("error: "), "{}", context());
                    refused += 1;
                }
                _ => panic!("{}", context()),
            }
        }
    }
    assert!(rejected >= 10 && refused >= 10, "{rejected} rejected, {refused} refused");
}
