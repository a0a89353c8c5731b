//! ω-automata: representation, input and output, drawings, transformations and decision procedures.
//!
//! An [`Automaton`] reads valuations of propositions. Its edges carry acceptance marks and labels,
//! which are exact Boolean functions over the propositions of its [`Alphabet`]. Its [`Acceptance`]
//! is any Boolean combination of "infinitely often" and "finitely often" over these marks. [Named]
//! conditions include Büchi, Rabin, Streett and parity. Acceptance on states, determinism, weakness
//! and the like are properties, not types.
//!
//! # A first example
//!
//! Reads an automaton in HOA, checks emptiness with a witness, and draws it:
//!
//! ```
//! use sempre_automata::{draw, emptiness, hoa, membership};
//!
//! let text = r#"HOA: v1
//! name: "GFa & GF!a"
//! States: 1
//! Start: 0
//! AP: 1 "a"
//! Acceptance: 2 Inf(0) & Inf(1)
//! --BODY--
//! State: 0
//! [0] 0 {0}
//! [!0] 0 {1}
//! --END--
//! "#;
//! let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
//! assert!(automaton.is_deterministic() && automaton.is_complete());
//!
//! // The language is not empty; every run has been checked independently.
//! let run = emptiness::shortest_accepting_run(&automaton).expect("the language is not empty");
//! assert_eq!(run.word(&automaton).to_string(), "cycle{a; !a}");
//! assert!(membership::accepts(&automaton, &"a; cycle{!a; a; a}".parse().unwrap()));
//! assert!(!membership::accepts(&automaton, &"!a; cycle{a}".parse().unwrap()));
//!
//! println!("{}", draw::text(&automaton, &draw::TextOptions::default()));
//! # Ok::<(), sempre_automata::Error>(())
//! ```
//!
//! # The modules
//!
//! - Representation: [`Alphabet`] and [`Label`], [`Marks`], [`Acceptance`], [`Automaton`] with its
//!   [builder](AutomatonBuilder); [`AlternatingAutomaton`]; [`Kripke`] structures.
//! - Text: [`hoa`] reads and writes HOA; [`formats`] has the other formats and streams of automata
//!   in any of them; [`draw`] makes DOT, SVG, Mermaid and drawings for terminals.
//! - Graphs: [`scc`], [`prune`], [`fn@complete`], [`mark_cleanup`], [`parallel`], [`renumber`],
//!   [`isomorphism`], [`state_based()`], [`single_initial()`], [`unread_propositions`].
//! - Sizes: [`reduce`] makes automata smaller, by simulations and other relations.
//! - Acceptance: [`convert`] removes `Fin` and simplifies conditions, [`degeneralize`] turns
//!   generalized Büchi automata into Büchi automata; [`strength`] classifies components by the cost
//!   of checking them, and [`decompose`] splits automata by strength.
//! - Languages: [`product`], [`sum`], [`emptiness`] with an accepting [`Run`], [`membership`] of
//!   words, and their [enumeration](accepted_words); [`complement`], [`determinize`] and [`wdba`],
//!   minimal deterministic weak automata; [`language`] compares languages; [`stutter`] decides
//!   stutter-invariance, and [`hierarchy`] the classes of Manna and Pnueli.
//! - [`random`]: automata, acceptance conditions and Kripke structures from a seed.
//!
//! Automata are immutable, so computed properties stay valid. Recursion is only over propositions
//! and acceptance conditions, whose sizes readers limit.

mod acceptance;
pub mod acd;
mod alternating;
#[cfg(any(test, feature = "proptest"))]
pub mod arbitrary;
mod automaton;
pub mod complement;
mod complete;
pub mod constraint;
pub mod convert;
pub mod decompose;
pub mod degeneralize;
pub mod determinize;
pub mod draw;
pub mod emptiness;
mod error;
mod execution;
pub mod formats;
mod generalized;
pub mod graph;
mod headers;
pub mod hierarchy;
pub mod hoa;
mod index;
pub mod isomorphism;
mod kripke;
mod label;
pub mod language;
mod letters;
pub mod mark_cleanup;
mod marks;
pub mod membership;
pub mod parallel;
pub mod placement;
pub mod product;
mod properties;
pub mod prune;
pub mod random;
pub mod reduce;
pub mod renumber;
mod run;
pub mod scc;
pub mod semi_determinize;
mod single_initial;
mod state_based;
pub mod strength;
pub mod stutter;
mod subset;
pub mod sum;
#[cfg(test)]
mod test_language;
#[cfg(test)]
mod test_profiles;
pub mod to_ba;
pub mod transform;
pub mod unread_propositions;
pub mod wdba;
mod words;

pub use acceptance::{Acceptance, Condition, Disjunct, Named, Parity, ParityKind};
pub use alternating::{
    AlternatingAutomaton, AlternatingBuilder, AnyAutomaton, Conjunction, RunLayers, RunNode,
    StateKind, UniversalEdge,
};
pub use automaton::{Automaton, AutomatonBuilder, Edge};
pub use complete::complete;
pub use degeneralize::Degeneralizer;
pub use error::{Error, Place};
pub use execution::Execution;
pub use generalized::GeneralizedBuchi;
pub use headers::Headers;
pub use index::{EdgeId, SccId, StateId};
pub use kripke::Kripke;
pub use label::{Alphabet, Cube, Label};
pub use marks::{Mark, Marks};
pub use properties::SemiDeterminism;
pub use run::Run;
pub use scc::Sccs;
pub use single_initial::single_initial;
pub use state_based::{state_based, state_based_by_guesses};
pub use words::{AcceptedWords, accepted_words};
