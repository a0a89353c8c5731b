//! Figures of automata: by a template, as CSV, as JSON.

use sempre::automata::strength::{Strength, Strengths};
use sempre::automata::{AlternatingAutomaton, Automaton, SemiDeterminism, constraint};
use serde::Serialize;
use std::io::{self, Write};
use std::str::FromStr;

/// The figures of an automaton.
#[derive(Serialize)]
pub(in crate::commands) struct Figures {
    name: Option<String>,
    #[serde(flatten)]
    pub(in crate::commands) sizes: Sizes,
}

/// Counts and properties of an automaton.
#[derive(Serialize)]
pub(in crate::commands) struct Sizes {
    states: usize,
    edges: usize,
    /// The number of transitions: edges, counted once for each valuation that they read;
    /// saturating.
    #[serde(serialize_with = "as_number")]
    transitions: u128,
    propositions: usize,
    marks: u32,
    acceptance: String,
    sccs: usize,
    /// The number of SCCs whose cycles are all accepting and that are complete.
    terminal_sccs: usize,
    /// The number of other SCCs whose cycles are all accepting.
    weak_sccs: usize,
    /// The number of SCCs with accepting and rejecting cycles.
    strong_sccs: usize,
    deterministic: bool,
    complete: bool,
    nondeterministic_states: usize,
    semi_deterministic: bool,
    cut_deterministic: bool,
    /// The number of states of the deterministic part, as small and as large as can be; 0 if the
    /// automaton is not semi-deterministic.
    smallest_part: usize,
    largest_part: usize,
    /// The number of occurrences of propositions in labels.
    #[serde(skip)]
    label_length: usize,
}

/// Writes counts as plain numbers, although JSON readers are exact only up to 2^53.
fn as_number<S: serde::Serializer>(count: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(*count).unwrap_or(u64::MAX))
}

impl Figures {
    /// The column titles of [`Figures::write_csv`].
    pub(super) const TITLES: &str = "name,states,edges,transitions,propositions,marks,acceptance,\
                                     sccs,terminal_sccs,weak_sccs,strong_sccs,deterministic,\
                                     complete,nondeterministic_states,semi_deterministic,\
                                     cut_deterministic,smallest_part,largest_part";

    pub(in crate::commands) fn of(automaton: &Automaton) -> Self {
        let alphabet = automaton.alphabet();
        let transitions = automaton.edges().iter().map(|edge| alphabet.count(edge.label));
        let strengths = Strengths::of(automaton);
        let parts = SemiDeterminism::of(automaton);
        let count = |part: &[bool]| match parts.semi_deterministic {
            true => part.iter().filter(|inside| **inside).count(),
            false => 0,
        };
        let sizes = Sizes {
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
            semi_deterministic: parts.semi_deterministic,
            cut_deterministic: parts.cut_deterministic,
            smallest_part: count(&parts.smallest),
            largest_part: count(&parts.largest),
            label_length: constraint::label_length(automaton),
        };
        Figures { name: automaton.name().map(str::to_owned), sizes }
    }

    /// Figures of an alternating automaton; components are those of the graph of its states.
    pub(in crate::commands) fn of_alternating(automaton: &AlternatingAutomaton) -> Self {
        let alphabet = automaton.alphabet();
        let transitions = automaton.edges().iter().map(|edge| alphabet.count(edge.label));
        let transitions = transitions.fold(0, u128::saturating_add);
        let mut figures =
            Figures::of(&automaton.graph()).counting(automaton.edge_count(), transitions);
        figures.name = automaton.name().map(str::to_owned);
        figures.sizes.deterministic = automaton.is_deterministic();
        let chooses = |state| {
            let labels = automaton.edges_from(state).iter().map(|edge| edge.label);
            !alphabet.pairwise_disjoint(labels)
        };
        figures.sizes.nondeterministic_states =
            automaton.states().filter(|state| chooses(*state)).count();
        figures
    }

