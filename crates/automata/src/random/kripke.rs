//! Random Kripke structures: the three generators of H. Tauriainen, Automated testing of Büchi
//! automata translators for linear temporal logic (HUT-TCS-A66, 2000), chapter 6, and the
//! enumeration of all lassos of a size that lbtt adds to them.
//!
//! The first two consider every pair of states, at quadratic cost; the others are linear.

use crate::error::Error;
use crate::kripke::Kripke;
use crate::label::Alphabet;
use sempre_ltl::Prop;
use sempre_ltl::generate::Rng;
use std::sync::Arc;

/// The kind of graph of random Kripke structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum KripkeKind {
    /// Each edge exists with the density as its probability, including self-loops. States without a
    /// successor get a random one.
    Graph,
    /// As `Graph`, but every state is reachable. With density 0, it is a chain whose last state has
    /// a self-loop.
    #[default]
    Connected,
    /// A chain with an edge from the last state to any of them: one execution. The density is
    /// irrelevant.
    Sequential,
}

/// The parameters of random Kripke structures.
#[derive(Clone, Debug)]
pub struct RandomKripke {
    alphabet: Arc<Alphabet>,
    kind: KripkeKind,
    states: usize,
    density: f64,
    truth: f64,
    seed: u64,
}

impl RandomKripke {
    /// Creates a generator over these propositions, which must be distinct and at most 64.
    /// Defaults: connected, 20 states, density 0.2, a proposition holds in half of the states, seed
    /// 0.
    pub fn over<P: Into<Prop>>(props: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        let alphabet = Arc::new(Alphabet::new(props)?);
        if alphabet.props().len() > 64 {
            return Err(Error::new("a Kripke structure has at most 64 propositions"));
        }
        let kind = KripkeKind::default();
        Ok(RandomKripke { alphabet, kind, states: 20, density: 0.2, truth: 0.5, seed: 0 })
    }

