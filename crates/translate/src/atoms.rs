//! Automata of atoms, the first construction of automata from formulas.
//!
//! M. Vardi and P. Wolper, An automata-theoretic approach to automatic program verification (LICS
//! 1986). A state is an atom: it decides each proposition and each obligation for the next state,
//! and so each subformula. Each subformula that must not be postponed forever has an acceptance
//! set. The construction is the simplest known, and the largest: a formula with n propositions and
//! temporal operators has up to 2^n atoms. It is meant as an oracle for others.

use crate::normal_form::normal_form;
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Automaton, AutomatonBuilder, Label, Marks, Named, StateId};
use sempre_ltl::{Formula, Op, interrupt};
use std::collections::VecDeque;

/// Translates a formula. A state has its letter on all outgoing edges; all atoms of the formula
/// that can be reached are states, and there may be several initial states. Acceptance is
/// generalized Büchi on states.
///
/// ```
/// let automaton = sempre_translate::atoms::translate(&"F p".parse()?);
/// assert_eq!(automaton.state_count(), 4);
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
pub fn translate(formula: &Formula) -> Automaton {
    let alphabet = Alphabet::new(formula.props())
        .unwrap_or_else(|_| unreachable!("a formula has each proposition once"));
    let formula = normal_form(formula);
    let closure = Closure::of(&formula);
    let mut atoms = Atoms::of(&closure, &alphabet);
    let mut builder = Automaton::builder(alphabet);
    let count = closure.promises.len() as u32;
    builder.acceptance(match count {
        0 => Named::All.acceptance(),
        _ => Named::GeneralizedBuchi(count).acceptance(),
    });
    for (decided, choices) in atoms.all.iter().zip(0..) {
        interrupt::poll();
        if decided.root {
            let state = atoms.states.state(choices, &mut builder);
            builder.initial(state);
        }
    }
    while let Some((source, choices)) = atoms.states.waiting.pop_front() {
        interrupt::poll();
        let Decided { label, marks, .. } = &atoms.all[choices as usize];
        let obligations = choices >> closure.props.len();
        for &target in atoms.by_operands.get(&obligations).into_iter().flatten() {
            interrupt::poll();
            let target = atoms.states.state(target, &mut builder);
            builder.edge(source, *label, marks.clone(), target);
        }
    }
    builder.build()
}

/// The choices of an atom, a bit each: first the propositions, then the obligations.
type Choices = u64;

/// The subformulas of a formula.
struct Closure {
    formulas: Vec<Formula>,
    number: FxHashMap<Formula, usize>,
    /// The subformulas that are propositions.
    props: Vec<usize>,
    /// The subformulas that an atom can oblige the next one to satisfy.
    obligations: Vec<usize>,
    /// The subformulas that must not be postponed forever, each with the operand that fulfils it.
    promises: Vec<(usize, usize)>,
}

impl Closure {
    fn of(formula: &Formula) -> Self {
        let formulas: Vec<Formula> = formula.subformulas().collect();
        let number: FxHashMap<Formula, usize> = formulas.iter().cloned().zip(0..).collect();
        let (mut props, mut obligations, mut promises) = (vec![], vec![], vec![]);
        for (f, place) in formulas.iter().zip(0..) {
            let operand = |i: usize| number[&f.children()[i]];
            match f.op() {
                Op::Prop => props.push(place),
                Op::Next => obligations.push(operand(0)),
                Op::True | Op::False | Op::Not | Op::And | Op::Or => {}
                _ => obligations.push(place),
            }
            match f.op() {
                Op::Finally | Op::StrongRelease => promises.push((place, operand(0))),
                Op::Until => promises.push((place, operand(1))),
                _ => {}
            }
        }
        // `X F p` and `F p` oblige to the same.
        obligations.sort_unstable();
        obligations.dedup();
        Closure { formulas, number, props, obligations, promises }
    }

