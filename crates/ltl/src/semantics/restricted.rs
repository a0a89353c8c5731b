//! The restricted model checking algorithm: global model checking on a structure with one path.
//!
//! Tauriainen, *Automated testing of Büchi automata translators for linear temporal logic* (report
//! A66, Helsinki University of Technology, 2000), figure 5.6. A lasso word is a Kripke structure in
//! which every state has one successor. A table holds the value of each distinct subformula in each
//! state, filled bottom-up. `U` takes one pass along the word with a list of the states that still
//! wait for their right-hand side. It is deliberately simple: it is the oracle for the evaluation
//! on bit vectors, and supplies [proofs](super::proof). O(distinct subformulas × positions) time
//! and memory.

use crate::{Formula, Op, Word};
use rustc_hash::FxHashMap;

/// True if the word satisfies the formula.
///
/// ```
/// use sempre_ltl::{Word, semantics::restricted};
/// let word: Word = "a; cycle{a; b}".parse().unwrap();
/// assert!(restricted::holds(&"a U b".parse().unwrap(), &word));
/// ```
pub fn holds(formula: &Formula, word: &Word) -> bool {
    results(formula, word).value(formula, 0) == Some(true)
}

/// The values of the subformulas of a formula at the positions of a word.
#[derive(Clone, Debug)]
pub struct Results {
    /// The subformulas; each follows its own subformulas, and the formula itself is last.
    subformulas: Vec<Formula>,
    numbers: FxHashMap<Formula, usize>,
    /// By subformula, its value at each position of prefix and cycle.
    values: Vec<Vec<bool>>,
    prefix: usize,
}

impl Results {
    /// Returns the distinct subformulas; each follows its own subformulas.
    pub fn subformulas(&self) -> &[Formula] {
        &self.subformulas
    }

    /// Returns the value of a subformula at any position of the infinite word; `None` for a formula
    /// that is not a subformula.
    pub fn value(&self, subformula: &Formula, position: usize) -> Option<bool> {
        let values = self.row(subformula)?;
        let cycle = values.len() - self.prefix;
        let beyond = position.saturating_sub(self.prefix);
        Some(values[position.min(self.prefix) + beyond % cycle])
    }

    /// The values of a subformula at each position of prefix and cycle.
    pub(super) fn row(&self, subformula: &Formula) -> Option<&[bool]> {
        self.numbers.get(subformula).map(|&number| &self.values[number][..])
    }
}

/// Computes the table for every subformula and position.
pub fn results(formula: &Formula, word: &Word) -> Results {
    let mut results = Results {
        subformulas: vec![],
        numbers: FxHashMap::default(),
        values: vec![],
        prefix: word.prefix_len(),
    };
    let states = States { count: word.len(), target: word.prefix_len() };
    for subformula in formula.subformulas() {
        let operands: Vec<&[bool]> =
            subformula.children().iter().filter_map(|child| results.row(child)).collect();
        let values = match subformula.as_prop() {
            Some(prop) => word.values(prop).collect(),
            None => states.values(subformula.op(), &operands),
        };
        results.numbers.insert(subformula.clone(), results.subformulas.len());
        results.subformulas.push(subformula);
        results.values.push(values);
    }
    results
}

/// The states 0, 1, …; the successor of the last is `target`.
struct States {
    count: usize,
    target: usize,
}

impl States {
    fn successor(&self, state: usize) -> usize {
        if state + 1 == self.count { self.target } else { state + 1 }
    }

    /// The values of a formula with this operator, from those of its operands.
    fn values(&self, op: Op, operands: &[&[bool]]) -> Vec<bool> {
        let each = |value: &dyn Fn(usize) -> bool| (0..self.count).map(value).collect();
        let f = |s: usize| operands[0][s];
        let g = |s: usize| operands[1][s];
        match op {
            Op::True => each(&|_| true),
            // The values of propositions are the labels.
            Op::False | Op::Prop => each(&|_| false),
            Op::Not => each(&|s| !f(s)),
            Op::And => each(&|s| operands.iter().all(|operand| operand[s])),
            Op::Or => each(&|s| operands.iter().any(|operand| operand[s])),
            Op::Implies => each(&|s| !f(s) || g(s)),
            Op::Iff => each(&|s| f(s) == g(s)),
            Op::Xor => each(&|s| f(s) != g(s)),
            Op::Next => self.next(&|s| f(s)),
            Op::Until => self.until(f, g),
            Op::Finally => self.until(|_| true, f),
            // The others by duality: f R g is !(!f U !g), f W g is g R (f | g).
            Op::Globally => negated(self.until(|_| true, |s| !f(s))),
            Op::Release => negated(self.until(|s| !f(s), |s| !g(s))),
            Op::WeakUntil => negated(self.until(|s| !g(s), |s| !f(s) && !g(s))),
            Op::StrongRelease => self.until(g, |s| f(s) && g(s)),
            Op::StrictFinally => {
                let finally = self.until(|_| true, f);
                self.next(&|s| finally[s])
            }
            Op::StrictGlobally => {
                let violated = self.until(|_| true, |s| !f(s));
                self.next(&|s| !violated[s])
            }
        }
    }

    fn next(&self, f: &dyn Fn(usize) -> bool) -> Vec<bool> {
        (0..self.count).map(|s| f(self.successor(s))).collect()
    }

    /// One pass of exactly `count` steps; states in `marked` satisfy `f U g` if their successor
    /// does.
    fn until(&self, f: impl Fn(usize) -> bool, g: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut result = vec![false; self.count];
        let mut marked: Vec<usize> = vec![];
        let mut state = 0;
        for _ in 0..self.count {
            if g(state) {
                result[state] = true;
                for waiting in marked.drain(..) {
                    result[waiting] = true;
                }
            } else if f(state) {
                marked.push(state);
            } else {
                marked.clear();
            }
            state = self.successor(state);
        }
        // The state is the target of the loop, and has its value from this pass.
        if result[state] {
            for waiting in marked {
                result[waiting] = true;
            }
        }
        result
    }
}

fn negated(mut values: Vec<bool>) -> Vec<bool> {
    for value in &mut values {
        *value = !*value;
    }
    values
}
