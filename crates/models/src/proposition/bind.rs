//! From syntax trees to expressions over packed states: names, types, sums.

use super::linear::Linear;
use super::quotes::{near, quoted, written, written_value};
use super::syntax::{Comparison, Factor, Kind, Term};
use crate::expression::{Binary, DEEPEST, Expr};
use crate::nearest::nearest;
use crate::system::{Actions, Meaning, Scope};
use sempre_ltl::Error;
use std::ops::Range;

/// The beginnings of messages about names that are not known.
const UNKNOWN: [&str; 2] = ["the model has nothing named", "the model has no action named"];

/// True if the error says that the model does not have a name.
pub fn is_about_names(error: &Error) -> bool {
    UNKNOWN.iter().any(|beginning| error.message().starts_with(beginning))
        || error.message().contains(" has no value `")
}

/// The actions that a proposition about steps is about; nothing if it is about states.
pub(super) fn event(scope: &dyn Scope, term: &Term) -> Result<Option<Vec<Actions>>, Error> {
    let Kind::Fired(actions) = &term.kind else { return Ok(None) };
    let find = |(name, span): &(String, Range<usize>)| {
        scope.fired(name).ok_or_else(|| no_action(scope, name, span))
    };
    actions.iter().map(find).collect::<Result<_, _>>().map(Some)
}

fn no_action(scope: &dyn Scope, name: &str, span: &Range<usize>) -> Error {
    let error = Error::at(span.clone(), format!("{} `{name}`", UNKNOWN[1]));
    match near(name, &scope.action_names(), quoted) {
        Some(names) => error.expected(names),
        None => error,
    }
}

/// The expression of a proposition, if states are deadlocks or not, as `deadlock` says.
pub(super) fn proposition(scope: &dyn Scope, term: &Term, deadlock: bool) -> Result<Expr, Error> {
    let binder = Binder { scope, deadlock };
    Ok(binder.truth(term)?.expression())
}

struct Binder<'a> {
    scope: &'a dyn Scope,
    deadlock: bool,
}

/// The possible values of an expression, by its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Number,
    Truth,
    /// A name: the count of tokens on a place is also true if it is not 0.
    Either,
    /// A number that stands for a name.
    Named,
}

/// An expression under construction.
struct Bound {
    value: Value,
    of: Type,
    depth: usize,
}

enum Value {
    Linear(Linear),
    Other(Expr),
}

/// The index of an element.
enum Index {
    Known(usize),
    /// With how deep it nests.
    Computed(Box<Expr>, usize),
}

impl Bound {
    fn new(value: Expr, of: Type, depth: usize) -> Self {
        let value = match value {
            Expr::Constant(constant) => Value::Linear(Linear { constant, terms: Vec::new() }),
            Expr::Value(field) => Value::Linear(Linear { constant: 0, terms: vec![(1, field)] }),
            Expr::Sum(constant, terms) => {
                Value::Linear(Linear { constant, terms: terms.into_vec() })
            }
            other => Value::Other(other),
        };
        Bound { value, of, depth }
    }

    fn constant(number: i64, of: Type) -> Self {
        Bound::new(Expr::Constant(number), of, 1)
    }

    fn expression(self) -> Expr {
        match self.value {
            Value::Linear(linear) => linear.expression(),
            Value::Other(expression) => expression,
        }
    }

    /// The number, if it is always the same.
    fn known(&self) -> Option<i64> {
        match &self.value {
            Value::Linear(Linear { constant, terms }) if terms.is_empty() => Some(*constant),
            _ => None,
        }
    }
}

