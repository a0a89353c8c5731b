//! Single-pass testing automata, on whose products one search finds all accepting cycles.
//!
//! States that are only livelock-accepting have no successors. So a component of a product that
//! contains one consists of stuttering steps. Properties 5 and 7 of Ben Salem's thesis, with
//! removed states also removed from all sets. Linear.

use crate::error::Error;
use crate::graph::ChangeGraph;
use crate::ta::TestingAutomaton;
use sempre_automata::{Automaton, StateId};

/// The states that delegate livelock acceptance to the artificial state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Handover {
    /// All livelock-accepting states (Property 5).
    All,
    /// Those that are not also Büchi-accepting (Property 7).
    NotBuchi,
    /// Of those, the ones on a cycle of changes: the others may become Büchi-accepting.
    #[default]
    OnCycles,
}

/// A single-pass testing automaton (STA).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinglePassTa(pub(crate) TestingAutomaton);

impl SinglePassTa {
    /// Converts a testing automaton to an equivalent one with at most one additional state, which
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
        // The artificial state replaces states without successors.
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
        // Former dead ends are now unreachable, and possibly the artificial state, too.
        SinglePassTa(built.trimmed())
    }

    /// Converts an automaton over [differences](ChangeGraph::differences) back.
    ///
    /// # Errors
    /// If it does not have this form.
    pub fn of_differences(differences: &Automaton) -> Result<Self, Error> {
        let automaton = TestingAutomaton::of_differences(differences)?;
        let breaks = |source| automaton.is_livelock(source) && !automaton.is_buchi(source);
        if automaton.edges().any(|(source, _, _)| breaks(source)) {
            let text = "a state that is only livelock-accepting has successors";
            return Err(Error::Malformed(text.into()));
        }
        Ok(SinglePassTa(automaton))
    }

    /// Merges bisimilar states.
    #[must_use]
    pub fn merged(&self) -> Self {
        SinglePassTa(self.0.merged())
    }

    /// Returns the underlying testing automaton.
    pub fn as_ta(&self) -> &TestingAutomaton {
        &self.0
    }

    /// Returns the number of states.
    pub fn state_count(&self) -> usize {
        self.0.state_count()
    }

    /// Returns the number of transitions, one for each change on an edge.
    pub fn transition_count(&self) -> u128 {
        self.0.transition_count()
    }
}
