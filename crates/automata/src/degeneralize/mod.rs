//! Degeneralization: from generalized Büchi to Büchi acceptance, on states or on edges.
//!
//! A generalized condition requires several marks infinitely often. A Büchi automaton waits for one
//! after the other. Its states are pairs of a state and a *level*, the number of marks seen in this
//! round. When all marks have been seen, it accepts and starts the next round. The number of states
//! grows at most by the factor marks plus one. Good choices among the correct ways to change levels
//! keep it much smaller:
//!
//! - [`Jump`]: an edge with several of the next marks climbs several levels in one step (Gastin and
//!   Oddoux, CAV 2001);
//! - [`InitialLevel`], [`EntryLevel`]: the level of initial states, and of states where runs enter
//!   another component (Giannakopoulou and Lerda, FORTE 2002);
//! - [`MarkOrder`]: the order in which to wait for marks;
//! - [`Marking`]: whether marks that every cycle through an edge sees count as seen;
//! - [`per_component`](Degeneralizer::per_component): components without accepting cycle need one
//!   level, and others wait only for marks that some of their cycles lack;
//! - [`reuse_levels`](Degeneralizer::reuse_levels): runs enter a component at an existing copy of
//!   the state if there is one;
//! - [`bottom_copies`](Degeneralizer::bottom_copies): a component keeps only the smallest closed
//!   set of its copies. It contains each state of the component, and all copies of a state have the
//!   same language (after Babiak, Badie, Duret-Lutz, Křetínský and Strejček, SPIN 2013);
//! - [`Placement`]: how acceptance moves from edges to states.
//!
//! Linear in the edges and the levels, times the number of orders that are tried.
//!
//! ```
//! use sempre_automata::{Alphabet, Automaton, Degeneralizer, GeneralizedBuchi, Marks, Named};
//!
//! // Infinitely often a, and infinitely often b.
//! let mut builder = Automaton::builder(Alphabet::new(["a", "b"]).unwrap());
//! builder.acceptance(Named::GeneralizedBuchi(2).acceptance());
//! let state = builder.add_state();
//! builder.initial(state);
//! let alphabet = builder.alphabet().clone();
//! for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
//!     let marks = [a.then_some(0), b.then_some(1)].into_iter().flatten().collect();
//!     builder.edge(state, alphabet.from_cube(&[(0, a), (1, b)]), marks, state);
//! }
//! let automaton = builder.build();
//! let automaton = GeneralizedBuchi::of(&automaton).unwrap();
//! let on_states = Degeneralizer::default().state_based(&automaton);
//! assert!(on_states.is_state_based() && on_states.is_deterministic());
//! assert_eq!(on_states.state_count(), 3);
//! let on_edges = Degeneralizer::default().transition_based(&automaton);
//! assert_eq!(on_edges.state_count(), 2);
//! # Ok::<(), sempre_automata::Error>(())
//! ```

mod build;
mod component;
mod layers;
mod order;
mod plan;
mod sets;
#[cfg(test)]
mod tests;
mod unroll;

pub use unroll::unroll;

use crate::automaton::Automaton;
use crate::generalized::GeneralizedBuchi;
use crate::prune;
use sets::Sets;

/// The number of levels that an edge with several of the next marks climbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// At most one level, and none from the accepting level.
    Never,
    /// As many levels as it has marks, but an edge from the accepting level leads to the first.
    NotFromAccepting,
    /// As many levels as it has marks; the accepting level counts as the first.
    Always,
    /// As `Always`, but not past a level whose mark the target waits for. So a state has copies
    /// mostly at the levels of marks that some of its edges lack.
    ToWaiting,
    /// The one with the fewest states and edges, for each component.
    Smallest,
}

/// The level of initial states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialLevel {
    /// The first level: no mark has been seen.
    First,
    /// The last level, accepting if acceptance is on states.
    Last,
    /// The smaller result of both.
    Smaller,
}

/// The level at which runs enter another strongly connected component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryLevel {
    /// The first level: no mark has been seen.
    First,
    /// The last level, accepting if acceptance is on states.
    Last,
    /// The level that the marks of the entering edge reach from the first.
    Marks,
    /// The first or the last, whichever gives fewer copies of the component.
    Smaller,
}

/// The order in which to wait for marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkOrder {
    /// The order of the acceptance condition.
    Given,
    /// This order, by positions in the acceptance condition; missing marks follow.
    Listed(Vec<u32>),
    /// For each component the order with the fewest copies. With more than five marks only some
    /// orders are tried, and fewer in large components.
    PerComponent,
    /// For the whole automaton the order with the smallest result; each candidate is built.
    Whole,
}

/// The marks that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marking {
    /// The marks of the edges.
    Given,
    /// Also marks that every cycle through an edge has, so that edges climb more levels.
    Saturated,
    /// The smaller result of both.
    Smaller,
}

/// How acceptance moves from edges to states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// One more level than there are marks; its states are accepting.
    ExtraLevel,
    /// A state is accepting if all its edges complete a round. Other targets of completing edges
    /// get an accepting copy. If marks are already on states, no copy is needed.
    Copies,
    /// The one with the fewest states and edges, for each component.
    Smallest,
}

