//! The output of `check --json` and `--save-as` fits the schema in the documents.
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

#[test]
fn json_fits_the_schema() {
    let text = fs::read_to_string(checkout().join("docs/check.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let model = checkout().join("models/lock.dve");
    let model = model.display();
    let mut lines = 0;
    for options in [
        "'G !(P0.critical & P1.critical)' 'G F P0.critical' 'G(P0.critical -> F P0.idle)'",
        "--deadlock report 1 --format json",
        "--witness 'G(\"busy == 3\" -> F P0.idle)' 'F G P0.idle | G F !P0.idle'",
        "--states 2 'G F P0.idle'",
    ] {
        let command = format!("sempre check {model} --json {options} || true");
        for line in
            output(&command.replace("--json --deadlock", "--deadlock"), folder.path()).lines()
        {
            check(&serde_json::from_str(line).unwrap(), &schema, &schema, "answer");
            lines += 1;
        }
    }
    assert_eq!(lines, 7);
}
