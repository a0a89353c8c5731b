//! The file of a certificate: a header of text, then numbers.
//!
//! ```text
//! sempre certificate 1
//! model: 85944171f73967e8
//! property: G(a -> Fb)
//! deadlocks: stutter
//! fairness: none
//! variables: 3
//! sets: 4
//! nodes: 100
//! ranks: 7
//!
//! ```
//!
//! After the empty line comes a stream of bits, the most significant bit of each byte first. A
//! number with n significant bits is written as n zeros, a one, and its bits below the highest one:
//! 0 is `1`, 1 is `01`, 2 is `0010`. A signed number z is written as 2z, or as -2z - 1 if it is
//! negative.
//!
//! - For each variable its least value (signed) and its number of bits.
//! - For each set of obligations its size, and each number as the difference from the previous one.
//! - For each node, in ascending order of ranks:
//!   - 0 if it has the rank of the previous node; otherwise 1, followed by 0 if the new rank has no
//!     promise, or else by 1 plus the promise;
//!   - the number of the set;
//!   - the number of variables that differ from the previous node (for the first node: from their
//!     least values);
//!   - for each of these, the number of variables between it and the one before, and its new value
//!     minus the old one (signed).
//!
//! Zeros fill the last byte.

use crate::certificate::{Certificate, Claim, Deadlocks, Fair, NONE};
use crate::obligations::Set;
use crate::table::Rows;
use sempre_ltl::{Formula, interrupt};

/// The first line of every certificate.
pub const FIRST_LINE: &str = "sempre certificate 1";

/// The error for a file that is not a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no certificate: {0}")]
pub struct MalformedFile(String);

/// Reads a certificate. Arbitrary bytes are either read or refused.
///
/// # Errors
/// If the bytes are no certificate.
pub fn read(bytes: &[u8]) -> Result<Certificate, MalformedFile> {
    let mut header = Header { rest: bytes };
    let claim = header.claim(FIRST_LINE)?;
    let formulas = claim.obligations().formula_count();
    let variables = header.count("variables")?;
    let sets = header.count("sets")?;
    let nodes = header.count("nodes")?;
    let rank_count = header.count("ranks")?;
    let mut bits = header.bits()?;
    let mut columns = Vec::new();
    for _ in 0..variables {
        let least = bits.signed()?;
        let width = u32::try_from(bits.number()?).ok().filter(|width| *width <= 64);
        columns.push((least, width.ok_or_else(|| malformed("a variable has too many bits"))?));
    }
    let sets: Vec<Set> =
        (0..sets).map(|_| read_set(&mut bits, formulas)).collect::<Result<_, _>>()?;
    columns.push((0, usize::BITS - sets.len().leading_zeros()));
    let mut rows = Rows::new(columns.iter().copied());
    let (mut ranks, mut promises): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut values: Vec<i64> = columns.iter().map(|(least, _)| *least).collect();
    let mut packed = Vec::new();
    for row in 0..nodes {
        interrupt::poll();
        match bits.number()? {
            0 if row > 0 => {}
            1 => promises.push(match bits.number()? {
                0 => NONE,
                promise => u32::try_from(promise - 1).map_err(|_| malformed("a promise"))?,
            }),
            _ => return Err(malformed("a node is in no rank")),
        }
        ranks.push(promises.len() as u32 - 1);
        let set = bits.below(sets.len(), "a set of obligations")?;
        values[variables] = set as i64;
        let mut next = 0;
        for _ in 0..bits.number()? {
            let place = next + bits.below(variables.saturating_sub(next), "a variable")?;
            values[place] = values[place].wrapping_add(bits.signed()?);
            next = place + 1;
        }
        if rows.pack(&values, &mut packed).is_err() {
            return Err(malformed("a value is outside of the range of its variable"));
        }
        rows.push(&packed);
    }
    if promises.len() != rank_count {
        return Err(malformed("the number of ranks is wrong"));
    }
    bits.finish()?;
    Ok(Certificate { claim, sets, rows, ranks, promises })
}

/// Reads a set of obligations, given the number of formulas.
///
/// # Errors
/// If there is none.
pub fn read_set(bits: &mut Reader<'_>, formulas: usize) -> Result<Set, MalformedFile> {
    let mut set = Vec::new();
    let mut before = 0;
    for place in 0..bits.number()? {
        let formula = before + bits.below(formulas - before, "an obligation")?;
        if place > 0 && formula == before {
            return Err(malformed("an obligation occurs twice in a set"));
        }
        set.push(formula as u32);
        before = formula;
    }
    Ok(set.into())
}

/// Returns the error with this reason.
pub fn malformed(message: impl Into<String>) -> MalformedFile {
    MalformedFile(message.into())
}

