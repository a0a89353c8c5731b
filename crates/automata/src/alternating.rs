//! Alternating automata: an edge leads to a conjunction of states.

mod accepts;
mod dealternate;
mod formula;
mod linear;
mod run;

pub use linear::StateKind;
pub use run::{RunLayers, RunNode};

use crate::acceptance::{Acceptance, Condition};
use crate::automaton::Automaton;
use crate::headers::Headers;
use crate::index::StateId;
use crate::label::{Alphabet, Label};
use crate::marks::Marks;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// A conjunction of states, ascending and without repetitions; never empty.
///
/// A run that reaches it splits into one copy per state, and all copies must be accepting.
pub type Conjunction = SmallVec<[StateId; 2]>;

/// A transition to a conjunction of states, on the letters of a label, with marks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UniversalEdge {
    /// The target states; a copy of the run continues in each.
    pub targets: Conjunction,
    /// The letters that it reads.
    pub label: Label,
    /// The marks that every copy of the run sees on the edge.
    pub marks: Marks,
}

/// An alternating ω-automaton. Edges for the same letter are a nondeterministic choice; the targets
/// of one edge are a universal one.
///
/// ```
/// use sempre_automata::{Alphabet, AlternatingAutomaton, Marks, Named};
///
/// // Always (eventually a and eventually b): state 0 starts the two obligations at every letter.
/// let mut builder = AlternatingAutomaton::builder(Alphabet::new(["a", "b"]).unwrap());
/// builder.acceptance(Named::CoBuchi.acceptance());
/// let always = builder.add_state();
/// let waits = [builder.add_state(), builder.add_state()];
/// let done = builder.add_state();
/// let alphabet = builder.alphabet().clone();
/// builder.initial([always]);
/// builder.edge(always, alphabet.tt(), Marks::EMPTY, [always, waits[0], waits[1]]);
/// for (prop, wait) in waits.into_iter().enumerate() {
///     let prop = alphabet.prop(prop);
///     builder.edge(wait, prop, Marks::EMPTY, [done]);
///     builder.edge(wait, alphabet.not(prop), Marks::from_iter([0]), [wait]);
/// }
/// builder.edge(done, alphabet.tt(), Marks::EMPTY, [done]);
/// let automaton = builder.build();
/// assert!(automaton.has_universal_branching());
/// assert!(automaton.to_nondeterministic().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct AlternatingAutomaton {
    alphabet: Arc<Alphabet>,
    acceptance: Acceptance,
    initial: Vec<Conjunction>,
    /// The edges of state `s` are at `offsets[s]` to `offsets[s + 1]`.
    offsets: Vec<u32>,
    edges: Vec<UniversalEdge>,
    name: Option<String>,
    /// Empty, or one per state.
    state_names: Vec<Option<String>>,
    headers: Headers,
}

impl AlternatingAutomaton {
    /// Returns a builder of automata over these propositions.
    pub fn builder(alphabet: impl Into<Arc<Alphabet>>) -> AlternatingBuilder {
        AlternatingBuilder {
            alphabet: alphabet.into(),
            acceptance: Acceptance::new(0, Condition::True),
            initial: vec![],
            states: 0,
            edges: vec![],
            name: None,
            state_names: vec![],
            headers: Headers::default(),
        }
    }

    /// Returns the propositions and the labels over them.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// Returns the acceptance condition, which every branch of a run must satisfy.
    pub fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    /// Returns the initial conjunctions; the language is empty if there are none.
    pub fn initial(&self) -> &[Conjunction] {
        &self.initial
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// All states.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + use<> {
        (0..self.state_count()).map(StateId::new)
    }

    /// The edges that leave a state.
    pub fn edges_from(&self, state: StateId) -> &[UniversalEdge] {
        &self.edges[self.edge_range(state)]
    }

    fn edge_range(&self, state: StateId) -> Range<usize> {
        self.offsets[state.index()] as usize..self.offsets[state.index() + 1] as usize
    }

