//! The semantics of operators.

use super::Binary;
use crate::system::Fault;

impl Binary {
    /// The value of the operator for these operands.
    ///
    /// # Errors
    /// For a division by zero, and if the value does not fit in 64 bits.
    pub fn apply(self, left: i64, right: i64) -> Result<i64, Fault> {
        self.run(left, right).map_err(|fault| *fault)
    }

    #[inline]
    pub(super) fn run(self, left: i64, right: i64) -> Result<i64, Box<Fault>> {
        Ok(match self {
            Binary::Add => left.checked_add(right).ok_or_else(too_large)?,
            Binary::Subtract => left.checked_sub(right).ok_or_else(too_large)?,
            Binary::Multiply => left.checked_mul(right).ok_or_else(too_large)?,
            Binary::Divide | Binary::Remainder if right == 0 => {
                return Err(division_by_zero(left));
            }
            Binary::Divide => left.checked_div(right).ok_or_else(too_large)?,
            Binary::Remainder => left.wrapping_rem(right),
            Binary::Less => i64::from(left < right),
            Binary::LessOrEqual => i64::from(left <= right),
            Binary::Equal => i64::from(left == right),
            Binary::NotEqual => i64::from(left != right),
            Binary::BitAnd => left & right,
            Binary::BitOr => left | right,
            Binary::BitXor => left ^ right,
            Binary::ShiftLeft => left.wrapping_shl(right as u32),
            Binary::ShiftRight => left.wrapping_shr(right as u32),
        })
    }
}

#[cold]
pub(super) fn too_large() -> Box<Fault> {
    let message = "a number is too large: calculations have 64 bits".to_owned();
    Box::new(Fault::Undefined { action: None, message })
}

#[cold]
fn division_by_zero(dividend: i64) -> Box<Fault> {
    let message = format!("{dividend} is divided by zero");
    Box::new(Fault::Undefined { action: None, message })
}
