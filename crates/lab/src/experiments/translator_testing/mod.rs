//! H. Tauriainen, Automated testing of Büchi automata translators for linear temporal logic
//! (HUT-TCS-A66, 2000).
//!
//! E1 and E2 compare translators: sizes of automata (`sizes`) and failed tests (`comparisons`). E3
//! and E4 depend on the density of structures (`density`). E5 is a single error, E6 the distribution
//! of operators.

mod comparisons;
mod density;
pub mod e1;
pub mod e2;
pub mod e3;
pub mod e4;
pub mod e5;
pub mod e6;
mod sizes;

const DOCUMENT: &str = "H. Tauriainen, *Automated testing of Büchi automata translators for linear \
                        temporal logic*, HUT-TCS-A66, Helsinki University of Technology, 2000";
