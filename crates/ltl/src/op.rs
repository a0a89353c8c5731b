//! The operators of LTL.

/// The operator at the root of a formula.
///
/// `And` and `Or` are n-ary (two operands or more); every other operator has the fixed arity that
/// [`Op::arity`] returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Op {
    /// The constant true.
    True,
    /// The constant false.
    False,
    /// An atomic proposition.
    Prop,
    /// Negation, `!f`.
    Not,
    /// Next, `X f`: `f` holds at the second position.
    Next,
    /// Finally (eventually), `F f`: `f` holds now or later.
    Finally,
    /// Globally (always), `G f`: `f` holds now and at all later positions.
    Globally,
    /// Strict finally, `Fs f` = `X F f`: `f` holds later.
    StrictFinally,
    /// Strict globally, `Gs f` = `X G f`: `f` holds from the second position on.
    StrictGlobally,
    /// Implication, `f -> g`.
    Implies,
    /// Equivalence, `f <-> g`; its two operands are kept sorted.
    Iff,
    /// Exclusive or, `f xor g`; its two operands are kept sorted.
    Xor,
    /// (Strong) until, `f U g`: `g` holds now or later, and `f` at every position before.
    Until,
    /// (Weak) release, `f R g`: `g` holds up to and including the first position where `f` does, or
    /// forever.
    Release,
    /// Weak until, `f W g`: `f U g`, or `f` forever.
    WeakUntil,
    /// Strong release, `f M g`: `f R g`, and `f` holds at some position.
    StrongRelease,
    /// Conjunction of two or more operands.
    And,
    /// Disjunction of two or more operands.
    Or,
}

/// The number of operands of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// None: a constant or a proposition.
    Leaf,
    /// One.
    Unary,
    /// Two.
    Binary,
    /// Two or more, in any order.
    Nary,
}

impl Op {
    /// Every operator, leaves included, in the order of the enum.
    pub const ALL: [Op; 18] = [
        Op::True,
        Op::False,
        Op::Prop,
        Op::Not,
        Op::Next,
        Op::Finally,
        Op::Globally,
        Op::StrictFinally,
        Op::StrictGlobally,
        Op::Implies,
        Op::Iff,
        Op::Xor,
        Op::Until,
        Op::Release,
        Op::WeakUntil,
        Op::StrongRelease,
        Op::And,
        Op::Or,
    ];

    /// Returns the number of operands.
    pub const fn arity(self) -> Arity {
        match self {
            Op::True | Op::False | Op::Prop => Arity::Leaf,
            Op::Not
            | Op::Next
            | Op::Finally
            | Op::Globally
            | Op::StrictFinally
            | Op::StrictGlobally => Arity::Unary,
            Op::Implies
            | Op::Iff
            | Op::Xor
            | Op::Until
            | Op::Release
            | Op::WeakUntil
            | Op::StrongRelease => Arity::Binary,
            Op::And | Op::Or => Arity::Nary,
        }
    }

    /// True if the order of the operands is irrelevant; they are then sorted.
    pub const fn is_commutative(self) -> bool {
        matches!(self, Op::And | Op::Or | Op::Iff | Op::Xor)
    }

    /// True for operators that depend on later positions of a word.
    pub const fn is_temporal(self) -> bool {
        matches!(
            self,
            Op::Next
                | Op::Finally
                | Op::Globally
                | Op::StrictFinally
                | Op::StrictGlobally
                | Op::Until
                | Op::Release
                | Op::WeakUntil
                | Op::StrongRelease
        )
    }

    /// The operator `o'` with `!o(f, …)` ≡ `o'(!f, …)`, if there is one.
    pub const fn dual(self) -> Option<Op> {
        Some(match self {
            Op::True => Op::False,
            Op::False => Op::True,
            Op::Next => Op::Next,
            Op::Finally => Op::Globally,
            Op::Globally => Op::Finally,
            Op::StrictFinally => Op::StrictGlobally,
            Op::StrictGlobally => Op::StrictFinally,
            Op::Until => Op::Release,
            Op::Release => Op::Until,
            Op::WeakUntil => Op::StrongRelease,
            Op::StrongRelease => Op::WeakUntil,
            Op::And => Op::Or,
            Op::Or => Op::And,
            Op::Prop | Op::Not | Op::Implies | Op::Iff | Op::Xor => return None,
        })
    }

    /// Returns the operator in Spot's infix syntax, which is also its name in options
    /// (`--remove W,M`, `--priorities xor=0`); `ap` for propositions.
    pub const fn name(self) -> &'static str {
        match self {
            Op::True => "true",
            Op::False => "false",
            Op::Prop => "ap",
            Op::Not => "!",
            Op::Next => "X",
            Op::Finally => "F",
            Op::Globally => "G",
            Op::StrictFinally => "Fs",
            Op::StrictGlobally => "Gs",
            Op::Implies => "->",
            Op::Iff => "<->",
            Op::Xor => "xor",
            Op::Until => "U",
            Op::Release => "R",
            Op::WeakUntil => "W",
            Op::StrongRelease => "M",
            Op::And => "&",
            Op::Or => "|",
        }
    }
}
