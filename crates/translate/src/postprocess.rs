//! Smaller automata from those that constructions give.

use sempre_automata::Automaton;
use sempre_automata::reduce::{self, Level};

/// An automaton of the same language.
pub fn postprocess(automaton: &Automaton) -> Automaton {
    reduce::reduce(automaton, Level::High)
}
