//! Conditions in HOA's syntax: `Inf(0) & (Fin(1) | Inf(2))`.

use super::{Condition, Named, ParityKind};
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

/// HOA's `acc-name:`, such as `generalized-Buchi 2`.
impl fmt::Display for Named {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Named::All => out.write_str("all"),
            Named::None => out.write_str("none"),
            Named::Buchi => out.write_str("Buchi"),
            Named::CoBuchi => out.write_str("co-Buchi"),
            Named::GeneralizedBuchi(marks) => write!(out, "generalized-Buchi {marks}"),
            Named::GeneralizedCoBuchi(marks) => write!(out, "generalized-co-Buchi {marks}"),
            Named::Rabin(pairs) => write!(out, "Rabin {pairs}"),
            Named::Streett(pairs) => write!(out, "Streett {pairs}"),
            Named::GeneralizedRabin(counts) => {
                write!(out, "generalized-Rabin {}", counts.len())?;
                counts.iter().try_for_each(|count| write!(out, " {count}"))
            }
            Named::Parity(parity) => {
                let kind = if parity.kind == ParityKind::Min { "min" } else { "max" };
                let odd = if parity.odd { "odd" } else { "even" };
                write!(out, "parity {kind} {odd} {}", parity.marks)
            }
        }
    }
}
