//! Measurements of this project's own: counts and verdicts beside known ones, sizes beside those of
//! other tools.

pub mod beem;
pub mod complements;
pub mod contest;
pub mod counting;
pub mod exploration;
pub mod hybrid;
pub mod orders;
pub mod reduction;
pub mod tgta;
pub mod translation;
pub mod verdicts;
