//! The spelling of operators and propositions in each output notation.

use super::{latex, prefix, quoted, spin, spot};
use crate::{Arity, Error, Formula, Op, Prop};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A notation that formulas can be written in.
///
/// ```
/// use sempre_ltl::{Formula, Notation};
/// let f: Formula = "G(a -> (b R Fs(c xor d)))".parse().unwrap();
/// let written = |notation| f.display(notation).to_string();
/// assert_eq!(written(Notation::Spot), "G(a -> (b R Fs(c xor d)))");
/// assert_eq!(written(Notation::Spin), "[](a -> (b V (X <>!(c <-> d))))");
/// assert_eq!(written(Notation::Lbt), "G i a V b X F ^ c d");
/// assert_eq!(written(Notation::Unicode), "□(a → (b R Fs(c ⊕ d)))");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The infix syntax of Spot: `G(a -> Fb)`.
    #[default]
    Spot,
    /// The infix syntax of Spin: `[](a -> <>b)`, with the parentheses that preserve the meaning for
    /// readers with another operator precedence. `M`, `xor`, `Fs` and `Gs`, which Spin lacks, are
    /// expressed by others.
    Spin,
    /// The prefix syntax of lbt, lbtt and ltl2dstar: `G i a F b`; `Fs` becomes `X F`, and `Gs`
    /// becomes `X G`.
    Lbt,
    /// LaTeX's math mode, without packages.
    Latex,
    /// Infix with mathematical symbols: `□(a → ◇b)`; can be read as Spot's syntax.
    Unicode,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Notation; 5] =
        [Notation::Spot, Notation::Spin, Notation::Lbt, Notation::Latex, Notation::Unicode];

    /// Returns the name of the notation in options and [`FromStr`].
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Spot => "spot",
            Notation::Spin => "spin",
            Notation::Lbt => "lbt",
            Notation::Latex => "latex",
            Notation::Unicode => "unicode",
        }
    }

    /// Formats a proposition: in quotes if its name alone would be read as something else.
    ///
    /// ```
    /// use sempre_ltl::{Notation, Prop};
    /// assert_eq!(Notation::Spot.prop(&Prop::new("ready")), "ready");
    /// assert_eq!(Notation::Spot.prop(&Prop::new("Fail")), "\"Fail\"");
    /// assert_eq!(Notation::Spot.prop(&Prop::new("x > 3")), "\"x > 3\"");
    /// assert_eq!(Notation::Spin.prop(&Prop::new("x > 3")), "(x > 3)");
    /// ```
    pub fn prop(self, prop: &Prop) -> Cow<'_, str> {
        let name = prop.name();
        match self {
            Notation::Spot | Notation::Unicode => {
                quoted::quote_unless(name, spot::reads_back(name))
            }
            Notation::Lbt => quoted::quote_unless(name, prefix::reads_back(name)),
            Notation::Spin => spin::written(name),
            Notation::Latex => Cow::Owned(latex::name(name)),
        }
    }

    /// True if `f op g` has to be written as the negation of another operator's formula: Spin's
    /// syntax has neither `xor`, which is `!(f <-> g)`, nor `M`, which is `!(!f W !g)`.
    pub(super) fn is_negated(self, op: Op) -> bool {
        self == Notation::Spin && matches!(op, Op::Xor | Op::StrongRelease)
    }

    /// Returns the operator, with spaces if it is an infix operator; for one that
    /// [is written as a negation](Self::is_negated), the operator inside.
    pub(super) fn operator(self, op: Op) -> &'static str {
        let [spot, spin, lbt, latex, unicode] = match op {
            Op::Prop => [""; 5],
            Op::True => ["1", "true", "t", "\\top", "⊤"],
            Op::False => ["0", "false", "f", "\\bot", "⊥"],
            Op::Not => ["!", "!", "!", "\\lnot", "¬"],
            Op::Next => ["X", "X", "X", "\\mathsf{X}", "○"],
            Op::Finally => ["F", "<>", "F", "\\mathsf{F}", "◇"],
            Op::Globally => ["G", "[]", "G", "\\mathsf{G}", "□"],
            Op::StrictFinally => ["Fs", "X <>", "X F", "\\mathsf{F}_{\\mathsf{s}}", "Fs"],
            Op::StrictGlobally => ["Gs", "X []", "X G", "\\mathsf{G}_{\\mathsf{s}}", "Gs"],
            Op::Implies => [" -> ", " -> ", "i", " \\rightarrow ", " → "],
            Op::Iff => [" <-> ", " <-> ", "e", " \\leftrightarrow ", " ↔ "],
            Op::Xor => [" xor ", " <-> ", "^", " \\oplus ", " ⊕ "],
            Op::Until => [" U ", " U ", "U", " \\mathbin{\\mathsf{U}} ", " U "],
            Op::Release => [" R ", " V ", "V", " \\mathbin{\\mathsf{R}} ", " R "],
            Op::WeakUntil => [" W ", " W ", "W", " \\mathbin{\\mathsf{W}} ", " W "],
            Op::StrongRelease => [" M ", " W ", "M", " \\mathbin{\\mathsf{M}} ", " M "],
            Op::And => [" & ", " && ", "&", " \\land ", " ∧ "],
            Op::Or => [" | ", " || ", "|", " \\lor ", " ∨ "],
        };
        match self {
            Notation::Spot => spot,
            Notation::Spin => spin,
            Notation::Lbt => lbt,
            Notation::Latex => latex,
            Notation::Unicode => unicode,
        }
    }

    pub(super) fn is_prefix(self) -> bool {
        self == Notation::Lbt
    }

    /// True if a space must be between a unary operator and its operand without parentheses.
    pub(super) fn is_apart(self, op: Op, operand: Op) -> bool {
        match self {
            Notation::Spot | Notation::Unicode => {
                matches!(op, Op::StrictFinally | Op::StrictGlobally)
            }
            // Spin reads !! as an operator on channels.
            Notation::Spin => {
                op == Op::Next || (op == Op::Not && (operand == op || self.is_negated(operand)))
            }
            Notation::Lbt | Notation::Latex => true,
        }
    }

    /// True if the operand of this operator needs parentheses.
    pub(super) fn needs_parentheses(self, op: Op, operand: &Formula) -> bool {
        match (self, operand.op().arity()) {
            (Notation::Lbt, _) => false,
            (_, Arity::Binary) if self.is_negated(operand.op()) => false,
            (_, Arity::Binary | Arity::Nary) => true,
            // X0 would be a proposition.
            (Notation::Spot, Arity::Leaf) => {
                operand.op() != Op::Prop && op != Op::Not && op.arity() == Arity::Unary
            }
            // Some readers of Spin's syntax give [] and <> a lower precedence than U, V and W.
            (Notation::Spin, Arity::Unary) => {
                op.arity() == Arity::Binary && op.is_temporal() && is_loose(operand)
            }
            _ => false,
        }
    }
}

/// True if the formula is, under any number of negations, that of a unary temporal operator.
pub(super) fn is_loose(mut formula: &Formula) -> bool {
    while let (Op::Not, [operand]) = (formula.op(), formula.children()) {
        formula = operand;
    }
    formula.op().arity() == Arity::Unary
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
