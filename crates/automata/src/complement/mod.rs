//! Complementation: automata for the words that an automaton does not accept.
//!
//! - Of a [deterministic](fn@deterministic) automaton, whatever its condition: the dual condition.
//! - Of an inherently [weak](fn@weak) one: breakpoints, with a deterministic result.
//! - Of a semi-deterministic one: by [NCSB](fn@ncsb), in several forms.
//! - Of any other: as a Büchi automaton, by [slices](fn@buchi), by ranks, or by profiles of words;
//!   and component by component, whatever its condition.
//!
//! [`complement()`] selects one of them; [`by`] takes a method. The constructions also exist as
//! automata that are generated on the fly, so that [`language`](crate::language) can end early.

mod breakpoint;
#[cfg(test)]
mod fault_tests;
mod guide;
mod macrostates;
mod method;
mod modular;
#[cfg(test)]
mod modular_tests;
mod ncsb;
#[cfg(test)]
mod ncsb_tests;
mod ramsey;
mod rank;
#[cfg(test)]
mod run_graph_tests;
mod slices;
#[cfg(test)]
mod tests;

pub(crate) use breakpoint::Breakpoint;
pub(crate) use macrostates::{Construction, Macrostates};
pub(crate) use ncsb::Ncsb;
pub(crate) use slices::Slices;

pub use method::{Method, by, native, ncsb, raw};
pub use ncsb::{Division, Guess};
pub use rank::Ranking;

use crate::degeneralize::Degeneralizer;
use crate::reduce::{Level, reduce};
use crate::wdba::Minimizer;
use crate::{Automaton, Error, Named, complete, convert, prune};
use std::borrow::Cow;

/// The maximal size of a powerset that guides a construction.
const POWERSET_LIMIT: usize = 1 << 13;

/// The maximal size of a complement for reduction by simulation, which is quadratic.
const SIMULATION_LIMIT: usize = 2000;

/// Computes an automaton for the complement, over the same propositions.
///
/// A deterministic automaton is completed and gets the dual condition. An inherently weak one is
/// complemented with [breakpoints](fn@weak). All others are complemented as
/// [Büchi automata](fn@buchi), with up to 2^O(n log n) states.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId, complement, product};
///
/// // Finitely often !a, nondeterministically.
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// builder.acceptance(Named::Buchi.acceptance());
/// let (first, second) = (builder.add_states(2), StateId::new(1));
/// let (tt, a) = (builder.alphabet().tt(), builder.alphabet().prop(0));
/// builder.initial(first).edge(first, tt, Marks::EMPTY, first);
/// builder.edge(first, a, Marks::EMPTY, second);
/// builder.edge(second, a, Marks::from_iter([0]), second);
/// let automaton = builder.build();
///
/// let complement = complement::complement(&automaton);
/// assert!(product::common_word(&automaton, &complement).is_none());
/// assert!(complement.state_count() <= 2);
/// ```
pub fn complement(automaton: &Automaton) -> Automaton {
    let reduced = reduce(automaton, Level::Medium);
    if reduced.is_deterministic() {
        return dual(&reduced);
    }
    if let Some(minimal) =
        Minimizer::new().powerset_limit(POWERSET_LIMIT).minimize(&reduced).minimal()
    {
        return dual(&minimal);
    }
    if reduced.is_inherently_weak() {
        return tidy(&Macrostates::new(Breakpoint::new(&reduced)).automaton());
    }
    slices(&reduced)
}

/// Completes a deterministic automaton and dualizes its condition. Linear.
///
/// # Errors
/// If the automaton is not deterministic.
pub fn deterministic(automaton: &Automaton) -> Result<Automaton, Error> {
    if !automaton.is_deterministic() {
        return Err(Error::new("only a deterministic automaton is complemented by its dual"));
    }
    Ok(dual(automaton))
}

fn dual(automaton: &Automaton) -> Automaton {
    let complete = complete(automaton);
    let mut builder = complete.edit();
    builder.acceptance(complete.acceptance().dual());
    builder.build()
}

/// Complements an inherently weak automaton to a deterministic Büchi automaton by breakpoints:
/// Miyano and Hayashi, "Alternating finite automata on ω-words" (1984). At most 3^n states.
///
/// # Errors
/// If the automaton is not inherently weak.
pub fn weak(automaton: &Automaton) -> Result<Automaton, Error> {
    if !automaton.is_inherently_weak() {
        return Err(Error::new("only an inherently weak automaton is complemented by breakpoints"));
    }
    let complement = Macrostates::new(Breakpoint::new(&prune::trim(automaton))).automaton();
    // Unlike simulation, bisimulation preserves determinism.
    Ok(to_buchi(&reduce(&complement, Level::Low)).into_owned())
}

/// Complements any automaton to a Büchi automaton with marks on edges, by the general construction.
///
/// Other conditions are first converted to Büchi. The construction follows the slices of the
/// reduced split tree (Kähler and Wilke 2008). Once, it guesses ranks for them (Fogarty, Kupferman,
/// Vardi and Wilke 2013; Schewe 2009). 2^O(n log n) states for n states. States without accepting
/// runs are removed.
pub fn buchi(automaton: &Automaton) -> Automaton {
    slices(&reduce(automaton, Level::Medium))
}

fn slices(automaton: &Automaton) -> Automaton {
    let buchi = to_buchi(automaton);
    tidy(&Macrostates::new(Slices::guided(&buchi, POWERSET_LIMIT)).automaton())
}

fn tidy(automaton: &Automaton) -> Automaton {
    let trimmed = prune::trim(automaton);
    let level = match trimmed.state_count() <= SIMULATION_LIMIT {
        true => Level::Medium,
        false => Level::Low,
    };
    to_buchi(&reduce(&trimmed, level)).into_owned()
}

/// Returns the automaton if its condition is Büchi, else an equivalent Büchi automaton.
pub(crate) fn to_buchi(automaton: &Automaton) -> Cow<'_, Automaton> {
    if *automaton.acceptance() == Named::Buchi.acceptance() {
        return Cow::Borrowed(automaton);
    }
    let generalized = convert::to_generalized_buchi(automaton);
    Cow::Owned(Degeneralizer::default().transition_based(&generalized))
}
