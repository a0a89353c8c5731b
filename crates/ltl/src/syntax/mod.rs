//! Reading and writing formulas.

mod infix;
mod latex;
mod lexer;
mod notation;
mod operands;
mod prefix;
mod print;
mod quoted;
mod spin;
mod spot;
mod token;

pub use notation::Notation;
pub use print::Printed;

use crate::{Error, Formula};
use std::fmt;
use std::str::FromStr;

/// The largest bound of a bounded operator, as in `F[0..100000] a`.
pub const MAX_BOUND: u32 = 100_000;

/// How many operands the bounded operators of one text may make altogether.
pub const MAX_EXPANSION: u64 = 1_000_000;

/// A syntax that formulas can be read in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// Spot's syntax, or else that of lbt. A text that is a formula in both, such as `t`, is read
    /// as Spot's.
    #[default]
    Auto,
    /// The infix syntax of Spot.
    Spot,
    /// The infix syntax of Spin.
    Spin,
    /// The prefix syntax of lbt, lbtt and ltl2dstar.
    Lbt,
}

impl Syntax {
    /// Every syntax.
    pub const ALL: [Syntax; 4] = [Syntax::Auto, Syntax::Spot, Syntax::Spin, Syntax::Lbt];

    /// The name of the syntax, as options and [`FromStr`] have it.
    pub const fn name(self) -> &'static str {
        match self {
            Syntax::Auto => "auto",
            Syntax::Spot => "spot",
            Syntax::Spin => "spin",
            Syntax::Lbt => "lbt",
        }
    }
}

impl fmt::Display for Syntax {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for Syntax {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Syntax::ALL.into_iter().find(|syntax| syntax.name() == name);
        found.ok_or_else(|| {
            Error::new(format!("unknown syntax `{name}`"))
                .expected(Syntax::ALL.map(Syntax::name).join(", "))
        })
    }
}

/// Reads a formula.
pub fn parse(text: &str, syntax: Syntax) -> Result<Formula, Error> {
    match syntax {
        Syntax::Spot => infix::parse(text, lexer::Lexer::new(text)),
        Syntax::Spin => infix::parse(text, spin::Lexer::new(text)),
        Syntax::Lbt => prefix::parse(text),
        Syntax::Auto => parse(text, Syntax::Spot).or_else(|infix_error| {
            parse(text, Syntax::Lbt).map_err(|prefix_error| {
                if prefix::looks_like(text) { prefix_error } else { infix_error }
            })
        }),
    }
}

impl FromStr for Formula {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text, Syntax::Auto)
    }
}

#[cfg(test)]
mod tests;
