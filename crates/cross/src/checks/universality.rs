//! Test 2: every word is accepted for a formula or for its negation.
//!
//! By De Morgan: the complements of both automata have no word in common. Complementation may be
//! exponential, so that there is a limit to the macrostates that may be looked at. Where an
//! automaton is deterministic, its complement is its dual; otherwise the union is complemented.
//!
//! If no automaton of the formula has a word in common with one of the negation, and each
//! participant's two automata accept every word, then all automata of the formula accept the same
//! words, and so do those of the negation: the remaining unions need not be looked at.

use super::{Answer, Evidence, Material, Obstacle, Outcome, Test, WordEvidence};
use crate::subject::{Polarity, Subject};
use sempre_automata::language::{self, Inclusion, Universality};
use sempre_automata::{Automaton, complement, sum};

/// How many macrostates the complement of a nondeterministic automaton may be expected to have for
/// each state: where there may not be that many, it is not begun.
const MACROSTATES_PER_STATE: usize = 8;

/// Every automaton of the formula with every automaton of its negation; `intersections` are the
/// outcomes of Test 1, if it was performed.
pub(crate) fn universality(material: &Material<'_>, intersections: &[Outcome]) -> Vec<Outcome> {
    let of = |left, right| {
        let subjects =
            [Subject::new(left, Polarity::Positive), Subject::new(right, Polarity::Negative)];
        material.outcome(Test::Universality, subjects, |left, right| {
            rejected_by_both(left, right, material.tests.macrostates)
        })
    };
    let own: Vec<Outcome> = material.participants().map(|p| of(p, p)).collect();
    let disjoint = |left: usize, right: usize| {
        intersections.iter().any(|outcome| {
            outcome.subjects.map(|s| s.participant) == [left, right]
                && matches!(outcome.answer, Answer::Passed)
        })
    };
    let complementary = |p: usize| matches!(own[p].answer, Answer::Passed);
    let mut outcomes = vec![];
    for left in material.participants() {
        for right in material.participants() {
            if material.both_believed(left, right) {
                continue;
            }
            if left == right {
                outcomes.push(own[left].clone());
            } else if complementary(left)
                && complementary(right)
                && disjoint(left, right)
                && disjoint(right, left)
            {
                let subjects = [
                    Subject::new(left, Polarity::Positive),
                    Subject::new(right, Polarity::Negative),
                ];
                outcomes
                    .push(material.outcome(Test::Universality, subjects, |_, _| Answer::Passed));
            } else {
                outcomes.push(of(left, right));
            }
        }
    }
    outcomes
}

/// Whether there is a word that neither automaton accepts.
fn rejected_by_both(left: &Automaton, right: &Automaton, macrostates: usize) -> Answer {
    let answer = |word| {
        Answer::Failed(Evidence::Word(WordEvidence { word, accepted: [false; 2], place: None }))
    };
    for (one, other) in [(left, right), (right, left)] {
        if let Ok(dual) = complement::deterministic(one) {
            return match language::inclusion_up_to(&dual, other, macrostates) {
                Inclusion::Included => Answer::Passed,
                Inclusion::Excludes(word) => answer(word),
                Inclusion::Unknown => Answer::NotApplicable(Obstacle::Budget),
            };
        }
    }
    if left.state_count() + right.state_count() > macrostates / MACROSTATES_PER_STATE {
        return Answer::NotApplicable(Obstacle::Budget);
    }
    match language::universality_up_to(&sum::union(left, right), macrostates) {
        Universality::Universal => Answer::Passed,
        Universality::Rejects(word) => answer(word),
        Universality::Unknown => Answer::NotApplicable(Obstacle::Budget),
    }
}
