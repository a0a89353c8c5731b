//! Merging of states where that adds no word to the language, given an automaton of the complement.
//! The translator gets it from the negation of the formula.
//!
//! Merging states can only add words, so a merge is correct if the result shares no word with the
//! complement. The algorithm uses one product of the automaton and the complement:
//!
//! - A state p is *reached with* a state n of the complement if some word leads to both. It is
//!   *live with* n if some word is accepted from both. If p is reached with n and q is live with n,
//!   then p and q cannot be merged. This excludes almost all pairs.
//! - For the others, the product is searched for accepting cycles as if they were one state. There
//!   were none before, so such a cycle passes that state. The search starts there, and ends with
//!   the first cycle.
//!
//! Language equivalence of states is not sufficient, because marks differ, and not necessary:
//! states can be merged if no word of the complement distinguishes how a run continues.
//!
//! The product has all pairs of states of both automata, and is built once per automaton. Each pair
//! of states that is not excluded costs a search in it. The total number of edges visited is
//! limited.

mod product;
mod search;

use product::Product;
use search::Search;
use sempre_automata::{Automaton, Marks, StateId};
use sempre_ltl::interrupt::poll;

/// The maximal number of edges visited by all searches.
const MAX_STEPS: usize = 1 << 21;

/// The position of the marks of merged states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// On edges, which keep them.
    OnEdges,
    /// On states: all edges of a state have the same marks, those of all its merged states.
    OnStates,
}

/// Merges states; `None` if none can be merged. Both automata must have generalized Büchi
/// acceptance, and `complement` must be the complement of the language.
pub fn merge(
    automaton: &Automaton,
    complement: &Automaton,
    acceptance: Acceptance,
) -> Option<Automaton> {
    let product = Product::new(automaton, complement)?;
    let mut merging = Merger::new(&product, state_marks(automaton, acceptance)?);
    // Merging states with different marks loses marks, so these come last.
    let mut found = merging.run(true);
    if acceptance == Acceptance::OnStates {
        found |= merging.run(false);
    }
    found.then(|| quotient(automaton, &merging.classes))
}

/// Returns the marks of each state, if they are on states.
fn state_marks(automaton: &Automaton, acceptance: Acceptance) -> Option<Vec<u64>> {
    let marks = |state| match (acceptance, automaton.edges_from(state).first()) {
        (Acceptance::OnStates, Some(edge)) => edge.marks.as_bits(),
        _ => Some(0),
    };
    automaton.states().map(marks).collect()
}

/// The state of the algorithm.
struct Merger<'a> {
    product: &'a Product,
    classes: Classes,
    search: Search<'a>,
    profile: Profile,
}

impl<'a> Merger<'a> {
    fn new(product: &'a Product, marks: Vec<u64>) -> Self {
        let classes = Classes::new(marks);
        let mut search = Search::new(product);
        let profile = Profile::new(product, &classes, &mut search);
        Merger { product, classes, search, profile }
    }

    /// Merges states where that adds no word, optionally only those with equal marks; true if there
    /// were any.
    fn run(&mut self, same_marks: bool) -> bool {
        let mut found = false;
        for left in 0..self.product.states {
            if !self.classes.is_first(left) {
                continue;
            }
            for right in left + 1..self.product.states {
                if !self.classes.is_first(right)
                    || same_marks && self.classes.marks[left] != self.classes.marks[right]
                    || self.profile.tells_apart(left, right)
                {
                    continue;
                }
                if self.search.steps > MAX_STEPS {
                    return found;
                }
                poll();
                let merged = self.classes.with_merged(left, right);
                let pairs = self.profile.reached_with_either(left, right);
                let pairs = pairs.map(|other| left * self.product.others + other);
                if !self.search.any_live(&merged, pairs) {
                    self.profile.merge(self.product, &merged, left, right);
                    self.classes = merged;
                    found = true;
                }
            }
        }
        found
    }
}

/// Builds the automaton with one state per class.
fn quotient(automaton: &Automaton, classes: &Classes) -> Automaton {
    let mut number = vec![StateId::default(); classes.class.len()];
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(automaton.acceptance().clone());
    for (state, &class) in classes.class.iter().enumerate() {
        poll();
        let first = class as usize == state;
        number[state] = if first { builder.add_state() } else { number[class as usize] };
    }
    let place = |state: StateId| number[state.index()];
    automaton.initial().iter().for_each(|&state| {
        builder.initial(place(state));
    });
    for (source, edge) in automaton.transitions() {
        let class = classes.class[source.index()];
        let marks = &edge.marks | &Marks::from_bits(classes.marks[class as usize]);
        builder.edge(place(source), edge.label, marks, place(edge.target));
    }
    builder.build()
}

