//! The strength of automata: the difficulty of finding an accepting cycle in a product with them.
//!
//! An accepting strongly connected component is *strong* if it also has rejecting cycles, and
//! *weak* if all its cycles are accepting. A weak component is *terminal* if it reads every word
//! inside. A check of weak components needs no marks, and that of terminal ones no cycles. The
//! notions are those of Renault, Duret-Lutz, Kordon and Poitrenaud, Strength-based decomposition of
//! the property Büchi automaton for faster model checking (TACAS 2013), here for any acceptance
//! condition.
//!
//! [`Strengths`] has four [methods](Way) to compute them. Each may overestimate the strength of a
//! component, but never underestimates it. [`weaken`] moves marks so that the cheapest method is
//! exact.
//!
//! ```
//! use sempre_automata::hoa;
//! use sempre_automata::strength::{Strength, Strengths, Way, weaken};
//!
//! // a at every other step: every cycle has the mark, but not every edge.
//! let text = r#"HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
//!     --BODY-- State: 0 [0] 1 {0} State: 1 [t] 0 --END--"#;
//! let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
//! assert_eq!(Strengths::of(&automaton).strongest(), Some(Strength::Weak));
//! assert_eq!(Strengths::by(&automaton, Way::Structural).strongest(), Some(Strength::Strong));
//! assert!(!automaton.is_weak() && weaken(&automaton).is_weak());
//! # Ok::<(), sempre_automata::Error>(())
//! ```

mod cycles;
#[cfg(test)]
mod tests;
mod weaken;

pub use cycles::elementary_cycles;
pub use weaken::weaken;

use crate::automaton::Automaton;
use crate::index::{SccId, StateId};
use crate::marks::Marks;
use crate::scc::Sccs;
use sempre_ltl::{Formula, Traits};
use std::ops::ControlFlow;

/// The strength of a strongly connected component; stronger ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// It reaches no accepting cycle.
    Useless,
    /// It has no accepting cycle, but reaches one.
    Transient,
    /// All its cycles are accepting, and each of its states reads every letter without leaving it.
    Terminal,
    /// All its cycles are accepting.
    Weak,
    /// It has accepting cycles and possibly rejecting ones.
    Strong,
}

impl Strength {
    /// All strengths, the weakest first.
    pub const ALL: [Strength; 5] = [
        Strength::Useless,
        Strength::Transient,
        Strength::Terminal,
        Strength::Weak,
        Strength::Strong,
    ];

    /// True if the component has an accepting cycle.
    pub fn is_accepting(self) -> bool {
        self >= Strength::Terminal
    }
}

/// A method to compute the strength of accepting components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// Exact: searches for a rejecting cycle. Polynomial for (generalized) Büchi acceptance: a
    /// rejecting cycle remains when the edges with some mark are removed. In general the cost is
    /// that of [`Sccs::has_rejecting_cycle`].
    Inherent,
    /// Exact: visits all [elementary cycles](elementary_cycles) up to the first rejecting one;
    /// there may be exponentially many. If the condition has `Fin` terms, elementary cycles do not
    /// suffice, and this is [`Way::Inherent`].
    Cycles,
    /// A component is weak if all its edges have the same marks. Linear.
    Structural,
    /// Uses the formulas that name the states: a component is weak if it has a state with a
    /// syntactic persistence formula, and terminal if it has one with a syntactic guarantee. Sound
    /// for automata of tableau constructions, whose states are named by their obligations. For
    /// other names it may be wrong.
    Syntactic,
}

impl Way {
    /// All methods, the default first.
    pub const ALL: [Way; 4] = [Way::Inherent, Way::Cycles, Way::Structural, Way::Syntactic];

    /// Returns the name in options and output.
    pub const fn name(self) -> &'static str {
        match self {
            Way::Inherent => "inherent",
            Way::Cycles => "cycles",
            Way::Structural => "structural",
            Way::Syntactic => "syntactic",
        }
    }

    /// Returns a line about the method, for help texts.
    pub const fn description(self) -> &'static str {
        match self {
            Way::Inherent => "exact, by a search for a rejecting cycle",
            Way::Cycles => "exact, by enumerating elementary cycles",
            Way::Structural => "weak if all edges have the same marks",
            Way::Syntactic => "by the formulas that name the states",
        }
    }
}

/// The strengths of all reachable components of an automaton.
#[derive(Clone, Debug)]
pub struct Strengths {
    sccs: Sccs,
    strengths: Vec<Strength>,
}

