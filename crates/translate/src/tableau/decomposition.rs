//! The obligations of each formula for the first letter and the rest of the word.
//!
//! The decomposition of a formula is a Boolean function of three kinds of variables: the
//! propositions; N(f), "f holds from the next position on"; and P(g), "g is promised", that is, g
//! will hold at some time, but not necessarily now:
//!
//! - F g = g | P(g) & N(F g), and f U g = g | f & P(g) & N(f U g);
//! - f M g = g & (f | P(f) & N(f M g)), as f is what has to come;
//! - G f = f & N(G f), f R g = g & (f | N(f R g)), and f W g = g | f & N(f W g).
//!
//! A promise concerns the operand that must eventually hold, so `a U b`, `F b` and `b M c` share
//! one. So does `c U (a U b)`: it holds only if the promise of b is kept. Functions are monotone in
//! the variables that are not propositions.

use super::closure::{Closure, Shape, Term};
use crate::diagrams::{Diagram, Diagrams};
use rustc_hash::FxHashMap;

/// The meaning of a variable that is not a proposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// The term holds from the next position on.
    Next(Term),
    /// The promise with this number is made.
    Promise(u32),
}

pub(super) struct Decomposition {
    pub(super) closure: Closure,
    pub(super) diagrams: Diagrams,
    /// By term; only for those that are needed.
    of_term: Vec<Option<Diagram>>,
    /// The variables after the propositions.
    variables: Vec<Variable>,
    next: FxHashMap<Term, Diagram>,
    /// The variable for the next position of the first term with this decomposition.
    next_of: FxHashMap<Diagram, Diagram>,
    promises: FxHashMap<Term, Diagram>,
    disjoint: bool,
}

impl Decomposition {
    /// Decomposes the root of the closure and its successors; if `disjoint`, alternatives exclude
    /// each other: `f U g` is g | !g & f & …. `None` if that takes more than `most` nodes of
    /// diagrams.
    pub(super) fn new(closure: Closure, disjoint: bool, most: Option<usize>) -> Option<Self> {
        let mut decomposition = Decomposition {
            of_term: vec![None; closure.len()],
            closure,
            diagrams: most.map_or_else(Diagrams::new, Diagrams::with_limit),
            variables: vec![],
            next: FxHashMap::default(),
            next_of: FxHashMap::default(),
            promises: FxHashMap::default(),
            disjoint,
        };
        let needed = decomposition.needed();
        for term in decomposition.closure.terms() {
            if needed[term.index()] {
                let diagram = decomposition.decompose(term);
                decomposition.of_term[term.index()] = Some(diagram);
            }
            if decomposition.diagrams.is_exhausted() {
                return None;
            }
        }
        Some(decomposition)
    }

    /// Returns the terms that the root leads to.
    fn needed(&self) -> Vec<bool> {
        let closure = &self.closure;
        let mut needed = vec![false; closure.len()];
        needed[closure.root().index()] = true;
        // A term comes after its operands, but beside its negation.
        for term in closure.terms().rev() {
            if !needed[term.index()] {
                continue;
            }
            let arity = closure.arity(term);
            for place in 0..arity {
                let operand = closure.operand(term, place);
                needed[operand.index()] = true;
                let negation = match closure.shape(term) {
                    Shape::Iff => true,
                    Shape::Or => self.disjoint && place + 1 < arity,
                    Shape::Finally => self.disjoint,
                    Shape::Until | Shape::WeakUntil => self.disjoint && place == 1,
                    Shape::Release | Shape::StrongRelease => self.disjoint && place == 0,
                    _ => false,
                };
                if negation {
                    needed[(!operand).index()] = true;
                }
            }
        }
        needed
    }

    /// The number of promises.
    pub(super) fn promise_count(&self) -> u32 {
        self.promises.len() as u32
    }

    /// Returns the meaning of a variable, unless it is a proposition.
    pub(super) fn variable(&self, variable: u32) -> Option<Variable> {
        let place = (variable as usize).checked_sub(self.closure.props().len())?;
        Some(self.variables[place])
    }

    /// Returns the decomposition of a term that the root leads to.
    pub(super) fn of(&self, term: Term) -> Diagram {
        self.of_term[term.index()].unwrap_or_else(|| unreachable!("the root leads to the term"))
    }

    fn new_variable(&mut self, variable: Variable) -> Diagram {
        let number = self.closure.props().len() + self.variables.len();
        self.variables.push(variable);
        self.diagrams.literal(number as u32, true)
    }

