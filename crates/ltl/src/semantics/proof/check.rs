//! Verification of a proof by the local rules of the semantics.
//!
//! Every step must follow from its premises by the rule of its operator, and every premise must be
//! proved by steps. Premises must have formulas of smaller height than their claim. So no claim
//! depends on itself, and by induction on the height every claim is true. Shares no code with the
//! search for proofs or with evaluation. Linear in the size of the proof and in the number of its
//! distinct claims' formulas × positions.

use super::{Premise, Proof, Reason, Step};
use crate::{Error, Formula, Op, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// Verifies a proof that the word satisfies the formula, or that it does not; see [`Proof::holds`].
///
/// # Errors
/// If it is not a proof, or belongs to another formula or word.
pub fn check(proof: &Proof, formula: &Formula, word: &Word) -> Result<(), Error> {
    if proof.word != *word {
        return Err(Error::new("the proof is about another word"));
    }
    if proof.steps.first().is_none_or(|step| step.formula != *formula || step.position != 0) {
        return Err(Error::new("the proof does not conclude with the formula at position 0"));
    }
    if let Some(number) = proof.steps.iter().position(|step| step.position >= word.len()) {
        return Err(refused(number, "the word has no such position"));
    }
    let claims = Claims::new(&proof.steps, word);
    for (number, step) in proof.steps.iter().enumerate() {
        for premise in &step.premises {
            if premise.formula.depth() >= step.formula.depth() {
                return Err(refused(number, "a premise is not about a smaller formula"));
            }
            if !claims.cover(premise) {
                return Err(refused(number, "a premise is not proved"));
            }
        }
        if !(Local { step, word }.follows()) {
            return Err(refused(number, "the claim does not follow from the premises"));
        }
    }
    Ok(())
}

fn refused(step: usize, why: &str) -> Error {
    Error::new(format!("step {step} of the proof is wrong: {why}"))
}

/// By formula and value, the number of leading positions with a step for the claim.
struct Claims<'a> {
    word: &'a Word,
    counts: FxHashMap<(&'a Formula, bool), Vec<usize>>,
}

impl<'a> Claims<'a> {
    fn new(steps: &'a [Step], word: &'a Word) -> Self {
        let mut counts: FxHashMap<(&Formula, bool), Vec<usize>> = FxHashMap::default();
        for step in steps {
            let claimed = counts.entry((&step.formula, step.holds));
            claimed.or_insert_with(|| vec![0; word.len() + 1])[step.position + 1] = 1;
        }
        for counts in counts.values_mut() {
            for i in 1..counts.len() {
                counts[i] += counts[i - 1];
            }
        }
        Claims { word, counts }
    }

    /// True if there is a step for every position of the premise.
    fn cover(&self, premise: &Premise) -> bool {
        let (len, loop_start) = (self.word.len(), self.word.prefix_len());
        if premise.first >= len || premise.count > len {
            return false;
        }
        let Some(counts) = self.counts.get(&(&premise.formula, premise.holds)) else {
            return premise.count == 0;
        };
        let end = len.min(premise.first + premise.count);
        let wrapped = (loop_start + premise.first + premise.count - end).min(len);
        let all_in = |from: usize, to: usize| counts[to] - counts[from] == to - from;
        all_in(premise.first, end) && all_in(loop_start, wrapped)
    }
}

/// The rules, applied to one step; its premises are assumed here.
struct Local<'a> {
    step: &'a Step,
    word: &'a Word,
}