impl Strengths {
    /// Computes the exact strengths: [`Way::Inherent`].
    pub fn of(automaton: &Automaton) -> Self {
        Self::by(automaton, Way::Inherent)
    }

    /// Computes the strengths by a method; [`Way::Syntactic`] parses the names of the states as
    /// formulas.
    pub fn by(automaton: &Automaton, way: Way) -> Self {
        match way {
            Way::Inherent => {
                let sccs = Sccs::of(automaton);
                let rejecting = sccs.with_rejecting_cycle(automaton);
                Self::new(automaton, sccs, |_, scc| !rejecting[scc.index()])
            }
            Way::Cycles if automaton.acceptance().condition().inf_and_fin().1.is_empty() => {
                Self::new(automaton, Sccs::of(automaton), |sccs, scc| {
                    let accepting = automaton.acceptance();
                    let found = elementary_cycles(automaton, sccs, scc, |cycle| {
                        let marks = cycle.iter().fold(Marks::EMPTY, |marks, &edge| {
                            &marks | &automaton.edge(edge).marks
                        });
                        match accepting.accepts(&marks) {
                            true => ControlFlow::Continue(()),
                            false => ControlFlow::Break(()),
                        }
                    });
                    found.is_continue()
                })
            }
            Way::Cycles => Self::by(automaton, Way::Inherent),
            Way::Structural => {
                Self::new(automaton, Sccs::of(automaton), |sccs, scc| sccs.is_weak(automaton, scc))
            }
            Way::Syntactic => Self::by_formulas(automaton, |state| {
                automaton.state_name(state).and_then(|name| name.parse().ok())
            }),
        }
    }

    /// Computes the strengths from formulas for the languages of states, where known; see
    /// [`Way::Syntactic`].
    pub fn by_formulas(
        automaton: &Automaton,
        formula: impl Fn(StateId) -> Option<Formula>,
    ) -> Self {
        let strength = |sccs: &Sccs, scc: SccId| {
            let formulas = sccs.states(scc).iter().filter_map(|&state| formula(state));
            let of_formula = |formula: Formula| {
                if formula.is(Traits::GUARANTEE) {
                    Strength::Terminal
                } else if formula.is(Traits::PERSISTENCE) {
                    Strength::Weak
                } else {
                    Strength::Strong
                }
            };
            formulas.map(of_formula).min().unwrap_or(Strength::Strong)
        };
        Self::with(automaton, Sccs::of(automaton), strength)
    }

    /// Computes the strengths, given a predicate for weak accepting components.
    fn new(automaton: &Automaton, sccs: Sccs, is_weak: impl Fn(&Sccs, SccId) -> bool) -> Self {
        Self::with(automaton, sccs, |sccs, scc| match is_weak(sccs, scc) {
            true if sccs.is_complete(automaton, scc) => Strength::Terminal,
            true => Strength::Weak,
            false => Strength::Strong,
        })
    }

    /// Computes the strengths, given those of accepting components.
    fn with(
        automaton: &Automaton,
        sccs: Sccs,
        of_accepting: impl Fn(&Sccs, SccId) -> Strength,
    ) -> Self {
        let mut strengths = Vec::with_capacity(sccs.len());
        for (scc, accepting) in sccs.iter().zip(sccs.accepting(automaton)) {
            strengths.push(match accepting {
                true => of_accepting(&sccs, scc),
                // Successors come first, so their results are known.
                false => match sccs
                    .successors(scc)
                    .iter()
                    .all(|next| strengths[next.index()] == Strength::Useless)
                {
                    true => Strength::Useless,
                    false => Strength::Transient,
                },
            });
        }
        Strengths { sccs, strengths }
    }

    /// The components.
    pub fn sccs(&self) -> &Sccs {
        &self.sccs
    }

    /// The strength of a component.
    pub fn of_component(&self, scc: SccId) -> Strength {
        self.strengths[scc.index()]
    }

    /// Returns the strength of the component of a state; `None` if the state is unreachable.
    pub fn of_state(&self, state: StateId) -> Option<Strength> {
        self.sccs.component(state).map(|scc| self.of_component(scc))
    }

    /// Returns the number of components of this strength.
    pub fn count(&self, strength: Strength) -> usize {
        self.strengths.iter().filter(|other| **other == strength).count()
    }

    /// Returns the strength of the strongest component, that of the automaton; `None` if there is
    /// no component.
    pub fn strongest(&self) -> Option<Strength> {
        self.strengths.iter().max().copied()
    }
}
