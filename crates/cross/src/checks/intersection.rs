//! Test 1: no word is accepted for a formula and for its negation.
//!
//! All pairs, each participant with itself included, as one product each: at most as many states
//! and edges as the automata have together, multiplied, and linear in that.

use super::{Answer, Material, Outcome, Test};
use crate::subject::{Polarity, Subject};
use sempre_automata::product;

/// Every automaton of the formula with every automaton of its negation.
pub(crate) fn intersection(material: &Material<'_>) -> Vec<Outcome> {
    let pairs = material
        .participants()
        .flat_map(|left| material.participants().map(move |right| (left, right)))
        .filter(|&(left, right)| !material.both_believed(left, right));
    pairs.map(|(left, right)| intersection_of(material, left, right)).collect()
}

/// One pair.
pub(crate) fn intersection_of(material: &Material<'_>, left: usize, right: usize) -> Outcome {
    let subjects =
        [Subject::new(left, Polarity::Positive), Subject::new(right, Polarity::Negative)];
    material.outcome(Test::Intersection, subjects, |left, right| {
        Answer::by_word(product::common_word(left, right), [true, true])
    })
}
