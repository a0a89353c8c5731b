//! The tests: the required relations between automata for a formula and its negation.
//!
//! Tests 1 to 4 of H. Tauriainen, Automated testing of Büchi automata translators for linear
//! temporal logic (HUT-TCS-A66, 2000), chapter 5, and two more. A failed test proves that one of
//! its automata is wrong: there are no false alarms. The result of a failed test is a word, with
//! the answers of its automata; the [analysis](crate::analysis) judges by that alone.

mod claims;
mod comparison;
mod complement;
mod intersection;
mod material;
mod product;
#[cfg(test)]
mod tests;
mod universality;

use std::fmt;

use sempre_automata::StateId;
use sempre_ltl::Word;

use crate::subject::Subject;

pub use product::{GlobalAnswer, ProductSizes, global_answer};

pub(crate) use claims::claims;
pub(crate) use comparison::{Answers, comparison, consistency};
pub(crate) use complement::complement;
pub(crate) use intersection::intersection;
pub(crate) use material::{Material, over_one_alphabet};
pub(crate) use universality::universality;

/// The kind of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Test {
    /// Test 1: an automaton of the formula and one of its negation accept no common word.
    Intersection,
    /// Test 2: together they accept every word.
    Universality,
    /// Test 3: two automata of the same formula accept executions from the same states of a
    /// structure.
    Comparison,
    /// Test 4: from each state of a structure, one of the two automata of a participant accepts
    /// an execution.
    Consistency,
    /// The complement of a deterministic automaton has no word in common with any automaton of the
    /// same formula, itself included.
    Complement,
    /// Automata have the properties that are claimed of them.
    Claims,
}

impl Test {
    /// All of them.
    pub const ALL: [Test; 6] = [
        Test::Intersection,
        Test::Universality,
        Test::Comparison,
        Test::Consistency,
        Test::Complement,
        Test::Claims,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Test::Intersection => "intersection",
            Test::Universality => "universality",
            Test::Comparison => "comparison",
            Test::Consistency => "consistency",
            Test::Complement => "complement",
            Test::Claims => "claims",
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A test of two automata, which may be the same one, and how it ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The kind of the test.
    pub test: Test,
    /// Of which automata.
    pub subjects: [Subject; 2],
    /// How it ended.
    pub answer: Answer,
}

/// How a test ended.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There is nothing to object to.
    Passed,
    /// One of the automata is wrong.
    Failed(Evidence),
    /// There is no answer; this is not counted as a failure, nor among the tests performed.
    NotApplicable(Obstacle),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Obstacle {
    /// A participant gave no automaton.
    NoAutomaton,
    /// The answer would have cost more than the test may.
    Budget,
}

/// Why a test failed.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// The automata disagree about a word, in a way that cannot be right.
    Word(WordEvidence),
    /// An automaton violates a claim.
    Claim(BrokenClaim),
}

/// A word and what two automata say about it.
#[derive(Clone, Debug)]
pub struct WordEvidence {
    /// The word.
    pub word: Word,
    /// For each subject of the test, whether it accepts the word.
    pub accepted: [bool; 2],
    /// Where in the structures, for tests that have one.
    pub place: Option<Place>,
}

/// Where in the structures of a round a test failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the structure, from 0.
    pub structure: usize,
    /// The state from which the word is read.
    pub state: StateId,
    /// The number of states at which the test fails.
    pub states: usize,
    /// Whether the initial state is one of them.
    pub local: bool,
}

/// A claim that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenClaim {
    /// The property, as in HOA's `properties:`, such as `deterministic`.
    pub property: String,
    /// Why the automaton does not have it.
    pub reason: String,
}
