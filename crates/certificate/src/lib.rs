//! Certificates of properties that hold.
//!
//! A counterexample is replayed. A certificate is the evidence for the other verdict: a table of
//! nodes that a short program accepts or rejects, without translation, reduction or search.
//!
//! Let ψ be the negation of the property, over literals, ∧, ∨, X, U and R. A node is a state of the
//! model and a set Γ of [obligations]: formulas that the rest of a run must satisfy for the whole
//! run to satisfy ψ. Each node has a rank, and each rank at most one promise: an until of ψ. The
//! [checker](check()) accepts the table if
//!
//! 1. it has every initial state with Γ = {ψ}, and
//! 2. for every node of rank k, every alternative of the expansion of Γ in the state and every
//!    successor of the state: it has the next node, with a rank of at most k; and if that rank is
//!    k, the alternative postpones the promise of k.
//!
//! Then no run satisfies ψ: if one did, some choice of alternatives on it would postpone no until
//! for ever. But ranks never increase, so they are constant from some point on. From there, every
//! step postpones the promise of that rank.
//!
//! The checker uses the readers of models, their [plain interpreters](sempre_models::plain) and the
//! syntax of formulas. The search that fills a table is not trusted, and not part of this crate.

mod certificate;
mod check;
pub mod file;
pub mod obligations;
pub mod table;

pub use certificate::{Certificate, Claim, Deadlocks, Fair, NONE, fingerprint};
pub use check::{Condition, Rejection, check};
pub use file::{MalformedFile, read};
pub use obligations::Obligations;
