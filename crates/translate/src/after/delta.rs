//! Normal forms in the class Δ2: Boolean combinations of recurrences and persistences.
//!
//! Every formula is equivalent to one without three alternating fixpoints: a least one below a
//! greatest one below a least one, or vice versa (E. Chang, Z. Manna and A. Pnueli, ICALP 1992).
//! The rules are those of S. Sickert and J. Esparza (An efficient normalisation procedure for
//! linear temporal logic and very weak alternating automata, LICS 2020) and of J. Esparza, R. Rubio
//! and S. Sickert (A simple rewrite system for the normalization of linear temporal logic, 2022).
//! Least fixpoints below a greatest one either hold infinitely often, and then equal greatest ones,
//! or are false from some position on.
//!
//! The normal form may be exponentially larger; the size is limited.

use super::fixpoints::{is_greatest, is_least};
use super::limits;
use rustc_hash::FxHashMap;
use sempre_ltl::rewrite::simplify::Simplifier;
use sempre_ltl::{Formula, Op, Traits, interrupt, transform};

/// The maximal number of distinct subformulas, and of steps.
const LARGEST: usize = 300;
const MAX_STEPS: usize = 24;

/// Returns an equivalent Boolean combination of recurrences and persistences, for a formula in
/// negation normal form without strict operators. `None` if it is one already or becomes too large.
pub fn normalized(formula: &Formula, simplifier: &mut Simplifier) -> Option<Formula> {
    let mut current = formula.clone();
    for step in 0..MAX_STEPS {
        interrupt::poll();
        let Some((old, new)) = next_step(&current) else { return (step > 0).then_some(current) };
        let replaced = transform(&current, |f| if f == old { new.clone() } else { f });
        if replaced.dag_size() > LARGEST {
            return None;
        }
        current = limits::separated(&replaced, simplifier);
    }
    None
}

/// Returns a subformula that is not normal, and its replacement.
fn next_step(formula: &Formula) -> Option<(Formula, Formula)> {
    let mut surface = vec![formula.clone()];
    while let Some(f) = surface.pop() {
        interrupt::poll();
        match f.op() {
            Op::And | Op::Or | Op::Next => surface.extend(f.children().iter().cloned()),
            _ if f.is(Traits::RECURRENCE) || f.is(Traits::PERSISTENCE) => {}
            _ => {
                let step =
                    greatest_over_least(&f).or_else(|| limit_inside(&f)).or_else(|| body(&f));
                if step.is_some() {
                    return step;
                }
            }
        }
    }
    None
}

/// True for `GF p` and `FG p`.
fn is_limit(f: &Formula) -> bool {
    match (f.op(), f.children()) {
        (Op::Globally, [g]) => g.op() == Op::Finally,
        (Op::Finally, [g]) => g.op() == Op::Globally,
        _ => false,
    }
}

/// Returns the topmost subformula of a kind, outside of limit formulas.
fn topmost(formula: &Formula, wanted: impl Fn(&Formula) -> bool) -> Option<Formula> {
    let mut queue = vec![formula.clone()];
    let mut next = 0;
    while let Some(f) = queue.get(next).cloned() {
        next += 1;
        if is_limit(&f) {
            continue;
        }
        if wanted(&f) {
            return Some(f);
        }
        queue.extend(f.children().iter().cloned());
    }
    None
}

/// The first four rules: an innermost greatest fixpoint with a least one inside.
fn greatest_over_least(formula: &Formula) -> Option<(Formula, Formula)> {
    let mut hidden: FxHashMap<Formula, bool> = FxHashMap::default();
    for f in formula.subformulas() {
        // True if it contains a least fixpoint outside of limit formulas.
        let inside = f.children().iter().any(|child| hidden[child]);
        hidden.insert(f.clone(), !is_limit(&f) && (inside || is_least(f.op())));
        if is_greatest(f.op()) && !is_limit(&f) && inside {
            return Some((f.clone(), without_least(&f)?));
        }
    }
    None
}

