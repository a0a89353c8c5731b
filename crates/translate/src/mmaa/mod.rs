//! Deterministic automata through may/must alternating automata.
//!
//! F. Blahoudek, Automata for formal methods (2018), Chapter 5, with the corrections named in the
//! files. A formula of LTL(Fs,Gs) becomes an alternating automaton of may- and must-states. A
//! formula of LTL∖G(U,X) becomes one with such states only in the limit ([`Fragment`]). Sets of its
//! configurations become states of a deterministic automaton with generalized Rabin acceptance on
//! transitions, which is converted to Rabin acceptance on states. There are no Safra trees.

mod fragment;
mod linear;
mod macrostates;
mod modest;
mod rabin;
mod state_based;
#[cfg(test)]
mod tests;

pub use fragment::Fragment;

use linear::Linear;
use rabin::Rabin;
use sempre_automata::{Alphabet, AlternatingAutomaton, Automaton};
use sempre_ltl::Formula;
use std::fmt;
use std::sync::Arc;

/// The reason why a translation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The formula is outside of LTL∖G(U,X).
    Fragment,
    /// A limit is exceeded.
    Limit(Limit),
}

/// The exceeded limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The states of the alternating automaton.
    AlternatingStates,
    /// The steps of one of its states.
    AlternatingSteps,
    /// The number of bounding configurations.
    BoundingConfigurations,
    /// The number of macrostates, or the size of one.
    Macrostates,
}

impl From<Limit> for Refusal {
    fn from(limit: Limit) -> Self {
        Refusal::Limit(limit)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Refusal::Fragment => "the method needs a formula without U and X under G",
            Refusal::Limit(Limit::AlternatingStates) => {
                "the alternating automaton has more than 128 states"
            }
            Refusal::Limit(Limit::AlternatingSteps) => {
                "a state of the alternating automaton has too many edges"
            }
            Refusal::Limit(Limit::BoundingConfigurations) => {
                "there are too many bounding configurations"
            }
            Refusal::Limit(Limit::Macrostates) => "there are too many macrostates",
        })
    }
}

impl std::error::Error for Refusal {}

/// The improvements to apply, by default all.
///
/// ```
/// use sempre_translate::mmaa::Options;
/// let formula = "F(Ga | Gb)".parse()?;
/// assert_eq!(Options::default().generalized_rabin(&formula)?.state_count(), 1);
/// assert!(Options::none().generalized_rabin(&formula)?.state_count() > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    rewrite: bool,
    unreachable_states: bool,
    equivalent_states: bool,
    redundant_transitions: bool,
    empty_macrostates: bool,
    later_start: bool,
    modest: bool,
    simple_pairs: bool,
    mark_orders: bool,
    most_states: usize,
}

/// The default limit of states.
const MAX_STATES: usize = 1 << 14;

impl Default for Options {
    fn default() -> Self {
        Options {
            rewrite: true,
            unreachable_states: true,
            equivalent_states: true,
            redundant_transitions: true,
            empty_macrostates: true,
            later_start: true,
            modest: true,
            simple_pairs: true,
            mark_orders: true,
            most_states: MAX_STATES,
        }
    }
}

/// Defines a setter for each improvement.
macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        impl Options {
            /// No improvement: the constructions by their definitions.
            pub fn none() -> Self {
                Options { $($name: false,)+ most_states: MAX_STATES }
            }

            $($(#[$doc])*
            #[must_use]
            pub fn $name(self, $name: bool) -> Self {
                Options { $name, ..self }
            })+
        }
    };
}

switches!(
    /// Joins `GF f | GF g` and `FG f & FG g`, and rewrites `GF f` to `GXF f` and `FG f` to `FXG f`.
    /// Both give fewer macrostates or marks.
    rewrite,
    /// Removes unreachable states of the alternating automaton.
    unreachable_states,
    /// Merges equal states of all automata.
    equivalent_states,
    /// Removes choices of the alternating automaton with more obligations than another one.
    redundant_transitions,
    /// Drops all other configurations of a macrostate with the empty one.
    empty_macrostates,
    /// Starts in another state with the same successors, if there is one.
    later_start,
    /// Uses pairs only for configurations that bound modest runs.
    modest,
    /// Removes pairs and marks that others imply.
    simple_pairs,
    /// Tries several orders of marks in the conversion to acceptance on states.
    mark_orders,
);

impl Options {
    /// Sets the maximal number of states.
    #[must_use]
    pub fn most_states(self, most_states: usize) -> Self {
        Options { most_states, ..self }
    }

    /// Translates a formula to a complete deterministic automaton with generalized Rabin acceptance
    /// on transitions.
    ///
    /// # Errors
    /// If the formula is outside of the fragments, or a limit is exceeded.
    pub fn generalized_rabin(&self, formula: &Formula) -> Result<Automaton, Refusal> {
        self.generalized_rabin_over(formula, &alphabet_of(formula))
    }

    /// The same over an alphabet that has all propositions of the formula.
    pub(crate) fn generalized_rabin_over(
        &self,
        formula: &Formula,
        alphabet: &Arc<Alphabet>,
    ) -> Result<Automaton, Refusal> {
        Ok(self.rabin_of(formula, alphabet)?.to_automaton())
    }

    /// Translates a formula to a complete deterministic automaton with Rabin acceptance on states.
    ///
    /// # Errors
    /// If the formula is outside of the fragments, or a limit is exceeded.
    pub fn state_based_rabin(&self, formula: &Formula) -> Result<Automaton, Refusal> {
        let rabin = self.rabin_of(formula, &alphabet_of(formula))?;
        Ok(state_based::state_based(&rabin, self)?.to_automaton())
    }

    fn rabin_of(&self, formula: &Formula, alphabet: &Arc<Alphabet>) -> Result<Rabin, Refusal> {
        let normal = linear::normal_form(formula);
        if fragment::of_normal_form(&normal) == Fragment::Outside {
            return Err(Refusal::Fragment);
        }
        let normal = match self.rewrite {
            true => linear::with_strict_limits(&linear::with_joint_limits(&normal)),
            false => normal,
        };
        let linear = Linear::of(&normal, alphabet.clone(), self)?;
        let mut rabin = macrostates::determinize(&linear, self)?;
        // Each improvement may enable others.
        loop {
            let before = (rabin.edges.len(), rabin.pairs.clone());
            if self.simple_pairs {
                rabin = rabin.with_simple_pairs();
            }
            if self.equivalent_states {
                rabin = rabin.merged().reachable();
            }
            if self.later_start {
                rabin = rabin.with_later_start();
            }
            if before == (rabin.edges.len(), rabin.pairs.clone()) {
                return Ok(rabin);
            }
        }
    }
}

fn alphabet_of(formula: &Formula) -> Arc<Alphabet> {
    let alphabet = Alphabet::new(formula.props());
    Arc::new(alphabet.unwrap_or_else(|_| unreachable!("a formula has each proposition once")))
}

/// Translates any formula to a linear alternating automaton with co-Büchi acceptance on states. Its
/// states are temporal subformulas.
///
/// ```
/// let automaton = sempre_translate::mmaa::alternating(&"G(Fa & Fb)".parse()?)?;
/// assert!(automaton.has_universal_branching());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the automaton would have more than 128 states, or one of them too many edges.
pub fn alternating(formula: &Formula) -> Result<AlternatingAutomaton, Refusal> {
    let options = Options::default().redundant_transitions(false);
    let linear = Linear::of(&linear::normal_form(formula), alphabet_of(formula), &options)?;
    Ok(linear.to_alternating())
}
