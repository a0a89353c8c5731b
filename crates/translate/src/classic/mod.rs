//! The classic tableau, as in the textbooks, and its two published improvements.
//!
//! R. Gerth, D. Peled, M. Vardi and P. Wolper, Simple on-the-fly automatic verification of linear
//! temporal logic (PSTV 1995); improvements from there and from M. Daniele, F. Giunchiglia and
//! M. Vardi, Improved automata generation for linear temporal logic (CAV 1999). Nothing is reduced
//! afterwards, so that sizes can be compared with those of the literature. A node has the subformulas that hold now and the obligations for the next
//! node; nodes with equal parts are merged. Each subformula that must not be postponed forever has
//! an acceptance set. `W`, `M` and conjunctions of many operands are expanded directly, `<->` and
//! `xor` into two conjunctions.
//!
//! The number of states may be exponential in the number of subformulas.

mod closure;
mod cover;
mod expand;
#[cfg(test)]
mod tests;

use crate::normal_form::normal_form;
use closure::{Closure, Rule, Subformula};
use cover::{Implied, cover};
use expand::{Node, Set, expand};
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Automaton, AutomatonBuilder, Label, Marks, Named, StateId};
use sempre_ltl::{Formula, interrupt};
use std::collections::VecDeque;

/// A published form of the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Variant {
    /// The form of 1995: a node records all its subformulas.
    #[default]
    Gpvw,
    /// With the improvements of 1995: a node records what acceptance needs, contradictions are
    /// found between all subformulas.
    GpvwPlus,
    /// The form of 1999: a node records literals and obligations only, what follows from them is
    /// derived.
    Ltl2aut,
}

/// Translates a formula. The automaton has one initial state without incoming edges, and a state
/// for each node of the tableau. All edges to a state are labelled with its literals. Acceptance is
/// generalized Büchi on states.
///
/// ```
/// use sempre_translate::classic;
/// let automaton = classic::translate(&"p U q".parse()?);
/// assert_eq!((automaton.state_count(), automaton.edge_count()), (4, 6));
/// assert!(automaton.is_state_based());
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
pub fn translate(formula: &Formula) -> Automaton {
    translate_as(formula, Variant::Gpvw, false)
}

/// As [`translate`], by a variant of the construction; with `names`, each state is named by its
/// obligations.
pub fn translate_as(formula: &Formula, variant: Variant, names: bool) -> Automaton {
    Tableau::of(formula, variant, names).build()
}

struct Tableau {
    closure: Closure,
    variant: Variant,
    names: bool,
    states: FxHashMap<Node, StateId>,
    /// The successors of nodes, by their obligations for the next node.
    successors: FxHashMap<Set, Vec<StateId>>,
    /// By state, the label of incoming edges and the marks of outgoing edges.
    labels: Vec<(Label, Marks)>,
    /// States without edges so far.
    waiting: VecDeque<(StateId, Set)>,
    builder: AutomatonBuilder,
}

impl Tableau {
    fn of(formula: &Formula, variant: Variant, names: bool) -> Self {
        let alphabet = Alphabet::new(formula.props())
            .unwrap_or_else(|_| unreachable!("a formula has each proposition once"));
        let closure = Closure::of(&normal_form(formula), &alphabet);
        let mut builder = Automaton::builder(alphabet);
        let count = closure.promises().len() as u32;
        builder.acceptance(match count {
            0 => Named::All.acceptance(),
            _ => Named::GeneralizedBuchi(count).acceptance(),
        });
        let (states, successors) = (FxHashMap::default(), FxHashMap::default());
        let waiting = VecDeque::new();
        Tableau { closure, variant, names, states, successors, labels: vec![], waiting, builder }
    }

    fn build(mut self) -> Automaton {
        let root = Set::from_slice(&[self.closure.root()]);
        let label = self.builder.alphabet().tt();
        let initial = self.add_state(label, Marks::EMPTY, root);
        self.builder.initial(initial);
        while let Some((source, next)) = self.waiting.pop_front() {
            interrupt::poll();
            let targets = match self.successors.get(&next) {
                Some(known) => known.clone(),
                None => {
                    let nodes = match self.variant {
                        Variant::Gpvw => expand(&self.closure, &next),
                        variant => cover(&self.closure, variant, &next),
                    };
                    let targets: Vec<StateId> =
                        nodes.into_iter().map(|node| self.state(node)).collect();
                    self.successors.insert(next, targets.clone());
                    targets
                }
            };
            let marks = self.labels[source.index()].1.clone();
            for target in targets {
                let label = self.labels[target.index()].0;
                self.builder.edge(source, label, marks.clone(), target);
            }
        }
        self.builder.build()
    }

    /// Returns the state of a node.
    fn state(&mut self, node: Node) -> StateId {
        if let Some(&state) = self.states.get(&node) {
            return state;
        }
        let alphabet = self.builder.alphabet();
        let label = node.old.iter().fold(alphabet.tt(), |label, &f| match self.closure.rule(f) {
            Rule::Literal(literal, _) => alphabet.and(label, *literal),
            _ => label,
        });
        // A node of the last variant does not record what its literals and obligations imply.
        let implied = (self.variant == Variant::Ltl2aut)
            .then(|| Implied::new(&self.closure, node.old.iter().copied(), &node.next));
        let holds = |f: Subformula| match &implied {
            Some(implied) => implied.contains(f),
            None => node.old.binary_search(&f).is_ok(),
        };
        let fulfilled = self.closure.promises().iter().zip(0..);
        let marks = fulfilled
            .filter(|(promise, _)| !holds(promise.subformula) || holds(promise.goal))
            .map(|(_, mark)| mark)
            .collect();
        let state = self.add_state(label, marks, node.next.clone());
        self.states.insert(node, state);
        state
    }

    fn add_state(&mut self, label: Label, marks: Marks, next: Set) -> StateId {
        let state = self.builder.add_state();
        if self.names {
            let next = next.iter().map(|&f| self.closure.formula(f).clone());
            self.builder.state_name(state, Formula::and(next).to_string());
        }
        self.labels.push((label, marks));
        self.waiting.push_back((state, next));
        state
    }
}
