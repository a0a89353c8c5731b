//! Deterministic Büchi automata of `GF g` for guarantees g, and Boolean combinations of them.
//!
//! The minimal automaton of `F g` restarts after each success. It may restart with the letter just
//! read, or with the next one; neither is always smaller. The language does not depend on any
//! prefix, so a run may begin in a bottom component. `FG s` is the negation of `GF !s`, and shares
//! its automaton.

use super::Workshop;
use super::{weak, window};
use crate::after::Space;
use crate::after::fixpoints;
use crate::recurrence::{Restart, restarting};
use sempre_automata::reduce::Level;
use sempre_automata::{Automaton, Edge, Marks, language};
use sempre_ltl::{Formula, Op, Traits, rewrite};
use std::rc::Rc;

/// A limit formula with an automaton, by its number in the workshop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Watch(pub(crate) u32);

/// The result for `GF g`.
#[derive(Clone, Debug)]
pub(crate) enum Limit {
    /// All words satisfy it, or none.
    Constant(bool),
    /// A complete deterministic Büchi automaton, by its number.
    Watched(Watch),
}

/// A positive Boolean combination of `GF g` and of negations of such.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Combination {
    Constant(bool),
    /// True if the watch must succeed infinitely often, false if finitely often.
    Watch(Watch, bool),
    And(Vec<Combination>),
    Or(Vec<Combination>),
}

impl Combination {
    /// Adds the watches of the combination.
    pub(crate) fn collect(&self, watches: &mut Vec<Watch>) {
        match self {
            Combination::Constant(_) => {}
            Combination::Watch(watch, _) => watches.push(*watch),
            Combination::And(operands) | Combination::Or(operands) => {
                operands.iter().for_each(|operand| operand.collect(watches));
            }
        }
    }

    pub(crate) fn junction(and: bool, operands: impl IntoIterator<Item = Combination>) -> Self {
        let mut flat = vec![];
        for operand in operands {
            match operand {
                Combination::Constant(value) if value == and => {}
                Combination::Constant(value) => return Combination::Constant(value),
                Combination::And(nested) if and => flat.extend(nested),
                Combination::Or(nested) if !and => flat.extend(nested),
                operand => flat.push(operand),
            }
        }
        flat.sort();
        flat.dedup();
        match flat.len() {
            0 => Combination::Constant(and),
            1 => flat.remove(0),
            _ if and => Combination::And(flat),
            _ => Combination::Or(flat),
        }
    }
}

impl Workshop {
    /// Returns the automaton of a watch, which marks each success.
    pub(crate) fn watch(&self, watch: Watch) -> &Rc<Automaton> {
        &self.watches[watch.0 as usize]
    }

    /// True if the watch may pause after each success and begin anew later: a mark means a success
    /// in the letters read since then. A watch may begin in any state with its language, and so
    /// with a mark for letters that it has not read.
    pub(crate) fn may_pause(&self, watch: Watch) -> bool {
        let automaton = self.watch(watch);
        language::is_included(&pausing(automaton), automaton)
    }

    /// Translates `GF g` for a guarantee g; `None` beyond the bounds.
    pub(crate) fn limit(&mut self, guarantee: &Formula) -> Option<Limit> {
        if let Some(known) = self.limits.get(guarantee) {
            return known.clone();
        }
        let limit = self.built_limit(guarantee);
        self.limits.insert(guarantee.clone(), limit.clone());
        limit
    }

    fn built_limit(&mut self, guarantee: &Formula) -> Option<Limit> {
        let mut space = Space::new(self.alphabet.clone(), self.bounds.nodes);
        let finally = match guarantee.is(Traits::EVENTUAL) {
            true => guarantee.clone(),
            false => Formula::finally(guarantee),
        };
        if self.windows
            && let Some(automaton) = window::automaton(self, &finally)
        {
            return Some(self.watched(automaton));
        }
        let waiting = weak::minimal_in(&mut space, &finally, self.bounds)?;
        if waiting.edge_count() == 0 {
            return Some(Limit::Constant(false));
        }
        let restarts = [Restart::WithTheLetter, Restart::WithTheNext];
        let candidates: Option<Vec<Automaton>> =
            restarts.into_iter().map(|restart| restarting(&waiting, restart)).collect();
        // An automaton that never waits always succeeds.
        let Some(candidates) = candidates else { return Some(Limit::Constant(true)) };
        let reduced = candidates.iter().map(|automaton| self.reduced(automaton, Level::High));
        let smallest = reduced.min_by_key(super::size)?;
        if !smallest.is_complete() {
            return Some(Limit::Constant(false));
        }
        match smallest.acceptance().marks() {
            0 => Some(Limit::Constant(true)),
            1 => Some(self.watched(smallest)),
            _ => None,
        }
    }

    fn watched(&mut self, automaton: Automaton) -> Limit {
        let number = self.watches.len() as u32;
        self.watches.push(Rc::new(automaton));
        Limit::Watched(Watch(number))
    }

    /// Parses a formula as a combination of limit formulas. Each temporal operator must be in
    /// `GF g` for a guarantee g, or in `FG s` for a safety formula s.
    pub(crate) fn combination(&mut self, formula: &Formula) -> Option<Combination> {
        match (formula.op(), formula.children()) {
            (Op::True | Op::False, _) => Some(Combination::Constant(formula.is_true())),
            (Op::And | Op::Or, operands) => {
                let operands: Option<Vec<_>> =
                    operands.iter().map(|operand| self.combination(operand)).collect();
                Some(Combination::junction(formula.op() == Op::And, operands?))
            }
            // `F g` is g if g is a pure eventuality.
            (Op::Globally, [g]) if g.is(Traits::EVENTUAL) && fixpoints::is_guarantee(g) => {
                self.limit_combination(g, true)
            }
            (Op::Finally, [g]) if g.is(Traits::UNIVERSAL) && fixpoints::is_safety(g) => {
                let negation = rewrite::nnf(&Formula::not(g));
                self.limit_combination(&negation, false)
            }
            _ => None,
        }
    }

    fn limit_combination(&mut self, guarantee: &Formula, wanted: bool) -> Option<Combination> {
        Some(match self.limit(guarantee)? {
            Limit::Constant(value) => Combination::Constant(value == wanted),
            Limit::Watched(watch) => Combination::Watch(watch, wanted),
        })
    }
}

/// The automaton that may read any letters after each mark, and then begins anew.
fn pausing(automaton: &Automaton) -> Automaton {
    let mut builder = automaton.edit();
    let pause = builder.add_state();
    for &start in automaton.initial() {
        for Edge { label, marks, target } in automaton.edges_from(start) {
            builder.edge(pause, *label, marks.clone(), *target);
        }
    }
    builder.retain_edges(|_, edge| {
        if !edge.marks.is_empty() {
            edge.target = pause;
        }
        true
    });
    builder.edge(pause, automaton.alphabet().tt(), Marks::EMPTY, pause);
    builder.build()
}