/// Classes of merged states. The smallest state represents its class.
struct Classes {
    /// By state, the smallest of its class.
    class: Vec<u32>,
    /// By state, the next of its class, or itself.
    next: Vec<u32>,
    /// By representative, the marks of the class, if they are on states.
    marks: Vec<u64>,
}

impl Classes {
    /// Creates one class per state.
    fn new(marks: Vec<u64>) -> Self {
        let states = 0..marks.len() as u32;
        Classes { class: states.clone().collect(), next: states.collect(), marks }
    }

    /// True if the state represents its class.
    fn is_first(&self, state: usize) -> bool {
        self.class[state] as usize == state
    }

    /// Returns the classes after merging two, the left of which comes first.
    fn with_merged(&self, left: usize, right: usize) -> Self {
        let (mut class, mut next) = (self.class.clone(), self.next.clone());
        let mut marks = self.marks.clone();
        marks[left] |= marks[right];
        class.iter_mut().filter(|class| **class == right as u32).for_each(|c| *c = left as u32);
        let mut last = left;
        while next[last] as usize != last {
            last = next[last] as usize;
        }
        next[last] = right as u32;
        Classes { class, next, marks }
    }

    fn members(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(first), |&state| {
            let next = self.next[state as usize];
            (next != state).then_some(next)
        })
    }
}

/// By state, the states of the complement that it is reached with and live with, as bits.
struct Profile {
    words: usize,
    reached: Vec<u64>,
    live: Vec<u64>,
}

impl Profile {
    fn new(product: &Product, classes: &Classes, search: &mut Search<'_>) -> Self {
        let words = product.others.div_ceil(64);
        let sets = || vec![0; product.states * words];
        let mut profile = Profile { words, reached: sets(), live: sets() };
        for &pair in &product.initial {
            search.is_live(classes, pair as usize);
        }
        let mut pair = 0;
        for state in 0..product.states {
            for other in 0..product.others {
                let (word, bit) = (state * words + other / 64, 1 << (other % 64));
                if search.has_found(pair) {
                    profile.reached[word] |= bit;
                }
                pair += 1;
            }
        }
        let mut pair = 0;
        for state in 0..product.states {
            for other in 0..product.others {
                if search.is_live(classes, pair) {
                    profile.live[state * words + other / 64] |= 1 << (other % 64);
                }
                pair += 1;
            }
        }
        profile
    }

    /// True if the complement accepts a word that leads to one of the states and continues from the
    /// other.
    fn tells_apart(&self, left: usize, right: usize) -> bool {
        let row = |sets: &[u64], state: usize, word: usize| sets[state * self.words + word];
        (0..self.words).any(|word| {
            row(&self.reached, left, word) & row(&self.live, right, word) != 0
                || row(&self.reached, right, word) & row(&self.live, left, word) != 0
        })
    }

