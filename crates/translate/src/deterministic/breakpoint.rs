//! Deterministic Büchi automata of recurrence formulas, with one breakpoint.
//!
//! For formulas without `G`, `W` or `R` below `F`, `U` or `M`. A state has the after-formula ξ of
//! the whole formula and the pending guarantees ζ: the obligations of ξ at the last breakpoint,
//! without its greatest fixpoints. When ζ becomes true, the edge is marked, and the current
//! obligations of ξ become pending. A run with infinitely many breakpoints fulfils every guarantee.
//!
//! The pending guarantees are not the same for all formulas of a class: `Fa & GFa` and `GFa` are in
//! one class, but only the first one has `Fa` pending. So they are taken either from the rest of
//! the step, before it is unfolded, or from the unfolded formula. Neither choice is always smaller.

use super::explore::{Bounds, explore};
use crate::after::{Class, Rest, Space, fixpoints, joint_steps};
use rustc_hash::FxHashMap;
use sempre_automata::{Automaton, Marks, Named};
use sempre_ltl::{Formula, Op, Traits};

/// The source of the pending guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    /// The rest of the step.
    Rest,
    /// The unfolded formula.
    Unfolded,
    /// One formula of each class: wrong, for tests.
    #[cfg(test)]
    Representative,
    /// One formula of each class for several constructions: wrong, for tests.
    #[cfg(test)]
    Global,
}

#[cfg(test)]
thread_local! {
    /// The representatives of the classes of a space, for [`Pending::Global`].
    pub(super) static GLOBAL: std::cell::RefCell<FxHashMap<Class, Rest>> =
        std::cell::RefCell::default();
}

/// Returns an equivalent formula without greatest fixpoints below least ones, if the syntax shows
/// that the formula, in negation normal form, is a recurrence.
pub(crate) fn normal(formula: &Formula) -> Option<Formula> {
    if !formula.is(Traits::RECURRENCE) {
        return None;
    }
    let mut done: FxHashMap<Formula, Formula> = FxHashMap::default();
    for f in formula.subformulas() {
        let same = f.with_children(f.children().iter().map(|child| done[child].clone()));
        let (left, right) = match same.children() {
            [left, right] => (left, right),
            _ => {
                done.insert(f, same);
                continue;
            }
        };
        let weak = match same.op() {
            _ if same.is(Traits::GUARANTEE) => same,
            Op::Until if right.is(Traits::GUARANTEE) => {
                Formula::and([Formula::weak_until(left, right), Formula::finally(right)])
            }
            Op::StrongRelease if left.is(Traits::GUARANTEE) => {
                Formula::and([Formula::release(left, right), Formula::finally(left)])
            }
            _ => same,
        };
        done.insert(f, weak);
    }
    let normal = done.remove(formula)?;
    is_normal(&normal).then_some(normal)
}

/// True if no greatest fixpoint occurs below a least one.
fn is_normal(formula: &Formula) -> bool {
    formula.subformulas().all(|f| !fixpoints::is_least(f.op()) || f.is(Traits::GUARANTEE))
}

/// Returns a deterministic Büchi automaton of a formula in [normal](normal) form, within bounds.
pub(crate) fn automaton(
    space: &mut Space,
    formula: &Formula,
    pending: Pending,
    bounds: Bounds,
) -> Option<Automaton> {
    let alphabet = space.alphabet().clone();
    let start = space.class(formula);
    let mut demands =
        Demands { pending, of_rest: FxHashMap::default(), of_class: FxHashMap::default() };
    let first = space.replaced_next(start, &mut guarantee_or_true);
    let mut pairs = bounds.pairs();
    let explored =
        explore(&alphabet, Named::Buchi.acceptance(), (start, first), bounds, |state, found| {
            let (xi, zeta) = *state;
            let steps = [space.steps(xi), space.steps(zeta)];
            for (label, rests) in joint_steps(&alphabet, &steps, &mut pairs)? {
                let next = space.after(rests[0]);
                if next == Class::FALSE {
                    continue;
                }
                let waiting = space.after(rests[1]);
                if waiting == Class::TRUE {
                    let pending = demands.of(space, rests[0], next);
                    found.push((label, Marks::from_iter([0]), (next, pending)));
                } else {
                    found.push((label, Marks::EMPTY, (next, waiting)));
                }
            }
            (!space.is_exhausted()).then_some(())
        })?;
    Some(explored.automaton)
}

/// Returns the formula if it is a guarantee, and true otherwise.
fn guarantee_or_true(atom: &Formula) -> Formula {
    if fixpoints::is_guarantee(atom) { atom.clone() } else { Formula::tt() }
}

/// A cache of the obligations of formulas.
struct Demands {
    pending: Pending,
    of_rest: FxHashMap<Rest, Class>,
    of_class: FxHashMap<Class, Class>,
}

impl Demands {
    fn of(&mut self, space: &mut Space, rest: Rest, class: Class) -> Class {
        match self.pending {
            Pending::Rest => *self
                .of_rest
                .entry(rest)
                .or_insert_with(|| space.replaced(rest, &mut guarantee_or_true)),
            Pending::Unfolded => *self
                .of_class
                .entry(class)
                .or_insert_with(|| space.replaced_next(class, &mut guarantee_or_true)),
            // The first rest of all formulas represents the class.
            #[cfg(test)]
            Pending::Global => {
                let first = GLOBAL.with_borrow_mut(|known| *known.entry(class).or_insert(rest));
                space.replaced(first, &mut guarantee_or_true)
            }
            // The first rest that led to the class represents all of them.
            #[cfg(test)]
            Pending::Representative => *self
                .of_class
                .entry(class)
                .or_insert_with(|| space.replaced(rest, &mut guarantee_or_true)),
        }
    }
}
