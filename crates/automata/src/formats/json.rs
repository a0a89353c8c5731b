//! Automata as JSON, for programs without a parser for HOA. Write only.
//!
//! ```json
//! {
//!   "name": "GFa",
//!   "propositions": ["a"],
//!   "acceptance": {"marks": 1, "condition": "Inf(0)", "name": "Buchi"},
//!   "initial": [0],
//!   "states": [{"name": null}],
//!   "edges": [
//!     {"source": 0, "target": 0, "label": "a", "marks": [0]},
//!     {"source": 0, "target": 0, "label": "!a", "marks": []}
//!   ]
//! }
//! ```
//!
//! | key | value |
//! |---|---|
//! | `name` | the name of the automaton, often its formula, or null |
//! | `propositions` | their names, without further quotes |
//! | `acceptance.marks` | the number of marks; they are numbered from 0 |
//! | `acceptance.condition` | the condition as in HOA's `Acceptance:` |
//! | `acceptance.name` | the condition's name as in HOA's `acc-name:`, or null |
//! | `initial` | the numbers of the initial states, possibly several or none |
//! | `states` | one object per state, in the order of their numbers from 0; `name` may be null |
//! | `edges` | ordered by source; `label` is a Boolean formula in Spot's syntax |
//!
//! Later versions may add keys. The automaton is on one line, with a line break after it.

use crate::{Automaton, Label, Named};
use rustc_hash::FxHashMap;
use sempre_ltl::Notation;
use serde::Serialize;
use serde::ser::{SerializeSeq, SerializeStruct, Serializer};
use std::io::{self, Write};

/// Writes an automaton as one line of JSON.
pub fn write(automaton: &Automaton, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Json(automaton))?;
    writeln!(out)
}

/// An automaton in the format above.
struct Json<'a>(&'a Automaton);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let automaton = self.0;
        let mut json = serializer.serialize_struct("Automaton", 6)?;
        json.serialize_field("name", &automaton.name())?;
        let props = automaton.alphabet().props().iter().map(|prop| prop.name());
        json.serialize_field("propositions", &props.collect::<Vec<_>>())?;
        let acceptance = automaton.acceptance();
        json.serialize_field(
            "acceptance",
            &Acceptance {
                marks: acceptance.marks(),
                condition: acceptance.condition().to_string(),
                name: Named::of(acceptance).map(|name| name.to_string()),
            },
        )?;
        let initial = automaton.initial().iter().map(|state| state.index());
        json.serialize_field("initial", &initial.collect::<Vec<_>>())?;
        let states = automaton.states().map(|state| State { name: automaton.state_name(state) });
        json.serialize_field("states", &states.collect::<Vec<_>>())?;
        json.serialize_field("edges", &Edges(automaton))?;
        json.end()
    }
}

#[derive(Serialize)]
struct Acceptance {
    marks: u32,
    condition: String,
    name: Option<String>,
}

#[derive(Serialize)]
struct State<'a> {
    name: Option<&'a str>,
}

#[derive(Serialize)]
struct Edge<'a> {
    source: usize,
    target: usize,
    label: &'a str,
    marks: Vec<u32>,
}

/// Serialized without collecting them first: there may be many.
struct Edges<'a>(&'a Automaton);

impl Serialize for Edges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let automaton = self.0;
        let mut labels: FxHashMap<Label, String> = FxHashMap::default();
        let mut edges = serializer.serialize_seq(Some(automaton.edge_count()))?;
        for (source, edge) in automaton.transitions() {
            let label = labels.entry(edge.label).or_insert_with(|| {
                let formula = automaton.alphabet().to_formula(edge.label);
                formula.display(Notation::Spot).to_string()
            });
            edges.serialize_element(&Edge {
                source: source.index(),
                target: edge.target.index(),
                label,
                marks: edge.marks.iter().collect(),
            })?;
        }
        edges.end()
    }
}
