//! Testing translators of linear-time temporal logic against each other.
//!
//! A [`Participant`] turns formulas into automata: a program that is installed, or a method of
//! this library. For each formula, every participant translates it and its negation, and the
//! automata are compared with each other, with random structures, and with the semantics of the
//! logic on words (Tauriainen, *Automated Testing of Büchi Automata Translators for Linear
//! Temporal Logic*, 2000).

mod guard;
mod method;
mod participant;
mod process;
mod program;
mod shorthand;
mod spelling;
mod template;

pub use method::{Choices, Construction, Step};
pub use participant::{
    Claims, Failure, FailureKind, Limits, Participant, Tool, Transformer, Translation,
};
pub use process::end_all;
pub use program::Program;
pub use shorthand::{SHORTHANDS, Shorthand, participant};
pub use spelling::Spelling;
pub use template::{Subject, Template, TemplateError};
