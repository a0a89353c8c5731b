//! Deterministic generalized Rabin automata under construction, and their reductions.
//!
//! F. Blahoudek, Automata for formal methods (2018), Section 5.7. Equal states are merged; a
//! redundant initial state, pairs and marks are removed. Polynomial in the number of states, edges
//! and pairs.

use rustc_hash::{FxHashMap, FxHashSet};
use sempre_automata::{Alphabet, Automaton, Label, Mark, Marks, Named, StateId};
use sempre_ltl::interrupt;
use std::sync::Arc;

/// One mark to see finitely often, and others to see infinitely often, each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) fin: Mark,
    pub(super) infs: Vec<Mark>,
}

/// An edge of a deterministic automaton.
#[derive(Clone, Debug)]
pub(super) struct RabinEdge {
    pub(super) label: Label,
    pub(super) target: usize,
    pub(super) marks: Marks,
}

/// The edges of a state: targets, marks and labels.
type Signature = Vec<(usize, Marks, Label)>;

/// A deterministic automaton that accepts by any of its pairs.
#[derive(Clone, Debug)]
pub(super) struct Rabin {
    pub(super) alphabet: Arc<Alphabet>,
    pub(super) initial: usize,
    pub(super) edges: Vec<Vec<RabinEdge>>,
    pub(super) pairs: Vec<Pair>,
}

impl Rabin {
    /// Merges equal states: those with equal marks and targets on every letter.
    pub(super) fn merged(&self) -> Self {
        let mut classes = vec![0usize; self.edges.len()];
        let mut count = 1;
        loop {
            interrupt::poll();
            let mut known: FxHashMap<(usize, Signature), usize> = FxHashMap::default();
            let refined: Vec<usize> = (0..self.edges.len())
                .map(|state| {
                    let signature = (classes[state], self.signature(state, &classes));
                    let next = known.len();
                    *known.entry(signature).or_insert(next)
                })
                .collect();
            let stable = known.len() == count;
            count = known.len();
            classes = refined;
            if stable {
                break;
            }
        }
        let mut edges: Vec<Option<Vec<RabinEdge>>> = vec![None; count];
        for state in 0..self.edges.len() {
            edges[classes[state]].get_or_insert_with(|| {
                let merged = self.signature(state, &classes).into_iter();
                merged.map(|(target, marks, label)| RabinEdge { label, target, marks }).collect()
            });
        }
        Rabin {
            alphabet: self.alphabet.clone(),
            initial: classes[self.initial],
            edges: edges.into_iter().flatten().collect(),
            pairs: self.pairs.clone(),
        }
    }

    /// Returns the edges of a state to classes, merged by target and marks.
    fn signature(&self, state: usize, classes: &[usize]) -> Signature {
        let edges = self.edges[state].iter();
        let mut all: Vec<_> =
            edges.map(|edge| (classes[edge.target], edge.marks.clone(), edge.label)).collect();
        all.sort_unstable();
        all.dedup_by(|later, earlier| {
            let same = (later.0, &later.1) == (earlier.0, &earlier.1);
            if same {
                earlier.2 = self.alphabet.or(earlier.2, later.2);
            }
            same
        });
        all
    }

    /// Starts in another state with the same successors, if the initial one has no loop: marks that
    /// are seen once are irrelevant.
    pub(super) fn with_later_start(mut self) -> Self {
        let initial = self.initial;
        if self.edges[initial].iter().any(|edge| edge.target == initial) {
            return self;
        }
        let successors = |state: usize| {
            let mut labels: FxHashMap<usize, Label> = FxHashMap::default();
            for edge in &self.edges[state] {
                let label = labels.entry(edge.target).or_insert(self.alphabet.ff());
                *label = self.alphabet.or(*label, edge.label);
            }
            let mut all: Vec<(usize, Label)> = labels.into_iter().collect();
            all.sort_unstable();
            all
        };
        let own = successors(initial);
        let other = (0..self.edges.len()).find(|&s| s != initial && successors(s) == own);
        self.initial = other.unwrap_or(initial);
        self.reachable()
    }

