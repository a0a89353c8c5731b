//! Laws as patterns: equations between formulas with metavariables, matched at a formula's root.
//!
//! A metavariable matches any formula of its kind: `f`, `g`, `h` any formula, `e` a pure
//! eventuality, `u` a pure universality, `q` a formula that is both. Inside an n-ary operator, `e`,
//! `u` and `q` match all operands of their kind together, and another unbound metavariable matches
//! all remaining ones.

use super::dual::Side;
use super::implication::Implications;
use crate::op::Arity;
use crate::{Formula, Op, Traits};

/// The maximal number of operands to search for pairs that a rule joins, which takes quadratic
/// time.
pub(super) const MAX_PAIRWISE: usize = 256;

const VARIABLES: [&str; 6] = ["f", "g", "h", "e", "u", "q"];

/// The kind of formulas that a metavariable matches.
fn kind(variable: usize) -> Traits {
    match VARIABLES[variable] {
        "e" => Traits::EVENTUAL,
        "u" => Traits::UNIVERSAL,
        "q" => Traits::EVENTUAL | Traits::UNIVERSAL,
        _ => Traits::empty(),
    }
}

type Binding = [Option<Formula>; VARIABLES.len()];

#[derive(Debug)]
enum Pattern {
    Variable(usize),
    Node(Op, Vec<Pattern>),
    /// An n-ary operator: patterns that match one operand each, and metavariables.
    Operands(Op, Vec<Pattern>, Vec<usize>),
}

impl Pattern {
    fn of(formula: &Formula) -> Pattern {
        if let Some(prop) = formula.as_prop() {
            let index = VARIABLES.iter().position(|v| *v == prop.name());
            let index = index.unwrap_or_else(|| unreachable!("{} is no metavariable", prop.name()));
            return Pattern::Variable(index);
        }
        let children: Vec<Pattern> = formula.children().iter().map(Pattern::of).collect();
        if formula.op().arity() != Arity::Nary {
            return Pattern::Node(formula.op(), children);
        }
        let (mut fixed, mut variables) = (vec![], vec![]);
        for child in children {
            match child {
                Pattern::Variable(index) => variables.push(index),
                other => fixed.push(other),
            }
        }
        // Metavariables for a kind of operands come before the one for the rest.
        variables.sort_by_key(|index| kind(*index).is_empty());
        Pattern::Operands(formula.op(), fixed, variables)
    }

    /// A fast check of the operators, before binding metavariables.
    fn fits(&self, formula: &Formula) -> bool {
        match self {
            Pattern::Variable(_) => true,
            Pattern::Operands(op, ..) => formula.op() == *op,
            Pattern::Node(op, children) => {
                formula.op() == *op
                    && (op.is_commutative()
                        || children.iter().zip(formula.children()).all(|(p, f)| p.fits(f)))
            }
        }
    }

    fn matches(&self, formula: &Formula, binding: &mut Binding) -> bool {
        if !self.fits(formula) {
            return false;
        }
        match (self, formula.children()) {
            (Pattern::Variable(index), _) => bind(*index, formula, binding),
            (Pattern::Node(op, patterns), [left, right]) if op.is_commutative() => {
                let mut attempt = binding.clone();
                if patterns[0].matches(left, &mut attempt)
                    && patterns[1].matches(right, &mut attempt)
                {
                    *binding = attempt;
                    return true;
                }
                patterns[0].matches(right, binding) && patterns[1].matches(left, binding)
            }
            (Pattern::Node(_, patterns), children) => {
                // Operands that are metavariables are bound first, for n-ary patterns in the
                // others.
                let pairs = || patterns.iter().zip(children);
                let is_variable = |p: &Pattern| matches!(p, Pattern::Variable(_));
                pairs().filter(|(p, _)| is_variable(p)).all(|(p, f)| p.matches(f, binding))
                    && pairs().filter(|(p, _)| !is_variable(p)).all(|(p, f)| p.matches(f, binding))
            }
            (Pattern::Operands(op, fixed, variables), children) => {
                children.len() <= MAX_PAIRWISE
                    && match_operands(*op, fixed, variables, children.iter().collect(), binding)
                        .is_some_and(|rest| rest.is_empty())
            }
        }
    }

