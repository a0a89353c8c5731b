//! Operator priorities: the probability of each operator in a random formula.
//!
//! From H. Tauriainen, Automated testing of Büchi automata translators for linear temporal logic
//! (HUT-TCS-A66, 2000), section 6.1; the report's two operator sets and its Table C.1 are here.

use crate::{Arity, Error, Op};
use std::fmt;

/// A weight for every operator and every kind of leaf; 0 excludes it.
///
/// The probability of each candidate operator or leaf is proportional to its weight. All
/// propositions together have the weight of [`Op::Prop`], in equal shares.
///
/// ```
/// use sempre_ltl::{Op, generate::Priorities};
/// let priorities = Priorities::equal(3).adjusted("X=0, xor=2").unwrap();
/// assert_eq!(priorities.weight(Op::Next), 0);
/// assert_eq!(priorities.weight(Op::Xor), 2);
/// assert_eq!(priorities.weight(Op::Until), 1);
/// assert_eq!(priorities.weight(Op::Prop), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priorities {
    weights: [u32; Op::ALL.len()],
}

impl Priorities {
    /// Returns zero weights, for setting weights one by one.
    pub fn none() -> Self {
        Priorities { weights: [0; Op::ALL.len()] }
    }

    /// Returns weight 1 for every operator but the strict `Fs` and `Gs`, which have 0, and for the
    /// two constants and each proposition.
    pub fn equal(propositions: usize) -> Self {
        let mut priorities = Priorities { weights: [1; Op::ALL.len()] };
        priorities.set(Op::StrictFinally, 0);
        priorities.set(Op::StrictGlobally, 0);
        priorities.set(Op::Prop, u32::try_from(propositions).unwrap_or(u32::MAX));
        priorities
    }

    /// The weights of the report's experiments with formulas of this size: Table C.1 for the
    /// operators, and probabilities 0.90, 0.05 and 0.05 for propositions, true and false. The
    /// table covers the sizes 5 to 12;
    /// [`distribution::tuned`](super::distribution::tuned) computes it for others.
    pub fn report(operators: OperatorSet, size: usize) -> Result<Self, Error> {
        let row = match operators {
            OperatorSet::Op1 => &TABLE_C1_OP1,
            OperatorSet::Op2 => &TABLE_C1_OP2,
        };
        let column = size.checked_sub(5).and_then(|column| row.get(column));
        let &(unary, binary) = column.ok_or_else(|| {
            Error::new(format!("Table C.1 has formula sizes 5 to 12, but not {size}"))
        })?;
        Ok(Self::common(operators.operators(), unary, binary))
    }

    /// One weight for all unary and one for all binary operators of a list, and the report's
    /// leaves.
    pub fn common(operators: &[Op], unary: u32, binary: u32) -> Self {
        let mut priorities = Self::none().with_report_leaves();
        for &op in operators {
            match op.arity() {
                Arity::Leaf => {}
                Arity::Unary => priorities.set(op, unary),
                Arity::Binary | Arity::Nary => priorities.set(op, binary),
            }
        }
        priorities
    }

    fn with_report_leaves(mut self) -> Self {
        self.set(Op::Prop, 90);
        self.set(Op::True, 5);
        self.set(Op::False, 5);
        self
    }

    /// The weight of an operator.
    pub fn weight(&self, op: Op) -> u32 {
        self.weights[op as usize]
    }

    /// Changes the weight of an operator.
    pub fn set(&mut self, op: Op, weight: u32) {
        self.weights[op as usize] = weight;
    }

    /// Returns these priorities with the changes of a text such as `X=0,xor=2,ap=5`. Operators have
    /// the names of [`Op::name`]. The usual words (`not`, `and`, `or`, `implies`, `equiv`) and
    /// other spellings (`&&`, `||`, `[]`, `<>`, `V`, `1`, `0`) are also allowed.
    pub fn adjusted(&self, text: &str) -> Result<Self, Error> {
        let mut priorities = self.clone();
        let mut start = 0;
        for part in text.split(',') {
            let item = part.trim();
            let at = start + (part.len() - part.trim_start().len());
            start += part.len() + 1;
            if item.is_empty() {
                continue;
            }
            // The last `=`: no operator's name contains one, but a typing error may.
            let Some((name, weight)) = item.rsplit_once('=') else {
                return Err(Error::at(at..at + item.len(), format!("`{item}` has no weight"))
                    .expected("OPERATOR=WEIGHT"));
            };
            let op = operator(name.trim()).ok_or_else(|| {
                let name = name.trim();
                Error::at(at..at + name.len(), format!("unknown operator `{name}`"))
                    .expected("one of ! X F G Fs Gs U R W M & | -> <-> xor ap true false")
            })?;
            let number = weight.trim();
            let place = at + item.len() - weight.trim_start().len();
            let weight = number.parse().map_err(|_| {
                Error::at(place..place + number.len(), format!("`{number}` is not a weight"))
                    .expected(format!("a whole number from 0 to {}", u32::MAX))
            })?;
            priorities.set(op, weight);
        }
        Ok(priorities)
    }

    /// The operators (no leaves) of positive weight with one operand.
    pub(super) fn unary(&self) -> impl Iterator<Item = Op> {
        self.positive(|arity| arity == Arity::Unary)
    }

    /// The operators of positive weight with two operands, `&` and `|` included.
    pub(super) fn binary(&self) -> impl Iterator<Item = Op> {
        self.positive(|arity| matches!(arity, Arity::Binary | Arity::Nary))
    }

