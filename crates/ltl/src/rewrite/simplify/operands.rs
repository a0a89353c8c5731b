//! Rules on the operands of `&` and `|`, each in time linear in the number of operands, or
//! limited to [`MAX_PAIRWISE`] of them.
//!
//! They are written for `&`; for `|` the dual is used.

use super::boolean;
use super::dual::Side;
use super::implication::Implications;
use super::pattern::MAX_PAIRWISE;
use crate::rewrite::substitute::replace;
use crate::{Formula, Op, Traits};
use rustc_hash::FxHashMap;

/// The maximal size of a formula to search for occurrences of its operands in each other.
const MAX_SEARCHED: u64 = 2_000;

/// `f & 1 ≡ f`, `f & 0 ≡ 0`, `f & f ≡ f`, and literals that contradict each other.
pub(super) fn units_and_duplicates(
    side: Side,
    formula: &Formula,
    _: &mut Implications,
) -> Option<Formula> {
    let operands = formula.children();
    let neutral = side.constant(true);
    let absorbing = side.constant(false);
    // Operands are sorted: duplicates are neighbours, and so are `p` and `!p`.
    let contradiction = operands
        .windows(2)
        .any(|pair| matches!((pair[1].op(), pair[1].children()), (Op::Not, [p]) if *p == pair[0]));
    if contradiction || operands.contains(&absorbing) {
        return Some(absorbing);
    }
    let mut kept: Vec<Formula> = operands.iter().filter(|f| **f != neutral).cloned().collect();
    kept.dedup();
    (kept.len() < operands.len()).then(|| side.build(Op::And, kept))
}

/// Detects a Boolean combination that is constant for all values of its atoms.
pub(super) fn tautology(
    _: Side,
    formula: &Formula,
    implications: &mut Implications,
) -> Option<Formula> {
    boolean::constant(formula, implications).map(Formula::constant)
}

/// Finds a smaller Boolean combination of the same atoms: of all operands, or of the Boolean ones.
pub(super) fn smaller_cover(
    side: Side,
    formula: &Formula,
    implications: &mut Implications,
) -> Option<Formula> {
    if let Some(smaller) = boolean::smaller(formula, implications) {
        return Some(smaller);
    }
    let (boolean, mut rest): (Vec<Formula>, Vec<Formula>) =
        formula.children().iter().cloned().partition(|f| f.is(Traits::BOOLEAN));
    if boolean.len() < 2 || rest.is_empty() {
        return None;
    }
    rest.push(boolean::smaller(&side.build(Op::And, boolean), implications)?);
    Some(side.build(Op::And, rest))
}

/// `X f & X g ≡ X(f & g)`, `G f & G g ≡ G(f & g)`, `FG f & FG g ≡ FG(f & g)`.
pub(super) fn join_unary(side: Side, formula: &Formula, _: &mut Implications) -> Option<Formula> {
    let (mut next, mut globally, mut finally_globally, mut rest) = (vec![], vec![], vec![], vec![]);
    for operand in formula.children() {
        let under = |op| side.operand(operand, op);
        if let Some(f) = under(Op::Next) {
            next.push(f.clone());
        } else if let Some(f) = under(Op::Globally) {
            globally.push(f.clone());
        } else if let Some(f) = under(Op::Finally).and_then(|f| side.operand(f, Op::Globally)) {
            finally_globally.push(f.clone());
        } else {
            rest.push(operand.clone());
        }
    }
    if next.len() < 2 && globally.len() < 2 && finally_globally.len() < 2 {
        return None;
    }
    for (bodies, operators) in [
        (next, &[Op::Next][..]),
        (globally, &[Op::Globally]),
        (finally_globally, &[Op::Globally, Op::Finally]),
    ] {
        if !bodies.is_empty() {
            let body = side.build(Op::And, bodies);
            rest.push(operators.iter().fold(body, |f, op| side.build(*op, [f])));
        }
    }
    Some(side.build(Op::And, rest))
}

