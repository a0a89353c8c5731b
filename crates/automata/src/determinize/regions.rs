//! Macrostates of a determinization that uses a separate data structure for each region of states.
//!
//! Every run stays in one region from some point on. States of accepting components share a
//! breakpoint. A deterministic region has a list of its states by age, and any other region a
//! forest of Safra trees. The condition is the disjunction over the regions (Li, Turrini, Feng,
//! Vardi, Zhang, CAV 2022). With one region for all states this is Safra's construction. With one
//! region for the deterministic part of a semi-deterministic automaton it is the run colouring of
//! Esparza, Křetínský, Raskin and Sickert (TACAS 2017).
//!
//! A state is dropped if another present state simulates it. That state must be in a lower
//! component or precede it in the structure of the region, so that a run switches only finitely
//! often. States that enter a region come last: as new entries of a list, or in a new root of a
//! forest. Otherwise a root with infinitely many arrivals could succeed without an accepting run.

use super::tree::{Forest, Path, precedence};
use crate::SemiDeterminism;
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::marks::Mark;
use crate::reduce::simulation::{self, Simulation};
use crate::scc::{ComponentKind, Sccs};
use crate::subset::{self, Class, StateSet};
use std::cmp::Ordering;

/// The maximal number of states for pruning by simulation.
const MAX_SIMULATED: usize = 400;

/// The automaton, its regions, and the relations of its states.
pub(super) struct Regions<'a> {
    automaton: &'a Automaton,
    /// At least one.
    marks: u32,
    /// The states of accepting components, if they share a breakpoint.
    weak: StateSet,
    regions: Vec<Region>,
    /// The component of each state; edges lead to smaller numbers.
    component: Vec<usize>,
    simulation: Option<Simulation>,
    options: Options,
}

/// A set of states, and whether it is deterministic inside.
struct Region {
    states: StateSet,
    is_deterministic: bool,
}

/// The options; tests also use wrong ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) pruning: Pruning,
    pub(super) arrivals: Arrivals,
    pub(super) repetitions: Repetitions,
}

/// The simulated states to drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pruning {
    /// The states where dropping is sound.
    Sound,
    /// None.
    #[cfg(test)]
    Off,
    /// All simulated states: wrong.
    #[cfg(test)]
    Any,
    /// States that cannot reach the other: wrong.
    #[cfg(test)]
    Reversed,
    /// The older of two states in a list: wrong.
    #[cfg(test)]
    Older,
}

/// The root for states that enter a region with a forest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrivals {
    /// A new root.
    NewRoot,
    /// The oldest root: wrong.
    #[cfg(test)]
    OldestRoot,
}

/// The events of repeated letters that are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetitions {
    /// All events on the way.
    All,
    /// The events of the first letter only: wrong.
    #[cfg(test)]
    First,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            pruning: Pruning::Sound,
            arrivals: Arrivals::NewRoot,
            repetitions: Repetitions::All,
        }
    }
}

/// A state of the result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Macrostate {
    present: StateSet,
    /// The states of the breakpoint.
    owed: StateSet,
    structures: Vec<Structure>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Structure {
    /// States by age, each with the mark that it awaits.
    List(Vec<(StateId, Mark)>),
    Forest(Forest),
}

/// The events of a step: whether it reaches the breakpoint, and one event per region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Events {
    pub(super) breakpoint: bool,
    /// 2i if the i-th oldest entry of a region fails, 2i + 1 if it succeeds, for the smallest i.
    pub(super) regions: Vec<Option<Mark>>,
}

impl Events {
    /// Adds the events of another step; the smaller number wins.
    pub(super) fn add(&mut self, other: &Events) {
        self.breakpoint |= other.breakpoint;
        for (event, other) in self.regions.iter_mut().zip(&other.regions) {
            *event = match (*event, *other) {
                (Some(event), Some(other)) => Some(event.min(other)),
                (event, other) => event.or(other),
            };
        }
    }
}