fn find<T: Copy>(names: &[(&'static str, T)], text: &str) -> Result<T, MalformedFile> {
    let found = names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    found.ok_or_else(|| malformed(format!("`{text}` is not known")))
}

/// The lines of a header.
pub struct Header<'a> {
    /// The bytes that were not read.
    pub rest: &'a [u8],
}

impl<'a> Header<'a> {
    /// Reads the first line and the lines of a claim.
    ///
    /// # Errors
    /// If one of them is missing or malformed.
    pub fn claim(&mut self, first: &str) -> Result<Claim, MalformedFile> {
        if self.line()? != first {
            return Err(malformed(format!("it does not begin with `{first}`")));
        }
        let hash = self.value("model")?;
        let model = u64::from_str_radix(hash, 16).ok().filter(|_| hash.len() == 16);
        let model = model.ok_or_else(|| malformed("the hash of the model is no number"))?;
        let property: Result<Formula, _> = self.value("property")?.parse();
        let property = property.map_err(|error| malformed(format!("the property: {error}")))?;
        let deadlocks = find(&Deadlocks::NAMES, self.value("deadlocks")?)?;
        let fair = find(&Fair::NAMES, self.value("fairness")?)?;
        Ok(Claim { model, property, deadlocks, fair })
    }

    /// Reads the empty line at the end, and returns the numbers after it.
    ///
    /// # Errors
    /// If there is another line.
    pub fn bits(mut self) -> Result<Reader<'a>, MalformedFile> {
        let is_end = self.line()?.is_empty();
        let bits = is_end.then_some(Reader { bytes: self.rest, place: 0 });
        bits.ok_or_else(|| malformed("expected an empty line after the header"))
    }

    fn line(&mut self) -> Result<&'a str, MalformedFile> {
        let end = self.rest.iter().position(|byte| *byte == b'\n');
        let end = end.ok_or_else(|| malformed("the header ends too early"))?;
        let line = std::str::from_utf8(&self.rest[..end]);
        self.rest = &self.rest[end + 1..];
        line.map_err(|_| malformed("the header is no text"))
    }

    fn value(&mut self, key: &str) -> Result<&'a str, MalformedFile> {
        let line = self.line()?;
        let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(": "));
        value.ok_or_else(|| malformed(format!("expected `{key}: ` in the header")))
    }

    /// Reads a line with a number that fits into 32 bits.
    ///
    /// # Errors
    /// If it is another line.
    pub fn count(&mut self, key: &str) -> Result<usize, MalformedFile> {
        let value = self.value(key)?;
        // The number of a node has 32 bits.
        let count = value.parse().ok().filter(|count| *count < NONE as usize);
        count.ok_or_else(|| malformed(format!("the number of {key} is wrong")))
    }
}

/// Reads numbers from bits.
pub struct Reader<'a> {
    bytes: &'a [u8],
    /// The number of bits that were read.
    place: usize,
}

impl Reader<'_> {
    fn bit(&mut self) -> Result<bool, MalformedFile> {
        let byte = self.bytes.get(self.place / 8);
        let byte = byte.ok_or_else(|| malformed("it ends too early"))?;
        let bit = byte >> (7 - self.place % 8) & 1 == 1;
        self.place += 1;
        Ok(bit)
    }

    /// Reads a number.
    ///
    /// # Errors
    /// If the file ends, or the number is too large.
    pub fn number(&mut self) -> Result<u64, MalformedFile> {
        let mut length = 0;
        while !self.bit()? {
            length += 1;
            if length > u64::BITS {
                return Err(malformed("a number has more than 64 bits"));
            }
        }
        let mut number = u64::from(length > 0);
        for _ in 1..length {
            number = number << 1 | u64::from(self.bit()?);
        }
        Ok(number)
    }

    fn signed(&mut self) -> Result<i64, MalformedFile> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Reads a number below `end`.
    ///
    /// # Errors
    /// If it is not.
    pub fn below(&mut self, end: usize, noun: &str) -> Result<usize, MalformedFile> {
        let number = usize::try_from(self.number()?).ok().filter(|number| *number < end);
        number.ok_or_else(|| malformed(format!("{noun} has a number that is too large")))
    }

    /// Checks that fewer than 8 bits remain, all of them zero.
    ///
    /// # Errors
    /// If there is more.
    pub fn finish(mut self) -> Result<(), MalformedFile> {
        let rest = self.bytes.len() * 8 - self.place;
        if rest >= 8 || (0..rest).any(|_| self.bit() != Ok(false)) {
            return Err(malformed("something follows its end"));
        }
        Ok(())
    }
}
