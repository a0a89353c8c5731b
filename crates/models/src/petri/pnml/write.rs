//! Writing place/transition nets as PNML.

use super::super::net::Net;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The net as a PNML file that [`read`](super::read()) reads back as the same net.
///
/// The names of nodes are their ids; a transition that has the name of a place gets another id, and
/// keeps its name as `<name>`.
pub fn write(net: &Net) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n");
    let name = escaped(net.name().unwrap_or("net"));
    let kind = "http://www.pnml.org/version-2009/grammar/ptnet";
    put(&mut out, format_args!("<net id=\"{name}\" type=\"{kind}\">\n"));
    put(&mut out, format_args!("<name><text>{name}</text></name>\n<page id=\"page\">\n"));

    let mut ids: FxHashSet<String> = FxHashSet::default();
    let mut place_names: FxHashMap<_, &str> = FxHashMap::default();
    for alias in net.place_alias_names().into_iter().rev() {
        place_names.extend(net.place_alias(alias).map(|place| (place, alias)));
    }
    let mut transition_names: FxHashMap<_, &str> = FxHashMap::default();
    for alias in net.transition_alias_names().into_iter().rev() {
        transition_names.extend(net.transition_alias(alias).map(|other| (other, alias)));
    }
    for place in net.places() {
        let id = net.place_name(place);
        ids.insert(id.to_owned());
        let name = escaped(place_names.get(&place).copied().unwrap_or(id));
        let id = escaped(id);
        put(&mut out, format_args!("<place id=\"{id}\"><name><text>{name}</text></name>"));
        if net.initial(place) > 0 {
            let tokens = net.initial(place);
            put(&mut out, format_args!("<initialMarking><text>{tokens}</text></initialMarking>"));
        }
        out.push_str("</place>\n");
    }
    let names: FxHashSet<&str> = net.transitions().map(|t| net.transition_name(t)).collect();
    let mut transition_ids = Vec::with_capacity(net.transition_count());
    for transition in net.transitions() {
        let name = net.transition_name(transition);
        let mut id = name.to_owned();
        while ids.contains(&id) || (id != name && names.contains(id.as_str())) {
            id.insert_str(0, "t.");
        }
        ids.insert(id.clone());
        let name = escaped(transition_names.get(&transition).copied().unwrap_or(name));
        let id = escaped(&id);
        put(
            &mut out,
            format_args!("<transition id=\"{id}\"><name><text>{name}</text></name></transition>\n"),
        );
        transition_ids.push(id);
    }
    let mut prefix = String::from("arc");
    while ids.iter().any(|id| id.starts_with(&prefix)) {
        prefix.push('_');
    }
    let mut arcs = 0;
    let mut arc = |source: &str, target: &str, weight: u32, is_inhibitor: bool| {
        put(
            &mut out,
            format_args!("<arc id=\"{prefix}{arcs}\" source=\"{source}\" target=\"{target}\">"),
        );
        if weight != 1 {
            put(&mut out, format_args!("<inscription><text>{weight}</text></inscription>"));
        }
        out.push_str(if is_inhibitor { "<type value=\"inhibitor\"/></arc>\n" } else { "</arc>\n" });
        arcs += 1;
    };
    for (transition, id) in net.transitions().zip(&transition_ids) {
        for (place, weight) in net.inputs(transition) {
            arc(&escaped(net.place_name(*place)), id, *weight, false);
        }
        for (place, weight) in net.outputs(transition) {
            arc(id, &escaped(net.place_name(*place)), *weight, false);
        }
        for (place, threshold) in net.inhibitors(transition) {
            arc(&escaped(net.place_name(*place)), id, *threshold, true);
        }
    }
    out.push_str("</page>\n</net>\n</pnml>\n");
    out
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes all text");
}

/// Returns the text with XML's special characters escaped.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // There is no way to write this one.
            '\0' => out.push(char::REPLACEMENT_CHARACTER),
            control if control.is_control() => {
                put(&mut out, format_args!("&#{};", u32::from(control)));
            }
            other => out.push(other),
        }
    }
    out
}
