//! Deterministic Büchi automata of `GF g` that remember the last letters, for g without temporal
//! operators but `X`.
//!
//! A state is the set of what is left of g from each of the last positions: it depends on as many
//! letters as g looks ahead, and on nothing before. Alone such an automaton is larger than one that
//! restarts, but a product of several has few states, as they remember the same letters.

use super::Workshop;
use super::explore::explore;
use crate::after::{Class, MAX_STEPS, Space};
use sempre_automata::{Automaton, Label, Marks, Named};
use sempre_ltl::{Formula, Op, Traits};

/// True if at least two limit formulas of a formula look ahead by `X`.
pub(super) fn pays(formula: &Formula) -> bool {
    let looks_ahead = |f: &Formula| body(f).is_some_and(|body| !body.is(Traits::BOOLEAN));
    formula.subformulas().filter(looks_ahead).count() >= 2
}

/// The formula below `GF` or `FG`, if it has no other temporal operators than `X`.
fn body(f: &Formula) -> Option<Formula> {
    let inner = match (f.op(), f.children()) {
        (Op::Globally, [g]) if g.op() == Op::Finally => g,
        (Op::Finally, [g]) if g.op() == Op::Globally => g,
        _ => return None,
    };
    inner.children().first().filter(|body| is_bounded(body)).cloned()
}

fn is_bounded(formula: &Formula) -> bool {
    formula
        .subformulas()
        .all(|f| f.is(Traits::BOOLEAN) || matches!(f.op(), Op::And | Op::Or | Op::Next))
}

/// The automaton of `GF g` for a guarantee `F g`, complete, with the mark 0 where some g has come true;
/// `None` beyond the bounds, and for other formulas.
pub(super) fn automaton(workshop: &Workshop, finally: &Formula) -> Option<Automaton> {
    let (Op::Finally, [body]) = (finally.op(), finally.children()) else { return None };
    if !is_bounded(body) {
        return None;
    }
    let mut space = Space::new(workshop.alphabet.clone(), workshop.bounds.nodes);
    let first = space.class(body);
    let alphabet = workshop.alphabet.clone();
    let acceptance = Named::Buchi.acceptance();
    let start: Vec<Class> = vec![];
    let explored = explore(&alphabet, acceptance, start, workshop.bounds, |state, found| {
        let mut open: Vec<(Label, Marks, Vec<Class>)> = vec![(alphabet.tt(), Marks::EMPTY, vec![])];
        for class in state.iter().chain([&first]) {
            let steps = space.steps(*class);
            let mut next = vec![];
            for (label, marks, left) in &open {
                for (other, rest) in steps.iter() {
                    let both = alphabet.and(*label, *other);
                    if both == alphabet.ff() {
                        continue;
                    }
                    let (mut marks, mut left) = (marks.clone(), left.clone());
                    let after = space.after(*rest);
                    if after == Class::TRUE {
                        marks.insert(0);
                    } else if after != Class::FALSE {
                        left.push(after);
                    }
                    next.push((both, marks, left));
                }
            }
            open = next;
            if open.len() > MAX_STEPS {
                return None;
            }
        }
        for (label, marks, mut left) in open {
            left.sort_unstable();
            left.dedup();
            found.push((label, marks, left));
        }
        (!space.is_exhausted()).then_some(())
    })?;
    Some(explored.automaton)
}
