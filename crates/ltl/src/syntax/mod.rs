//! Reading and writing formulas.

mod infix;
mod lexer;
mod notation;
mod operands;
mod print;
mod quoted;
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
    /// Whatever fits.
    #[default]
    Auto,
    /// The infix syntax of Spot.
    Spot,
}

impl Syntax {
    /// Every syntax.
    pub const ALL: [Syntax; 2] = [Syntax::Auto, Syntax::Spot];

    /// The name of the syntax, as options and [`FromStr`] have it.
    pub const fn name(self) -> &'static str {
        match self {
            Syntax::Auto => "auto",
            Syntax::Spot => "spot",
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
        Syntax::Auto | Syntax::Spot => infix::parse(text, lexer::Lexer::new(text)),
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
