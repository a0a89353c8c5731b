//! Replacing propositions or subformulas by formulas.

use crate::{Formula, Prop, transform};
use rustc_hash::FxHashMap;

/// Replaces all propositions by formulas simultaneously; `value` is called once for each.
///
/// ```
/// use sempre_ltl::{Formula, rewrite::substitute};
/// let law: Formula = "f U g".parse().unwrap();
/// let instance = substitute(&law, |p| match p.name() {
///     "g" => Formula::next("a"),
///     _ => p.into(),
/// });
/// assert_eq!(instance.to_string(), "f U Xa");
/// ```
pub fn substitute(formula: &Formula, mut value: impl FnMut(&Prop) -> Formula) -> Formula {
    transform(formula, |f| match f.as_prop() {
        Some(prop) => value(prop),
        None => f,
    })
}

/// Replaces whole subformulas, the outermost first, looking only below formulas for which
/// `descend` holds.
pub(super) fn replace(
    root: &Formula,
    replacements: &FxHashMap<Formula, Formula>,
    descend: impl Fn(&Formula) -> bool,
) -> Formula {
    let mut done: FxHashMap<Formula, Formula> = FxHashMap::default();
    let mut stack = vec![(root.clone(), false)];
    while let Some((formula, operands_done)) = stack.pop() {
        if done.contains_key(&formula) {
            continue;
        }
        if let Some(replacement) = replacements.get(&formula) {
            done.insert(formula, replacement.clone());
        } else if operands_done {
            let operands = formula.children().iter().map(|child| done[child].clone());
            let rebuilt = formula.with_children(operands);
            done.insert(formula, rebuilt);
        } else if formula.children().is_empty() || !descend(&formula) {
            done.insert(formula.clone(), formula);
        } else {
            let operands = formula.children().to_vec();
            stack.push((formula, true));
            stack.extend(operands.into_iter().map(|operand| (operand, false)));
        }
    }
    done.remove(root).unwrap_or_else(|| unreachable!("the root is done last"))
}
