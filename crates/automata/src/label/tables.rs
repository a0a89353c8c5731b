//! Truth tables over six variables in one machine word.

use super::Label;
use super::algebra::Algebra;

pub(super) const MAX_PROPS: usize = 6;

/// The truth tables of the variables: bit `v` is the value in valuation `v`.
const COLUMNS: [u64; MAX_PROPS] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The stateless algebra of truth tables.
pub(super) struct Tables;

fn halves(table: u64, variable: usize) -> (u64, u64) {
    let (column, shift) = (COLUMNS[variable], 1 << variable);
    let (low, high) = (table & !column, table & column);
    (low | low << shift, high | high >> shift)
}

impl Algebra for Tables {
    fn constant(&self, value: bool) -> Label {
        Label(if value { u64::MAX } else { 0 })
    }

    fn variable(&mut self, index: usize) -> Label {
        Label(COLUMNS[index])
    }

    fn and(&mut self, left: Label, right: Label) -> Label {
        Label(left.0 & right.0)
    }

    fn or(&mut self, left: Label, right: Label) -> Label {
        Label(left.0 | right.0)
    }

    fn not(&mut self, label: Label) -> Label {
        Label(!label.0)
    }

    fn cube(&mut self, literals: &[(usize, bool)]) -> Label {
        let literal = |&(index, positive): &(usize, bool)| {
            if positive { COLUMNS[index] } else { !COLUMNS[index] }
        };
        Label(literals.iter().map(literal).fold(u64::MAX, |l, r| l & r))
    }

    fn top(&self, label: Label) -> Option<usize> {
        (0..MAX_PROPS).find(|&variable| {
            let (low, high) = halves(label.0, variable);
            low != high
        })
    }

    fn cofactors(&self, label: Label, variable: usize) -> (Label, Label) {
        let (low, high) = halves(label.0, variable);
        (Label(low), Label(high))
    }
}
