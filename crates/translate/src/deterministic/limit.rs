//! Deterministic Büchi automata of `GF g` for guarantees g, and Boolean combinations of them.
//!
//! The minimal automaton that waits for `F g` starts again when it has found it. It may start with
//! the letter that has just been read, or with the next one; neither is always smaller. The language
//! does not depend on any prefix, so that a run may begin where there is no way out. `FG s` is the
//! negation of `GF !s`, and shares its automaton.

use super::Workshop;
use super::weak;
use crate::after::Space;
use crate::after::fixpoints;
use crate::recurrence::{Restart, restarting};
use sempre_automata::Automaton;
use sempre_automata::reduce::Level;
use sempre_ltl::{Formula, Op, Traits, rewrite};
use std::rc::Rc;

/// A limit formula that is to be watched, by its number in the workshop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Watch(pub(crate) u32);

/// What is known of `GF g`.
#[derive(Clone, Debug)]
pub(crate) enum Limit {
    /// It holds of all words, or of none.
    Constant(bool),
    /// A complete deterministic Büchi automaton, by its number.
    Watched(Watch),
}

/// A positive Boolean combination of `GF g` and of negations of such.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Combination {
    Constant(bool),
    /// Whether the watch finds infinitely often, or not.
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
    /// The automaton of a watch: it finds with its only mark.
    pub(crate) fn watch(&self, watch: Watch) -> &Rc<Automaton> {
        &self.watches[watch.0 as usize]
    }

    /// What is known of `GF g` for a guarantee g, unless the bounds are met.
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
        let waiting = weak::minimal_in(&mut space, &finally, self.bounds)?;
        if waiting.edge_count() == 0 {
            return Some(Limit::Constant(false));
        }
        let restarts = [Restart::WithTheLetter, Restart::WithTheNext];
        let candidates: Option<Vec<Automaton>> =
            restarts.into_iter().map(|restart| restarting(&waiting, restart)).collect();
        // What never waits is always there.
        let Some(candidates) = candidates else { return Some(Limit::Constant(true)) };
        let reduced = candidates.iter().map(|automaton| self.reduced(automaton, Level::High));
        let smallest = reduced.min_by_key(super::size)?;
        if !smallest.is_complete() {
            return Some(Limit::Constant(false));
        }
        match smallest.acceptance().marks() {
            0 => Some(Limit::Constant(true)),
            1 => {
                let number = self.watches.len() as u32;
                self.watches.push(Rc::new(smallest));
                Some(Limit::Watched(Watch(number)))
            }
            _ => None,
        }
    }

    /// A formula as a combination of limit formulas, if it is one by its syntax: if each temporal
    /// operator is in `GF g` for a guarantee g, or in `FG s` for a safety formula s.
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
