//! Writing the text format.

use super::super::net::{Net, PlaceId, TransitionId};
use super::{KEYWORDS, is_plain};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The net in the [text format](super), so that [`parse`](super::parse) reads the same net.
pub fn write(net: &Net) -> String {
    let mut out = String::new();
    if let Some(name) = net.name() {
        put(&mut out, format_args!("net {}\n", quoted(name)));
    }
    let mut place_labels: FxHashMap<PlaceId, &str> = FxHashMap::default();
    for alias in net.place_alias_names().into_iter().rev() {
        place_labels.extend(net.place_alias(alias).map(|place| (place, alias)));
    }
    let mut transition_labels: FxHashMap<TransitionId, &str> = FxHashMap::default();
    for alias in net.transition_alias_names().into_iter().rev() {
        transition_labels.extend(net.transition_alias(alias).map(|other| (other, alias)));
    }
    for place in net.places() {
        put(&mut out, format_args!("pl {}", quoted(net.place_name(place))));
        if let Some(label) = place_labels.get(&place) {
            put(&mut out, format_args!(" : {}", quoted(label)));
        }
        if net.initial(place) > 0 {
            put(&mut out, format_args!(" ({})", net.initial(place)));
        }
        out.push('\n');
    }
    for transition in net.transitions() {
        put(&mut out, format_args!("tr {}", quoted(net.transition_name(transition))));
        if let Some(label) = transition_labels.get(&transition) {
            put(&mut out, format_args!(" : {}", quoted(label)));
        }
        let (inputs, outputs) = (net.inputs(transition), net.outputs(transition));
        for arc in inputs {
            // Tokens that are put back are read arcs.
            let sign = if outputs.binary_search(arc).is_ok() { "?" } else { "*" };
            put_arc(&mut out, net, *arc, sign);
        }
        for arc in net.inhibitors(transition) {
            put_arc(&mut out, net, *arc, "?-");
        }
        out.push_str(" ->");
        for arc in outputs.iter().filter(|arc| inputs.binary_search(arc).is_err()) {
            put_arc(&mut out, net, *arc, "*");
        }
        out.push('\n');
    }
    out
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes all text");
}

fn put_arc(out: &mut String, net: &Net, (place, weight): (PlaceId, u32), sign: &str) {
    put(out, format_args!(" {}", quoted(net.place_name(place))));
    if (sign, weight) != ("*", 1) {
        put(out, format_args!("{sign}{weight}"));
    }
}

/// A name, between braces where that is needed.
fn quoted(name: &str) -> String {
    // Other tools know fewer plain characters than our reader.
    let is_known =
        |character: char| is_plain(character) && character.is_ascii() && character != '.';
    if !name.is_empty() && name.chars().all(is_known) && !KEYWORDS.contains(&name) {
        return name.to_owned();
    }
    let mut quoted = String::from("{");
    for character in name.chars() {
        if matches!(character, '{' | '}' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('}');
    quoted
}
