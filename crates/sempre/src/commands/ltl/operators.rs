//! Operators by name, for options.

use sempre::ltl::Op;

/// Returns the operator of this name: its spelling in formulas, or its English name.
pub(crate) fn operator(name: &str) -> Result<Op, String> {
    let name = name.trim();
    let by_word = match name {
        "not" => Some(Op::Not),
        "and" | "&&" => Some(Op::And),
        "or" | "||" => Some(Op::Or),
        "implies" => Some(Op::Implies),
        "iff" | "equiv" => Some(Op::Iff),
        "^" => Some(Op::Xor),
        "V" => Some(Op::Release),
        "1" => Some(Op::True),
        "0" => Some(Op::False),
        "prop" => Some(Op::Prop),
        _ => Op::ALL.into_iter().find(|op| op.name() == name),
    };
    by_word.ok_or_else(|| {
        let names = Op::ALL.map(Op::name).join(", ");
        format!("`{name}` is not an operator; the operators are {names}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_its_name() {
        for op in Op::ALL {
            assert_eq!(operator(op.name()), Ok(op));
        }
        assert_eq!(operator(" implies "), Ok(Op::Implies));
        assert!(operator("").is_err() && operator("Z").is_err());
    }
}
