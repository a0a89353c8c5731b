//! Explicit-state exploration: stores of packed states, searches, paths.
//!
//! A [`Store`](store::Store) gives numbers to the states of a
//! [`System`](sempre_models::System): [`Arena`](store::Arena) keeps them as they are and is the
//! fastest, [`Tree`](store::Tree) compresses them. The searches of [`explore`] are compiled for
//! the system and the store; they count, find shortest paths, and end honestly at
//! [limits](explore::Limits).

pub mod explore;
pub mod store;
