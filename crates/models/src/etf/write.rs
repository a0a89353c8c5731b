//! Writing models in the enumerated table format.

use super::model::{Declaration, Etf, Sort};
use std::fmt::Write;

/// Writes a model; [`parse`](super::parse()) reads it again.
pub fn write(etf: &Etf) -> String {
    let mut text = String::new();
    let declared = |declaration: &Declaration| {
        let sort = declaration.sort.map(|sort| named(&etf.sorts[sort].name));
        format!("{}:{}", named(&declaration.name), sort.as_deref().unwrap_or("_"))
    };
    for (section, declarations) in [("state", &etf.slots), ("edge", &etf.labels)] {
        let declarations: Vec<String> = declarations.iter().map(declared).collect();
        let _ = write!(text, "begin {section}\n{}\nend {section}\n", declarations.join(" "));
    }
    let numbers: Vec<String> = etf.initial.iter().map(u32::to_string).collect();
    let _ = write!(text, "begin init\n{}\nend init\n", numbers.join(" "));
    for table in &etf.tables {
        text.push_str("begin trans\n");
        for (before, after, labels) in etf.rows(table) {
            let mut steps = table.columns.iter().zip(before.iter().zip(after)).peekable();
            for slot in 0..etf.slots.len() {
                let _ = match steps.next_if(|(column, _)| **column == slot) {
                    Some((_, (before, after))) => write!(text, "{before}/{after} "),
                    None => write!(text, "* "),
                };
            }
            labels.iter().for_each(|label| {
                let _ = write!(text, "{label} ");
            });
            text.pop();
            text.push('\n');
        }
        text.push_str("end trans\n");
    }
    // Before the maps, so that sorts which only maps mention are read in the same order.
    for Sort { name, values } in &etf.sorts {
        let _ = writeln!(text, "begin sort {}", named(name));
        for value in values {
            text.push_str(&valued(value));
            text.push('\n');
        }
        text.push_str("end sort\n");
    }
    for map in &etf.maps {
        let _ = writeln!(text, "begin map {}", declared(&map.label));
        for (numbers, label) in map.rows() {
            let mut cells = map.columns.iter().zip(numbers).peekable();
            for slot in 0..etf.slots.len() {
                let _ = match cells.next_if(|(column, _)| **column == slot) {
                    Some((_, number)) => write!(text, "{number} "),
                    None => write!(text, "* "),
                };
            }
            let _ = writeln!(text, "{label}");
        }
        text.push_str("end map\n");
    }
    text
}

/// The words that begin and end sections.
pub(super) const KEYWORDS: [&str; 8] =
    ["begin", "end", "state", "edge", "init", "trans", "sort", "map"];

/// The name, with backslashes where it needs them; `_` for none.
fn named(name: &str) -> String {
    if name.is_empty() {
        return "_".to_owned();
    }
    let mut written = String::with_capacity(name.len());
    let mut has_begun = KEYWORDS.contains(&name);
    if has_begun {
        written.push('\\');
    }
    let last = name.chars().count().saturating_sub(1);
    for (place, letter) in name.chars().enumerate() {
        let is_plain = match letter {
            '_' => has_begun || place < last,
            letter if letter.is_ascii_alphabetic() => true,
            letter => has_begun && (letter.is_ascii_digit() || letter == '\''),
        };
        if !is_plain {
            written.push('\\');
        }
        has_begun |= letter != '_' || !is_plain;
        written.push(letter);
    }
    written
}

/// The value in quotes, or byte by byte if it is not printable.
fn valued(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) => {
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        }
        _ => {
            let mut written = String::from("#");
            for byte in value {
                let _ = write!(written, "{byte:02X}");
            }
            written.push('#');
            written
        }
    }
}
