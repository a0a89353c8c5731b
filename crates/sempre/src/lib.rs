//! Sempre checks systems against linear-time temporal logic (LTL).
//!
//! This crate is the front door: it gathers the parts, each a crate of its own, under one roof.
//! The parts: [`ltl`], formulas, their syntaxes, their semantics on lasso words, rewriting, classes
//! and generators; [`automata`], ω-automata with any acceptance condition, their formats, graph
//! algorithms, products, emptiness and drawings; [`translate`], from the ones to the others;
//! [`testing`], automata over changes for stutter-invariant properties; [`models`], Petri nets, DVE
//! models and Kripke structures as generators of states; [`check`], questions, engines and outcomes;
//! [`explicit`] and [`symbolic`], the engines, the latter with sets of states as [`diagrams`],
//! [`hybrid`], engines on graphs of such sets; and
//! [`cross`], which tests translators against each other. The same package holds the `sempre`
//! command.
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

pub mod another;
pub mod certify;
pub mod checker;
pub mod checkers;
pub mod engines;
pub mod explorer;
pub mod vacuity;

pub use sempre_automata as automata;
pub use sempre_certificate as certificate;
pub use sempre_certificate_sets as certificate_sets;
pub use sempre_check as check;
pub use sempre_cross as cross;
pub use sempre_diagrams as diagrams;
pub use sempre_explicit as explicit;
pub use sempre_hybrid as hybrid;
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
