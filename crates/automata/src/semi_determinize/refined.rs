//! Semi-determinization component by component, with the refinements of Seminator 2.
//!
//! F. Blahoudek, A. Duret-Lutz and J. Strejček, "Seminator 2 can complement generalized Büchi
//! automata via improved semi-determinization" (CAV 2020). The second part follows a component by
//! the simplest means that its kind allows:
//!
//! - A component is *low* if it and all that follows is deterministic. Its states leave the first
//!   part and keep their edges.
//! - A component that is deterministic inside is copied, with its inner edges.
//! - In a component without rejecting cycle the powerset is followed, without breakpoints.
//! - In others the powerset with breakpoints, where levels that are passed on the same edge are
//!   skipped, and states are dropped that others simulate. A state of B goes only for another one of
//!   B, as otherwise words are lost.
//!
//! Into components of the first three sorts one cut on entry is enough. Into others a run is cut by
//! [`Cut`], to all its successors in the component together. At last, of the states with the same
//! set R, those in the bottommost component of the result stand for those in other ones.

use super::construct::Building;
use super::{Cut, with_marks};
use crate::reduce::simulation::{self, Simulation};
use crate::scc::ComponentKind;
use crate::subset::{self, Class, StateSet};
use crate::{Automaton, Marks, Named, SccId, Sccs, StateId};
use rustc_hash::FxHashMap;

/// One way to make an automaton semi-deterministic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) cut: Cut,
    /// Below the number of marks.
    pub(super) cut_mark: u32,
    pub(super) cut_deterministic: bool,
    pub(super) steps: usize,
    /// Which states are dropped for others.
    pub(super) pruning: Pruning,
    #[cfg(test)]
    pub(super) fault: Option<Fault>,
}

/// Wrong variants that look right, which tests must find.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Runs are cut only where they enter a component with breakpoints, or begin in it.
    OnlyEntry,
    /// A cut leads to the successors of all states of the first set.
    Together,
    /// Initial states that keep their edges are not in the first set.
    LowForgotten,
}

/// Which states of the second part are dropped for others that simulate them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pruning {
    /// None.
    Off,
    /// Those outside B, and those in B for others in B.
    Aware,
    /// All: wrong, as tests must find out.
    #[cfg(test)]
    Naive,
    /// All that are not simulated in turn: wrong as well.
    #[cfg(test)]
    Strict,
    /// All, and the other state takes over their place in B: wrong as well.
    #[cfg(test)]
    Inheriting,
}

/// How runs in a component are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// Only in the first part.
    Rejecting,
    /// Only in the second part, with all edges.
    Low,
    Copied,
    Weak,
    Breakpoints,
}

/// A state of the result.
#[derive(Clone, PartialEq, Eq, Hash)]
enum State {
    First(StateSet),
    /// A state with all its edges, or only those inside its component.
    Copy(StateId),
    Powerset(StateSet),
    Breakpoints {
        reached: StateSet,
        seen: StateSet,
        level: u32,
    },
}

struct Refined<'a> {
    automaton: &'a Automaton,
    options: Options,
    sccs: Sccs,
    sorts: Vec<Sort>,
    simulation: Option<Simulation>,
    marks: u32,
    width: usize,
}

/// Makes a generalized Büchi automaton semi-deterministic or cut-deterministic; `None` if it takes
/// too many steps. States that are on no accepting run are not removed.
pub(super) fn construct(automaton: &Automaton, options: Options) -> Option<Automaton> {
    let automaton = &with_marks(automaton);
    let sccs = Sccs::of(automaton);
    let sorts = sorts(automaton, &sccs);
    let simulation = (options.pruning != Pruning::Off).then(|| {
        let mut inside = automaton.edit();
        inside.retain_edges(|source, edge| sccs.is_inside(source, edge.target));
        simulation::direct(&inside.build())
    });
    let width = subset::width(automaton.state_count());
    let marks = automaton.acceptance().marks();
    let refined = Refined { automaton, options, sccs, sorts, simulation, marks, width };
    let mut result = Building::new(automaton, options.steps);
    for start in refined.initial() {
        let state = result.number(start);
        result.builder.initial(state);
    }
    let mut next = 0;
    while next < result.states.len() {
        sempre_ltl::interrupt::poll();
        if !refined.edges(&mut result, next) {
            return None;
        }
        next += 1;
    }
    result.builder.acceptance(match marks {
        1 => Named::Buchi.acceptance(),
        marks => Named::GeneralizedBuchi(marks).acceptance(),
    });
    Some(bottommost(&result.builder.build(), &result.states))
}

