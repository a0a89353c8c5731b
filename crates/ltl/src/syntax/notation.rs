//! How each output notation spells operators and propositions.

use super::{lexer, quoted};
use crate::{Arity, Error, Formula, Op, Prop};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A notation that formulas can be written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The infix syntax of Spot: `G(a -> Fb)`.
    #[default]
    Spot,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Notation; 1] = [Notation::Spot];

    /// The name of the notation, as options and [`FromStr`] have it.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Spot => "spot",
        }
    }

    /// The proposition as it is written in formulas: in quotes if its name alone would be read as
    /// something else.
    pub fn prop(self, prop: &Prop) -> Cow<'_, str> {
        let name = prop.name();
        quoted::quote_unless(name, lexer::reads_back(name))
    }

    /// The formula without the operators that the notation lacks.
    pub(super) fn restrict(self, formula: &Formula) -> Formula {
        formula.clone()
    }

    /// The operator, with the space around it if it is binary.
    pub(super) fn operator(self, op: Op) -> &'static str {
        match op {
            Op::True => "1",
            Op::False => "0",
            Op::Prop => "",
            Op::Not => "!",
            Op::Next => "X",
            Op::Finally => "F",
            Op::Globally => "G",
            Op::StrictFinally => "Fs",
            Op::StrictGlobally => "Gs",
            Op::Implies => " -> ",
            Op::Iff => " <-> ",
            Op::Xor => " xor ",
            Op::Until => " U ",
            Op::Release => " R ",
            Op::WeakUntil => " W ",
            Op::StrongRelease => " M ",
            Op::And => " & ",
            Op::Or => " | ",
        }
    }

    pub(super) fn open(self) -> &'static str {
        "("
    }

    pub(super) fn close(self) -> &'static str {
        ")"
    }

    pub(super) fn is_prefix(self) -> bool {
        false
    }

    /// True if a space must be between a unary operator and its operand.
    pub(super) fn is_apart(self, op: Op, _operand: Op) -> bool {
        matches!(op, Op::StrictFinally | Op::StrictGlobally)
    }

    pub(super) fn needs_parentheses(self, op: Op, operand: &Formula) -> bool {
        match operand.op().arity() {
            // X0 would be a proposition.
            Arity::Leaf => operand.op() != Op::Prop && op != Op::Not && op.arity() == Arity::Unary,
            Arity::Unary => false,
            Arity::Binary | Arity::Nary => true,
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for Notation {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Notation::ALL.into_iter().find(|notation| notation.name() == name);
        found.ok_or_else(|| {
            Error::new(format!("unknown notation `{name}`"))
                .expected(Notation::ALL.map(Notation::name).join(", "))
        })
    }
}
