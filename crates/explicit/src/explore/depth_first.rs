//! Depth-first search, with an explicit stack.
//!
//! When a state is entered, all its successors get numbers, and unvisited ones are pushed. A
//! [`Visitor`] processes states and transitions.

use super::Failure;
use super::Insert;
use super::breadth_first::trace;
use super::limits::PollTimer;
use super::{Counts, Exploration, Limits, Progress, Reason};
use crate::bits::Bits;
use crate::store::{StateId, Store};
use sempre_ltl::interrupt;
use sempre_models::{Fault, Successors, System};

/// The callbacks of a depth-first search.
pub(super) trait Visitor {
    /// True if the state has been entered.
    fn is_entered(&self, id: StateId) -> bool;

    /// Called when a state is entered.
    fn enter(&mut self, id: StateId);

    /// Called for a transition from the top of the stack to a visited state.
    fn revisit(&mut self, source: StateId, target: StateId);

    /// Called when all successors of a state are explored; `parent` is the state below it.
    fn leave(&mut self, id: StateId, parent: Option<StateId>);

    /// Returns the memory of the visitor, in bytes.
    fn bytes(&self) -> usize;
}

/// Explores all states depth-first into an empty store. Calls `progress` at intervals.
///
/// # Errors
/// If the system has a fault; a breadth-first search finds a shortest path to it.
///
/// # Panics
/// If the store is not empty, or made for states of another width.
pub fn depth_first<T: Store>(
    system: &dyn System,
    store: &mut T,
    limits: &Limits,
    progress: impl FnMut(&Progress),
) -> Result<Exploration, Failure> {
    visit(system, store, limits, progress, &mut Entered::default())
}

/// The set of visited states, one bit each.
#[derive(Default)]
struct Entered(Bits);

impl Visitor for Entered {
    #[inline]
    fn is_entered(&self, id: StateId) -> bool {
        self.0.contains(id.0)
    }

    #[inline]
    fn enter(&mut self, id: StateId) {
        self.0.insert(id.0);
    }

    fn revisit(&mut self, _: StateId, _: StateId) {}

    fn leave(&mut self, _: StateId, _: Option<StateId>) {}

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// A state on the stack.
struct Frame {
    id: StateId,
    /// The start of its waiting successors; they end where those of the next state begin.
    waiting: usize,
}

/// Explores all states depth-first with a visitor.
pub(super) fn visit<T: Store>(
    system: &dyn System,
    store: &mut T,
    limits: &Limits,
    mut progress: impl FnMut(&Progress),
    visitor: &mut impl Visitor,
) -> Result<Exploration, Failure> {
    assert!(store.is_empty() && store.words() == system.words(), "an empty store");
    let mut counts = Counts::default();
    let outcome = run(system, store, limits, &mut progress, visitor, &mut counts);
    match outcome {
        Ok(incomplete) => {
            counts.states = store.len() as u64;
            Ok(Exploration { counts, incomplete, bytes: store.bytes() + visitor.bytes() })
        }
        Err(fault) => {
            *store = T::new(system.words());
            Err(trace(system, store, limits, fault, progress))
        }
    }
}

fn run<T: Store>(
    system: &dyn System,
    store: &mut T,
    limits: &Limits,
    progress: &mut impl FnMut(&Progress),
    visitor: &mut impl Visitor,
    counts: &mut Counts,
) -> Result<Option<Reason>, Fault> {
    let width = system.words();
    let mut expander = system.expander();
    let mut state = vec![0; width];
    let mut ids = Vec::new();
    let mut poll_timer = PollTimer::default();
    let mut expanded = 0;
    let mut stack: Vec<Frame> = Vec::new();

    let mut successors = Successors::new(width);
    if let Err(reason) = limits.insert(store, 0, &system.initial()?.concat(), &mut ids) {
        return Ok(Some(reason));
    }
    counts.initial = store.len() as u64;
    let mut waiting = ids.clone();
    waiting.reverse();
    loop {
        let start = stack.last().map_or(0, |frame| frame.waiting);
        if waiting.len() == start {
            let Some(Frame { id, .. }) = stack.pop() else { return Ok(None) };
            visitor.leave(id, stack.last().map(|frame| frame.id));
            continue;
        }
        let Some(id) = waiting.pop() else { return Ok(None) };
        if visitor.is_entered(id) {
            if let Some(frame) = stack.last() {
                visitor.revisit(frame.id, id);
            }
            continue;
        }

        interrupt::poll();
        if poll_timer.is_due((successors.len() + 1) * width) {
            counts.states = store.len() as u64;
            let bytes = store.bytes() + memory(visitor, &stack, &waiting);
            progress(&Progress { counts: *counts, expanded, nodes: 0, bytes });
            if limits.bytes.is_some_and(|limit| bytes > limit) {
                return Ok(Some(Reason::Memory));
            }
            if let Some(reason) = limits.expired() {
                return Ok(Some(reason));
            }
        }
        store.expand(id, &mut state);
        successors.clear();
        expander.expand(&state, &mut successors)?;
        let others = memory(visitor, &stack, &waiting);
        ids.clear();
        if let Err(reason) = limits.insert(store, others, successors.words(), &mut ids) {
            return Ok(Some(reason));
        }
        expanded += 1;
        counts.transitions += ids.len() as u64;
        counts.deadlocks += u64::from(ids.is_empty());
        counts.depth = counts.depth.max(stack.len() as u64);
        visitor.enter(id);
        stack.push(Frame { id, waiting: waiting.len() });
        // The first successor is explored first; visited ones need not wait.
        for &successor in ids.iter().rev() {
            if visitor.is_entered(successor) {
                visitor.revisit(id, successor);
            } else {
                waiting.push(successor);
            }
        }
    }
}

/// Returns the memory of all data but the store, in bytes.
fn memory(visitor: &impl Visitor, stack: &Vec<Frame>, waiting: &Vec<StateId>) -> usize {
    visitor.bytes() + stack.capacity() * size_of::<Frame>() + waiting.capacity() * 4
}
