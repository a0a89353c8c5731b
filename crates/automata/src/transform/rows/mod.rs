//! The rows of this library, by subject. A new row gets a line in [`ALL`].

mod acceptance;
mod degeneralize;
mod determinism;
mod languages;
mod size;

use super::Transformation;

/// Every transformation, in the order of help texts.
pub(super) const ALL: &[&Transformation] = &[
    &size::TRIM,
    &size::REDUCE,
    &degeneralize::DEGENERALIZE,
    &size::DECOMPOSE,
    &acceptance::WEAKEN,
    &languages::COMPLEMENT,
    &languages::PRODUCT,
    &languages::SUM,
    &languages::DIFFERENCE,
    &languages::ASSUME,
    &determinism::DETERMINIZE,
    &determinism::SEMI_DETERMINIZE,
    &determinism::CUT_DETERMINIZE,
    &determinism::MINIMIZE,
    &determinism::MINIMIZE_SAT,
    &determinism::TO_COMPLETE,
    &acceptance::TO_BA,
    &acceptance::TO_STATE_BASED,
    &acceptance::TO_TRANSITION_BASED,
    &acceptance::TO_GENERALIZED_BUCHI,
    &acceptance::REMOVE_FIN,
    &acceptance::TO_PARITY,
    &acceptance::SIMPLIFY_ACCEPTANCE,
    &languages::STUTTER_CLOSURE,
    &languages::SELF_LOOPIZE,
];
