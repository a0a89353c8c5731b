//! Sempre checks systems against linear-time temporal logic (LTL).
//!
//! This crate re-exports the library crates:
//!
//! - [`ltl`]: formulas, their syntaxes, semantics on lasso words, rewriting, classes, generators.
//! - [`automata`]: ω-automata with any acceptance condition, formats, graph algorithms, products,
//!   emptiness checks, drawings.
//! - [`translate`]: from formulas to automata.
//! - [`testing`]: automata over changes for stutter-invariant properties.
//! - [`models`]: Petri nets, DVE models, Kripke structures and ETF tables as systems.
//! - [`check`]: questions, engines and outcomes.
//! - [`explicit`] and [`symbolic`]: the engines; the symbolic one stores sets of states as
//!   [`diagrams`].
//! - [`cross`]: tests of translators against each other.
//!
//! The package also has the `sempre` command.
//!
//! # Check a model
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("lamp.kripke");
//! # std::fs::write(&path, "init off; state off: -> on; state on: lit -> off;")?;
//! use sempre::prelude::*;
//!
//! let outcome = Checker::open(path)?.check("G F lit")?;
//! assert_eq!(outcome.verdict, Verdict::Holds);
//! # Ok(())
//! # }
//! ```
//!
//! # Formulas, words, automata
//!
//! ```
//! use sempre::prelude::*;
//!
//! let formula: Formula = "G(request -> F grant)".parse()?;
//! assert!(formula.is(Traits::RECURRENCE));
//!
//! let word: Word = "request; cycle{grant; !grant}".parse()?;
//! assert!(holds(&formula, &word));
//!
//! let automaton = Translator::new().translate(&formula);
//! assert_eq!(automaton.state_count(), 2);
//! # Ok::<(), sempre::ltl::Error>(())
//! ```
//!
//! # A system of your own
//!
//! `examples/own_system.rs`:
//!
//! ```
#![doc = include_str!("../examples/own_system.rs")]
//! ```
//!
//! It prints:
//!
//! ```text
//! mutual exclusion: holds
//! the first thread is done at last: violated
//!   second acquires
//!   first finds it busy
//!   second releases
//!   first sleeps
//! ```

pub mod checker;
pub mod engines;

pub use sempre_automata as automata;
pub use sempre_check as check;
pub use sempre_cross as cross;
pub use sempre_diagrams as diagrams;
pub use sempre_explicit as explicit;
pub use sempre_ltl as ltl;
pub use sempre_models as models;
pub use sempre_symbolic as symbolic;
pub use sempre_testing as testing;
pub use sempre_translate as translate;

/// The items that most programs need: `use sempre::prelude::*`.
pub mod prelude {
    pub use crate::checker::Checker;
    pub use crate::engines::Settings;
    pub use sempre_automata::{Acceptance, Alphabet, Automaton, Marks, Named};
    pub use sempre_check::{Counterexample, Deadlock, Engine, Outcome, Question, Verdict};
    pub use sempre_ltl::rewrite::{nnf, simplify::simplify};
    pub use sempre_ltl::semantics::holds;
    pub use sempre_ltl::syntax::Notation;
    pub use sempre_ltl::{Formula, Op, Prop, Syntax, Traits, Word};
    pub use sempre_models::proposition::Propositions;
    pub use sempre_models::{
        ActionId, Expander, Extent, Fault, Languages, Model, Names, Successors, System, Vocabulary,
    };
    pub use sempre_translate::Translator;
}
