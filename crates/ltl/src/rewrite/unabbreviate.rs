//! Removal of operators by their definitions.

use super::substitute;
use crate::formula::rebuild;
use crate::op::Arity;
use crate::{Error, Formula, Op};
use std::sync::LazyLock;

/// Definitions of operators by others, with operands `a` and `b`. For each operator, the first
/// definition without unwanted temporal operators is used; unwanted Boolean operators of a
/// definition are removed afterwards.
const DEFINITIONS: &[(Op, &[&str])] = &[
    (
        Op::StrictFinally,
        &["XFa", "X(1 U a)", "X(a M 1)", "X!G!a", "!X(0 R !a)", "!X(!a W 0)", "!Gs !a"],
    ),
    (
        Op::StrictGlobally,
        &["XGa", "X(0 R a)", "X(a W 0)", "X!F!a", "!X(1 U !a)", "!X(!a M 1)", "!Fs !a"],
    ),
    (
        Op::Finally,
        &["1 U a", "a M 1", "!G!a", "!(0 R !a)", "!(!a W 0)", "a | Fs a", "!(!a & Gs !a)"],
    ),
    (
        Op::Globally,
        &["0 R a", "a W 0", "!F!a", "!(1 U !a)", "!(!a M 1)", "a & Gs a", "!(!a | Fs !a)"],
    ),
    (Op::WeakUntil, &["b R (a | b)", "a U (b | Ga)", "!(!a M !b)", "!(!b U (!a & !b))"]),
    (Op::StrongRelease, &["b U (a & b)", "Fa & (a R b)", "!(!a W !b)", "!(!b R (!a | !b))"]),
    (
        Op::Release,
        &["b W (a & b)", "b U (Gb | (a & b))", "Gb | (a M b)", "!(!a U !b)", "!(!b M (!a | !b))"],
    ),
    (Op::Until, &["b M (a | b)", "Fb & (a W b)", "!(!a R !b)", "!(!b W (!a & !b))"]),
    (
        Op::Iff,
        &[
            "(a & b) | (!a & !b)",
            "(a -> b) & (b -> a)",
            "!(a xor b)",
            "!(!(a & b) & !(!a & !b))",
            "!(a | b) | !(!a | !b)",
            "!((a -> b) -> !(b -> a))",
        ],
    ),
    (
        Op::Xor,
        &[
            "!(a <-> b)",
            "(a & !b) | (!a & b)",
            "!(!(a & !b) & !(!a & b))",
            "!(a | !b) | !(!a | b)",
            "(a -> b) -> !(b -> a)",
        ],
    ),
    (Op::Implies, &["!a | b", "!(a & !b)"]),
    (Op::And, &["!(!a | !b)", "!(a -> !b)"]),
    (Op::Or, &["!(!a & !b)", "!a -> b"]),
];

struct Definition {
    text: Formula,
    ops: Vec<Op>,
}

static PARSED: LazyLock<Vec<(Op, Vec<Definition>)>> = LazyLock::new(|| {
    let definition = |text: &&str| {
        let text: Formula =
            text.parse().unwrap_or_else(|error| unreachable!("definition {text}: {error}"));
        let ops = text.subformulas().map(|f| f.op()).filter(|op| op.arity() != Arity::Leaf);
        Definition { ops: ops.collect(), text }
    };
    DEFINITIONS.iter().map(|(op, texts)| (*op, texts.iter().map(definition).collect())).collect()
});