    /// The kinds of leaves of positive weight.
    pub(super) fn leaves(&self) -> impl Iterator<Item = Op> {
        self.positive(|arity| arity == Arity::Leaf)
    }

    fn positive(&self, kind: impl Fn(Arity) -> bool) -> impl Iterator<Item = Op> {
        Op::ALL.into_iter().filter(move |&op| kind(op.arity()) && self.weight(op) > 0)
    }

    /// The sum of the weights of some operators.
    pub(super) fn total(&self, operators: impl Iterator<Item = Op>) -> u64 {
        operators.map(|op| u64::from(self.weight(op))).sum()
    }
}

/// All positive weights in the syntax of [`Priorities::adjusted`].
impl fmt::Display for Priorities {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for op in self.positive(|_| true) {
            write!(out, "{separator}{}={}", op.name(), self.weight(op))?;
            separator = ",";
        }
        Ok(())
    }
}

fn operator(name: &str) -> Option<Op> {
    let spelled = match name {
        "not" | "~" => "!",
        "and" | "&&" | "/\\" => "&",
        "or" | "||" | "\\/" => "|",
        "implies" | "=>" => "->",
        "equiv" | "iff" | "<=>" => "<->",
        "^" => "xor",
        "[]" => "G",
        "<>" => "F",
        "V" => "R",
        "tt" | "1" => "true",
        "ff" | "0" => "false",
        other => other,
    };
    Op::ALL.into_iter().find(|op| op.name() == spelled)
}

/// The operator sets of the report's experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorSet {
    /// `! G F | & -> U`: supported by all translators of the report.
    Op1,
    /// `! X G F | & -> <-> U R`.
    Op2,
}

impl OperatorSet {
    /// The operators of the set.
    pub const fn operators(self) -> &'static [Op] {
        match self {
            OperatorSet::Op1 => {
                &[Op::Not, Op::Globally, Op::Finally, Op::Or, Op::And, Op::Implies, Op::Until]
            }
            OperatorSet::Op2 => &[
                Op::Not,
                Op::Next,
                Op::Globally,
                Op::Finally,
                Op::Or,
                Op::And,
                Op::Implies,
                Op::Iff,
                Op::Until,
                Op::Release,
            ],
        }
    }
}

/// Table C.1: priorities of unary and of binary operators, for the formula sizes 5 to 12.
const TABLE_C1_OP1: [(u32, u32); 8] = [
    (3667, 13443),
    (2810, 9909),
    (2417, 7462),
    (1305, 3736),
    (3773, 10229),
    (1933, 5031),
    (6771, 17072),
    (3242, 7969),
];

const TABLE_C1_OP2: [(u32, u32); 8] = [
    (1678, 7357),
    (1455, 6679),
    (2333, 8757),
    (2914, 9959),
    (1769, 5646),
    (2507, 7607),
    (4133, 12061),
    (2609, 7381),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_adjust_weights() {
        let base = Priorities::equal(2);
        let changed = base.adjusted(" X=0 ,<->=7,ap = 5,true=3,, ").unwrap();
        assert_eq!(changed.weight(Op::Next), 0);
        assert_eq!(changed.weight(Op::Iff), 7);
        assert_eq!(changed.weight(Op::Prop), 5);
        assert_eq!(changed.weight(Op::True), 3);
        assert_eq!(changed.weight(Op::Release), 1);
        assert_eq!(base.adjusted("").unwrap(), base);
        for op in Op::ALL {
            let text = format!("{}=9", op.name());
            assert_eq!(Priorities::none().adjusted(&text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn display_is_read_back() {
        for priorities in [Priorities::equal(3), Priorities::report(OperatorSet::Op2, 12).unwrap()]
        {
            let text = priorities.to_string();
            assert_eq!(Priorities::none().adjusted(&text).unwrap(), priorities);
        }
    }

    #[test]
    fn errors_point_at_the_place() {
        let error = |text: &str| {
            let error = Priorities::none().adjusted(text).unwrap_err();
            (error.message().to_owned(), text[error.span().unwrap()].to_owned())
        };
        assert_eq!(error("X=1, Y=2"), ("unknown operator `Y`".into(), "Y".into()));
        assert_eq!(error("X=1, U = -2"), ("`-2` is not a weight".into(), "-2".into()));
        assert_eq!(error("X=1,U"), ("`U` has no weight".into(), "U".into()));
        assert_eq!(error("X=é ,U=1"), ("`é` is not a weight".into(), "é".into()));
        assert_eq!(error("=1"), ("unknown operator ``".into(), String::new()));
        assert_eq!(
            error("X=99999999999"),
            ("`99999999999` is not a weight".into(), "99999999999".into())
        );
    }

    #[test]
    fn the_report_has_sizes_5_to_12() {
        assert!(Priorities::report(OperatorSet::Op1, 4).is_err());
        assert!(Priorities::report(OperatorSet::Op1, 13).is_err());
        let priorities = Priorities::report(OperatorSet::Op1, 5).unwrap();
        assert_eq!(priorities.weight(Op::Not), 3667);
        assert_eq!(priorities.weight(Op::And), 13443);
        assert_eq!(priorities.weight(Op::Next), 0);
        assert_eq!(priorities.unary().count(), 3);
        assert_eq!(priorities.binary().count(), 4);
    }
}
