//! Formulas that only the infinite part of a word decides.
//!
//! Below `GF` and `FG`, in any context, `F p` means `GF p` and `G p` means `FG p`. So `GF(a & Fb)`
//! is `GFa & GFb`.

use crate::normal_form::normal_form;
use rustc_hash::FxHashMap;
use sempre_ltl::rewrite::simplify::Simplifier;
use sempre_ltl::{Formula, Op, Traits, transform};

/// Splits limit formulas (`GF`, `FG`) of a formula in negation normal form. The result is
/// equivalent, simplified, in negation normal form, and has no strict operators.
pub fn separated(formula: &Formula, simplifier: &mut Simplifier) -> Formula {
    // Simplification may leave equivalences.
    let mut simple = |formula: &Formula| normal_form(&simplifier.simplify(formula));
    let mut current = simple(formula);
    // Each round moves limit formulas out of others, so the loop terminates.
    for _ in 0..MAX_ROUNDS {
        let next = simple(&deepened(&current));
        if next == current {
            break;
        }
        current = next;
    }
    distributed(&current)
}

/// Distributes `G` over conjunctions, `F` over disjunctions and `X` over both: the reverse of
/// simplification.
pub fn distributed(formula: &Formula) -> Formula {
    transform(formula, |f| {
        let [body] = f.children() else { return f };
        let (through, pure) = match (f.op(), body.op()) {
            (Op::Globally, _) => (Op::And, Traits::UNIVERSAL),
            (Op::Finally, _) => (Op::Or, Traits::EVENTUAL),
            (Op::Next, Op::And | Op::Or) => (body.op(), Traits::UNIVERSAL | Traits::EVENTUAL),
            (Op::Next, _) => (Op::And, Traits::UNIVERSAL | Traits::EVENTUAL),
            _ => return f,
        };
        let below =
            |g: &Formula| if g.is(pure) { g.clone() } else { Formula::new(f.op(), [g.clone()]) };
        if body.op() == through {
            Formula::new(through, body.children().iter().map(below))
        } else {
            below(body)
        }
    })
}

/// Takes binary operators below `F` and `G` apart where the other operands allow it: `F((f U g) & u)`
/// is `F(g & u)` and `F((f R g) & u)` is `F(Gg & u) | F(f & g & u)` for a universal u, which holds of
/// all later positions with the first; the duals for `G` and eventual operands. The formula must be
/// in negation normal form.
pub fn split(formula: &Formula) -> Formula {
    transform(formula, |f| {
        let (Op::Finally | Op::Globally, [body]) = (f.op(), f.children()) else { return f };
        let finally = f.op() == Op::Finally;
        let (junction, pure) = match finally {
            true => (Op::And, Traits::UNIVERSAL),
            false => (Op::Or, Traits::EVENTUAL),
        };
        let operands = match body.op() == junction {
            true => body.children().to_vec(),
            false => vec![body.clone()],
        };
        let (rest, chosen): (Vec<Formula>, Vec<Formula>) =
            operands.into_iter().partition(|operand| operand.is(pure));
        let [single] = &chosen[..] else { return f };
        let below = |part: Formula| {
            let all = Formula::new(junction, rest.iter().cloned().chain([part]));
            if finally { Formula::finally(all) } else { Formula::globally(all) }
        };
        let [left, right] = single.children() else { return f };
        let (left, right) = (left.clone(), right.clone());
        match (single.op(), finally) {
            (Op::Until, true) | (Op::Release, false) => below(right),
            (Op::StrongRelease, true) => below(Formula::and([left, right])),
            (Op::WeakUntil, false) => below(Formula::or([left, right])),
            (Op::Release, true) => Formula::or([
                below(Formula::globally(right.clone())),
                below(Formula::and([left, right])),
            ]),
            (Op::WeakUntil, true) => Formula::or([below(Formula::globally(left)), below(right)]),
            (Op::Until, false) => Formula::and([
                below(Formula::finally(right.clone())),
                below(Formula::or([left, right])),
            ]),
            (Op::StrongRelease, false) => {
                Formula::and([below(Formula::finally(left)), below(right)])
            }
            _ => f,
        }
    })
}

/// Moves limit formulas `GFp` and `FGp` to the top of a formula in negation normal form: C\[q\] is
/// q & C\[true\] | C\[false\]. Each one may double the formula, so only some are moved.
pub fn pulled_out(formula: &Formula, simplifier: &mut Simplifier) -> Option<Formula> {
    let mut inner: Vec<Formula> = vec![];
    for f in formula.subformulas().filter(|f| f.op().is_temporal() && !is_limit(f)) {
        let limits = f.subformulas().filter(is_limit);
        inner.extend(limits.filter(|limit| !inner.contains(limit)).collect::<Vec<_>>());
    }
    // `separate` handles limit formulas inside of others.
    let outermost: Vec<Formula> = inner
        .iter()
        .filter(|f| !inner.iter().any(|g| g != *f && g.subformulas().any(|h| h == **f)))
        .cloned()
        .collect();
    if outermost.is_empty() || outermost.len() > MAX_PULLED_OUT {
        return None;
    }
    let mut current = formula.clone();
    for limit in &outermost {
        let replaced = |value: bool| {
            transform(&current, |f| if f == *limit { Formula::constant(value) } else { f })
        };
        let (with, without) = (replaced(true), replaced(false));
        current = Formula::or([Formula::and([limit.clone(), with]), without]);
        current = separated(&current, simplifier);
    }
    Some(current)
}

/// The maximal number of limit formulas to move.
const MAX_PULLED_OUT: usize = 4;

fn is_limit(f: &Formula) -> bool {
    match (f.op(), f.children()) {
        (Op::Globally, [g]) => g.op() == Op::Finally,
        (Op::Finally, [g]) => g.op() == Op::Globally,
        _ => false,
    }
}

const MAX_ROUNDS: usize = 4;

/// Replaces `F p` by `GF p` and `G p` by `FG p` everywhere below a limit formula.
fn deepened(formula: &Formula) -> Formula {
    // The replacement of each subformula outside of limit formulas, and inside.
    let mut outside: FxHashMap<Formula, Formula> = FxHashMap::default();
    let mut inside: FxHashMap<Formula, Formula> = FxHashMap::default();
    for f in formula.subformulas() {
        let below = f.with_children(f.children().iter().map(|child| inside[child].clone()));
        let plain = f.with_children(f.children().iter().map(|child| outside[child].clone()));
        let limit = match (f.op(), f.children()) {
            (Op::Globally, [g]) if g.op() == Op::Finally => Some(&g.children()[0]),
            (Op::Finally, [g]) if g.op() == Op::Globally => Some(&g.children()[0]),
            _ => None,
        };
        let within = match (f.op(), f.children(), limit) {
            (Op::Globally, _, Some(body)) => Formula::globally(Formula::finally(&inside[body])),
            (_, _, Some(body)) => Formula::finally(Formula::globally(&inside[body])),
            (Op::Finally, [g], None) => Formula::globally(Formula::finally(&inside[g])),
            (Op::Globally, [g], None) => Formula::finally(Formula::globally(&inside[g])),
            _ => below,
        };
        let without = if limit.is_some() { within.clone() } else { plain };
        inside.insert(f.clone(), within);
        outside.insert(f, without);
    }
    outside.remove(formula).unwrap_or_else(|| unreachable!("the formula comes last"))
}