    /// All edges, ordered by the states they leave.
    pub fn edges(&self) -> &[UniversalEdge] {
        &self.edges
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The name of the automaton, often its formula.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The same automaton under a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The name of a state, if it has one.
    pub fn state_name(&self, state: StateId) -> Option<&str> {
        self.state_names.get(state.index())?.as_deref()
    }

    /// Returns further headers of the file that the automaton was read from.
    pub fn headers(&self) -> &Headers {
        &self.headers
    }

    /// True if an edge or an initial conjunction has several states.
    pub fn has_universal_branching(&self) -> bool {
        self.initial.iter().any(|start| start.len() > 1)
            || self.edges.iter().any(|edge| edge.targets.len() > 1)
    }

    /// True if there is at most one initial conjunction, and edges of the same state have disjoint
    /// labels.
    pub fn is_deterministic(&self) -> bool {
        self.initial.len() <= 1
            && self.states().all(|state| {
                let labels = self.edges_from(state).iter().map(|edge| edge.label);
                self.alphabet.pairwise_disjoint(labels)
            })
    }

    /// True if there is an initial conjunction, and every state reads every letter.
    pub fn is_complete(&self) -> bool {
        !self.initial.is_empty()
            && self.states().all(|state| {
                let labels = self.edges_from(state).iter().map(|edge| edge.label);
                self.alphabet.any_of(labels) == self.alphabet.tt()
            })
    }

    /// True if all edges of a state have the same marks.
    pub fn is_state_based(&self) -> bool {
        self.states().all(|state| {
            self.edges_from(state).windows(2).all(|pair| pair[0].marks == pair[1].marks)
        })
    }

    /// The graph of the states: an edge to several states becomes one to each of them.
    pub fn graph(&self) -> Automaton {
        let mut builder = Automaton::builder(self.alphabet.clone());
        builder.acceptance(self.acceptance.clone());
        builder.add_states(self.state_count());
        for state in self.initial.iter().flatten() {
            builder.initial(*state);
        }
        for state in self.states() {
            for edge in self.edges_from(state) {
                for target in &edge.targets {
                    builder.edge(state, edge.label, edge.marks.clone(), *target);
                }
            }
        }
        builder.build()
    }

    /// Converts to a nondeterministic automaton; `None` if the automaton has universal branching.
    pub fn to_nondeterministic(&self) -> Option<Automaton> {
        if self.has_universal_branching() {
            return None;
        }
        let mut builder = Automaton::builder(self.alphabet.clone());
        builder.acceptance(self.acceptance.clone()).headers(self.headers.clone());
        builder.add_states(self.state_count());
        for start in &self.initial {
            builder.initial(start[0]);
        }
        for state in self.states() {
            for edge in self.edges_from(state) {
                builder.edge(state, edge.label, edge.marks.clone(), edge.targets[0]);
            }
            if let Some(name) = self.state_name(state) {
                builder.state_name(state, name);
            }
        }
        if let Some(name) = self.name() {
            builder.name(name);
        }
        Some(builder.build())
    }
}

/// Views a nondeterministic automaton as an alternating one.
impl From<&Automaton> for AlternatingAutomaton {
    fn from(automaton: &Automaton) -> Self {
        let mut builder = AlternatingAutomaton::builder(automaton.alphabet().clone());
        builder.acceptance(automaton.acceptance().clone()).headers(automaton.headers().clone());
        builder.add_states(automaton.state_count());
        for state in automaton.initial() {
            builder.initial([*state]);
        }
        for state in automaton.states() {
            for edge in automaton.edges_from(state) {
                builder.edge(state, edge.label, edge.marks.clone(), [edge.target]);
            }
            if let Some(name) = automaton.state_name(state) {
                builder.state_name(state, name);
            }
        }
        if let Some(name) = automaton.name() {
            builder.name(name);
        }
        builder.build()
    }
}

/// Two automata are equal if they have the same states, edges, marks and condition over the same
/// propositions. Names are ignored.
impl PartialEq for AlternatingAutomaton {
    fn eq(&self, other: &Self) -> bool {
        *self.alphabet == *other.alphabet
            && self.acceptance == other.acceptance
            && self.initial == other.initial
            && self.offsets == other.offsets
            && self.edges.iter().zip(&other.edges).all(|(l, r)| {
                l.targets == r.targets
                    && l.marks == r.marks
                    && self.alphabet.same_function(l.label, &other.alphabet, r.label)
            })
    }
}

impl Eq for AlternatingAutomaton {}

/// A builder of alternating automata. Edges may come in any order.
#[derive(Clone, Debug)]
pub struct AlternatingBuilder {
    alphabet: Arc<Alphabet>,
    acceptance: Acceptance,
    initial: Vec<Conjunction>,
    states: usize,
    edges: Vec<(StateId, UniversalEdge)>,
    name: Option<String>,
    state_names: Vec<Option<String>>,
    headers: Headers,
}

impl AlternatingBuilder {
    /// Returns the propositions and the labels over them.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// Sets the acceptance condition; by default all runs are accepting.
    pub fn acceptance(&mut self, acceptance: Acceptance) -> &mut Self {
        self.acceptance = acceptance;
        self
    }

    /// Adds a state.
    pub fn add_state(&mut self) -> StateId {
        self.add_states(1)
    }

    /// Adds `count` states and returns the first.
    pub fn add_states(&mut self, count: usize) -> StateId {
        self.states += count;
        StateId::new(self.states - count)
    }

    /// Adds an initial conjunction of states.
    ///
    /// # Panics
    /// If `states` is empty.
    pub fn initial(&mut self, states: impl IntoIterator<Item = StateId>) -> &mut Self {
        self.initial.push(conjunction(states));
        self
    }

