//! Linear sums of variables.

use crate::expression::Expr;
use crate::layout::Field;
use rustc_hash::FxHashMap;

/// A number plus variables times factors.
#[derive(Default)]
pub(super) struct Linear {
    pub(super) constant: i64,
    pub(super) terms: Vec<(i64, Field)>,
}

impl Linear {
    /// Adds another one, times a factor; nothing if that needs more than 64 bits.
    pub(super) fn add(&mut self, factor: i64, other: Linear) -> Option<()> {
        self.constant = self.constant.checked_add(factor.checked_mul(other.constant)?)?;
        for (number, field) in other.terms {
            self.terms.push((factor.checked_mul(number)?, field));
        }
        Some(())
    }

    /// The expression, in which every variable occurs once.
    pub(super) fn expression(self) -> Expr {
        let mut places: FxHashMap<Field, usize> = FxHashMap::default();
        let mut terms: Vec<(i64, Field)> = Vec::with_capacity(self.terms.len());
        for (factor, field) in self.terms {
            let place = *places.entry(field).or_insert(terms.len());
            let both = terms.get(place).and_then(|(sum, _)| sum.checked_add(factor));
            match both {
                Some(both) => terms[place].0 = both,
                None => terms.push((factor, field)),
            }
        }
        terms.retain(|(factor, _)| *factor != 0);
        match (self.constant, terms.as_slice()) {
            (constant, []) => Expr::Constant(constant),
            (0, [(1, field)]) => Expr::Value(*field),
            (constant, _) => Expr::Sum(constant, terms.into()),
        }
    }
}