impl Binder<'_> {
    fn bind(&self, term: &Term) -> Result<Bound, Error> {
        let bound = match &term.kind {
            Kind::Number(number) => Bound::constant(*number, Type::Number),
            Kind::Truth(truth) => Bound::constant(i64::from(*truth), Type::Truth),
            Kind::Deadlock => Bound::constant(i64::from(self.deadlock), Type::Truth),
            Kind::Name(name) => self.name(name, &term.span)?,
            Kind::Element(name, index) => self.element(name, index, &term.span)?,
            Kind::Fireable(actions) => self.fireable(actions)?,
            Kind::Fired(_) => {
                return Err(Error::at(
                    term.span.clone(),
                    "`fired` is about steps, not about states",
                )
                .expected("it as a proposition of its own in a formula"));
            }
            Kind::Parity(terms) => {
                let (mut value, mut depth) = self.as_bit(&terms[0])?;
                for term in &terms[1..] {
                    let (other, other_depth) = self.as_bit(term)?;
                    value = Expr::binary(Binary::NotEqual, value, other);
                    depth = depth.max(other_depth) + 1;
                    if depth > DEEPEST {
                        break;
                    }
                }
                Bound::new(value, Type::Truth, depth)
            }
            Kind::Iff(left, right) => {
                let ((left, depth), (right, other)) = (self.as_bit(left)?, self.as_bit(right)?);
                let value = Expr::binary(Binary::Equal, left, right);
                Bound::new(value, Type::Truth, depth.max(other) + 1)
            }
            Kind::Negative(operand) => self.sum(std::iter::once((true, &**operand)))?,
            Kind::Not(operand) => {
                let operand = self.truth(operand)?;
                let depth = operand.depth + 1;
                Bound::new(Expr::Not(Box::new(operand.expression())), Type::Truth, depth)
            }
            Kind::Sum(terms) => self.sum(terms.iter().map(|(minus, term)| (*minus, term)))?,
            Kind::Product(first, others) => self.product(first, others)?,
            Kind::Compare(comparison, left, right) => self.compare(*comparison, left, right)?,
            Kind::All(terms) => self.list(terms, Expr::All)?,
            Kind::Any(terms) => self.list(terms, Expr::Any)?,
            Kind::Implies(terms) => {
                let (last, conditions) = terms.split_last().expect("an implication has operands");
                let mut depth = 0;
                let mut any = Vec::with_capacity(terms.len());
                for condition in conditions {
                    let condition = self.truth(condition)?;
                    depth = depth.max(condition.depth + 1);
                    any.push(Expr::Not(Box::new(condition.expression())));
                }
                let last = self.truth(last)?;
                depth = depth.max(last.depth);
                any.push(last.expression());
                Bound::new(Expr::Any(any.into()), Type::Truth, depth + 1)
            }
        };
        if bound.depth > DEEPEST {
            return Err(Error::at(
                term.span.clone(),
                format!("the expression nests more than {DEEPEST} operators deep"),
            ));
        }
        Ok(bound)
    }

    /// A part that is to be a truth value, as 0 or 1, and how deep it nests.
    fn as_bit(&self, term: &Term) -> Result<(Expr, usize), Error> {
        let bound = self.truth(term)?;
        let (of, depth) = (bound.of, bound.depth);
        let value = bound.expression();
        Ok(match of {
            Type::Truth => (value, depth),
            _ => (Expr::binary(Binary::NotEqual, value, Expr::Constant(0)), depth + 1),
        })
    }

    /// The error of a name that stands for a name where something else is due.
    fn only_compared(&self, term: &Term) -> Error {
        let Kind::Name(name) = &term.kind else {
            return Error::at(term.span.clone(), "this is a name").expected("a comparison");
        };
        let error = Error::at(term.span.clone(), format!("`{name}` has names as values"));
        match self.scope.constants(name).first() {
            Some(value) => {
                let (name, value) = (written(name), written_value(value));
                error.expected(format!("a comparison, as in `{name} = {value}`"))
            }
            None => error.expected("a comparison"),
        }
    }

    /// A part that is to be a truth value.
    fn truth(&self, term: &Term) -> Result<Bound, Error> {
        let bound = self.bind(term)?;
        match bound.of {
            Type::Named => Err(self.only_compared(term)),
            Type::Number => Err(Error::at(term.span.clone(), "this is a number")
                .expected("a truth value, such as a comparison")),
            _ => Ok(bound),
        }
    }

    /// Binds a part that must be a number.
    fn number(&self, term: &Term) -> Result<Bound, Error> {
        let bound = self.bind(term)?;
        match bound.of {
            Type::Named => Err(self.only_compared(term)),
            Type::Truth => {
                Err(Error::at(term.span.clone(), "this is a truth value").expected("a number"))
            }
            _ => Ok(bound),
        }
    }

    fn resolve(&self, name: &str, span: &Range<usize>) -> Result<Meaning, Error> {
        // `P@s` is how Spin writes that P is in s.
        let located = || name.contains('@').then(|| name.replacen('@', ".", 1));
        let found = self.scope.resolve(name);
        found.or_else(|| self.scope.resolve(&located()?)).ok_or_else(|| {
            let error = Error::at(span.clone(), format!("{} `{name}`", UNKNOWN[0]));
            let name = located().unwrap_or_else(|| name.to_owned());
            match near(&name, &self.scope.value_names(), written) {
                Some(names) => error.expected(names),
                None if !nearest(&name, ["deadlock"]).is_empty() => error.expected("`deadlock`"),
                None if self.scope.action_names().contains(&name) => {
                    let name = quoted(&name);
                    error.expected(format!("`fireable({name})` or `fired({name})` for an action"))
                }
                None => error,
            }
        })
    }

    fn name(&self, name: &str, span: &Range<usize>) -> Result<Bound, Error> {
        match self.resolve(name, span)? {
            Meaning::Value(value) => {
                let depth = depth(&value);
                Ok(Bound::new(value, Type::Either, depth))
            }
            Meaning::Named(value) => {
                let depth = depth(&value);
                Ok(Bound::new(value, Type::Named, depth))
            }
            Meaning::Array(_) | Meaning::Table(_) => {
                Err(Error::at(span.clone(), format!("`{name}` is an array"))
                    .expected(format!("an element, as in `{}[0]`", written(name))))
            }
        }
    }

    fn element(&self, name: &str, index: &Term, span: &Range<usize>) -> Result<Bound, Error> {
        let head = span.start..index.span.start.saturating_sub(1).max(span.start);
        let element = match self.resolve(name, &head)? {
            Meaning::Array(array) => match self.index(name, index, array.len())? {
                Index::Known(index) => (Expr::Value(array.element(index)), 1),
                Index::Computed(index, depth) => (Expr::Element(array, index), depth + 1),
            },
            Meaning::Table(numbers) => match self.index(name, index, numbers.len())? {
                Index::Known(index) => (Expr::Constant(numbers[index]), 1),
                Index::Computed(index, depth) => (Expr::Lookup(numbers, index), depth + 1),
            },
            Meaning::Value(_) | Meaning::Named(_) => {
                return Err(Error::at(head, format!("`{name}` is not an array")));
            }
        };
        Ok(Bound::new(element.0, Type::Either, element.1))
    }

    /// The index of an element of the array, which has that many.
    fn index(&self, name: &str, index: &Term, length: usize) -> Result<Index, Error> {
        let bound = self.number(index)?;
        let Some(known) = bound.known() else {
            let depth = bound.depth;
            return Ok(Index::Computed(Box::new(bound.expression()), depth));
        };
        let inside = usize::try_from(known).ok().filter(|index| *index < length);
        inside.map(Index::Known).ok_or_else(|| {
            let message = format!("`{name}` has no element {known}");
            let expectation = format!("an index from 0 to {}", length - 1);
            Error::at(index.span.clone(), message).expected(expectation)
        })
    }

    fn fireable(&self, actions: &[(String, Range<usize>)]) -> Result<Bound, Error> {
        let mut any = Vec::with_capacity(actions.len());
        for (name, span) in actions {
            let fireable = self.scope.fireable(name);
            any.push(fireable.ok_or_else(|| no_action(self.scope, name, span))?);
        }
        let depth = any.iter().map(depth).max().unwrap_or(0) + 1;
        let value = match any.len() {
            1 => any.remove(0),
            _ => Expr::Any(any.into()),
        };
        Ok(Bound { value: Value::Other(value), of: Type::Truth, depth })
    }

    fn list(&self, terms: &[Term], kind: fn(Box<[Expr]>) -> Expr) -> Result<Bound, Error> {
        let mut depth = 0;
        let mut operands = Vec::with_capacity(terms.len());
        for term in terms {
            let operand = self.truth(term)?;
            depth = depth.max(operand.depth);
            operands.push(operand.expression());
        }
        Ok(Bound::new(kind(operands.into()), Type::Truth, depth + 1))
    }

    /// Everything linear in one sum, and the rest added to it.
    fn sum<'t>(&self, terms: impl Iterator<Item = (bool, &'t Term)>) -> Result<Bound, Error> {
        let mut linear = Linear::default();
        let mut added = Vec::new();
        let mut subtracted = Vec::new();
        for (minus, term) in terms {
            let Bound { value, depth, .. } = self.number(term)?;
            match value {
                Value::Linear(other) => {
                    linear.add(if minus { -1 } else { 1 }, other).ok_or_else(|| too_large(term))?
                }
                Value::Other(other) if minus => subtracted.push((other, depth)),
                Value::Other(other) => added.push((other, depth)),
            }
        }
        if added.is_empty() && subtracted.is_empty() {
            return Ok(Bound { value: Value::Linear(linear), of: Type::Number, depth: 1 });
        }
        let linear = linear.expression();
        if linear != Expr::Constant(0) || added.is_empty() {
            added.push((linear, 1));
        }
        let (mut value, mut depth) = balanced(Binary::Add, added);
        if !subtracted.is_empty() {
            let (minus, minus_depth) = balanced(Binary::Add, subtracted);
            value = Expr::binary(Binary::Subtract, value, minus);
            depth = depth.max(minus_depth) + 1;
        }
        Ok(Bound::new(value, Type::Number, depth))
    }

    fn product(&self, first: &Term, others: &[(Factor, Term)]) -> Result<Bound, Error> {
        let mut product = self.number(first)?;
        for (factor, term) in others {
            let other = self.number(term)?;
            let depth = product.depth.max(other.depth) + 1;
            let (known, other_known) = (product.known(), other.known());
            let op = match factor {
                Factor::Times => Binary::Multiply,
                Factor::Over => Binary::Divide,
                Factor::Modulo => Binary::Remainder,
            };
            if op != Binary::Multiply && other_known == Some(0) {
                return Err(Error::at(term.span.clone(), "this divides by zero"));
            }
            product = match (op, known, other_known, product.value, other.value) {
                (Binary::Divide, Some(a), Some(b), ..) => {
                    let quotient = a.checked_div(b).ok_or_else(|| too_large(term))?;
                    Bound::constant(quotient, Type::Number)
                }
                (Binary::Remainder, Some(a), Some(b), ..) => {
                    Bound::constant(a.wrapping_rem(b), Type::Number)
                }
                (Binary::Multiply, Some(number), _, _, Value::Linear(scaled))
                | (Binary::Multiply, _, Some(number), Value::Linear(scaled), _) => {
                    let mut linear = Linear::default();
                    linear.add(number, scaled).ok_or_else(|| too_large(term))?;
                    Bound { value: Value::Linear(linear), of: Type::Number, depth: 1 }
                }
                (_, _, _, left, right) => {
                    let expression = |value| Bound { value, of: Type::Number, depth }.expression();
                    let value = Expr::binary(op, expression(left), expression(right));
                    Bound::new(value, Type::Number, depth)
                }
            };
            // Looked at here as well: a long chain would make the expression as deep as it is long.
            if product.depth > DEEPEST {
                break;
            }
        }
        product.of = Type::Number;
        Ok(product)
    }

    /// A side of an equation. It may be a value that has a meaning only beside the other side.
    fn side(&self, term: &Term, other: &Term) -> Result<Bound, Error> {
        let Kind::Name(name) = &other.kind else { return self.bind(term) };
        let value = match &term.kind {
            Kind::Name(value) => value.as_str(),
            Kind::Truth(true) => "true",
            Kind::Truth(false) => "false",
            Kind::Number(number) => &number.to_string(),
            _ => return self.bind(term),
        };
        let is_named = matches!(self.scope.resolve(name), Some(Meaning::Named(_)));
        // Where numbers are numbers, they are not also names.
        let is_number = matches!(term.kind, Kind::Number(_)) && !is_named;
        if let Some(number) = self.scope.constant(name, value).filter(|_| !is_number) {
            let of = if is_named { Type::Named } else { Type::Number };
            return Ok(Bound::constant(number, of));
        }
        let values = self.scope.constants(name);
        match &term.kind {
            Kind::Name(_) | Kind::Number(_)
                if !values.is_empty()
                    && !is_number
                    && (is_named || self.scope.resolve(value).is_none()) =>
            {
                let message = format!("`{name}` has no value `{value}`");
                let error = Error::at(term.span.clone(), message);
                Err(match near(value, &values, written_value) {
                    Some(values) => error.expected(values),
                    None => error,
                })
            }
            _ => self.bind(term),
        }
    }

    fn compare(&self, comparison: Comparison, left: &Term, right: &Term) -> Result<Bound, Error> {
        let is_order = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let (a, b) = match is_order {
            true => (self.number(left)?, self.number(right)?),
            false => (self.side(left, right)?, self.side(right, left)?),
        };
        match (a.of == Type::Named, b.of == Type::Named) {
            (true, true) if a.known().is_some() || b.known().is_some() => {}
            (true, _) => return Err(self.only_compared(left)),
            (_, true) => return Err(self.only_compared(right)),
            (false, false) => {}
        }
        if (a.of, b.of) == (Type::Truth, Type::Number) {
            return Err(Error::at(right.span.clone(), "this is a number").expected("a truth value"));
        }
        if (a.of, b.of) == (Type::Number, Type::Truth) {
            return Err(Error::at(left.span.clone(), "this is a number").expected("a truth value"));
        }
        let depth = a.depth.max(b.depth) + 1;
        // A count of tokens that is compared with a truth value counts as one.
        let as_truth = a.of == Type::Truth || b.of == Type::Truth;
        let side = |bound: Bound| match (as_truth, bound.of) {
            (true, Type::Either) => {
                Expr::binary(Binary::NotEqual, bound.expression(), Expr::Constant(0))
            }
            _ => bound.expression(),
        };
        let depth = depth + usize::from(as_truth);
        let (a, b) = (side(a), side(b));
        let value = match comparison {
            Comparison::Less => Expr::binary(Binary::Less, a, b),
            Comparison::LessOrEqual => Expr::binary(Binary::LessOrEqual, a, b),
            Comparison::Greater => Expr::binary(Binary::Less, b, a),
            Comparison::GreaterOrEqual => Expr::binary(Binary::LessOrEqual, b, a),
            Comparison::Equal => Expr::binary(Binary::Equal, a, b),
            Comparison::NotEqual => Expr::binary(Binary::NotEqual, a, b),
        };
        Ok(Bound::new(value, Type::Truth, depth))
    }
}

