//! The product of an automaton with an on-the-fly complement.

use crate::complement::{Construction, Macrostates};
use crate::emptiness::{self, Graph, Sparse};
use crate::{Acceptance, Automaton, Condition, EdgeId, Marks, StateId};
use rustc_hash::FxHashMap;
use sempre_ltl::Word;
use std::borrow::Cow;
use std::cell::RefCell;

/// The intersection of an automaton with a construction over the same alphabet.
pub(super) struct Difference<'a, C> {
    left: &'a Automaton,
    right: &'a RefCell<Macrostates<C>>,
    condition: Condition,
    /// How many marks the automaton has: those of the construction follow.
    marks: u32,
}

impl<'a, C: Construction> Difference<'a, C> {
    pub(super) fn new(left: &'a Automaton, right: &'a RefCell<Macrostates<C>>) -> Self {
        let marks = left.acceptance().marks();
        let own = right.borrow().acceptance().condition().map_marks(&|mark| mark + marks);
        let condition = Condition::and([left.acceptance().condition().clone(), own]);
        Difference { left, right, condition, marks }
    }

    /// The product as far as it can be reached.
    pub(super) fn automaton(&self) -> Automaton {
        let marks = self.marks + self.right.borrow().acceptance().marks();
        let mut builder = Automaton::builder(self.left.alphabet().clone());
        builder.acceptance(Acceptance::new(marks, self.condition.clone()));
        let mut numbers: FxHashMap<(StateId, u32), StateId> = FxHashMap::default();
        let mut nodes = vec![];
        for node in self.initial() {
            let number = *numbers.entry(node).or_insert_with(|| {
                nodes.push(node);
                builder.add_state()
            });
            builder.initial(number);
        }
        let mut next = 0;
        while next < nodes.len() {
            sempre_ltl::interrupt::poll();
            let found: Vec<_> = self.successors(nodes[next]).collect();
            for ((left, right), target) in found {
                let label = self.right.borrow().edge(right).label;
                let label = self.left.alphabet().and(self.left.edge(left).label, label);
                let marks = self.marks((left, right)).into_owned();
                let target = *numbers.entry(target).or_insert_with(|| {
                    nodes.push(target);
                    builder.add_state()
                });
                builder.edge(StateId::new(next), label, marks, target);
            }
            next += 1;
        }
        builder.build()
    }

    /// Returns a word of the product, if there is one.
    pub(super) fn word(&self) -> Option<Word> {
        let lasso = emptiness::accepting_lasso(self, &self.condition)?;
        let alphabet = self.left.alphabet();
        let steps = lasso.prefix.iter().chain(&lasso.cycle);
        let letters: Vec<Vec<usize>> = steps
            .map(|(_, (left, right))| {
                let right = self.right.borrow().edge(*right).label;
                let label = alphabet.and(self.left.edge(*left).label, right);
                alphabet.some_valuation(label).unwrap_or_default()
            })
            .collect();
        let props = alphabet.props().iter().cloned();
        let holds = |position: usize, prop: usize| letters[position].contains(&prop);
        let word = Word::from_fn(props, lasso.prefix.len(), lasso.cycle.len(), holds);
        Some(word.unwrap_or_else(|_| unreachable!("a cycle, and distinct propositions")))
    }
}

impl<C: Construction> Graph for Difference<'_, C> {
    type Node = (StateId, u32);
    type Edge = (EdgeId, u32);
    type Numbering = Sparse<(StateId, u32)>;

    fn numbering(&self) -> Self::Numbering {
        Sparse::default()
    }

    fn initial(&self) -> impl Iterator<Item = (StateId, u32)> + '_ {
        let right = self.right.borrow().initial().to_vec();
        let pairs = move |left: &StateId| {
            let left = *left;
            right.clone().into_iter().map(move |right| (left, right))
        };
        self.left.initial().iter().flat_map(pairs)
    }

    fn successors(
        &self,
        (left, right): (StateId, u32),
    ) -> impl Iterator<Item = ((EdgeId, u32), (StateId, u32))> + '_ {
        let right = self.right.borrow_mut().edges(right);
        self.left.edge_range(left).flat_map(move |left| {
            let edge = &self.left.edges()[left];
            right.clone().filter_map(move |right| {
                let other = self.right.borrow().edge(right);
                let disjoint = self.left.alphabet().disjoint(edge.label, other.label);
                (!disjoint).then_some(((EdgeId::new(left), right), (edge.target, other.target)))
            })
        })
    }

    fn marks(&self, (left, right): (EdgeId, u32)) -> Cow<'_, Marks> {
        let marks = &self.left.edge(left).marks;
        match self.right.borrow().edge(right).marks {
            0 => Cow::Borrowed(marks),
            own => Cow::Owned(marks | &Marks::from_bits(u64::from(own)).shifted(self.marks)),
        }
    }
}