/// How each component is followed.
fn sorts(automaton: &Automaton, sccs: &Sccs) -> Vec<Sort> {
    let kinds = sccs.kinds(automaton);
    let mut sorts: Vec<Sort> = vec![];
    for scc in sccs.iter() {
        let low = |next: &SccId| sorts[next.index()] == Sort::Low;
        let deterministic = |state: &StateId| automaton.is_deterministic_in(*state);
        sorts.push(match kinds[scc.index()] {
            _ if sccs.states(scc).iter().all(deterministic)
                && sccs.successors(scc).iter().all(low) =>
            {
                Sort::Low
            }
            ComponentKind::Trivial | ComponentKind::Rejecting => Sort::Rejecting,
            _ if sccs.is_deterministic_inside(automaton, scc) => Sort::Copied,
            ComponentKind::Accepting => Sort::Weak,
            _ => Sort::Breakpoints,
        });
    }
    sorts
}

impl Refined<'_> {
    fn sort(&self, state: StateId) -> Sort {
        self.sccs.component(state).map_or(Sort::Rejecting, |scc| self.sorts[scc.index()])
    }

    fn initial(&self) -> Vec<State> {
        let initial = self.automaton.initial();
        let is_low = |state: &StateId| self.sort(*state) == Sort::Low;
        match self.options.cut_deterministic {
            true if initial.len() == 1 && is_low(&initial[0]) => vec![State::Copy(initial[0])],
            true if initial.is_empty() => vec![],
            #[cfg(test)]
            true if self.options.fault == Some(Fault::LowForgotten) => {
                let kept = initial.iter().copied().filter(|state| !is_low(state));
                vec![State::First(subset::set(self.width, kept))]
            }
            // Low states may be in the first set, which no other one leads back to.
            true => vec![State::First(subset::set(self.width, initial.iter().copied()))],
            false => {
                let start = |state: &StateId| match is_low(state) {
                    true => State::Copy(*state),
                    false => State::First(subset::set(self.width, [*state])),
                };
                initial.iter().map(start).collect()
            }
        }
    }

    /// Adds the edges of a state; false if there are too many.
    fn edges(&self, result: &mut Building<State>, number: usize) -> bool {
        match result.states[number].clone() {
            State::First(states) => self.first(result, number, &states),
            State::Copy(state) => {
                let low = self.sort(state) == Sort::Low;
                let edges = self.automaton.edges_from(state).iter();
                let mut kept = edges.filter(|e| low || self.sccs.is_inside(state, e.target));
                kept.all(|edge| {
                    result.edge(number, edge.label, edge.marks.clone(), State::Copy(edge.target))
                })
            }
            State::Powerset(reached) => {
                for class in subset::classes(self.automaton, &reached) {
                    sempre_ltl::interrupt::poll();
                    let next = self.inside(&class, &reached).reached;
                    if subset::is_empty(&next) {
                        continue;
                    }
                    let all = Marks::all(self.marks);
                    if !result.edge(number, class.label, all, State::Powerset(next)) {
                        return false;
                    }
                }
                true
            }
            State::Breakpoints { reached, seen, level } => {
                self.breakpoints(result, number, [&reached, &seen], level)
            }
        }
    }

    /// Adds the edges of a state of the first part; false if there are too many.
    fn first(&self, result: &mut Building<State>, number: usize, states: &StateSet) -> bool {
        for class in subset::classes(self.automaton, states) {
            sempre_ltl::interrupt::poll();
            let mut targets = subset::empty(self.width);
            let mut cuts: Vec<State> = vec![];
            for &(source, edge) in &class.edges {
                let edge = self.automaton.edge(edge);
                if self.sort(edge.target) != Sort::Low {
                    subset::insert(&mut targets, edge.target);
                }
                if self.is_cut(source, edge.target, &edge.marks) {
                    let cut = self.cut(&class, source, edge.target);
                    if !cuts.contains(&cut) {
                        cuts.push(cut);
                    }
                }
            }
            let sets: Vec<StateSet> = match self.options.cut_deterministic {
                true if subset::is_empty(&targets) => vec![],
                true => vec![targets],
                false => subset::states(&targets).map(|s| subset::set(self.width, [s])).collect(),
            };
            for target in sets.into_iter().map(State::First).chain(cuts) {
                if !result.edge(number, class.label, Marks::EMPTY, target) {
                    return false;
                }
            }
        }
        true
    }

    /// True if the edge leads to the second part as well.
    fn is_cut(&self, source: StateId, target: StateId, marks: &Marks) -> bool {
        let enters = !self.sccs.is_inside(source, target);
        #[cfg(test)]
        if self.options.fault == Some(Fault::OnlyEntry) && self.sort(target) == Sort::Breakpoints {
            return enters || self.automaton.initial().contains(&source);
        }
        match self.sort(target) {
            Sort::Rejecting => false,
            Sort::Low => true,
            Sort::Copied | Sort::Weak => enters || self.automaton.initial().contains(&source),
            Sort::Breakpoints => match self.options.cut {
                Cut::Mark => marks.contains(self.options.cut_mark),
                Cut::Entry => enters || marks.contains(self.options.cut_mark),
                Cut::Always => true,
            },
        }
    }

    /// The state of the second part to which a cut leads: for a powerset, with all successors of
    /// the one state in the component. Those of others would block breakpoints.
    fn cut(&self, class: &Class, source: StateId, target: StateId) -> State {
        let sort = self.sort(target);
        if matches!(sort, Sort::Low | Sort::Copied) {
            return State::Copy(target);
        }
        let (mut reached, mut seen) = (subset::empty(self.width), subset::empty(self.width));
        for &(from, edge) in &class.edges {
            let edge = self.automaton.edge(edge);
            #[cfg(test)]
            let source = match self.options.fault {
                Some(Fault::Together) => from,
                _ => source,
            };
            if from == source && self.sccs.component(edge.target) == self.sccs.component(target) {
                subset::insert(&mut reached, edge.target);
                if edge.marks.contains(0) {
                    subset::insert(&mut seen, edge.target);
                }
            }
        }
        if sort == Sort::Weak {
            return State::Powerset(reached);
        }
        self.prune(&mut reached, &mut seen);
        if seen == reached {
            seen = subset::empty(self.width);
        }
        State::Breakpoints { reached, seen, level: 0 }
    }

    /// The successors of a set inside its component, and those over each mark.
    fn inside(&self, class: &Class, set: &StateSet) -> Successors {
        let mut found = Successors {
            reached: subset::empty(self.width),
            over: vec![subset::empty(self.width); self.marks as usize],
        };
        for &(source, edge) in &class.edges {
            let edge = self.automaton.edge(edge);
            if subset::contains(set, source) && self.sccs.is_inside(source, edge.target) {
                subset::insert(&mut found.reached, edge.target);
                for mark in edge.marks.iter() {
                    subset::insert(&mut found.over[mark as usize], edge.target);
                }
            }
        }
        found
    }

    /// Adds the edges of a state with breakpoints; false if there are too many.
    fn breakpoints(
        &self,
        result: &mut Building<State>,
        number: usize,
        [reached, seen]: [&StateSet; 2],
        level: u32,
    ) -> bool {
        for class in subset::classes(self.automaton, reached) {
            sempre_ltl::interrupt::poll();
            let next = self.inside(&class, reached);
            if subset::is_empty(&next.reached) {
                continue;
            }
            let mut now = self.inside(&class, seen).reached;
            insert_all(&mut now, &next.over[level as usize]);
            let mut after = next.reached.clone();
            self.prune(&mut after, &mut now);
            let (marks, target) = if now == after {
                let (seen, level) = self.following(&next, &after, level);
                (Marks::all(self.marks), State::Breakpoints { reached: after, seen, level })
            } else {
                (Marks::EMPTY, State::Breakpoints { reached: after, seen: now, level })
            };
            if !result.edge(number, class.label, marks, target) {
                return false;
            }
        }
        true
    }

    /// The level after a breakpoint, and the states that have passed it on the same edge; levels
    /// that all have passed are skipped.
    fn following(&self, next: &Successors, reached: &StateSet, level: u32) -> (StateSet, u32) {
        let mut following = (level + 1) % self.marks;
        loop {
            let seen: StateSet =
                next.over[following as usize].iter().zip(reached).map(|(s, r)| s & r).collect();
            if seen != *reached {
                return (seen, following);
            }
            if following == level {
                return (subset::empty(self.width), level);
            }
            following = (following + 1) % self.marks;
        }
    }

    /// Drops states that others simulate.
    fn prune(&self, reached: &mut StateSet, seen: &mut StateSet) {
        let Some(simulation) = &self.simulation else { return };
        for state in subset::states(&reached.clone()) {
            sempre_ltl::interrupt::poll();
            let better = |other: StateId| {
                let allowed = match self.options.pruning {
                    Pruning::Off => false,
                    Pruning::Aware => {
                        !subset::contains(seen, state) || subset::contains(seen, other)
                    }
                    #[cfg(test)]
                    Pruning::Naive | Pruning::Inheriting => true,
                    #[cfg(test)]
                    Pruning::Strict => !simulation.holds(other, state),
                };
                other != state && allowed && simulation.holds(state, other)
            };
            let found = subset::states(reached).find(|other| better(*other));
            if let Some(_other) = found {
                #[cfg(test)]
                if self.options.pruning == Pruning::Inheriting && subset::contains(seen, state) {
                    subset::insert(seen, _other);
                }
                remove(reached, state);
                remove(seen, state);
            }
        }
    }
}

