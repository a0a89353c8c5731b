//! Stuttering: whether a language is closed under repeating and merging equal adjacent letters.
//!
//! The constructions are those of Michaud and Duret-Lutz, Practical stutter-invariance checks for
//! ω-regular languages (SPIN 2015): [`closure`] merges repeated letters, [`self_loopize`] repeats
//! letters. A language is stutter-invariant exactly if its closure and that of its complement are
//! disjoint. [`invariance`] decides this on labels, and returns two words as witness that differ
//! only in repetitions.
//!
//! ```
//! use sempre_automata::{hoa, stutter};
//! use stutter::Invariance;
//!
//! // a & X b, and its negation.
//! let next = hoa::parse(
//!     r#"HOA: v1 States: 3 Start: 0 AP: 2 "a" "b" Acceptance: 0 t
//!     --BODY-- State: 0 [0] 1 State: 1 [1] 2 State: 2 [t] 2 --END--"#,
//! )?;
//! let not_next = hoa::parse(
//!     r#"HOA: v1 States: 3 Start: 0 AP: 2 "a" "b" Acceptance: 0 t
//!     --BODY-- State: 0 [0] 1 [!0] 2 State: 1 [!1] 2 State: 2 [t] 2 --END--"#,
//! )?;
//! let (next, not_next) = (next.nondeterministic().unwrap(), not_next.nondeterministic().unwrap());
//! let Invariance::Sensitive(words) = stutter::invariance_given_complement(&next, &not_next)
//! else { panic!() };
//! assert!(stutter::are_equivalent(&words.accepted, &words.rejected));
//! assert_ne!(words.accepted, words.rejected);
//! # Ok::<(), sempre_automata::Error>(())
//! ```

mod closure;
mod invariance;
mod self_loop;
mod word;

pub use closure::closure;
pub use invariance::{Invariance, StutteringWords, invariance, invariance_given_complement};
pub use self_loop::self_loopize;
pub use word::{are_equivalent, without_repetitions};