    /// Sets the kind of graph.
    #[must_use]
    pub fn kind(mut self, kind: KripkeKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the number of states, at least 1.
    #[must_use]
    pub fn states(mut self, states: usize) -> Self {
        self.states = states.max(1);
        self
    }

    /// Sets the probability of an edge between any two states.
    #[must_use]
    pub fn density(mut self, density: f64) -> Self {
        self.density = density;
        self
    }

    /// Sets the probability that a proposition holds in a state.
    #[must_use]
    pub fn truth(mut self, truth: f64) -> Self {
        self.truth = truth;
        self
    }

    /// Sets the seed, which determines the sequence of structures.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Returns an infinite sequence of structures.
    pub fn generate(self) -> impl Iterator<Item = Kripke> {
        let mut rng = Rng::new(self.seed);
        std::iter::repeat_with(move || self.kripke(&mut rng))
    }

    fn kripke(&self, rng: &mut Rng) -> Kripke {
        let props = self.alphabet.props().len();
        let label = |rng: &mut Rng| {
            (0..props).fold(0, |label, prop| label | u64::from(rng.chance(self.truth)) << prop)
        };
        let labels = (0..self.states).map(|_| label(rng)).collect();
        let edges = match self.kind {
            KripkeKind::Graph => self.graph(rng),
            KripkeKind::Connected => self.connected(rng),
            KripkeKind::Sequential => row(self.states, rng.index(self.states)).collect(),
        };
        Kripke::new(self.alphabet.clone(), labels, edges, 0)
            .unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn graph(&self, rng: &mut Rng) -> Vec<(usize, usize)> {
        let mut edges = vec![];
        let mut unfinished = vec![];
        for source in 0..self.states {
            let before = edges.len();
            edges.extend(
                (0..self.states)
                    .filter(|_| rng.chance(self.density))
                    .map(|target| (source, target)),
            );
            if edges.len() == before {
                unfinished.push(source);
            }
        }
        edges.extend(unfinished.into_iter().map(|source| (source, rng.index(self.states))));
        edges
    }

    /// Figure 6.2 of the report.
    fn connected(&self, rng: &mut Rng) -> Vec<(usize, usize)> {
        let mut edges = vec![];
        let mut todo = vec![0];
        // The unreached states, and the index of each among them.
        let mut unreached: Vec<usize> = (1..self.states).collect();
        let mut place: Vec<Option<usize>> =
            (0..self.states).map(|state| state.checked_sub(1)).collect();
        while !todo.is_empty() {
            let source = todo.swap_remove(rng.index(todo.len()));
            let before = edges.len();
            let mut reach = |target: usize, todo: &mut Vec<usize>, unreached: &mut Vec<usize>| {
                if let Some(at) = place[target].take() {
                    unreached.swap_remove(at);
                    if let Some(&moved) = unreached.get(at) {
                        place[moved] = Some(at);
                    }
                    todo.push(target);
                }
            };
            if !unreached.is_empty() {
                let target = unreached[rng.index(unreached.len())];
                reach(target, &mut todo, &mut unreached);
                edges.push((source, target));
            }
            for target in 0..self.states {
                if rng.chance(self.density) {
                    reach(target, &mut todo, &mut unreached);
                    edges.push((source, target));
                }
            }
            if edges.len() == before {
                edges.push((source, source));
            }
        }
        edges
    }
}

/// Returns a chain of states, and an edge from the last one back.
fn row(states: usize, back: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..states).map(move |state| (state, if state + 1 == states { back } else { state + 1 }))
}

/// Returns all sequential structures with this number of states over these propositions: every
/// target of the last state, and every labelling. Labellings count up as binary numbers, with the
/// first state in the lowest digits. There are `states · 2^(states · propositions)` structures.
///
/// # Errors
/// If there is no state, a proposition occurs twice, or states times propositions is more than 63.
pub fn enumerate_paths<P: Into<Prop>>(
    props: impl IntoIterator<Item = P>,
    states: usize,
) -> Result<impl Iterator<Item = Kripke>, Error> {
    let paths = Paths::new(props, states)?;
    Ok((0..states).flat_map(move |back| {
        let paths = paths.clone();
        (0..1u64 << paths.bits).map(move |labelling| paths.path(back, labelling))
    }))
}

/// Returns the sequential structure with this number, from 0, in the order of [`enumerate_paths`];
/// numbers wrap around.
///
/// # Errors
/// As for [`enumerate_paths`].
pub fn enumerated_path<P: Into<Prop>>(
    props: impl IntoIterator<Item = P>,
    states: usize,
    number: u64,
) -> Result<Kripke, Error> {
    let paths = Paths::new(props, states)?;
    let back = (number >> paths.bits) % states as u64;
    Ok(paths.path(back as usize, number & ((1 << paths.bits) - 1)))
}

/// The sequential structures of a size.
#[derive(Clone)]
struct Paths {
    alphabet: Arc<Alphabet>,
    states: usize,
    /// The number of bits of a labelling, less than 64.
    bits: usize,
}

impl Paths {
    fn new<P: Into<Prop>>(
        props: impl IntoIterator<Item = P>,
        states: usize,
    ) -> Result<Self, Error> {
        let alphabet = Arc::new(Alphabet::new(props)?);
        let props = alphabet.props().len();
        if states == 0 {
            return Err(Error::new("a Kripke structure has at least one state"));
        }
        let bits = states.checked_mul(props).filter(|&bits| bits < 64).ok_or_else(|| {
            Error::new(format!(
                "the labellings of {states} states with {props} propositions are too many"
            ))
        })?;
        Ok(Paths { alphabet, states, bits })
    }

