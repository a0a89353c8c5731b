//! The error type of this crate.

use sempre_translate::StutterSensitive;

/// The reason why a construction fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The property distinguishes words that differ in repeated letters only.
    #[error(transparent)]
    Sensitive(#[from] StutterSensitive),
    /// The construction does not support the acceptance condition.
    #[error("the automaton has no {0} acceptance")]
    Acceptance(&'static str),
    /// The automaton would have too many states, because states store the values of propositions.
    #[error(
        "the testing automaton would have more than {} states or {} edges: states remember the \
         values of propositions", .states, .edges
    )]
    TooLarge {
        /// The maximal number of states.
        states: usize,
        /// The maximal number of edges.
        edges: usize,
    },
    /// Livelock acceptance is no matter of the strength of components.
    #[error(
        "testing automata with livelock acceptance cannot be decomposed by strength; `tgta` can be"
    )]
    Unsplit,
    /// The states of automata of this kind have no formulas.
    #[error("--strength syntactic reads the formulas of states, and {0} automata have none")]
    Unnamed(&'static str),
    /// A file does not describe a testing automaton.
    #[error("{0}")]
    Malformed(String),
}
