//! Conditions as HOA writes them: `Inf(0) & (Fin(1) | Inf(2))`.

use super::Condition;
use std::fmt;

impl fmt::Display for Condition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |out: &mut fmt::Formatter<'_>, operands: &[Condition], sign: &str| {
            for (place, operand) in operands.iter().enumerate() {
                if place > 0 {
                    write!(out, " {sign} ")?;
                }
                match operand {
                    Condition::And(_) | Condition::Or(_) => write!(out, "({operand})")?,
                    term => write!(out, "{term}")?,
                }
            }
            Ok(())
        };
        match self {
            Condition::True => out.write_str("t"),
            Condition::False => out.write_str("f"),
            Condition::Inf(mark) => write!(out, "Inf({mark})"),
            Condition::Fin(mark) => write!(out, "Fin({mark})"),
            Condition::And(operands) => joined(out, operands, "&"),
            Condition::Or(operands) => joined(out, operands, "|"),
        }
    }
}