    /// The same with other numbers of edges and of transitions.
    pub(in crate::commands) fn counting(mut self, edges: usize, transitions: u128) -> Self {
        self.sizes.edges = edges;
        self.sizes.transitions = transitions;
        self
    }

    pub(super) fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let sizes = &self.sizes;
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let name = self.name.as_deref().map(quoted).unwrap_or_default();
        write!(
            out,
            "{name},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            sizes.states,
            sizes.edges,
            sizes.transitions,
            sizes.propositions,
            sizes.marks,
            quoted(&sizes.acceptance),
            sizes.sccs,
            sizes.terminal_sccs,
            sizes.weak_sccs,
            sizes.strong_sccs,
            u8::from(sizes.deterministic),
            u8::from(sizes.complete),
            sizes.nondeterministic_states,
            u8::from(sizes.semi_deterministic),
            u8::from(sizes.cut_deterministic),
            sizes.smallest_part,
            sizes.largest_part,
        )
    }
}

/// A parsed line with escapes such as `%s`.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Template(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Figure(char),
}

/// The characters that may follow a percent sign.
const ESCAPES: &str = "setagcTWSdDCqQpnxlm%";

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Template::with_more(text, "")
    }
}

impl Template {
    /// Parses a template that may have further escapes.
    pub(in crate::commands) fn with_more(text: &str, more: &str) -> Result<Self, String> {
        let mut parts = vec![];
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            parts.push(Part::Text(before.to_owned()));
            let Some(escape) = after.chars().next() else {
                return Err("the template ends with `%`; `%%` is a percent sign".to_owned());
            };
            if !ESCAPES.contains(escape) && !more.contains(escape) {
                return Err(format!("unknown escape `%{escape}`; --help lists the escapes"));
            }
            parts.push(Part::Figure(escape));
            rest = &after[escape.len_utf8()..];
        }
        parts.push(Part::Text(rest.to_owned()));
        Ok(Template(parts))
    }

    /// Writes the line, with the values of further escapes.
    pub(in crate::commands) fn write(
        &self,
        figures: &Figures,
        more: &[(char, &str)],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let sizes = &figures.sizes;
        for part in &self.0 {
            let further = |escape: char| more.iter().find(|(known, _)| *known == escape);
            match part {
                Part::Text(text) => write!(out, "{text}"),
                Part::Figure('s') => write!(out, "{}", sizes.states),
                Part::Figure('e') => write!(out, "{}", sizes.edges),
                Part::Figure('t') => write!(out, "{}", sizes.transitions),
                Part::Figure('a') => write!(out, "{}", sizes.marks),
                Part::Figure('g') => write!(out, "{}", sizes.acceptance),
                Part::Figure('c') => write!(out, "{}", sizes.sccs),
                Part::Figure('T') => write!(out, "{}", sizes.terminal_sccs),
                Part::Figure('W') => write!(out, "{}", sizes.weak_sccs),
                Part::Figure('S') => write!(out, "{}", sizes.strong_sccs),
                Part::Figure('d') => write!(out, "{}", u8::from(sizes.deterministic)),
                Part::Figure('D') => write!(out, "{}", u8::from(sizes.semi_deterministic)),
                Part::Figure('C') => write!(out, "{}", u8::from(sizes.cut_deterministic)),
                Part::Figure('q') => write!(out, "{}", sizes.smallest_part),
                Part::Figure('Q') => write!(out, "{}", sizes.largest_part),
                Part::Figure('p') => write!(out, "{}", u8::from(sizes.complete)),
                Part::Figure('n') => write!(out, "{}", sizes.nondeterministic_states),
                Part::Figure('x') => write!(out, "{}", sizes.propositions),
                Part::Figure('l') => write!(out, "{}", sizes.label_length),
                Part::Figure('m') => write!(out, "{}", figures.name.as_deref().unwrap_or("")),
                Part::Figure(escape) => match further(*escape) {
                    Some((_, text)) => write!(out, "{text}"),
                    None => write!(out, "{escape}"),
                },
            }?;
        }
        Ok(())
    }
}
