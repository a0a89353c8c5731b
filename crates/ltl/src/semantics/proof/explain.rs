//! Reading a proof off the table of the restricted checker.
//!
//! From the formula down, each subformula is proved at the positions where a formula above it
//! needs it; so every claim is proved once, and none that is not needed. Where several operands
//! prove a claim, the one with the shortest proof is taken, and the nearest position; lengths are
//! computed from the leaves up, and count a claim each time that it is used.

use super::{Premise, Proof, Reason, Step};
use crate::semantics::restricted::{Results, results};
use crate::{Formula, Op, Word};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// Proves that the word satisfies the formula, or that it does not.
///
/// Takes O(distinct subformulas × positions) time and memory.
pub fn explain(formula: &Formula, word: &Word) -> Proof {
    let results = results(formula, word);
    let lengths = Lengths::new(&results, word);
    let mut needed: FxHashMap<Formula, Needed> = FxHashMap::default();
    needed.entry(formula.clone()).or_insert_with(|| Needed::nowhere(word)).add(word, 0, 1);
    let mut steps = vec![];
    for subformula in results.subformulas().iter().rev() {
        let Some(positions) = needed.remove(subformula) else { continue };
        let rule = Rule::new(subformula, &results, word, &lengths);
        for position in positions.iter() {
            let step = rule.step(position);
            for premise in &step.premises {
                needed.entry(premise.formula.clone()).or_insert_with(|| Needed::nowhere(word)).add(
                    word,
                    premise.first,
                    premise.count,
                );
            }
            steps.push(step);
        }
    }
    Proof { word: word.clone(), steps }
}

/// The lengths of proofs: for each subformula the sums of those at the positions below each one.
#[derive(Default)]
struct Lengths(FxHashMap<Formula, Vec<u64>>);

impl Lengths {
    fn new(results: &Results, word: &Word) -> Self {
        let mut lengths = Lengths::default();
        for subformula in results.subformulas() {
            let rule = Rule::new(subformula, results, word, &lengths);
            let mut sums = vec![0u64];
            for position in 0..word.len() {
                let step = rule.step(position);
                let premises = step.premises.iter().map(|premise| lengths.of(premise, word));
                let length = premises.fold(1, u64::saturating_add);
                sums.push(sums[position].saturating_add(length));
            }
            lengths.0.insert(subformula.clone(), sums);
        }
        lengths
    }

    /// The length of the proof of a premise.
    fn of(&self, premise: &Premise, word: &Word) -> u64 {
        let Some(sums) = self.0.get(&premise.formula) else { return 0 };
        let end = word.len().min(premise.first + premise.count);
        let wrapped = premise.first + premise.count - end;
        let sum = |from: usize, to: usize| sums[to] - sums[from];
        let round = sum(word.prefix_len(), word.prefix_len() + wrapped);
        sum(premise.first, end).saturating_add(round)
    }
}

/// The positions at which a subformula has to be proved: for each position, how many runs of
/// needed positions begin there minus how many end there.
struct Needed(Vec<isize>);

impl Needed {
    fn nowhere(word: &Word) -> Self {
        Needed(vec![0; word.len() + 1])
    }

    /// Adds the `count` positions along the word from `first` on; at most once around the cycle.
    fn add(&mut self, word: &Word, first: usize, count: usize) {
        let end = word.len().min(first + count);
        let wrapped = first + count - end;
        for run in [first..end, word.prefix_len()..word.prefix_len() + wrapped] {
            self.0[run.start] += 1;
            self.0[run.end] -= 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        let runs = self.0.iter().scan(0, |open, change| {
            *open += change;
            Some(*open)
        });
        runs.enumerate().filter(|&(_, open)| open > 0).map(|(position, _)| position)
    }
}

/// The data for proofs of one subformula at any position.
struct Rule<'a> {
    formula: &'a Formula,
    word: &'a Word,
    values: &'a [bool],
    operands: Vec<&'a [bool]>,
    /// For the operand whose value decides, when it is false and when it is true: the nearest
    /// position from each position on where it has that value.
    nearest: [Vec<Option<usize>>; 2],
    lengths: &'a Lengths,
}

impl<'a> Rule<'a> {
    fn new(
        formula: &'a Formula,
        results: &'a Results,
        word: &'a Word,
        lengths: &'a Lengths,
    ) -> Self {
        let row = |formula: &Formula| results.row(formula).unwrap_or_default();
        let operands: Vec<&[bool]> = formula.children().iter().map(row).collect();
        let nearest = [false, true].map(|value| match decider(formula.op(), value) {
            Some(operand) => nearest(operands[operand], value, word.prefix_len()),
            None => vec![],
        });
        Rule { formula, word, values: row(formula), operands, nearest, lengths }
    }