fn without_least(f: &Formula) -> Option<Formula> {
    let least = |g: &Formula| topmost(g, |h| is_least(h.op()));
    let (left, right) = match (f.op(), f.children()) {
        (Op::Globally, [body]) => (body.clone(), Formula::ff()),
        (_, [left, right]) => (left.clone(), right.clone()),
        _ => return None,
    };
    let put = |context: &Formula, hole: &Formula, value: &Formula| {
        transform(context, |g| if g == *hole { value.clone() } else { g })
    };
    let always = Formula::globally;
    Some(match f.op() {
        Op::Globally | Op::WeakUntil => match least(&left) {
            Some(hole) => {
                let (often, weak) = weakened(&hole);
                let never = put(&left, &hole, &Formula::ff());
                let stays = put(&left, &hole, &weak);
                Formula::or([
                    Formula::and([often, Formula::weak_until(stays, &right)]),
                    Formula::until(&left, Formula::or([right.clone(), always(never)])),
                ])
            }
            None => Formula::or([Formula::until(&left, &right), always(left)]),
        },
        Op::Release => match least(&right) {
            Some(hole) => {
                let (often, weak) = weakened(&hole);
                let never = put(&right, &hole, &Formula::ff());
                let stays = put(&right, &hole, &weak);
                Formula::or([
                    Formula::and([often, Formula::release(&left, stays)]),
                    Formula::strong_release(Formula::or([left.clone(), always(never)]), &right),
                ])
            }
            None => Formula::or([Formula::strong_release(&left, &right), always(right)]),
        },
        _ => return None,
    })
}

/// For a least fixpoint, returns the condition that its goal holds infinitely often, and the
/// equivalent greatest fixpoint in that case.
fn weakened(f: &Formula) -> (Formula, Formula) {
    let often = |g: Formula| Formula::globally(Formula::finally(g));
    match (f.op(), f.children()) {
        (Op::Until, [p, q]) => (often(q.clone()), Formula::weak_until(p, q)),
        (Op::StrongRelease, [p, q]) => {
            (often(Formula::and([p.clone(), q.clone()])), Formula::release(p, q))
        }
        (_, [q]) => (often(q.clone()), Formula::tt()),
        _ => unreachable!("{f} is not a least fixpoint"),
    }
}

/// The rule that moves a limit formula out of another operator: C\[q\] is q & C\[true\] |
/// C\[false\].
fn limit_inside(f: &Formula) -> Option<(Formula, Formula)> {
    if is_limit(f) {
        return None;
    }
    let limit = f.subformulas().filter(is_limit).last()?;
    let put = |value: bool| transform(f, |g| if g == limit { Formula::constant(value) } else { g });
    let split = Formula::or([Formula::and([limit.clone(), put(true)]), put(false)]);
    Some((f.clone(), split))
}

/// The rules for the bodies of limit formulas: guarantees below `GF`, safety formulas below `FG`.
fn body(f: &Formula) -> Option<(Formula, Formula)> {
    if !is_limit(f) {
        return None;
    }
    let recurs = f.op() == Op::Globally;
    let body = &f.children()[0].children()[0];
    let limit = |g: Formula| match recurs {
        true => Formula::globally(Formula::finally(g)),
        false => Formula::finally(Formula::globally(g)),
    };
    let hole = topmost(body, |g| if recurs { is_greatest(g.op()) } else { is_least(g.op()) })
        .or_else(|| body.subformulas().find(is_limit))?;
    let put = |value: &Formula| transform(body, |g| if g == hole { value.clone() } else { g });
    let persists = |g: &Formula| Formula::finally(Formula::globally(g));
    if is_limit(&hole) {
        let with = Formula::and([hole.clone(), limit(put(&Formula::tt()))]);
        return Some((f.clone(), Formula::or([with, limit(put(&Formula::ff()))])));
    }
    let new = if recurs {
        let (strong, always) = match (hole.op(), hole.children()) {
            (Op::WeakUntil, [p, q]) => (Formula::until(p, q), p),
            (Op::Release, [p, q]) => (Formula::strong_release(p, q), q),
            (_, [p]) => (Formula::ff(), p),
            _ => return None,
        };
        let stays = Formula::and([persists(always), limit(put(&Formula::tt()))]);
        Formula::or([limit(put(&strong)), stays])
    } else {
        let (often, weak) = weakened(&hole);
        Formula::or([Formula::and([often, limit(put(&weak))]), limit(put(&Formula::ff()))])
    };
    Some((f.clone(), new))
}