/// An equivalent formula without these operators, by their definitions in terms of others.
///
/// `!` and `X` cannot be removed, nor constants and propositions; of `U`, `R`, `W`, `M` one must
/// stay, and so must one of `&`, `|`, `->`.
///
/// ```
/// use sempre_ltl::{Formula, Op, rewrite::unabbreviate};
/// let f: Formula = "a W b".parse().unwrap();
/// let g = unabbreviate(&f, &[Op::WeakUntil, Op::Release]).unwrap();
/// assert_eq!(g.to_string(), "a U (b | Ga)");
/// ```
pub fn unabbreviate(formula: &Formula, remove: &[Op]) -> Result<Formula, Error> {
    if let Some(op) = remove.iter().find(|op| !PARSED.iter().any(|(defined, _)| defined == *op)) {
        return Err(Error::new(format!("the operator `{}` cannot be removed", op.name())));
    }
    // Temporal operators come first: their definitions may introduce unwanted Boolean ones.
    let (temporal, boolean): (Vec<Op>, Vec<Op>) = remove.iter().partition(|op| op.is_temporal());
    let formula = remove_by(formula, &temporal, |op| !op.is_temporal() || !temporal.contains(&op))?;
    remove_by(&formula, &boolean, |op| !boolean.contains(&op))
}

fn remove_by(
    formula: &Formula,
    remove: &[Op],
    may_stay: impl Fn(Op) -> bool,
) -> Result<Formula, Error> {
    // Only operators that occur need a definition.
    let chosen: Vec<(Op, Option<&Formula>)> = PARSED
        .iter()
        .filter(|(op, _)| remove.contains(op))
        .map(|(op, definitions)| {
            let fit = definitions.iter().find(|d| d.ops.iter().all(|op| may_stay(*op)));
            (*op, fit.map(|d| &d.text))
        })
        .collect();
    let removed = |f: &Formula| chosen.iter().find(|(op, _)| *op == f.op());
    let needs = |f: &Formula| match removed(f) {
        Some(_) if f.op() == Op::Implies => implication_chain(f),
        _ => f.children().to_vec(),
    };
    let mut missing = None;
    let result = rebuild(formula, needs, |f, operands| match removed(f) {
        None if operands.is_empty() => f.clone(),
        None => f.with_children(operands),
        Some((op, Some(definition))) => instantiate(definition, *op, operands),
        Some((op, None)) => {
            missing = Some(*op);
            f.clone()
        }
    });
    match missing {
        None => Ok(result),
        Some(op) => {
            let names: Vec<&str> = remove.iter().map(|op| op.name()).collect();
            Err(Error::new(format!(
                "`{}` cannot be removed together with all of {}",
                op.name(),
                names.join(", ")
            )))
        }
    }
}

/// Returns `f`, `g`, …, `h` for `f -> (g -> (… -> h))`. The chain is expanded in one step, because
/// the disjunction of each level would take quadratic space.
fn implication_chain(implication: &Formula) -> Vec<Formula> {
    let mut operands = vec![];
    let mut rest = implication;
    while let (Op::Implies, [left, right]) = (rest.op(), rest.children()) {
        operands.push(left.clone());
        rest = right;
    }
    operands.push(rest.clone());
    operands
}

fn instantiate(definition: &Formula, op: Op, mut operands: Vec<Formula>) -> Formula {
    let all = |op, operands: Vec<Formula>| Formula::new(op, operands);
    let negated = |operands: Vec<Formula>| operands.into_iter().map(Formula::not).collect();
    // Definitions of n-ary operators and of chains of implications apply to all operands together.
    match (op, definition.op()) {
        (Op::And | Op::Or, Op::Not) if is_junction(&definition.children()[0]) => {
            Formula::not(all(op.dual().unwrap_or(op), negated(operands)))
        }
        (Op::Implies, Op::Or) => {
            let last = operands.pop();
            let mut operands: Vec<Formula> = negated(operands);
            operands.extend(last);
            all(Op::Or, operands)
        }
        (Op::Implies, _) => {
            let last = operands.pop();
            operands.extend(last.map(Formula::not));
            Formula::not(all(Op::And, operands))
        }
        _ => {
            let apply = |a: Formula, b: &Formula| {
                substitute(definition, |p| if p.name() == "a" { a.clone() } else { b.clone() })
            };
            match &operands[..] {
                [a] => apply(a.clone(), a),
                [first, rest @ ..] => rest.iter().fold(first.clone(), apply),
                [] => unreachable!("leaves have no definition"),
            }
        }
    }
}

