//! Output for programs: types that describe themselves as JSON Schema.
//!
//! [`described!`] declares a struct that is written as a JSON object. The schema is made from the same
//! declaration, doc comments included, so that the two cannot differ. `docs/check.schema.json` and
//! `docs/explore.schema.json` are written by tests from the types.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The version of the output of `--json`, of traces and of saved counterexamples.
pub(crate) const VERSION: u32 = 1;

/// A type with a JSON Schema.
#[cfg_attr(not(test), allow(dead_code, reason = "a test writes the schema"))]
pub(crate) trait Described {
    /// Returns the schema of values of this type; definitions of objects are added to the map.
    fn schema(definitions: &mut Map<String, Value>) -> Value;
}

macro_rules! plain {
    ($($type:ty => $name:literal),*) => {
        $(impl Described for $type {
            fn schema(_: &mut Map<String, Value>) -> Value {
                json!({ "type": $name })
            }
        })*
    };
}

plain!(bool => "boolean", String => "string", &'static str => "string", f64 => "number",
       u32 => "integer", u64 => "integer", i64 => "integer", usize => "integer");

impl<T: Described> Described for Option<T> {
    fn schema(definitions: &mut Map<String, Value>) -> Value {
        json!({ "anyOf": [T::schema(definitions), { "type": "null" }] })
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema(definitions: &mut Map<String, Value>) -> Value {
        json!({ "type": "array", "items": T::schema(definitions) })
    }
}

impl<T: Described> Described for BTreeMap<String, T> {
    fn schema(definitions: &mut Map<String, Value>) -> Value {
        json!({ "type": "object", "additionalProperties": T::schema(definitions) })
    }
}

/// Declares a struct that is written as a JSON object, and its schema.
macro_rules! described {
    (
        $(#[doc = $about:literal])+
        $(#[derive($($derive:ident),+)])?
        $vis:vis struct $name:ident {
            $($(#[doc = $doc:literal])+ $(#[serde($serde:ident)])? $fvis:vis $field:ident: $type:ty,)+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, serde::Serialize $($(, $derive)+)?)]
        $vis struct $name {
            $($(#[doc = $doc])+ $(#[serde($serde)])? $fvis $field: $type,)+
        }

        impl $crate::schema::Described for $name {
            fn schema(
                definitions: &mut serde_json::Map<String, serde_json::Value>,
            ) -> serde_json::Value {
                let name = stringify!($name);
                if !definitions.contains_key(name) {
                    definitions.insert(name.to_owned(), serde_json::Value::Null);
                    let mut properties = serde_json::Map::new();
                    $(
                        let mut field = <$type as $crate::schema::Described>::schema(definitions);
                        field["description"] = $crate::schema::text(&[$($doc),+]);
                        properties.insert(stringify!($field).to_owned(), field);
                    )+
                    let required: Vec<&str> = vec![$(stringify!($field)),+];
                    definitions.insert(name.to_owned(), serde_json::json!({
                        "type": "object",
                        "description": $crate::schema::text(&[$($about),+]),
                        "properties": properties,
                        "required": required,
                        "additionalProperties": false,
                    }));
                }
                serde_json::json!({ "$ref": format!("#/$defs/{name}") })
            }
        }
    };
}

pub(crate) use described;

/// The lines of a doc comment as one text.
#[cfg_attr(not(test), allow(dead_code, reason = "a test writes the schema"))]
pub(crate) fn text(lines: &[&str]) -> Value {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    json!(lines.join(" ").trim().replace('`', ""))
}

/// Returns the schema of a document of that type.
#[cfg(test)]
pub(crate) fn document<T: Described>(title: &str) -> Value {
    let mut definitions = Map::new();
    let mut root = T::schema(&mut definitions);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!(title);
    root["$defs"] = Value::Object(definitions);
    root
}

/// Compares the schema of a type with `docs/NAME.schema.json`; `SCHEMA=overwrite cargo test -p sempre
/// --bin sempre schema` writes the file.
#[cfg(test)]
pub(crate) fn keep<T: Described>(name: &str, title: &str) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let path = folder.join(format!("{name}.schema.json"));
    let text = format!("{}\n", serde_json::to_string_pretty(&document::<T>(title)).unwrap());
    if std::env::var("SCHEMA").is_ok_and(|value| value == "overwrite") {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), text);
}
