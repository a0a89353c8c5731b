//! TGTA directly from formulas.
//!
//! A state is a state of Couvreur's tableau, a formula, with the next valuation. Pairs with the
//! same one-step decomposition for their letter are bisimilar. No states are merged and no marks
//! are shifted before valuations become part of the states; a smaller automaton over valuations
//! does not imply a smaller TGTA. With postponed alternatives, the choice at a step is made when
//! the next valuation is known. The cost is that of the tableau: exponential in the temporal
//! subformulas and in the propositions.

use crate::error::Error;
use crate::tgta::{Tgta, TgtaOptions};
use sempre_ltl::Formula;
use sempre_ltl::rewrite::simplify::{self, Simplifier};
use sempre_translate::{Preference, Translator, form, tableau};

/// The maximal number of states of a tableau.
const MAX_STATES: usize = 1_000;

/// The maximal number of states of an automaton for which several constructions are tried.
const MAX_COMPARED: usize = 500;

impl Tgta {
    /// Returns the TGTA of a formula's tableau; `None` if that is too large. The formula must be
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
    /// If the TGTA would have too many states.
    pub fn of_tableau(
        formula: &Formula,
        postpone: bool,
        options: &TgtaOptions,
    ) -> Result<Option<Self>, Error> {
        let mut simplifier = Simplifier::new(simplify::Level::default());
        let simple = simplifier.simplify(formula);
        let simple = form::translatable(&simple, &mut simplifier);
        let tableau = tableau::Options { postpone, ..tableau::Options::default() };
        let automaton = tableau::translate_up_to(&simple, tableau, MAX_STATES);
        automaton.map(|automaton| Tgta::new(&automaton, options)).transpose()
    }

    /// Returns the smallest TGTA of a stutter-invariant formula: from the automaton of the
    /// translator, from a deterministic one if there is one, and from both tableaux.
    ///
    /// # Errors
    /// If the translator returns another kind of automaton, or there would be too many states.
    pub fn of_formula(
        formula: &Formula,
        translator: &mut Translator,
        options: &TgtaOptions,
    ) -> Result<Self, Error> {
        let mut smallest = Tgta::new(&translator.translate(formula), options)?;
        if smallest.state_count() > MAX_COMPARED {
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
