//! The names of the variants of the two-pass check, with their improvements in parentheses.

use super::{Passes, SecondPass};
use SecondPass::{Always, IfLivelocks, Undecided};

/// The variants of the two-pass check by name, the best last. Without options both passes search the
/// whole product. `undecided` includes `sure`: it relies on the decisions of the first pass.
pub const TWO_PASSES: [(&str, Passes); 10] = [
    ("two-pass", passes(false, false, Always)),
    ("two-pass(heuristic)", Passes::TWO),
    ("two-pass(sure)", passes(false, true, Always)),
    ("two-pass(heuristic,sure)", passes(true, true, Always)),
    ("two-pass(avoid)", passes(false, false, IfLivelocks)),
    ("two-pass(heuristic,avoid)", passes(true, false, IfLivelocks)),
    ("two-pass(sure,avoid)", passes(false, true, IfLivelocks)),
    ("two-pass(heuristic,sure,avoid)", Passes::AVOIDING),
    ("two-pass(undecided)", passes(false, true, Undecided)),
    ("two-pass(heuristic,undecided)", Passes::BEST),
];

const fn passes(heuristic: bool, sure_cycles: bool, second: SecondPass) -> Passes {
    Passes { heuristic, sure_cycles, second }
}

/// Returns the name of a variant, if it has one.
pub(crate) fn name(passes: Passes) -> Option<&'static str> {
    TWO_PASSES.iter().find(|(_, other)| *other == passes).map(|(name, _)| *name)
}
