//! A. E. Ben Salem, Improving the model checking of stutter-invariant LTL properties (2014).
//!
//! E1 to E4 search explicit products (`measure`, `report`), with several kinds of automata
//! (`approach`); E5 uses the symbolic engine; E6 to E8 use graphs of aggregates (`hybrid`). `shapes` studies
//! sizes of products by the shape of formulas.

mod approach;
pub mod e1;
pub mod e2;
pub mod e3;
pub mod e4;
pub mod e5;
pub mod hybrid;
mod hybrid_report;
mod measure;
mod report;
pub mod shapes;

const DOCUMENT: &str = "A. E. Ben Salem, *Improving the model checking of stutter-invariant LTL \
                        properties*, PhD thesis, UPMC Paris 6, 2014";
