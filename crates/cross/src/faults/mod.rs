//! Participants with known faults, which the tests must find.
//!
//! The faults are those reported by H. Tauriainen (HUT-TCS-A66, 2000) and in the literature:
//! automata that accept too much, too little, or systematically something else.

mod gpvw;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use sempre_automata::Automaton;
use sempre_ltl::{Formula, Op, Prop, rewrite, transform};

use crate::participant::{Failure, Limits, Participant, Tool};
use gpvw::Slip;

/// A known fault of a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// None: the correct construction behind the others.
    None,
    /// There are no acceptance sets.
    NoAcceptance,
    /// Only one acceptance set is kept.
    OneAcceptanceSet,
    /// `a R b` is released by `a` where `b` does not hold.
    ReleaseWithoutB,
    /// Acceptance sets lack the nodes without an open until.
    FulfilledOnly,
    /// `a R b` is never released.
    ReleaseNever,
    /// `X f` is taken for `f`.
    NextAsIdentity,
    /// `p1` is taken for `p0`.
    P1IsP0,
    /// `true` is not recorded, so that `GF true` is rejected.
    TrueUnrecorded,
    /// Merges nodes with different obligations.
    MergedNodes,
    /// Accepts no word.
    Empty,
    /// Accepts every word.
    Universal,
    /// Translates the negation.
    Negated,
    /// As in Spin 3.4.1: in `G(c & (a U (b & Fc)))` the until cannot be fulfilled immediately.
    RedundantUntil,
}

impl Fault {
    /// All faults.
    pub const ALL: [Fault; 14] = [
        Fault::None,
        Fault::NoAcceptance,
        Fault::OneAcceptanceSet,
        Fault::ReleaseWithoutB,
        Fault::FulfilledOnly,
        Fault::ReleaseNever,
        Fault::NextAsIdentity,
        Fault::P1IsP0,
        Fault::TrueUnrecorded,
        Fault::MergedNodes,
        Fault::Empty,
        Fault::Universal,
        Fault::Negated,
        Fault::RedundantUntil,
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Fault::None => "none",
            Fault::NoAcceptance => "no-acceptance",
            Fault::OneAcceptanceSet => "one-acceptance-set",
            Fault::ReleaseWithoutB => "release-without-b",
            Fault::FulfilledOnly => "fulfilled-only",
            Fault::ReleaseNever => "release-never",
            Fault::NextAsIdentity => "next-as-identity",
            Fault::P1IsP0 => "p1-is-p0",
            Fault::TrueUnrecorded => "true-unrecorded",
            Fault::MergedNodes => "merged-nodes",
            Fault::Empty => "empty",
            Fault::Universal => "universal",
            Fault::Negated => "negated",
            Fault::RedundantUntil => "redundant-until",
        }
    }

    /// Makes a participant with this fault, named `fault:` and its name.
    pub fn participant(self) -> Participant {
        Participant::new(format!("fault:{self}"), Faulty(self))
    }

    fn translate(self, formula: &Formula) -> Automaton {
        let slip = match self {
            Fault::NoAcceptance => Some(Slip::NoAcceptance),
            Fault::OneAcceptanceSet => Some(Slip::OneAcceptanceSet),
            Fault::ReleaseWithoutB => Some(Slip::ReleasedWithoutRight),
            Fault::FulfilledOnly => Some(Slip::FulfilledOnly),
            Fault::ReleaseNever => Some(Slip::NeverReleased),
            Fault::TrueUnrecorded => Some(Slip::TrueUnrecorded),
            Fault::MergedNodes => Some(Slip::MergedByLiterals),
            _ => None,
        };
        gpvw::translate(&self.misread(formula), slip)
    }

    /// Returns the formula that is translated in place of the given one.
    fn misread(self, formula: &Formula) -> Formula {
        match self {
            Fault::NextAsIdentity => transform(formula, |f| match (f.op(), f.children()) {
                (Op::Next, [operand]) => operand.clone(),
                _ => f,
            }),
            Fault::P1IsP0 => rewrite::rename::rename(formula, |prop| match prop.name() {
                "p1" => Prop::new("p0"),
                _ => prop.clone(),
            }),
            Fault::Empty => Formula::ff(),
            Fault::Universal => Formula::tt(),
            Fault::Negated => Formula::not(formula),
            Fault::RedundantUntil => with_late_until(formula),
            _ => formula.clone(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Parses a name.
impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(name: &str) -> Result<Self, UnknownFault> {
        let fault = Fault::ALL.into_iter().find(|fault| fault.name() == name);
        fault.ok_or_else(|| UnknownFault(name.to_owned()))
    }
}

/// Unknown fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no fault; there are {list}", list = Fault::ALL.map(Fault::name).join(", "))]
pub struct UnknownFault(String);

/// A tool with a fault.
struct Faulty(Fault);

impl Tool for Faulty {
    fn translate(&self, formula: &Formula, _: &Limits) -> Result<Automaton, Failure> {
        Ok(self.0.translate(formula))
    }
}

/// Rewrites `G(c & (a U (b & Fc)))` under any number of `G` so that immediate fulfilment is
/// excluded; returns other formulas unchanged. `a`, `b` and `c` are different propositions, under
/// any number of double negations.
fn with_late_until(formula: &Formula) -> Formula {
    let mut body = formula.clone();
    while let (Op::Globally, [operand]) = (body.op(), body.children()) {
        body = operand.clone();
    }
    let late = || {
        let (c, until) = pair(&body, |f| proposition(f).is_some())?;
        let [a, right] = until.children() else { return None };
        let (eventually, b) = pair(right, |f| f.op() == Op::Finally)?;
        let named = [proposition(a)?, proposition(&b)?, proposition(&c)?];
        let distinct = named[0] != named[1] && named[0] != named[2] && named[1] != named[2];
        let again = proposition(eventually.children().first()?)? == named[2];
        let matches = until.op() == Op::Until && body != *formula && distinct && again;
        matches
            .then(|| Formula::globally(Formula::and([c, a.clone(), Formula::next(until.clone())])))
    };
    late().unwrap_or_else(|| formula.clone())
}

/// Returns the operands of a binary conjunction, the requested one first.
fn pair(formula: &Formula, meant: impl Fn(&Formula) -> bool) -> Option<(Formula, Formula)> {
    match (formula.op(), formula.children()) {
        (Op::And, [left, right]) if meant(left) => Some((left.clone(), right.clone())),
        (Op::And, [left, right]) if meant(right) => Some((right.clone(), left.clone())),
        _ => None,
    }
}

/// Returns the proposition of a formula, without double negations.
fn proposition(formula: &Formula) -> Option<Prop> {
    let mut formula = formula.clone();
    while let (Op::Not, [inner]) = (formula.op(), formula.children()) {
        let [innermost] = inner.children() else { return None };
        if inner.op() != Op::Not {
            return None;
        }
        formula = innermost.clone();
    }
    formula.as_prop().cloned()
}
