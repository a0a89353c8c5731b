//! TGTA straight from formulas.
//!
//! The states are those of Couvreur's tableau, each a formula that is to hold, with the valuation
//! that is read next: pairs with the same one-step decomposition, its letter known, are bisimilar.
//! Nothing is merged or shifted before valuations are part of the states, as it is when an automaton
//! over valuations is made small first; that one is smaller does not make the TGTA smaller. With
//! alternatives postponed, what is chosen at a step is chosen when the next valuation is known.
//! The cost is that of the tableau, exponential in the temporal subformulas and in the propositions.

use crate::error::Error;
use crate::tgta::{Tgta, TgtaOptions};
use sempre_ltl::Formula;
use sempre_ltl::rewrite::simplify::{self, Simplifier};
use sempre_translate::{Preference, Translator, form, tableau};

/// Tableaux with more states are given up.
const MOST_STATES: usize = 1_000;

/// Automata with more states than that are not made in several ways.
const MOST_COMPARED: usize = 500;

impl Tgta {
    /// The TGTA of a formula's tableau, if that is not too large. The formula must be
    /// stutter-invariant.
    ///
    /// ```
    /// use sempre_testing::{Tgta, TgtaOptions};
    /// let made = Tgta::of_tableau(&"G(a -> F b)".parse()?, false, &TgtaOptions::default());
    /// let tgta = made.unwrap().unwrap();
    /// assert_eq!((tgta.state_count(), tgta.transition_count()), (5, 20));
    /// # Ok::<(), sempre_ltl::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there would be too many states.
    pub fn of_tableau(
        formula: &Formula,
        postpone: bool,
        options: &TgtaOptions,
    ) -> Result<Option<Self>, Error> {
        let mut simplifier = Simplifier::new(simplify::Level::default());
        let simple = simplifier.simplify(formula);
        let simple = form::translatable(&simple, &mut simplifier);
        let tableau = tableau::Options { postpone, ..tableau::Options::default() };
        let automaton = tableau::translate_up_to(&simple, tableau, MOST_STATES);
        automaton.map(|automaton| Tgta::new(&automaton, options)).transpose()
    }

    /// The smallest of the TGTA of a formula, which must be stutter-invariant: of the automaton that
    /// the translator makes, of a deterministic one if there is one, and of both tableaux.
    ///
    /// # Errors
    /// If the translator makes another kind of automaton, or there would be too many states.
    pub fn of_formula(
        formula: &Formula,
        translator: &mut Translator,
        options: &TgtaOptions,
    ) -> Result<Self, Error> {
        let mut smallest = Tgta::new(&translator.translate(formula), options)?;
        if smallest.state_count() > MOST_COMPARED {
            return Ok(smallest);
        }
        let deterministic = Translator::new().prefer(Preference::Deterministic).translate(formula);
        let others = [
            Tgta::new(&deterministic, options).map(Some),
            Tgta::of_tableau(formula, false, options),
            Tgta::of_tableau(formula, true, options),
        ];
        // An automaton that is too large is not the smallest.
        for other in others.into_iter().flatten().flatten() {
            if other.size() < smallest.size() {
                smallest = other;
            }
        }
        Ok(smallest)
    }
}
