//! The obligations of a run that violates a property, and their textbook expansion.
//!
//! ```text
//! true: nothing    false: the branch dies    literal: dies if the valuation contradicts it
//! a ∧ b: both      a ∨ b: either             X a: a in the next state
//! a U b: either b, or a, with a U b in the next state and postponed
//! a R b: either a and b, or b, with a R b in the next state
//! ```
//!
//! The expansion uses no property of the model, no simplification and no automaton.

use rustc_hash::FxHashMap;
use sempre_ltl::{Formula, Op, Prop, interrupt};
use smallvec::{SmallVec, smallvec};

/// A set of obligations: numbers of formulas, ascending.
pub type Set = Box<[u32]>;

/// A set of untils, as bits.
pub type Bits = SmallVec<[u64; 1]>;

/// One way to meet a set of obligations in a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alternative {
    /// The obligations from the next state on.
    pub next: Set,
    /// The untils whose fulfilment is postponed.
    pub postponed: Bits,
}

/// The error for a set of obligations with more alternatives than this crate follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a set of obligations has more than {MOST} alternatives")]
pub struct TooMany;

/// The limit on the alternatives of one expansion.
const MOST: usize = 1 << 16;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Constant(bool),
    /// A proposition by its number, and whether it must hold.
    Literal(usize, bool),
    All(Vec<u32>),
    Any(Vec<u32>),
    Next(u32),
    Until(u32, u32),
    Release(u32, u32),
}

/// The subformulas of a negated property, numbered by a fixed walk.
#[derive(Clone, Debug)]
pub struct Obligations {
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, u32>,
    propositions: Vec<Prop>,
    /// For each until its number among the untils.
    untils: FxHashMap<u32, usize>,
    root: u32,
}

/// A subformula, and whether it is negated.
type Occurrence = (Formula, bool);

impl Obligations {
    /// Returns the obligations of runs that violate the property. If `cover`, adds `F false` as an
    /// alternative, so that the table covers all reachable states: no run satisfies `F false`, but
    /// no finite part of a run refutes it.
    pub fn of_negation(property: &Formula, cover: bool) -> Self {
        let propositions = property.props();
        let (nodes, numbers, untils) = (Vec::new(), FxHashMap::default(), FxHashMap::default());
        let mut all = Obligations { nodes, numbers, propositions, untils, root: 0 };
        let mut known: FxHashMap<Occurrence, u32> = FxHashMap::default();
        let root: Occurrence = (property.clone(), true);
        let mut stack = vec![root.clone()];
        while let Some(top) = stack.last().cloned() {
            interrupt::poll();
            let operands = operands(&top);
            let missing = operands.iter().filter(|operand| !known.contains_key(operand));
            let before = stack.len();
            stack.extend(missing.cloned());
            if stack.len() == before {
                let operands: Vec<u32> = operands.iter().map(|operand| known[operand]).collect();
                let number = all.assemble(&top, &operands);
                known.insert(top, number);
                stack.pop();
            }
        }
        all.root = known[&root];
        if cover {
            let (tt, ff) = (all.constant(true), all.constant(false));
            let everywhere = all.until(tt, ff);
            all.root = all.number(Node::Any(vec![all.root, everywhere]));
        }
        all
    }

