//! Reading and writing formulas.
//!
//! Formulas are read by [`parse`] in one of three syntaxes, and written by [`Formula::display`] in
//! one of five [notations](Notation). What is written can be read again and is the same formula
//! then, except that operators which a notation lacks are replaced by their definitions. Neither
//! has a limit on the length or nesting of formulas, and both take time linear in the text (but
//! for the sorting of the operands of `&` and `|`).
//!
//! # The infix syntax of Spot
//!
//! | operators, from the loosest to the tightest | spellings                           | groups  |
//! |---------------------------------------------|-------------------------------------|---------|
//! | implies                                     | `->` `-->` `=>` `→` `⇒`             | `a -> (b -> c)`, also with `<->` |
//! | if and only if                              | `<->` `<-->` `<=>` `↔` `⇔`          | as implies |
//! | or                                          | <code>\|</code> <code>\|\|</code> `\/` `∨` | flat |
//! | exclusive or                                | `xor` `^` `⊕`                       | `(a xor b) xor c` |
//! | and                                         | `&` `&&` `/\` `∧`                   | flat    |
//! | until, release, weak until, strong release  | `U`, `R` or `V`, `W`, `M`           | `a U (b R c)` |
//! | not                                         | `!` `~` `¬`                         |         |
//! | next                                        | `X` `()` `○` `◯`                    |         |
//! | finally, globally                           | `F` `<>` `◇` `⋄` `♢`, `G` `[]` `□` `⬜` `◻` | |
//! | strict finally, strict globally             | `Fs`, `Gs`                          |         |
//! | bounded                                     | `X[n]`, `F[i..j]`, `G[i..j]`        |         |
//!
//! The constants are `true` `1` `⊤` and `false` `0` `⊥`. The bounded operators abbreviate:
//! `X[2] a` is `XXa`, `F[1..3] a` is `X(a | X(a | Xa))`, `F[2..] a` is `XXFa`, and `G` likewise with
//! `&`. `:` may stand for `..`, and `$` for no upper bound. Bounds are at most [`MAX_BOUND`].
//!
//! A word consists of letters, digits, `_`, `.` and `@`. Leading letters `F`, `G`, `X` of a word are
//! operators if a letter, `_` or `.` follows: `GFa` is `G F a`, and so is `FOO` `F OO`, but `F1` is a
//! proposition. All other operators and constants that are words must stand alone: `aUb` is a
//! proposition. `Fs` is strict finally if an operand follows, else it is `F` of the proposition `s`.
//!
//! An expression over variables is a proposition where it can be nothing else: `last < 2`,
//! `x + 1 == y[0]`, `'my place' >= 2`, `fireable(t)`. Its name is its text, with white space
//! normalized; it binds tighter than all operators, and after `!` it needs parentheses.
//!
//! Any text is a proposition in quotes: `"x > 3"`, `"U"`, `""`; within, `\"` stands for a quote, `\\`
//! for a backslash, and `\n`, `\r`, `\t` for what they are in Rust. Quotes are understood in all
//! syntaxes, and are written around names that could not be read otherwise.
//!
//! # The infix syntax of Spin
//!
//! The operators are, from the loosest to the tightest, `->` `<->`; `||` `\/`; `&&` `/\`; `U` `V`
//! `W`; `[]` `<>` `X` `!`, or in words `implies` `equivalent`; `until` `stronguntil` `release`
//! `weakuntil`; `always` `eventually` `next`. Binary operators group to the left, as in the `ltl`
//! blocks of Spin 6: `a U b U c` is `(a U b) U c`; Spot reads `a U (b U c)`.
//!
//! An expression over variables, such as `len(q) < 3`, `(x + 1) * 2 == y[0]` or `P[1]@critical`, is a
//! proposition whose name is its text, with white space normalized.
//!
//! # The prefix syntax of lbt, lbtt and ltl2dstar
//!
//! The operators are `t`, `f`, `!`, `&`, `|`, `^` (exclusive or), `i` (implies), `e` (if and only if),
//! `X`, `F`, `G`, `U`, `V` or `R`, `W`, `M`, and `B` (`B f g` is `!(!f U g)`). Any other word is a
//! proposition.

