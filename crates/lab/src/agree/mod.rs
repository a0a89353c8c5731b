//! Long runs that compare engines with each other, by seed.

pub mod testing;
pub mod translation;
