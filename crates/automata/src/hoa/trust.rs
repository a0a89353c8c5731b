//! Declared properties: the cheap ones are checked, the others are trusted.

use super::body::Uses;
use super::lexer::{Lexer, Result};
use crate::alternating::AnyAutomaton;
use crate::label::{Alphabet, Label};

/// Properties that the reader checks and the writer computes.
pub(super) const CHECKED: [&str; 10] = [
    "state-labels",
    "trans-labels",
    "implicit-labels",
    "explicit-labels",
    "state-acc",
    "trans-acc",
    "univ-branch",
    "no-univ-branch",
    "deterministic",
    "complete",
];

/// Checks the declared properties.
pub(super) fn check(
    lexer: &Lexer<'_>,
    properties: &[(&str, usize)],
    uses: &Uses,
    automaton: &AnyAutomaton,
) -> Result<()> {
    let branching = matches!(automaton, AnyAutomaton::Alternating(_));
    for &(property, at) in properties {
        let reason = match property {
            "state-labels" if uses.explicit_labels || uses.implicit_labels => "edges have labels",
            "trans-labels" if uses.state_labels => "states have labels",
            "implicit-labels" if uses.explicit_labels || uses.state_labels => "labels are written",
            "explicit-labels" if uses.implicit_labels => "some edges have no labels",
            "state-acc" if uses.edge_marks => "edges have acceptance sets",
            "trans-acc" if uses.state_marks => "states have acceptance sets",
            "univ-branch" if !branching => "there is no conjunction of states",
            "no-univ-branch" if branching => "there is a conjunction of states",
            "deterministic" if !deterministic(automaton) => "a word may have several runs",
            "complete" if !complete(automaton) => "a state does not read every letter",
            _ => continue,
        };
        let message = format!("the automaton is declared {property}, but {reason}");
        return Err(lexer.fault(at, property.len(), message));
    }
    Ok(())
}

fn deterministic(automaton: &AnyAutomaton) -> bool {
    match automaton {
        AnyAutomaton::Nondeterministic(automaton) => automaton.is_deterministic(),
        AnyAutomaton::Alternating(automaton) => automaton.is_deterministic(),
    }
}

/// Unlike [`Automaton::is_complete`], the format requires no initial state.
fn complete(automaton: &AnyAutomaton) -> bool {
    let full = |alphabet: &Alphabet, labels: &mut dyn Iterator<Item = Label>| {
        alphabet.any_of(labels) == alphabet.tt()
    };
    match automaton {
        AnyAutomaton::Nondeterministic(a) => {
            a.state_count() > 0
                && a.states().all(|state| {
                    full(a.alphabet(), &mut a.edges_from(state).iter().map(|edge| edge.label))
                })
        }
        AnyAutomaton::Alternating(a) => {
            a.state_count() > 0
                && a.states().all(|state| {
                    full(a.alphabet(), &mut a.edges_from(state).iter().map(|edge| edge.label))
                })
        }
    }
}