    fn path(&self, back: usize, labelling: u64) -> Kripke {
        let props = self.alphabet.props().len();
        let label = |state: usize| labelling.unbounded_shr((state * props) as u32);
        let labels = (0..self.states).map(|state| label(state) & ((1 << props) - 1)).collect();
        Kripke::new(self.alphabet.clone(), labels, row(self.states, back), 0)
            .unwrap_or_else(|error| unreachable!("{error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edge_mean(density: f64) -> f64 {
        let random = RandomKripke::over(["p"]).unwrap().states(50).density(density).seed(7);
        random.generate().take(100).map(|kripke| kripke.edge_count()).sum::<usize>() as f64 / 100.0
    }

    proptest! {
        #[test]
        fn structures_are_as_announced(
            states in 1usize..30,
            density in 0.0..=1.0,
            truth in 0.0..=1.0,
            seed: u64,
        ) {
            for kind in [KripkeKind::Graph, KripkeKind::Connected, KripkeKind::Sequential] {
                let random = RandomKripke::over(["p", "q"]).unwrap().kind(kind).states(states);
                let random = random.density(density).truth(truth).seed(seed);
                let structures: Vec<Kripke> = random.clone().generate().take(3).collect();
                for kripke in &structures {
                    // `Kripke::new` has checked that the relation is total.
                    prop_assert_eq!(kripke.state_count(), states);
                    prop_assert_eq!(kripke.initial().index(), 0);
                    if kind != KripkeKind::Graph {
                        prop_assert_eq!(kripke.reachable_count(), states);
                    }
                    if kind == KripkeKind::Sequential {
                        prop_assert!(kripke.is_sequential());
                    }
                }
                prop_assert_eq!(random.generate().take(3).collect::<Vec<_>>(), structures);
            }
        }
    }

    #[test]
    fn extreme_densities_give_chains_and_complete_graphs() {
        for seed in 0..50 {
            let random = RandomKripke::over(["p"]).unwrap().states(12).seed(seed);
            let chain = random.clone().density(0.0).generate().next().unwrap();
            assert!(chain.is_sequential());
            let last = chain.states().find(|&state| chain.successors(state) == [state]);
            assert!(last.is_some(), "the last state leads to itself");
            let complete = random.clone().density(1.0).generate().next().unwrap();
            assert_eq!(complete.edge_count(), 144);
            let graph = random.kind(KripkeKind::Graph);
            assert_eq!(graph.clone().density(1.0).generate().next().unwrap().edge_count(), 144);
            assert_eq!(graph.density(0.0).generate().next().unwrap().edge_count(), 12);
        }
        for (truth, label) in [(0.0, 0), (1.0, 3)] {
            let random = RandomKripke::over(["p", "q"]).unwrap().truth(truth);
            let kripke = random.generate().next().unwrap();
            assert!(kripke.states().all(|state| kripke.label(state) == label));
        }
    }

    #[test]
    fn edges_are_as_many_as_the_density_lets_expect() {
        for (density, wanted) in [(0.0, 50.0), (0.1, 266.0), (0.2, 511.0), (0.5, 1250.0)] {
            let mean = edge_mean(density);
            assert!((mean - wanted).abs() <= wanted * 0.02, "density {density}: {mean}");
        }
    }

    #[test]
    fn enumerated_paths_are_all_different() {
        for (props, states) in [(0, 3), (1, 1), (1, 3), (2, 2)] {
            let names = (0..props).map(|i| format!("p{i}"));
            let paths: Vec<Kripke> = enumerate_paths(names, states).unwrap().collect();
            assert_eq!(paths.len(), states << (states * props));
            assert!(paths.iter().all(Kripke::is_sequential));
            let names = || (0..props).map(|i| format!("p{i}"));
            for (place, path) in paths.iter().enumerate() {
                assert!(!paths[..place].contains(path));
                for number in [place, place + paths.len()] {
                    assert_eq!(enumerated_path(names(), states, number as u64).as_ref(), Ok(path));
                }
            }
        }
        assert!(enumerate_paths(["p"], 0).is_err());
        assert!(enumerate_paths(["p"], 64).is_err());
        assert_eq!(enumerate_paths(["p"], 63).unwrap().take(5).count(), 5);
    }
}