fn is_junction(formula: &Formula) -> bool {
    matches!(formula.op(), Op::And | Op::Or)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arbitrary, semantics};
    use proptest::prelude::*;

    fn removable() -> Vec<Op> {
        DEFINITIONS.iter().map(|(op, _)| *op).collect()
    }

    #[test]
    fn what_cannot_be_removed_is_refused() {
        let f: Formula = "a U b".parse().unwrap();
        for ops in [&[Op::Next][..], &[Op::Not], &[Op::Prop]] {
            assert!(unabbreviate(&f, ops).is_err());
        }
        let all = [Op::Until, Op::Release, Op::WeakUntil, Op::StrongRelease];
        assert_eq!(
            unabbreviate(&f, &all).unwrap_err().to_string(),
            "`U` cannot be removed together with all of U, R, W, M"
        );
        assert_eq!(unabbreviate(&"a & b".parse().unwrap(), &all).unwrap().to_string(), "a & b");
    }

    #[test]
    fn definitions_are_chosen_by_what_may_stay() {
        for (formula, remove, expected) in [
            ("a R b", vec![Op::Release], "b W (a & b)"),
            ("a R b", vec![Op::Release, Op::WeakUntil], "b U (Gb | (a & b))"),
            ("a M b", vec![Op::StrongRelease, Op::And], "b U !(!a | !b)"),
            ("a & b & c", vec![Op::And], "!(!a | !b | !c)"),
            ("Fa", vec![Op::Finally, Op::Until, Op::StrongRelease], "!G!a"),
            ("a xor b", vec![Op::Xor, Op::Iff], "(a & !b) | (!a & b)"),
        ] {
            let formula: Formula = formula.parse().unwrap();
            assert_eq!(unabbreviate(&formula, &remove).unwrap(), expected.parse().unwrap());
        }
    }

    #[test]
    fn long_chains_take_linear_space() {
        let chain = (0..100_000).fold(Formula::prop("a"), |f, _| Formula::implies("b", f));
        let removed = unabbreviate(&chain, &[Op::Implies]).unwrap();
        assert_eq!(removed.children().len(), 100_001);
        let removed = unabbreviate(&chain, &[Op::Implies, Op::Or]).unwrap();
        assert_eq!(removed.children()[0].children().len(), 100_001);
    }

    proptest! {
        #[test]
        fn the_language_stays_and_the_operators_go(
            f in arbitrary::formula(20),
            word in arbitrary::word(4),
            remove in proptest::sample::subsequence(removable(), 0..removable().len()),
        ) {
            match unabbreviate(&f, &remove) {
                Ok(g) => {
                    prop_assert!(g.subformulas().all(|sub| !remove.contains(&sub.op())));
                    prop_assert_eq!(semantics::holds(&f, &word), semantics::holds(&g, &word));
                }
                Err(_) => prop_assert!(
                    [Op::Until, Op::Release, Op::WeakUntil, Op::StrongRelease]
                        .iter().all(|op| remove.contains(op))
                    || [Op::And, Op::Or, Op::Implies].iter().all(|op| remove.contains(op))
                ),
            }
        }

        /// Tests each definition, including unused ones.
        #[test]
        fn definitions_mean_what_they_define(word in arbitrary::word(4)) {
            for (op, texts) in DEFINITIONS {
                let operands = match op.arity() {
                    Arity::Unary => vec!["a".into()],
                    _ => vec!["a".into(), "b".into()],
                };
                let defined = Formula::new(*op, operands);
                for text in *texts {
                    let definition: Formula = text.parse().unwrap();
                    prop_assert_eq!(
                        semantics::holds(&defined, &word),
                        semantics::holds(&definition, &word),
                        "{} = {}", defined, definition
                    );
                }
            }
        }
    }
}
