//! Simplification.
