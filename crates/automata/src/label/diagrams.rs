//! Reduced ordered binary decision diagrams with hash-consing. Labels live as long as their
//! alphabet, so there is no garbage collection.

use super::Label;
use super::algebra::Algebra;
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;
use smallvec::SmallVec;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    variable: u32,
    low: u32,
    high: u32,
}

/// The diagrams of one alphabet. Node 0 is false, node 1 is true.
pub(super) struct Diagrams {
    nodes: Vec<Node>,
    unique: HashTable<u32>,
    /// A cache of conjunctions, disjunctions and negations.
    known: FxHashMap<(Operation, u32, u32), u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
    Not,
}

/// The maximal size of the cache, which bounds the memory of long runs.
const MAX_KNOWN: usize = 1 << 20;

const CONSTANT: u32 = u32::MAX;

impl Diagrams {
    pub(super) fn new() -> Self {
        let constant = Node { variable: CONSTANT, low: 0, high: 0 };
        Diagrams {
            nodes: vec![constant, Node { low: 1, high: 1, ..constant }],
            unique: HashTable::new(),
            known: FxHashMap::default(),
        }
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn node(&mut self, variable: u32, low: u32, high: u32) -> u32 {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        let hash = hash(node);
        if let Some(found) = self.unique.find(hash, |&id| self.nodes[id as usize] == node) {
            return *found;
        }
        let id = u32::try_from(self.nodes.len()).expect("labels of more than 2^32 nodes");
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.unique.insert_unique(hash, id, |&id| self::hash(nodes[id as usize]));
        id
    }

    /// The recursion is as deep as the number of variables.
    fn apply(&mut self, operation: Operation, left: u32, right: u32) -> u32 {
        let (left, right) = (left.min(right), left.max(right));
        match (operation, left, right) {
            (Operation::Not, 0..=1, _) => return 1 - left,
            (Operation::And, 0, _) => return 0,
            (Operation::And, 1, other) | (Operation::Or, 0, other) => return other,
            (Operation::Or, 1, _) => return 1,
            (Operation::And | Operation::Or, ..) if left == right => return left,
            _ => {}
        }
        if let Some(known) = self.known.get(&(operation, left, right)) {
            return *known;
        }
        interrupt::poll();
        let (l, r) = (self.nodes[left as usize], self.nodes[right as usize]);
        let variable = l.variable.min(r.variable);
        let split = |id: u32, node: Node| {
            if node.variable == variable { (node.low, node.high) } else { (id, id) }
        };
        let ((l0, l1), (r0, r1)) = (split(left, l), split(right, r));
        let low = self.apply(operation, l0, r0);
        let high = self.apply(operation, l1, r1);
        let result = self.node(variable, low, high);
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        self.known.insert((operation, left, right), result);
        result
    }
}

fn hash(node: Node) -> u64 {
    let key = u64::from(node.low) << 32 | u64::from(node.high);
    let product = u128::from(key ^ u64::from(node.variable).rotate_left(47))
        * 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835_u128 as u64 as u128;
    (product >> 64) as u64 ^ product as u64
}

fn id(label: Label) -> u32 {
    label.0 as u32
}

fn label(id: u32) -> Label {
    Label(u64::from(id))
}

impl Algebra for Diagrams {
    fn constant(&self, value: bool) -> Label {
        label(u32::from(value))
    }

    fn variable(&mut self, index: usize) -> Label {
        label(self.node(index as u32, 0, 1))
    }

    fn and(&mut self, left: Label, right: Label) -> Label {
        label(self.apply(Operation::And, id(left), id(right)))
    }

    fn or(&mut self, left: Label, right: Label) -> Label {
        label(self.apply(Operation::Or, id(left), id(right)))
    }

    fn not(&mut self, operand: Label) -> Label {
        label(self.apply(Operation::Not, id(operand), id(operand)))
    }

    /// Builds bottom-up from the last variable, without intermediate results.
    fn cube(&mut self, literals: &[(usize, bool)]) -> Label {
        let mut literals: SmallVec<[(usize, bool); 16]> = literals.iter().copied().collect();
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return self.constant(false);
        }
        let chain = literals.iter().rev().fold(1, |rest, &(index, positive)| {
            let (low, high) = if positive { (0, rest) } else { (rest, 0) };
            self.node(index as u32, low, high)
        });
        label(chain)
    }

    fn top(&self, label: Label) -> Option<usize> {
        let variable = self.nodes[id(label) as usize].variable;
        (variable != CONSTANT).then_some(variable as usize)
    }

    fn cofactors(&self, function: Label, variable: usize) -> (Label, Label) {
        let node = self.nodes[id(function) as usize];
        if node.variable as usize == variable {
            (label(node.low), label(node.high))
        } else {
            (function, function)
        }
    }
}
