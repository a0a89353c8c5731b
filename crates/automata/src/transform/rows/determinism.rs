//! Deterministic and complete automata.

use crate::determinize::Method;
use crate::transform::{Claims, Language, Property, Run, Transformation};
use crate::{Automaton, Error, complete, determinize, wdba};
use sempre_ltl::options::Choice;

/// Deterministic automata of more states are not built.
const MOST_STATES: usize = 1 << 20;
/// Determinizations that take more steps are given up.
const MOST_STEPS: usize = 1 << 24;

/// How automata are made deterministic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Simple,
    By(Method),
}

static METHOD: Choice<Way> = Choice {
    name: "method",
    help: "how it is made deterministic",
    default: Some("simple"),
    values: &[
        (
            "simple",
            Way::Simple,
            "with a co-Büchi condition if it is inherently weak, and else a parity condition",
        ),
        ("best", Way::By(Method::Best), "by the method below that gives the smallest result"),
        ("scc", Way::By(Method::Components), "component by component"),
        ("safra", Way::By(Method::Safra), "by ordered trees"),
        ("ldba", Way::By(Method::RunColouring), "by run colouring, if it is semi-deterministic"),
        ("dual", Way::By(Method::Dual), "by the complement"),
    ],
};

pub(super) static DETERMINIZE: Transformation = Transformation {
    name: "determinize",
    help: "Make it deterministic",
    value: Some(&METHOD),
    options: &[],
    claims: |_| Claims::new(Language::Kept).yields(&[Property::Deterministic]),
    run: Run::Alone(|automaton, settings| match settings.get(&METHOD) {
        Way::Simple => simply(automaton),
        Way::By(Method::RunColouring) if !automaton.is_semi_deterministic() => {
            Err(Error::new("the automaton is not semi-deterministic"))
        }
        Way::By(method) => determinize::by(automaton, method, MOST_STEPS)
            .ok_or_else(|| Error::new(format!("it takes more than {MOST_STEPS} steps"))),
    }),
    keeping: &[],
};

fn simply(automaton: &Automaton) -> Result<Automaton, Error> {
    if automaton.is_deterministic() {
        return Ok(automaton.clone());
    }
    if let Ok(deterministic) = determinize::weak(automaton) {
        return Ok(deterministic);
    }
    determinize::parity_up_to(automaton, MOST_STATES)
        .ok_or_else(|| Error::new(format!("the result would have more than {MOST_STATES} states")))
}

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
