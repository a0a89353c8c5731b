//! Whose automaton a test is about: a participant, and the formula or its negation.

use std::fmt;

use sempre_ltl::Formula;

/// The formula of a round, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Polarity {
    /// The formula itself.
    Positive,
    /// The formula under one more negation, as it is: not rewritten in any way.
    Negative,
}

impl Polarity {
    /// Both, the formula itself first.
    pub const ALL: [Polarity; 2] = [Polarity::Positive, Polarity::Negative];

    /// The place in an array of two.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The formula that is translated, for the formula of the round.
    pub fn of(self, formula: &Formula) -> Formula {
        match self {
            Polarity::Positive => formula.clone(),
            Polarity::Negative => Formula::not(formula),
        }
    }

    /// Whether an automaton of this polarity has to accept a word, on which the formula of the
    /// round holds or not.
    pub fn accepts_if(self, holds: bool) -> bool {
        holds == (self == Polarity::Positive)
    }
}

/// `+` or `-`, as reports of such tests write it.
impl fmt::Display for Polarity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Polarity::Positive => "+",
            Polarity::Negative => "-",
        })
    }
}

/// One of the two automata of a participant.
///
/// The number after the last participant's stands for the semantics of the logic itself, which
/// takes part in comparisons on structures with a single path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject {
    /// The number of the participant.
    pub participant: usize,
    /// Which of its automata.
    pub polarity: Polarity,
}

impl Subject {
    /// The automaton of that participant and polarity.
    pub fn new(participant: usize, polarity: Polarity) -> Self {
        Subject { participant, polarity }
    }
}