    /// Returns the states of the complement with which one of the states is reached.
    fn reached_with_either(&self, left: usize, right: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.words).flat_map(move |word| {
            let reached = |state: usize| self.reached[state * self.words + word];
            let mut bits = reached(left) | reached(right);
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(word * 64 + bit)
            })
        })
    }

    /// Updates the profile after a merge: propagates reachability from the merged state. Further
    /// live pairs are not computed; they would exclude more merges, but correctness does not depend
    /// on them.
    fn merge(&mut self, product: &Product, classes: &Classes, left: usize, right: usize) {
        let mut open: Vec<u32> = vec![];
        let others = product.others as u32;
        open.extend(self.reached_with_either(left, right).map(|n| left as u32 * others + n as u32));
        for word in 0..self.words {
            let (left, right) = (left * self.words + word, right * self.words + word);
            self.reached[left] |= self.reached[right];
            self.live[left] |= self.live[right];
        }
        while let Some(pair) = open.pop() {
            poll();
            for member in classes.members(pair / others) {
                poll();
                let place = (member * others + pair % others) as usize;
                let range = product.offsets[place] as usize..product.offsets[place + 1] as usize;
                for &(target, _) in &product.edges[range] {
                    let (state, other) =
                        (classes.class[(target / others) as usize], target % others);
                    let word = &mut self.reached[state as usize * self.words + other as usize / 64];
                    let bit = 1 << (other % 64);
                    if *word & bit == 0 {
                        *word |= bit;
                        open.push(state * others + other);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tableau;
    use proptest::prelude::*;
    use sempre_automata::arbitrary::{Size, automaton_with};
    use sempre_automata::{
        Alphabet, Degeneralizer, GeneralizedBuchi, Named, complement, emptiness, membership,
        product,
    };
    use sempre_ltl::semantics::Evaluator;
    use sempre_ltl::{Formula, arbitrary};

    #[test]
    fn states_that_no_simulation_relates_are_merged() {
        let f: Formula = "G(a | X(G!b | F(b & Fc)))".parse().unwrap();
        let automaton = tableau::translate(&f);
        let complement = tableau::translate(&Formula::not(&f));
        let merged = merge(&automaton, &complement, Acceptance::OnEdges).unwrap();
        assert!(merged.state_count() < automaton.state_count());
    }

    #[test]
    fn merged_states_are_accepting_if_one_of_them_is() {
        let f: Formula = "X!a R Fb".parse().unwrap();
        let automaton =
            Degeneralizer::default().state_based(&GeneralizedBuchi::from(&tableau::translate(&f)));
        let complement = tableau::translate(&Formula::not(&f));
        let merged = merge(&automaton, &complement, Acceptance::OnStates).unwrap();
        assert!(merged.is_state_based());
    }

    fn random(marks: u32) -> impl Strategy<Value = sempre_automata::Automaton> {
        let size = Size { states: 5, props: 1, marks, degree: 2 };
        let acceptance = Named::GeneralizedBuchi(marks).acceptance();
        automaton_with(Alphabet::new(["a"]).unwrap(), Just(acceptance), size)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        /// Automata of formulas have few merges that nearly fit.
        #[test]
        fn random_automata_keep_their_language(automaton in random(2), on_states in any::<bool>()) {
            let acceptance = if on_states { Acceptance::OnStates } else { Acceptance::OnEdges };
            let automaton = match on_states {
                true => Degeneralizer::default().state_based(&GeneralizedBuchi::from(&automaton)),
                false => automaton,
            };
            let others = complement::complement(&automaton);
            if let Some(merged) = merge(&automaton, &others, acceptance) {
                prop_assert!(merged.state_count() < automaton.state_count());
                prop_assert_eq!(product::common_word(&merged, &others), None);
                let lost = product::intersection(&automaton, &complement::complement(&merged));
                prop_assert!(emptiness::is_empty(&lost));
            }
        }
    }

    /// The first state can be merged with each of the next two, but these not with each other: what a
    /// merged state was reached with counts for the next merge.
    #[test]
    fn merged_states_are_reached_as_their_parts() {
        let formula: Formula = "!(a & X(!a & X!a))".parse().unwrap();
        let mut builder = sempre_automata::Automaton::builder(Alphabet::new(["a"]).unwrap());
        builder.acceptance(Named::Buchi.acceptance());
        let states: Vec<StateId> = (0..6).map(|_| builder.add_state()).collect();
        let [dead, needs, free, first, second, all] = states[..] else { unreachable!() };
        let (a, tt) = (builder.alphabet().prop(0), builder.alphabet().tt());
        let not_a = builder.alphabet().not(a);
        builder.initial(first);
        for (source, label, target) in [
            (first, a, second),
            (first, not_a, free),
            (second, a, dead),
            (second, a, all),
            (second, not_a, needs),
            (needs, a, all),
            (free, tt, all),
        ] {
            builder.edge(source, label, Marks::EMPTY, target);
        }
        builder.edge(all, tt, Marks::all(1), all);
        let automaton = builder.build();
        let others = tableau::translate(&Formula::not(&formula));
        assert_eq!(product::common_word(&automaton, &others), None);
        let merged = merge(&automaton, &others, Acceptance::OnEdges).unwrap();
        assert!(merged.state_count() < automaton.state_count());
        assert_eq!(product::common_word(&merged, &others), None);
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
                automaton = Degeneralizer::default().state_based(&GeneralizedBuchi::from(&automaton));
                acceptance = Acceptance::OnStates;
            }
            if let Some(merged) = merge(&automaton, &complement, acceptance) {
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
