//! The one type of ω-automata: transition-based, with any acceptance condition.

use crate::acceptance::{Acceptance, Condition};
use crate::headers::Headers;
use crate::index::{EdgeId, StateId};
use crate::label::{Alphabet, Label};
use crate::marks::Marks;
use crate::properties::Known;
use std::ops::Range;
use std::sync::Arc;

/// A transition: to a state, on the letters of a label, with marks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The target state.
    pub target: StateId,
    /// The letters that it reads.
    pub label: Label,
    /// The marks that a run sees when it takes the edge.
    pub marks: Marks,
}

/// A nondeterministic ω-automaton over valuations of propositions.
///
/// States are numbered from 0; the edges of a state are contiguous. Marks are on edges. State-based
/// acceptance means that all edges of a state have the same marks. Automata are immutable: an
/// [`AutomatonBuilder`] creates them, so computed properties stay valid.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Named};
///
/// // Infinitely often a: one state, two edges.
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// builder.acceptance(Named::Buchi.acceptance());
/// let state = builder.add_state();
/// builder.initial(state);
/// let a = builder.alphabet().prop(0);
/// let not_a = builder.alphabet().not(a);
/// builder.edge(state, a, Marks::from_iter([0]), state);
/// builder.edge(state, not_a, Marks::EMPTY, state);
/// let automaton = builder.build();
/// assert_eq!((automaton.state_count(), automaton.edge_count()), (1, 2));
/// ```
#[derive(Clone, Debug)]
pub struct Automaton {
    alphabet: Arc<Alphabet>,
    acceptance: Acceptance,
    initial: Vec<StateId>,
    /// The edges of state `s` are at `offsets[s]` to `offsets[s + 1]`.
    offsets: Vec<u32>,
    edges: Vec<Edge>,
    name: Option<String>,
    /// Empty, or one per state.
    state_names: Vec<Option<String>>,
    headers: Headers,
    pub(crate) known: Known,
}

impl Automaton {
    /// Returns a builder of automata over these propositions.
    pub fn builder(alphabet: impl Into<Arc<Alphabet>>) -> AutomatonBuilder {
        AutomatonBuilder {
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

    /// The propositions and the labels over them.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// Returns the acceptance condition.
    pub fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    /// Returns the initial states; the language is empty if there are none.
    pub fn initial(&self) -> &[StateId] {
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

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The edges that leave a state.
    pub fn edges_from(&self, state: StateId) -> &[Edge] {
        &self.edges[self.edge_range(state)]
    }

    /// Returns the range of the edges of a state in [`Automaton::edges`].
    pub fn edge_range(&self, state: StateId) -> Range<usize> {
        self.offsets[state.index()] as usize..self.offsets[state.index() + 1] as usize
    }

    /// All edges, ordered by the states they leave.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// An edge by its number.
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.index()]
    }

    /// Returns every edge with its source.
    pub fn transitions(&self) -> impl Iterator<Item = (StateId, &Edge)> {
        self.states().flat_map(|state| self.edges_from(state).iter().map(move |edge| (state, edge)))
    }

    /// The name of the automaton, often its formula.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The name of a state, if it has one.
    pub fn state_name(&self, state: StateId) -> Option<&str> {
        self.state_names.get(state.index())?.as_deref()
    }

    /// Returns further headers of the file that the automaton was read from.
    pub fn headers(&self) -> &Headers {
        &self.headers
    }

    /// Returns a builder with the contents of this automaton. It drops declared properties, because
    /// they may not survive changes.
    pub fn edit(&self) -> AutomatonBuilder {
        AutomatonBuilder {
            alphabet: self.alphabet.clone(),
            acceptance: self.acceptance.clone(),
            initial: self.initial.clone(),
            states: self.state_count(),
            edges: self.transitions().map(|(source, edge)| (source, edge.clone())).collect(),
            name: self.name.clone(),
            state_names: self.state_names.clone(),
            headers: Headers { properties: vec![], ..self.headers.clone() },
        }
    }
}

/// Two automata are equal if they have the same states, edges, marks and condition over the same
/// propositions. Names are ignored. Labels are comparable only within one alphabet. If the
/// alphabets are different objects, the formulas of the labels are compared.
impl PartialEq for Automaton {
    fn eq(&self, other: &Self) -> bool {
        *self.alphabet == *other.alphabet
            && self.acceptance == other.acceptance
            && self.initial == other.initial
            && self.offsets == other.offsets
            && self.edges.iter().zip(&other.edges).all(|(l, r)| {
                l.target == r.target
                    && l.marks == r.marks
                    && self.alphabet.same_function(l.label, &other.alphabet, r.label)
            })
    }
}

impl Eq for Automaton {}

/// A builder of automata. Edges may come in any order.
#[derive(Clone, Debug)]
pub struct AutomatonBuilder {
    alphabet: Arc<Alphabet>,
    acceptance: Acceptance,
    /// Without repetitions.
    pub(crate) initial: Vec<StateId>,
    states: usize,
    /// No label is false.
    pub(crate) edges: Vec<(StateId, Edge)>,
    name: Option<String>,
    state_names: Vec<Option<String>>,
    headers: Headers,
}

impl AutomatonBuilder {
    /// The propositions and the labels over them.
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
        self.states += 1;
        StateId::new(self.states - 1)
    }

