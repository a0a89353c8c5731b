//! Testing automata that are built state by state, for the valuations that a product meets.
//!
//! As in the [unfolding](crate::ExplicitTgta), a state is a state of an automaton over valuations,
//! with the values of the propositions that it observes. Its edges and its acceptance depend on one
//! valuation only: on the components of the automaton under the edges that this valuation enables.
//! So no other valuation is enumerated, and the number of propositions does not matter. Suggested in
//! section 8.4.1 of A. E. Ben Salem, Improving the model checking of stutter-invariant LTL
//! properties, 2014. Each valuation costs linear time in the automaton over valuations.
//!
//! Reductions that look at one state or one valuation are applied. Merging of bisimilar states,
//! simulation, and removal of states without accepting runs need the whole automaton.

use crate::error::Error;
use crate::formula::Kind;
use crate::ta::{BUCHI, CHANGE, LIVELOCK, acceptance};
use crate::tgta::with_a_mark;
use crate::unfold::{Observed, masks};
use rustc_hash::FxHashMap;
use sempre_automata::degeneralize::Degeneralizer;
use sempre_automata::{Acceptance, Automaton, Edge, GeneralizedBuchi, Marks, Sccs, StateId, prune};
use sempre_ltl::interrupt;
use std::sync::Arc;

/// A testing automaton of which only the requested states exist.
#[derive(Clone, Debug)]
pub struct OnDemand {
    kind: Kind,
    /// The automaton over valuations; each of its states accepts some word.
    automaton: Automaton,
    /// By state of the automaton, the propositions that it observes, as bits.
    observed: Vec<u64>,
    /// By state of the automaton, the number of its SCC, and whether that has an accepting cycle.
    components: Vec<(u32, bool)>,
    slices: FxHashMap<u64, Arc<Slice>>,
    numbers: FxHashMap<(StateId, u64), u32>,
    states: Vec<State>,
}

/// A state. The first one is artificial: it accepts stuttering only, and has no changes.
#[derive(Clone, Copy, Debug)]
struct State {
    origin: Option<StateId>,
    /// The values of the observed propositions.
    values: u64,
    accepts_stuttering: bool,
    /// All cycles of changes are accepting.
    is_buchi: bool,
    /// Some cycle may be accepting.
    may_recur: bool,
}

/// An edge of a state under a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The marks, as bits.
    pub marks: u32,
    /// The number of the target.
    pub target: u32,
}

/// The number of the artificial state.
const STUTTERING: u32 = 0;

/// The states of the automaton over valuations under one valuation.
#[derive(Debug)]
struct Slice {
    states: Vec<Place>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// An edge is enabled.
    can_read: bool,
    /// On an accepting cycle of this valuation.
    accepts: bool,
    /// Such a cycle is reachable by this valuation.
    reaches: bool,
    /// All enabled edges inside the component have all marks.
    is_buchi: bool,
}

impl OnDemand {
    /// Prepares a TA, an STA or a TGTA of a generalized Büchi automaton with a stutter-invariant
    /// language. Has no state yet.
    ///
    /// # Errors
    /// If acceptance is not generalized Büchi, or there are more than 64 propositions or 32 marks.
    ///
    /// # Panics
    /// If the kind has explicit stuttering.
    pub fn new(automaton: &Automaton, kind: Kind) -> Result<Self, Error> {
        let generalized = GeneralizedBuchi::of(automaton);
        let generalized = generalized.map_err(|_| Error::Acceptance("generalized Büchi"))?;
        if automaton.alphabet().props().len() > 64 {
            return Err(Error::Malformed("there are more than 64 propositions".into()));
        }
        let automaton = match kind {
            Kind::Ta | Kind::Sta => Degeneralizer::default().state_based(&generalized),
            Kind::Tgta if automaton.acceptance().marks() > u32::BITS => {
                Degeneralizer::default().state_based(&generalized)
            }
            Kind::Tgta if automaton.acceptance().marks() == 0 => with_a_mark(automaton),
            Kind::Tgta => automaton.clone(),
            _ => panic!("{} has explicit stuttering", kind.name()),
        };
        let automaton = prune::trim(&automaton);
        let sccs = Sccs::of_all(&automaton);
        let all = Marks::all(automaton.acceptance().marks());
        let component = |state| {
            let scc = sccs.component(state).expect("all states have one");
            let recurs = !sccs.is_trivial(scc) && all.is_subset(sccs.marks(scc));
            (scc.index() as u32, recurs)
        };
        let artificial = State {
            origin: None,
            values: 0,
            accepts_stuttering: true,
            is_buchi: false,
            may_recur: true,
        };
        Ok(OnDemand {
            kind,
            observed: masks(&automaton, Observed::Reachable),
            components: automaton.states().map(component).collect(),
            automaton,
            slices: FxHashMap::default(),
            numbers: FxHashMap::default(),
            states: vec![artificial],
        })
    }

    /// Returns the kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the acceptance condition over the marks of edges, the one of the whole automaton.
    pub fn acceptance(&self) -> Acceptance {
        match self.kind {
            Kind::Tgta => self.automaton.acceptance().clone(),
            _ => acceptance(),
        }
    }

