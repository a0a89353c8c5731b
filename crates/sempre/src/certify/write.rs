//! The writer of certificates, in the format of [`sempre_certificate::file`].

use sempre_certificate::file::FIRST_LINE;
use sempre_certificate::obligations::Set;
use sempre_certificate::{Certificate, Claim, NONE};
use sempre_certificate_sets::SetCertificate;
use sempre_ltl::interrupt;
use std::io;

/// Writes a certificate. Its bytes depend on the certificate alone.
///
/// # Errors
/// If writing fails.
pub fn write(certificate: &Certificate, out: &mut impl io::Write) -> io::Result<()> {
    let Certificate { claim, sets, rows, ranks, promises } = certificate;
    let columns = &rows.columns()[..rows.columns().len() - 1];
    write_claim(out, FIRST_LINE, claim)?;
    writeln!(out, "variables: {}\nsets: {}\nnodes: {}", columns.len(), sets.len(), ranks.len())?;
    writeln!(out, "ranks: {}\n", promises.len())?;
    let mut bits = Writer { out, byte: 0, used: 0 };
    for column in columns {
        bits.signed(column.least)?;
        bits.number(u64::from(column.bits))?;
    }
    bits.sets(sets)?;
    let mut before: Vec<i64> = columns.iter().map(|column| column.least).collect();
    let mut values = Vec::new();
    let mut rank = None;
    for (row, own) in ranks.iter().enumerate() {
        interrupt::poll();
        bits.number(u64::from(rank != Some(*own)))?;
        if rank != Some(*own) {
            rank = Some(*own);
            bits.promise(promises[*own as usize])?;
        }
        rows.unpack(row, &mut values);
        bits.number(values.pop().unwrap_or_default() as u64)?;
        let differs = |place: &usize| before[*place] != values[*place];
        let changed: Vec<usize> = (0..columns.len()).filter(differs).collect();
        bits.number(changed.len() as u64)?;
        let mut next = 0;
        for place in changed {
            bits.number((place - next) as u64)?;
            bits.signed(values[place].wrapping_sub(before[place]))?;
            next = place + 1;
        }
        std::mem::swap(&mut before, &mut values);
    }
    bits.finish()
}

/// Writes a certificate by sets. Its bytes depend on the certificate alone.
///
/// # Errors
/// If writing fails.
pub fn write_sets(certificate: &SetCertificate, out: &mut impl io::Write) -> io::Result<()> {
    let SetCertificate { claim, variables, sets, levels, layers, promises } = certificate;
    write_claim(out, sempre_certificate_sets::file::FIRST_LINE, claim)?;
    writeln!(out, "variables: {}\nsets: {}", variables.len(), sets.len())?;
    writeln!(out, "layers: {}\nranks: {}\n", layers.len(), promises.len())?;
    let mut bits = Writer { out, byte: 0, used: 0 };
    for (variable, width) in variables {
        bits.number(u64::from(*variable))?;
        bits.number(u64::from(*width))?;
    }
    bits.sets(sets)?;
    for level in levels {
        bits.number(level.ends.len() as u64)?;
        for node in level.nodes() {
            interrupt::poll();
            bits.number(node.len() as u64)?;
            let mut before = 0;
            for (value, child) in node {
                bits.number(u64::from(value - before))?;
                bits.number(u64::from(*child))?;
                before = *value;
            }
        }
    }
    for promise in promises {
        bits.promise(*promise)?;
    }
    let mut before = 0;
    for layer in layers {
        bits.number(u64::from(layer.rank - before))?;
        bits.number(u64::from(layer.set))?;
        bits.number(u64::from(layer.root))?;
        before = layer.rank;
    }
    bits.finish()
}

/// Writes the first lines of a header.
fn write_claim(out: &mut impl io::Write, first: &str, claim: &Claim) -> io::Result<()> {
    let Claim { model, property, deadlocks, fair } = claim;
    writeln!(out, "{first}\nmodel: {model:016x}\nproperty: {property}")?;
    writeln!(out, "deadlocks: {}\nfairness: {}", deadlocks.name(), fair.name())
}

/// Writes numbers as bits.
struct Writer<'a, W> {
    out: &'a mut W,
    byte: u8,
    used: u32,
}

impl<W: io::Write> Writer<'_, W> {
    fn bit(&mut self, bit: bool) -> io::Result<()> {
        self.byte = self.byte << 1 | u8::from(bit);
        self.used += 1;
        if self.used == 8 {
            self.out.write_all(&[self.byte])?;
            (self.byte, self.used) = (0, 0);
        }
        Ok(())
    }

    fn number(&mut self, number: u64) -> io::Result<()> {
        let length = u64::BITS - number.leading_zeros();
        for _ in 0..length {
            self.bit(false)?;
        }
        self.bit(true)?;
        for place in (0..length.saturating_sub(1)).rev() {
            self.bit(number >> place & 1 == 1)?;
        }
        Ok(())
    }

    fn signed(&mut self, number: i64) -> io::Result<()> {
        self.number((number << 1 ^ number >> 63) as u64)
    }

    fn sets(&mut self, sets: &[Set]) -> io::Result<()> {
        for set in sets {
            self.number(set.len() as u64)?;
            let mut before = 0;
            for formula in set {
                self.number(u64::from(formula - before))?;
                before = *formula;
            }
        }
        Ok(())
    }

    fn promise(&mut self, promise: u32) -> io::Result<()> {
        self.number(if promise == NONE { 0 } else { u64::from(promise) + 1 })
    }

    fn finish(mut self) -> io::Result<()> {
        while self.used != 0 {
            self.bit(false)?;
        }
        self.out.flush()
    }
}