impl Local<'_> {
    fn follows(&self) -> bool {
        let Step { formula, position, holds, reason, .. } = self.step;
        let (here, holds) = (*position, *holds);
        let next = self.word.successor(here);
        match (formula.op(), formula.children(), *reason) {
            (Op::True, _, Reason::Letter) => holds,
            (Op::False, _, Reason::Letter) => !holds,
            (Op::Prop, _, Reason::Letter) => {
                let letter = |prop| self.word.letter(here).any(|other| other == prop);
                formula.as_prop().is_some_and(|prop| letter(prop) == holds)
            }
            (Op::Not, [f], Reason::Operands) => self.at(f, !holds, here),
            (Op::And, operands, Reason::Operands) => self.all_or_one(operands, holds, holds),
            (Op::Or, operands, Reason::Operands) => self.all_or_one(operands, holds, !holds),
            (Op::Implies, [f, g], Reason::Operands) => match holds {
                true => self.at(f, false, here) || self.at(g, true, here),
                false => self.at(f, true, here) && self.at(g, false, here),
            },
            (Op::Iff, [f, g], Reason::Operands) => self.compared(f, g, holds),
            (Op::Xor, [f, g], Reason::Operands) => self.compared(f, g, !holds),
            (Op::Next, [f], Reason::Next) => self.at(f, holds, next),
            (Op::Finally, [f], reason) => self.once_or_always(f, here, reason, holds),
            (Op::Globally, [f], reason) => self.once_or_always(f, here, reason, !holds),
            (Op::StrictFinally, [f], reason) => self.once_or_always(f, next, reason, holds),
            (Op::StrictGlobally, [f], reason) => self.once_or_always(f, next, reason, !holds),
            // Satisfied: g at some position, f before. Violated: f missing before any g, or never
            // g.
            (Op::Until, [f, g], reason) => match (holds, reason) {
                (true, Reason::Before { witness }) => self.before(f, g, witness),
                (false, Reason::Through { witness }) => self.through(f, g, witness),
                (false, Reason::Forever) => self.always(g, here),
                _ => false,
            },
            (Op::WeakUntil, [f, g], reason) => match (holds, reason) {
                (true, Reason::Before { witness }) => self.before(f, g, witness),
                (true, Reason::Forever) => self.always(f, here),
                (false, Reason::Through { witness }) => self.through(f, g, witness),
                _ => false,
            },
            // Satisfied: g up to the first f, or forever. Violated: g missing before any f.
            (Op::Release, [f, g], reason) => match (holds, reason) {
                (true, Reason::Through { witness }) => self.through(f, g, witness),
                (true, Reason::Forever) => self.always(g, here),
                (false, Reason::Before { witness }) => self.before(f, g, witness),
                _ => false,
            },
            (Op::StrongRelease, [f, g], reason) => match (holds, reason) {
                (true, Reason::Through { witness }) => self.through(f, g, witness),
                (false, Reason::Before { witness }) => self.before(f, g, witness),
                (false, Reason::Forever) => self.always(f, here),
                _ => false,
            },
            _ => false,
        }
    }

    /// True if a premise says that the formula has the value at `count` positions from `first` on.
    fn given(&self, formula: &Formula, holds: bool, first: usize, count: usize) -> bool {
        self.step.premises.iter().any(|premise| {
            premise.formula == *formula
                && premise.holds == holds
                && premise.first == first
                && premise.count >= count
        })
    }

    fn at(&self, formula: &Formula, holds: bool, position: usize) -> bool {
        self.given(formula, holds, position, 1)
    }

    /// All operands of an n-ary operator have the value here, or one of them has.
    fn all_or_one(&self, operands: &[Formula], holds: bool, all: bool) -> bool {
        let here = |premise: &&Premise| {
            premise.holds == holds && premise.first == self.step.position && premise.count > 0
        };
        let given: FxHashSet<&Formula> =
            self.step.premises.iter().filter(here).map(|premise| &premise.formula).collect();
        match all {
            true => operands.iter().all(|operand| given.contains(operand)),
            false => operands.iter().any(|operand| given.contains(operand)),
        }
    }

    fn compared(&self, f: &Formula, g: &Formula, equal: bool) -> bool {
        let here = self.step.position;
        [false, true]
            .iter()
            .any(|&value| self.at(f, value, here) && self.at(g, value == equal, here))
    }

    fn once_or_always(&self, f: &Formula, start: usize, reason: Reason, once: bool) -> bool {
        match reason {
            Reason::Before { witness } if once => {
                self.distance(start, witness).is_some() && self.at(f, self.step.holds, witness)
            }
            Reason::Forever if !once => self.always(f, start),
            _ => false,
        }
    }

    /// `f` at every position from here on before the witness, `g` at the witness.
    fn before(&self, f: &Formula, g: &Formula, witness: usize) -> bool {
        let (here, value) = (self.step.position, self.step.holds);
        self.distance(here, witness).is_some_and(|distance| {
            self.at(g, value, witness) && (distance == 0 || self.given(f, value, here, distance))
        })
    }

    /// `g` at every position from here on up to the witness, `f` at the witness.
    fn through(&self, f: &Formula, g: &Formula, witness: usize) -> bool {
        let (here, value) = (self.step.position, self.step.holds);
        self.distance(here, witness).is_some_and(|distance| {
            self.at(f, value, witness) && self.given(g, value, here, distance + 1)
        })
    }

    /// True if the formula has the value at every position from `start` on, each counted once.
    fn always(&self, formula: &Formula, start: usize) -> bool {
        let ahead = if start < self.word.prefix_len() {
            self.word.len() - start
        } else {
            self.word.cycle_len()
        };
        self.given(formula, self.step.holds, start, ahead)
    }

    /// Returns the number of steps from one position to another, if it lies ahead.
    fn distance(&self, from: usize, to: usize) -> Option<usize> {
        let (len, loop_start) = (self.word.len(), self.word.prefix_len());
        if to >= len {
            None
        } else if from <= to {
            Some(to - from)
        } else if to >= loop_start {
            Some(len - from + to - loop_start)
        } else {
            None
        }
    }
}