    /// Returns the number of states that exist so far, with the artificial one.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        let slices = self.slices.len() * self.automaton.state_count() * size_of::<Place>();
        self.states.capacity() * (size_of::<State>() + 24) + slices
    }

    /// Returns the automaton over valuations.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// Returns the class of a state, which is all that searches need to know about it. States of a
    /// TGTA are in class 1 if some cycle may be accepting, otherwise in class 0. The class of others is
    /// a sum: 1 if each cycle of changes is accepting, 2 if stuttering is, and 4 if both are, or if
    /// there are no changes.
    pub fn class(&self, state: u32) -> usize {
        let State { accepts_stuttering, is_buchi, may_recur, .. } = self.states[state as usize];
        match self.kind {
            Kind::Tgta => usize::from(may_recur),
            _ => {
                let bits = [is_buchi, accepts_stuttering, self.is_sure(state)];
                bits.iter().rev().fold(0, |sum, bit| 2 * sum + usize::from(*bit))
            }
        }
    }

    /// True if the state is one of a TA or an STA in which each cycle is accepting.
    pub fn is_sure(&self, state: u32) -> bool {
        let State { origin, accepts_stuttering, is_buchi, .. } = self.states[state as usize];
        self.kind != Kind::Tgta && accepts_stuttering && (is_buchi || origin.is_none())
    }

    /// Returns the states in which runs with this first valuation begin.
    pub fn initial(&mut self, valuation: u64) -> Vec<u32> {
        let slice = self.slice(valuation);
        let mut found = vec![];
        for origin in self.automaton.initial().to_vec() {
            self.enter(origin, valuation, &slice, |state| found.push(state));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Appends the edges of a state for a step between two valuations, of which the first has the
    /// values that the state observes. A step without change stays in the state.
    pub fn steps(&mut self, state: u32, from: u64, to: u64, steps: &mut Vec<Step>) {
        let State { origin, values, accepts_stuttering, is_buchi, .. } =
            self.states[state as usize];
        let all = self.all_marks();
        let is_tgta = self.kind == Kind::Tgta;
        let of_state = match is_tgta {
            true => 0,
            false => u32::from(is_buchi) << BUCHI | u32::from(accepts_stuttering) << LIVELOCK,
        };
        if from == to {
            let marks = if is_tgta && accepts_stuttering { all } else { of_state };
            steps.push(Step { marks, target: state });
            return;
        }
        let Some(origin) = origin else { return };
        let slice = self.slice(to);
        for place in self.automaton.edge_range(origin) {
            let Edge { label, marks, target, .. } = &self.automaton.edges()[place];
            if !self.automaton.alphabet().satisfied(*label, values) {
                continue;
            }
            let marks = match is_tgta {
                true if accepts_stuttering => all,
                true => marks.as_bits().unwrap_or_default() as u32,
                false => of_state | 1 << CHANGE,
            };
            let target = *target;
            self.enter(target, to, &slice, |target| steps.push(Step { marks, target }));
        }
    }

    /// Calls a function with the states that stand for a state of the automaton over valuations:
    /// itself with its values, and the artificial one if that has to accept stuttering for it.
    fn enter(
        &mut self,
        origin: StateId,
        valuation: u64,
        slice: &Slice,
        mut found: impl FnMut(u32),
    ) {
        let place = slice.states[origin.index()];
        if !place.can_read {
            return;
        }
        // By stutter-invariance, every cycle through an accepting cycle of stuttering is accepting.
        let is_buchi = place.is_buchi || place.accepts;
        let (accepts_stuttering, hands_over) = match self.kind {
            Kind::Ta => (place.reaches, false),
            _ => (place.reaches && is_buchi, place.reaches && !is_buchi),
        };
        let values = valuation & self.observed[origin.index()];
        let next = self.states.len() as u32;
        let number = *self.numbers.entry((origin, values)).or_insert(next);
        if number == next {
            let may_recur = self.components[origin.index()].1 || accepts_stuttering;
            let origin = Some(origin);
            self.states.push(State { origin, values, accepts_stuttering, is_buchi, may_recur });
        }
        found(number);
        if hands_over {
            found(STUTTERING);
        }
    }

    fn all_marks(&self) -> u32 {
        let all = Marks::all(self.automaton.acceptance().marks());
        all.as_bits().unwrap_or_default() as u32
    }

    /// Returns the slice of a valuation.
    fn slice(&mut self, valuation: u64) -> Arc<Slice> {
        if let Some(slice) = self.slices.get(&valuation) {
            return slice.clone();
        }
        let slice = Arc::new(self.make_slice(valuation));
        self.slices.insert(valuation, slice.clone());
        slice
    }

    fn make_slice(&self, valuation: u64) -> Slice {
        let alphabet = self.automaton.alphabet();
        let all = Marks::all(self.automaton.acceptance().marks());
        let mut builder = self.automaton.edit();
        builder.retain_edges(|_, edge| alphabet.satisfied(edge.label, valuation));
        let graph = builder.build();
        let sccs = Sccs::of_all(&graph);
        let mut states = vec![Place::default(); graph.state_count()];
        // Successors come first.
        for scc in sccs.iter() {
            interrupt::poll();
            let accepts = !sccs.is_trivial(scc) && all.is_subset(sccs.marks(scc));
            let leads = |next: &_| sccs.states(*next).iter().any(|s| states[s.index()].reaches);
            let reaches = accepts || sccs.successors(scc).iter().any(leads);
            for &state in sccs.states(scc) {
                let edges = graph.edges_from(state);
                let component = |state: StateId| self.components[state.index()].0;
                let is_inside = |edge: &&Edge| component(edge.target) == component(state);
                let is_buchi = edges.iter().filter(is_inside).all(|edge| all == edge.marks);
                let can_read = !edges.is_empty();
                states[state.index()] = Place { can_read, accepts, reaches, is_buchi };
            }
        }
        Slice { states }
    }
}

#[cfg(test)]
mod tests;