/// The error of a number that needs more than 64 bits.
fn too_large(term: &Term) -> Error {
    Error::at(term.span.clone(), "this makes the number too large").expected("one of 64 bits")
}

/// The operands under an associative operator, as a tree of logarithmic depth.
fn balanced(op: Binary, mut operands: Vec<(Expr, usize)>) -> (Expr, usize) {
    while operands.len() > 1 {
        let mut pairs = Vec::with_capacity(operands.len().div_ceil(2));
        let mut rest = operands.into_iter();
        while let Some((left, depth)) = rest.next() {
            pairs.push(match rest.next() {
                Some((right, other)) => (Expr::binary(op, left, right), depth.max(other) + 1),
                None => (left, depth),
            });
        }
        operands = pairs;
    }
    operands.pop().expect("at least one operand")
}

/// How deep an expression nests.
fn depth(expression: &Expr) -> usize {
    match expression {
        Expr::Constant(_) | Expr::Value(_) | Expr::Table(..) | Expr::Sum(..) => 1,
        Expr::Element(_, operand)
        | Expr::Lookup(_, operand)
        | Expr::Not(operand)
        | Expr::Complement(operand) => depth(operand) + 1,
        Expr::Binary(_, left, right) => depth(left).max(depth(right)) + 1,
        Expr::All(operands) | Expr::Any(operands) => {
            operands.iter().map(depth).max().unwrap_or(0) + 1
        }
    }
}