impl<'a> Regions<'a> {
    /// Creates a region for each component of a generalized Büchi automaton that has both accepting
    /// and rejecting cycles. Components with accepting cycles only share a breakpoint.
    pub(super) fn components(automaton: &'a Automaton, options: Options) -> Self {
        let sccs = Sccs::of(automaton);
        let width = subset::width(automaton.state_count());
        let mut weak = subset::empty(width);
        let mut regions = vec![];
        for (scc, kind) in sccs.iter().zip(sccs.kinds(automaton)) {
            let states = sccs.states(scc).iter().copied();
            match kind {
                ComponentKind::Trivial | ComponentKind::Rejecting => {}
                ComponentKind::Accepting => states.for_each(|s| subset::insert(&mut weak, s)),
                ComponentKind::Deterministic | ComponentKind::Nondeterministic => {
                    let is_deterministic = kind == ComponentKind::Deterministic;
                    regions.push(Region { states: subset::set(width, states), is_deterministic });
                }
            }
        }
        Self::new(automaton, &sccs, weak, regions, options)
    }

    /// Creates one region of all states.
    pub(super) fn whole(automaton: &'a Automaton, options: Options) -> Self {
        let width = subset::width(automaton.state_count());
        let states = subset::set(width, automaton.states());
        let regions = vec![Region { states, is_deterministic: false }];
        Self::new(automaton, &Sccs::of(automaton), subset::empty(width), regions, options)
    }

    /// Creates one region, the deterministic part of a semi-deterministic automaton.
    pub(super) fn deterministic_part(automaton: &'a Automaton, options: Options) -> Option<Self> {
        let parts = SemiDeterminism::of(automaton);
        if !parts.semi_deterministic {
            return None;
        }
        let width = subset::width(automaton.state_count());
        let states = automaton.states().filter(|state| parts.smallest[state.index()]);
        let regions = vec![Region { states: subset::set(width, states), is_deterministic: true }];
        let weak = subset::empty(width);
        Some(Self::new(automaton, &Sccs::of(automaton), weak, regions, options))
    }

    fn new(
        automaton: &'a Automaton,
        sccs: &Sccs,
        weak: StateSet,
        regions: Vec<Region>,
        options: Options,
    ) -> Self {
        let last = |state| sccs.component(state).map_or(usize::MAX, |scc| scc.index());
        let compared = automaton.state_count() <= MAX_SIMULATED;
        Regions {
            automaton,
            marks: automaton.acceptance().marks().max(1),
            weak,
            regions,
            component: automaton.states().map(last).collect(),
            simulation: compared.then(|| simulation::direct(automaton)),
            options,
        }
    }

    pub(super) fn automaton(&self) -> &Automaton {
        self.automaton
    }

    /// True if some states share a breakpoint.
    pub(super) fn has_breakpoint(&self) -> bool {
        !subset::is_empty(&self.weak)
    }

    /// Returns which events of repeated letters count.
    pub(super) fn repetitions(&self) -> Repetitions {
        self.options.repetitions
    }

    /// Returns the number of regions.
    pub(super) fn len(&self) -> usize {
        self.regions.len()
    }

    /// Returns the initial macrostate; `None` if there is no initial state.
    pub(super) fn initial(&self) -> Option<Macrostate> {
        let width = self.weak.len();
        let present = subset::set(width, self.automaton.initial().iter().copied());
        if subset::is_empty(&present) {
            return None;
        }
        let empty = |region: &Region| match region.is_deterministic {
            true => Structure::List(vec![]),
            false => Structure::Forest(Forest::default()),
        };
        let start = Macrostate {
            present: subset::empty(width),
            owed: subset::empty(width),
            structures: self.regions.iter().map(empty).collect(),
        };
        Some(self.arrive(&start, present, |_| subset::empty(width), &[]).0)
    }

