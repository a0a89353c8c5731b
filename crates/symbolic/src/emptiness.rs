//! Emptiness checks of products: fixpoints that are empty iff there is no accepting run.
//!
//! - *Terminal* automata: a state of a terminal SCC is reached.
//! - *Weak* automata: repeatedly removes states of accepting SCCs without predecessors there.
//! - *Forward OWCTY* for generalized Büchi automata (Černá and Pelánek; in the form of FEASIBLE of
//!   Kesten, Pnueli and Raviv): repeatedly restricts to states reachable from a cycle, then to
//!   those reachable by an edge of each acceptance set.
//! - *Emerson and Lei*: the same backwards.

use crate::product::{Parts, Product, add, both, is_empty, minus};
use sempre_automata::strength::{Strength, Strengths};

/// The fixpoint to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fixpoint {
    /// Reachability, for terminal automata.
    Terminal,
    /// One fixpoint, for weak automata.
    Weak,
    /// Forward OWCTY.
    Owcty,
    /// Backward, after Emerson and Lei.
    EmersonLei,
}

impl Fixpoint {
    /// All fixpoints with their names.
    pub const ALL: [(&'static str, Fixpoint); 4] = [
        ("terminal", Fixpoint::Terminal),
        ("weak", Fixpoint::Weak),
        ("owcty", Fixpoint::Owcty),
        ("emerson-lei", Fixpoint::EmersonLei),
    ];

    /// Returns the name in options and output.
    pub fn name(self) -> &'static str {
        Fixpoint::ALL.iter().find(|(_, one)| *one == self).map_or("", |(name, _)| name)
    }
}

/// The states that remain after removing those that are on no accepting run and follow none.
pub(crate) enum Hull<'s> {
    /// Reached states of terminal SCCs.
    Reached(Parts<'s>),
    /// Every state has a predecessor in the set, by a path with edges of each acceptance set.
    Forward(Parts<'s>),
    /// Every state has a successor in the set, by a path with edges of each acceptance set.
    Backward(Parts<'s>),
}

impl<'s> Hull<'s> {
    pub(crate) fn parts(&self) -> &Parts<'s> {
        match self {
            Hull::Reached(parts) | Hull::Forward(parts) | Hull::Backward(parts) => parts,
        }
    }
}

impl<'s> Product<'_, 's> {
    /// Returns which edges are inside accepting SCCs.
    pub(crate) fn accepting_edges(&self) -> Vec<bool> {
        let automaton = self.automaton();
        let strengths = Strengths::of(automaton);
        let accepting = |state| strengths.of_state(state).is_some_and(Strength::is_accepting);
        let sccs = strengths.sccs();
        (automaton.transitions())
            .map(|(state, edge)| accepting(state) && sccs.is_inside(state, edge.target))
            .collect()
    }

    /// Computes the hull of all accepting runs.
    pub(crate) fn hull(&self, fixpoint: Fixpoint) -> Hull<'s> {
        let all = |_: usize| true;
        match fixpoint {
            Fixpoint::Terminal => {
                let inside = self.accepting_edges();
                let found = self.reach(&self.initial, |edge| !inside[edge]);
                // Where an edge inside a terminal SCC is enabled, some run stays there.
                Hull::Reached(self.post(&found, |edge| inside[edge]))
            }
            Fixpoint::Weak | Fixpoint::Owcty => {
                let reached = self.reach(&self.initial, all);
                Hull::Forward(self.trim(reached, fixpoint))
            }
            Fixpoint::EmersonLei => {
                let inside = self.accepting_edges();
                let mut hull = self.reach(&self.initial, all);
                loop {
                    let before = hull.clone();
                    if self.marks() == 0 {
                        hull = self.pre(&hull, &hull, |edge| inside[edge]);
                    }
                    for mark in 0..self.marks() {
                        let into = |edge: usize| inside[edge] && self.carries(edge, mark);
                        let mut found = self.pre(&hull, &hull, into);
                        let mut new = found.clone();
                        while !is_empty(&new) {
                            new = minus(self.pre(&new, &hull, |edge| inside[edge]), &found);
                            add(&mut found, &new);
                        }
                        hull = found;
                    }
                    if hull == before {
                        return Hull::Backward(hull);
                    }
                }
            }
        }
    }

    /// Repeatedly removes states without predecessors by edges inside accepting SCCs. Unless all
    /// cycles there are accepting, each remaining state also needs an edge of each acceptance set
    /// before it. Removed states must not lead back.
    pub(crate) fn trim(&self, states: Parts<'s>, fixpoint: Fixpoint) -> Parts<'s> {
        let inside = self.accepting_edges();
        let marks = match fixpoint {
            Fixpoint::Terminal | Fixpoint::Weak => 0,
            Fixpoint::Owcty | Fixpoint::EmersonLei => self.marks(),
        };
        let mut hull = states;
        loop {
            let before = hull.clone();
            loop {
                let next = both(&self.post(&hull, |edge| inside[edge]), &hull);
                if next == hull {
                    break;
                }
                hull = next;
            }
            for mark in 0..marks {
                let seen = self.post(&hull, |edge| inside[edge] && self.carries(edge, mark));
                hull = both(&self.reach(&seen, |edge| inside[edge]), &hull);
            }
            if hull == before {
                return hull;
            }
        }
    }

    pub(crate) fn marks(&self) -> u32 {
        self.automaton().acceptance().marks()
    }

    pub(crate) fn carries(&self, edge: usize, mark: u32) -> bool {
        self.automaton().edges()[edge].marks.contains(mark)
    }
}
