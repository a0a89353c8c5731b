//! Deterministic and complete automata.

use crate::transform::{Claims, Language, Property, Run, Transformation};
use crate::{Error, complete, determinize, wdba};

/// Deterministic automata of more states are not built.
const MOST_STATES: usize = 1 << 20;

pub(super) static DETERMINIZE: Transformation = Transformation {
    name: "determinize",
    help: "Make it deterministic: with a co-Büchi condition if it is inherently weak, and else a \
           parity condition",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Kept).yields(&[Property::Deterministic]),
    run: Run::Alone(|automaton, _| {
        if automaton.is_deterministic() {
            return Ok(automaton.clone());
        }
        if let Ok(deterministic) = determinize::weak(automaton) {
            return Ok(deterministic);
        }
        determinize::parity_up_to(automaton, MOST_STATES).ok_or_else(|| {
            Error::new(format!("the result would have more than {MOST_STATES} states"))
        })
    }),
    keeping: &[],
};

pub(super) static MINIMIZE: Transformation = Transformation {
    name: "minimize",
    help: "Make it the smallest deterministic weak automaton, if the language is an obligation",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Kept).keeps(&[
            Property::Deterministic,
            Property::Unambiguous,
            Property::InherentlyWeak,
        ])
    },
    run: Run::Alone(|automaton, _| {
        Ok(wdba::minimize(automaton).unwrap_or_else(|| automaton.clone()))
    }),
    keeping: &[],
};

pub(super) static TO_COMPLETE: Transformation = Transformation {
    name: "to-complete",
    help: "Let every state read every letter, with a rejecting sink if need be",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Kept).yields(&[Property::Complete]).keeps(&[
            Property::Deterministic,
            Property::Unambiguous,
            Property::InherentlyWeak,
            Property::Buchi,
            Property::GeneralizedBuchi,
            Property::NoFin,
        ])
    },
    run: Run::Alone(|automaton, _| Ok(complete(automaton))),
    keeping: &[],
};
