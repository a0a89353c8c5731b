//! Smaller automata from those that constructions give.

use sempre_automata::{Automaton, mark_cleanup, parallel, prune};

/// An automaton of the same language.
pub fn postprocess(automaton: &Automaton) -> Automaton {
    parallel::merge(&mark_cleanup::clean(&prune::trim(automaton)))
}
