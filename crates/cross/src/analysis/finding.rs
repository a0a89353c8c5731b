//! The findings of failed tests.

use std::sync::Arc;

use sempre_ltl::semantics::proof::Proof;
use sempre_ltl::{Formula, Word};

use crate::checks::{BrokenClaim, Place, Test};
use crate::subject::Subject;

/// An automaton that is wrong, and how that is known. Its text explains it to people.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The number of the round.
    pub round: usize,
    /// The formula of the round.
    pub formula: Formula,
    /// The test that failed, the first one if there are several.
    pub test: Test,
    /// The automata that were tested.
    pub subjects: [Subject; 2],
    /// Whether each of them accepts the word of the witness.
    pub accepted: Option<[bool; 2]>,
    /// Where in the structures the test failed, if it needs any.
    pub place: Option<Place>,
    /// Which automaton is wrong, and how.
    pub verdict: Verdict,
    /// The word that shows it; there is none for claims.
    pub witness: Option<Witness>,
    /// The other tests that failed because of this.
    pub also: Vec<(Test, [Subject; 2])>,
    /// The other participants, if there are several and they agree with each other: a hint, no
    /// more.
    pub agreeing: Vec<usize>,
    /// Whether the automaton's participant was to be believed.
    pub believed: bool,
    /// The names of all participants, and that of the semantics.
    pub names: Arc<[String]>,
}

impl Finding {
    /// The name of the participant whose automaton that is.
    pub fn name(&self, subject: Subject) -> &str {
        self.names.get(subject.participant).map_or("?", String::as_str)
    }

    /// The automaton that is wrong.
    pub fn culprit(&self) -> Option<Subject> {
        self.verdict.culprit()
    }

    /// The formula that the wrong automaton was made for: that of the round, or its negation.
    pub fn translated(&self) -> Formula {
        self.culprit().map_or_else(|| self.formula.clone(), |it| it.polarity.of(&self.formula))
    }
}

/// The culprit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This automaton.
    Wrong {
        /// The automaton.
        culprit: Subject,
        /// The error.
        mistake: Mistake,
    },
    /// The test itself: its result is not confirmed, for this reason.
    Contradiction(String),
}

impl Verdict {
    /// Returns the wrong automaton.
    pub fn culprit(&self) -> Option<Subject> {
        match self {
            Verdict::Wrong { culprit, .. } => Some(*culprit),
            Verdict::Contradiction(_) => None,
        }
    }

    /// The error.
    pub fn mistake(&self) -> Option<&Mistake> {
        match self {
            Verdict::Wrong { mistake, .. } => Some(mistake),
            Verdict::Contradiction(_) => None,
        }
    }

    /// True if both blame the same automaton for the same.
    pub(crate) fn is_same(&self, other: &Verdict) -> bool {
        match (self, other) {
            (Verdict::Wrong { .. }, Verdict::Wrong { .. }) => self == other,
            _ => false,
        }
    }
}

/// An error of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// It accepts a word that it should reject.
    WronglyAccepts,
    /// It rejects a word that it should accept.
    WronglyRejects,
    /// It does not have a property that is claimed of it.
    NotAsClaimed(BrokenClaim),
}

/// A word that an automaton is wrong about.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The word.
    pub word: Word,
    /// Whether it satisfies the formula of the round.
    pub holds: bool,
    /// Why.
    pub proof: Proof,
}
