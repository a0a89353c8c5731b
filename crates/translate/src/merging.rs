//! States are merged where that adds no word to the language, as told by an automaton of the
//! complement, which a translator gets from the negation of the formula.
//!
//! Merging states can only add words, so a merge is right if what comes out has no word in common
//! with the complement. All of this takes place in one product of the automaton and the complement:
//!
//! - a state p is *reached with* a state n of the complement if some word leads to both, and *live
//!   with* n if some word is accepted from both. If p is reached with n and q is live with n, then
//!   p and q cannot be merged; this rules out nearly all pairs;
//! - for the others, the product is searched for accepting cycles as if they were one state. There
//!   were none before, so one would pass that state: the search starts there, and ends with the
//!   first cycle that it finds.
//!
//! Language equivalence of states is sufficient for neither (marks differ) nor necessary: states
//! merge as soon as nobody can tell from which of them a run goes on.
//!
//! The product has as many pairs as there are states in both, and is built once per automaton; a
//! pair of states that is not ruled out costs a search in it. Searches are counted by the edges they
//! look at, and none begins beyond a limit.

use rustc_hash::FxHashMap;
use sempre_automata::{Automaton, Condition, Label, Marks, StateId};
use sempre_ltl::interrupt::poll;

/// Products with more pairs of states, or with more edges, are not built.
const MOST_PAIRS: usize = 1 << 14;
const MOST_EDGES: usize = 1 << 18;
/// No more states are merged once searches have looked at this many edges.
const MOST_STEPS: usize = 1 << 22;

/// Where the marks of merged states are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// On edges, which keep them.
    OnEdges,
    /// On states: all edges that leave a state have the same marks, those of all the states that
    /// it has been merged from.
    OnStates,
}

/// The automaton with some of its states merged, if any can be. Both automata must have generalised
/// Büchi acceptance, and `complement` the complement of the language.
pub fn merged(
    automaton: &Automaton,
    complement: &Automaton,
    acceptance: Acceptance,
) -> Option<Automaton> {
    let mut product = Product::new(automaton, complement, acceptance)?;
    // States that differ in their marks lose something by being merged, so they come last.
    let mut steps = 0;
    let mut found = product.merge(true, &mut steps);
    if acceptance == Acceptance::OnStates {
        found |= product.merge(false, &mut steps);
    }
    found.then(|| quotient(automaton, &product.classes(&product.class)))
}

/// The automaton with one state per class.
fn quotient(automaton: &Automaton, classes: &Classes<'_>) -> Automaton {
    let mut number = vec![StateId::default(); classes.class.len()];
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(automaton.acceptance().clone());
    for (state, &class) in classes.class.iter().enumerate() {
        number[state] = if class == state { builder.add_state() } else { number[class] };
    }
    let place = |state: StateId| number[state.index()];
    automaton.initial().iter().for_each(|&state| {
        builder.initial(place(state));
    });
    for (source, edge) in automaton.transitions() {
        let marks = &edge.marks | &Marks::from_bits(classes.marks[classes.class[source.index()]]);
        builder.edge(place(source), edge.label, marks, place(edge.target));
    }
    builder.build()
}

/// A product with all pairs of states, whether they can be reached or not.
struct Product {
    states: usize,
    others: usize,
    /// How many words of 64 bits a set of states of the complement takes.
    words: usize,
    initial: Vec<u32>,
    /// The edges from pair `p` are those from `offsets[p]` to `offsets[p + 1]`.
    offsets: Vec<u32>,
    edges: Vec<(u32, u64)>,
    all_marks: u64,
    /// The marks of each state of the automaton, if they are on states.
    state_marks: Vec<u64>,
    /// The smallest state that each state of the automaton has been merged with.
    class: Vec<usize>,
}

/// The members of each class, and the class of each member.
struct Classes<'a> {
    class: &'a [usize],
    /// For each state the next of its class, or itself.
    next: Vec<u32>,
    /// For each state that stands for its class, the marks of the class, if they are on states.
    marks: Vec<u64>,
}

