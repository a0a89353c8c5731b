//! The subformulas of a formula, and their obligations for the current and the next node.

use crate::normal_form::label;
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Label};
use sempre_ltl::{Formula, Op};
use smallvec::SmallVec;

/// The number of a subformula; operands have smaller numbers.
pub(super) type Subformula = u32;

/// Subformulas that must hold together.
pub(super) type Both = SmallVec<[Subformula; 2]>;

/// The expansion rule of a subformula.
pub(super) enum Rule {
    True,
    False,
    /// A proposition or its negation, and the literal that contradicts it, if it occurs.
    Literal(Label, Option<Subformula>),
    And(SmallVec<[Subformula; 4]>),
    Or(SmallVec<[Subformula; 4]>),
    Next(Subformula),
    /// `stay` now and the subformula itself next; or `leave` now, if possible.
    Fixpoint {
        stay: Both,
        leave: Option<Both>,
    },
}

/// A subformula that must not be postponed forever, and the operand that fulfils it.
pub(super) struct Promise {
    pub(super) subformula: Subformula,
    pub(super) goal: Subformula,
}

/// The subformulas of a formula in normal form, by number, with their rules.
pub(super) struct Closure {
    formulas: Vec<Formula>,
    rules: Vec<Rule>,
    promises: Vec<Promise>,
    /// By subformula, its negation in normal form, if that is a subformula too.
    negations: Vec<Option<Subformula>>,
}

impl Closure {
    pub(super) fn of(formula: &Formula, alphabet: &Alphabet) -> Self {
        let formulas: Vec<Formula> = formula.subformulas().collect();
        let number: FxHashMap<&Formula, Subformula> =
            formulas.iter().zip(0..).collect::<FxHashMap<_, _>>();
        let mut closure = Closure {
            formulas: vec![],
            rules: Vec::with_capacity(formulas.len()),
            promises: vec![],
            negations: vec![],
        };
        let mut negated: Vec<Formula> = Vec::with_capacity(formulas.len());
        for f in &formulas {
            let operands =
                || f.children().iter().map(|child| negated[number[child] as usize].clone());
            let negation = match f.op() {
                Op::Prop => Formula::not(f),
                Op::Not => f.children()[0].clone(),
                op => Formula::new(dual(op), operands()),
            };
            negated.push(negation);
        }
        closure.negations.extend(negated.iter().map(|negation| number.get(negation).copied()));
        for f in &formulas {
            let operand = |i: usize| number[&f.children()[i]];
            let rule = match f.op() {
                Op::True => Rule::True,
                Op::False => Rule::False,
                Op::Prop | Op::Not => {
                    let label = label(f, alphabet);
                    let opposite = match f.children() {
                        [] => number.get(&Formula::not(f)),
                        [prop, ..] => number.get(prop),
                    };
                    // A proposition is a subformula of its negation, but may not occur without it;
                    // then it is never expanded.
                    Rule::Literal(label, opposite.copied())
                }
                Op::And => Rule::And(f.children().iter().map(|child| number[child]).collect()),
                Op::Or => Rule::Or(f.children().iter().map(|child| number[child]).collect()),
                Op::Next => Rule::Next(operand(0)),
                op => {
                    let both = |operands: &[usize]| operands.iter().map(|&i| operand(i)).collect();
                    let (stay, leave): (&[usize], Option<&[usize]>) = match op {
                        Op::Finally => (&[], Some(&[0])),
                        Op::Globally => (&[0], None),
                        Op::Until | Op::WeakUntil => (&[0], Some(&[1])),
                        Op::Release | Op::StrongRelease => (&[1], Some(&[0, 1])),
                        _ => unreachable!("{op:?} is not in normal form"),
                    };
                    let goal = match op {
                        Op::Finally | Op::StrongRelease => Some(operand(0)),
                        Op::Until => Some(operand(1)),
                        _ => None,
                    };
                    let subformula = closure.rules.len() as Subformula;
                    closure.promises.extend(goal.map(|goal| Promise { subformula, goal }));
                    Rule::Fixpoint { stay: both(stay), leave: leave.map(both) }
                }
            };
            closure.rules.push(rule);
        }
        drop(number);
        closure.formulas = formulas;
        closure
    }

    /// Returns the number of the formula itself.
    pub(super) fn root(&self) -> Subformula {
        self.rules.len() as Subformula - 1
    }

    /// Returns the number of subformulas.
    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    pub(super) fn rule(&self, subformula: Subformula) -> &Rule {
        &self.rules[subformula as usize]
    }

    pub(super) fn formula(&self, subformula: Subformula) -> &Formula {
        &self.formulas[subformula as usize]
    }

    pub(super) fn promises(&self) -> &[Promise] {
        &self.promises
    }

    /// Returns the operand that fulfils a subformula, if that must not be postponed forever.
    pub(super) fn goal(&self, subformula: Subformula) -> Option<Subformula> {
        // Promises are ascending, as subformulas are.
        let place = self.promises.binary_search_by_key(&subformula, |p| p.subformula).ok()?;
        Some(self.promises[place].goal)
    }

    pub(super) fn is_promise_or_goal(&self, subformula: Subformula) -> bool {
        self.promises.iter().any(|p| p.subformula == subformula || p.goal == subformula)
    }

    /// Returns the negation of a subformula, if that is a subformula too.
    pub(super) fn negation(&self, subformula: Subformula) -> Option<Subformula> {
        self.negations[subformula as usize]
    }
}

/// Returns the operator of the negation, whose operands are the negated ones.
fn dual(op: Op) -> Op {
    match op {
        Op::True => Op::False,
        Op::False => Op::True,
        Op::And => Op::Or,
        Op::Or => Op::And,
        Op::Finally => Op::Globally,
        Op::Globally => Op::Finally,
        Op::Until => Op::Release,
        Op::Release => Op::Until,
        Op::WeakUntil => Op::StrongRelease,
        Op::StrongRelease => Op::WeakUntil,
        Op::Next => Op::Next,
        _ => unreachable!("{op:?} is not in normal form"),
    }
}
