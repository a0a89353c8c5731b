//! Substitution of decided fixpoints, for the Master Theorem.
//!
//! The least fixpoints of a formula are its subformulas with `F`, `U` or `M` on top, the greatest
//! ones those with `G`, `W` or `R`. If X is the set of least fixpoints that hold infinitely often,
//! [`as_safety`] is the obligation of a suffix on which no others hold. If Y is the set of greatest
//! fixpoints that hold from some position on, [`as_guarantee`] is the obligation beyond that
//! position (J. Esparza, J. Křetínský and S. Sickert, JACM 2020).

use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::{Formula, Op};

/// A set of fixpoints.
pub type Fixpoints = FxHashSet<Formula>;

/// True for `F`, `U` and `M`.
pub fn is_least(op: Op) -> bool {
    matches!(op, Op::Finally | Op::Until | Op::StrongRelease)
}

/// True for `G`, `W` and `R`.
pub fn is_greatest(op: Op) -> bool {
    matches!(op, Op::Globally | Op::WeakUntil | Op::Release)
}

/// Returns the least and the greatest fixpoints among the subformulas of a formula in normal form.
pub fn of(formula: &Formula) -> (Vec<Formula>, Vec<Formula>) {
    let fixpoints = formula.subformulas().filter(|f| is_least(f.op()) || is_greatest(f.op()));
    fixpoints.partition(|f| is_least(f.op()))
}

/// True if the formula in normal form has no least fixpoint: it is a safety formula.
pub fn is_safety(formula: &Formula) -> bool {
    formula.subformulas().all(|f| !is_least(f.op()))
}

/// True if the formula in normal form has no greatest fixpoint: it is a guarantee.
pub fn is_guarantee(formula: &Formula) -> bool {
    formula.subformulas().all(|f| !is_greatest(f.op()))
}

/// Turns the least fixpoints of the set into greatest ones, and the others into false.
pub fn as_safety(formula: &Formula, often: &Fixpoints) -> Formula {
    rebuilt(formula, |f, children| {
        let weak = match f.op() {
            Op::Finally => return Formula::constant(often.contains(f)),
            Op::Until => Op::WeakUntil,
            Op::StrongRelease => Op::Release,
            op => return constant_folded(op, children),
        };
        if often.contains(f) { constant_folded(weak, children) } else { Formula::ff() }
    })
}

/// Turns the greatest fixpoints of the set into true, and the others into least ones.
pub fn as_guarantee(formula: &Formula, always: &Fixpoints) -> Formula {
    rebuilt(formula, |f, children| {
        let strong = match f.op() {
            Op::Globally => return Formula::constant(always.contains(f)),
            Op::WeakUntil => Op::Until,
            Op::Release => Op::StrongRelease,
            op => return constant_folded(op, children),
        };
        if always.contains(f) { Formula::tt() } else { constant_folded(strong, children) }
    })
}

/// Rebuilds a formula bottom-up; `step` gets each original subformula with its rebuilt operands.
fn rebuilt(formula: &Formula, step: impl Fn(&Formula, Vec<Formula>) -> Formula) -> Formula {
    let mut done: FxHashMap<Formula, Formula> = FxHashMap::default();
    for f in formula.subformulas() {
        let children = f.children().iter().map(|child| done[child].clone()).collect();
        let result = if f.children().is_empty() { f.clone() } else { step(&f, children) };
        done.insert(f, result);
    }
    done.remove(formula).unwrap_or_else(|| unreachable!("the formula comes last"))
}

/// Builds the formula with this root, and simplifies constant operands.
fn constant_folded(op: Op, children: Vec<Formula>) -> Formula {
    match (op, &children[..]) {
        (Op::Not, _) => Formula::new(op, children),
        (Op::And, _) if children.iter().any(Formula::is_false) => Formula::ff(),
        (Op::Or, _) if children.iter().any(Formula::is_true) => Formula::tt(),
        (Op::And, _) => Formula::and(children.into_iter().filter(|f| !f.is_true())),
        (Op::Or, _) => Formula::or(children.into_iter().filter(|f| !f.is_false())),
        (Op::Next | Op::Finally | Op::Globally, [f]) if f.is_true() || f.is_false() => f.clone(),
        (_, [_, right]) if right.is_true() && matches!(op, Op::Until | Op::WeakUntil) => {
            Formula::tt()
        }
        (_, [_, right]) if right.is_false() && matches!(op, Op::Release | Op::StrongRelease) => {
            Formula::ff()
        }
        (Op::Until, [_, right]) if right.is_false() => Formula::ff(),
        (Op::Release, [_, right]) if right.is_true() => Formula::tt(),
        (Op::Until, [left, right]) if left.is_true() => Formula::finally(right),
        (Op::Until | Op::WeakUntil, [left, right]) if left.is_false() => right.clone(),
        (Op::WeakUntil, [left, _]) if left.is_true() => Formula::tt(),
        (Op::WeakUntil, [left, right]) if right.is_false() => Formula::globally(left),
        (Op::Release, [left, right]) if left.is_false() => Formula::globally(right),
        (Op::Release | Op::StrongRelease, [left, right]) if left.is_true() => right.clone(),
        (Op::StrongRelease, [left, _]) if left.is_false() => Formula::ff(),
        (Op::StrongRelease, [left, right]) if right.is_true() => Formula::finally(left),
        _ => Formula::new(op, children),
    }
}
