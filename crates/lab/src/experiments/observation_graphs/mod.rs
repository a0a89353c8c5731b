//! K. Klai and D. Poitrenaud, MC-SOG: an LTL model checker based on symbolic observation graphs (2008).

mod report;
pub mod t1_t2;
