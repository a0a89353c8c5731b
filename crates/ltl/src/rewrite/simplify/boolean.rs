//! The Boolean skeleton of a formula, exactly: one bit per valuation of its atoms.
//!
//! The atoms of a skeleton are propositions and temporal formulas; an atom and its negation are
//! recognized. With at most six atoms, the skeleton's truth table is one machine word. It decides
//! tautologies, implications and small covers. Covers are irredundant sums of products, by the
//! recursion of Minato and Morreale.

use super::implication::Implications;
use crate::{Formula, Op, Traits};

/// With 6 atoms a truth table fits in 64 bits.
const MAX_ATOMS: usize = 6;

/// Skeletons with more nodes than this are not tabulated.
const MAX_NODES: usize = 64;

/// The truth tables of the atoms.
const COLUMNS: [u64; MAX_ATOMS] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Whether `f` implies `g`. Exact if both are Boolean. Otherwise `Some(true)` if their skeletons
/// show it, and `None` if they are too large or inconclusive.
pub(super) fn implies(f: &Formula, g: &Formula, implications: &mut Implications) -> Option<bool> {
    let mut skeleton = Skeleton::new(implications);
    let shown = skeleton.table(f)? & !skeleton.table(g)? == 0;
    (shown || (f.traits() & g.traits()).contains(Traits::BOOLEAN)).then_some(shown)
}

/// Returns the constant that is equivalent to the skeleton of a formula, if there is one.
pub(super) fn constant(f: &Formula, implications: &mut Implications) -> Option<bool> {
    match Skeleton::new(implications).table(f)? {
        0 => Some(false),
        u64::MAX => Some(true),
        _ => None,
    }
}

/// A smaller formula with an equivalent skeleton: a sum of products or a product of sums.
pub(super) fn smaller(f: &Formula, implications: &mut Implications) -> Option<Formula> {
    let mut skeleton = Skeleton::new(implications);
    let table = skeleton.table(f)?;
    let candidates = [skeleton.cover(table, Op::Or), skeleton.cover(table, Op::And)];
    candidates.into_iter().filter(|g| g.size() < f.size()).min_by_key(Formula::size)
}

struct Skeleton<'a> {
    implications: &'a mut Implications,
    atoms: Vec<Formula>,
    nodes: usize,
}

impl<'a> Skeleton<'a> {
    fn new(implications: &'a mut Implications) -> Self {
        Skeleton { implications, atoms: vec![], nodes: 0 }
    }

    /// The recursion is bounded by the number of nodes.
    fn table(&mut self, f: &Formula) -> Option<u64> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        let children = f.children();
        Some(match (f.op(), children) {
            (Op::True, _) => u64::MAX,
            (Op::False, _) => 0,
            (Op::Not, [g]) => !self.table(g)?,
            (Op::Implies, [g, h]) => !self.table(g)? | self.table(h)?,
            (Op::Iff, [g, h]) => !(self.table(g)? ^ self.table(h)?),
            (Op::Xor, [g, h]) => self.table(g)? ^ self.table(h)?,
            (Op::And, _) => children.iter().try_fold(u64::MAX, |t, g| Some(t & self.table(g)?))?,
            (Op::Or, _) => children.iter().try_fold(0, |t, g| Some(t | self.table(g)?))?,
            _ => self.atom(f)?,
        })
    }

    fn atom(&mut self, f: &Formula) -> Option<u64> {
        if let Some(place) = self.atoms.iter().position(|atom| atom == f) {
            return Some(COLUMNS[place]);
        }
        if f.op() != Op::Prop {
            let negation = self.implications.negation(f);
            if let Some(place) = self.atoms.iter().position(|atom| *atom == negation) {
                return Some(!COLUMNS[place]);
            }
        }
        let column = *COLUMNS.get(self.atoms.len())?;
        self.atoms.push(f.clone());
        Some(column)
    }

    /// Converts the table to a disjunction of conjunctions (`outer` is `Or`) or vice versa.
    fn cover(&mut self, table: u64, outer: Op) -> Formula {
        let (table, inner) = match outer {
            Op::Or => (table, Op::And),
            _ => (!table, Op::Or),
        };
        let mut cubes = vec![];
        irredundant_cover(table, table, self.atoms.len(), &mut cubes);
        let terms: Vec<Formula> = cubes
            .into_iter()
            .map(|cube| {
                let literals = (0..self.atoms.len()).filter_map(|i| {
                    let positive = cube.positive >> i & 1 == 1;
                    let negative = cube.negative >> i & 1 == 1;
                    // In a product of sums every literal is negated.
                    match (positive || negative, positive == (outer == Op::Or)) {
                        (false, _) => None,
                        (true, true) => Some(self.atoms[i].clone()),
                        (true, false) => Some(self.implications.negation(&self.atoms[i])),
                    }
                });
                Formula::new(inner, literals.collect::<Vec<_>>())
            })
            .collect();
        Formula::new(outer, terms)
    }
}

