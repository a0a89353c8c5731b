//! Random automata: a random connected graph with random labels and marks.
//!
//! The graph is generated like random connected Kripke structures: every state is reachable and has
//! an edge. Quadratic in the number of states, because every pair is considered.

use super::RandomAcceptance;
use crate::acceptance::Named;
use crate::automaton::{Automaton, AutomatonBuilder};
use crate::error::Error;
use crate::index::StateId;
use crate::label::{Alphabet, Label};
use crate::marks::Marks;
use sempre_ltl::Prop;
use sempre_ltl::generate::Rng;
use std::sync::Arc;

/// The parameters of random automata.
#[derive(Clone, Debug)]
pub struct RandomAutomata {
    alphabet: Arc<Alphabet>,
    states: usize,
    density: f64,
    acceptance: RandomAcceptance,
    mark_probability: f64,
    deterministic: bool,
    complete: bool,
    state_based: bool,
    seed: u64,
}

impl RandomAutomata {
    /// Creates a generator over these propositions, which must be distinct. Defaults: ten states,
    /// density 0.2, Büchi acceptance with marks on a fifth of the edges, seed 0.
    pub fn over<P: Into<Prop>>(props: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        Ok(RandomAutomata {
            alphabet: Arc::new(Alphabet::new(props)?),
            states: 10,
            density: 0.2,
            acceptance: Named::Buchi.into(),
            mark_probability: 0.2,
            deterministic: false,
            complete: false,
            state_based: false,
            seed: 0,
        })
    }

    /// Sets the number of states. Without states, there is no initial state either.
    #[must_use]
    pub fn states(mut self, states: usize) -> Self {
        self.states = states;
        self
    }

    /// Sets the probability of an edge between any two states.
    #[must_use]
    pub fn density(mut self, density: f64) -> Self {
        self.density = density;
        self
    }

    /// Sets the acceptance condition.
    #[must_use]
    pub fn acceptance(mut self, acceptance: impl Into<RandomAcceptance>) -> Self {
        self.acceptance = acceptance.into();
        self
    }

    /// Sets the probability that an edge has a mark, for each mark.
    #[must_use]
    pub fn mark_probability(mut self, probability: f64) -> Self {
        self.mark_probability = probability;
        self
    }

    /// Sets whether automata are deterministic. States then have at most as many edges as there are
    /// letters, for any density.
    #[must_use]
    pub fn deterministic(mut self, deterministic: bool) -> Self {
        self.deterministic = deterministic;
        self
    }

    /// Sets whether every state reads every letter: one edge gets the letters that no other reads.
    #[must_use]
    pub fn complete(mut self, complete: bool) -> Self {
        self.complete = complete;
        self
    }

    /// Sets whether all edges of a state have the same marks.
    #[must_use]
    pub fn state_based(mut self, state_based: bool) -> Self {
        self.state_based = state_based;
        self
    }

    /// Sets the seed, which determines the sequence of automata.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Returns an infinite sequence of automata over one alphabet.
    pub fn generate(self) -> impl Iterator<Item = Automaton> {
        let mut rng = Rng::new(self.seed);
        std::iter::repeat_with(move || self.automaton(&mut rng))
    }

    fn automaton(&self, rng: &mut Rng) -> Automaton {
        let mut builder = Automaton::builder(self.alphabet.clone());
        let acceptance = self.acceptance.draw(rng);
        let marks = acceptance.marks();
        builder.acceptance(acceptance);
        builder.add_states(self.states);
        if self.states > 0 {
            builder.initial(StateId::new(0));
            self.edges(&mut builder, rng, marks);
        }
        builder.build()
    }

    fn edges(&self, builder: &mut AutomatonBuilder, rng: &mut Rng, all_marks: u32) {
        let mut todo = vec![0];
        let mut unreached: Vec<usize> = (1..self.states).collect();
        let mut reached = vec![false; self.states];
        reached[0] = true;
        while !todo.is_empty() {
            let source = todo.swap_remove(rng.index(todo.len()));
            let mut targets: Vec<usize> =
                (0..self.states).filter(|_| rng.chance(self.density)).collect();
            if !unreached.is_empty() {
                targets.insert(0, unreached[rng.index(unreached.len())]);
            } else if targets.is_empty() {
                targets.push(rng.index(self.states));
            }
            let mut labels = self.labels(rng, targets.len());
            if self.complete {
                let read = labels.iter().fold(self.alphabet.ff(), |l, &r| self.alphabet.or(l, r));
                labels[0] = self.alphabet.or(labels[0], self.alphabet.not(read));
            }
            let mut marks = self.marks(rng, all_marks);
            for (label, &target) in labels.into_iter().zip(&targets) {
                if !reached[target] {
                    reached[target] = true;
                    unreached.retain(|&state| state != target);
                    todo.push(target);
                }
                builder.edge(StateId::new(source), label, marks.clone(), StateId::new(target));
                if !self.state_based {
                    marks = self.marks(rng, all_marks);
                }
            }
        }
    }

