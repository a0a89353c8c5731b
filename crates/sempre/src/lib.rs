//! Sempre: checking systems against linear-time temporal logic.

pub use sempre_ltl as ltl;
