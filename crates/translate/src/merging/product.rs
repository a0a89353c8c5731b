//! The product of an automaton and the automaton of its complement.

use rustc_hash::FxHashMap;
use sempre_automata::{Automaton, Label};

/// The maximal number of pairs of states, and of edges.
const MAX_PAIRS: usize = 1 << 14;
const MAX_EDGES: usize = 1 << 18;

/// A product with all pairs of states, including unreachable ones. The number of a pair is that of
/// the state times `others`, plus that of the other state.
pub(super) struct Product {
    pub(super) states: usize,
    pub(super) others: usize,
    pub(super) initial: Vec<u32>,
    /// The edges of pair `p` are at `offsets[p]` to `offsets[p + 1]`.
    pub(super) offsets: Vec<u32>,
    /// Their targets and marks.
    pub(super) edges: Vec<(u32, u64)>,
    pub(super) all_marks: u64,
}

/// Returns the number of each label among the distinct ones, and these.
fn numbered(labels: impl Iterator<Item = Label>) -> (Vec<u32>, Vec<Label>) {
    let mut numbers: FxHashMap<Label, u32> = FxHashMap::default();
    let mut distinct = vec![];
    let numbered = labels.map(|label| {
        *numbers.entry(label).or_insert_with(|| {
            distinct.push(label);
            distinct.len() as u32 - 1
        })
    });
    (numbered.collect(), distinct)
}

impl Product {
    /// Builds the product of generalized Büchi automata; `None` if it is too large.
    pub(super) fn new(automaton: &Automaton, complement: &Automaton) -> Option<Self> {
        let marks = |automaton: &Automaton| automaton.acceptance().generalized_buchi();
        let (marks, other_marks) = (marks(automaton)?, marks(complement)?);
        let (states, others) = (automaton.state_count(), complement.state_count());
        if states * others > MAX_PAIRS || states < 2 || marks + other_marks > 63 {
            return None;
        }
        let alphabet = automaton.alphabet();
        let places: Option<Vec<usize>> =
            complement.alphabet().props().iter().map(|prop| alphabet.index_of(prop)).collect();
        let places = places?;
        // Many edges share few labels, so each pair of labels is compared once.
        let (own, own_labels) = numbered(automaton.edges().iter().map(|edge| edge.label));
        let (other, other_labels) = numbered(complement.edges().iter().map(|edge| edge.label));
        let other_labels: Vec<Label> = other_labels
            .into_iter()
            .map(|label| complement.alphabet().translate(label, alphabet, &places))
            .collect();
        let meets: Vec<bool> = own_labels
            .iter()
            .flat_map(|&l| other_labels.iter().map(move |&r| !alphabet.disjoint(l, r)))
            .collect();
        let mut product = Product {
            states,
            others,
            initial: vec![],
            offsets: vec![0],
            edges: vec![],
            all_marks: (1 << (marks + other_marks)) - 1,
        };
        for left in automaton.initial() {
            for right in complement.initial() {
                product.initial.push((left.index() * others + right.index()) as u32);
            }
        }
        for left in automaton.states() {
            for right in complement.states() {
                for place in automaton.edge_range(left) {
                    let edge = &automaton.edges()[place];
                    let meets = &meets[own[place] as usize * other_labels.len()..];
                    for place in complement.edge_range(right) {
                        if !meets[other[place] as usize] {
                            continue;
                        }
                        let theirs = &complement.edges()[place];
                        let target = edge.target.index() * others + theirs.target.index();
                        let bits = edge.marks.as_bits()? | theirs.marks.as_bits()? << marks;
                        product.edges.push((target as u32, bits));
                    }
                }
                product.offsets.push(product.edges.len() as u32);
            }
            if product.edges.len() > MAX_EDGES {
                return None;
            }
        }
        Some(product)
    }
}
