//! Synchronous products: of two automata, and of a Kripke structure with an automaton.
//!
//! The runs of a product are pairs of runs on the same word. Products are on-the-fly graphs, so
//! [`emptiness`] need not build them. The product of two automata can be built, as an automaton of
//! the reachable pairs.
//!
//! A product of n₁ states and m₁ edges with n₂ states and m₂ edges has at most n₁ · n₂ states and
//! m₁ · m₂ edges.

mod kripke;
#[cfg(test)]
mod tests;

pub use kripke::{KripkeProduct, global_check, with_kripke};

use crate::emptiness::{self, Graph, Lasso, Numbering, Sparse};
use crate::{
    Acceptance, Alphabet, Automaton, Condition, EdgeId, Error, Label, Marks, Run, StateId,
};
use rustc_hash::FxHashMap;
use sempre_ltl::{Word, interrupt};
use std::borrow::Cow;
use std::sync::Arc;

/// Returns an automaton for the intersection of two languages.
///
/// It has the propositions of both. The marks of `right` follow those of `left`, and both
/// conditions must hold. Only reachable pairs are states.
pub fn intersection(left: &Automaton, right: &Automaton) -> Automaton {
    Product::intersection(left, right).automaton()
}

/// Returns the product automaton for the union of two languages: deterministic if both are.
///
/// # Errors
/// If one of the automata is incomplete, because a run of the other would end with it. See
/// [`sum`](crate::sum) for the union of any two automata.
pub fn union(left: &Automaton, right: &Automaton) -> Result<Automaton, Error> {
    Ok(Product::union(left, right)?.automaton())
}

/// Returns a word that both automata accept, if there is one, without building the product.
pub fn common_word(left: &Automaton, right: &Automaton) -> Option<Word> {
    Product::intersection(left, right).accepted_word()
}

/// A pair of states in one machine word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair(u64);

impl Pair {
    /// Creates the pair of these states.
    pub fn new(left: StateId, right: StateId) -> Self {
        Pair((left.index() as u64) << 32 | right.index() as u64)
    }

    /// Returns the state of the left operand.
    pub fn left(self) -> StateId {
        StateId::new((self.0 >> 32) as usize)
    }

    /// Returns the state of the right operand.
    pub fn right(self) -> StateId {
        StateId::new(self.0 as u32 as usize)
    }
}

/// The on-the-fly synchronous product of two automata.
///
/// ```
/// use sempre_automata::emptiness::Graph;
/// use sempre_automata::{Alphabet, Automaton, Marks, product::Product};
///
/// let always = |name: &str| {
///     let mut builder = Automaton::builder(Alphabet::new([name]).unwrap());
///     let state = builder.add_state();
///     let label = builder.alphabet().prop(0);
///     builder.initial(state).edge(state, label, Marks::EMPTY, state);
///     builder.build()
/// };
/// let (a, b) = (always("a"), always("b"));
/// let word = Product::intersection(&a, &b).accepted_word().unwrap();
/// assert_eq!(word.to_string(), "cycle{a&b}");
/// ```
#[derive(Clone, Debug)]
pub struct Product<'a> {
    left: Operand<'a>,
    right: Operand<'a>,
    alphabet: Arc<Alphabet>,
    acceptance: Acceptance,
}

/// An automaton with its labels and marks in the product.
#[derive(Clone, Debug)]
struct Operand<'a> {
    automaton: &'a Automaton,
    labels: Vec<Label>,
    /// Empty if they are those of the automaton's edges.
    marks: Vec<Marks>,
}

impl<'a> Operand<'a> {
    fn new(
        automaton: &'a Automaton,
        alphabet: &Arc<Alphabet>,
        places: &[usize],
        shift: u32,
    ) -> Self {
        let own = automaton.alphabet();
        let edges = automaton.edges().iter();
        let labels = if Arc::ptr_eq(own, alphabet) {
            edges.map(|edge| edge.label).collect()
        } else {
            let mut known: FxHashMap<Label, Label> = FxHashMap::default();
            let mut translate = |label| {
                *known.entry(label).or_insert_with(|| own.translate(label, alphabet, places))
            };
            edges.map(|edge| translate(edge.label)).collect()
        };
        let edges = if shift == 0 { &[] } else { automaton.edges() };
        let marks = edges.iter().map(|edge| edge.marks.shifted(shift)).collect();
        Operand { automaton, labels, marks }
    }

