//! Programs compute what expressions say.

use super::*;
use crate::expression::Expr;
use crate::layout::Layout;
use proptest::prelude::*;

/// The value by the definition.
fn value(expression: &Expr, state: &[u32]) -> Result<i64, Fault> {
    Ok(match expression {
        Expr::Constant(number) => *number,
        Expr::Value(field) => field.get(state),
        Expr::Element(array, index) => {
            element(*array, value(index, state)?).map_err(|fault| *fault)?.get(state)
        }
        Expr::Lookup(table, index) => {
            let index = value(index, state)?;
            match table.get(usize::try_from(index).unwrap_or(usize::MAX)) {
                Some(number) => *number,
                None => return Err(*out_of_range(index, table.len())),
            }
        }
        Expr::Table(field, table) => table[field.get(state) as usize],
        Expr::Sum(constant, terms) => {
            terms.iter().map(|(factor, field)| factor * field.get(state)).sum::<i64>() + constant
        }
        Expr::Not(operand) => i64::from(value(operand, state)? == 0),
        Expr::Complement(operand) => !value(operand, state)?,
        Expr::Binary(op, left, right) => op.apply(value(left, state)?, value(right, state)?)?,
        Expr::All(operands) => {
            for operand in operands {
                if value(operand, state)? == 0 {
                    return Ok(0);
                }
            }
            1
        }
        Expr::Any(operands) => {
            for operand in operands {
                if value(operand, state)? != 0 {
                    return Ok(1);
                }
            }
            0
        }
    })
}

fn expressions() -> impl Strategy<Value = Expr> {
    let mut layout = Layout::default();
    let (x, y, a) = (layout.field(0, 3), layout.field(-5, 10), layout.array(0, 7, 4));
    let leaf = prop_oneof![
        (-4i64..5).prop_map(Expr::Constant),
        Just(Expr::Value(x)),
        Just(Expr::Value(y)),
        Just(Expr::Table(x, Arc::from([3, 1, 4, 1]))),
        Just(Expr::Sum(2, Box::new([(3, x), (-1, y)]))),
    ];
    let ops = [
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
        Binary::Remainder,
        Binary::Less,
        Binary::LessOrEqual,
        Binary::Equal,
        Binary::NotEqual,
        Binary::BitAnd,
        Binary::BitOr,
        Binary::BitXor,
        Binary::ShiftLeft,
        Binary::ShiftRight,
    ];
    leaf.prop_recursive(5, 30, 4, move |inner| {
        prop_oneof![
            inner.clone().prop_map(move |index| Expr::Element(a, Box::new(index))),
            inner.clone().prop_map(|index| Expr::Lookup(Arc::from([2, 7, 1]), Box::new(index))),
            inner.clone().prop_map(|operand| Expr::Not(Box::new(operand))),
            inner.clone().prop_map(|operand| Expr::Complement(Box::new(operand))),
            (prop::sample::select(ops.to_vec()), inner.clone(), inner.clone())
                .prop_map(|(op, left, right)| Expr::binary(op, left, right)),
            prop::collection::vec(inner.clone(), 0..4).prop_map(|all| Expr::All(all.into())),
            prop::collection::vec(inner, 0..4).prop_map(|any| Expr::Any(any.into())),
        ]
    })
}

proptest! {
    #[test]
    fn programs_compute_what_expressions_say(
        expression in expressions(),
        words in prop::collection::vec(any::<u32>(), 3),
    ) {
        prop_assert_eq!(Program::new(&expression).evaluate(&words), value(&expression, &words));
    }
}
