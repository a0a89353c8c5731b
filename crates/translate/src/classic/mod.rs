//! The classic tableau, as in the textbooks.
//!
//! R. Gerth, D. Peled, M. Vardi and P. Wolper, Simple on-the-fly automatic verification of linear
//! temporal logic (PSTV 1995), plainly: nodes are what was found to hold now and what is left for
//! the next node, those that agree in both are one, and each has an acceptance set for every
//! subformula that must not be put off for ever. None of the later improvements is made, so that
//! the sizes can be compared with those of the literature; `W`, `M` and conjunctions of many
//! operands are taken apart directly, `<->` and `xor` are expanded into two conjunctions.
//!
//! The automaton may have exponentially many states in the number of subformulas.

mod closure;
mod expand;
#[cfg(test)]
mod tests;

use crate::normal_form::normal_form;
use closure::{Closure, Rule};
use expand::{Node, Set, expand};
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Automaton, AutomatonBuilder, Label, Marks, Named, StateId};
use sempre_ltl::{Formula, interrupt};
use std::collections::VecDeque;

/// The automaton of a formula: one initial state, to which no edge leads; a state for each node of
/// the tableau, with the node's literals on all edges that lead to it; and generalised Büchi
/// acceptance on states.
///
/// ```
/// use sempre_translate::classic;
/// let automaton = classic::translate(&"p U q".parse()?);
/// assert_eq!((automaton.state_count(), automaton.edge_count()), (4, 6));
/// assert!(automaton.is_state_based());
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
pub fn translate(formula: &Formula) -> Automaton {
    Tableau::of(formula, false).build()
}

/// The same automaton as that of [`translate`], where each state is named by the formulas that
/// the run has to satisfy from there on.
pub fn translate_with_names(formula: &Formula) -> Automaton {
    Tableau::of(formula, true).build()
}

struct Tableau {
    closure: Closure,
    names: bool,
    states: FxHashMap<Node, StateId>,
    /// Where the nodes lead that leave this to the next one.
    successors: FxHashMap<Set, Vec<StateId>>,
    /// By state, the label of edges that lead there and the marks of edges that leave it.
    labels: Vec<(Label, Marks)>,
    /// States whose edges have not been added.
    waiting: VecDeque<(StateId, Set)>,
    builder: AutomatonBuilder,
}

impl Tableau {
    fn of(formula: &Formula, names: bool) -> Self {
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
        Tableau { closure, names, states, successors, labels: vec![], waiting, builder }
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
                    let nodes = expand(&self.closure, &next);
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

    /// The state of a node.
    fn state(&mut self, node: Node) -> StateId {
        if let Some(&state) = self.states.get(&node) {
            return state;
        }
        let alphabet = self.builder.alphabet();
        let label = node.old.iter().fold(alphabet.tt(), |label, &f| match self.closure.rule(f) {
            Rule::Literal(literal, _) => alphabet.and(label, *literal),
            _ => label,
        });
        let holds = |f| node.old.binary_search(&f).is_ok();
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
