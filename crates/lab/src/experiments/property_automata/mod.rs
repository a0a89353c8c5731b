//! F. Blahoudek, Automata for formal methods: little steps towards perfection (2018).
//!
//! E4 compares ways from formulas to deterministic automata (`e4`), with measurements and tables
//! (`metrics`).

pub mod e4;
mod metrics;

const DOCUMENT: &str = "F. Blahoudek, *Automata for formal methods: little steps towards \
                        perfection*, Masaryk University, Brno, 2018";