#[derive(Clone, Copy, Default)]
struct Cube {
    positive: u8,
    negative: u8,
}

/// Adds to `cubes` an irredundant set of cubes whose union lies between `lower` and `upper`,
/// and returns that union; only the first `atoms` columns matter.
fn irredundant_cover(lower: u64, upper: u64, atoms: usize, cubes: &mut Vec<Cube>) -> u64 {
    if lower == 0 {
        return 0;
    }
    if upper == u64::MAX {
        cubes.push(Cube::default());
        return u64::MAX;
    }
    // Neither table is constant, so some column matters.
    let last = atoms - 1;
    let (column, shift) = (COLUMNS[last], 1 << last);
    let when_false = |t: u64| (t & !column) | (t & !column) << shift;
    let when_true = |t: u64| (t & column) | (t & column) >> shift;
    let (l0, l1, u0, u1) =
        (when_false(lower), when_true(lower), when_false(upper), when_true(upper));

    let start = cubes.len();
    let f0 = irredundant_cover(l0 & !u1, u0, last, cubes);
    cubes[start..].iter_mut().for_each(|cube| cube.negative |= 1 << last);
    let start = cubes.len();
    let f1 = irredundant_cover(l1 & !u0, u1, last, cubes);
    cubes[start..].iter_mut().for_each(|cube| cube.positive |= 1 << last);
    let both = irredundant_cover((l0 & !f0) | (l1 & !f1), u0 & u1, last, cubes);
    (f0 & !column) | (f1 & column) | both
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smaller_text(text: &str) -> Option<String> {
        let f: Formula = text.parse().unwrap();
        smaller(&f, &mut Implications::default()).map(|g| g.to_string())
    }

    #[test]
    fn covers_are_small() {
        for (formula, expected) in [
            ("(!a & b) | (!a & !b)", Some("!a")),
            ("(a & XFb) | (!a & XFb)", Some("XFb")),
            ("(a & Fb) | (a & Gc) | (a & G!b)", Some("a")),
            ("(a | b) & (a | c)", Some("a | (b & c)")),
            ("(a & b) | (!a & !b)", None),
            ("(a | b) & (a | !b | c) & (a | c | d)", Some("a | (b & c)")),
        ] {
            assert_eq!(smaller_text(formula).as_deref(), expected, "{formula}");
        }
    }

    /// Every function of three variables, and many of six.
    #[test]
    fn covers_are_exact() {
        let mut six = 0x0123_4567_89ab_cdef_u64;
        let mut tables: Vec<(u64, usize)> =
            (0..256).map(|t| (t * 0x0101_0101_0101_0101, 3)).collect();
        for _ in 0..1000 {
            six =
                six.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            tables.push((six ^ six >> 31, 6));
        }
        for (table, atoms) in tables {
            let mut cubes = vec![];
            assert_eq!(irredundant_cover(table, table, atoms, &mut cubes), table);
            let value = |cube: &Cube| {
                (0..atoms).fold(u64::MAX, |t, i| {
                    let column = COLUMNS[i];
                    let t = if cube.positive >> i & 1 == 1 { t & column } else { t };
                    if cube.negative >> i & 1 == 1 { t & !column } else { t }
                })
            };
            assert_eq!(cubes.iter().fold(0, |t, cube| t | value(cube)), table);
            for left_out in 0..cubes.len() {
                let others = cubes.iter().enumerate().filter(|(i, _)| *i != left_out);
                assert_ne!(others.fold(0, |t, (_, cube)| t | value(cube)), table, "redundant cube");
            }
        }
    }
}
