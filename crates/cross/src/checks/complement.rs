//! The complements of deterministic automata, which cost nothing.
//!
//! The complement of an automaton of a formula must have no word in common with any automaton of
//! that formula: otherwise the other accepts a word that this one rejects. It must have none in
//! common with its own automaton either, which tests complementation itself.

use super::{Answer, Material, Outcome, Test};
use crate::subject::{Polarity, Subject};
use sempre_automata::{complement::deterministic, product};

/// The complement of each deterministic automaton with all automata of the same formula.
pub(crate) fn complement(material: &Material<'_>) -> Vec<Outcome> {
    let mut outcomes = vec![];
    for polarity in Polarity::ALL {
        for left in material.participants() {
            let subject = Subject::new(left, polarity);
            let Some(automaton) = material.automaton(subject) else { continue };
            let Ok(dual) = deterministic(automaton) else { continue };
            for right in material.participants() {
                if material.both_believed(left, right) {
                    continue;
                }
                let subjects = [subject, Subject::new(right, polarity)];
                outcomes.push(material.outcome(Test::Complement, subjects, |_, other| {
                    Answer::by_word(product::common_word(&dual, other), [false, true])
                }));
            }
        }
    }
    outcomes
}