    fn instantiate(&self, binding: &Binding) -> Formula {
        match self {
            Pattern::Variable(index) => binding[*index]
                .clone()
                .unwrap_or_else(|| unreachable!("{} is not bound", VARIABLES[*index])),
            Pattern::Node(op, children) => {
                Formula::new(*op, children.iter().map(|child| child.instantiate(binding)))
            }
            Pattern::Operands(op, fixed, variables) => {
                let fixed = fixed.iter().map(|child| child.instantiate(binding));
                let bound = variables.iter().map(|&i| Pattern::Variable(i).instantiate(binding));
                Formula::new(*op, fixed.chain(bound))
            }
        }
    }
}

fn bind(index: usize, formula: &Formula, binding: &mut Binding) -> bool {
    match &binding[index] {
        Some(bound) => bound == formula,
        None if formula.is(kind(index)) => {
            binding[index] = Some(formula.clone());
            true
        }
        None => false,
    }
}

/// Distributes the operands of an n-ary formula over patterns and metavariables; returns the
/// remaining operands.
fn match_operands<'f>(
    op: Op,
    fixed: &[Pattern],
    variables: &[usize],
    mut operands: Vec<&'f Formula>,
    binding: &mut Binding,
) -> Option<Vec<&'f Formula>> {
    if let Some((first, fixed)) = fixed.split_first() {
        for i in 0..operands.len() {
            let mut attempt = binding.clone();
            if first.matches(operands[i], &mut attempt) {
                let mut others = operands.clone();
                others.remove(i);
                if let Some(rest) = match_operands(op, fixed, variables, others, &mut attempt) {
                    *binding = attempt;
                    return Some(rest);
                }
            }
        }
        return None;
    }
    let (bound, free): (Vec<usize>, Vec<usize>) =
        variables.iter().partition(|index| binding[**index].is_some());
    for index in bound {
        let formula = binding[index].clone()?;
        let parts =
            if formula.op() == op { formula.children() } else { std::slice::from_ref(&formula) };
        for part in parts {
            let place = operands.iter().position(|operand| *operand == part)?;
            operands.remove(place);
        }
    }
    for index in free {
        let (taken, rest): (Vec<&Formula>, Vec<&Formula>) =
            operands.into_iter().partition(|operand| operand.is(kind(index)));
        if taken.is_empty() {
            return None;
        }
        binding[index] = Some(Formula::new(op, taken.into_iter().cloned()));
        operands = rest;
    }
    Some(operands)
}

/// An equation, used from left to right, optionally under the condition that one instance implies
/// another.
#[derive(Debug)]
pub(super) struct Equation {
    left: Pattern,
    right: Pattern,
    premise: Option<(Pattern, Pattern)>,
    root: Op,
}

impl Equation {
    pub(super) fn new(
        left: &Formula,
        right: &Formula,
        premise: Option<&(Formula, Formula)>,
    ) -> Self {
        Equation {
            left: Pattern::of(left),
            right: Pattern::of(right),
            premise: premise.map(|(l, r)| (Pattern::of(l), Pattern::of(r))),
            root: left.op(),
        }
    }

    /// The operator at the root of the left side.
    pub(super) fn root(&self) -> Op {
        self.root
    }

    /// Returns the right side if the left side matches the whole formula, or some operands of an
    /// n-ary formula; the other operands stay.
    pub(super) fn apply(
        &self,
        formula: &Formula,
        implications: &mut Implications,
    ) -> Option<Formula> {
        // This excludes most laws before binding metavariables.
        if !self.left.fits(formula) {
            return None;
        }
        let mut binding = Binding::default();
        let rest = match &self.left {
            Pattern::Operands(op, fixed, variables) => {
                let operands = formula.children();
                if operands.len() > MAX_PAIRWISE
                    || !fixed.iter().all(|p| operands.iter().any(|f| p.fits(f)))
                {
                    return None;
                }
                match_operands(*op, fixed, variables, operands.iter().collect(), &mut binding)?
            }
            other => other.matches(formula, &mut binding).then(Vec::new)?,
        };
        if let Some((if_this, then_that)) = &self.premise {
            let (if_this, then_that) =
                (if_this.instantiate(&binding), then_that.instantiate(&binding));
            if !implications.implies(&if_this, &then_that) {
                return None;
            }
        }
        let result = self.right.instantiate(&binding);
        if rest.is_empty() {
            return Some(result);
        }
        Some(Formula::new(formula.op(), rest.into_iter().cloned().chain([result])))
    }
}

/// The dual of a law's side.
pub(super) fn dual(side: &Formula) -> Formula {
    match side.as_prop().map(|p| p.name()) {
        Some("e") => Formula::prop("u"),
        Some("u") => Formula::prop("e"),
        Some(_) => side.clone(),
        None => Formula::new(Side::Dual.op(side.op()), side.children().iter().map(dual)),
    }
}
