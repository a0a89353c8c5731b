//! Reductions that preserve determinism.
//!
//! - States on no accepting run are removed. An obligation becomes its minimal weak automaton.
//! - Marks get a normal form that depends only on cycles. If the graph allows a parity condition
//!   ([`acd`](crate::acd)), that is tried as well.
//! - [Bisimilar](super::bisimulation) states are merged.
//! - Edges are redirected to the lowest states with the same language, which is decided exactly on
//!   pairs of states. This includes the state that accepts every word.
//! - At the highest level, states of the same language and component are merged by trial.
//!
//! The languages of all pairs of states take n² · k steps for n states and k classes of letters,
//! times the pairs of disjuncts of the condition. All steps are limited.

mod attempts;
pub(crate) mod comparison;
mod cycles;
pub mod recolor;
#[cfg(test)]
mod recolor_tests;
pub(crate) mod residuals;
pub mod sat;
#[cfg(test)]
mod sat_tests;
pub mod solved;
mod solver;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod truth;

use super::Level;
use super::graph::headers;
use crate::acd::Decomposition;
use crate::automaton::Automaton;
use crate::{convert, parallel, prune, strength, wdba};
use sempre_ltl::interrupt;
use table::Classes;

/// The limit of steps for the languages of all pairs of states.
const PAIR_STEPS: usize = 1 << 23;
/// The limit of steps for merging states by trial.
const TRIAL_STEPS: usize = 1 << 21;
/// The limit of steps for the decomposition.
const CYCLE_STEPS: usize = 1 << 18;

/// Returns a deterministic automaton for the same language that is not larger by (states, marks,
/// edges). A nondeterministic automaton does not change.
///
/// ```
/// use sempre_automata::reduce::{Level, deterministic};
/// use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId};
/// // Infinitely often a, with a state that remembers the last letter.
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// builder.acceptance(Named::Buchi.acceptance());
/// let (first, second) = (builder.add_states(2), StateId::new(1));
/// let (a, tt) = (builder.alphabet().prop(0), builder.alphabet().tt());
/// let not_a = builder.alphabet().not(a);
/// builder.initial(first);
/// builder.edge(first, not_a, Marks::EMPTY, first).edge(first, a, Marks::EMPTY, second);
/// builder.edge(second, tt, Marks::from_iter([0]), first);
/// let reduced = deterministic::reduce(&builder.build(), Level::High);
/// assert_eq!(reduced.state_count(), 1);
/// ```
pub fn reduce(automaton: &Automaton, level: Level) -> Automaton {
    if !automaton.is_deterministic() {
        return automaton.clone();
    }
    let trimmed = parallel::merge(&prune::trim(automaton));
    let mut best = smaller(trimmed.clone(), by_class(&trimmed, level));
    let marks = convert::simplify_acceptance(&best);
    if size(&marks) < size(&best) {
        best = marks;
    }
    named(&best, automaton)
}

/// Returns the smaller of two, or the first if none is.
fn smaller(left: Automaton, right: Automaton) -> Automaton {
    if size(&right) < size(&left) { right } else { left }
}

/// The measure to minimize.
fn size(automaton: &Automaton) -> (usize, u32, usize) {
    (automaton.state_count(), automaton.acceptance().marks(), automaton.edge_count())
}

/// Copies the name and the headers of another automaton of the same language.
fn named(automaton: &Automaton, origin: &Automaton) -> Automaton {
    let mut builder = automaton.edit();
    builder.headers(headers(origin));
    if let Some(name) = origin.name() {
        builder.name(name);
    }
    builder.build()
}

fn by_class(trimmed: &Automaton, level: Level) -> Automaton {
    if trimmed.initial().is_empty() {
        return trimmed.clone();
    }
    if trimmed.is_inherently_weak() {
        // The language of a weak deterministic automaton is an obligation.
        return prune::trim(&wdba::minimize_obligation(trimmed));
    }
    let mut best = trimmed.clone();
    loop {
        interrupt::poll();
        let next = round(&best, level);
        if size(&next) >= size(&best) {
            return best;
        }
        best = next;
    }
}

/// Applies all reductions once, with the given marks and with parity marks.
fn round(automaton: &Automaton, level: Level) -> Automaton {
    let simple = convert::simplify_acceptance(&strength::weaken(automaton));
    let mut best = once(&simple, level);
    if let Some(parity) = as_parity(&simple) {
        best = smaller(best, once(&parity, level));
    }
    best
}

/// Returns the automaton with a parity condition on the same graph, if the graph allows one.
fn as_parity(automaton: &Automaton) -> Option<Automaton> {
    let decomposition = Decomposition::of(automaton, CYCLE_STEPS)?;
    let parity = decomposition.typeness().is_parity.then(|| decomposition.to_parity())?;
    (parity.acceptance() != automaton.acceptance()).then_some(parity)
}

fn once(automaton: &Automaton, level: Level) -> Automaton {
    let quotient = super::reduce(automaton, Level::Low);
    let mut best = quotient.clone();
    if level >= Level::Medium {
        best = smaller(best, by_languages(&quotient, level).unwrap_or(quotient));
    }
    best
}

/// Redirects edges downwards, and merges states by trial.
fn by_languages(automaton: &Automaton, level: Level) -> Option<Automaton> {
    let classes = Classes::of(automaton)?;
    let mut table = classes.table(automaton)?;
    let steps = &mut { PAIR_STEPS };
    let mut changed = residuals::merge_universal(&mut table, steps)?;
    let class = residuals::classes(&table, steps)?;
    changed |= residuals::redirect(&mut table, &class);
    if changed {
        return Some(super::reduce(&prune::trim(&classes.automaton(&table)), Level::Low));
    }
    if level < Level::High {
        return None;
    }
    let merged = attempts::merge(&table, &class, &mut { TRIAL_STEPS })?;
    Some(prune::trim(&classes.automaton(&merged)))
}
