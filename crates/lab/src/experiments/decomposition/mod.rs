//! Renault, Duret-Lutz, Kordon, Poitrenaud: Strength-based decomposition of the property Büchi
//! automaton for faster model checking (TACAS 2013).

mod selection;
mod setups;
pub mod study;
mod subject;
pub mod t1;
pub mod t2;
pub mod t3;

const DOCUMENT: &str = "E. Renault, A. Duret-Lutz, F. Kordon, D. Poitrenaud, *Strength-based \
                        decomposition of the property Büchi automaton for faster model checking*, \
                        TACAS 2013";
