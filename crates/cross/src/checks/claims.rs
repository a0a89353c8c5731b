//! Checks the claims about automata, by the configuration of the participant and by themselves.

use super::{Answer, BrokenClaim, Evidence, Material, Obstacle, Outcome, Test};
use crate::subject::{Polarity, Subject};
use sempre_automata::transform::Property;
use sempre_automata::{Automaton, stutter};
use sempre_ltl::{Traits, semantics};

/// Each automaton by itself. There is an outcome for each automaton of which something is claimed.
pub(crate) fn claims(material: &Material<'_>) -> Vec<Outcome> {
    let mut outcomes = vec![];
    for participant in material.participants() {
        if material.both_believed(participant, participant) {
            continue;
        }
        for polarity in Polarity::ALL {
            let subject = Subject::new(participant, polarity);
            let Some(automaton) = material.automaton(subject) else { continue };
            let claimed = claimed(material, subject, automaton);
            if claimed.is_empty() {
                continue;
            }
            let broken = || {
                claimed.iter().find_map(|property| {
                    let reason = objection(material, subject, automaton, property)?;
                    Some(BrokenClaim { property: (*property).to_owned(), reason })
                })
            };
            let answer = match material.in_time(broken) {
                Some(Some(broken)) => Answer::Failed(Evidence::Claim(broken)),
                Some(None) => Answer::Passed,
                None => Answer::NotApplicable(Obstacle::Budget),
            };
            outcomes.push(Outcome { test: Test::Claims, subjects: [subject; 2], answer });
        }
    }
    outcomes
}

/// The properties, by the names that HOA has for them.
fn claimed<'a>(
    material: &Material<'_>,
    subject: Subject,
    automaton: &'a Automaton,
) -> Vec<&'a str> {
    let claims = material.claims[subject.participant];
    // Without X, languages are stutter-invariant; with it, they may be.
    let stutter = claims.stutter_invariant && material.formula.is(Traits::NEXT_FREE);
    let mut all: Vec<&str> = claims.properties.iter().map(Property::name).collect();
    if stutter {
        all.push("stutter-invariant");
    }
    for declared in &automaton.headers().properties {
        if !all.contains(&declared.as_str()) {
            all.push(declared);
        }
    }
    all
}

/// Why the automaton does not have a property; `None` if it has, or the property is unknown.
fn objection(
    material: &Material<'_>,
    subject: Subject,
    automaton: &Automaton,
    property: &str,
) -> Option<String> {
    match Property::by_name(property) {
        Some(property) => property.objection(automaton),
        None if property == "stutter-invariant" => stutter_objection(material, subject),
        None => None,
    }
}

/// Two words that differ in repeated letters only, of which the automaton accepts one and that of
/// the negation the other: an automaton of the negation is as good as a complement, if it is
/// right. Where the formula has no `X`, one of the two is wrong, and the semantics decides which.
fn stutter_objection(material: &Material<'_>, subject: Subject) -> Option<String> {
    let [positive, negative] =
        super::material::both(subject.participant).map(|subject| material.automaton(subject));
    let words = match stutter::invariance_given_complement(positive?, negative?) {
        stutter::Invariance::Invariant => return None,
        stutter::Invariance::Sensitive(words) => words,
    };
    let (own, other) = match subject.polarity {
        Polarity::Positive => (words.accepted, words.rejected),
        Polarity::Negative => (words.rejected, words.accepted),
    };
    let right = subject.polarity.accepts_if(semantics::holds(material.formula, &own));
    if material.formula.is(Traits::NEXT_FREE) && right {
        return None;
    }
    Some(format!("it accepts {own}, and the automaton of the negation {other}"))
}
