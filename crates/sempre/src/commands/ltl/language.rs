//! Properties of the language of a formula, by automata of the formula and of its negation.

use crate::limits::Bounds;
use sempre::automata::hierarchy::{self, Class, Classes};
use sempre::automata::stutter::{self, Invariance, StutteringWords};
use sempre::ltl::{Formula, Traits};
use sempre::translate::Translator;
use serde::Serialize;

/// Returns true if the formula is stutter-invariant.
pub(super) fn is_stutter_invariant(formula: &Formula) -> bool {
    // Formulas without X are stutter-invariant.
    formula.is(Traits::NEXT_FREE) || {
        let mut translator = Translator::new();
        let automaton = translator.translate(formula);
        let negation = translator.translate(&Formula::not(formula));
        stutter::invariance_given_complement(&automaton, &negation).is_invariant()
    }
}

/// The properties of a language; a field is `None` if its computation takes too long.
#[derive(Serialize)]
pub(super) struct Language {
    semantic_class: Option<&'static str>,
    stutter_invariant: Option<bool>,
    /// Two words that differ only in repetitions and of which one satisfies the formula.
    stutter_witness: Option<Witness>,
}

#[derive(Serialize)]
struct Witness {
    satisfies: String,
    violates: String,
}

impl Language {
    /// Analyses the language of a formula within limits.
    pub(super) fn of(formula: &Formula, bounds: &Bounds) -> Self {
        // Formulas without X are stutter-invariant.
        let next_free = formula.is(Traits::NEXT_FREE);
        let found = bounds.run(String::new, || {
            let mut translator = Translator::new();
            let automaton = translator.translate(formula);
            let negation = translator.translate(&Formula::not(formula));
            let invariance = match next_free {
                true => Invariance::Invariant,
                false => stutter::invariance_given_complement(&automaton, &negation),
            };
            Ok((hierarchy::classes_given_complement(&automaton, &negation), invariance))
        });
        let Ok((classes, invariance)) = found else {
            let stutter_invariant = next_free.then_some(true);
            return Language { semantic_class: None, stutter_invariant, stutter_witness: None };
        };
        Language {
            semantic_class: class(&classes),
            stutter_invariant: Some(invariance.is_invariant()),
            stutter_witness: match invariance {
                Invariance::Invariant => None,
                Invariance::Sensitive(StutteringWords { accepted, rejected }) => Some(Witness {
                    satisfies: accepted.to_string(),
                    violates: rejected.to_string(),
                }),
            },
        }
    }

    /// Returns the rows of a table.
    pub(super) fn rows(&self) -> [(&'static str, String); 2] {
        let class = self.semantic_class.unwrap_or("unknown: it takes too long");
        let invariance = match (self.stutter_invariant, &self.stutter_witness) {
            (_, Some(Witness { satisfies, violates })) => {
                format!("no: {satisfies} satisfies it, {violates} does not")
            }
            (Some(true), _) => "yes".to_owned(),
            (Some(false), _) => "no".to_owned(),
            (None, _) => "unknown: it takes too long".to_owned(),
        };
        [("semantic class", class.to_owned()), ("stutter-invariant", invariance)]
    }
}

/// Returns the name of the smallest class.
fn class(classes: &Classes) -> Option<&'static str> {
    match classes.smallest()? {
        Class::Bottom => Some("safety and guarantee"),
        class => Some(class.name()),
    }
}
