//! Deterministic automata of formulas.
//!
//! There are several [routes](Route) from a formula to a deterministic automaton; none always gives
//! the smallest one:
//!
//! - *weak*: obligations, by after-formulas and minimization;
//! - *breakpoint*: recurrences, by after-formulas with one breakpoint;
//! - *master*: all formulas, by the Master Theorem;
//! - *decomposition*: all formulas, by a product of automata for the operands of their Boolean
//!   structure;
//! - *normalization*: the same, after conversion of the formula to the class Δ2;
//! - *mmaa*: LTL without U and X under G, by may/must alternating automata;
//! - *safra*: all formulas, by determinization of the tableau's automaton.
//!
//! Each route also works on the negation, whose automaton is dualized. [`translate`] tries them in
//! turn. It returns the automaton with the fewest states, then marks, then edges, with the
//! requested [acceptance condition](TargetAcceptance). All limits count steps, never time, so that equal
//! formulas give equal automata everywhere.

mod acceptance;
mod breakpoint;
mod decomposition;
mod explore;
#[cfg(test)]
mod hoa_tests;
mod limit;
mod master;
mod portfolio;
mod redundant;
mod routes;
#[cfg(test)]
mod tests;
mod turns;
mod unions;
mod weak;
mod window;

pub use acceptance::TargetAcceptance;
pub use portfolio::{Candidate, Request, candidates, translate};
pub use routes::Route;

pub(crate) use explore::Explored;
pub(crate) use limit::{Combination, Watch};
pub(crate) use routes::{BOUNDS, simplified, workshop_of};
pub(crate) use weak::classes;

use crate::after::Space;
use breakpoint::Pending;
use explore::Bounds;
use limit::Limit;
use rustc_hash::FxHashMap;
use sempre_automata::reduce::{Level, deterministic};
use sempre_automata::{Alphabet, Automaton, Named, complement};
use sempre_ltl::rewrite::nnf;
use sempre_ltl::rewrite::simplify::{self, Simplifier};
use sempre_ltl::{Formula, Traits};
use std::rc::Rc;
use std::sync::Arc;

/// The order of automata: by states, then marks, then edges.
pub(crate) fn size(automaton: &Automaton) -> (usize, u32, usize) {
    (automaton.state_count(), automaton.acceptance().marks(), automaton.edge_count())
}

/// Returns the automaton of the empty language: one state without edges.
fn nothing(alphabet: &Arc<Alphabet>) -> Automaton {
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(Named::None.acceptance());
    let state = builder.add_state();
    builder.initial(state);
    builder.build()
}

/// The shared caches of all constructions for one formula.
pub(crate) struct Workshop {
    pub(crate) alphabet: Arc<Alphabet>,
    pub(crate) bounds: Bounds,
    pub(crate) simplifier: Simplifier,
    limits: FxHashMap<Formula, Option<Limit>>,
    watches: Vec<Rc<Automaton>>,
    /// Whether watches remember the last letters where they can.
    windows: bool,
    /// A cache of results for formulas that are not decomposed.
    direct: FxHashMap<Formula, Option<Rc<Automaton>>>,
    #[cfg(test)]
    fault: Option<Fault>,
}

/// Wrong variants of constructions that look right: tests must find them.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A copy that fails restarts with the formula before the step, not after it.
    EarlyRestart,
    /// The edge on which a copy fails has no mark.
    SilentRestart,
    /// Marks that occur in a component count as seen by each of its cycles.
    OccurringMarks,
}

impl Workshop {
    /// Creates a workshop for formulas over these propositions.
    pub(crate) fn new(alphabet: Alphabet, bounds: Bounds) -> Self {
        Workshop {
            alphabet: Arc::new(alphabet),
            bounds,
            simplifier: Simplifier::new(simplify::Level::default()),
            limits: FxHashMap::default(),
            watches: vec![],
            windows: false,
            direct: FxHashMap::default(),
            #[cfg(test)]
            fault: None,
        }
    }

    /// Reduces a deterministic automaton. The result has at least one state.
    pub(crate) fn reduced(&self, automaton: &Automaton, level: Level) -> Automaton {
        let mut best = deterministic::reduce(automaton, level);
        if best.initial().is_empty() {
            return nothing(&self.alphabet);
        }
        while let Some(fewer) = redundant::without(&best) {
            best = deterministic::reduce(&fewer, level);
        }
        best
    }

    /// Works with watches that remember the last letters where they can.
    fn with_windows<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let others = std::mem::take(&mut self.limits);
        self.windows = true;
        let result = work(self);
        self.windows = false;
        self.limits = others;
        result
    }

    /// Returns the reduced dual of a deterministic automaton.
    pub(crate) fn dual(&self, automaton: &Automaton) -> Automaton {
        let dual = complement::deterministic(automaton);
        let dual = dual.unwrap_or_else(|_| unreachable!("routes give deterministic automata"));
        self.reduced(&dual, Level::Low)
    }

    /// Returns the smallest automaton of a formula in normal form found without decomposition.
    pub(crate) fn direct(&mut self, formula: &Formula) -> Option<Rc<Automaton>> {
        if let Some(known) = self.direct.get(formula) {
            return known.clone();
        }
        let mut found: Vec<Automaton> = vec![];
        if formula.is(Traits::OBLIGATION) {
            found.extend(self.weak(formula));
        } else {
            let negation = nnf(&Formula::not(formula));
            for pending in [Pending::Rest, Pending::Unfolded] {
                found.extend(self.breakpoint(formula, pending));
                let dual = self.breakpoint(&negation, pending);
                found.extend(dual.map(|dual| self.dual(&dual)));
            }
            if found.is_empty() {
                found.extend(self.master(formula));
                let dual = self.master(&negation);
                found.extend(dual.map(|dual| self.dual(&dual)));
            }
        }
        let smallest = found.into_iter().min_by_key(size);
        let smallest = smallest.map(|smallest| Rc::new(self.reduced(&smallest, Level::Medium)));
        self.direct.insert(formula.clone(), smallest.clone());
        smallest
    }

    fn weak(&mut self, formula: &Formula) -> Option<Automaton> {
        let mut space = Space::new(self.alphabet.clone(), self.bounds.nodes);
        weak::minimal_in(&mut space, formula, self.bounds)
    }

    fn breakpoint(&mut self, formula: &Formula, pending: Pending) -> Option<Automaton> {
        let normal = breakpoint::normal(formula)?;
        let mut space = Space::new(self.alphabet.clone(), self.bounds.nodes);
        let automaton = breakpoint::automaton(&mut space, &normal, pending, self.bounds)?;
        Some(self.reduced(&automaton, Level::Low))
    }

    fn master(&mut self, formula: &Formula) -> Option<Automaton> {
        let mut automaton = master::automaton(self, formula)?;
        // Before marks change: pairs with copies come last, and are removed first.
        while let Some(fewer) = redundant::without(&automaton) {
            automaton = fewer;
        }
        Some(self.reduced(&automaton, Level::Low))
    }
}
