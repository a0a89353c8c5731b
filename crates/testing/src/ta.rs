//! Testing automata: Büchi acceptance for words that change infinitely often, and livelock
//! acceptance for words that end in stuttering. They have no edges for stuttering, during which a
//! run stays in its state.
//!
//! The input is a Büchi automaton with a stutter-invariant language. The construction goes through
//! an automaton over changes with explicit stuttering (Geldenhuys and Hansen, Larger automata and
//! less work for LTL model checking, SPIN 2006; Properties 3 and 4 of Ben Salem's thesis). Linear
//! in the unfolded automaton, besides merging bisimilar states.

use crate::changes;
use crate::error::Error;
use crate::graph::ChangeGraph;
use crate::unfold::{Observed, unfold};
use sempre_automata::{Acceptance, Automaton, Condition, Label, Marks, Sccs, StateId};
use std::collections::VecDeque;

/// The mark of states that are Büchi-accepting.
pub(crate) const BUCHI: u32 = 0;
/// The mark of changes that are not empty.
pub(crate) const CHANGE: u32 = 1;
/// The mark of states that are livelock-accepting.
pub(crate) const LIVELOCK: u32 = 2;

/// Optional reductions in the construction of a testing automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaOptions {
    /// The propositions that states store.
    pub observed: Observed,
    /// States on accepting cycles of stuttering also become Büchi-accepting: a run through them may
    /// stutter there, so cycles through them are accepting. So fewer states are only
    /// livelock-accepting.
    pub stuttering_is_buchi: bool,
    /// States on no cycle of changes become Büchi-accepting exactly if all their successors are. No
    /// run distinguishes them, but more states become bisimilar.
    pub trivial_components: bool,
    /// Merge bisimilar states.
    pub bisimulation: bool,
}

impl TaOptions {
    /// The reductions of the thesis: merging bisimilar states.
    pub const THESIS: TaOptions = TaOptions {
        observed: Observed::All,
        stuttering_is_buchi: false,
        trivial_components: false,
        bisimulation: true,
    };
}

/// All reductions.
impl Default for TaOptions {
    fn default() -> Self {
        TaOptions {
            observed: Observed::Reachable,
            stuttering_is_buchi: true,
            trivial_components: true,
            bisimulation: true,
        }
    }
}

/// A Büchi automaton over changes, in which stuttering is explicit (∅-TA).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitTa(pub(crate) ChangeGraph);

impl ExplicitTa {
    /// Converts a Büchi automaton with acceptance on states.
    ///
    /// # Errors
    /// If acceptance is not Büchi and on states, or there would be too many states.
    pub fn new(automaton: &Automaton, observed: Observed) -> Result<Self, Error> {
        let is_buchi = automaton.acceptance().generalized_buchi() == Some(1);
        if !is_buchi || !automaton.is_state_based() {
            return Err(Error::Acceptance("state-based Büchi"));
        }
        unfold(automaton, observed).map(ExplicitTa)
    }

    /// Returns the graph: states, edges over changes, initial valuations.
    pub fn graph(&self) -> &ChangeGraph {
        &self.0
    }

    /// Converts an automaton over [differences](ChangeGraph::differences) back.
    ///
    /// # Errors
    /// If acceptance is not Büchi, or the automaton does not start with valuations.
    pub fn of_differences(differences: &Automaton) -> Result<Self, Error> {
        match differences.acceptance().generalized_buchi() {
            Some(1) => ChangeGraph::of_differences(differences).map(ExplicitTa),
            _ => Err(Error::Acceptance("Büchi")),
        }
    }

    /// Makes states livelock-accepting if they accept stuttering, and removes the stuttering edges.
    /// Preserves a stutter-invariant language.
    pub fn livelocks(&self, options: &TaOptions) -> TestingAutomaton {
        let automaton = self.0.automaton();
        let alphabet = automaton.alphabet();
        let mut buchi: Vec<bool> = automaton
            .states()
            .map(|state| automaton.edges_from(state).iter().any(|edge| edge.marks.contains(0)))
            .collect();
        let accepting = accepting_stuttering(automaton, &Marks::from_iter([0]));
        let livelock = reaching(automaton, &accepting);
        if options.stuttering_is_buchi {
            buchi.iter_mut().zip(&accepting).for_each(|(buchi, accepting)| *buchi |= accepting);
        }
        let stuttering = changes::stuttering(alphabet);
        let edges = automaton
            .transitions()
            .map(|(source, edge)| (source, alphabet.minus(edge.label, stuttering), edge.target))
            .filter(|(_, label, _)| *label != alphabet.ff());
        let automaton = TestingAutomaton::build(&self.0, &buchi, &livelock, edges);
        match options.trivial_components {
            true => automaton.trivial_components(),
            false => automaton,
        }
    }
}

