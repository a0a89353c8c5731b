//! (Generalized) Büchi automata over macrostates, generated as they are visited.
//!
//! A macrostate is a short vector of machine words; only its construction knows the meaning. Edges
//! are computed on first access, so a search that ends early generates only a part.

use crate::{Acceptance, Alphabet, Automaton, Label, Marks, Named, StateId};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use sempre_ltl::interrupt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// How the macrostates of an automaton follow each other.
pub(crate) trait Construction {
    /// The propositions that it reads.
    fn alphabet(&self) -> &Arc<Alphabet>;

    /// Returns the initial macrostates.
    fn initial(&mut self) -> Vec<Vec<u64>>;

    /// The condition: generalized Büchi, with at most 32 marks.
    fn acceptance(&self) -> Acceptance {
        Named::Buchi.acceptance()
    }

    /// Passes on the edges that leave a macrostate: label, marks as bits, and target.
    fn successors(&mut self, state: &[u64], edge: &mut dyn FnMut(Label, u32, &[u64]));

    /// True only if `less` accepts no word that `more` rejects. Quick, and far from complete.
    fn is_within(&self, _less: &[u64], _more: &[u64]) -> bool {
        false
    }

    /// True if a macrostate had too many edges and some are missing.
    fn is_given_up(&self) -> bool {
        false
    }
}

impl Construction for Box<dyn Construction + '_> {
    fn alphabet(&self) -> &Arc<Alphabet> {
        self.as_ref().alphabet()
    }

    fn acceptance(&self) -> Acceptance {
        self.as_ref().acceptance()
    }

    fn initial(&mut self) -> Vec<Vec<u64>> {
        self.as_mut().initial()
    }

    fn successors(&mut self, state: &[u64], edge: &mut dyn FnMut(Label, u32, &[u64])) {
        self.as_mut().successors(state, edge);
    }

    fn is_within(&self, less: &[u64], more: &[u64]) -> bool {
        self.as_ref().is_within(less, more)
    }

    fn is_given_up(&self) -> bool {
        self.as_ref().is_given_up()
    }
}

/// An edge between numbered macrostates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MacroEdge {
    pub(crate) label: Label,
    pub(crate) target: u32,
    /// Its marks as bits.
    pub(crate) marks: u32,
}

/// The part of a construction generated so far.
pub(crate) struct Macrostates<C> {
    construction: C,
    store: Store,
    edges: Vec<MacroEdge>,
    /// By macrostate, the range of its edges; `None` before its expansion.
    ranges: Vec<Option<(u32, u32)>>,
    initial: Vec<u32>,
    /// The number of macrostates that may still be expanded.
    patience: usize,
    /// No macrostate gets edges when there are more.
    most_edges: usize,
    /// Whether that was too few.
    exhausted: bool,
}

/// A limit allows that many edges for each macrostate, on average.
const EDGES_PER_STATE: usize = 64;

/// Vectors of words with numbers.
#[derive(Default)]
struct Store {
    words: Vec<u64>,
    /// The end of each vector.
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Store {
    fn get(&self, number: u32) -> &[u64] {
        let start = if number == 0 { 0 } else { self.ends[number as usize - 1] };
        &self.words[start..self.ends[number as usize]]
    }

    fn number(&mut self, state: &[u64]) -> u32 {
        let hash = hash(state);
        if let Some(number) = self.table.find(hash, |number| self.get(*number) == state) {
            return *number;
        }
        let number = u32::try_from(self.ends.len()).expect("more than 2^32 macrostates");
        self.words.extend_from_slice(state);
        self.ends.push(self.words.len());
        let Store { words, ends, table } = self;
        let rehash = |number: &u32| {
            let start = if *number == 0 { 0 } else { ends[*number as usize - 1] };
            self::hash(&words[start..ends[*number as usize]])
        };
        table.insert_unique(hash, number, rehash);
        number
    }
}

fn hash(state: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    hasher.finish()
}

impl<C: Construction> Macrostates<C> {
    pub(crate) fn new(mut construction: C) -> Self {
        let mut store = Store::default();
        let initial = construction.initial();
        let mut initial: Vec<u32> = initial.iter().map(|state| store.number(state)).collect();
        initial.dedup();
        Macrostates {
            construction,
            store,
            edges: vec![],
            ranges: vec![],
            initial,
            patience: usize::MAX,
            most_edges: usize::MAX,
            exhausted: false,
        }
    }

