//! The output of `check --json` and of `explore --json` fits the schemas in the documents.
#![cfg(unix)]

use crate::sessions::{checkout, output};
use serde_json::Value;
use std::fs;

/// Checks a value against the part of JSON Schema that the schema uses.
fn check(value: &Value, schema: &Value, root: &Value, place: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.strip_prefix("#/$defs/").unwrap();
        return check(value, &root["$defs"][name], root, place);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let is_null = value.is_null();
        let choice = choices.iter().find(|choice| (choice["type"] == "null") == is_null).unwrap();
        return check(value, choice, root, place);
    }
    let is_right = match schema["type"].as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        other => panic!("{place}: the schema has the type {other:?}"),
    };
    assert!(is_right, "{place}: {value} is no {}", schema["type"]);
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        check(item, &schema["items"], root, &format!("{place}[{number}]"));
    }
    for (name, item) in value.as_object().into_iter().flatten() {
        let place = format!("{place}.{name}");
        match schema["properties"].get(name) {
            Some(property) => check(item, property, root, &place),
            None => {
                assert!(schema["additionalProperties"].is_object(), "{place} is not in the schema");
                check(item, &schema["additionalProperties"], root, &place);
            }
        }
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(value.get(name.as_str().unwrap()).is_some(), "{place}: {name} is missing");
    }
}

/// Runs commands on a model of the project, and checks each line of their output; returns the number
/// of lines.
fn check_lines(schema: &str, model: &str, commands: &[&str]) -> usize {
    let text = fs::read_to_string(checkout().join("docs").join(schema)).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let model = checkout().join("models").join(model).display().to_string();
    let mut lines = 0;
    for command in commands {
        let command = format!("sempre {} 2> errors || true", command.replace("MODEL", &model));
        for line in output(&command, folder.path()).lines() {
            check(&serde_json::from_str(line).unwrap(), &schema, &schema, "answer");
            lines += 1;
        }
    }
    lines
}

#[test]
fn answers_of_checks_fit_the_schema() {
    let commands = [
        "check MODEL --json 'G !(P0.critical & P1.critical)' 'G F P0.critical' --unreached",
        "check MODEL --json 'G(P0.critical -> F P0.idle)' --another=2",
        "check MODEL --deadlock report 1 --format json",
        "check MODEL --json --witness 'G(\"busy == 3\" -> F P0.idle)' 'F G P0.idle | G F !P0.idle'",
        "check MODEL --json --states 2 'G F P0.idle'",
    ];
    assert_eq!(check_lines("check.schema.json", "lock.dve", &commands), 7);
}

#[test]
fn explorations_fit_the_schema() {
    let commands = [
        "explore MODEL --json",
        "explore MODEL --json --sccs --bounds",
        "explore MODEL --json --unreached",
        "explore MODEL --json --find 'P0.critical and P1.critical'",
        "explore MODEL --json --deadlock",
        "explore MODEL --json --states 2",
        "explore MODEL --json --engine symbolic",
        "explore MODEL --json --engine sog --observe P0.critical",
    ];
    assert_eq!(check_lines("explore.schema.json", "lock.dve", &commands), commands.len());
    let commands = ["explore MODEL --json"];
    assert_eq!(check_lines("explore.schema.json", "assertion.dve", &commands), 1);
}
