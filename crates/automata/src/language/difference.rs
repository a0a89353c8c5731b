//! The product of an automaton with an on-the-fly complement.
//!
//! A search for a word skips a node (p, M) if it knows for some (p, M') that no word is accepted from
//! there, and M' accepts all words of M. That is known only when the component of (p, M') is
//! complete: a node on the search path may still reach an accepting one.

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
    known: RefCell<Known>,
}

/// The knowledge of a search up to now.
#[derive(Default)]
struct Known {
    /// By state of the automaton, macrostates with which it accepts nothing: an antichain.
    dead: FxHashMap<StateId, Vec<u32>>,
    /// By node, whether a dead one made it superfluous when the search met it.
    met: FxHashMap<(StateId, u32), bool>,
}

/// Of more macrostates with one state, the oldest are forgotten.
const MOST_DEAD: usize = 32;

impl<'a, C: Construction> Difference<'a, C> {
    pub(super) fn new(left: &'a Automaton, right: &'a RefCell<Macrostates<C>>) -> Self {
        let marks = left.acceptance().marks();
        let own = right.borrow().acceptance().condition().map_marks(&|mark| mark + marks);
        let condition = Condition::and([left.acceptance().condition().clone(), own]);
        Difference { left, right, condition, marks, known: RefCell::default() }
    }

    /// Notes that no word is accepted from a node.
    fn note(&self, (left, macrostate): (StateId, u32)) {
        let right = self.right.borrow();
        // A part without edges may be one that the limit cut off.
        if right.is_exhausted() {
            return;
        }
        let mut known = self.known.borrow_mut();
        let dead = known.dead.entry(left).or_default();
        dead.retain(|other| !right.is_within(*other, macrostate));
        dead.push(macrostate);
        if dead.len() > MOST_DEAD {
            dead.remove(0);
        }
    }

    /// True if the search need not visit a node, because another one without words has more.
    fn is_superfluous(&self, node: (StateId, u32)) -> bool {
        let Known { dead, met } = &mut *self.known.borrow_mut();
        let Some(dead) = dead.get(&node.0) else { return false };
        let right = self.right.borrow();
        *met.entry(node)
            .or_insert_with(|| dead.iter().rev().any(|other| right.is_within(node.1, *other)))
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
        let lasso =
            emptiness::accepting_lasso_noting(self, &self.condition, |node| self.note(*node))?;
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
                let target = (edge.target, other.target);
                (!disjoint && !self.is_superfluous(target))
                    .then_some(((EdgeId::new(left), right), target))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{self, Size};
    use crate::language::{Complement, complementable};
    use crate::random::RandomAutomata;
    use crate::semi_determinize::SemiDeterminizer;
    use crate::{Alphabet, Named, product, prune};
    use proptest::prelude::*;
    use std::sync::Arc;

    /// Whether the difference with an automaton made semi-deterministic has a word, by a search
    /// without superfluous nodes and by one with all; how many nodes without words the first one
    /// visits, and how many nodes there are. `None` if the complement is deterministic.
    fn both_searches(left: &Automaton, right: &Automaton) -> Option<([bool; 2], [usize; 2])> {
        let left = prune::trim(left);
        let right = prune::trim(&SemiDeterminizer::new().run(right).unwrap());
        let right = complementable(&right);
        let Complement::Macrostates(macrostates) = Complement::of(&right, usize::MAX) else {
            return None;
        };
        let search = Difference::new(&left, &macrostates);
        let mut visited = 0;
        let found = emptiness::accepting_lasso_noting(&search, &search.condition, |node| {
            visited += 1;
            search.note(*node);
        });
        let whole = Difference::new(&left, &macrostates).automaton();
        let common = product::common_word(&left, &whole);
        Some(([found.is_some(), common.is_some()], [visited, whole.state_count()]))
    }

    fn buchi_automaton() -> impl Strategy<Value = Automaton> {
        let size = Size { states: 5, props: 1, marks: 1, degree: 3 };
        let alphabet = Arc::new(Alphabet::new(["a"]).unwrap());
        arbitrary::automaton_with(alphabet, Just(Named::Buchi.acceptance()), size)
    }

    proptest! {
        #[test]
        fn superfluous_nodes_have_no_words(left in buchi_automaton(), right in buchi_automaton()) {
            for left in [&left, &right] {
                if let Some(([found, wanted], _)) = both_searches(left, &right) {
                    prop_assert_eq!(found, wanted);
                }
            }
        }
    }

    #[test]
    fn superfluous_nodes_are_not_visited() {
        let random = RandomAutomata::over(["a"]).unwrap().states(4).density(0.4);
        let random = random.acceptance(Named::Buchi).mark_probability(0.3).seed(5);
        let automata: Vec<Automaton> = random.generate().take(300).collect();
        let (mut visited, mut all, mut included, mut excluded) = (0, 0, 0, 0);
        for pair in automata.windows(2) {
            for left in pair {
                let Some((found, sizes)) = both_searches(left, &pair[1]) else { continue };
                assert_eq!(found[0], found[1]);
                if found[0] {
                    excluded += 1;
                } else {
                    included += 1;
                    visited += sizes[0];
                    all += sizes[1];
                }
            }
        }
        assert!(included > 100 && excluded > 50, "{included} {excluded}");
        // Measured: 5,309 of 15,363.
        assert!(visited * 2 < all, "{visited} of {all}");
    }
}