/// `(f U g) & (h U g) ≡ (f & h) U g` and `(f R g) & (f R h) ≡ f R (g & h)`, also with `W` in place
/// of some `U` and `M` in place of some `R`: of operators of both strengths the strong one stays.
pub(super) fn join_binary(side: Side, formula: &Formula, _: &mut Implications) -> Option<Formula> {
    /// The operator of the result, the shared operand, and the operands to join.
    struct Joint {
        op: Op,
        shared: Formula,
        joined: Vec<Formula>,
    }
    let mut joints: Vec<Joint> = vec![];
    let mut by_key: FxHashMap<(bool, Formula), usize> = FxHashMap::default();
    let mut rest = vec![];
    for operand in formula.children() {
        let strengths = [
            (Op::Until, true),
            (Op::WeakUntil, true),
            (Op::Release, false),
            (Op::StrongRelease, false),
        ];
        let found =
            strengths.into_iter().find_map(|(op, share_right)| match side.operands(operand, op) {
                Some([left, right]) if share_right => Some((op, true, right, left)),
                Some([left, right]) => Some((op, false, left, right)),
                _ => None,
            });
        let Some((op, share_right, shared, joined)) = found else {
            rest.push(operand.clone());
            continue;
        };
        let place = *by_key.entry((share_right, shared.clone())).or_insert_with(|| {
            joints.push(Joint { op, shared: shared.clone(), joined: vec![] });
            joints.len() - 1
        });
        let joint = &mut joints[place];
        joint.joined.push(joined.clone());
        if matches!(op, Op::Until | Op::StrongRelease) {
            joint.op = op;
        }
    }
    if joints.iter().all(|joint| joint.joined.len() < 2) {
        return None;
    }
    for Joint { op, shared, joined } in joints {
        let joined = side.build(Op::And, joined);
        let operands = match op {
            Op::Until | Op::WeakUntil => [joined, shared],
            _ => [shared, joined],
        };
        rest.push(side.build(op, operands));
    }
    Some(side.build(Op::And, rest))
}

/// A literal operand fixes its proposition in the other operands, at the current position:
/// `a & (!a | f) ≡ a & f`.
pub(super) fn propagate_literals(
    side: Side,
    formula: &Formula,
    implications: &mut Implications,
) -> Option<Formula> {
    let now = |f: &Formula| !f.op().is_temporal();
    propagate(side, formula, implications, |f| f.is_literal().then(|| vec![f.clone()]), now)
}

/// An operand that fixes a value at every position replaces that value in the others:
/// `G f & h(f) ≡ G f & h(1)`, and `u & h(u) ≡ u & h(1)` for a pure universality `u`.
pub(super) fn propagate_invariants(
    side: Side,
    formula: &Formula,
    implications: &mut Implications,
) -> Option<Formula> {
    let everywhere = |_: &Formula| true;
    let facts = |f: &Formula| {
        if let Some(body) = side.operand(f, Op::Globally) {
            let parts = side.operands(body, Op::And).unwrap_or(std::slice::from_ref(body));
            return Some(parts.iter().chain([f]).cloned().collect());
        }
        side.is(f, Traits::UNIVERSAL).then(|| vec![f.clone()])
    };
    propagate(side, formula, implications, facts, everywhere)
}

/// The operands of `&` under `G` hold at every position, so each can be assumed in the others:
/// `G(f & h(f)) ≡ G(f & h(1))`.
pub(super) fn propagate_in_body(
    side: Side,
    formula: &Formula,
    implications: &mut Implications,
) -> Option<Formula> {
    let body = side.operand(formula, Op::Globally)?;
    side.operands(body, Op::And)?;
    let everywhere = |_: &Formula| true;
    let body = propagate(side, body, implications, |f| Some(vec![f.clone()]), everywhere)?;
    Some(side.build(Op::Globally, [body]))
}

