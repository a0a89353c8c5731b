//! The provenance of a verdict: typed, and printed in one place.

use crate::fairness::Fairness;
use std::fmt;

/// How a verdict was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The name of the engine.
    pub engine: &'static str,
    /// The algorithms, one for each part of the automaton; if a limit was reached, the current one.
    pub algorithms: Vec<&'static str>,
    /// The automaton of the negation.
    pub automaton: Option<AutomatonSize>,
    /// The reduced net, if one was checked.
    pub reduction: Option<NetSize>,
    /// The runs that count, if not all do.
    pub fairness: Option<Fairness>,
    /// The number of threads of the search.
    pub threads: usize,
    /// Why this engine answered.
    pub choice: Choice,
}

/// The automaton of a negated property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutomatonSize {
    /// The name of its kind.
    pub kind: &'static str,
    /// The number of states.
    pub states: usize,
}

/// The size of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetSize {
    /// The number of places.
    pub places: usize,
    /// The number of transitions.
    pub transitions: usize,
}

/// Why an engine answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// It was the only engine.
    #[default]
    Only,
    /// It was first; the other had started as well.
    First {
        /// The name of the other.
        ahead_of: &'static str,
    },
    /// Both were started, and neither reached a verdict.
    Neither {
        /// The name of the other.
        other: &'static str,
    },
}

impl Choice {
    /// Returns the name in JSON output, and the other engine.
    pub fn parts(self) -> (&'static str, Option<&'static str>) {
        match self {
            Choice::Only => ("only", None),
            Choice::First { ahead_of } => ("first", Some(ahead_of)),
            Choice::Neither { other } => ("neither", Some(other)),
        }
    }
}

/// Prints `key: value` pairs: the engine with its algorithms, then the other fields.
impl fmt::Display for Provenance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "engine: {}", self.engine)?;
        let threads = match self.threads {
            0 | 1 => None,
            threads => Some(format!("{threads} threads")),
        };
        let algorithms = (!self.algorithms.is_empty()).then(|| self.algorithms.join(" + "));
        let details: Vec<String> = algorithms.into_iter().chain(threads).collect();
        if !details.is_empty() {
            write!(out, " ({})", details.join(", "))?;
        }
        match self.choice {
            Choice::Only => {}
            Choice::First { ahead_of } => write!(out, ", ahead of: {ahead_of}")?,
            Choice::Neither { other } => write!(out, ", undecided by: {other}")?,
        }
        if let Some(AutomatonSize { kind, states }) = self.automaton {
            let kind = match kind {
                "tgba" => String::new(),
                kind => format!("{kind}, "),
            };
            write!(out, ", automaton: {kind}{}", count(states, "state"))?;
        }
        if let Some(NetSize { places, transitions }) = self.reduction {
            let (places, transitions) = (count(places, "place"), count(transitions, "transition"));
            write!(out, ", reduced net: {places}, {transitions}")?;
        }
        if let Some(fairness) = self.fairness {
            write!(out, ", fairness: {fairness}")?;
        }
        Ok(())
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provenance_is_printed_as_pairs() {
        let plain = Provenance {
            engine: "explicit",
            algorithms: vec!["weak DFS"],
            ..Provenance::default()
        };
        assert_eq!(plain.to_string(), "engine: explicit (weak DFS)");
        let all = Provenance {
            automaton: Some(AutomatonSize { kind: "ba", states: 1 }),
            reduction: Some(NetSize { places: 5, transitions: 1 }),
            threads: 2,
            choice: Choice::First { ahead_of: "symbolic" },
            algorithms: vec!["weak DFS", "se"],
            ..plain
        };
        assert_eq!(
            all.to_string(),
            "engine: explicit (weak DFS + se, 2 threads), ahead of: symbolic, automaton: ba, \
             1 state, reduced net: 5 places, 1 transition"
        );
    }
}
