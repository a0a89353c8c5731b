//! Breadth-first search: visits states in the order of their distance from the initial ones.
//!
//! Stores number states in the order of insertion, so unexpanded states have the largest numbers,
//! and no queue is needed. The cost is one expansion per state and one insertion per transition.
//! Shortest paths cost one more word per state, the number of its predecessor.

use super::Insert;
use super::limits::PollTimer;
use super::{Counts, Exploration, Limits, Progress, Reason};
use super::{Failure, Path};
use crate::store::{StateId, Store};
use sempre_ltl::interrupt;
use sempre_models::{ActionId, Fault, Successors, System};

/// Explores all states into an empty store. Calls `progress` at intervals.
///
/// # Errors
/// If the system has a fault; a second search finds a shortest path to it.
///
/// # Panics
/// If the store is not empty, or made for states of another width.
pub fn breadth_first<T: Store>(
    system: &dyn System,
    store: &mut T,
    limits: &Limits,
    mut progress: impl FnMut(&Progress),
) -> Result<Exploration, Failure> {
    let mut search = Search::new(system, store, limits);
    match search.run(NO_GOAL, false, &mut progress) {
        Ok(end) => Ok(search.exploration(end)),
        Err(Stop { fault, .. }) => {
            *store = T::new(system.words());
            Err(trace(system, store, limits, fault, progress))
        }
    }
}

/// Returns a shortest path to a fault, if it is a fault of the model.
pub(super) fn trace<T: Store>(
    system: &dyn System,
    store: &mut T,
    limits: &Limits,
    fault: Fault,
    mut progress: impl FnMut(&Progress),
) -> Failure {
    if matches!(fault, Fault::Overflow(_)) {
        return fault.into();
    }
    let mut search = Search::new(system, store, limits).with_parents();
    match search.run(NO_GOAL, false, &mut progress) {
        Ok(_) => fault.into(),
        Err(stop) => search.failure(stop),
    }
}

/// The result of a search for a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// A shortest path, if one exists and was found within the limits.
    pub path: Option<Path>,
    /// The counts of the search.
    pub exploration: Exploration,
}

/// Searches for a shortest path to a state that satisfies the predicate.
///
/// # Errors
/// If the system or the predicate has a fault in an earlier state; with the path to it.
///
/// # Panics
/// If the store is not empty, or made for states of another width.
pub fn shortest_path<T: Store>(
    system: &dyn System,
    store: &mut T,
    limits: &Limits,
    progress: impl FnMut(&Progress),
    goal: impl FnMut(&[u32]) -> Result<bool, Fault>,
) -> Result<Answer, Failure> {
    answer(system, store, limits, progress, Some(goal), false)
}

/// Searches for a shortest path to a deadlock.
///
/// # Errors
/// If the system has a fault in an earlier state; with the path to it.
///
/// # Panics
/// If the store is not empty, or made for states of another width.
pub fn shortest_path_to_deadlock<T: Store>(
    system: &dyn System,
    store: &mut T,
    limits: &Limits,
    progress: impl FnMut(&Progress),
) -> Result<Answer, Failure> {
    answer(system, store, limits, progress, NO_GOAL, true)
}

fn answer<T: Store>(
    system: &dyn System,
    store: &mut T,
    limits: &Limits,
    mut progress: impl FnMut(&Progress),
    goal: Option<impl FnMut(&[u32]) -> Result<bool, Fault>>,
    deadlock: bool,
) -> Result<Answer, Failure> {
    let mut search = Search::new(system, store, limits).with_parents();
    match search.run(goal, deadlock, &mut progress) {
        Ok(end) => {
            let path = match end {
                End::Found(id) => Some(search.path(id)?),
                End::Complete | End::Incomplete(_) => None,
            };
            Ok(Answer { path, exploration: search.exploration(end) })
        }
        Err(stop) => Err(search.failure(stop)),
    }
}

/// The end of a search.
#[derive(Clone, Copy)]
enum End {
    Complete,
    Incomplete(Reason),
    Found(StateId),
}

/// A fault with its state; `None` for an undefined initial state.
struct Stop {
    fault: Fault,
    id: Option<StateId>,
}

/// No goal.
const NO_GOAL: Option<Goal> = None;

/// Decides whether a state is the goal.
type Goal = fn(&[u32]) -> Result<bool, Fault>;

/// The parent of an initial state.
const NO_PARENT: u32 = u32::MAX;

struct Search<'a, T> {
    system: &'a dyn System,
    store: &'a mut T,
    limits: &'a Limits,
    counts: Counts,
    /// The predecessor of each state in the search tree.
    parents: Option<Vec<u32>>,
}

