//! The error type of this crate.

use sempre_automata::stutter::StutteringWords;

/// Why there is no testing automaton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The property distinguishes words that differ in repeated letters only.
    #[error(
        "the property is not stutter-invariant: of the stutter-equivalent words {} and {} only the \
         first satisfies it", .0.accepted, .0.rejected
    )]
    Sensitive(Box<StutteringWords>),
    /// The automaton has another acceptance condition than the construction needs.
    #[error("the automaton has no {0} acceptance")]
    Acceptance(&'static str),
    /// The states would be too many, as they remember the values of propositions.
    #[error(
        "the testing automaton would have more than {} states or {} edges: states remember the \
         values of propositions", .states, .edges
    )]
    TooLarge {
        /// As many states are allowed.
        states: usize,
        /// As many edges are allowed.
        edges: usize,
    },
    /// A file does not describe a testing automaton.
    #[error("{0}")]
    Malformed(String),
}
