//! Covers: the ways to satisfy some subformulas now, with fewer of them recorded than by plain
//! expansion.
//!
//! One procedure for two published improvements. They differ in three questions: is a subformula
//! recorded in the node, does it contradict the node, and is it redundant, because the node already
//! implies it.

use super::Variant;
use super::closure::{Closure, Rule, Subformula};
use super::expand::{Node, Set, insert};
use rustc_hash::FxHashSet;
use sempre_ltl::interrupt;

/// A node under construction.
#[derive(Clone)]
struct PartialNode {
    /// The subformulas that are not yet covered, each once.
    todo: Vec<Subformula>,
    /// The subformulas that were covered, ascending.
    covered: Set,
    node: Node,
}

/// The subformulas that a set implies by propositional rules, with a bit for each.
pub(super) struct Implied(Vec<bool>);

impl Implied {
    /// Computes the least superset of the subformulas `now` and the obligations `next` that has
    /// each subformula with one of its alternatives.
    pub(super) fn new(
        closure: &Closure,
        now: impl IntoIterator<Item = Subformula>,
        next: &[Subformula],
    ) -> Self {
        let mut holds = vec![false; closure.len()];
        for subformula in now {
            holds[subformula as usize] = true;
        }
        let postponed = |f: &Subformula| next.binary_search(f).is_ok();
        // Operands have smaller numbers.
        for subformula in 0..closure.len() as Subformula {
            let all = |set: &[Subformula]| set.iter().all(|&f| holds[f as usize]);
            let implied = match closure.rule(subformula) {
                Rule::True => true,
                Rule::False | Rule::Literal(..) => false,
                Rule::And(operands) => all(operands),
                Rule::Or(operands) => operands.iter().any(|&f| holds[f as usize]),
                Rule::Next(operand) => postponed(operand),
                Rule::Fixpoint { stay, leave } => {
                    leave.as_ref().is_some_and(|leave| all(leave))
                        || all(stay) && postponed(&subformula)
                }
            };
            holds[subformula as usize] |= implied;
        }
        Implied(holds)
    }

    pub(super) fn contains(&self, subformula: Subformula) -> bool {
        self.0[subformula as usize]
    }
}

/// Returns all nodes at which these subformulas hold.
pub(super) fn cover(closure: &Closure, variant: Variant, subformulas: &[Subformula]) -> Vec<Node> {
    let empty = Node { old: Set::new(), next: Set::new() };
    let todo = subformulas.iter().rev().copied().collect();
    let mut unfinished = vec![PartialNode { todo, covered: Set::new(), node: empty }];
    let mut nodes: Vec<Node> = vec![];
    let mut seen: FxHashSet<Node> = FxHashSet::default();
    while let Some(mut current) = unfinished.pop() {
        interrupt::poll();
        if current.finish(closure, variant, &mut unfinished) && seen.insert(current.node.clone()) {
            nodes.push(current.node);
        }
    }
    nodes
}

impl PartialNode {
    /// Covers all subformulas of a node; alternatives join the unfinished nodes. False if the node
    /// contradicts itself.
    fn finish(&mut self, closure: &Closure, variant: Variant, others: &mut Vec<Self>) -> bool {
        while let Some(subformula) = self.todo.pop() {
            interrupt::poll();
            insert(&mut self.covered, subformula);
            if variant == Variant::GpvwPlus && closure.is_promise_or_goal(subformula) {
                insert(&mut self.node.old, subformula);
            }
            let (contradicts, redundant) = match variant {
                Variant::Ltl2aut => self.implies(closure, subformula),
                _ => self.repeats(closure, subformula),
            };
            if contradicts {
                return false;
            }
            if redundant {
                continue;
            }
            match closure.rule(subformula) {
                Rule::True => {}
                Rule::False => return false,
                Rule::Literal(..) => {
                    insert(&mut self.node.old, subformula);
                }
                Rule::Next(operand) => {
                    if !self.postpone(closure, *operand) {
                        return false;
                    }
                }
                Rule::And(operands) => self.add(variant, operands),
                Rule::Or(operands) => {
                    let (first, rest) =
                        operands.split_first().unwrap_or_else(|| unreachable!("arity"));
                    for operand in rest {
                        let mut other = self.clone();
                        other.add(variant, &[*operand]);
                        others.push(other);
                    }
                    self.add(variant, &[*first]);
                }
                Rule::Fixpoint { stay, leave } => {
                    if let Some(leave) = leave {
                        let mut other = self.clone();
                        other.add(variant, leave);
                        others.push(other);
                    }
                    self.add(variant, stay);
                    if !self.postpone(closure, subformula) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Adds an obligation for the next node; false if its negation is one as well.
    fn postpone(&mut self, closure: &Closure, subformula: Subformula) -> bool {
        insert(&mut self.node.next, subformula);
        let postponed = |f: Subformula| self.node.next.binary_search(&f).is_ok();
        !closure.negation(subformula).is_some_and(postponed)
    }

    /// Adds subformulas that must hold now, unless the node has them.
    fn add(&mut self, variant: Variant, subformulas: &[Subformula]) {
        for f in subformulas {
            let covered = variant == Variant::GpvwPlus && self.covered.binary_search(f).is_ok();
            let known = self.node.old.binary_search(f).is_ok() || self.todo.contains(f);
            if !covered && !known {
                self.todo.push(*f);
            }
        }
    }

    /// Returns whether a subformula contradicts a covered one, and whether the subformulas that
    /// fulfil it are present.
    fn repeats(&self, closure: &Closure, subformula: Subformula) -> (bool, bool) {
        let covered = |f: Subformula| self.covered.binary_search(&f).is_ok();
        let present =
            |f: &Subformula| self.todo.contains(f) || self.node.old.binary_search(f).is_ok();
        let redundant = match closure.rule(subformula) {
            Rule::Fixpoint { leave: Some(leave), .. } => leave.iter().all(present),
            _ => false,
        };
        (closure.negation(subformula).is_some_and(covered), redundant)
    }

    /// Returns whether the node implies the negation of a subformula, and whether it implies the
    /// subformula, with its goal if there is one.
    fn implies(&self, closure: &Closure, subformula: Subformula) -> (bool, bool) {
        let now = self.todo.iter().chain(&self.node.old).copied();
        let implied = Implied::new(closure, now, &self.node.next);
        let contradicts = closure.negation(subformula).is_some_and(|not| implied.contains(not));
        let fulfilled = closure.goal(subformula).is_none_or(|goal| implied.contains(goal));
        (contradicts, implied.contains(subformula) && fulfilled)
    }
}