/// The bits of all marks of a condition that wants all of them infinitely often.
fn generalized_buchi(automaton: &Automaton) -> Option<u32> {
    let acceptance = automaton.acceptance();
    let inf = |condition: &Condition| matches!(condition, Condition::Inf(_));
    let fits = match acceptance.condition() {
        Condition::True => acceptance.marks() == 0,
        Condition::And(operands) => {
            operands.iter().all(inf) && operands.len() == acceptance.marks() as usize
        }
        condition => inf(condition) && acceptance.marks() == 1,
    };
    fits.then_some(acceptance.marks())
}

/// The number of each label among the distinct ones, and these.
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
    fn new(automaton: &Automaton, complement: &Automaton, acceptance: Acceptance) -> Option<Self> {
        let (marks, other_marks) = (generalized_buchi(automaton)?, generalized_buchi(complement)?);
        let (states, others) = (automaton.state_count(), complement.state_count());
        if states * others > MOST_PAIRS || states < 2 || marks + other_marks > 63 {
            return None;
        }
        let alphabet = automaton.alphabet();
        let places: Option<Vec<usize>> =
            complement.alphabet().props().iter().map(|prop| alphabet.index_of(prop)).collect();
        let places = places?;
        // Few labels are on many edges: they are compared once.
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
            words: others.div_ceil(64),
            initial: vec![],
            offsets: vec![0],
            edges: vec![],
            all_marks: (1 << (marks + other_marks)) - 1,
            state_marks: vec![0; states],
            class: (0..states).collect(),
        };
        if acceptance == Acceptance::OnStates {
            for state in automaton.states() {
                if let Some(edge) = automaton.edges_from(state).first() {
                    product.state_marks[state.index()] = edge.marks.as_bits()?;
                }
            }
        }
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
            if product.edges.len() > MOST_EDGES {
                return None;
            }
        }
        Some(product)
    }

    fn classes<'a>(&self, class: &'a [usize]) -> Classes<'a> {
        let mut next: Vec<u32> = (0..class.len() as u32).collect();
        let mut last: Vec<u32> = next.clone();
        let mut marks = self.state_marks.clone();
        for (state, &class) in class.iter().enumerate() {
            if state != class {
                next[last[class] as usize] = state as u32;
                last[class] = state as u32;
                marks[class] |= self.state_marks[state];
            }
        }
        Classes { class, next, marks }
    }

    /// Merges states where that adds no word, if wanted only those of the same marks; true if there
    /// are any.
    fn merge(&mut self, same_marks: bool, steps: &mut usize) -> bool {
        let mut found = false;
        let mut marks = self.classes(&self.class).marks;
        let (mut reached, mut live) = self.profile(self.classes(&self.class));
        for left in 0..self.states {
            for right in left + 1..self.states {
                if self.class[left] != left
                    || self.class[right] != right
                    || same_marks && marks[left] != marks[right]
                {
                    continue;
                }
                let crosses = |one: usize, other: usize| {
                    let words = self.words;
                    (0..words).any(|w| reached[one * words + w] & live[other * words + w] != 0)
                };
                if crosses(left, right) || crosses(right, left) {
                    continue;
                }
                if *steps > MOST_STEPS {
                    return found;
                }
                poll();
                let mut class = self.class.clone();
                class.iter_mut().filter(|class| **class == right).for_each(|class| *class = left);
                let union = (0..self.words).map(|word| {
                    reached[left * self.words + word] | reached[right * self.words + word]
                });
                if self.stays_empty(self.classes(&class), left, union, steps) {
                    self.class = class;
                    found = true;
                    marks = self.classes(&self.class).marks;
                    (reached, live) = self.profile(self.classes(&self.class));
                }
            }
        }
        found
    }

    /// True if there is no accepting cycle with these classes as states, given that there was none
    /// before `merged` became one of them, and the states of the complement it is reached with.
    fn stays_empty(
        &self,
        classes: Classes<'_>,
        merged: usize,
        reached: impl Iterator<Item = u64>,
        steps: &mut usize,
    ) -> bool {
        let mut search = Search::new(self, &classes);
        search.first_only = true;
        let live = reached.enumerate().any(|(word, mut bits)| {
            std::iter::from_fn(|| {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(word * 64 + bit)
            })
            .any(|other| search.run((merged * self.others + other) as u32))
        });
        *steps += search.steps;
        !live
    }

    /// For each state that stands for its class, the states of the complement it is reached with,
    /// and those that it is live with.
    fn profile(&self, classes: Classes<'_>) -> (Vec<u64>, Vec<u64>) {
        let mut reached = vec![0; self.states * self.words];
        let mut live = reached.clone();
        let mut search = Search::new(self, &classes);
        for &pair in &self.initial {
            search.run(search.representative(pair));
        }
        let set = |sets: &mut [u64], pair: usize| {
            let (state, other) = (pair / self.others, pair % self.others);
            sets[state * self.words + other / 64] |= 1 << (other % 64);
        };
        (0..search.number.len())
            .filter(|&pair| search.number[pair] != 0)
            .for_each(|pair| set(&mut reached, pair));
        for state in (0..self.states).filter(|&state| classes.class[state] == state) {
            for other in 0..self.others {
                let pair = state * self.others + other;
                if search.run(pair as u32) {
                    set(&mut live, pair);
                }
            }
        }
        (reached, live)
    }
}