    /// Adds `count` states and returns the first.
    pub fn add_states(&mut self, count: usize) -> StateId {
        self.states += count;
        StateId::new(self.states - count)
    }

    /// Returns the number of states added so far.
    pub fn state_count(&self) -> usize {
        self.states
    }

    /// Makes a state initial.
    pub fn initial(&mut self, state: StateId) -> &mut Self {
        if !self.initial.contains(&state) {
            self.initial.push(state);
        }
        self
    }

    /// Removes all initial states.
    pub fn clear_initial(&mut self) -> &mut Self {
        self.initial.clear();
        self
    }

    /// Adds an edge, unless its label is false.
    pub fn edge(
        &mut self,
        source: StateId,
        label: Label,
        marks: Marks,
        target: StateId,
    ) -> &mut Self {
        if label != self.alphabet.ff() {
            self.edges.push((source, Edge { target, label, marks }));
        }
        self
    }

    /// Keeps the edges for which the function returns true; it may change them.
    pub fn retain_edges(&mut self, mut keep: impl FnMut(StateId, &mut Edge) -> bool) -> &mut Self {
        self.edges.retain_mut(|(source, edge)| keep(*source, edge));
        self
    }

    /// Translates all labels to another alphabet, where proposition `i` has the number `places[i]`.
    pub fn translate(&mut self, alphabet: impl Into<Arc<Alphabet>>, places: &[usize]) -> &mut Self {
        let alphabet = alphabet.into();
        for (_, edge) in &mut self.edges {
            edge.label = self.alphabet.translate(edge.label, &alphabet, places);
        }
        self.alphabet = alphabet;
        self
    }

    /// Names the automaton.
    pub fn name(&mut self, name: impl Into<String>) -> &mut Self {
        self.name = Some(name.into());
        self
    }

    /// Removes the name.
    pub fn clear_name(&mut self) -> &mut Self {
        self.name = None;
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

    /// Builds the automaton. Edges of the same state keep their order.
    ///
    /// # Panics
    /// If an edge or initial state is unknown, or a mark is not in the acceptance condition.
    pub fn build(self) -> Automaton {
        let states = self.states;
        assert!(self.initial.iter().all(|s| s.index() < states), "no such initial state");
        let all = Marks::all(self.acceptance.marks());
        let mut offsets = vec![0u32; states + 1];
        for (source, edge) in &self.edges {
            assert!(source.index() < states && edge.target.index() < states, "no such state");
            assert!(edge.marks.is_subset(&all), "no such mark");
            offsets[source.index() + 1] += 1;
        }
        for state in 0..states {
            offsets[state + 1] += offsets[state];
        }
        let mut edges = self.edges;
        // Stable, and linear if the edges are already in order, the usual case.
        edges.sort_by_key(|(source, _)| *source);
        Automaton {
            alphabet: self.alphabet,
            acceptance: self.acceptance,
            initial: self.initial,
            offsets,
            edges: edges.into_iter().map(|(_, edge)| edge).collect(),
            name: self.name,
            state_names: self.state_names,
            headers: self.headers,
            known: Known::default(),
        }
    }
}
