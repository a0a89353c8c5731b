//! Traversal of formulas without recursion: they may be nested deeper than the stack.

use super::Formula;
use rustc_hash::{FxHashMap, FxHashSet};

/// The distinct subformulas of a formula; each follows its own subformulas.
///
/// Made by [`Formula::subformulas`].
pub struct Subformulas {
    seen: FxHashSet<Formula>,
    /// A formula, and the number of its visited operands.
    stack: Vec<(Formula, usize)>,
}

impl Subformulas {
    pub(super) fn new(root: &Formula) -> Self {
        let mut seen = FxHashSet::default();
        seen.insert(root.clone());
        Subformulas { seen, stack: vec![(root.clone(), 0)] }
    }
}

impl Iterator for Subformulas {
    type Item = Formula;

    fn next(&mut self) -> Option<Formula> {
        loop {
            let (top, visited) = self.stack.last_mut()?;
            match top.children().get(*visited).cloned() {
                Some(child) => {
                    *visited += 1;
                    if self.seen.insert(child.clone()) {
                        self.stack.push((child, 0));
                    }
                }
                None => return self.stack.pop().map(|(formula, _)| formula),
            }
        }
    }
}

/// Rebuilds a formula bottom-up: `step` gets each distinct subformula with transformed operands,
/// and returns its replacement.
///
/// An n-ary subformula may have absorbed the operands of its transformed operands, because formulas
/// are always flat. To change operators, traverse [`Formula::subformulas`] instead.
///
/// ```
/// use sempre_ltl::{Formula, Op, transform};
/// let f: Formula = "F(a & F b)".parse().unwrap();
/// let g = transform(&f, |f| match f.op() {
///     Op::Finally => Formula::until(Formula::tt(), &f.children()[0]),
///     _ => f,
/// });
/// assert_eq!(g.to_string(), "1 U (a & (1 U b))");
/// ```
pub fn transform(root: &Formula, mut step: impl FnMut(Formula) -> Formula) -> Formula {
    rebuild(
        root,
        |formula| formula.children().to_vec(),
        |formula, operands| {
            step(if operands.is_empty() {
                formula.clone()
            } else {
                formula.with_children(operands)
            })
        },
    )
}

/// Rebuilds a formula from replacements of some of its subformulas: `needs` selects them, and
/// `build` gets their replacements.
pub(crate) fn rebuild(
    root: &Formula,
    needs: impl Fn(&Formula) -> Vec<Formula>,
    mut build: impl FnMut(&Formula, Vec<Formula>) -> Formula,
) -> Formula {
    let mut done: FxHashMap<Formula, Formula> = FxHashMap::default();
    let mut stack: Vec<(Formula, Option<Vec<Formula>>)> = vec![(root.clone(), None)];
    while let Some((formula, needed)) = stack.pop() {
        match needed {
            _ if done.contains_key(&formula) => {}
            None => {
                let needed = needs(&formula);
                stack.push((formula, Some(needed.clone())));
                // Operands on the left are built first.
                stack.extend(needed.into_iter().rev().map(|part| (part, None)));
            }
            Some(needed) => {
                let parts = needed.iter().map(|part| done[part].clone()).collect();
                let built = build(&formula, parts);
                done.insert(formula, built);
            }
        }
    }
    done.remove(root).unwrap_or_else(|| unreachable!("the root is built last"))
}