impl<'a, T: Store> Search<'a, T> {
    fn new(system: &'a dyn System, store: &'a mut T, limits: &'a Limits) -> Self {
        assert!(store.is_empty() && store.words() == system.words(), "an empty store");
        Search { system, store, limits, counts: Counts::default(), parents: None }
    }

    fn with_parents(self) -> Self {
        Search { parents: Some(Vec::new()), ..self }
    }

    /// Expands states until all are expanded, a new one satisfies `goal`, or one is a deadlock if
    /// that is the goal.
    fn run(
        &mut self,
        mut goal: Option<impl FnMut(&[u32]) -> Result<bool, Fault>>,
        deadlock: bool,
        progress: &mut impl FnMut(&Progress),
    ) -> Result<End, Stop> {
        let system = self.system;
        let width = system.words();
        let mut expander = system.expander();
        let mut state = vec![0; width];
        let mut successors = Successors::new(width);
        let mut ids = Vec::new();
        let mut poll_timer = PollTimer::default();

        let initial = system.initial().map_err(|fault| Stop { fault, id: None })?;
        initial.iter().for_each(|state| successors.push(ActionId(0), state));
        let mut source = NO_PARENT;
        // The first state at the next distance.
        let mut level_end = 0;
        loop {
            let known = self.store.len();
            let others = self.parent_bytes();
            ids.clear();
            if let Err(reason) =
                self.limits.insert(self.store, others, successors.words(), &mut ids)
            {
                return Ok(End::Incomplete(reason));
            }
            let next = self.store.len() as u32;
            if let Some(parents) = &mut self.parents {
                parents.resize(next as usize, source);
            }
            if let Some(goal) = &mut goal {
                let mut new = known as u32;
                for (id, successor) in ids.iter().zip(successors.words().chunks_exact(width)) {
                    if id.0 == new {
                        new += 1;
                        if goal(successor).map_err(|fault| Stop { fault, id: Some(*id) })? {
                            return Ok(End::Found(*id));
                        }
                    }
                }
            }
            self.counts.states = u64::from(next);
            if source == NO_PARENT {
                self.counts.initial = u64::from(next);
                level_end = next;
            }
            source = source.wrapping_add(1);
            if source == next {
                return Ok(End::Complete);
            }
            if source == level_end {
                self.counts.depth += 1;
                level_end = next;
            }

            interrupt::poll();
            if poll_timer.is_due((successors.len() + 1) * width) {
                progress(&self.progress(source));
                if let Some(reason) = self.limits.expired() {
                    return Ok(End::Incomplete(reason));
                }
            }
            self.store.expand(StateId(source), &mut state);
            successors.clear();
            let outcome = expander.expand(&state, &mut successors);
            outcome.map_err(|fault| Stop { fault, id: Some(StateId(source)) })?;
            self.counts.transitions += successors.len() as u64;
            if successors.is_empty() {
                self.counts.deadlocks += 1;
                if deadlock {
                    return Ok(End::Found(StateId(source)));
                }
            }
        }
    }

    fn parent_bytes(&self) -> usize {
        self.parents.as_ref().map_or(0, |parents| parents.capacity() * 4)
    }

    fn progress(&self, expanded: u32) -> Progress {
        let bytes = self.store.bytes() + self.parent_bytes();
        Progress { counts: self.counts, expanded: u64::from(expanded), nodes: 0, bytes }
    }

    fn exploration(&self, end: End) -> Exploration {
        let incomplete = match end {
            End::Incomplete(reason) => Some(reason),
            End::Complete | End::Found(_) => None,
        };
        let counts = Counts { states: self.store.len() as u64, ..self.counts };
        Exploration { counts, incomplete, bytes: self.store.bytes() + self.parent_bytes() }
    }

    /// Returns the path of the search tree to a state.
    fn path(&self, id: StateId) -> Result<Path, Fault> {
        let parents = self.parents.as_ref().expect("parents are kept when paths are asked for");
        let mut ids = vec![id];
        let mut parent = parents[id.index()];
        while parent != NO_PARENT {
            ids.push(StateId(parent));
            parent = parents[parent as usize];
        }
        let states = ids.iter().rev().map(|id| {
            let mut state = vec![0; self.store.words()];
            self.store.get(*id, &mut state);
            state.into_boxed_slice()
        });
        Path::through(self.system, states)
    }

    fn failure(&self, stop: Stop) -> Failure {
        let path = stop.id.and_then(|id| self.path(id).ok());
        Failure { fault: stop.fault, path }
    }
}
