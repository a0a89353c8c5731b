//! Kinds of automata of the words that violate a property.
//!
//! A check asks for such an automaton, and keeps it for later checks. It knows kinds by this trait
//! only: crates of automata define theirs, and engines choose among them.

use crate::Kind;
use sempre_automata::Automaton;
use sempre_ltl::Formula;
use std::fmt::Display;

/// A kind of automata of the words that violate a property.
pub trait NegationKind: Copy + Eq + Send + Sync + 'static {
    /// The automata.
    type Negation: From<Automaton> + Send + Sync + 'static;
    /// Why a property has no automaton of this kind.
    type Error: Display;

    /// Makes an automaton of the words that do not satisfy a formula.
    ///
    /// # Errors
    /// If there is none, for example because the property is not stutter-invariant.
    fn of_formula(self, property: &Formula) -> Result<Self::Negation, Self::Error>;

    /// Converts an automaton of the words that violate a property. The caller ensures that the
    /// property is stutter-invariant if [required](Self::requires_invariance).
    ///
    /// # Errors
    /// If there is no automaton of this kind.
    fn of_automaton(self, erroneous: &Automaton) -> Result<Self::Negation, Self::Error>;

    /// True if only stutter-invariant properties have automata of this kind.
    fn requires_invariance(self) -> bool;

    /// Returns this kind as one of automata over valuations, if it is. Facts about valuations refine
    /// no other automata.
    fn over_valuations(self) -> Option<Kind>;

    /// Returns the automaton, if it is one over valuations.
    fn valuations(negation: &Self::Negation) -> Option<&Automaton>;
}
