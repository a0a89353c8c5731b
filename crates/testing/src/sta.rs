//! Single-pass testing automata: testing automata on whose products one search finds all accepting
//! cycles.
//!
//! No state that is only livelock-accepting has successors: a component of a product that contains
//! one consists of stuttering only. Properties 5 and 7 of Ben Salem's thesis, with the states that
//! are removed taken out of all sets. Linear.

use crate::error::Error;
use crate::graph::ChangeGraph;
use crate::ta::TestingAutomaton;
use sempre_automata::{Automaton, StateId};

/// Which states hand livelock acceptance over to the artificial state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Handover {
    /// All that are livelock-accepting (Property 5).
    All,
    /// Those that are not Büchi-accepting as well (Property 7).
    NotBuchi,
    /// Of those, the ones that are on a cycle of changes: the others may be Büchi-accepting.
    #[default]
    OnCycles,
}

/// A single-pass testing automaton (STA).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinglePassTa(pub(crate) TestingAutomaton);

impl SinglePassTa {
    /// The automaton with the same language as a testing automaton: one state more at most, which
    /// takes over livelock acceptance.
    pub fn new(automaton: &TestingAutomaton, handover: Handover) -> Self {
        let graph = automaton.graph().automaton();
        let alphabet = graph.alphabet();
        let (mut buchi, livelock) = automaton.accepting();
        if handover == Handover::OnCycles {
            for (state, on_cycle) in automaton.on_cycles().into_iter().enumerate() {
                buchi[state] |= !on_cycle;
            }
        }
        let mut has_successors = vec![false; graph.state_count()];
        for (source, _, _) in automaton.edges() {
            has_successors[source.index()] = true;
        }
        // States without successors are replaced by the artificial one.
        let is_hole = |state: StateId| livelock[state.index()] && !has_successors[state.index()];
        let hands_over = |state: StateId| {
            livelock[state.index()]
                && (handover == Handover::All
                    || !buchi[state.index()]
                    || !has_successors[state.index()])
        };
        let artificial = graph.state_count();
        let mut builder = graph.edit();
        builder.add_state();
        let mut first: Vec<_> =
            graph.states().map(|state| automaton.graph().first(state)).collect();
        first.push(alphabet.any_of(
            graph.states().filter(|state| hands_over(*state)).map(|state| first[state.index()]),
        ));
        graph
            .states()
            .filter(|state| is_hole(*state))
            .for_each(|state| first[state.index()] = alphabet.ff());
        let mut kept = livelock.clone();
        graph.states().filter(|s| hands_over(*s)).for_each(|state| kept[state.index()] = false);
        kept.push(true);
        let mut edges = vec![];
        for (source, label, target) in automaton.edges() {
            if hands_over(target) {
                edges.push((source, label, StateId::new(artificial)));
            }
            if !is_hole(target) {
                edges.push((source, label, target));
            }
        }
        buchi.push(false);
        let like = ChangeGraph::new(builder.build(), first);
        let built = TestingAutomaton::build(&like, &buchi, &kept, edges.into_iter());
        // Former holes are unreachable now, and perhaps the artificial state, too.
        SinglePassTa(built.trimmed())
    }

    /// The automaton that reads the [differences](ChangeGraph::differences) of words as this one.
    ///
    /// # Errors
    /// If none does.
    pub fn of_differences(differences: &Automaton) -> Result<Self, Error> {
        let automaton = TestingAutomaton::of_differences(differences)?;
        let breaks = |source| automaton.is_livelock(source) && !automaton.is_buchi(source);
        if automaton.edges().any(|(source, _, _)| breaks(source)) {
            let text = "a state that is only livelock-accepting has successors";
            return Err(Error::Malformed(text.into()));
        }
        Ok(SinglePassTa(automaton))
    }

    /// The automaton with bisimilar states merged.
    #[must_use]
    pub fn merged(&self) -> Self {
        SinglePassTa(self.0.merged())
    }

    /// As a testing automaton, which it is.
    pub fn as_ta(&self) -> &TestingAutomaton {
        &self.0
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.0.state_count()
    }

    /// How many transitions there are: one for each change on an edge.
    pub fn transition_count(&self) -> u128 {
        self.0.transition_count()
    }
}