/// The successors of a set, and those over each mark.
struct Successors {
    reached: StateSet,
    over: Vec<StateSet>,
}

fn insert_all(set: &mut StateSet, more: &StateSet) {
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

fn remove(set: &mut StateSet, state: StateId) {
    set[state.index() / 64] &= !(1 << (state.index() % 64));
}

/// The automaton in which edges between components lead, of the states with breakpoints and the
/// same set, to one in the lowest component. Their languages are the same: that depends on the set
/// alone.
fn bottommost(automaton: &Automaton, states: &[State]) -> Automaton {
    let sccs = Sccs::of(automaton);
    let mut lowest: FxHashMap<&StateSet, StateId> = FxHashMap::default();
    let place = |state: StateId| sccs.component(state).map(SccId::index);
    for state in automaton.states().filter(|state| sccs.is_reachable(*state)) {
        if let State::Breakpoints { reached, .. } = &states[state.index()] {
            let known = lowest.entry(reached).or_insert(state);
            if place(state) < place(*known) {
                *known = state;
            }
        }
    }
    let mut builder = automaton.edit();
    builder.retain_edges(|_, edge| {
        if let State::Breakpoints { reached, .. } = &states[edge.target.index()]
            && let Some(&low) = lowest.get(reached)
            && place(low) != place(edge.target)
        {
            edge.target = low;
        }
        true
    });
    builder.build()
}