/// Converts generalized Büchi automata to Büchi automata for the same language.
///
/// The default options give small automata; [`Degeneralizer::plain`] uses none of them. Every
/// combination is correct. A state has at most as many copies as there are marks, plus one for
/// acceptance on states (without [`Placement::Copies`]). States without accepting runs are removed,
/// and parallel edges merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Degeneralizer {
    jump: Jump,
    initial: InitialLevel,
    entry: EntryLevel,
    order: MarkOrder,
    marking: Marking,
    placement: Placement,
    per_component: bool,
    reuse_levels: bool,
    bottom_copies: bool,
}

impl Default for Degeneralizer {
    fn default() -> Self {
        Degeneralizer {
            jump: Jump::Smallest,
            initial: InitialLevel::Smaller,
            entry: EntryLevel::Smaller,
            order: MarkOrder::PerComponent,
            marking: Marking::Smaller,
            placement: Placement::Smallest,
            per_component: true,
            reuse_levels: true,
            bottom_copies: true,
        }
    }
}

impl Degeneralizer {
    /// The textbook construction: one level per step, from the first on, in the given order, for
    /// the whole automaton.
    pub fn plain() -> Self {
        Degeneralizer {
            jump: Jump::Never,
            initial: InitialLevel::First,
            entry: EntryLevel::First,
            order: MarkOrder::Given,
            marking: Marking::Given,
            placement: Placement::ExtraLevel,
            per_component: false,
            reuse_levels: false,
            bottom_copies: false,
        }
    }

    /// Sets the number of levels that edges climb.
    #[must_use]
    pub fn jump(mut self, jump: Jump) -> Self {
        self.jump = jump;
        self
    }

    /// Sets the level of initial states.
    #[must_use]
    pub fn initial(mut self, level: InitialLevel) -> Self {
        self.initial = level;
        self
    }

    /// Sets the level at which runs enter components; requires
    /// [`per_component`](Degeneralizer::per_component).
    #[must_use]
    pub fn entry(mut self, level: EntryLevel) -> Self {
        self.entry = level;
        self
    }

    /// Sets the order in which to wait for marks.
    #[must_use]
    pub fn order(mut self, order: MarkOrder) -> Self {
        self.order = order;
        self
    }

    /// Sets the marks that count.
    #[must_use]
    pub fn marking(mut self, marking: Marking) -> Self {
        self.marking = marking;
        self
    }

    /// Sets how acceptance moves to states; no effect for acceptance on edges.
    #[must_use]
    pub fn placement(mut self, placement: Placement) -> Self {
        self.placement = placement;
        self
    }

    /// Sets whether each strongly connected component has its own levels: one without an accepting
    /// cycle, otherwise one for each mark that some of its cycles lack. If not set, levels continue
    /// across components.
    #[must_use]
    pub fn per_component(mut self, on: bool) -> Self {
        self.per_component = on;
        self
    }

    /// Sets whether runs enter a component at an existing copy of the state, if there is one;
    /// requires [`per_component`](Degeneralizer::per_component).
    #[must_use]
    pub fn reuse_levels(mut self, on: bool) -> Self {
        self.reuse_levels = on;
        self
    }

    /// Sets whether each component keeps only its smallest closed set of copies; requires
    /// [`per_component`](Degeneralizer::per_component).
    #[must_use]
    pub fn bottom_copies(mut self, on: bool) -> Self {
        self.bottom_copies = on;
        self
    }

    /// Returns a Büchi automaton with marks on states: all edges of a state have the mark, or none.
    pub fn state_based(&self, automaton: &GeneralizedBuchi<'_>) -> Automaton {
        self.run(automaton, true)
    }

    /// Returns a Büchi automaton with marks on edges.
    pub fn transition_based(&self, automaton: &GeneralizedBuchi<'_>) -> Automaton {
        self.run(automaton, false)
    }

    fn keeps_bottom_copies(&self) -> bool {
        self.per_component && self.bottom_copies
    }

    fn run(&self, automaton: &GeneralizedBuchi<'_>, on_states: bool) -> Automaton {
        let clauses = automaton.sets();
        let trimmed = prune::trim(automaton);
        let given = Sets::new(&trimmed, clauses);
        let sets = match self.marking {
            Marking::Given => vec![given],
            Marking::Saturated => vec![given.saturated(&trimmed)],
            Marking::Smaller => match given.saturated(&trimmed) {
                saturated if saturated == given => vec![given],
                saturated => vec![saturated, given],
            },
        };
        let initial = match self.initial {
            InitialLevel::Smaller => vec![InitialLevel::First, InitialLevel::Last],
            other => vec![other],
        };
        let count = clauses.len() as u32;
        let orders = match &self.order {
            MarkOrder::Whole => order::some(count, order::MOST),
            MarkOrder::Listed(order) => vec![order::completed(order, count)],
            MarkOrder::Given | MarkOrder::PerComponent => vec![(0..count).collect()],
        };
        let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count());
        let mut smallest: Option<Automaton> = None;
        for sets in &sets {
            for order in &orders {
                let plan = plan::Plan::new(self, &trimmed, sets, order, on_states);
                for &level in &initial {
                    let result = build::build(self, &trimmed, &plan, level);
                    if smallest.as_ref().is_none_or(|least| size(&result) < size(least)) {
                        smallest = Some(result);
                    }
                }
            }
        }
        smallest.unwrap_or_else(|| unreachable!("there is an order"))
    }
}
