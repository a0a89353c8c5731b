//! Determinisation: of languages for which sets of states are enough, and of all others.
//!
//! - [`safety`]: the powerset, for languages whose violations show after finitely many letters.
//! - [`obligation`]: the powerset with accepting and rejecting components, minimal; see
//!   [`wdba`].
//! - [`weak`]: sets of states with breakpoints, a deterministic co-Büchi automaton for every
//!   inherently weak automaton.
//! - [`parity`]: ordered trees of sets of states, for every automaton.
//! - [`by`] a [`Method`]: component by component, by trees, by run colouring, by the dual of the
//!   complement, or the smallest of them; all of them for every automaton, and bounded by steps.
//!
//! The first two are about languages and are decided exactly, which needs complementation if an
//! automaton is neither deterministic nor weak. Not every ω-automaton can be determinised by sets
//! of states: eventually always a has no deterministic Büchi automaton at all.

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

/// A deterministic automaton without acceptance condition (a monitor) for the language, if that is
/// a safety language: the powerset. At most 2^n - 1 states.
pub fn safety(automaton: &Automaton) -> Option<Automaton> {
    let trimmed = prune::trim(automaton);
    let closure = closure_of_trimmed(&trimmed);
    // All runs of a trimmed automaton without rejecting cycles are accepting.
    let sccs = Sccs::of(&trimmed);
    let safe = sccs.iter().all(|scc| !sccs.has_rejecting_cycle(&trimmed, scc));
    (safe || language::is_included(&closure, &trimmed)).then_some(closure)
}

/// The words of which every prefix is one of a word that the automaton accepts, its safety closure,
/// as a deterministic automaton that accepts with every run. At most 2^n - 1 states.
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

/// The minimal deterministic weak automaton for the language, if that is an obligation; see
/// [`wdba::minimize`].
pub fn obligation(automaton: &Automaton) -> Option<Automaton> {
    wdba::minimize(automaton)
}

/// A deterministic co-Büchi automaton with the same language as an inherently weak automaton, by
/// breakpoints (Miyano and Hayashi 1984). At most 3^n states.
///
/// # Errors
/// If the automaton is not inherently weak.
pub fn weak(automaton: &Automaton) -> Result<Automaton, Error> {
    let complement = complement::weak(automaton).map_err(|_| {
        Error::new("only an inherently weak automaton is determinised by breakpoints")
    })?;
    complement::deterministic(&complement).map(|dual| prune::trim(&dual))
}

/// A deterministic automaton for the language by the first of these ways that works: it is
/// deterministic already, or an obligation, or given by an inherently weak automaton. `None` if none
/// does.
pub fn simple(automaton: &Automaton) -> Option<Automaton> {
    if automaton.is_deterministic() {
        return Some(automaton.clone());
    }
    obligation(automaton).or_else(|| weak(automaton).ok())
}
