//! Figures about automata: by a template, as CSV, as JSON.

use sempre::automata::Automaton;
use sempre::automata::strength::{Strength, Strengths};
use serde::Serialize;
use std::io::{self, Write};
use std::str::FromStr;

/// What can be said of an automaton in a line.
#[derive(Serialize)]
pub(super) struct Figures {
    name: Option<String>,
    states: usize,
    edges: usize,
    /// Edges counted once for each valuation that they read; saturates.
    #[serde(serialize_with = "as_number")]
    transitions: u128,
    propositions: usize,
    marks: u32,
    acceptance: String,
    sccs: usize,
    /// Components whose cycles are all accepting, and which can be stayed in on every letter.
    terminal_sccs: usize,
    /// Other components whose cycles are all accepting.
    weak_sccs: usize,
    /// Components with accepting and rejecting cycles.
    strong_sccs: usize,
    deterministic: bool,
    complete: bool,
    nondeterministic_states: usize,
}

/// JSON readers keep integers exact up to 2^53 at best; larger counts are given as they are.
fn as_number<S: serde::Serializer>(count: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(*count).unwrap_or(u64::MAX))
}

impl Figures {
    /// The titles of the columns of [`Figures::write_csv`].
    pub(super) const TITLES: &str = "name,states,edges,transitions,propositions,marks,acceptance,\
                                     sccs,terminal_sccs,weak_sccs,strong_sccs,deterministic,\
                                     complete,nondeterministic_states";

    pub(super) fn of(automaton: &Automaton) -> Self {
        let alphabet = automaton.alphabet();
        let transitions = automaton.edges().iter().map(|edge| alphabet.count(edge.label));
        let strengths = Strengths::of(automaton);
        Figures {
            name: automaton.name().map(str::to_owned),
            states: automaton.state_count(),
            edges: automaton.edge_count(),
            transitions: transitions.fold(0, u128::saturating_add),
            propositions: alphabet.props().len(),
            marks: automaton.acceptance().marks(),
            acceptance: automaton.acceptance().condition().to_string(),
            sccs: strengths.sccs().len(),
            terminal_sccs: strengths.count(Strength::Terminal),
            weak_sccs: strengths.count(Strength::Weak),
            strong_sccs: strengths.count(Strength::Strong),
            deterministic: automaton.is_deterministic(),
            complete: automaton.is_complete(),
            nondeterministic_states: automaton.nondeterministic_state_count(),
        }
    }

    pub(super) fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let name = self.name.as_deref().map(quoted).unwrap_or_default();
        write!(
            out,
            "{name},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            self.states,
            self.edges,
            self.transitions,
            self.propositions,
            self.marks,
            quoted(&self.acceptance),
            self.sccs,
            self.terminal_sccs,
            self.weak_sccs,
            self.strong_sccs,
            u8::from(self.deterministic),
            u8::from(self.complete),
            self.nondeterministic_states,
        )
    }
}

/// A line with escapes such as `%s`, read.
#[derive(Clone, Debug)]
pub(super) struct Template(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Figure(char),
}

/// The characters that may follow a percent sign.
const ESCAPES: &str = "setagcTWSdpnxm%";

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = vec![];
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            parts.push(Part::Text(before.to_owned()));
            let Some(escape) = after.chars().next() else {
                return Err("the template ends with `%`; `%%` is a percent sign".to_owned());
            };
            if !ESCAPES.contains(escape) {
                return Err(format!("there is no escape `%{escape}`; see the list in --help"));
            }
            parts.push(Part::Figure(escape));
            rest = &after[escape.len_utf8()..];
        }
        parts.push(Part::Text(rest.to_owned()));
        Ok(Template(parts))
    }
}

impl Template {
    pub(super) fn write(&self, figures: &Figures, out: &mut impl Write) -> io::Result<()> {
        for part in &self.0 {
            match part {
                Part::Text(text) => write!(out, "{text}"),
                Part::Figure('s') => write!(out, "{}", figures.states),
                Part::Figure('e') => write!(out, "{}", figures.edges),
                Part::Figure('t') => write!(out, "{}", figures.transitions),
                Part::Figure('a') => write!(out, "{}", figures.marks),
                Part::Figure('g') => write!(out, "{}", figures.acceptance),
                Part::Figure('c') => write!(out, "{}", figures.sccs),
                Part::Figure('T') => write!(out, "{}", figures.terminal_sccs),
                Part::Figure('W') => write!(out, "{}", figures.weak_sccs),
                Part::Figure('S') => write!(out, "{}", figures.strong_sccs),
                Part::Figure('d') => write!(out, "{}", u8::from(figures.deterministic)),
                Part::Figure('p') => write!(out, "{}", u8::from(figures.complete)),
                Part::Figure('n') => write!(out, "{}", figures.nondeterministic_states),
                Part::Figure('x') => write!(out, "{}", figures.propositions),
                Part::Figure('m') => write!(out, "{}", figures.name.as_deref().unwrap_or("")),
                Part::Figure(escape) => write!(out, "{escape}"),
            }?;
        }
        Ok(())
    }
}
