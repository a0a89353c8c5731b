//! Automata over changes for properties that are stutter-invariant only from some point on.
//!
//! In a generalized Büchi automaton, some states may have a stutter-invariant language although the
//! automaton does not: `X G F a` counts only the first step. Such a state is replaced by the TGTA
//! of its language; the others are unfolded with explicit stuttering. This is sound: a run that
//! enters such a state reads the suffix of the word there, and the TGTA accepts the same suffixes.
//! It does not help for properties that count forever: `G(a -> X b)` has no such state.
//!
//! Checking the language of a state for stutter-invariance takes a complement for each state, so
//! this is for small automata.

use crate::error::Error;
use crate::graph::ChangeGraph;
use crate::tgta::{Tgta, TgtaOptions, with_a_mark};
use crate::unfold::{Observed, unfold_with_states};
use sempre_automata::{
    Alphabet, Automaton, AutomatonBuilder, Cube, Label, Marks, StateId, parallel, stutter,
};

/// A generalized Büchi automaton over changes for any property; its part with stutter-invariant
/// languages is a TGTA.
///
/// ```
/// use sempre_testing::{PartlyInvariant, TgtaOptions};
/// use sempre_translate::Translator;
/// let automaton = Translator::new().translate(&"X(a U b)".parse()?);
/// let partly = PartlyInvariant::new(&automaton, &TgtaOptions::default()).unwrap();
/// let invariant: Vec<bool> = automaton.states().map(|s| partly.is_invariant(s)).collect();
/// assert_eq!(invariant, [false, true, true]);
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartlyInvariant {
    graph: ChangeGraph,
    invariant: Vec<bool>,
}

impl PartlyInvariant {
    /// Converts a generalized Büchi automaton. Does not use simulation, whatever the options,
    /// because all parts share their marks.
    ///
    /// # Errors
    /// If acceptance is not generalized Büchi, or there would be too many states.
    pub fn new(automaton: &Automaton, options: &TgtaOptions) -> Result<Self, Error> {
        match automaton.acceptance().generalized_buchi() {
            None => return Err(Error::Acceptance("generalized Büchi")),
            Some(0) => return PartlyInvariant::new(&with_a_mark(automaton), options),
            Some(_) => {}
        }
        let options = TgtaOptions { simulation: false, ..*options };
        let from = |state: StateId| {
            let mut builder = automaton.edit();
            builder.clear_initial().initial(state);
            builder.build()
        };
        let is_invariant = |state| stutter::invariance(&from(state)).is_invariant();
        let invariant: Vec<bool> = automaton.states().map(is_invariant).collect();
        let (unfolded, states) = unfold_with_states(automaton, Observed::Reachable)?;
        let mut mixed = Mixed {
            builder: Automaton::builder(automaton.alphabet().clone()),
            first: vec![],
            numbers: vec![None; states.len()],
        };
        mixed.builder.acceptance(automaton.acceptance().clone());
        mixed.add_head(&unfolded, |place| !invariant[states[place].0.index()]);
        for tail in automaton.states().filter(|state| invariant[state.index()]) {
            // The unfolded predecessors with an edge to this state.
            let entries: Vec<(StateId, u64)> = states
                .iter()
                .zip(&mixed.numbers)
                .filter_map(|(&(state, values), number)| {
                    let mut edges = automaton.edges_from(state).iter();
                    let leads_here = edges.any(|edge| {
                        edge.target == tail && automaton.alphabet().satisfied(edge.label, values)
                    });
                    number.filter(|_| leads_here).map(|number| (number, values))
                })
                .collect();
            let is_initial = automaton.initial().contains(&tail);
            if is_initial || !entries.is_empty() {
                mixed.add_tail(Tgta::new(&from(tail), &options)?.graph(), &entries, is_initial);
            }
        }
        let graph = ChangeGraph::new(parallel::merge(&mixed.builder.build()), mixed.first);
        Ok(PartlyInvariant { graph: graph.trimmed().merged(), invariant })
    }

    /// Returns the graph: states, edges over changes, initial valuations.
    pub fn graph(&self) -> &ChangeGraph {
        &self.graph
    }

    /// True if this state of the given automaton has a stutter-invariant language.
    pub fn is_invariant(&self, state: StateId) -> bool {
        self.invariant[state.index()]
    }
}

/// The automaton under construction.
struct Mixed {
    builder: AutomatonBuilder,
    first: Vec<Label>,
    /// The new numbers of the unfolded states.
    numbers: Vec<Option<StateId>>,
}

impl Mixed {
    /// Adds the selected part of the unfolded automaton.
    fn add_head(&mut self, unfolded: &ChangeGraph, is_kept: impl Fn(usize) -> bool) {
        for state in unfolded.automaton().states().filter(|state| is_kept(state.index())) {
            self.numbers[state.index()] = Some(self.builder.add_state());
            self.first.push(unfolded.first(state));
        }
        for (source, edge) in unfolded.automaton().transitions() {
            let ends = (self.numbers[source.index()], self.numbers[edge.target.index()]);
            if let (Some(source), Some(target)) = ends {
                self.builder.edge(source, edge.label, edge.marks.clone(), target);
            }
        }
    }

    /// Adds a TGTA with edges from these states, each with the values that it observes.
    fn add_tail(&mut self, tgta: &ChangeGraph, entries: &[(StateId, u64)], is_initial: bool) {
        let alphabet = tgta.alphabet().clone();
        let offset = self.builder.state_count();
        let moved = |state: StateId| StateId::new(offset + state.index());
        self.builder.add_states(tgta.state_count());
        for state in tgta.automaton().states() {
            self.first.push(if is_initial { tgta.first(state) } else { alphabet.ff() });
            for &(entry, values) in entries {
                let label = shifted(&alphabet, tgta.first(state), values);
                self.builder.edge(entry, label, Marks::EMPTY, moved(state));
            }
        }
        for (source, edge) in tgta.automaton().transitions() {
            let (source, target) = (moved(source), moved(edge.target));
            self.builder.edge(source, edge.label, edge.marks.clone(), target);
        }
    }
}

/// Returns the changes from these values to one of these valuations.
fn shifted(alphabet: &Alphabet, valuations: Label, values: u64) -> Label {
    alphabet.any_of(alphabet.cubes(valuations).into_iter().map(|cube| {
        let change = |(prop, value): (usize, bool)| (prop, value != (values >> prop & 1 == 1));
        alphabet.from_cube(&cube.into_iter().map(change).collect::<Cube>())
    }))
}