/// By state, whether it is on a cycle of stuttering steps in a component of these that has all the
/// marks.
pub(crate) fn accepting_stuttering(automaton: &Automaton, all: &Marks) -> Vec<bool> {
    let mut builder = automaton.edit();
    builder.retain_edges(|_, edge| changes::can_stutter(automaton.alphabet(), edge.label));
    let sccs = Sccs::of_all(&builder.build());
    let is_accepting = |state| {
        let accepts = |scc| !sccs.is_trivial(scc) && all.is_subset(sccs.marks(scc));
        sccs.component(state).is_some_and(accepts)
    };
    automaton.states().map(is_accepting).collect()
}

/// By state, whether stuttering leads to one of these.
fn reaching(automaton: &Automaton, goals: &[bool]) -> Vec<bool> {
    let mut sources = vec![vec![]; automaton.state_count()];
    for (source, edge) in automaton.transitions() {
        if changes::can_stutter(automaton.alphabet(), edge.label) {
            sources[edge.target.index()].push(source);
        }
    }
    let mut reaching = goals.to_vec();
    let mut queue: VecDeque<StateId> =
        automaton.states().filter(|state| goals[state.index()]).collect();
    while let Some(state) = queue.pop_front() {
        sempre_ltl::interrupt::poll();
        for &source in &sources[state.index()] {
            if !std::mem::replace(&mut reaching[source.index()], true) {
                queue.push_back(source);
            }
        }
    }
    reaching
}

/// A testing automaton (TA).
///
/// A word that changes infinitely often is accepted if a run visits Büchi-accepting states
/// infinitely often. A word that changes finitely often is accepted if a run ends in a
/// livelock-accepting state. The language is stutter-invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestingAutomaton(pub(crate) ChangeGraph);

/// Returns the condition on the differences of words.
pub(crate) fn acceptance() -> Acceptance {
    let buchi = Condition::and([Condition::Inf(BUCHI), Condition::Inf(CHANGE)]);
    let livelock = Condition::and([Condition::Fin(CHANGE), Condition::Inf(LIVELOCK)]);
    Acceptance::new(3, Condition::or([buchi, livelock]))
}

impl TestingAutomaton {
    /// Converts a Büchi automaton with acceptance on states and a stutter-invariant language, with
    /// the reductions of the options.
    ///
    /// # Errors
    /// If acceptance is not Büchi and on states, or there would be too many states.
    pub fn new(automaton: &Automaton, options: &TaOptions) -> Result<Self, Error> {
        let automaton = ExplicitTa::new(automaton, options.observed)?.livelocks(options).trimmed();
        Ok(if options.bisimulation { automaton.merged() } else { automaton })
    }

    /// Adds a stuttering self-loop with its marks to every state.
    pub(crate) fn build(
        like: &ChangeGraph,
        buchi: &[bool],
        livelock: &[bool],
        edges: impl Iterator<Item = (StateId, Label, StateId)>,
    ) -> Self {
        let mut builder = like.automaton().edit();
        builder.retain_edges(|_, _| false);
        builder.acceptance(acceptance());
        let marks = |state: StateId, more: Option<u32>| {
            let buchi = buchi[state.index()].then_some(BUCHI);
            let livelock = livelock[state.index()].then_some(LIVELOCK);
            buchi.into_iter().chain(livelock).chain(more).collect::<Marks>()
        };
        let stuttering = changes::stuttering(like.alphabet());
        for state in like.automaton().states() {
            builder.edge(state, stuttering, marks(state, None), state);
        }
        for (source, label, target) in edges {
            builder.edge(source, label, marks(source, Some(CHANGE)), target);
        }
        let first = like.automaton().states().map(|state| like.first(state)).collect();
        TestingAutomaton(ChangeGraph::new(builder.build(), first))
    }

