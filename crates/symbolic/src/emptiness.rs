//! Whether a product has an accepting run: fixpoints whose result is empty if and only if it has
//! none.
//!
//! - *Terminal* automata: a state of a terminal component is reached.
//! - *Weak* automata: what remains of the accepting components after removing, again and again,
//!   the states without predecessors there.
//! - *Forward OWCTY* for generalized Büchi automata (Černá and Pelánek; in the form of FEASIBLE of
//!   Kesten, Pnueli and Raviv): states that can be reached from a cycle, then those that can be
//!   reached by an edge of each acceptance set, until nothing changes.
//! - *Emerson and Lei*: the same idea backwards, on states from which something can be reached.

use crate::product::{Parts, Product, add, both, is_empty, minus};
use sempre_automata::strength::{Strength, Strengths};

/// Which fixpoint is computed.
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
    /// All, with the names by which they are chosen.
    pub const ALL: [(&'static str, Fixpoint); 4] = [
        ("terminal", Fixpoint::Terminal),
        ("weak", Fixpoint::Weak),
        ("owcty", Fixpoint::Owcty),
        ("emerson-lei", Fixpoint::EmersonLei),
    ];

    /// The name by which it is chosen.
    pub fn name(self) -> &'static str {
        Fixpoint::ALL.iter().find(|(_, one)| *one == self).map_or("", |(name, _)| name)
    }
}

/// What is left when everything was removed that lies on no accepting run, or follows none.
pub(crate) enum Hull<'s> {
    /// States that are reached and from which every run of the automaton can be completed.
    Reached(Parts<'s>),
    /// Every state has a predecessor in it, by edges of each acceptance set some way back.
    Forward(Parts<'s>),
    /// Every state has a successor in it, by edges of each acceptance set some way on.
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
    /// The edges inside accepting components, as a table.
    pub(crate) fn accepting_edges(&self) -> Vec<bool> {
        let automaton = self.automaton();
        let strengths = Strengths::of(automaton);
        let accepting = |state| strengths.of_state(state).is_some_and(Strength::is_accepting);
        let sccs = strengths.sccs();
        (automaton.transitions())
            .map(|(state, edge)| accepting(state) && sccs.is_inside(state, edge.target))
            .collect()
    }

    /// The hull of all accepting runs.
    pub(crate) fn hull(&self, fixpoint: Fixpoint) -> Hull<'s> {
        let all = |_: usize| true;
        match fixpoint {
            Fixpoint::Terminal => {
                let inside = self.accepting_edges();
                let found = self.reach(&self.initial, |edge| !inside[edge]);
                // Where an edge inside a terminal component can be taken, some run stays there.
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

    /// What is left of some states if, again and again, those are removed without predecessors by
    /// edges inside accepting components, or, unless all cycles there are accepting, without an
    /// edge of each acceptance set behind them. What `states` is left to must not lead back.
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
