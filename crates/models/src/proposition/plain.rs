//! Propositions evaluated by the letter: their syntax trees are walked over plain states.

use super::syntax::{self, Comparison, Factor, Kind, Term};
use crate::expression::Binary;
use crate::plain::{Meaning, NamedSteps, Plain, Step, Undefined};
use rustc_hash::FxHashMap;
use sempre_ltl::Error;

/// Propositions about the states of a plain model.
pub struct PlainPropositions<'a> {
    plain: &'a dyn Plain,
    pub(super) terms: Vec<Term>,
    pub(super) meanings: FxHashMap<String, Meaning>,
    pub(super) steps: FxHashMap<String, NamedSteps<'a>>,
}

/// A number, and its type by the form of the expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Number(i64),
    Truth(bool),
    /// The value of a name, which is also true if it is not 0.
    Either(i64),
}

impl Value {
    fn number(self) -> i64 {
        match self {
            Value::Number(number) | Value::Either(number) => number,
            Value::Truth(truth) => i64::from(truth),
        }
    }

    fn truth(self) -> bool {
        self.number() != 0
    }
}

/// A state, with the steps that leave it.
#[derive(Clone, Copy)]
struct Place<'s> {
    state: &'s [i64],
    steps: &'s [Step],
}

impl<'a> PlainPropositions<'a> {
    /// Reads propositions; the i-th is bit i of [`holding`](Self::holding).
    ///
    /// # Errors
    /// If a text is no proposition, is about steps, uses a name that the model does not have, or
    /// there are more than 64.
    pub fn new<'t>(
        plain: &'a dyn Plain,
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Result<Self, Error> {
        let (meanings, steps) = (FxHashMap::default(), FxHashMap::default());
        let mut all = PlainPropositions { plain, terms: Vec::new(), meanings, steps };
        for text in texts {
            let is_name = |name: &str| plain.meaning(name).is_some();
            let mut term = syntax::parse_or_name(text, is_name)?;
            term.name_elements(&is_name);
            all.resolve(&term)?;
            all.terms.push(term);
        }
        if all.terms.len() > super::MOST {
            return Err(Error::new(format!("there are more than {} propositions", super::MOST)));
        }
        Ok(all)
    }

    /// Looks all names of a term up. Recurses as deep as the term nests, which the reader limits.
    fn resolve(&mut self, term: &Term) -> Result<(), Error> {
        match &term.kind {
            Kind::Number(_) | Kind::Truth(_) | Kind::Deadlock => {}
            Kind::Name(name) => {
                let meaning = self.meaning(name).ok_or_else(|| unknown(name))?;
                if matches!(meaning, Meaning::Named(_)) {
                    return Err(Error::new(format!("`{name}` has names as values")));
                }
                self.meanings.insert(name.clone(), meaning);
            }
            Kind::Element(name, index) => {
                let meaning = self.meaning(name).ok_or_else(|| unknown(name))?;
                self.meanings.insert(name.clone(), meaning);
                self.resolve(index)?;
            }
            Kind::Fireable(names) => {
                for (name, _) in names {
                    let plain: &'a dyn Plain = self.plain;
                    let steps = plain.steps(name).ok_or_else(|| unknown(name))?;
                    self.steps.insert(name.clone(), steps);
                }
            }
            Kind::Fired(_) => return Err(Error::new("`fired` is about steps, not about states")),
            Kind::Compare(_, left, right) => {
                // The name of a value has a meaning only beside the other side.
                for (term, other) in [(left, right), (right, left)] {
                    match (&term.kind, self.named_value(other, term)) {
                        (Kind::Name(name), Some(_)) => {
                            let meaning = self.meaning(name).ok_or_else(|| unknown(name))?;
                            self.meanings.insert(name.clone(), meaning);
                        }
                        _ if self.named_value(term, other).is_some() => {}
                        _ => self.resolve(term)?,
                    }
                }
            }
            Kind::Negative(operand) | Kind::Not(operand) => self.resolve(operand)?,
            Kind::Sum(terms) => {
                for (_, term) in terms {
                    self.resolve(term)?;
                }
            }
            Kind::Product(first, others) => {
                self.resolve(first)?;
                for (_, term) in others {
                    self.resolve(term)?;
                }
            }
            Kind::All(terms) | Kind::Any(terms) | Kind::Implies(terms) | Kind::Parity(terms) => {
                for term in terms {
                    self.resolve(term)?;
                }
            }
            Kind::Iff(left, right) => {
                self.resolve(left)?;
                self.resolve(right)?;
            }
        }
        Ok(())
    }

    /// The meaning of a name; `P@s` is `P.s`.
    fn meaning(&self, name: &str) -> Option<Meaning> {
        self.plain.meaning(name).or_else(|| {
            name.contains('@').then(|| self.plain.meaning(&name.replacen('@', ".", 1))).flatten()
        })
    }

    /// The number of a value that has a name, beside the name that it is compared with.
    fn named_value(&self, term: &Term, other: &Term) -> Option<i64> {
        let Kind::Name(name) = &other.kind else { return None };
        let is_named = matches!(self.plain.meaning(name), Some(Meaning::Named(_)));
        match &term.kind {
            Kind::Name(value) => self.plain.constant(name, value),
            Kind::Truth(truth) => self.plain.constant(name, &truth.to_string()),
            // Where numbers are numbers, they are not also names.
            Kind::Number(number) if is_named => self.plain.constant(name, &number.to_string()),
            _ => None,
        }
    }

    /// Returns the propositions that hold in a state that these steps leave: bit i is that of the
    /// i-th.
    ///
    /// # Errors
    /// If a proposition has no value in the state.
    pub fn holding(&self, state: &[i64], steps: &[Step]) -> Result<u64, Undefined> {
        let mut valuation = 0;
        for (number, term) in self.terms.iter().enumerate() {
            let value = self.value(term, Place { state, steps })?;
            valuation |= u64::from(value.truth()) << number;
        }
        Ok(valuation)
    }

