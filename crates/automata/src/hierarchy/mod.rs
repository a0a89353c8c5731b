//! The hierarchy of Manna and Pnueli (PODC 1990), by the language of an automaton.
//!
//! The cycles of a deterministic automaton determine the classes (Landweber, Mathematical Systems
//! Theory 1969; Wagner, Information and Control 1979). A language is a recurrence if no rejecting
//! cycle contains an accepting one. It is a persistence if no accepting cycle contains a rejecting
//! one. It is safety if no rejecting cycle reaches an accepting one, and guarantee if no accepting
//! cycle reaches a rejecting one. An obligation is both a recurrence and a persistence.
//!
//! Other automata are determinized within limits, see [`determinize::parity`]. Beyond them the
//! result may be partial; see [`Classes`].
//!
//! ```
//! use sempre_automata::hierarchy::{self, Class};
//! use sempre_automata::{Alphabet, Automaton, Marks, Named};
//!
//! let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
//! builder.acceptance(Named::Buchi.acceptance());
//! let (state, a) = (builder.add_state(), builder.alphabet().prop(0));
//! let not_a = builder.alphabet().not(a);
//! builder.initial(state);
//! builder.edge(state, a, Marks::from_iter([0]), state);
//! builder.edge(state, not_a, Marks::EMPTY, state);
//! let classes = hierarchy::classes(&builder.build());
//! assert_eq!(classes.smallest(), Some(Class::Recurrence));
//! assert_eq!(classes.contains(Class::Safety), Some(false));
//! ```

mod class;
mod cycles;
#[cfg(test)]
mod tests;

pub use class::{Class, Classes};

use crate::automaton::Automaton;
use crate::convert::to_generalized_buchi;
use crate::reduce::{self, Level};
use crate::wdba::{Minimizer, Outcome};
use crate::{Named, Sccs, complete, determinize, product, prune};
use cycles::has_accepting_cycle_in_rejecting_one;

/// The maximal number of states of a determinization.
pub const MAX_STATES: usize = 20_000;

/// Classifies the language of the automaton.
///
/// Exact for deterministic automata, and for others with a deterministic automaton of at most
/// [`MAX_STATES`] states. Otherwise the structure of the automaton decides, and some classes may
/// remain unknown.
pub fn classes(automaton: &Automaton) -> Classes {
    let automaton = &prune::trim(automaton);
    deterministic(automaton, MAX_STATES).unwrap_or_else(|| by_structure(automaton))
}

/// Classifies the language of the automaton, given an automaton for the complement.
///
/// It suffices if one of the two can be determinized within the limits. Safety and guarantee are
/// always decided.
pub fn classes_given_complement(automaton: &Automaton, complement: &Automaton) -> Classes {
    let (automaton, complement) = (&prune::trim(automaton), &prune::trim(complement));
    // Small limits come first, because one of the two is often much easier.
    let mut most = 64;
    while most <= MAX_STATES {
        for (one, is_complement) in [(automaton, false), (complement, true)] {
            if let Some(classes) = deterministic(one, most) {
                return if is_complement { classes.of_complement() } else { classes };
            }
        }
        most *= 8;
    }
    let mut classes = by_structure(automaton).and(by_structure(complement).of_complement());
    let no_common_word = |l: &Automaton, r: &Automaton| product::common_word(l, r).is_none();
    classes.set(Class::Safety, no_common_word(&safety_closure(automaton), complement));
    classes.set(Class::Guarantee, no_common_word(&safety_closure(complement), automaton));
    let minimizer = Minimizer::new().powerset_limit(MAX_STATES);
    match minimizer.minimize_given_complement(automaton, complement) {
        Outcome::Minimal(_) => {
            classes.set(Class::Persistence, true);
            classes.set(Class::Recurrence, true);
        }
        // A persistence that is also a recurrence would be an obligation.
        Outcome::NotObligation if classes.contains(Class::Persistence) == Some(true) => {
            classes.set(Class::Recurrence, false);
        }
        Outcome::NotObligation if classes.contains(Class::Recurrence) == Some(true) => {
            classes.set(Class::Persistence, false);
        }
        Outcome::NotObligation | Outcome::TooLarge => {}
    }
    classes
}

/// Classifies the language of a deterministic automaton, or of one that has a deterministic
/// automaton with at most `most_states` states.
fn deterministic(automaton: &Automaton, most_states: usize) -> Option<Classes> {
    if automaton.is_deterministic() {
        return Some(of_deterministic(&complete(automaton)));
    }
    let small = reduce::reduce(&to_generalized_buchi(automaton), Level::Medium);
    let deterministic = determinize::parity_up_to(&small, most_states)?;
    Some(of_deterministic(&complete(&deterministic)))
}

/// Returns a trimmed automaton for the safety closure, in which every run is accepting.
fn safety_closure(automaton: &Automaton) -> Automaton {
    let mut builder = prune::trim(automaton).edit();
    builder.acceptance(Named::All.acceptance());
    builder.retain_edges(|_, edge| {
        edge.marks = crate::Marks::EMPTY;
        true
    });
    builder.build()
}

/// Exact, for deterministic and complete automata.
fn of_deterministic(automaton: &Automaton) -> Classes {
    let mut dual = automaton.edit();
    dual.acceptance(automaton.acceptance().dual());
    let dual = dual.build();
    let mut classes = Classes::unknown();
    classes.set(Class::Safety, is_safe(automaton));
    classes.set(Class::Guarantee, is_safe(&dual));
    classes.set(Class::Recurrence, !has_accepting_cycle_in_rejecting_one(automaton));
    classes.set(Class::Persistence, !has_accepting_cycle_in_rejecting_one(&dual));
    classes
}

/// True if no rejecting cycle reaches an accepting one. This implies that the language is safety;
/// for deterministic automata it is equivalent.
fn is_safe(automaton: &Automaton) -> bool {
    let trimmed = prune::trim(automaton);
    let sccs = Sccs::of(&trimmed);
    sccs.iter().all(|scc| !sccs.has_rejecting_cycle(&trimmed, scc))
}

/// Classifies by the strengths of components, without determinization: weak automata have
/// persistence languages, and terminal ones guarantee languages.
fn by_structure(automaton: &Automaton) -> Classes {
    let mut classes = Classes::unknown();
    if is_safe(automaton) {
        classes.set(Class::Safety, true);
    }
    if automaton.is_terminal() {
        classes.set(Class::Guarantee, true);
    }
    if automaton.is_inherently_weak() {
        classes.set(Class::Persistence, true);
    }
    classes
}