    fn number(&mut self, node: Node) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(node.clone()).or_insert(next);
        if number == next {
            self.nodes.push(node);
        }
        number
    }

    fn constant(&mut self, value: bool) -> u32 {
        self.number(Node::Constant(value))
    }

    fn until(&mut self, left: u32, right: u32) -> u32 {
        let number = self.number(Node::Until(left, right));
        let next = self.untils.len();
        self.untils.entry(number).or_insert(next);
        number
    }

    /// Numbers a formula or its negation, given its operands.
    fn assemble(&mut self, (formula, negated): &Occurrence, operands: &[u32]) -> u32 {
        let negated = *negated;
        match (formula.op(), operands) {
            (Op::True, _) => self.constant(!negated),
            (Op::False, _) => self.constant(negated),
            (Op::Not, [operand]) => *operand,
            (Op::And, all) => self.junction(!negated, all),
            (Op::Or | Op::Implies, all) => self.junction(negated, all),
            (op @ (Op::Iff | Op::Xor), [left, not_left, right, not_right]) => {
                let (right, not_right) = match (op == Op::Iff) != negated {
                    true => (right, not_right),
                    false => (not_right, right),
                };
                let both = self.junction(true, &[*left, *right]);
                let none = self.junction(true, &[*not_left, *not_right]);
                self.junction(false, &[both, none])
            }
            (Op::Next, [operand]) => self.number(Node::Next(*operand)),
            (op @ (Op::Finally | Op::Globally), [operand]) => {
                self.eventually((op == Op::Finally) != negated, *operand)
            }
            (op @ (Op::StrictFinally | Op::StrictGlobally), [operand]) => {
                let later = self.eventually((op == Op::StrictFinally) != negated, *operand);
                self.number(Node::Next(later))
            }
            (op @ (Op::Until | Op::Release), [left, right]) => match (op == Op::Until) != negated {
                true => self.until(*left, *right),
                false => self.number(Node::Release(*left, *right)),
            },
            // a W b = b R (a ∨ b), a M b = b U (a ∧ b); for their negations, the two are swapped.
            (op @ (Op::WeakUntil | Op::StrongRelease), [left, right]) => {
                let is_until = (op == Op::StrongRelease) != negated;
                let both = self.junction(is_until, &[*left, *right]);
                match is_until {
                    true => self.until(*right, both),
                    false => self.number(Node::Release(*right, both)),
                }
            }
            _ => {
                let prop = formula.as_prop();
                let number = self.propositions.iter().position(|known| Some(known) == prop);
                self.number(Node::Literal(number.unwrap_or_default(), !negated))
            }
        }
    }

    fn junction(&mut self, all: bool, operands: &[u32]) -> u32 {
        self.number(match all {
            true => Node::All(operands.to_vec()),
            false => Node::Any(operands.to_vec()),
        })
    }

    /// Numbers `F` of an operand if `finally`, and `G` otherwise.
    fn eventually(&mut self, finally: bool, operand: u32) -> u32 {
        let constant = self.constant(finally);
        match finally {
            true => self.until(constant, operand),
            false => self.number(Node::Release(constant, operand)),
        }
    }

    /// Returns the obligations of a run at its beginning.
    pub fn initial(&self) -> Set {
        Box::new([self.root])
    }

    /// Returns the propositions; the i-th is bit i of valuations.
    pub fn propositions(&self) -> &[Prop] {
        &self.propositions
    }

    /// Returns the number of subformulas.
    pub fn formula_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of untils.
    pub fn until_count(&self) -> usize {
        self.untils.len()
    }

    /// Returns all alternatives that meet the obligations in a state with this valuation, in a
    /// fixed order.
    ///
    /// # Errors
    /// If there are too many.
    pub fn expand(&self, set: &[u32], valuation: u64) -> Result<Vec<Alternative>, TooMany> {
        let postponed: Bits = smallvec![0; self.untils.len().div_ceil(64)];
        let first = Branch { todo: set.to_vec(), seen: Vec::new(), next: Vec::new(), postponed };
        let mut branches = vec![first];
        let mut alternatives = Vec::new();
        while let Some(mut branch) = branches.pop() {
            interrupt::poll();
            if branches.len() + alternatives.len() > MOST {
                return Err(TooMany);
            }
            let Some(formula) = branch.todo.pop() else {
                branch.next.sort_unstable();
                branch.next.dedup();
                let Branch { next, postponed, .. } = branch;
                alternatives.push(Alternative { next: next.into(), postponed });
                continue;
            };
            if branch.seen.contains(&formula) {
                branches.push(branch);
                continue;
            }
            branch.seen.push(formula);
            match &self.nodes[formula as usize] {
                Node::Constant(false) => continue,
                Node::Constant(true) => {}
                Node::Literal(number, holds) => {
                    if (valuation >> number & 1 == 1) != *holds {
                        continue;
                    }
                }
                Node::All(operands) => branch.todo.extend(operands),
                Node::Any(operands) => {
                    branches.extend(operands.iter().map(|operand| branch.with(&[*operand])));
                    continue;
                }
                Node::Next(operand) => branch.next.push(*operand),
                Node::Until(left, right) => {
                    let number = self.untils[&formula];
                    branches.push(branch.with(&[*right]));
                    branch.todo.push(*left);
                    branch.next.push(formula);
                    branch.postponed[number / 64] |= 1 << (number % 64);
                }
                Node::Release(left, right) => {
                    branches.push(branch.with(&[*left, *right]));
                    branch.todo.push(*right);
                    branch.next.push(formula);
                }
            }
            branches.push(branch);
        }
        alternatives.sort_unstable();
        alternatives.dedup();
        Ok(alternatives)
    }
}

/// A branch of an expansion.
#[derive(Clone)]
struct Branch {
    todo: Vec<u32>,
    /// The formulas that are already expanded.
    seen: Vec<u32>,
    next: Vec<u32>,
    postponed: Bits,
}

impl Branch {
    /// Returns a copy with further formulas to expand.
    fn with(&self, formulas: &[u32]) -> Branch {
        let mut branch = self.clone();
        branch.todo.extend(formulas);
        branch
    }
}

/// Returns the operands of a formula, negated where moving a negation inwards requires it.
fn operands((formula, negated): &Occurrence) -> Vec<Occurrence> {
    let of = |operand: &Formula, negated: bool| (operand.clone(), negated);
    match (formula.op(), formula.children()) {
        (Op::Not, [operand]) => vec![of(operand, !negated)],
        (Op::Implies, [left, right]) => vec![of(left, !negated), of(right, *negated)],
        (Op::Iff | Op::Xor, [left, right]) => {
            vec![of(left, false), of(left, true), of(right, false), of(right, true)]
        }
        (_, all) => all.iter().map(|operand| of(operand, *negated)).collect(),
    }
}
