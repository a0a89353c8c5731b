//! Bounds of the values that variables can have, so that states take few bits.
//!
//! An abstract interpretation with intervals, after P. Cousot and R. Cousot (1977): from the
//! initial values, every transition adds the values that it may assign, given what its guard says
//! about single variables, until nothing is new. Control is not followed. What keeps growing is
//! rounded up to a power of two, and at last to the bounds of the type, so that a few passes over
//! the model are enough.

use super::model::{Dve, Sync, Target, Term, Transition};
use crate::expression::Binary;
use sempre_ltl::interrupt;

/// The least and the greatest value.
type Range = (i64, i64);

const ANYTHING: Range = (i64::MIN, i64::MAX);

/// The number of exact extensions of a range before it grows faster.
const EXACT_STEPS: u8 = 4;

/// After that many passes what still grows gets the bounds of its type.
const MAX_PASSES: usize = 60;

/// The ranges of all variables, and of the parts of the messages of all channels.
pub(super) struct Ranges {
    /// For each variable; for arrays, of all elements together.
    pub(super) variables: Vec<Range>,
    /// For each channel, as far as something is sent there.
    pub(super) parts: Vec<Vec<Range>>,
}

struct Analysis<'a> {
    dve: &'a Dve,
    ranges: Ranges,
    /// The number of extensions of each range.
    steps: Vec<u8>,
    /// The known range of each variable at this point of the transition, and its age: facts
    /// from an earlier moment do not count.
    here: Vec<(u64, Range)>,
    moment: u64,
    grew: bool,
}

impl Ranges {
    pub(super) fn new(dve: &Dve) -> Self {
        let variables = (dve.variables.iter())
            .map(|variable| {
                let values = variable.initial.iter().copied();
                (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
            })
            .collect();
        let ranges = Ranges { variables, parts: vec![Vec::new(); dve.channels.len()] };
        let steps = vec![0; dve.variables.len()];
        let here = vec![(0, ANYTHING); dve.variables.len()];
        let mut analysis = Analysis { dve, ranges, steps, here, moment: 0, grew: true };
        for pass in 0.. {
            if !analysis.grew {
                break;
            }
            if pass == MAX_PASSES {
                analysis.give_up();
                break;
            }
            analysis.grew = false;
            for transition in dve.processes.iter().flat_map(|process| &process.transitions) {
                interrupt::poll();
                analysis.transition(transition);
            }
        }
        analysis.ranges
    }
}

impl Analysis<'_> {
    /// The bounds of the types are right in any case.
    fn give_up(&mut self) {
        for (variable, range) in self.dve.variables.iter().zip(&mut self.ranges.variables) {
            *range = (variable.least, variable.greatest);
        }
        for (channel, parts) in self.dve.channels.iter().zip(&mut self.ranges.parts) {
            let types = channel.parts.iter().flatten().copied();
            *parts = types.chain(std::iter::repeat(ANYTHING)).take(parts.len()).collect();
        }
    }

    fn transition(&mut self, transition: &Transition) {
        self.moment += 1;
        for term in &transition.guard {
            if !self.assume(term) {
                // The guard holds for none of the values that are known so far.
                return;
            }
        }
        match &transition.sync {
            Sync::None => {}
            Sync::Send { channel, values } => {
                for (index, value) in values.iter().enumerate() {
                    let range = self.term(value);
                    self.send(*channel, index, range);
                }
                if self.dve.channels[*channel].capacity == 0 {
                    // The receiver may have changed variables of the guard.
                    self.moment += 1;
                }
            }
            Sync::Receive { channel, targets } => {
                let parts = self.ranges.parts[*channel].clone();
                for (target, range) in targets.iter().zip(parts) {
                    self.assign(target, range);
                }
            }
        }
        for (target, value) in &transition.effects {
            let range = self.term(value);
            self.assign(target, range);
        }
    }

    fn send(&mut self, channel: usize, index: usize, range: Range) {
        let bounds = self.dve.channels[channel].parts.as_ref().map(|parts| parts[index]);
        let range = bounds.map_or(range, |bounds| fit(range, bounds));
        let parts = &mut self.ranges.parts[channel];
        if parts.len() <= index {
            // Places of messages that are not there hold 0.
            parts.resize(index + 1, (0, 0));
            self.grew = true;
        }
        let hull = (parts[index].0.min(range.0), parts[index].1.max(range.1));
        if hull != parts[index] {
            parts[index] = hull;
            self.grew = true;
        }
    }

    fn assign(&mut self, target: &Target, range: Range) {
        let variable = target.variable;
        let bounds = (self.dve.variables[variable].least, self.dve.variables[variable].greatest);
        let range = fit(range, bounds);
        if target.index.is_none() {
            self.know(variable, range);
        }
        let old = self.ranges.variables[variable];
        let mut hull = (old.0.min(range.0), old.1.max(range.1));
        if hull == old {
            return;
        }
        self.grew = true;
        if self.steps[variable] < EXACT_STEPS {
            self.steps[variable] += 1;
        } else {
            let round = |number: i64| ((number as u64 + 1).next_power_of_two() - 1) as i64;
            if hull.1 > old.1 && hull.1 >= 0 {
                hull.1 = round(hull.1).min(bounds.1);
            }
            if hull.0 < old.0 && hull.0 < 0 {
                hull.0 = (-1 - round(-1 - hull.0)).max(bounds.0);
            }
        }
        self.ranges.variables[variable] = hull;
    }

