//! Smaller formulas with the same fault.
//!
//! A formula that a participant translates wrongly is changed step by step: a subformula is
//! replaced by one of its operands or a constant, an operand of a conjunction or disjunction is
//! dropped, two propositions become one. The smallest change is kept with which the same test
//! still finds the same participant wrong in the same way, until there is none. Tests that need a
//! structure are tried on those of the round and on the single path that the last witness is.
//! Takes O(size²) tries at worst, each of them as expensive as the test.

use std::collections::{BTreeSet, HashSet};

use sempre_automata::{Alphabet, Kripke};
use sempre_ltl::{Formula, Op, Prop, Word, interrupt, rewrite, transform};

use crate::analysis::{Finding, Mistake};
use crate::round::Round;
use crate::session::Session;

/// The result of making a finding's formula smaller.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The finding for the smallest formula; the given one if there is no smaller formula.
    pub finding: Finding,
    /// The number of tried formulas.
    pub tries: usize,
    /// Whether all smaller formulas that are one step away were tried.
    pub minimal: bool,
}

impl Session {
    /// Looks for a smaller formula of which the same test finds the same participant wrong in the
    /// same way, trying at most this many formulas.
    pub fn shrink(&self, round: &Round, finding: &Finding, most: usize) -> Shrunk {
        let mut best = finding.clone();
        let mut tried: HashSet<Formula> = HashSet::from([finding.formula.clone()]);
        let mut minimal = false;
        while !minimal && tried.len() <= most {
            minimal = true;
            for candidate in smaller_formulas(&best.formula) {
                interrupt::poll_now();
                if tried.len() > most {
                    minimal = false;
                    break;
                }
                if !tried.insert(candidate.clone()) {
                    continue;
                }
                if let Some(smaller) = self.fails_alike(&round.structures, &best, &candidate) {
                    best = smaller;
                    minimal = false;
                    break;
                }
            }
        }
        Shrunk { finding: best, tries: tried.len() - 1, minimal }
    }

    /// The finding of the same kind for another formula, if there is one.
    fn fails_alike(
        &self,
        structures: &[Kripke],
        known: &Finding,
        formula: &Formula,
    ) -> Option<Finding> {
        let culprit = known.culprit()?.participant;
        let involved: BTreeSet<usize> =
            known.subjects.iter().map(|subject| subject.participant).collect();
        let path = known.witness.as_ref().and_then(|witness| path(&witness.word));
        let on: Vec<Kripke> = match known.place {
            Some(_) => structures.iter().cloned().chain(path).collect(),
            None => vec![],
        };
        let same = |finding: &Finding| {
            finding.test == known.test
                && finding.culprit().is_some_and(|subject| subject.participant == culprit)
                && match (finding.verdict.mistake(), known.verdict.mistake()) {
                    (Some(Mistake::NotAsClaimed(one)), Some(Mistake::NotAsClaimed(other))) => {
                        one.property == other.property
                    }
                    (one, other) => one == other,
                }
        };
        let involved: Vec<usize> = involved.into_iter().collect();
        let found = self.examine(known.round, formula, known.test, &involved, on);
        found.into_iter().find(same)
    }
}

/// The structure whose only execution reads the word.
fn path(word: &Word) -> Option<Kripke> {
    let alphabet = Alphabet::new(word.props().iter().cloned()).ok()?;
    let label = |position: usize| {
        let bits = word.props().iter().enumerate();
        bits.fold(0, |label, (bit, prop)| label | u64::from(word.value(position, prop)) << bit)
    };
    if word.props().len() > 64 {
        return None;
    }
    let labels = (0..word.len()).map(label).collect();
    let edges = (0..word.len()).map(|position| (position, word.successor(position)));
    Kripke::new(alphabet, labels, edges, 0).ok()
}

/// The measure to minimize: operators and leaves, then propositions, then their occurrences.
type Measure = (u64, usize, usize);

fn measure(formula: &Formula) -> Measure {
    let leaves = formula.subformulas().filter(|f| f.as_prop().is_some()).count();
    (formula.size(), leaves, formula.dag_size())
}

/// Returns the smaller formulas that are one step away, the smallest first.
pub fn smaller_formulas(formula: &Formula) -> Vec<Formula> {
    let mut all: BTreeSet<(Measure, Formula)> = BTreeSet::new();
    let mut add = |candidate: Formula| {
        let smaller = measure(&candidate);
        if smaller < measure(formula) {
            all.insert((smaller, candidate));
        }
    };
    for part in formula.subformulas() {
        for other in smaller_parts(&part) {
            add(transform(formula, |f| if f == part { other.clone() } else { f }));
        }
    }
    let props = formula.props();
    for (place, kept) in props.iter().enumerate() {
        for gone in &props[place + 1..] {
            let rename = |prop: &Prop| if prop == gone { kept.clone() } else { prop.clone() };
            add(rewrite::rename::rename(formula, rename));
        }
    }
    all.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The candidates for a subformula: its operands, constants, itself with fewer operands, and itself
/// with an operand that is one step smaller only here.
fn smaller_parts(part: &Formula) -> Vec<Formula> {
    let mut smaller: Vec<Formula> = part.children().to_vec();
    if !part.is_true() && !part.is_false() {
        smaller.extend([Formula::tt(), Formula::ff()]);
    }
    let children = part.children();
    for place in 0..children.len() {
        let with = |operand: Option<Formula>| {
            let mut operands: Vec<Formula> = children.to_vec();
            match operand {
                Some(operand) => operands[place] = operand,
                None => {
                    operands.remove(place);
                }
            }
            part.with_children(operands)
        };
        if children.len() > 2 {
            smaller.push(with(None));
        }
        let constants = [Formula::tt(), Formula::ff()].into_iter();
        smaller.extend(
            constants
                .chain(children[place].children().iter().cloned())
                .map(|operand| with(Some(operand))),
        );
    }
    if let (Op::Until | Op::StrongRelease | Op::WeakUntil | Op::Release, [left, right]) =
        (part.op(), children)
    {
        smaller.extend(match part.op() {
            Op::Until => [Formula::finally(right)],
            Op::StrongRelease => [Formula::finally(left)],
            Op::WeakUntil => [Formula::globally(left)],
            _ => [Formula::globally(right)],
        });
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_smaller_and_the_smallest_come_first() {
        let formula: Formula = "G(a U (!!b & Xc & a))".parse().unwrap();
        let all = smaller_formulas(&formula);
        let sizes: Vec<Measure> = all.iter().map(measure).collect();
        assert!(sizes.is_sorted() && sizes.iter().all(|size| *size < measure(&formula)));
        for expected in [
            "1",
            "G(a U (b & Xc & a))",
            "G(a U (Xc & a))",
            "GF(!!b & Xc & a)",
            "G(a U (!!a & Xc & a))",
        ] {
            let expected: Formula = expected.parse().unwrap();
            assert!(all.contains(&expected), "{expected}");
        }
        assert!(smaller_formulas(&Formula::tt()).is_empty());
        assert_eq!(smaller_formulas(&Formula::prop("a")).len(), 2);
    }

    #[test]
    fn words_are_paths() {
        let word: Word = "a; b; cycle{a&b; 1}".parse().unwrap();
        let path = path(&word).unwrap();
        assert!(path.is_sequential());
        assert_eq!(
            (0..4).map(|s| path.label(sempre_automata::StateId::new(s))).collect::<Vec<_>>(),
            [1, 2, 3, 0]
        );
    }
}
