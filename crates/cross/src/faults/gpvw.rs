//! A tableau with optional faults.
//!
//! R. Gerth, D. Peled, M. Vardi and P. Wolper, Simple on-the-fly automatic verification of linear
//! temporal logic (PSTV 1995), as plainly as it can be written, and on its own: `F` and `G` are `U`
//! and `R`, sets are trees, nothing is shared with [`sempre_translate::classic`]. Each slip is a
//! mistake that translators have been seen to make.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sempre_automata::{Alphabet, Automaton, Label, Marks, Named, StateId};
use sempre_ltl::{Formula, Op, interrupt, rewrite};

/// A mistake in the construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slip {
    /// There are no acceptance sets.
    NoAcceptance,
    /// Only the acceptance set of the first until is kept.
    OneAcceptanceSet,
    /// `a R b` is released by `a` where `b` does not hold.
    ReleasedWithoutRight,
    /// `a R b` is never released.
    NeverReleased,
    /// Nodes that owe nothing are not in acceptance sets, only those that fulfil the until.
    FulfilledOnly,
    /// That `true` holds is not recorded.
    TrueUnrecorded,
    /// Nodes are the same if they agree in their literals and in what they leave to the next.
    MergedByLiterals,
}

/// Numbers of subformulas.
type Set = BTreeSet<usize>;

#[derive(Clone)]
struct Node {
    old: Set,
    next: Set,
}

struct Tableau {
    formulas: Vec<Formula>,
    numbers: BTreeMap<Formula, usize>,
    untils: Vec<usize>,
    slip: Option<Slip>,
}

/// The automaton of a formula, with a mistake or without.
pub(super) fn translate(formula: &Formula, slip: Option<Slip>) -> Automaton {
    let tableau = Tableau::of(&core(formula), slip);
    let alphabet = Alphabet::new(formula.props())
        .unwrap_or_else(|_| unreachable!("a formula has each proposition once"));
    let mut builder = Automaton::builder(alphabet);
    let marks = tableau.untils.len() as u32;
    builder.acceptance(match marks {
        0 => Named::All.acceptance(),
        _ => Named::GeneralizedBuchi(marks).acceptance(),
    });
    let initial = builder.add_state();
    builder.initial(initial);
    let mut states: BTreeMap<(Set, Set), StateId> = BTreeMap::new();
    let mut labels: Vec<Label> = vec![builder.alphabet().tt()];
    let root = Set::from([tableau.formulas.len() - 1]);
    let mut waiting: VecDeque<(StateId, Marks, Set)> = [(initial, Marks::EMPTY, root)].into();
    while let Some((source, marks, next)) = waiting.pop_front() {
        interrupt::poll();
        for node in tableau.expand(&next) {
            let target = *states.entry(tableau.key(&node)).or_insert_with(|| {
                let state = builder.add_state();
                labels.push(tableau.label(&node, builder.alphabet()));
                waiting.push_back((state, tableau.marks(&node), node.next.clone()));
                state
            });
            builder.edge(source, labels[target.index()], marks.clone(), target);
        }
    }
    builder.build()
}

/// The formula with `!` before propositions only, and with no operators but `&`, `|`, `X`, `U`, `R`.
fn core(formula: &Formula) -> Formula {
    let abbreviations = [
        Op::StrictFinally,
        Op::StrictGlobally,
        Op::Finally,
        Op::Globally,
        Op::WeakUntil,
        Op::StrongRelease,
        Op::Iff,
        Op::Xor,
        Op::Implies,
    ];
    let core = rewrite::unabbreviate(formula, &abbreviations);
    rewrite::nnf(&core.unwrap_or_else(|_| unreachable!("U, R, & and | stay")))
}

impl Tableau {
    fn of(formula: &Formula, slip: Option<Slip>) -> Self {
        let formulas: Vec<Formula> = formula.subformulas().collect();
        let numbers = formulas.iter().cloned().zip(0..).collect();
        let untils = (0..formulas.len()).filter(|&f| formulas[f].op() == Op::Until);
        let kept = match slip {
            Some(Slip::NoAcceptance) => 0,
            Some(Slip::OneAcceptanceSet) => 1,
            _ => usize::MAX,
        };
        let untils = untils.take(kept).collect();
        Tableau { formulas, numbers, untils, slip }
    }

