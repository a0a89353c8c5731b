//! Explicit-state exploration: stores of packed states, searches, paths.