    /// Visits no more macrostates than that: others have no edges then. Edges are limited as well.
    pub(crate) fn limit(mut self, macrostates: usize) -> Self {
        self.patience = macrostates;
        self.most_edges = macrostates.saturating_mul(EDGES_PER_STATE);
        self
    }

    /// True if the limit prevented the expansion of a macrostate.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    pub(crate) fn alphabet(&self) -> &Arc<Alphabet> {
        self.construction.alphabet()
    }

    pub(crate) fn acceptance(&self) -> Acceptance {
        self.construction.acceptance()
    }

    /// How many macrostates have been visited.
    #[cfg(test)]
    pub(crate) fn visited(&self) -> usize {
        self.ranges.iter().flatten().count()
    }

    pub(crate) fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// The macrostate with that number.
    #[cfg(test)]
    pub(super) fn state(&self, number: u32) -> &[u64] {
        self.store.get(number)
    }

    /// True only if the macrostate `less` accepts no word that `more` rejects.
    pub(crate) fn is_within(&self, less: u32, more: u32) -> bool {
        self.construction.is_within(self.store.get(less), self.store.get(more))
    }

    pub(crate) fn edge(&self, edge: u32) -> MacroEdge {
        self.edges[edge as usize]
    }

    /// Returns the range of the edges of a macrostate, and computes them on the first call.
    pub(crate) fn edges(&mut self, number: u32) -> Range<u32> {
        if let Some(Some((start, end))) = self.ranges.get(number as usize) {
            return *start..*end;
        }
        interrupt::poll();
        if self.patience == 0 || self.edges.len() > self.most_edges {
            self.exhausted = true;
            return 0..0;
        }
        self.patience -= 1;
        let state = self.store.get(number).to_vec();
        let start = self.edges.len() as u32;
        let (store, edges) = (&mut self.store, &mut self.edges);
        self.construction.successors(&state, &mut |label, marks, target| {
            edges.push(MacroEdge { label, target: store.number(target), marks });
        });
        let end = u32::try_from(self.edges.len()).expect("more than 2^32 edges");
        let known = self.ranges.len().max(self.store.ends.len());
        self.ranges.resize(known, None);
        self.ranges[number as usize] = Some((start, end));
        start..end
    }

    /// Builds the whole automaton; `None` if the limit prevents it or a macrostate has too many
    /// edges.
    pub(crate) fn finished(mut self) -> Option<Automaton> {
        let mut next = 0;
        while next < self.store.ends.len() as u32 {
            sempre_ltl::interrupt::poll();
            self.edges(next);
            next += 1;
            if self.exhausted || self.construction.is_given_up() {
                return None;
            }
        }
        (!self.construction.is_given_up()).then(|| self.automaton())
    }

    /// Builds the whole automaton.
    pub(crate) fn automaton(mut self) -> Automaton {
        self.built()
    }

    /// Builds the whole automaton; its states have the numbers of the macrostates.
    pub(super) fn built(&mut self) -> Automaton {
        let mut next = 0;
        while next < self.store.ends.len() as u32 {
            sempre_ltl::interrupt::poll();
            self.edges(next);
            next += 1;
        }
        let mut builder = Automaton::builder(self.alphabet().clone());
        builder.acceptance(self.construction.acceptance());
        builder.add_states(next as usize);
        for state in &self.initial {
            builder.initial(StateId::new(*state as usize));
        }
        for source in 0..next {
            for edge in self.edges(source) {
                let MacroEdge { label, target, marks } = self.edge(edge);
                let marks = Marks::from_bits(u64::from(marks));
                let target = StateId::new(target as usize);
                builder.edge(StateId::new(source as usize), label, marks, target);
            }
        }
        builder.build()
    }
}