    fn marks(&self, edge: EdgeId) -> &Marks {
        self.marks.get(edge.index()).unwrap_or_else(|| &self.automaton.edge(edge).marks)
    }
}

/// Returns the alphabet of both, with the positions of each one's propositions. It is the first
/// alphabet itself if the second adds none.
pub(crate) fn joint_alphabet(
    left: &Arc<Alphabet>,
    right: &Arc<Alphabet>,
) -> (Arc<Alphabet>, Vec<usize>, Vec<usize>) {
    let (joint, left_places, right_places) = left.union(right);
    let joint = if joint == **left { left.clone() } else { Arc::new(joint) };
    (joint, left_places, right_places)
}

impl<'a> Product<'a> {
    /// Creates the product for the intersection.
    pub fn intersection(left: &'a Automaton, right: &'a Automaton) -> Self {
        Self::new(left, right, |left, right| Condition::and([left, right]))
    }

    /// Creates the product for the union.
    ///
    /// # Errors
    /// If one of the automata is incomplete.
    pub fn union(left: &'a Automaton, right: &'a Automaton) -> Result<Self, Error> {
        if !left.is_complete() || !right.is_complete() {
            return Err(Error::new("a union by product needs complete automata"));
        }
        Ok(Self::new(left, right, |left, right| Condition::or([left, right])))
    }

    fn new(
        left: &'a Automaton,
        right: &'a Automaton,
        join: impl Fn(Condition, Condition) -> Condition,
    ) -> Self {
        let (alphabet, left_places, right_places) =
            joint_alphabet(left.alphabet(), right.alphabet());
        let shift = left.acceptance().marks();
        let shifted = right.acceptance().condition().map_marks(&|mark| mark + shift);
        let condition = join(left.acceptance().condition().clone(), shifted);
        Product {
            left: Operand::new(left, &alphabet, &left_places, 0),
            right: Operand::new(right, &alphabet, &right_places, shift),
            acceptance: Acceptance::new(shift + right.acceptance().marks(), condition),
            alphabet,
        }
    }

    /// The propositions of both automata.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// Returns the acceptance condition of the product.
    pub fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    /// Returns the conjunction of the labels of two edges; not false for an edge of the product.
    pub fn label(&self, (left, right): (EdgeId, EdgeId)) -> Label {
        self.alphabet.and(self.left.labels[left.index()], self.right.labels[right.index()])
    }

    /// Builds the reachable part as an automaton.
    pub fn automaton(&self) -> Automaton {
        self.build().0
    }

    /// Builds the reachable part as an automaton whose states are named by their pairs, as in
    /// `0,2`.
    pub fn named_automaton(&self) -> Automaton {
        let (automaton, pairs) = self.build();
        let mut builder = automaton.edit();
        let name = |automaton: &Automaton, state| {
            automaton.state_name(state).map_or_else(|| state.to_string(), str::to_owned)
        };
        for (state, pair) in pairs.into_iter().enumerate() {
            let left = name(self.left.automaton, pair.left());
            let right = name(self.right.automaton, pair.right());
            builder.state_name(StateId::new(state), format!("{left},{right}"));
        }
        builder.build()
    }

