//! Rows that make automata smaller, and parts of automata.

use crate::decompose::{self, Part};
use crate::prune;
use crate::reduce::{self, Level};
use crate::strength::{Strengths, Way};
use crate::transform::{Claims, Language, Property, Run, Transformation};
use sempre_ltl::options::Choice;

pub(super) static TRIM: Transformation = Transformation {
    name: "trim",
    help: "Remove the states on no accepting run",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Same).keeps_acceptance().keeps(&[
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
    run: Run::Unary(|automaton, _| Ok(prune::trim(automaton))),
    keeping: &[],
};

static LEVEL: Choice<Level> = Choice {
    name: "level",
    help: "the effort",
    default: Some("high"),
    values: &[
        ("low", Level::Low, "bisimulation"),
        ("medium", Level::Medium, "simulations"),
        ("high", Level::High, "all reductions"),
    ],
};

pub(super) static REDUCE: Transformation = Transformation {
    name: "reduce",
    help: "Reduce the automaton; preserves determinism after determinize",
    value: Some(&LEVEL),
    options: &[],
    claims: |_| Claims::new(Language::Same).keeps(&[Property::NoFin]),
    run: Run::Unary(|automaton, settings| Ok(reduce::reduce(automaton, settings.get(&LEVEL)))),
    keeping: &[(Property::Deterministic, |automaton, settings| {
        Ok(reduce::deterministic::reduce(automaton, settings.get(&LEVEL)))
    })],
};

static PART: Choice<Part> = Choice {
    name: "part",
    help: "the components of the part",
    default: None,
    values: &[
        ("t", Part::Terminal, "terminal"),
        ("w", Part::Weak, "weak"),
        ("s", Part::Strong, "strong"),
    ],
};

static STRENGTH: Choice<Way> = Choice {
    name: "strength",
    help: "how the strength of components is found",
    default: Some("inherent"),
    values: &[
        (Way::Inherent.name(), Way::Inherent, Way::Inherent.description()),
        (Way::Cycles.name(), Way::Cycles, Way::Cycles.description()),
        (Way::Structural.name(), Way::Structural, Way::Structural.description()),
        (Way::Syntactic.name(), Way::Syntactic, Way::Syntactic.description()),
    ],
};

pub(super) static DECOMPOSE: Transformation = Transformation {
    name: "decompose",
    help: "Restrict the automaton to components of one strength; the union of the three parts has \
           the same language",
    value: Some(&PART),
    options: &[&STRENGTH],
    claims: |settings| {
        let claims =
            Claims::new(Language::Subset).keeps(&[Property::Deterministic, Property::StateBased]);
        match settings.get(&PART) {
            Part::Terminal => claims.yields(&[Property::Buchi, Property::InherentlyWeak]),
            Part::Weak => claims.yields(&[Property::Buchi, Property::InherentlyWeak]),
            Part::Strong => claims,
        }
    },
    run: Run::Unary(|automaton, settings| {
        let strengths = Strengths::by(automaton, settings.get(&STRENGTH));
        Ok(decompose::part_by(automaton, &strengths, settings.get(&PART)))
    }),
    keeping: &[],
};