    /// Removes unreachable states, and numbers the others in the order of discovery.
    pub(super) fn reachable(self) -> Self {
        let mut order = vec![self.initial];
        let mut places = FxHashMap::from_iter([(self.initial, 0)]);
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for edge in &self.edges[state] {
                let place = *places.entry(edge.target).or_insert(order.len());
                if place == order.len() {
                    order.push(edge.target);
                }
            }
        }
        let moved = |edge: &RabinEdge| RabinEdge { target: places[&edge.target], ..edge.clone() };
        let edges = order.iter().map(|&state| self.edges[state].iter().map(moved).collect());
        Rabin { edges: edges.collect(), initial: 0, ..self }
    }

    /// Removes pairs that accept no run or imply another, and marks that others of the same pair
    /// imply.
    pub(super) fn with_simple_pairs(mut self) -> Self {
        let places = self.places();
        let never = FxHashSet::default();
        let on = |mark: Mark| places.get(&mark).unwrap_or(&never);
        let count = self.edges.iter().map(Vec::len).sum::<usize>();
        let mut pairs = self.pairs.clone();
        pairs.retain(|pair| {
            on(pair.fin).len() < count && pair.infs.iter().all(|&inf| !on(inf).is_empty())
        });
        for pair in &mut pairs {
            let mut place = 0;
            while place < pair.infs.len() {
                let implied = |&other: &Mark| {
                    other != pair.infs[place] && on(other).is_subset(on(pair.infs[place]))
                };
                match pair.infs.iter().any(implied) {
                    true => drop(pair.infs.remove(place)),
                    false => place += 1,
                }
            }
        }
        let implies = |l: &Pair, r: &Pair| {
            on(r.fin).is_subset(on(l.fin))
                && r.infs.iter().all(|&r| l.infs.iter().any(|&l| on(l).is_subset(on(r))))
        };
        let mut place = 0;
        while place < pairs.len() {
            interrupt::poll();
            let implied = (0..pairs.len()).any(|o| o != place && implies(&pairs[place], &pairs[o]));
            match implied {
                true => drop(pairs.remove(place)),
                false => place += 1,
            }
        }
        let used: Marks =
            pairs.iter().flat_map(|pair| pair.infs.iter().copied().chain([pair.fin])).collect();
        for edge in self.edges.iter_mut().flatten() {
            edge.marks = edge.marks.iter().filter(|&mark| used.contains(mark)).collect();
        }
        self.pairs = pairs;
        self
    }

    /// Returns the edges of each mark.
    fn places(&self) -> FxHashMap<Mark, FxHashSet<usize>> {
        let mut places: FxHashMap<Mark, FxHashSet<usize>> = FxHashMap::default();
        for (number, edge) in self.edges.iter().flatten().enumerate() {
            for mark in edge.marks.iter() {
                places.entry(mark).or_default().insert(number);
            }
        }
        places
    }

    /// Converts to an automaton, with marks numbered by pairs.
    pub(super) fn to_automaton(&self) -> Automaton {
        let counts = self.pairs.iter().map(|pair| pair.infs.len() as u32).collect();
        let marks = self
            .pairs
            .iter()
            .flat_map(|pair| [pair.fin].into_iter().chain(pair.infs.iter().copied()));
        let new: FxHashMap<Mark, Mark> = marks.zip(0..).collect();
        let mut builder = Automaton::builder(self.alphabet.clone());
        builder.acceptance(match self.pairs.is_empty() {
            true => Named::None.acceptance(),
            false => Named::GeneralizedRabin(counts).acceptance(),
        });
        builder.add_states(self.edges.len());
        builder.initial(StateId::new(self.initial));
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                let marks = edge.marks.iter().filter_map(|mark| new.get(&mark).copied()).collect();
                builder.edge(StateId::new(state), edge.label, marks, StateId::new(edge.target));
            }
        }
        builder.build()
    }
}