    /// Converts an automaton over [differences](ChangeGraph::differences) back.
    ///
    /// # Errors
    /// If it does not have this form.
    pub fn of_differences(differences: &Automaton) -> Result<Self, Error> {
        let graph = ChangeGraph::of_differences(differences)?;
        let malformed = |text: &str| Err(Error::Malformed(text.into()));
        let automaton = graph.automaton();
        if *automaton.acceptance() != acceptance() {
            return malformed("a testing automaton has another acceptance condition");
        }
        let stuttering = changes::stuttering(automaton.alphabet());
        for state in automaton.states() {
            let edges = automaton.edges_from(state);
            let (stutters, steps): (Vec<_>, Vec<_>) = edges
                .iter()
                .partition(|edge| changes::can_stutter(automaton.alphabet(), edge.label));
            let [stutter] = stutters[..] else {
                return malformed("a state has not one edge for stuttering");
            };
            if stutter.target != state || stutter.label != stuttering {
                return malformed("stuttering leads elsewhere");
            }
            let mut marks = stutter.marks.clone();
            if marks.contains(CHANGE) {
                return malformed("stuttering is marked as a change");
            }
            marks.insert(CHANGE);
            if steps.iter().any(|edge| edge.marks != marks) {
                return malformed("the marks of a state are not on all of its edges");
            }
        }
        Ok(TestingAutomaton(graph))
    }

    /// Returns the graph: states, edges over changes, initial valuations. Each state has a
    /// stuttering self-loop, which represents staying there. Its marks are 0 if the state is
    /// Büchi-accepting and 2 if it is livelock-accepting. All changes also have mark 1.
    pub fn graph(&self) -> &ChangeGraph {
        &self.0
    }

    /// True if the state is Büchi-accepting.
    pub fn is_buchi(&self, state: StateId) -> bool {
        self.has_mark(state, BUCHI)
    }

    /// True if the state is livelock-accepting.
    pub fn is_livelock(&self, state: StateId) -> bool {
        self.has_mark(state, LIVELOCK)
    }

    fn has_mark(&self, state: StateId, mark: u32) -> bool {
        self.0.automaton().edges_from(state).iter().any(|edge| edge.marks.contains(mark))
    }

    /// Returns all edges over changes, without stuttering.
    pub fn edges(&self) -> impl Iterator<Item = (StateId, Label, StateId)> {
        let edges = self.0.automaton().transitions();
        edges
            .filter(|(_, edge)| edge.marks.contains(CHANGE))
            .map(|(source, edge)| (source, edge.label, edge.target))
    }

    /// Returns the number of states.
    pub fn state_count(&self) -> usize {
        self.0.state_count()
    }

    /// Returns the number of transitions, one for each change on an edge.
    pub fn transition_count(&self) -> u128 {
        self.edges().map(|(_, label, _)| self.0.alphabet().count(label)).sum()
    }

    /// Removes unreachable states and those that accept no word.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        TestingAutomaton(self.0.trimmed())
    }

    /// Merges bisimilar states.
    #[must_use]
    pub fn merged(&self) -> Self {
        TestingAutomaton(self.0.merged())
    }

    /// Returns the Büchi-accepting and the livelock-accepting states.
    pub(crate) fn accepting(&self) -> (Vec<bool>, Vec<bool>) {
        let states = || self.0.automaton().states();
        let buchi = states().map(|state| self.is_buchi(state)).collect();
        (buchi, states().map(|state| self.is_livelock(state)).collect())
    }

    /// By state, whether it is on a cycle of changes.
    pub(crate) fn on_cycles(&self) -> Vec<bool> {
        let mut builder = self.0.automaton().edit();
        builder.retain_edges(|_, edge| edge.marks.contains(CHANGE));
        let sccs = Sccs::of_all(&builder.build());
        let is_on_cycle = |state| sccs.component(state).is_some_and(|scc| !sccs.is_trivial(scc));
        self.0.automaton().states().map(is_on_cycle).collect()
    }

    /// Makes states on no cycle of changes Büchi-accepting exactly if all their successors are.
    fn trivial_components(&self) -> Self {
        let (mut buchi, livelock) = self.accepting();
        let mut builder = self.0.automaton().edit();
        builder.retain_edges(|_, edge| edge.marks.contains(CHANGE));
        let graph = builder.build();
        let sccs = Sccs::of_all(&graph);
        // Each component comes after its successors.
        for scc in sccs.iter().filter(|scc| sccs.is_trivial(*scc)) {
            for &state in sccs.states(scc) {
                buchi[state.index()] =
                    graph.edges_from(state).iter().all(|edge| buchi[edge.target.index()]);
            }
        }
        TestingAutomaton::build(&self.0, &buchi, &livelock, self.edges())
    }
}
