//! The graph of all kinds of testing automata: edges with sets of changes, and initial valuations.
//!
//! As an ω-automaton, such a graph reads words of changes. With an additional first state, which
//! reads the first valuation, it reads the word ℓ₀ (ℓ₀⊕ℓ₁) (ℓ₁⊕ℓ₂)…. So algorithms for ω-automata
//! also work for testing automata.

use crate::error::Error;
use sempre_automata::reduce::bisimulation;
use sempre_automata::{
    Acceptance, Alphabet, Automaton, Edge, Label, Marks, StateId, parallel, prune,
};
use sempre_ltl::{Prop, Word};
use std::sync::Arc;

/// A graph over changes, with initial valuations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeGraph {
    /// Labels are sets of changes; initial states are those with first valuations.
    automaton: Automaton,
    /// By state, the valuations in which runs may start there.
    first: Vec<Label>,
}

impl ChangeGraph {
    /// Creates a graph with a set of first valuations for each state.
    pub(crate) fn new(automaton: Automaton, first: Vec<Label>) -> Self {
        let mut builder = automaton.edit();
        builder.clear_initial();
        for state in automaton.states() {
            if first[state.index()] != automaton.alphabet().ff() {
                builder.initial(state);
            }
        }
        ChangeGraph { automaton: builder.build(), first }
    }

    /// Returns the graph as an ω-automaton over changes, with its acceptance condition.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The propositions.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        self.automaton.alphabet()
    }

    /// Returns the valuations in which runs may start in this state; none if it is not initial.
    pub fn first(&self, state: StateId) -> Label {
        self.first[state.index()]
    }

    /// Sets the name of the automaton.
    pub(crate) fn set_name(&mut self, name: &str) {
        let mut builder = self.automaton.edit();
        builder.name(name);
        self.automaton = builder.build();
    }

    /// Returns the number of states.
    pub fn state_count(&self) -> usize {
        self.automaton.state_count()
    }

    /// Replaces the acceptance condition, and the marks of each edge by those that the function
    /// returns.
    ///
    /// # Panics
    /// If a mark is not in the condition.
    #[must_use]
    pub fn with_marks(
        &self,
        acceptance: Acceptance,
        marks: impl Fn(StateId, &Edge) -> Marks,
    ) -> Self {
        let mut builder = self.automaton.edit();
        builder.acceptance(acceptance);
        builder.retain_edges(|source, edge| {
            edge.marks = marks(source, edge);
            true
        });
        ChangeGraph { automaton: builder.build(), first: self.first.clone() }
    }

    /// Returns the automaton that reads the first valuation, then changes: its words are the
    /// [`differences`] of words. States keep their numbers, and the initial one comes last.
    pub fn differences(&self) -> Automaton {
        let mut builder = self.automaton.edit();
        let start = builder.add_state();
        builder.clear_initial().initial(start);
        for &state in self.automaton.initial() {
            builder.edge(start, self.first(state), Marks::EMPTY, state);
        }
        builder.build()
    }

    /// Returns the graph whose [differences](ChangeGraph::differences) this automaton reads.
    ///
    /// # Errors
    /// If the automaton has several initial states.
    pub fn of_differences(differences: &Automaton) -> Result<Self, Error> {
        let alphabet = differences.alphabet();
        let mut builder = Automaton::builder(alphabet.clone());
        builder.acceptance(differences.acceptance().clone());
        if let Some(name) = differences.name() {
            builder.name(name);
        }
        let start = match differences.initial() {
            [] => return Ok(ChangeGraph { automaton: builder.build(), first: vec![] }),
            [start] => *start,
            _ => {
                let text = "a testing automaton has one initial state, which reads the first \
                            valuation";
                return Err(Error::Malformed(text.into()));
            }
        };
        // The first state may have been merged with another; then it has incoming edges.
        let is_state = differences.edges().iter().any(|edge| edge.target == start);
        let mut numbers = vec![None; differences.state_count()];
        for state in differences.states().filter(|state| is_state || *state != start) {
            let number = builder.add_state();
            numbers[state.index()] = Some(number);
            if let Some(name) = differences.state_name(state) {
                builder.state_name(number, name);
            }
        }
        let number = |state: StateId| numbers[state.index()].expect("a state that is entered");
        for (source, edge) in differences.transitions() {
            if let Some(source) = numbers[source.index()] {
                builder.edge(source, edge.label, edge.marks.clone(), number(edge.target));
            }
        }
        let mut first = vec![alphabet.ff(); builder.state_count()];
        for edge in differences.edges_from(start) {
            let place = &mut first[number(edge.target).index()];
            *place = alphabet.or(*place, edge.label);
        }
        Ok(ChangeGraph::new(builder.build(), first))
    }

    /// Applies a function to the automaton of differences.
    fn map(&self, change: impl Fn(&Automaton) -> Automaton) -> Self {
        match ChangeGraph::of_differences(&change(&self.differences())) {
            Ok(graph) => graph,
            Err(_) => unreachable!("there is one initial state at most"),
        }
    }

    /// Removes the states on no accepting run.
    pub(crate) fn trimmed(&self) -> Self {
        self.map(|automaton| parallel::merge(&prune::trim(automaton)))
    }

    /// Merges bisimilar states, and joins their first valuations.
    pub(crate) fn merged(&self) -> Self {
        self.map(bisimulation::quotient)
    }
}

/// Returns the word of differences: the first letter, then the change from each letter to the next.
///
/// ```
/// use sempre_testing::differences;
/// let word = "a; cycle{a; a & b}".parse().unwrap();
/// let changes = "a; !a & !b; cycle{b; b}".parse().unwrap();
/// assert!(differences(&word).denotes_same(&changes));
/// ```
pub fn differences(word: &Word) -> Word {
    let props: Vec<Prop> = word.props().to_vec();
    // The change at a position leads there. At the first position of the cycle it depends on the
    // previous position, so the cycle begins one later.
    let (prefix, cycle) = (word.prefix_len() + 1, word.cycle_len());
    Word::from_fn(props.clone(), prefix, cycle, |position, prop| {
        let value = |position: usize| word.value(word.position(position), &props[prop]);
        match position {
            0 => value(0),
            _ => value(position) != value(position - 1),
        }
    })
    .unwrap_or_else(|_| unreachable!("the propositions are those of a word"))
}