mod comparison;
mod foreign;
mod infix;
mod latex;
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
use std::ops::Range;
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
    /// The [infix syntax of Spot](self#the-infix-syntax-of-spot), which includes unicode symbols
    /// and most of what Spin understands.
    Spot,
    /// The [infix syntax of Spin](self#the-infix-syntax-of-spin).
    Spin,
    /// The [prefix syntax of lbt](self#the-prefix-syntax-of-lbt-lbtt-and-ltl2dstar).
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
///
/// ```
/// use sempre_ltl::{Formula, Syntax, syntax::parse};
/// let f = Formula::globally(Formula::implies("a", Formula::finally("b")));
/// assert_eq!(parse("G(a -> Fb)", Syntax::Spot), Ok(f.clone()));
/// assert_eq!(parse("[] (a implies <> b)", Syntax::Spin), Ok(f.clone()));
/// assert_eq!(parse("G i a F b", Syntax::Lbt), Ok(f));
///
/// let error = parse("G(a -> )", Syntax::Auto).unwrap_err();
/// assert_eq!(error.to_string(), "unexpected `)`, expected a formula");
/// assert_eq!(error.expectation(), Some("a formula"));
/// assert_eq!(error.span(), Some(7..8));
/// ```
///
/// # Errors
/// If the text is no formula; the error has the place and the expected input.
pub fn parse(text: &str, syntax: Syntax) -> Result<Formula, Error> {
    match syntax {
        Syntax::Spot => spot(text).map_err(|error| foreign::explained(text, error)),
        Syntax::Spin => infix::parse(text, spin::Lexer::new(text))
            .map_err(|error| foreign::explained(text, error)),
        Syntax::Lbt => prefix::parse(text),
        // Without an operator between two operands, both syntaxes agree: a word such as `GF`, which
        // infix takes apart, is then no proposition of lbt but an unfinished formula.
        Syntax::Auto => spot(text).or_else(|infix_error| {
            if !prefix::has_binary_operator(text) {
                return Err(foreign::explained(text, infix_error));
            }
            parse(text, Syntax::Lbt).map_err(|prefix_error| match prefix::looks_like(text) {
                true => prefix_error,
                false => foreign::explained(text, infix_error),
            })
        }),
    }
}

/// True if the name is a proposition without quotes, wherever it stands in a formula in Spot's
/// syntax.
///
/// ```
/// use sempre_ltl::syntax::is_plain;
/// assert!(is_plain("waits") && is_plain("P0.waits"));
/// // `F`, `G` and `X` before a letter are operators, and other words have a meaning, too.
/// assert!(!is_plain("Fork") && !is_plain("U") && !is_plain("in use"));
/// ```
pub fn is_plain(name: &str) -> bool {
    spot::reads_back(name)
}

fn spot(text: &str) -> Result<Formula, Error> {
    infix::parse(text, spot::Lexer::new(text))
}

/// Where a proposition stands in the text of a formula, the first time: without its quotes, if its
/// name is literally between them.
///
/// ```
/// use sempre_ltl::{Syntax, syntax::find_proposition};
/// assert_eq!(find_proposition("GFa & a", Syntax::Auto, "a"), Some(2..3));
/// assert_eq!(find_proposition(r#"G "x > 1""#, Syntax::Auto, "x > 1"), Some(3..8));
/// assert_eq!(find_proposition("[] x  >1", Syntax::Spin, "x > 1"), Some(3..8));
/// assert_eq!(find_proposition("G a", Syntax::Auto, "G"), None);
/// ```
pub fn find_proposition(text: &str, syntax: Syntax, name: &str) -> Option<Range<usize>> {
    match syntax {
        Syntax::Spot => infix::find_proposition(spot::Lexer::new(text), name),
        Syntax::Spin => infix::find_proposition(spin::Lexer::new(text), name),
        Syntax::Lbt => prefix::find_proposition(text, name),
        Syntax::Auto if parse(text, Syntax::Spot).is_ok() => {
            find_proposition(text, Syntax::Spot, name)
        }
        Syntax::Auto => find_proposition(text, Syntax::Lbt, name),
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
