//! The file of a certificate by sets: a header of text, then numbers as in
//! [other certificates](sempre_certificate::file).
//!
//! ```text
//! sempre certificate by sets 1
//! model: 85944171f73967e8
//! property: G(a -> Fb)
//! deadlocks: stutter
//! fairness: none
//! variables: 3
//! sets: 4
//! layers: 5
//! ranks: 2
//!
//! ```
//!
//! - For each variable, from the top of diagrams: its number and its number of bits.
//! - For each set of obligations its size, and each number as the difference from the previous one.
//! - For each level of diagrams, from the bottom: the number of its nodes. For each node, the number
//!   of its edges; for each edge, its value as the difference from the previous one, and the number
//!   of a node of the level below. Below the lowest level there is one node.
//! - For each rank: 0 if it has no promise, or else 1 plus the promise.
//! - For each layer: its rank as the difference from the previous one, the number of its set, and
//!   the number of the root of its diagram.
//!
//! Zeros fill the last byte.

use crate::{Layer, Level, SetCertificate};
use sempre_certificate::NONE;
use sempre_certificate::file::{Header, MalformedFile, Reader, malformed, read_set};
use sempre_certificate::obligations::Set;
use sempre_ltl::interrupt;

/// The first line of every certificate by sets.
pub const FIRST_LINE: &str = "sempre certificate by sets 1";

/// The limit on the bits of one variable: guards list values.
pub const MAX_BITS: u32 = 16;

/// The limit on the bits of a state: operations on diagrams recurse as deep.
pub const MAX_DEPTH: u32 = 1 << 16;

/// True if the bytes begin as those of a certificate by sets.
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.strip_prefix(FIRST_LINE.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'\n'))
}

/// Reads a certificate by sets. Arbitrary bytes are either read or refused.
///
/// # Errors
/// If the bytes are no such certificate.
pub fn read(bytes: &[u8]) -> Result<SetCertificate, MalformedFile> {
    let mut header = Header { rest: bytes };
    let claim = header.claim(FIRST_LINE)?;
    let formulas = claim.obligations().formula_count();
    let variable_count = header.count("variables")?;
    let set_count = header.count("sets")?;
    let layer_count = header.count("layers")?;
    let rank_count = header.count("ranks")?;
    let mut bits = header.bits()?;
    let variables = read_variables(&mut bits, variable_count)?;
    let sets: Vec<Set> =
        (0..set_count).map(|_| read_set(&mut bits, formulas)).collect::<Result<_, _>>()?;
    let mut levels: Vec<Level> = Vec::new();
    for (_, width) in variables.iter().rev() {
        let below = levels.last().map_or(1, |level| level.ends.len());
        levels.push(read_level(&mut bits, 1 << width, below)?);
    }
    let roots = levels.last().map_or(1, |level| level.ends.len());
    let mut promises = Vec::new();
    for _ in 0..rank_count {
        promises.push(match bits.number()? {
            0 => NONE,
            promise => u32::try_from(promise - 1).map_err(|_| malformed("a promise"))?,
        });
    }
    let mut layers = Vec::new();
    let mut rank = 0;
    for _ in 0..layer_count {
        interrupt::poll();
        rank += bits.below(rank_count - rank, "a rank")?;
        let set = bits.below(set_count, "a set of obligations")? as u32;
        let root = bits.below(roots, "the root of a diagram")? as u32;
        layers.push(Layer { rank: rank as u32, set, root });
    }
    bits.finish()?;
    Ok(SetCertificate { claim, variables, sets, levels, layers, promises })
}

fn read_variables(bits: &mut Reader<'_>, count: usize) -> Result<Vec<(u32, u32)>, MalformedFile> {
    let mut variables = Vec::new();
    let mut depth = 0;
    for _ in 0..count {
        interrupt::poll();
        let number = bits.below(count, "a variable")? as u32;
        let width = bits.below(MAX_BITS as usize + 1, "the bits of a variable")? as u32;
        depth += width;
        if depth > MAX_DEPTH {
            return Err(malformed("its states have too many bits"));
        }
        variables.push((number, width));
    }
    let mut numbers: Vec<u32> = variables.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    if numbers.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(malformed("a variable occurs twice"));
    }
    Ok(variables)
}

/// Reads the nodes of a level, whose values are below `values`.
fn read_level(bits: &mut Reader<'_>, values: usize, below: usize) -> Result<Level, MalformedFile> {
    let mut level = Level::default();
    for _ in 0..bits.below(NONE as usize, "the number of nodes")? {
        interrupt::poll();
        let mut value = 0;
        for place in 0..bits.number()? {
            let step = bits.below(values - value, "a value")?;
            if place > 0 && step == 0 {
                return Err(malformed("a value occurs twice in a node"));
            }
            value += step;
            level.edges.push((value as u32, bits.below(below, "a node")? as u32));
        }
        let end = u32::try_from(level.edges.len()).map_err(|_| malformed("too many edges"))?;
        level.ends.push(end);
    }
    Ok(level)
}
