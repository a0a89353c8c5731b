//! Determinization: by sets of states where they suffice, and for all other languages.
//!
//! - [`safety`]: the powerset, for safety languages.
//! - [`obligation`]: the powerset with accepting and rejecting components, minimal; see [`wdba`].
//! - [`weak`]: sets of states with breakpoints, a deterministic co-Büchi automaton for every
//!   inherently weak automaton.
//! - [`parity`]: ordered trees of sets of states, for every automaton.
//! - [`by`] a [`Method`]: by components, by trees, by run colouring, by the dual of the complement,
//!   or the smallest of these. Each works for every automaton, within a limit of steps.
//!
//! The first two decide the class of the language exactly, which needs complementation unless the
//! automaton is deterministic or weak. Sets of states do not suffice for all automata: eventually
//! always a has no deterministic Büchi automaton.

mod explore;
mod method;
#[cfg(test)]
mod method_tests;
mod powerset;
mod regions;
mod safra;
#[cfg(test)]
mod tests;
mod tree;

pub use method::{Method, by};
pub(crate) use powerset::Powerset;
pub use safra::{parity, parity_up_to};

use crate::{Automaton, Error, Marks, Named, Sccs, StateId, complement, language, prune, wdba};

/// Returns a deterministic automaton without acceptance condition (a monitor) by the powerset;
/// `None` if the language is not safety. At most 2^n - 1 states.
pub fn safety(automaton: &Automaton) -> Option<Automaton> {
    let trimmed = prune::trim(automaton);
    let closure = closure_of_trimmed(&trimmed);
    // All runs of a trimmed automaton without rejecting cycles are accepting.
    let sccs = Sccs::of(&trimmed);
    let safe = sccs.iter().all(|scc| !sccs.has_rejecting_cycle(&trimmed, scc));
    (safe || language::is_included(&closure, &trimmed)).then_some(closure)
}

/// Returns a deterministic automaton for the safety closure, in which all runs are accepting. The
/// closure has the words whose every prefix is a prefix of an accepted word. At most 2^n - 1
/// states.
pub fn safety_closure(automaton: &Automaton) -> Automaton {
    closure_of_trimmed(&prune::trim(automaton))
}

fn closure_of_trimmed(trimmed: &Automaton) -> Automaton {
    let powerset = Powerset::of(trimmed, usize::MAX);
    let powerset = powerset.unwrap_or_else(|| unreachable!("there is no limit"));
    let mut builder = Automaton::builder(trimmed.alphabet().clone());
    builder.acceptance(Named::All.acceptance());
    builder.add_states(powerset.len());
    if powerset.len() > 0 {
        builder.initial(StateId::new(0));
    }
    for set in 0..powerset.len() {
        for (label, target) in powerset.edges(set) {
            let target = StateId::new(*target as usize);
            builder.edge(StateId::new(set), *label, Marks::EMPTY, target);
        }
    }
    builder.build()
}

/// Returns the minimal deterministic weak automaton; `None` if the language is not an obligation.
/// See [`wdba::minimize`].
pub fn obligation(automaton: &Automaton) -> Option<Automaton> {
    wdba::minimize(automaton)
}

/// Returns a deterministic co-Büchi automaton for the language of an inherently weak automaton, by
/// breakpoints (Miyano and Hayashi 1984). At most 3^n states.
///
/// # Errors
/// If the automaton is not inherently weak.
pub fn weak(automaton: &Automaton) -> Result<Automaton, Error> {
    let complement = complement::weak(automaton).map_err(|_| {
        Error::new("only an inherently weak automaton is determinized by breakpoints")
    })?;
    complement::deterministic(&complement).map(|dual| prune::trim(&dual))
}

/// Returns a deterministic automaton by the first applicable method: none if it is already
/// deterministic, [`obligation`], or [`weak`]. `None` if no method applies.
pub fn simple(automaton: &Automaton) -> Option<Automaton> {
    if automaton.is_deterministic() {
        return Some(automaton.clone());
    }
    obligation(automaton).or_else(|| weak(automaton).ok())
}
