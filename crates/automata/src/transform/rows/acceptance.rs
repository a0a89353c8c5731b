//! Rows that change the acceptance condition or the positions of marks.

use crate::convert::{self, ParityForm};
use crate::transform::{Claims, Language, Property, Run, Transformation};
use crate::{ParityKind, state_based, strength, to_ba};
use sempre_ltl::options::Choice;

pub(super) static TO_BA: Transformation = Transformation {
    name: "to-ba",
    help: "Make it a small Büchi automaton with marks on states",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Same).yields(&[Property::Buchi, Property::StateBased]),
    run: Run::Unary(|automaton, _| Ok(to_ba::to_ba(automaton))),
    keeping: &[],
};

pub(super) static WEAKEN: Transformation = Transformation {
    name: "weaken",
    help: "Unify the marks of components whose cycles are all accepting or all rejecting",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Same).keeps_acceptance().keeps(&[
            Property::Deterministic,
            Property::Complete,
            Property::Unambiguous,
            Property::SemiDeterministic,
            Property::CutDeterministic,
            Property::StateBased,
            Property::Weak,
            Property::VeryWeak,
            Property::InherentlyWeak,
            Property::Terminal,
        ])
    },
    run: Run::Unary(|automaton, _| Ok(strength::weaken(automaton))),
    keeping: &[],
};

pub(super) static TO_STATE_BASED: Transformation = Transformation {
    name: "to-state-based",
    help: "Move marks from edges to states",
    value: None,
    options: &[],
    claims: |_| {
        let claims = Claims::new(Language::Same).yields(&[Property::StateBased]);
        claims.keeps_acceptance().keeps(&[
            Property::Deterministic,
            Property::Unambiguous,
            Property::SemiDeterministic,
            Property::InherentlyWeak,
        ])
    },
    run: Run::Unary(|automaton, _| Ok(state_based(automaton))),
    keeping: &[],
};

pub(super) static TO_TRANSITION_BASED: Transformation = Transformation {
    name: "to-transition-based",
    help: "Move marks from states to their incoming edges",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Same).keeps_acceptance().keeps(&[
            Property::Deterministic,
            Property::Complete,
            Property::Unambiguous,
            Property::SemiDeterministic,
            Property::CutDeterministic,
            Property::InherentlyWeak,
        ])
    },
    run: Run::Unary(|automaton, _| Ok(convert::transition_based(automaton))),
    keeping: &[],
};

pub(super) static TO_GENERALIZED_BUCHI: Transformation = Transformation {
    name: "to-generalized-buchi",
    help: "Convert the acceptance condition to generalized Büchi",
    value: None,
    options: &[],
    claims: |_| {
        let claims = Claims::new(Language::Same).yields(&[Property::GeneralizedBuchi]);
        claims.keeps(&[Property::StateBased, Property::InherentlyWeak])
    },
    run: Run::Unary(|automaton, _| Ok(convert::to_generalized_buchi(automaton).into_automaton())),
    keeping: &[],
};

pub(super) static REMOVE_FIN: Transformation = Transformation {
    name: "remove-fin",
    help: "Convert the acceptance condition to generalized Büchi if it has Fin terms",
    value: None,
    options: &[],
    claims: |_| {
        let claims = Claims::new(Language::Same).yields(&[Property::NoFin]);
        claims.keeps(&[Property::GeneralizedBuchi, Property::StateBased])
    },
    run: Run::Unary(|automaton, _| Ok(convert::remove_fin(automaton))),
    keeping: &[],
};

const ANY: ParityForm = ParityForm::any();

static FORM: Choice<ParityForm> = Choice {
    name: "form",
    help: "the form of the parity condition",
    default: Some("any"),
    values: &[
        ("any", ANY, ""),
        ("min-even", ANY.kind(ParityKind::Min).odd(false), ""),
        ("min-odd", ANY.kind(ParityKind::Min).odd(true), ""),
        ("max-even", ANY.kind(ParityKind::Max).odd(false), ""),
        ("max-odd", ANY.kind(ParityKind::Max).odd(true), ""),
        ("colored", ANY.colored(true), ""),
        ("colored-min-even", ANY.colored(true).kind(ParityKind::Min).odd(false), ""),
        ("colored-min-odd", ANY.colored(true).kind(ParityKind::Min).odd(true), ""),
        ("colored-max-even", ANY.colored(true).kind(ParityKind::Max).odd(false), ""),
        ("colored-max-odd", ANY.colored(true).kind(ParityKind::Max).odd(true), ""),
    ],
};

pub(super) static TO_PARITY: Transformation = Transformation {
    name: "to-parity",
    help: "Convert the acceptance condition to parity; colored means one mark on every edge",
    value: Some(&FORM),
    options: &[],
    claims: |settings| {
        let claims = Claims::new(Language::Same).yields(&[Property::Parity]).keeps(&[
            Property::Deterministic,
            Property::Complete,
            Property::Unambiguous,
            Property::SemiDeterministic,
            Property::CutDeterministic,
            Property::InherentlyWeak,
        ]);
        match settings.get(&FORM).is_colored() {
            true => claims.yields(&[Property::Colored]),
            false => claims,
        }
    },
    run: Run::Unary(|automaton, settings| convert::to_parity(automaton, settings.get(&FORM))),
    keeping: &[],
};

pub(super) static SIMPLIFY_ACCEPTANCE: Transformation = Transformation {
    name: "simplify-acceptance",
    help: "Simplify the acceptance condition by the positions of its marks",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Same).keeps(&[
            Property::Deterministic,
            Property::Complete,
            Property::Unambiguous,
            Property::InherentlyWeak,
            Property::NoFin,
        ])
    },
    run: Run::Unary(|automaton, _| Ok(convert::simplify_acceptance(automaton))),
    keeping: &[],
};
