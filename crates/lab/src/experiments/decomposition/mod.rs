//! Renault, Duret-Lutz, Kordon, Poitrenaud: Strength-based decomposition of the property Büchi
//! automaton for faster model checking (TACAS 2013).

mod selection;
pub mod t1;
pub mod t3;

const DOCUMENT: &str = "E. Renault, A. Duret-Lutz, F. Kordon, D. Poitrenaud, *Strength-based \
                        decomposition of the property Büchi automaton for faster model checking*, \
                        TACAS 2013";