    /// Adds an edge to the conjunction of the targets, unless its label is false.
    ///
    /// # Panics
    /// If there is no target.
    pub fn edge(
        &mut self,
        source: StateId,
        label: Label,
        marks: Marks,
        targets: impl IntoIterator<Item = StateId>,
    ) -> &mut Self {
        if label != self.alphabet.ff() {
            let targets = conjunction(targets);
            self.edges.push((source, UniversalEdge { targets, label, marks }));
        }
        self
    }

    /// Names the automaton.
    pub fn name(&mut self, name: impl Into<String>) -> &mut Self {
        self.name = Some(name.into());
        self
    }

    /// Names a state.
    pub fn state_name(&mut self, state: StateId, name: impl Into<String>) -> &mut Self {
        if self.state_names.len() <= state.index() {
            self.state_names.resize(state.index() + 1, None);
        }
        self.state_names[state.index()] = Some(name.into());
        self
    }

    /// Sets further headers of the file that the automaton was read from.
    pub fn headers(&mut self, headers: Headers) -> &mut Self {
        self.headers = headers;
        self
    }

    /// Builds the automaton. Edges of the same state keep their order; equal initial conjunctions
    /// count once.
    ///
    /// # Panics
    /// If an edge or initial conjunction has an unknown state, or a mark is not in the acceptance
    /// condition.
    pub fn build(self) -> AlternatingAutomaton {
        let states = self.states;
        let known = |conjunction: &Conjunction| conjunction.iter().all(|s| s.index() < states);
        assert!(self.initial.iter().all(known), "no such initial state");
        let all = Marks::all(self.acceptance.marks());
        let mut offsets = vec![0u32; states + 1];
        for (source, edge) in &self.edges {
            assert!(source.index() < states && known(&edge.targets), "no such state");
            assert!(edge.marks.is_subset(&all), "no such mark");
            offsets[source.index() + 1] += 1;
        }
        for state in 0..states {
            offsets[state + 1] += offsets[state];
        }
        let mut edges = self.edges;
        edges.sort_by_key(|(source, _)| *source);
        let mut seen = FxHashSet::default();
        let mut initial = self.initial;
        initial.retain(|start| seen.insert(start.clone()));
        AlternatingAutomaton {
            alphabet: self.alphabet,
            acceptance: self.acceptance,
            initial,
            offsets,
            edges: edges.into_iter().map(|(_, edge)| edge).collect(),
            name: self.name,
            state_names: self.state_names,
            headers: self.headers,
        }
    }
}

fn conjunction(states: impl IntoIterator<Item = StateId>) -> Conjunction {
    let mut conjunction: Conjunction = states.into_iter().collect();
    assert!(!conjunction.is_empty(), "an empty conjunction of states");
    conjunction.sort_unstable();
    conjunction.dedup();
    conjunction
}

/// An automaton read from a file, with or without universal branching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyAutomaton {
    /// Without universal branching.
    Nondeterministic(Automaton),
    /// With universal branching.
    Alternating(AlternatingAutomaton),
}

impl AnyAutomaton {
    /// Returns the automaton if it has no universal branching.
    pub fn nondeterministic(self) -> Option<Automaton> {
        match self {
            AnyAutomaton::Nondeterministic(automaton) => Some(automaton),
            AnyAutomaton::Alternating(_) => None,
        }
    }

    /// Returns the automaton as an alternating one.
    pub fn alternating(self) -> AlternatingAutomaton {
        match self {
            AnyAutomaton::Nondeterministic(automaton) => (&automaton).into(),
            AnyAutomaton::Alternating(automaton) => automaton,
        }
    }

    /// The name of the automaton, often its formula.
    pub fn name(&self) -> Option<&str> {
        match self {
            AnyAutomaton::Nondeterministic(automaton) => automaton.name(),
            AnyAutomaton::Alternating(automaton) => automaton.name(),
        }
    }

    /// Returns further headers of the file that the automaton was read from.
    pub fn headers(&self) -> &Headers {
        match self {
            AnyAutomaton::Nondeterministic(automaton) => automaton.headers(),
            AnyAutomaton::Alternating(automaton) => automaton.headers(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nondeterministic_automata_stay_the_same(automaton in arbitrary::automaton()) {
            let alternating = AlternatingAutomaton::from(&automaton);
            prop_assert_eq!(alternating.is_deterministic(), automaton.is_deterministic());
            prop_assert_eq!(alternating.is_complete(), automaton.is_complete());
            prop_assert_eq!(alternating.is_state_based(), automaton.is_state_based());
            prop_assert_eq!(alternating.to_nondeterministic(), Some(automaton));
        }

        #[test]
        fn branching_is_seen(automaton in arbitrary::alternating(Default::default())) {
            let nondeterministic = automaton.to_nondeterministic();
            prop_assert_eq!(nondeterministic.is_none(), automaton.has_universal_branching());
            if let Some(nondeterministic) = nondeterministic {
                prop_assert_eq!(AlternatingAutomaton::from(&nondeterministic), automaton);
            }
        }
    }
}