    /// The states that are present.
    pub(super) fn present<'s>(&self, state: &'s Macrostate) -> &'s StateSet {
        &state.present
    }

    /// Returns the macrostate after a letter of a class, and the events; `None` if no state
    /// remains.
    pub(super) fn step(&self, state: &Macrostate, class: &Class) -> Option<(Macrostate, Events)> {
        let edges: Vec<(StateId, usize)> =
            class.edges.iter().map(|(source, edge)| (*source, edge.index())).collect();
        let target = |edge: usize| self.automaton.edges()[edge].target;
        let width = self.weak.len();
        let present = subset::set(width, edges.iter().map(|(_, edge)| target(*edge)));
        if subset::is_empty(&present) {
            return None;
        }
        let owed = |state: &Macrostate| {
            let from = edges.iter().filter(|(source, _)| subset::contains(&state.owed, *source));
            let targets = from.map(|(_, edge)| target(*edge));
            subset::set(width, targets.filter(|state| subset::contains(&self.weak, *state)))
        };
        Some(self.arrive(state, present, owed, &edges))
    }

    /// Builds the macrostate with these present states, after these edges.
    fn arrive(
        &self,
        before: &Macrostate,
        mut present: StateSet,
        owed: impl Fn(&Macrostate) -> StateSet,
        edges: &[(StateId, usize)],
    ) -> (Macrostate, Events) {
        self.prune(&mut present);
        let mut events = Events { breakpoint: false, regions: vec![] };
        let mut structures = vec![];
        for (region, structure) in self.regions.iter().zip(&before.structures) {
            let (structure, event) = match structure {
                Structure::List(list) => {
                    let (list, event) = self.list(region, list, &mut present, edges);
                    (Structure::List(list), event)
                }
                Structure::Forest(forest) => {
                    let (forest, event) = self.forest(region, forest, &mut present, edges);
                    (Structure::Forest(forest), event)
                }
            };
            structures.push(structure);
            events.regions.push(event);
        }
        let mut owed = owed(before);
        if self.has_breakpoint() {
            owed = intersection(&owed, &present);
            if subset::is_empty(&owed) {
                events.breakpoint = true;
                owed = intersection(&self.weak, &present);
            }
        }
        (Macrostate { present, owed, structures }, events)
    }

    /// True if state `right` simulates state `left`.
    fn is_simulated(&self, left: StateId, right: StateId) -> bool {
        self.simulation.as_ref().is_some_and(|simulation| simulation.holds(left, right))
    }

    /// Drops states that others in components further down simulate.
    fn prune(&self, present: &mut StateSet) {
        let further = |left: StateId, right: StateId| match self.options.pruning {
            Pruning::Sound => self.component[right.index()] < self.component[left.index()],
            #[cfg(test)]
            Pruning::Off | Pruning::Older => false,
            #[cfg(test)]
            Pruning::Any => left != right,
            #[cfg(test)]
            Pruning::Reversed => self.component[left.index()] < self.component[right.index()],
        };
        let states: Vec<StateId> = subset::states(present).collect();
        for &left in &states {
            let mut better = states.iter().filter(|right| subset::contains(present, **right));
            if better.any(|&right| further(left, right) && self.is_simulated(left, right)) {
                remove(present, left);
            }
        }
    }

    fn is_sound(&self) -> bool {
        self.options.pruning == Pruning::Sound
    }

    /// Returns the list of a region after a step, and its event. Removes pruned states from
    /// `present`.
    fn list(
        &self,
        region: &Region,
        list: &[(StateId, Mark)],
        present: &mut StateSet,
        edges: &[(StateId, usize)],
    ) -> (Vec<(StateId, Mark)>, Option<Mark>) {
        let mut after: Vec<(StateId, Mark)> = vec![];
        let mut event: Option<Mark> = None;
        let mut happens = |new: Mark| event = Some(event.map_or(new, |event| event.min(new)));
        for (place, &(state, awaited)) in list.iter().enumerate() {
            let place = place as Mark;
            let step = edges.iter().find_map(|&(source, edge)| {
                let target = self.automaton.edges()[edge].target;
                (source == state && subset::contains(&region.states, target))
                    .then_some((target, edge))
            });
            let Some((target, edge)) =
                step.filter(|(target, _)| subset::contains(present, *target))
            else {
                happens(2 * place);
                continue;
            };
            if after.iter().any(|(older, _)| *older == target) {
                happens(2 * place);
                continue;
            }
            if self.is_sound() && after.iter().any(|(older, _)| self.is_simulated(target, *older)) {
                happens(2 * place);
                remove(present, target);
                continue;
            }
            let awaited = match self.advance(awaited, edge) {
                (awaited, true) => {
                    happens(2 * place + 1);
                    awaited
                }
                (awaited, false) => awaited,
            };
            after.push((target, awaited));
        }
        for state in self.arrivals(region, present) {
            if after.iter().any(|(older, _)| *older == state) {
                continue;
            }
            if self.is_sound() && after.iter().any(|(older, _)| self.is_simulated(state, *older)) {
                remove(present, state);
                continue;
            }
            after.push((state, 0));
        }
        #[cfg(test)]
        if self.options.pruning == Pruning::Older {
            let younger = after.clone();
            let mut place = 0;
            after.retain(|(state, _)| {
                place += 1;
                !younger[place..].iter().any(|(other, _)| self.is_simulated(*state, *other))
            });
        }
        (after, event)
    }

    /// Returns the next awaited mark after an edge, and whether all have been seen.
    fn advance(&self, awaited: Mark, edge: usize) -> (Mark, bool) {
        let (mut awaited, mut all) = (awaited, false);
        for _ in 0..self.marks {
            if !self.has_mark(edge, awaited) {
                break;
            }
            awaited = (awaited + 1) % self.marks;
            all |= awaited == 0;
        }
        (awaited, all)
    }

    fn has_mark(&self, edge: usize, mark: Mark) -> bool {
        // Without marks every cycle is accepting.
        self.automaton.acceptance().marks() == 0
            || self.automaton.edges()[edge].marks.contains(mark)
    }

    /// The states of the region that are present.
    fn arrivals(&self, region: &Region, present: &StateSet) -> Vec<StateId> {
        subset::states(&intersection(&region.states, present)).collect()
    }

    /// Returns the forest of a region after a step, and its event. Removes pruned states from
    /// `present`.
    fn forest(
        &self,
        region: &Region,
        forest: &Forest,
        present: &mut StateSet,
        edges: &[(StateId, usize)],
    ) -> (Forest, Option<Mark>) {
        let mut moved: Vec<(StateId, Path)> = vec![];
        for &(source, edge) in edges {
            let target = self.automaton.edges()[edge].target;
            if !subset::contains(&region.states, target) || !subset::contains(present, target) {
                continue;
            }
            let Ok(place) = forest.paths.binary_search_by_key(&source, |(state, _)| *state) else {
                continue;
            };
            let mut path = forest.paths[place].1.clone();
            let deepest = path.last().copied().unwrap_or(0);
            if self.has_mark(edge, forest.awaited[deepest as usize]) {
                path.push(forest.child(deepest));
            }
            moved.push((target, path));
        }
        if self.options.arrivals == Arrivals::NewRoot || forest.awaited.is_empty() {
            for state in self.arrivals(region, present) {
                if !moved.iter().any(|(known, _)| *known == state) {
                    moved.push((state, vec![forest.root()]));
                }
            }
        }
        moved.sort_by(|(l, left), (r, right)| l.cmp(r).then_with(|| precedence(left, right)));
        moved.dedup_by_key(|(state, _)| *state);
        let kept = match self.is_sound() {
            true => self.undominated(moved, present),
            false => moved,
        };
        let settled = forest.settle(kept, self.marks);
        #[cfg(test)]
        if self.options.arrivals == Arrivals::OldestRoot {
            return self.in_oldest_root(region, settled, present);
        }
        settled
    }

    /// Adds the present states that are in no node to the oldest root.
    #[cfg(test)]
    fn in_oldest_root(
        &self,
        region: &Region,
        (mut forest, event): (Forest, Option<Mark>),
        present: &StateSet,
    ) -> (Forest, Option<Mark>) {
        for state in self.arrivals(region, present) {
            if !forest.paths.iter().any(|(known, _)| *known == state) {
                if forest.awaited.is_empty() {
                    forest.awaited.push(0);
                }
                forest.paths.push((state, vec![0]));
            }
        }
        forest.paths.sort();
        (forest, event)
    }

    /// Removes the paths of states that a state with a preceding or equal path simulates. Of
    /// equivalent states the first stays.
    fn undominated(
        &self,
        paths: Vec<(StateId, Path)>,
        present: &mut StateSet,
    ) -> Vec<(StateId, Path)> {
        let dominates = |(other, path): &(StateId, Path), state: StateId, own: &Path| {
            *other != state
                && self.is_simulated(state, *other)
                && match precedence(path, own) {
                    Ordering::Less => true,
                    Ordering::Equal => !self.is_simulated(*other, state) || *other < state,
                    Ordering::Greater => false,
                }
        };
        let is_kept: Vec<bool> = paths
            .iter()
            .map(|(state, own)| !paths.iter().any(|other| dominates(other, *state, own)))
            .collect();
        let mut kept = vec![];
        for (entry, is_kept) in paths.into_iter().zip(is_kept) {
            match is_kept {
                true => kept.push(entry),
                false => remove(present, entry.0),
            }
        }
        kept
    }
}

fn intersection(left: &StateSet, right: &StateSet) -> StateSet {
    left.iter().zip(right).map(|(l, r)| l & r).collect()
}

fn remove(set: &mut StateSet, state: StateId) {
    set[state.index() / 64] &= !(1 << (state.index() % 64));
}
