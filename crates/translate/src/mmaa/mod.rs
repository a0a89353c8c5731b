//! Deterministic automata through may/must alternating automata.
//!
//! F. Blahoudek, Automata for formal methods (2018), Chapter 5, with the corrections that are named
//! in the files. A formula of LTL(Fs,Gs) becomes an alternating automaton of may- and must-states,
//! a formula of LTL∖G(U,X) one that has such states only in the limit ([`Fragment`]). Sets of its
//! configurations become states of a deterministic automaton with generalized Rabin acceptance on
//! transitions, which turns into one with Rabin acceptance on states. There are no Safra trees.

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

/// Why there is no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The formula is outside of LTL∖G(U,X).
    Fragment,
    /// Something has become too large.
    Limit(Limit),
}

/// What has become too large.
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
            Refusal::Fragment => {
                "the formula is outside of LTL without U and X under G, which this method is for"
            }
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

/// Which improvements are made; all of them by default.
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

/// More states are not built, unless asked for.
const MOST_STATES: usize = 1 << 14;

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
            most_states: MOST_STATES,
        }
    }
}

/// Gives each improvement its switch.
macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        impl Options {
            /// No improvement: the constructions by their definitions.
            pub fn none() -> Self {
                Options { $($name: false,)+ most_states: MOST_STATES }
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
    /// Reads `GF f` as `GXF f` and `FG f` as `FXG f`, which has fewer macrostates on the way.
    rewrite,
    /// Leaves out states of the alternating automaton that runs do not come to.
    unreachable_states,
    /// Merges equal states of all automata.
    equivalent_states,
    /// Leaves out choices of the alternating automaton that ask for more than another one.
    redundant_transitions,
    /// Forgets all other configurations where nothing is left to satisfy.
    empty_macrostates,
    /// Starts in another state with the same successors, if there is one.
    later_start,
    /// Takes pairs only for configurations that bound modest runs.
    modest,
    /// Leaves out pairs and marks that others imply.
    simple_pairs,
    /// Tries several orders of marks where acceptance moves to states.
    mark_orders,
);

impl Options {
    /// Sets how many states an automaton may have.
    #[must_use]
    pub fn most_states(self, most_states: usize) -> Self {
        Options { most_states, ..self }
    }

    /// The deterministic automaton of a formula, complete, with generalized Rabin acceptance on
    /// transitions.
    ///
    /// # Errors
    /// If the formula is outside of the fragments, or something becomes too large.
    pub fn generalized_rabin(&self, formula: &Formula) -> Result<Automaton, Refusal> {
        Ok(self.rabin_of(formula)?.to_automaton())
    }

    /// The deterministic automaton of a formula, complete, with Rabin acceptance on states.
    ///
    /// # Errors
    /// If the formula is outside of the fragments, or something becomes too large.
    pub fn state_based_rabin(&self, formula: &Formula) -> Result<Automaton, Refusal> {
        let rabin = self.rabin_of(formula)?;
        Ok(state_based::state_based(&rabin, self)?.to_automaton())
    }

    fn rabin_of(&self, formula: &Formula) -> Result<Rabin, Refusal> {
        let normal = linear::normal_form(formula);
        if fragment::of_normal_form(&normal) == Fragment::Outside {
            return Err(Refusal::Fragment);
        }
        let normal = if self.rewrite { linear::with_strict_limits(&normal) } else { normal };
        let linear = Linear::of(&normal, alphabet_of(formula), self)?;
        let mut rabin = macrostates::determinize(&linear, self)?;
        // Each improvement may make room for the others.
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

/// The linear alternating automaton of any formula, with co-Büchi acceptance on states: states are
/// its temporal subformulas.
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
