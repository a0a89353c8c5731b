//! Linear-time temporal logic: formulas and everything that can be said of them without automata.

#[cfg(any(test, feature = "proptest"))]
pub mod arbitrary;
mod error;
mod formula;
pub mod generate;
mod op;
mod prop;
pub mod rewrite;
pub mod semantics;
pub mod syntax;
pub mod word;

pub use error::Error;
pub use formula::{Formula, Subformulas, Traits, transform};
pub use op::{Arity, Op};
pub use prop::Prop;
pub use rewrite::simplify;
pub use syntax::{Notation, Syntax};
pub use word::Word;