    /// Builds the reachable part, with the pair of each state.
    pub(crate) fn build(&self) -> (Automaton, Vec<Pair>) {
        let mut builder = Automaton::builder(self.alphabet.clone());
        builder.acceptance(self.acceptance.clone());
        let mut numbers = self.numbering();
        let mut pairs: Vec<Pair> = vec![];
        let mut meet = |pairs: &mut Vec<Pair>, pair| {
            let number = numbers.number(pair, pairs.len() as u32) as usize;
            if number == pairs.len() {
                pairs.push(pair);
            }
            StateId::new(number)
        };
        for pair in self.initial() {
            let state = meet(&mut pairs, pair);
            builder.add_states(pairs.len() - builder.state_count());
            builder.initial(state);
        }
        let mut next = 0;
        while let Some(pair) = pairs.get(next).copied() {
            interrupt::poll();
            for (edges, target) in self.successors(pair) {
                let target = meet(&mut pairs, target);
                let marks = self.marks(edges).into_owned();
                builder.edge(StateId::new(next), self.label(edges), marks, target);
            }
            next += 1;
        }
        builder.add_states(pairs.len() - builder.state_count());
        (builder.build(), pairs)
    }

    /// Returns a word of the product, if there is one, without building the product.
    pub fn accepted_word(&self) -> Option<Word> {
        let lasso = emptiness::accepting_lasso(self, self.acceptance.condition())?;
        Some(self.word(&lasso))
    }

    /// Returns a word that a lasso of the product reads.
    pub fn word(&self, lasso: &Lasso<Pair, (EdgeId, EdgeId)>) -> Word {
        let letter = |&(_, edges): &(Pair, (EdgeId, EdgeId))| {
            self.alphabet.some_valuation(self.label(edges)).unwrap_or_default()
        };
        let letters: Vec<Vec<usize>> =
            lasso.prefix.iter().chain(&lasso.cycle).map(letter).collect();
        let props = self.alphabet.props().iter().cloned();
        let holds = |position: usize, prop: usize| letters[position].contains(&prop);
        Word::from_fn(props, lasso.prefix.len(), lasso.cycle.len(), holds)
            .unwrap_or_else(|_| unreachable!("the cycle is not empty, the propositions distinct"))
    }

    /// Returns the runs of both automata in a lasso of the product.
    ///
    /// # Errors
    /// If the cycle is empty.
    pub fn runs(&self, lasso: &Lasso<Pair, (EdgeId, EdgeId)>) -> Result<(Run, Run), Error> {
        let start = lasso.prefix.iter().chain(&lasso.cycle).map(|(pair, _)| *pair).next();
        let start = start.ok_or_else(|| Error::new("the cycle of a run cannot be empty"))?;
        let (left_prefix, right_prefix) = lasso.prefix.iter().map(|(_, edges)| *edges).unzip();
        let (left_cycle, right_cycle) = lasso.cycle.iter().map(|(_, edges)| *edges).unzip();
        let left = Run::new(start.left(), left_prefix, left_cycle)?;
        Ok((left, Run::new(start.right(), right_prefix, right_cycle)?))
    }
}

impl Graph for Product<'_> {
    type Node = Pair;
    type Edge = (EdgeId, EdgeId);
    type Numbering = Sparse<Pair>;

    fn numbering(&self) -> Sparse<Pair> {
        Sparse::default()
    }

    fn initial(&self) -> impl Iterator<Item = Pair> + '_ {
        let right = self.right.automaton.initial();
        let pairs = move |l: &StateId| {
            let l = *l;
            right.iter().map(move |r| Pair::new(l, *r))
        };
        self.left.automaton.initial().iter().flat_map(pairs)
    }

    fn successors(&self, node: Pair) -> impl Iterator<Item = (Self::Edge, Pair)> + '_ {
        let right = self.right.automaton.edge_range(node.right());
        self.left.automaton.edge_range(node.left()).flat_map(move |l| {
            let label = self.left.labels[l];
            let target = self.left.automaton.edges()[l].target;
            right
                .clone()
                .filter(move |r| !self.alphabet.disjoint(label, self.right.labels[*r]))
                .map(move |r| {
                    let target = Pair::new(target, self.right.automaton.edges()[r].target);
                    ((EdgeId::new(l), EdgeId::new(r)), target)
                })
        })
    }

    fn marks(&self, (left, right): (EdgeId, EdgeId)) -> Cow<'_, Marks> {
        Cow::Owned(self.left.marks(left) | self.right.marks(right))
    }
}
