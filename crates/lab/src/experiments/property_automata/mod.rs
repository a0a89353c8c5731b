//! F. Blahoudek, Automata for formal methods: little steps towards perfection (dissertation, 2018).
//!
//! E1 measures nested searches with automata of several translators (`claims`), in Spin (`spin`) and in
//! ours; E2 compares these automata and their products. E3 refines automata under exclusive sets
//! (`e3`); `facts` lists and proves the facts that our detectors find in models. E4 compares ways from
//! formulas to deterministic automata (`e4`), with measurements and tables
//! (`metrics`); `mmaa` measures the construction of Chapter 5 alone. E5 makes semi-deterministic and cut-deterministic automata of formulas, E6
//! complements semi-deterministic automata.

mod claims;
pub mod e1;
pub mod e2;
pub mod e3;
pub mod e4;
pub mod e5;
pub mod e6;
pub mod facts;
mod metrics;
pub mod mmaa;
mod spin;

const DOCUMENT: &str = "F. Blahoudek, *Automata for formal methods: little steps towards \
                        perfection*, dissertation, Masaryk University, 2018";
