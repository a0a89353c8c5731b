//! The interface of model checking: a [`Question`] about a system, an [`Engine`] that answers it
//! under a [`Control`], and the [`Outcome`] with a replayed [`Counterexample`].
//!
//! Engines are in crates that depend on this one. They share the automaton of the negated property
//! ([`Question::negation`]), the judge that replays every counterexample
//! ([`Counterexample::judge`]), limits and cancellation, and a typed [`Provenance`]. [`combine`] has
//! engines that combine others: races, retries with wider states, checks of reduced nets, and a
//! search by levels for unbounded nets.
//!
//! ```
//! use sempre_check::{Control, Deadlock, Question};
//! use sempre_models::languages;
//! let lamp = languages::named("kripke").unwrap().read("init on; state on: lit -> on;")?;
//! let question = Question::new(lamp.system(), &"G lit".parse()?, Deadlock::Stutter)?;
//! assert_eq!(question.property().to_string(), "Glit");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bad_prefix;
pub mod combine;
mod control;
mod counterexample;
mod engine;
mod fairness;
mod outcome;
mod parts;
mod path;
mod property;
mod provenance;
mod question;
mod refine;

pub use bad_prefix::{Monitor, bad_prefix};
pub use control::{Control, Counts, Limits, Progress, Reason};
pub use counterexample::{Counterexample, Move, Rejected};
pub use engine::Engine;
pub use fairness::{Components, Fairness, FairnessKind};
pub use outcome::{CheckError, Cost, Evidence, Outcome, Unknown, Unsupported, Verdict};
pub use parts::{PartCheck, check_concurrently, combine_parts};
pub use path::{Failure, Path, Step};
pub use property::{AutomatonProperty, Behaviours, Property, Specification, TooLarge};
pub use provenance::{AutomatonSize, Choice, NetSize, Provenance};
pub use question::{Deadlock, Question};
pub use refine::{Refine, Sanity};