/// Tarjan's search for components with all marks.
struct Search<'a> {
    product: &'a Product,
    classes: &'a Classes<'a>,
    /// When a pair was found, counted from 1; 0 if it was not.
    number: Vec<u32>,
    /// The smallest number known to be reached; that of pairs in finished components is `DONE`.
    low: Vec<u32>,
    /// Whether an accepting cycle can be reached; known for finished components.
    live: Vec<bool>,
    found: u32,
    /// One accepting cycle is enough.
    first_only: bool,
    /// How many edges have been looked at.
    steps: usize,
    open: Vec<u32>,
    frames: Vec<Frame>,
}

struct Frame {
    pair: u32,
    /// The member of the class whose edges are looked at.
    member: u32,
    next: u32,
    live: bool,
    /// Marks of the edges inside the component that are known by now.
    marks: u64,
    cyclic: bool,
}

const DONE: u32 = u32::MAX;

impl<'a> Search<'a> {
    fn new(product: &'a Product, classes: &'a Classes<'a>) -> Self {
        let pairs = product.states * product.others;
        Search {
            product,
            classes,
            number: vec![0; pairs],
            low: vec![0; pairs],
            live: vec![false; pairs],
            found: 0,
            first_only: false,
            steps: 0,
            open: vec![],
            frames: vec![],
        }
    }

    fn representative(&self, pair: u32) -> u32 {
        let others = self.product.others;
        let (state, other) = (pair as usize / others, pair as usize % others);
        (self.classes.class[state] * others + other) as u32
    }

    fn enter(&mut self, pair: u32) {
        self.found += 1;
        self.number[pair as usize] = self.found;
        self.low[pair as usize] = self.found;
        self.open.push(pair);
        let member = pair / self.product.others as u32;
        let next = self.product.offsets[pair as usize];
        self.frames.push(Frame { pair, member, next, live: false, marks: 0, cyclic: false });
    }

    /// Whether an accepting cycle can be reached from the pair.
    fn run(&mut self, root: u32) -> bool {
        if self.number[root as usize] == 0 {
            self.enter(root);
            if self.finish() {
                return true;
            }
        }
        self.live[root as usize]
    }

