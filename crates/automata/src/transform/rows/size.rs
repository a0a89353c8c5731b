//! Rows that make automata smaller, and parts of automata.

use crate::decompose::{self, Part};
use crate::prune;
use crate::reduce::{self, Level};
use crate::transform::{Claims, Language, Property, Run, Transformation};
use sempre_ltl::options::Choice;

pub(super) static TRIM: Transformation = Transformation {
    name: "trim",
    help: "Drop the states that are on no accepting run",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Kept).keeps_acceptance().keeps(&[
            Property::Deterministic,
            Property::Unambiguous,
            Property::SemiDeterministic,
            Property::CutDeterministic,
            Property::StateBased,
            Property::Colored,
            Property::Weak,
            Property::VeryWeak,
            Property::InherentlyWeak,
            Property::Terminal,
        ])
    },
    run: Run::Alone(|automaton, _| Ok(prune::trim(automaton))),
    keeping: &[],
};

static LEVEL: Choice<Level> = Choice {
    name: "level",
    help: "how much is done to make it small",
    default: Some("high"),
    values: &[
        ("low", Level::Low, "merges bisimilar states"),
        ("medium", Level::Medium, "uses simulations"),
        ("high", Level::High, "everything there is"),
    ],
};

pub(super) static REDUCE: Transformation = Transformation {
    name: "reduce",
    help: "Make the automaton smaller, and keep it deterministic after determinize",
    value: Some(&LEVEL),
    options: &[],
    claims: |_| Claims::new(Language::Kept).keeps(&[Property::NoFin]),
    run: Run::Alone(|automaton, settings| Ok(reduce::reduce(automaton, settings.get(&LEVEL)))),
    keeping: &[(Property::Deterministic, |automaton, settings| {
        Ok(reduce::deterministic::reduce(automaton, settings.get(&LEVEL)))
    })],
};

static PART: Choice<Part> = Choice {
    name: "part",
    help: "which components are kept",
    default: None,
    values: &[
        ("t", Part::Terminal, "terminal"),
        ("w", Part::Weak, "weak"),
        ("s", Part::Strong, "strong"),
    ],
};

pub(super) static DECOMPOSE: Transformation = Transformation {
    name: "decompose",
    help: "Keep the part of components of one strength; the three parts together accept what the \
           automaton accepts",
    value: Some(&PART),
    options: &[],
    claims: |settings| {
        let claims = Claims::new(Language::Restricted)
            .keeps(&[Property::Deterministic, Property::StateBased]);
        match settings.get(&PART) {
            Part::Terminal => claims.yields(&[Property::Buchi, Property::InherentlyWeak]),
            Part::Weak => claims.yields(&[Property::Buchi, Property::InherentlyWeak]),
            Part::Strong => claims,
        }
    },
    run: Run::Alone(|automaton, settings| Ok(decompose::part(automaton, settings.get(&PART)))),
    keeping: &[],
};