    fn know(&mut self, variable: usize, range: Range) {
        self.here[variable] = (self.moment, range);
    }

    fn variable(&self, variable: usize) -> Range {
        match self.here[variable] {
            (moment, range) if moment == self.moment => range,
            _ => self.ranges.variables[variable],
        }
    }

    /// Applies a condition to the ranges of variables; false if it cannot hold. Recurses
    /// as deep as terms nest, which the parser limits.
    fn assume(&mut self, term: &Term) -> bool {
        match term {
            Term::And(terms) => terms.iter().all(|term| self.assume(term)),
            Term::Binary(op, left, right) => {
                let (l, r) = (self.term(left), self.term(right));
                let limits = match op {
                    Binary::Less => {
                        Some(((l.0, r.1.saturating_sub(1)), (l.0.saturating_add(1), r.1)))
                    }
                    Binary::LessOrEqual => Some(((l.0, r.1), (l.0, r.1))),
                    Binary::Equal => Some((r, l)),
                    Binary::NotEqual => Some((without(l, r), without(r, l))),
                    _ => None,
                };
                limits.is_none_or(|(of_left, of_right)| {
                    self.limit(left, of_left) && self.limit(right, of_right)
                })
            }
            Term::Not(term) => match &**term {
                Term::Binary(Binary::Equal, left, right) => {
                    let (l, r) = (self.term(left), self.term(right));
                    self.limit(left, without(l, r)) && self.limit(right, without(r, l))
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// Takes over that a term lies in a range; false if it cannot.
    fn limit(&mut self, term: &Term, (least, greatest): Range) -> bool {
        let old = self.term(term);
        let new = (old.0.max(least), old.1.min(greatest));
        if let Term::Variable(variable) = term {
            self.know(*variable, new);
        }
        new.0 <= new.1
    }

    /// The values that a term may have. Recurses as deep as terms nest, which the parser limits.
    fn term(&self, term: &Term) -> Range {
        match term {
            Term::Number(number) => (*number, *number),
            Term::Variable(variable) => self.variable(*variable),
            Term::Element(variable, _) => self.ranges.variables[*variable],
            Term::At(..) | Term::Not(_) | Term::And(_) | Term::Or(_) => (0, 1),
            Term::Complement(term) => {
                let (least, greatest) = self.term(term);
                (!greatest, !least)
            }
            Term::Binary(op, left, right) => {
                binary(*op, self.term(left), self.term(right)).unwrap_or(ANYTHING)
            }
        }
    }
}

/// The values after an assignment: if one of them wraps around, it may be any.
fn fit(range: Range, bounds: Range) -> Range {
    if bounds.0 <= range.0 && range.1 <= bounds.1 { range } else { bounds }
}

/// The range without a single number at its end.
fn without(range: Range, number: Range) -> Range {
    match (number.0 == number.1, number.0 == range.0, number.0 == range.1) {
        (true, true, false) => (range.0 + 1, range.1),
        (true, false, true) => (range.0, range.1 - 1),
        // Not even that number is left; any empty range will do.
        (true, true, true) => (1, 0),
        _ => range,
    }
}

/// The values of the operator for operands in these ranges; nothing if they may be too large.
fn binary(op: Binary, left: Range, right: Range) -> Option<Range> {
    let corners = |apply: fn(i64, i64) -> Option<i64>| {
        let mut range = (i64::MAX, i64::MIN);
        for l in [left.0, left.1] {
            for r in [right.0, right.1] {
                let value = apply(l, r)?;
                range = (range.0.min(value), range.1.max(value));
            }
        }
        Some(range)
    };
    let natural = left.0 >= 0 && right.0 >= 0;
    Some(match op {
        Binary::Add => (left.0.checked_add(right.0)?, left.1.checked_add(right.1)?),
        Binary::Subtract => (left.0.checked_sub(right.1)?, left.1.checked_sub(right.0)?),
        Binary::Multiply => corners(i64::checked_mul)?,
        Binary::Divide if right.0 > 0 => corners(i64::checked_div)?,
        Binary::Divide => {
            let most = left.0.checked_abs()?.max(left.1.checked_abs()?);
            (-most, most)
        }
        Binary::Remainder => {
            let most = (right.0.checked_abs()?.max(right.1.checked_abs()?) - 1).max(0);
            (left.0.clamp(-most, 0), left.1.clamp(0, most))
        }
        Binary::Less | Binary::LessOrEqual | Binary::Equal | Binary::NotEqual => (0, 1),
        Binary::BitAnd if left.0 >= 0 || right.0 >= 0 => {
            let natural = [left, right].into_iter().filter(|range| range.0 >= 0);
            (0, natural.map(|range| range.1).min()?)
        }
        Binary::BitOr | Binary::BitXor if natural => {
            let most = left.1.max(right.1) as u64;
            (0, (most + 1).next_power_of_two().checked_sub(1)? as i64)
        }
        Binary::ShiftLeft if natural && right.1 < 32 && left.1 < 1 << 31 => {
            (left.0 << right.0, left.1 << right.1)
        }
        Binary::ShiftRight => (left.0.min(0), left.1.max(0)),
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::ShiftLeft => return None,
    })
}
