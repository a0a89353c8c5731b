//! Degeneralisation: from generalized Büchi acceptance to Büchi acceptance, on states or on edges.
//!
//! A generalized condition asks for several marks infinitely often. A Büchi automaton waits for
//! them one after the other: its states are pairs of a state and a *level*, which says for how many
//! marks it has waited successfully; when all have been seen, it accepts and starts again. That
//! multiplies the states by up to the number of marks plus one, and a good choice among the many
//! correct ways of moving between levels keeps far fewer:
//!
//! - [`Jump`]: an edge with several of the marks next in order climbs several levels at once
//!   (Gastin and Oddoux, CAV 2001);
//! - [`InitialLevel`], [`EntryLevel`]: where to start, and where to go on in another strongly
//!   connected component (Giannakopoulou and Lerda, FORTE 2002);
//! - [`MarkOrder`]: in which order to wait for the marks;
//! - [`Marking`]: whether marks that are bound to be seen count as seen;
//! - [`per_component`](Degeneralizer::per_component): components without accepting cycle need one
//!   level, and others wait only for the marks that some of their cycles lack;
//! - [`reuse_levels`](Degeneralizer::reuse_levels): a component is entered at a level that its
//!   state has already;
//! - [`bottom_copies`](Degeneralizer::bottom_copies): of the copies of a component, only the
//!   smallest set is kept that no edge inside the component leaves. It has each state of the
//!   component, and a state's copies have the same language (Babiak, Badie, Duret-Lutz, Křetínský
//!   and Strejček, SPIN 2013, remove redundant copies in this way);
//! - [`Placement`]: how acceptance on edges becomes acceptance on states.
//!
//! The time is linear in the edges and the levels, times the number of orders that are tried.
//!
//! ```
//! use sempre_automata::{Alphabet, Automaton, Degeneralizer, Marks, Named};
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
//! let on_states = Degeneralizer::default().state_based(&automaton)?;
//! assert!(on_states.is_state_based() && on_states.is_deterministic());
//! assert_eq!(on_states.state_count(), 3);
//! let on_edges = Degeneralizer::default().transition_based(&automaton)?;
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

use crate::automaton::Automaton;
use crate::error::Error;
use crate::prune;
use sets::Sets;

/// How far an edge climbs that has several of the marks next in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// One level, whatever marks it has; none from the accepting level.
    Never,
    /// As many levels as it has marks, but an edge from the accepting level leads to the first.
    NotFromAccepting,
    /// As many levels as it has marks; the accepting level counts as the first.
    Always,
    /// As always, but it does not climb past a level whose mark the target is going to wait for:
    /// so a state has copies mostly at the levels of marks that some of its edges lack.
    ToWaiting,
    /// Whichever gives the fewest states and edges, for each component.
    Smallest,
}

/// The level of initial states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialLevel {
    /// The first: all marks are to be seen.
    First,
    /// The last: the accepting one, if acceptance is on states.
    Last,
    /// Both are tried, and the smaller automaton is kept.
    Smaller,
}

/// The level at which another strongly connected component is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryLevel {
    /// The first: all marks are to be seen.
    First,
    /// The last: the accepting one, if acceptance is on states.
    Last,
    /// That which the marks of the entering edge reach from the first.
    Marks,
    /// The first or the last, whichever gives fewer copies of the component.
    Smaller,
}

/// In which order the marks are waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkOrder {
    /// That of the acceptance condition.
    Given,
    /// This one, by the places of marks in the acceptance condition; those that are not listed
    /// follow.
    Listed(Vec<u32>),
    /// For each component the one that gives the fewest copies of it. Of many orders, as there are
    /// with more than five marks, only some are tried, and fewer in large components.
    PerComponent,
    /// For the whole automaton the one that gives the smallest, likewise; each is built.
    Whole,
}

/// Which marks are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marking {
    /// Those that edges have.
    Given,
    /// Also those that all cycles through an edge have: so more levels are climbed at once.
    Saturated,
    /// Both are tried, and the smaller automaton is kept.
    Smaller,
}