    fn step(&self, position: usize) -> Step {
        let holds = self.values[position];
        let (reason, premises) = match self.formula.op() {
            Op::True | Op::False | Op::Prop => (Reason::Letter, smallvec![]),
            Op::Next => {
                (Reason::Next, smallvec![self.premise(0, self.word.successor(position), 1)])
            }
            op if op.is_temporal() => self.temporal(position, holds),
            _ => (Reason::Operands, self.boolean(position, holds)),
        };
        Step { formula: self.formula.clone(), position, holds, reason, premises }
    }

    /// The claim about an operand that is true of some positions in a row.
    fn premise(&self, operand: usize, first: usize, count: usize) -> Premise {
        let formula = self.formula.children()[operand].clone();
        Premise { formula, holds: self.operands[operand][first], first, count }
    }

    fn boolean(&self, position: usize, holds: bool) -> SmallVec<[Premise; 2]> {
        let op = self.formula.op();
        // The value of an operand that settles the matter whatever the other operands are.
        let settling = |operand: usize| match (op, holds) {
            (Op::And, false) => Some(false),
            (Op::Or, true) => Some(true),
            (Op::Implies, true) => Some(operand == 1),
            _ => None,
        };
        let all = 0..self.operands.len();
        if settling(0).is_some() {
            let settles = |&i: &usize| settling(i) == Some(self.operands[i][position]);
            let premises = all.filter(settles).map(|i| self.premise(i, position, 1));
            let shortest = premises.min_by_key(|premise| {
                (self.lengths.of(premise, self.word), premise.formula.size())
            });
            return shortest.into_iter().collect();
        }
        let mut premises: SmallVec<[Premise; 2]> =
            all.map(|i| self.premise(i, position, 1)).collect();
        // The operands of `a & a` are the same.
        premises.dedup();
        premises
    }

    /// All premises of a temporal claim have its own value.
    fn temporal(&self, position: usize, holds: bool) -> (Reason, SmallVec<[Premise; 2]>) {
        let op = self.formula.op();
        let start = match op {
            Op::StrictFinally | Op::StrictGlobally => self.word.successor(position),
            _ => position,
        };
        let decider = decider(op, holds);
        let other = if self.operands.len() == 2 { decider.map(|i| 1 - i) } else { None };
        let witness = self.nearest[usize::from(holds)].get(start).copied().flatten();
        match (decider, witness) {
            (Some(decider), Some(witness)) => {
                let through = self.operands.len() == 2 && decider == 0;
                let before = self.distance(start, witness) + usize::from(through);
                let mut premises = smallvec![self.premise(decider, witness, 1)];
                premises.extend(
                    other.filter(|_| before > 0).map(|other| self.premise(other, start, before)),
                );
                let reason =
                    if through { Reason::Through { witness } } else { Reason::Before { witness } };
                (reason, premises)
            }
            _ => {
                let count = self.word.len() - start.min(self.word.prefix_len());
                (Reason::Forever, smallvec![self.premise(other.unwrap_or(0), start, count)])
            }
        }
    }

    /// How many steps lead from one position to another.
    fn distance(&self, from: usize, to: usize) -> usize {
        if from <= to { to - from } else { self.word.len() - from + to - self.word.prefix_len() }
    }
}

/// The operand whose first position with the value of a temporal claim decides it, if such a
/// position exists: the right one for until-like claims (`f U g` holds, `f R g` fails), the left
/// one for their opposites, none for claims that can only hold for ever.
fn decider(op: Op, holds: bool) -> Option<usize> {
    match (op, holds) {
        (Op::Finally | Op::StrictFinally, true) | (Op::Globally | Op::StrictGlobally, false) => {
            Some(0)
        }
        (Op::Until | Op::WeakUntil, true) | (Op::Release | Op::StrongRelease, false) => Some(1),
        (Op::Until | Op::WeakUntil, false) | (Op::Release | Op::StrongRelease, true) => Some(0),
        _ => None,
    }
}

/// For each position the nearest one from there on with the value.
fn nearest(values: &[bool], value: bool, prefix: usize) -> Vec<Option<usize>> {
    let mut ahead = (prefix..values.len()).find(|&position| values[position] == value);
    let mut nearest = vec![None; values.len()];
    for position in (0..values.len()).rev() {
        if values[position] == value {
            ahead = Some(position);
        }
        nearest[position] = ahead;
    }
    nearest
}