    /// Decides all subformulas by the choices of an atom.
    fn decide(&self, choices: Choices) -> Vec<bool> {
        let mut holds = vec![false; self.formulas.len()];
        let chosen = |bit: usize| choices >> bit & 1 == 1;
        let postponed = |place: usize| {
            let found = self.obligations.binary_search(&place);
            chosen(self.props.len() + found.unwrap_or_else(|_| unreachable!("no obligation")))
        };
        let mut prop = 0;
        for (f, place) in self.formulas.iter().zip(0..) {
            let operand = |i: usize| holds[self.number[&f.children()[i]]];
            let mut operands = f.children().iter().map(|child| holds[self.number[child]]);
            holds[place] = match f.op() {
                Op::True => true,
                Op::False => false,
                Op::Prop => {
                    prop += 1;
                    chosen(prop - 1)
                }
                Op::Not => !operand(0),
                Op::And => operands.all(|holds| holds),
                Op::Or => operands.any(|holds| holds),
                Op::Next => postponed(self.number[&f.children()[0]]),
                Op::Finally => operand(0) || postponed(place),
                Op::Globally => operand(0) && postponed(place),
                Op::Until | Op::WeakUntil => operand(1) || operand(0) && postponed(place),
                Op::Release | Op::StrongRelease => operand(1) && (operand(0) || postponed(place)),
                op => unreachable!("{op:?} is not in normal form"),
            };
        }
        holds
    }
}

/// The decisions of an atom that the automaton needs.
struct Decided {
    /// Whether the formula holds.
    root: bool,
    label: Label,
    marks: Marks,
}

/// All atoms of a formula.
struct Atoms {
    /// By choices.
    all: Vec<Decided>,
    /// Atoms by the values of the subformulas that atoms oblige to.
    by_operands: FxHashMap<Choices, Vec<Choices>>,
    states: States,
}

/// The atoms that were reached.
#[derive(Default)]
struct States {
    numbers: FxHashMap<Choices, StateId>,
    waiting: VecDeque<(StateId, Choices)>,
}

impl States {
    fn state(&mut self, choices: Choices, builder: &mut AutomatonBuilder) -> StateId {
        *self.numbers.entry(choices).or_insert_with(|| {
            let state = builder.add_state();
            self.waiting.push_back((state, choices));
            state
        })
    }
}

impl Atoms {
    fn of(closure: &Closure, alphabet: &Alphabet) -> Self {
        let bits = closure.props.len() + closure.obligations.len();
        // More atoms than numbers could not be stored either; limits end the loop before that.
        let count = 1u64.checked_shl(bits as u32).unwrap_or(u64::MAX);
        let mut atoms =
            Atoms { all: vec![], by_operands: FxHashMap::default(), states: States::default() };
        let literals: Vec<Label> = closure
            .props
            .iter()
            .map(|&place| {
                let index =
                    closure.formulas[place].as_prop().and_then(|prop| alphabet.index_of(prop));
                alphabet.prop(index.unwrap_or_else(|| unreachable!("no such proposition")))
            })
            .collect();
        for choices in 0..count {
            interrupt::poll();
            let holds = closure.decide(choices);
            let label = literals.iter().zip(0..).fold(alphabet.tt(), |label, (&literal, bit)| {
                let chosen = choices >> bit & 1 == 1;
                alphabet.and(label, if chosen { literal } else { alphabet.not(literal) })
            });
            let fulfilled = closure.promises.iter().zip(0..);
            let marks = fulfilled
                .filter(|((promise, goal), _)| !holds[*promise] || holds[*goal])
                .map(|(_, mark)| mark)
                .collect();
            let root = holds[holds.len() - 1];
            let operands = closure.obligations.iter().zip(0..);
            let operands = operands.map(|(&f, bit)| Choices::from(holds[f]) << bit).sum();
            atoms.by_operands.entry(operands).or_default().push(choices);
            atoms.all.push(Decided { root, label, marks });
        }
        atoms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sempre_automata::membership;
    use sempre_ltl::{arbitrary, semantics};

    #[test]
    fn small_formulas_have_the_textbook_atoms() {
        let states = |formula: &str| translate(&formula.parse().unwrap()).state_count();
        assert_eq!(states("F p"), 4);
        assert_eq!(states("1"), 1);
        assert_eq!(states("0"), 0);
        assert_eq!(states("G p"), 1);
        assert_eq!(states("p U q"), 8);
    }

    proptest! {
        #[test]
        fn the_language_is_that_of_the_formula(
            f in arbitrary::formula(7),
            words in prop::collection::vec(arbitrary::word(4), 8),
        ) {
            let automaton = translate(&f);
            prop_assert!(automaton.is_state_based());
            for word in words {
                prop_assert_eq!(
                    membership::accepts(&automaton, &word),
                    semantics::holds(&f, &word),
                    "{} on {}", f, word
                );
            }
        }
    }
}