    fn value(&self, term: &Term, place: Place<'_>) -> Result<Value, Undefined> {
        let truth = |term: &Term| Ok::<bool, Undefined>(self.value(term, place)?.truth());
        let number = |term: &Term| Ok::<i64, Undefined>(self.value(term, place)?.number());
        Ok(match &term.kind {
            Kind::Number(number) => Value::Number(*number),
            Kind::Truth(truth) => Value::Truth(*truth),
            Kind::Deadlock => Value::Truth(place.steps.is_empty()),
            Kind::Name(name) => self.name(name, place.state)?,
            Kind::Element(name, index) => {
                Value::Either(self.element(name, number(index)?, place.state)?)
            }
            Kind::Fireable(names) => {
                let is_named = |step: &Step| names.iter().any(|(name, _)| self.steps[name](step));
                Value::Truth(place.steps.iter().any(is_named))
            }
            Kind::Fired(_) => return Err(Undefined("`fired` is about steps".to_owned())),
            Kind::Negative(operand) => Value::Number(apply(Binary::Subtract, 0, number(operand)?)?),
            Kind::Not(operand) => Value::Truth(!truth(operand)?),
            Kind::Sum(terms) => {
                let mut sum = 0;
                for (minus, term) in terms {
                    let op = if *minus { Binary::Subtract } else { Binary::Add };
                    sum = apply(op, sum, number(term)?)?;
                }
                Value::Number(sum)
            }
            Kind::Product(first, others) => {
                let mut product = number(first)?;
                for (factor, term) in others {
                    let op = match factor {
                        Factor::Times => Binary::Multiply,
                        Factor::Over => Binary::Divide,
                        Factor::Modulo => Binary::Remainder,
                    };
                    product = apply(op, product, number(term)?)?;
                }
                Value::Number(product)
            }
            Kind::Compare(comparison, left, right) => {
                Value::Truth(self.compare(*comparison, left, right, place)?)
            }
            Kind::All(terms) => {
                for term in terms {
                    if !truth(term)? {
                        return Ok(Value::Truth(false));
                    }
                }
                Value::Truth(true)
            }
            Kind::Any(terms) => {
                for term in terms {
                    if truth(term)? {
                        return Ok(Value::Truth(true));
                    }
                }
                Value::Truth(false)
            }
            Kind::Implies(terms) => {
                let last = terms.len() - 1;
                for (number, term) in terms.iter().enumerate() {
                    if truth(term)? == (number == last) {
                        return Ok(Value::Truth(true));
                    }
                }
                Value::Truth(false)
            }
            Kind::Parity(terms) => {
                let mut odd = false;
                for term in terms {
                    odd ^= truth(term)?;
                }
                Value::Truth(odd)
            }
            Kind::Iff(left, right) => Value::Truth(truth(left)? == truth(right)?),
        })
    }

    fn name(&self, name: &str, state: &[i64]) -> Result<Value, Undefined> {
        let meaning = self.meanings.get(name);
        // Names of values have a meaning on one side of an equation only.
        let meaning = meaning.ok_or_else(|| Undefined(format!("`{name}` is no number")))?;
        let number = match meaning {
            Meaning::Sum(variables) => {
                let mut sum = 0;
                for variable in variables {
                    sum = apply(Binary::Add, sum, state[*variable])?;
                }
                sum
            }
            Meaning::Named(variable) => state[*variable],
            Meaning::Equal(variable, value) => i64::from(state[*variable] == *value),
            Meaning::Constant(number) => *number,
            Meaning::Function(variables, entries) => {
                let values: Vec<i64> = variables.iter().map(|variable| state[*variable]).collect();
                entries.get(&values).copied().unwrap_or(0)
            }
            Meaning::Array(..) | Meaning::Table(_) => {
                return Err(Undefined(format!("`{name}` is an array")));
            }
        };
        Ok(Value::Either(number))
    }

    fn element(&self, name: &str, index: i64, state: &[i64]) -> Result<i64, Undefined> {
        let missing = || Undefined(format!("`{name}` has no element {index}"));
        let place = |length: usize| {
            usize::try_from(index).ok().filter(|index| *index < length).ok_or_else(missing)
        };
        Ok(match &self.meanings[name] {
            Meaning::Array(first, length) => state[first + place(*length)?],
            Meaning::Table(numbers) => numbers[place(numbers.len())?],
            _ => return Err(missing()),
        })
    }

    fn compare(
        &self,
        comparison: Comparison,
        left: &Term,
        right: &Term,
        place: Place<'_>,
    ) -> Result<bool, Undefined> {
        let is_order = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let side = |term: &Term, other: &Term| match self.named_value(term, other) {
            Some(number) if !is_order => Ok(Value::Number(number)),
            _ => self.value(term, place),
        };
        let (left, right) = (side(left, right)?, side(right, left)?);
        // A count that is compared with a truth value counts as one.
        let as_truth = matches!(left, Value::Truth(_)) || matches!(right, Value::Truth(_));
        let number = |value: Value| match value {
            Value::Either(number) if as_truth && !is_order => i64::from(number != 0),
            value => value.number(),
        };
        let (left, right) = (number(left), number(right));
        Ok(match comparison {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
        })
    }
}

fn apply(op: Binary, left: i64, right: i64) -> Result<i64, Undefined> {
    op.apply(left, right).map_err(|fault| Undefined(fault.to_string()))
}

fn unknown(name: &str) -> Error {
    Error::new(format!("the model has nothing named `{name}`"))
}
