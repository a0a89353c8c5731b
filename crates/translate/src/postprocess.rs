//! Smaller automata from those that constructions give.

use crate::merging;
use sempre_automata::degeneralize::Degeneralizer;
use sempre_automata::product::Product;
use sempre_automata::reduce::{self, Level};
use sempre_automata::wdba::{Minimizer, Outcome};
use sempre_automata::{Automaton, complement, emptiness};

/// Powersets are given up beyond this many sets per state, and this many more.
const POWERSET_LIMIT: (usize, usize) = (4, 32);

/// What automata are compared by: fewer states first, then fewer edges, then fewer marks.
fn size(automaton: &Automaton) -> (usize, usize, u32) {
    (automaton.state_count(), automaton.edge_count(), automaton.acceptance().marks())
}

/// What is known about a language besides an automaton.
pub struct Language<'a> {
    /// It is an obligation.
    pub obligation: bool,
    /// An automaton of the complement; it is called for when an automaton is to be verified.
    pub complement: &'a mut dyn FnMut() -> Automaton,
}

/// An automaton of the same language with few states.
pub fn small(automaton: &Automaton, language: &mut Language<'_>) -> Automaton {
    let mut best = reduce::reduce(automaton, Level::Medium);
    if let Some(minimal) = obligation(&best, language) {
        best = minimal;
    }
    if best.state_count() > 1 {
        let complement = (language.complement)();
        while let Some(merged) = merging::merged(&best, &complement) {
            best = reduce::reduce(&merged, Level::Medium);
        }
    }
    best
}

/// The minimal deterministic weak automaton, if the language is an obligation and the automaton is
/// not larger than what there is.
fn obligation(automaton: &Automaton, language: &mut Language<'_>) -> Option<Automaton> {
    let (factor, offset) = POWERSET_LIMIT;
    let minimizer = Minimizer::new().powerset_limit(factor * automaton.state_count() + offset);
    let Outcome::Minimal(minimal) = minimizer.minimize_obligation(automaton) else { return None };
    if size(&minimal) > size(automaton) {
        return None;
    }
    (language.obligation || is_same(automaton, &minimal, language)).then_some(minimal)
}

/// True if the deterministic automaton has the language.
fn is_same(automaton: &Automaton, deterministic: &Automaton, language: &mut Language<'_>) -> bool {
    complement::deterministic(deterministic).is_ok_and(|rest| are_disjoint(automaton, &rest))
        && are_disjoint(deterministic, &(language.complement)())
}

fn are_disjoint(left: &Automaton, right: &Automaton) -> bool {
    let product = Product::intersection(left, right);
    !emptiness::has_accepting_lasso(&product, product.acceptance().condition())
}

/// A Büchi automaton with marks on states, of the same language, with few states.
pub fn state_based(automaton: &Automaton) -> Automaton {
    let degeneralized = |automaton: &Automaton| {
        Degeneralizer::default()
            .state_based(automaton)
            .unwrap_or_else(|_| unreachable!("constructions give generalised Büchi automata"))
    };
    let mut best = degeneralized(automaton);
    loop {
        let next = degeneralized(&reduce::reduce(&best, Level::High));
        if size(&next) >= size(&best) {
            return best;
        }
        best = next;
    }
}
