//! Tests translators of linear-time temporal logic against each other.
//!
//! A [`Participant`] turns formulas into automata: a program that is installed, or a method of
//! this library. For each formula, every participant translates it and its negation, and the
//! automata are compared with each other, with random structures, and with the semantics of the
//! logic on words (Tauriainen, *Automated Testing of Büchi Automata Translators for Linear
//! Temporal Logic*, 2000).
//!
//! A [`Session`] has the participants, the [`Tests`] and the [`Structures`]; each of its
//! [rounds](Round) has the [outcomes](Outcome) of all tests on one formula and the [`Finding`]s:
//! automata that are wrong, with a word that shows it and a proof.

mod analysis;
mod checks;
pub mod config;
pub mod faults;
mod guard;
mod input;
mod method;
pub mod output;
mod participant;
mod preservation;
mod process;
mod program;
mod round;
mod session;
mod shorthand;
mod shrink;
mod spelling;
mod statistics;
mod structures;
mod subject;
mod template;

pub use analysis::{Finding, Mistake, Verdict, Witness};
pub use checks::{
    Answer, BrokenClaim, Evidence, GlobalAnswer, Obstacle, Outcome, Place, ProductSizes, Test,
    WordEvidence, global_answer,
};
pub use config::{Config, ConfigError};
pub use input::RandomRounds;
pub use method::{Choices, Construction, Step};
pub use participant::{
    Claims, Failure, FailureKind, Limits, Participant, Tool, Transformer, Translation,
};
pub use preservation::{Difference, Expected, InProcess, Preservation, Transformation};
pub use process::{End as ProgramEnd, end_all, run_program};
pub use program::Program;
pub use round::{Entry, Round, Sizes, Tallies, Tally};
pub use session::{Session, Tests};
pub use shorthand::{SHORTHANDS, Shorthand, participant};
pub use shrink::{Shrunk, smaller_formulas};
pub use spelling::Spelling;
pub use statistics::{PairStatistics, Statistics, TranslationStatistics};
pub use structures::{Scope, StructureKind, Structures};
pub use subject::{Polarity, Subject};
pub use template::{Input, Template, TemplateError};
