//! Computes the states that satisfy an expression.
//!
//! Conjunctions, disjunctions and negations become set operations, as lazy as in expressions: an
//! operand is evaluated only where it matters, so it has no fault elsewhere. Comparisons of sums
//! are computed along the diagram. Other expressions are evaluated once for all states with equal
//! values of their variables.

use sempre_diagrams::Set;
use sempre_models::Fault;
use sempre_models::expression::{Binary, Expr, Program};
use sempre_models::layout::{Field, Footprint};

use crate::encoding::{Encoding, put};

/// A linear sum: a constant, and variables with factors.
#[derive(Default)]
struct Linear {
    constant: i64,
    terms: Vec<(i64, Field)>,
}

/// The maximal number of values of a variable for which an expression is tabulated.
const MAX_VALUES: u32 = 1 << 8;

/// The maximal absolute value of factors and constants, so that sums do not overflow.
const LARGE: i64 = 1 << 24;

impl Linear {
    /// Converts an expression to a linear sum, if possible.
    fn of(expression: &Expr) -> Option<Self> {
        let mut sum = Linear::default();
        sum.add(expression, 1)?;
        let numbers = sum.terms.iter().map(|(factor, _)| *factor).chain([sum.constant]);
        (numbers.map(i64::unsigned_abs).all(|number| number < LARGE as u64)).then_some(sum)
    }

    fn add(&mut self, expression: &Expr, sign: i64) -> Option<()> {
        match expression {
            Expr::Constant(number) => self.constant = self.constant.checked_add(sign * number)?,
            Expr::Value(field) => self.terms.push((sign, *field)),
            Expr::Sum(number, terms) => {
                self.constant = self.constant.checked_add(sign * number)?;
                self.terms.extend(terms.iter().map(|(factor, field)| (sign * factor, *field)));
            }
            Expr::Binary(Binary::Add, left, right) => {
                self.add(left, sign)?;
                self.add(right, sign)?;
            }
            Expr::Binary(Binary::Subtract, left, right) => {
                self.add(left, sign)?;
                self.add(right, -sign)?;
            }
            _ => return None,
        }
        Some(())
    }
}

impl<'s> Encoding<'s> {
    /// Returns the states of a set that satisfy an expression.
    ///
    /// # Errors
    /// If it is undefined in one of them.
    pub fn satisfying(&self, set: &Set<'s>, expression: &Expr) -> Result<Set<'s>, Fault> {
        if set.is_empty() {
            return Ok(set.clone());
        }
        match expression {
            Expr::Not(operand) => Ok(set - self.satisfying(set, operand)?),
            Expr::All(operands) => {
                operands.iter().try_fold(set.clone(), |set, operand| self.satisfying(&set, operand))
            }
            Expr::Any(operands) => {
                let mut rest = set.clone();
                for operand in operands {
                    rest = &rest - self.satisfying(&rest, operand)?;
                }
                Ok(set - rest)
            }
            Expr::Binary(operator, left, right) => {
                match self.comparison(set, *operator, left, right) {
                    Some(chosen) => Ok(chosen),
                    None => self.enumerate(set, expression),
                }
            }
            _ => self.enumerate(set, expression),
        }
    }

    /// Returns the states that satisfy a comparison of sums, if the expression is one.
    fn comparison(
        &self,
        set: &Set<'s>,
        operator: Binary,
        left: &Expr,
        right: &Expr,
    ) -> Option<Set<'s>> {
        let mut sum = Linear::of(left)?;
        let right = Linear::of(right)?;
        sum.constant -= right.constant;
        sum.terms.extend(right.terms.iter().map(|(factor, field)| (-factor, *field)));
        let range = match operator {
            Binary::Less => i64::MIN..=-1,
            Binary::LessOrEqual => i64::MIN..=0,
            Binary::Equal | Binary::NotEqual => 0..=0,
            _ => return None,
        };
        let mut footprint = Footprint::default();
        sum.terms.iter().for_each(|(_, field)| footprint.add(*field));
        let mut factors = Vec::new();
        for place in self.touched(&footprint) {
            let terms = sum.terms.iter().filter(|(_, field)| *field == place.field);
            let factor: i64 = terms.map(|(factor, _)| factor).sum();
            // Values in diagrams are distances from the minimum.
            sum.constant += factor * place.field.least();
            factors.push((place.level, factor));
        }
        let low = range.start().saturating_sub(sum.constant);
        let chosen = set.with_sum(&factors, low..=range.end() - sum.constant);
        Some(if operator == Binary::NotEqual { set - chosen } else { chosen })
    }

    /// Returns the states of a set that satisfy an expression, by enumerating the values of its
    /// variables.
    fn enumerate(&self, set: &Set<'s>, expression: &Expr) -> Result<Set<'s>, Fault> {
        let mut footprint = Footprint::default();
        expression.read(&mut footprint);
        let program = Program::new(expression);
        self.filter(set, &footprint, |state| program.holds(state))
    }
    /// Returns the level of the only variable that an expression reads, and for each of its raw values
    /// whether the expression is true. `None` if it reads none or several, if the variable may have
    /// many values, or if the expression is undefined for one of them.
    pub fn by_value(&self, expression: &Expr) -> Option<(u32, Vec<bool>)> {
        let mut footprint = Footprint::default();
        expression.read(&mut footprint);
        let places = self.touched(&footprint);
        let [place] = &places[..] else { return None };
        let most = Some(place.field.mask()).filter(|most| *most < MAX_VALUES)?;
        let program = Program::new(expression);
        let mut state = vec![0; self.system().words()];
        let holds = |value: u32| {
            put(place.field, &mut state, value);
            program.holds(&state).ok()
        };
        Some((place.level, (0..=most).map(holds).collect::<Option<_>>()?))
    }
}