/// Replaces the `facts` that some operands state, and their negations, by constants in the other
/// operands.
fn propagate(
    side: Side,
    formula: &Formula,
    implications: &mut Implications,
    facts: impl Fn(&Formula) -> Option<Vec<Formula>>,
    descend: impl Fn(&Formula) -> bool,
) -> Option<Formula> {
    let operands = formula.children();
    if operands.len() > MAX_PAIRWISE || formula.size() > MAX_SEARCHED {
        return None;
    }
    for (place, operand) in operands.iter().enumerate() {
        let Some(facts) = facts(operand) else { continue };
        let mut constants: FxHashMap<Formula, Formula> = FxHashMap::default();
        for fact in facts {
            constants.insert(implications.negation(&fact), side.constant(false));
            constants.insert(fact, side.constant(true));
        }
        let mut changed = false;
        let result: Vec<Formula> = operands
            .iter()
            .enumerate()
            .map(|(other, f)| {
                let replaced =
                    if other == place { f.clone() } else { replace(f, &constants, &descend) };
                changed |= replaced != *f;
                replaced
            })
            .collect();
        if changed {
            return Some(side.build(Op::And, result));
        }
    }
    None
}

/// `f & g ≡ f` if `f` implies `g`, and `f & g ≡ 0` if `f` implies `!g`.
pub(super) fn absorb(
    side: Side,
    formula: &Formula,
    implications: &mut Implications,
) -> Option<Formula> {
    let operands = formula.children();
    if operands.len() > MAX_PAIRWISE {
        return None;
    }
    let mut implies = |f: &Formula, g: &Formula| match side {
        Side::AsWritten => implications.implies(f, g),
        Side::Dual => implications.implies(g, f),
    };
    let mut kept: Vec<&Formula> = vec![];
    for operand in operands {
        if kept.iter().any(|f| implies(f, operand)) {
            continue;
        }
        kept.retain(|f| !implies(operand, f));
        kept.push(operand);
    }
    if kept.len() < operands.len() {
        return Some(side.build(Op::And, kept.into_iter().cloned()));
    }
    for (place, f) in operands.iter().enumerate() {
        let negation = implications.negation(f);
        for g in &operands[place + 1..] {
            let excluded = match side {
                Side::AsWritten => implications.implies(g, &negation),
                Side::Dual => implications.implies(&negation, g),
            };
            if excluded {
                return Some(side.constant(false));
            }
        }
    }
    None
}

/// `F(u & v) ≡ F u & F v` for pure universalities.
pub(super) fn split_pure(side: Side, formula: &Formula, _: &mut Implications) -> Option<Formula> {
    let body = side.operand(formula, Op::Finally)?;
    let operands = side.operands(body, Op::And)?;
    operands
        .iter()
        .all(|f| side.is(f, Traits::UNIVERSAL))
        .then(|| side.build(Op::And, operands.iter().map(|f| side.build(Op::Finally, [f.clone()]))))
}

/// `(f | h) U g ≡ f U g` and `(f | h) W g ≡ f W g` if `h` implies `g`.
pub(super) fn drop_implied(
    side: Side,
    formula: &Formula,
    implications: &mut Implications,
) -> Option<Formula> {
    let op = [Op::Until, Op::WeakUntil].into_iter().find(|op| side.op(*op) == formula.op())?;
    let [left, right] = formula.children() else { return None };
    let operands = side.operands(left, Op::Or)?;
    if operands.len() > MAX_PAIRWISE {
        return None;
    }
    let kept: Vec<Formula> = operands
        .iter()
        .filter(|h| match side {
            Side::AsWritten => !implications.implies(h, right),
            Side::Dual => !implications.implies(right, h),
        })
        .cloned()
        .collect();
    (kept.len() < operands.len()).then(|| side.build(op, [side.build(Op::Or, kept), right.clone()]))
}