/// How acceptance comes from edges to states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// By a level more than there are marks, whose states are accepting.
    ExtraLevel,
    /// A state all of whose edges complete the marks is accepting; of others to which completing
    /// edges lead there is an accepting copy. If marks are on states already, no copy is needed.
    Copies,
    /// Whichever gives the fewest states and edges, for each component.
    Smallest,
}

/// Turns generalized Büchi automata into Büchi automata of the same language.
///
/// By default with the options that give small automata; [`Degeneralizer::plain`] uses none of
/// them. Every combination gives a correct automaton with at most as many copies of a state as
/// there are marks, plus one if acceptance is to be on states (without [`Placement::Copies`]).
/// States that no accepting run visits are removed, and parallel edges merged.
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
    /// The textbook's construction: one level per step, from the first on, in the given order, in
    /// the whole automaton alike.
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

    /// How far edges climb.
    #[must_use]
    pub fn jump(mut self, jump: Jump) -> Self {
        self.jump = jump;
        self
    }

    /// The level of initial states.
    #[must_use]
    pub fn initial(mut self, level: InitialLevel) -> Self {
        self.initial = level;
        self
    }

    /// The level at which components are entered; it needs
    /// [`per_component`](Degeneralizer::per_component).
    #[must_use]
    pub fn entry(mut self, level: EntryLevel) -> Self {
        self.entry = level;
        self
    }

    /// In which order the marks are waited for.
    #[must_use]
    pub fn order(mut self, order: MarkOrder) -> Self {
        self.order = order;
        self
    }

    /// Which marks are counted.
    #[must_use]
    pub fn marking(mut self, marking: Marking) -> Self {
        self.marking = marking;
        self
    }

    /// How acceptance comes to states; where it stays on edges, this has no effect.
    #[must_use]
    pub fn placement(mut self, placement: Placement) -> Self {
        self.placement = placement;
        self
    }

    /// Whether each strongly connected component has levels of its own: one if it has no accepting
    /// cycle, otherwise those for the marks that not all of its cycles have anyway. Without it,
    /// levels go on from one component to the other.
    #[must_use]
    pub fn per_component(mut self, on: bool) -> Self {
        self.per_component = on;
        self
    }

    /// Whether a component is entered at a level that its state has been given already, if there
    /// is one; it needs [`per_component`](Degeneralizer::per_component).
    #[must_use]
    pub fn reuse_levels(mut self, on: bool) -> Self {
        self.reuse_levels = on;
        self
    }

    /// Whether only the smallest closed set of copies of each component is kept; it needs
    /// [`per_component`](Degeneralizer::per_component).
    #[must_use]
    pub fn bottom_copies(mut self, on: bool) -> Self {
        self.bottom_copies = on;
        self
    }

    /// A Büchi automaton with marks on states: all edges that leave a state have the mark, or none.
    ///
    /// # Errors
    /// If the acceptance condition is not a conjunction of `Inf` terms or of disjunctions of these.
    pub fn state_based(&self, automaton: &Automaton) -> Result<Automaton, Error> {
        self.run(automaton, true)
    }

    /// A Büchi automaton with marks on edges.
    ///
    /// # Errors
    /// If the acceptance condition is not a conjunction of `Inf` terms or of disjunctions of these.
    pub fn transition_based(&self, automaton: &Automaton) -> Result<Automaton, Error> {
        self.run(automaton, false)
    }

    fn keeps_bottom_copies(&self) -> bool {
        self.per_component && self.bottom_copies
    }

    fn run(&self, automaton: &Automaton, on_states: bool) -> Result<Automaton, Error> {
        // The condition is looked at first: what is refused should not depend on the edges.
        let clauses = sets::clauses(automaton.acceptance())?;
        let trimmed = prune::trim(automaton);
        let given = Sets::new(&trimmed, &clauses);
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
        Ok(smallest.unwrap_or_else(|| unreachable!("there is an order")))
    }
}