    fn marks(&self, rng: &mut Rng, count: u32) -> Marks {
        (0..count).filter(|_| rng.chance(self.mark_probability)).collect()
    }

    /// Returns between one and `count` labels, none of them false; disjoint for deterministic
    /// automata.
    fn labels(&self, rng: &mut Rng, count: usize) -> Vec<Label> {
        let props = self.alphabet.props().len();
        if !self.deterministic {
            return (0..count).map(|_| self.cube(rng)).collect();
        }
        // The leaves of a random decision tree. If letters suffice, it has one extra leaf, so that
        // states may be incomplete.
        let mut leaves = vec![(self.alphabet.tt(), (0..props).collect::<Vec<usize>>())];
        let mut whole: Vec<Label> = vec![];
        while leaves.len() + whole.len() <= count && !leaves.is_empty() {
            let (label, mut undecided) = leaves.swap_remove(rng.index(leaves.len()));
            if undecided.is_empty() {
                whole.push(label);
                continue;
            }
            let prop = self.alphabet.prop(undecided.swap_remove(rng.index(undecided.len())));
            leaves.push((self.alphabet.and(label, prop), undecided.clone()));
            leaves.push((self.alphabet.minus(label, prop), undecided));
        }
        let mut labels: Vec<Label> =
            leaves.into_iter().map(|(label, _)| label).chain(whole).collect();
        labels.truncate(count);
        labels
    }

    /// Returns a conjunction in which each proposition is positive, negative or absent.
    fn cube(&self, rng: &mut Rng) -> Label {
        let literals = (0..self.alphabet.props().len()).filter_map(|prop| match rng.below(3) {
            0 => None,
            value => Some((prop, value == 1)),
        });
        self.alphabet.from_cube(&literals.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scc::Sccs;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn automata_are_as_announced(
            (states, props, marks) in (0usize..12, 0usize..8, 0u32..5),
            (density, mark_probability) in (0.0..=1.0, 0.0..=1.0),
            (deterministic, complete, state_based) in any::<(bool, bool, bool)>(),
            seed in any::<u64>(),
        ) {
            let random = RandomAutomata::over((0..props).map(|i| format!("p{i}"))).unwrap();
            let random = random.states(states).density(density).seed(seed);
            let random = random.acceptance(RandomAcceptance::Condition(marks));
            let random = random.mark_probability(mark_probability).deterministic(deterministic);
            let random = random.complete(complete).state_based(state_based);
            let automata: Vec<Automaton> = random.clone().generate().take(2).collect();
            for automaton in &automata {
                prop_assert_eq!(automaton.state_count(), states);
                prop_assert_eq!(automaton.acceptance().marks(), marks);
                prop_assert_eq!(automaton.acceptance().condition().marks().len(), marks as usize);
                let sccs = Sccs::of(automaton);
                for state in automaton.states() {
                    prop_assert!(sccs.is_reachable(state));
                    prop_assert!(!automaton.edges_from(state).is_empty());
                }
                prop_assert!(!deterministic || automaton.is_deterministic());
                prop_assert!(!complete || states == 0 || automaton.is_complete());
                prop_assert!(!state_based || automaton.is_state_based());
            }
            prop_assert!(automata == random.generate().take(2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn there_is_variety() {
        let random = || RandomAutomata::over(["a", "b"]).unwrap().states(4);
        let nondeterministic =
            random().generate().take(50).filter(|automaton| !automaton.is_deterministic());
        assert!(nondeterministic.count() > 25);
        let partial = random().deterministic(true).generate().take(50);
        assert!(partial.filter(|automaton| !automaton.is_complete()).count() > 25);
        let marked = random().mark_probability(1.0).generate().take(5);
        for automaton in marked {
            assert!(automaton.edges().iter().all(|edge| edge.marks == Marks::all(1)));
        }
        assert!(random().seed(1).generate().next() != random().seed(2).generate().next());
    }
}
