//! Expansion: the ways to satisfy some subformulas now, each with the obligations for the next
//! node.

use super::closure::{Closure, Rule, Subformula};
use rustc_hash::FxHashSet;
use sempre_ltl::interrupt;
use smallvec::SmallVec;

/// Subformulas, ascending and without repetitions.
pub(super) type Set = SmallVec<[Subformula; 8]>;

/// A node of the tableau.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    /// The expanded subformulas, which hold here.
    pub(super) old: Set,
    /// The obligations for all successors.
    pub(super) next: Set,
}

/// A node under construction.
#[derive(Clone)]
struct PartialNode {
    /// The subformulas that are not yet expanded.
    new: Vec<Subformula>,
    node: Node,
}

/// Returns all nodes at which these subformulas hold.
pub(super) fn expand(closure: &Closure, subformulas: &[Subformula]) -> Vec<Node> {
    let empty = Node { old: Set::new(), next: Set::new() };
    let mut unfinished = vec![PartialNode { new: subformulas.to_vec(), node: empty }];
    let mut nodes: Vec<Node> = vec![];
    let mut seen: FxHashSet<Node> = FxHashSet::default();
    while let Some(mut current) = unfinished.pop() {
        interrupt::poll();
        if finish(closure, &mut current, &mut unfinished) && seen.insert(current.node.clone()) {
            nodes.push(current.node);
        }
    }
    nodes
}

/// Expands all new subformulas of a node; alternatives join the unfinished nodes. False if the node
/// contradicts itself.
fn finish(closure: &Closure, current: &mut PartialNode, others: &mut Vec<PartialNode>) -> bool {
    while let Some(subformula) = current.new.pop() {
        interrupt::poll();
        if !insert(&mut current.node.old, subformula) {
            continue;
        }
        match closure.rule(subformula) {
            Rule::True => {}
            Rule::False => return false,
            Rule::Literal(_, opposite) => {
                let old = &current.node.old;
                if opposite.is_some_and(|opposite| old.binary_search(&opposite).is_ok()) {
                    return false;
                }
            }
            Rule::And(operands) => current.new.extend(operands),
            Rule::Or(operands) => {
                let (last, rest) = operands.split_last().unwrap_or_else(|| unreachable!("arity"));
                for operand in rest {
                    let mut other = current.clone();
                    other.new.push(*operand);
                    others.push(other);
                }
                current.new.push(*last);
            }
            Rule::Next(operand) => {
                insert(&mut current.node.next, *operand);
            }
            Rule::Fixpoint { stay, leave } => {
                if let Some(leave) = leave {
                    let mut other = current.clone();
                    other.new.extend(leave);
                    others.push(other);
                }
                current.new.extend(stay);
                insert(&mut current.node.next, subformula);
            }
        }
    }
    true
}

/// Adds a subformula; false if it was present.
pub(super) fn insert(set: &mut Set, subformula: Subformula) -> bool {
    match set.binary_search(&subformula) {
        Ok(_) => false,
        Err(place) => {
            set.insert(place, subformula);
            true
        }
    }
}