    /// Returns the promise for a term: that of the operand that must eventually hold.
    fn promise(&mut self, mut term: Term) -> Diagram {
        loop {
            term = match self.closure.shape(term) {
                Shape::Finally => self.closure.operand(term, 0),
                Shape::Until => self.closure.operand(term, 1),
                _ => break,
            };
        }
        if let Some(&promise) = self.promises.get(&term) {
            return promise;
        }
        let promise = self.new_variable(Variable::Promise(self.promises.len() as u32));
        self.promises.insert(term, promise);
        promise
    }

    /// Returns "the term holds from the next position on", for a term that is being decomposed.
    fn next(&mut self, term: Term) -> Diagram {
        let next = self.new_variable(Variable::Next(term));
        self.next.insert(term, next);
        next
    }

    /// Returns "the term holds from the next position on", for a decomposed term.
    fn next_of_decomposed(&mut self, term: Term) -> Diagram {
        let diagram = self.of(term);
        if diagram.is_constant() {
            return diagram;
        }
        if let Some(&next) = self.next.get(&term).or_else(|| self.next_of.get(&diagram)) {
            return next;
        }
        if self.closure.shape(term) == Shape::And {
            let mut sum = Diagram::TRUE;
            for place in 0..self.closure.arity(term) {
                let next = self.next_of_decomposed(self.closure.operand(term, place));
                sum = self.diagrams.and(sum, next);
            }
            return sum;
        }
        let next = self.next(term);
        self.next_of.insert(diagram, next);
        next
    }

    fn decompose(&mut self, term: Term) -> Diagram {
        let operand = |this: &Self, place| this.closure.operand(term, place);
        let of = |this: &Self, place| this.of(operand(this, place));
        // The negation of the other alternative, if alternatives exclude each other.
        let otherwise = |this: &Self, place| match this.disjoint {
            true => this.of(!operand(this, place)),
            false => Diagram::TRUE,
        };
        match self.closure.shape(term) {
            Shape::Constant(true) => Diagram::TRUE,
            Shape::Constant(false) => Diagram::FALSE,
            Shape::Literal(prop, positive) => self.diagrams.literal(prop as u32, positive),
            Shape::And => (0..self.closure.arity(term)).fold(Diagram::TRUE, |all, place| {
                let operand = of(self, place);
                self.diagrams.and(all, operand)
            }),
            Shape::Or => {
                let arity = self.closure.arity(term);
                let (mut any, mut none) = (Diagram::FALSE, Diagram::TRUE);
                for place in 0..arity {
                    let operand = of(self, place);
                    let operand = self.diagrams.and(none, operand);
                    any = self.diagrams.or(any, operand);
                    if place + 1 < arity {
                        let otherwise = otherwise(self, place);
                        none = self.diagrams.and(none, otherwise);
                    }
                }
                any
            }
            Shape::Iff => {
                let (left, right) = (operand(self, 0), operand(self, 1));
                let both = self.diagrams.and(self.of(left), self.of(right));
                let none = self.diagrams.and(self.of(!left), self.of(!right));
                self.diagrams.or(both, none)
            }
            Shape::Next => self.next_of_decomposed(operand(self, 0)),
            Shape::Finally => {
                let promise = self.promise(operand(self, 0));
                let later = self.later(term, otherwise(self, 0), promise);
                self.diagrams.or(of(self, 0), later)
            }
            Shape::Globally => {
                let next = self.next(term);
                self.diagrams.and(of(self, 0), next)
            }
            Shape::Until => {
                let promise = self.promise(operand(self, 1));
                let later = self.later(term, otherwise(self, 1), promise);
                let later = self.diagrams.and(of(self, 0), later);
                self.diagrams.or(of(self, 1), later)
            }
            Shape::WeakUntil => {
                let later = self.later(term, otherwise(self, 1), Diagram::TRUE);
                let later = self.diagrams.and(of(self, 0), later);
                self.diagrams.or(of(self, 1), later)
            }
            Shape::Release => {
                let later = self.later(term, otherwise(self, 0), Diagram::TRUE);
                let either = self.diagrams.or(of(self, 0), later);
                self.diagrams.and(of(self, 1), either)
            }
            Shape::StrongRelease => {
                let promise = self.promise(operand(self, 0));
                let later = self.later(term, otherwise(self, 0), promise);
                let either = self.diagrams.or(of(self, 0), later);
                self.diagrams.and(of(self, 1), either)
            }
        }
    }

    /// Returns the alternative that the term itself holds at the next position.
    fn later(&mut self, term: Term, otherwise: Diagram, promise: Diagram) -> Diagram {
        let next = self.next(term);
        let next = self.diagrams.and(next, promise);
        self.diagrams.and(next, otherwise)
    }
}