    /// Ends the search; true if that is because a cycle has been found, and one is enough.
    fn finish(&mut self) -> bool {
        let others = self.product.others as u32;
        while let Some(frame) = self.frames.last_mut() {
            let other = frame.pair % others;
            let place = (frame.member * others + other) as usize;
            if frame.next < self.product.offsets[place + 1] {
                let (target, marks) = self.product.edges[frame.next as usize];
                self.steps += 1;
                frame.next += 1;
                let target = (self.classes.class[(target / others) as usize] as u32) * others
                    + target % others;
                if self.number[target as usize] == 0 {
                    // The edge counts if the target turns out to be in the same component; it
                    // is looked at again then.
                    frame.next -= 1;
                    self.enter(target);
                } else if self.low[target as usize] == DONE {
                    frame.live |= self.live[target as usize];
                } else {
                    let low = self.low[target as usize].min(self.number[target as usize]);
                    let own = &mut self.low[frame.pair as usize];
                    *own = (*own).min(low);
                    frame.marks |= marks | self.classes.marks[(frame.pair / others) as usize];
                    frame.cyclic = true;
                }
                continue;
            }
            let following = self.classes.next[frame.member as usize];
            if following != frame.member {
                frame.member = following;
                frame.next = self.product.offsets[(following * others + other) as usize];
                continue;
            }
            let Some(Frame { pair, live, marks, cyclic, .. }) = self.frames.pop() else { break };
            if self.low[pair as usize] == self.number[pair as usize] {
                let live = live || (cyclic && marks == self.product.all_marks);
                if live && self.first_only {
                    return true;
                }
                while let Some(member) = self.open.pop() {
                    self.low[member as usize] = DONE;
                    self.live[member as usize] = live;
                    if member == pair {
                        break;
                    }
                }
            } else if let Some(parent) = self.frames.last_mut() {
                // In the same component as its parent.
                parent.live |= live;
                parent.marks |= marks;
                parent.cyclic |= cyclic;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tableau;
    use proptest::prelude::*;
    use sempre_automata::{Degeneralizer, membership, product};
    use sempre_ltl::semantics::Evaluator;
    use sempre_ltl::{Formula, arbitrary};

    #[test]
    fn states_that_no_simulation_relates_are_merged() {
        let f: Formula = "G(a | X(G!b | F(b & Fc)))".parse().unwrap();
        let automaton = tableau::translate(&f);
        let complement = tableau::translate(&Formula::not(&f));
        let merged = merged(&automaton, &complement, Acceptance::OnEdges).unwrap();
        assert!(merged.state_count() < automaton.state_count());
    }

    #[test]
    fn merged_states_are_accepting_if_one_of_them_is() {
        let f: Formula = "X!a R Fb".parse().unwrap();
        let automaton = Degeneralizer::default().state_based(&tableau::translate(&f)).unwrap();
        let complement = tableau::translate(&Formula::not(&f));
        let merged = merged(&automaton, &complement, Acceptance::OnStates).unwrap();
        assert!(merged.is_state_based());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn the_language_stays(
            f in arbitrary::formula(14),
            on_states in any::<bool>(),
            words in prop::collection::vec(arbitrary::word(4), 20),
        ) {
            let complement = tableau::translate(&Formula::not(&f));
            let mut automaton = tableau::translate(&f);
            let mut acceptance = Acceptance::OnEdges;
            if on_states {
                automaton = Degeneralizer::default().state_based(&automaton).unwrap();
                acceptance = Acceptance::OnStates;
            }
            if let Some(merged) = merged(&automaton, &complement, acceptance) {
                prop_assert!(!on_states || merged.is_state_based());
                prop_assert!(merged.state_count() < automaton.state_count());
                prop_assert_eq!(product::common_word(&merged, &complement), None);
                let evaluator = Evaluator::new(&f);
                for word in words {
                    prop_assert_eq!(membership::accepts(&merged, &word), evaluator.holds(&word));
                }
            }
        }
    }
}
