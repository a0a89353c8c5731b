//! Reduced ordered binary decision diagrams for one translation: hash-consing, conjunction and
//! disjunction only, and no garbage collection.
//!
//! The number of nodes can be limited. Beyond the limit results are invalid; see
//! [`Diagrams::is_exhausted`]. Not recursive, because a formula may have more variables than the
//! call stack allows.

mod letters;

pub(crate) use letters::Letters;

use sempre_ltl::interrupt::poll;

/// A Boolean function. Equal functions are equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Diagram(u32);

impl Diagram {
    pub(crate) const FALSE: Diagram = Diagram(0);
    pub(crate) const TRUE: Diagram = Diagram(1);

    pub(crate) fn is_constant(self) -> bool {
        self.0 < 2
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    variable: u32,
    low: Diagram,
    high: Diagram,
}

/// The variable of constants: after all others.
const NONE: u32 = u32::MAX;

/// All diagrams of a translation.
pub(crate) struct Diagrams {
    nodes: Vec<Node>,
    /// A hash table with open addressing: numbers of nodes, 0 for free entries.
    unique: Vec<u32>,
    /// A cache of recent results by their hash; collisions overwrite.
    known: Vec<CacheEntry>,
    /// The explicit stack of an operation.
    frames: Vec<Frame>,
    /// The maximal number of nodes.
    limit: usize,
    exhausted: bool,
}

#[derive(Clone, Copy)]
struct CacheEntry {
    /// Operands and operation; 0 for a free entry.
    key: u64,
    result: Diagram,
}

struct Frame {
    key: u64,
    variable: u32,
    low: Option<Diagram>,
    /// The operands of the high branch.
    high: (Diagram, Diagram),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    And,
    Or,
}

const FEWEST_SLOTS: usize = 1 << 9;

/// A multiplier that separates the hashes of variables from those of nodes.
const SPREAD: u64 = 0x5851_f42d_4c95_7f2d;

fn mix(key: u64) -> usize {
    // The upper half of the product depends on all relevant bits of the key.
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

impl Diagrams {
    pub(crate) fn new() -> Self {
        let constant = |value| Node { variable: NONE, low: value, high: value };
        Diagrams {
            nodes: vec![constant(Diagram::FALSE), constant(Diagram::TRUE)],
            unique: vec![0; FEWEST_SLOTS],
            known: vec![CacheEntry { key: 0, result: Diagram::FALSE }; FEWEST_SLOTS],
            frames: vec![],
            limit: usize::MAX,
            exhausted: false,
        }
    }

    /// Creates diagrams with at most `limit` nodes in total.
    pub(crate) fn with_limit(limit: usize) -> Self {
        Diagrams { limit, ..Diagrams::new() }
    }

    /// True if more nodes were needed than the limit allows; then results are invalid.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Makes all later results invalid, as if the limit were reached.
    pub(crate) fn exhaust(&mut self) {
        self.exhausted = true;
    }

    /// Returns the topmost variable; [`NONE`] for constants.
    pub(crate) fn variable(&self, diagram: Diagram) -> u32 {
        self.nodes[diagram.index()].variable
    }

    /// Returns the cofactors for the topmost variable false and true.
    pub(crate) fn branches(&self, diagram: Diagram) -> (Diagram, Diagram) {
        let node = self.nodes[diagram.index()];
        (node.low, node.high)
    }

    /// Returns the function of a variable or its negation.
    pub(crate) fn literal(&mut self, variable: u32, positive: bool) -> Diagram {
        let (low, high) = (Diagram::FALSE, Diagram::TRUE);
        if positive { self.node(variable, low, high) } else { self.node(variable, high, low) }
    }

    pub(crate) fn and(&mut self, left: Diagram, right: Diagram) -> Diagram {
        self.apply(Operation::And, left, right)
    }

    pub(crate) fn or(&mut self, left: Diagram, right: Diagram) -> Diagram {
        self.apply(Operation::Or, left, right)
    }

    fn slot(&self, node: &Node) -> usize {
        let branches = u64::from(node.low.0) << 32 | u64::from(node.high.0);
        let mask = self.unique.len() - 1;
        let mut slot = mix(branches ^ u64::from(node.variable).wrapping_mul(SPREAD)) & mask;
        while self.unique[slot] != 0 && self.nodes[self.unique[slot] as usize] != *node {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn node(&mut self, variable: u32, low: Diagram, high: Diagram) -> Diagram {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        let slot = self.slot(&node);
        if self.unique[slot] != 0 {
            return Diagram(self.unique[slot]);
        }
        poll();
        if self.nodes.len() >= self.limit {
            self.exhausted = true;
            return low;
        }
        // The highest bit of a number distinguishes operations.
        assert!(self.nodes.len() < 1 << 31, "more than 2^31 nodes of decision diagrams");
        let diagram = Diagram(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique[slot] = diagram.0;
        if self.nodes.len() * 2 > self.unique.len() {
            self.grow();
        }
        diagram
    }

    fn grow(&mut self) {
        let slots = self.unique.len() * 4;
        self.unique = vec![0; slots];
        for index in 2..self.nodes.len() {
            let slot = self.slot(&self.nodes[index]);
            self.unique[slot] = index as u32;
        }
        self.known = vec![CacheEntry { key: 0, result: Diagram::FALSE }; slots];
    }

    /// Returns the result of trivial cases.
    fn at_once(operation: Operation, left: Diagram, right: Diagram) -> Option<Diagram> {
        let (absorbing, neutral) = match operation {
            Operation::And => (Diagram::FALSE, Diagram::TRUE),
            Operation::Or => (Diagram::TRUE, Diagram::FALSE),
        };
        if left == absorbing || right == absorbing {
            Some(absorbing)
        } else if left == neutral || left == right {
            Some(right)
        } else if right == neutral {
            Some(left)
        } else {
            None
        }
    }

    fn apply(&mut self, operation: Operation, left: Diagram, right: Diagram) -> Diagram {
        debug_assert!(self.frames.is_empty());
        let (mut left, mut right) = (left, right);
        loop {
            if self.exhausted {
                self.frames.clear();
                return Diagram::FALSE;
            }
            let mut result = match Self::at_once(operation, left, right) {
                Some(result) => result,
                None => {
                    if left > right {
                        (left, right) = (right, left);
                    }
                    let key = u64::from(left.0) << 32
                        | u64::from(right.0)
                        | u64::from(operation == Operation::Or) << 63;
                    let known = self.known[mix(key) & (self.known.len() - 1)];
                    if known.key == key {
                        known.result
                    } else {
                        let (l, r) = (self.nodes[left.index()], self.nodes[right.index()]);
                        let variable = l.variable.min(r.variable);
                        let part = |node: Node, whole: Diagram| {
                            if node.variable == variable {
                                (node.low, node.high)
                            } else {
                                (whole, whole)
                            }
                        };
                        let ((l0, l1), (r0, r1)) = (part(l, left), part(r, right));
                        self.frames.push(Frame { key, variable, low: None, high: (l1, r1) });
                        (left, right) = (l0, r0);
                        continue;
                    }
                }
            };
            loop {
                match self.frames.last_mut() {
                    None => return result,
                    Some(frame) if frame.low.is_none() => {
                        frame.low = Some(result);
                        (left, right) = frame.high;
                        break;
                    }
                    Some(_) => {}
                }
                let Some(Frame { key, variable, low: Some(low), .. }) = self.frames.pop() else {
                    unreachable!("a frame with both branches");
                };
                result = self.node(variable, low, result);
                let place = mix(key) & (self.known.len() - 1);
                self.known[place] = CacheEntry { key, result };
            }
        }
    }

    /// Calls the function with each prime implicant of a monotone function: the minimal sets of
    /// variables that make it true. All primes of a monotone function are essential, so these are
    /// also its only irredundant sum of products.
    ///
    /// Variables are decided in sequence. For each partial choice the search stores two functions:
    /// the remaining one, and the one that would remain without some chosen variable. The second
    /// implies the first, and a prime satisfies only the first. So there is a prime below exactly
    /// if the two differ, and no branch is visited in vain.
    pub(crate) fn each_prime(&mut self, diagram: Diagram, mut found: impl FnMut(&[u32])) {
        let mut path: Vec<u32> = vec![];
        // The stack: the length of the path to keep, the variable to add, the remaining function,
        // and the one without a chosen variable.
        let mut stack = vec![(0, None, diagram, Diagram::FALSE)];
        while let Some((keep, variable, rest, mut without)) = stack.pop() {
            poll();
            if self.exhausted {
                return;
            }
            path.truncate(keep);
            path.extend(variable);
            let Node { variable, low, high } = self.nodes[rest.index()];
            while self.variable(without) < variable {
                without = self.nodes[without.index()].low;
            }
            if rest == without {
                continue;
            }
            if rest == Diagram::TRUE {
                found(&path);
                continue;
            }
            let (without_low, without_high) = match self.variable(without) == variable {
                true => self.branches(without),
                false => (without, without),
            };
            let without_high = self.or(without_high, low);
            stack.push((path.len(), Some(variable), high, without_high));
            stack.push((path.len(), None, low, without_low));
        }
    }
}
