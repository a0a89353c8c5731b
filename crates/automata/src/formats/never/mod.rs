//! Never claims of Spin: Büchi automata with acceptance on states, in Promela.
//!
//! ```text
//! never { /* []<>p */
//! T0_init:
//!   if
//!   :: (p) -> goto accept_S1
//!   :: (1) -> goto T0_init
//!   fi;
//! accept_S1:
//!   if
//!   :: (1) -> goto T0_init
//!   fi;
//! }
//! ```
//!
//! Each statement is a state, with any number of labels. The first is initial; a label that starts
//! with `accept` makes it accepting. Statements are `if … fi`, `do … od`, `skip` and expressions
//! such as `false`. An option jumps (`goto`), leaves the loop (`break`), or else continues at the
//! start of `do` or after `if`. The end of the claim is an accepting sink, and so is a `skip`
//! there, or with the label `accept_all`. `atomic { (g) -> assert(!(g)) }`, which Spin writes since
//! version 6, also means such a sink.
//!
//! Guards are Boolean expressions in [Spin's syntax](sempre_ltl::syntax#the-infix-syntax-of-spin),
//! `skip` or `else`. The first comment becomes the name of the automaton. Reading is linear.

mod parse;
mod text;

use super::refusal;
use super::source::Source;
use crate::{Automaton, Error, Label, Named, StateId};
use rustc_hash::FxHashMap;
use sempre_ltl::Notation;
use std::io::{self, BufRead, Write};

/// The text of a claim, from `never` to the closing brace.
pub(in crate::formats) use text::Claim;

/// Takes the text of the next claim out of the stream.
pub(super) fn take<R: BufRead>(source: &mut Source<R>) -> Result<Claim, Error> {
    text::take(source)
}

/// Reads a claim.
pub(super) fn read(claim: &Claim) -> Result<Automaton, Error> {
    parse::parse(claim)
}

/// Writes a Büchi automaton with acceptance on states and at most one initial state.
pub fn write(automaton: &Automaton, out: &mut impl Write) -> io::Result<()> {
    let condition = automaton.acceptance().condition();
    let accepting: &dyn Fn(StateId) -> bool = match Named::of(automaton.acceptance()) {
        Some(Named::All) => &|_| true,
        Some(Named::None) => &|_| false,
        Some(Named::Buchi) if automaton.is_state_based() => {
            &|state| automaton.edges_from(state).first().is_some_and(|e| !e.marks.is_empty())
        }
        Some(Named::Buchi) => {
            return Err(refusal("never claims have acceptance on states, not on transitions"));
        }
        _ => {
            return Err(refusal(format!(
                "never claims have Büchi acceptance only, not {condition}"
            )));
        }
    };
    let initial = match automaton.initial() {
        [] => None,
        [initial] => Some(*initial),
        several => {
            let message =
                format!("never claims have one initial state only, not {}", several.len());
            return Err(refusal(message));
        }
    };
    write!(out, "never {{")?;
    if let Some(name) = automaton.name() {
        let comment = name.replace("*/", "* /").replace(char::is_control, " ");
        write!(out, " /* {comment} */")?;
    }
    writeln!(out)?;
    let Some(initial) = initial else { return writeln!(out, "T0_init:\n  false;\n}}") };
    // A sink that accepts every word comes last, because Promela's `skip` continues at the next
    // statement. The last of several is chosen, so that writing is idempotent.
    let sink = automaton.states().rev().find(|state| {
        *state != initial && accepting(*state) && is_universal_sink(automaton, *state)
    });
    let label = |state: StateId| {
        let kind = if accepting(state) { "accept" } else { "T0" };
        match state {
            _ if Some(state) == sink => "accept_all".to_owned(),
            _ if state == initial => format!("{kind}_init"),
            _ => format!("{kind}_S{state}"),
        }
    };
    let mut guards: FxHashMap<Label, String> = FxHashMap::default();
    let others = automaton.states().filter(|state| *state != initial && Some(*state) != sink);
    for state in [initial].into_iter().chain(others) {
        writeln!(out, "{}:", label(state))?;
        let edges = automaton.edges_from(state);
        if edges.is_empty() {
            writeln!(out, "  false;")?;
            continue;
        }
        writeln!(out, "  if")?;
        for edge in edges {
            let guard = guards.entry(edge.label).or_insert_with(|| {
                let formula = automaton.alphabet().to_formula(edge.label);
                match formula.is_true() {
                    true => "1".to_owned(),
                    false => formula.display(Notation::Spin).to_string(),
                }
            });
            writeln!(out, "  :: ({guard}) -> goto {}", label(edge.target))?;
        }
        writeln!(out, "  fi;")?;
    }
    if sink.is_some() {
        writeln!(out, "accept_all:\n  skip")?;
    }
    writeln!(out, "}}")
}

/// True if the only edge of a state is a self-loop on every letter.
fn is_universal_sink(automaton: &Automaton, state: StateId) -> bool {
    match automaton.edges_from(state) {
        [edge] => edge.target == state && edge.label == automaton.alphabet().tt(),
        _ => false,
    }
}