    fn operands(&self, formula: usize) -> Vec<usize> {
        self.formulas[formula].children().iter().map(|child| self.numbers[child]).collect()
    }

    /// All nodes at which these subformulas hold.
    fn expand(&self, start: &Set) -> Vec<Node> {
        let empty = Node { old: Set::new(), next: Set::new() };
        let mut unfinished: Vec<(Vec<usize>, Node)> =
            vec![(start.iter().copied().collect(), empty)];
        let mut nodes: Vec<Node> = vec![];
        while let Some((mut new, mut node)) = unfinished.pop() {
            interrupt::poll();
            let Some(formula) = new.pop() else {
                nodes.push(node);
                continue;
            };
            if node.old.contains(&formula) {
                unfinished.push((new, node));
                continue;
            }
            let operands = self.operands(formula);
            let op = self.formulas[formula].op();
            if op != Op::True || self.slip != Some(Slip::TrueUnrecorded) {
                node.old.insert(formula);
            }
            // Each way to satisfy the formula: what must hold now, and what next.
            let ways: Vec<(Vec<usize>, Option<usize>)> = match op {
                Op::True => vec![(vec![], None)],
                Op::False => vec![],
                Op::Prop | Op::Not if self.contradicts(&node.old, formula) => vec![],
                Op::Prop | Op::Not => vec![(vec![], None)],
                Op::And => vec![(operands, None)],
                Op::Or => operands.into_iter().map(|operand| (vec![operand], None)).collect(),
                Op::Next => vec![(vec![], Some(operands[0]))],
                Op::Until => {
                    vec![(vec![operands[1]], None), (vec![operands[0]], Some(formula))]
                }
                Op::Release => {
                    let stay = (vec![operands[1]], Some(formula));
                    match self.slip {
                        Some(Slip::NeverReleased) => vec![stay],
                        Some(Slip::ReleasedWithoutRight) => vec![(vec![operands[0]], None), stay],
                        _ => vec![(operands, None), stay],
                    }
                }
                op => unreachable!("{op:?} was removed"),
            };
            for (now, next) in ways {
                let (mut new, mut node) = (new.clone(), node.clone());
                new.extend(now);
                node.next.extend(next);
                unfinished.push((new, node));
            }
        }
        nodes
    }

    /// Whether the opposite of a literal is there already.
    fn contradicts(&self, old: &Set, literal: usize) -> bool {
        let literal = &self.formulas[literal];
        let opposite = match literal.children() {
            [prop] => prop.clone(),
            _ => Formula::not(literal),
        };
        self.numbers.get(&opposite).is_some_and(|opposite| old.contains(opposite))
    }

    /// The key that identifies a node.
    fn key(&self, node: &Node) -> (Set, Set) {
        let literal = |f: &usize| self.formulas[*f].is_literal();
        let old = match self.slip {
            Some(Slip::MergedByLiterals) => node.old.iter().copied().filter(literal).collect(),
            _ => node.old.clone(),
        };
        (old, node.next.clone())
    }

    fn label(&self, node: &Node, alphabet: &Alphabet) -> Label {
        node.old.iter().fold(alphabet.tt(), |label, &f| match self.formulas[f].op() {
            Op::Prop | Op::Not => {
                let literal = alphabet.from_formula(&self.formulas[f]);
                let literal = literal.unwrap_or_else(|_| unreachable!("the proposition is known"));
                alphabet.and(label, literal)
            }
            _ => label,
        })
    }

    /// The acceptance sets that a node is in.
    fn marks(&self, node: &Node) -> Marks {
        let fulfils = |until: usize| node.old.contains(&self.operands(until)[1]);
        let owes_nothing =
            |until: usize| !node.old.contains(&until) && self.slip != Some(Slip::FulfilledOnly);
        let sets = self.untils.iter().zip(0..);
        sets.filter(|(until, _)| owes_nothing(**until) || fulfils(**until))
            .map(|(_, i)| i)
            .collect()
    }
}
