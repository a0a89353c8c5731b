//! The work of one thread: expands the nodes of its states, and inserts received states.

use super::Search;
use super::letters::{Letters, members};
use super::shard::{Batch, Shard};
use crate::explore::{Insert, Limits, PollTimer, Reason, Shared, owner};
use crate::store::{StateId, Store};
use sempre_check::Deadlock;
use sempre_models::{ActionId, Expander, Fault, Successors};
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// The number of states per batch.
const BATCH: usize = 1 << 9;

/// The step of a stuttering deadlock is no action.
pub(super) const NO_ACTION: ActionId = ActionId(u32::MAX);

/// Why a thread stops.
pub(super) enum Halt {
    /// Another thread requested it.
    Stopped,
    Limit(Reason),
    Fault(Fault, Box<[u32]>),
}

/// The results that end the search at the end of a level. Each is the least one of this thread: by
/// level, then by the words of the state, then by the state of the automaton. So the least one of
/// all threads does not depend on which of them was first.
#[derive(Default)]
pub(super) struct Endings {
    /// A node that proves that there is an accepting run.
    pub(super) node: Option<(usize, Box<[u32]>, u32)>,
    /// A state whose successors or propositions are undefined.
    pub(super) fault: Option<(usize, Box<[u32]>, Fault)>,
}

impl Endings {
    fn found(&mut self, level: usize, state: &[u32], location: u32) {
        let known = self.node.as_ref();
        if known.is_none_or(|(l, s, q)| (level, state, location) < (*l, &**s, *q)) {
            self.node = Some((level, state.into(), location));
        }
    }

    fn failed(&mut self, level: usize, state: &[u32], fault: Fault) {
        let known = self.fault.as_ref();
        if known.is_none_or(|(l, s, _)| (level, state) < (*l, &**s)) {
            self.fault = Some((level, state.into(), fault));
        }
    }

    fn is_some(&self) -> bool {
        self.node.is_some() || self.fault.is_some()
    }
}

pub(super) struct Worker<'a, T> {
    search: &'a Search<'a>,
    shared: &'a Shared<Batch>,
    me: usize,
    /// The memory limit of this thread.
    limits: Limits,
    /// The limit of states of all threads together.
    all_states: Option<u64>,
    letters: Letters<'a>,
    expander: Box<dyn Expander + 'a>,
    pub(super) shard: Shard<T>,
    pub(super) endings: Endings,
    /// True once a thread has a result.
    is_decided: &'a AtomicBool,
    /// The number of followed edges of the product.
    pub(super) edges: u64,
    /// The automaton states that end the search.
    goal: u32,
    /// Nodes to remove; `Some` after the exploration.
    removed: Option<Vec<(u32, u32)>>,
    /// The number of levels and removal rounds that all threads have completed.
    rounds: usize,
    /// Batches for each thread; states of this one are inserted directly.
    outgoing: Vec<Batch>,
    /// Buffers.
    state: Vec<u32>,
    successors: Successors,
    ids: Vec<StateId>,
    /// True if the state expanded last is a deadlock that stutters.
    repeats: bool,
    recent: RecentCounts,
}

/// The counts not yet added to the shared ones.
#[derive(Default)]
struct RecentCounts {
    expanded: u64,
    transitions: u64,
    /// The numbers of states and bytes already added.
    states: usize,
    bytes: usize,
}

impl<'a, T: Store> Worker<'a, T> {
    pub(super) fn new(
        search: &'a Search<'a>,
        shared: &'a Shared<Batch>,
        me: usize,
        bytes: Option<usize>,
        all_states: Option<u64>,
        is_decided: &'a AtomicBool,
    ) -> Self {
        let words = search.system.words();
        let letters = Letters::new(search.automaton, search.property);
        let accepting = letters.accepting();
        let (goal, counted) = if search.is_terminal { (accepting, 0) } else { (0, accepting) };
        Worker {
            search,
            shared,
            me,
            limits: Limits { bytes, ..Limits::default() },
            all_states,
            letters,
            expander: search.system.expander(),
            shard: Shard {
                store: T::new(words),
                reached: Vec::new(),
                fresh: Vec::new(),
                queue: Vec::new(),
                levels: Vec::new(),
                next: Vec::new(),
                counts: Vec::new(),
                counted,
            },
            endings: Endings::default(),
            is_decided,
            edges: 0,
            goal,
            removed: None,
            rounds: 0,
            outgoing: (0..shared.threads).map(|_| Batch::default()).collect(),
            state: vec![0; words],
            successors: Successors::new(words),
            ids: Vec::new(),
            repeats: false,
            recent: RecentCounts::default(),
        }
    }

    pub(super) fn run(&mut self, initial: &[Box<[u32]>]) -> Result<(), Halt> {
        let mut own = Batch::default();
        for state in initial {
            if owner(state, self.shared.threads) == self.me {
                own.push(state, [self.letters.initial(), 0]);
            }
        }
        self.insert(&own)?;
        for level in 0.. {
            self.shared.depth.fetch_max(level, Relaxed);
            self.explore_level()?;
            let has_more = self.end_round(|worker| !worker.shard.next.is_empty())?;
            if self.is_decided.load(Relaxed) {
                return Ok(());
            }
            if !has_more {
                break;
            }
        }
        match self.shard.counted {
            0 => Ok(()),
            _ => self.trim(),
        }
    }

    /// Waits until all threads have finished the round, and inserts the received states. True if a
    /// thread has more to do.
    fn end_round(&mut self, has_more: impl Fn(&Self) -> bool) -> Result<bool, Halt> {
        for other in 0..self.shared.threads {
            if !self.outgoing[other].sets.is_empty() {
                self.send(other);
            }
        }
        if !self.shared.meet() {
            return Err(Halt::Stopped);
        }
        self.receive()?;
        if self.endings.is_some() {
            self.is_decided.store(true, Relaxed);
        }
        let here = self.rounds % 2;
        self.rounds += 1;
        if has_more(self) {
            self.shared.next_level[here].store(true, Relaxed);
        }
        if !self.shared.meet() {
            return Err(Halt::Stopped);
        }
        let more = self.shared.next_level[here].load(Relaxed);
        // No thread accesses it before the next meeting.
        self.shared.next_level[1 - here].store(false, Relaxed);
        Ok(more)
    }

    /// Expands the nodes reached first at the last level.
    fn explore_level(&mut self) -> Result<(), Halt> {
        let Shard { queue, next, fresh, levels, .. } = &mut self.shard;
        let start = queue.len();
        levels.push(start);
        queue.extend(next.drain(..).map(|id| (id, std::mem::take(&mut fresh[id as usize]))));
        let end = queue.len();
        let width = self.search.system.words();
        let mut poll_timer = PollTimer::default();
        for number in start..end {
            let (id, set) = self.shard.queue[number];
            let place = match self.expand(id) {
                Err(Halt::Fault(fault, state)) => {
                    self.endings.failed(self.level(), &state, fault);
                    continue;
                }
                place => place?,
            };
            let successors = self.successors.len();
            self.recent.expanded += 1;
            let is_first = self.shard.reached[id as usize] & !self.shard.fresh[id as usize] == set;
            if is_first && !self.repeats {
                self.recent.transitions += successors as u64;
            }
            let reached = members(set).fold(0, |all, l| all | self.letters.targets(place, l));
            self.edges += u64::from(reached.count_ones()) * successors as u64;
            if reached != 0 {
                self.spread(reached, set, place);
            }
            self.deliver()?;
            self.poll(&mut poll_timer, width * (successors + 1))?;
        }
        Ok(())
    }

    /// The level that is explored, from 0.
    fn level(&self) -> usize {
        self.shard.levels.len().saturating_sub(1)
    }

    /// Distributes the successors of the state expanded last.
    fn spread(&mut self, reached: u32, set: u32, place: usize) {
        let level = self.level();
        let threads = self.shared.threads;
        let counted = set & self.shard.counted;
        for successor in self.successors.words().chunks_exact(self.search.system.words()) {
            let batch = &mut self.outgoing[owner(successor, threads)];
            let mut reached = reached;
            for location in members(counted) {
                let inside = self.letters.inside(place, location);
                if inside >> location & 1 == 1 && *successor == *self.state {
                    self.endings.found(level, &self.state, location);
                }
                if inside != 0 {
                    batch.push(successor, [reached, inside]);
                    reached = 0;
                }
            }
            if reached != 0 {
                batch.push(successor, [reached, 0]);
            }
        }
    }

    /// Removes nodes of accepting SCCs without incoming edges.
    fn trim(&mut self) -> Result<(), Halt> {
        let mut removed = Vec::new();
        for (id, set) in self.shard.reached.iter().enumerate() {
            for location in members(set & self.shard.counted) {
                if self.shard.counts[self.shard.place(id as u32, location)] == 0 {
                    removed.push((id as u32, location));
                }
            }
        }
        self.removed = Some(removed);
        let width = self.search.system.words();
        let threads = self.shared.threads;
        let mut poll_timer = PollTimer::default();
        loop {
            while let Some((id, location)) = self.removed.as_mut().and_then(Vec::pop) {
                let place = self.expand(id)?;
                let inside = self.letters.inside(place, location);
                if inside != 0 {
                    for successor in self.successors.words().chunks_exact(width) {
                        self.outgoing[owner(successor, threads)].push(successor, [0, inside]);
                    }
                    self.edges += self.successors.len() as u64;
                }
                self.deliver()?;
                self.poll(&mut poll_timer, (self.successors.len() + 1) * width)?;
            }
            let has_more = |worker: &Self| worker.removed.as_ref().is_some_and(|r| !r.is_empty());
            if !self.end_round(has_more)? {
                return Ok(());
            }
        }
    }

    /// Computes the successors of a state, and the index of its valuation.
    fn expand(&mut self, id: u32) -> Result<usize, Halt> {
        let Worker { search, expander, state, successors, repeats, .. } = self;
        *repeats = false;
        self.shard.store.expand(StateId(id), state);
        successors.clear();
        let valuation = expander
            .expand(state, successors)
            .and_then(|()| search.propositions.holding(state, successors.is_empty()))
            .map_err(|fault| Halt::Fault(fault, state.clone().into()))?;
        if successors.is_empty() && search.deadlock == Deadlock::Stutter {
            successors.push(NO_ACTION, state);
            *repeats = true;
        }
        Ok(self.letters.place(valuation))
    }

    /// Inserts the states of this thread, and sends full batches to the others.
    fn deliver(&mut self) -> Result<(), Halt> {
        let mut own = std::mem::take(&mut self.outgoing[self.me]);
        self.insert(&own)?;
        own.states.clear();
        own.sets.clear();
        self.outgoing[self.me] = own;
        for other in 0..self.shared.threads {
            if self.outgoing[other].sets.len() >= BATCH {
                self.send(other);
            }
        }
        match self.shared.batches[self.me].load(Relaxed) {
            0 => Ok(()),
            _ => self.receive(),
        }
    }

    fn send(&mut self, other: usize) {
        let batch = std::mem::take(&mut self.outgoing[other]);
        let mut room = self.shared.boxes[other].lock().unwrap_or_else(PoisonError::into_inner);
        room.push(batch);
        drop(room);
        self.shared.batches[other].fetch_add(1, Relaxed);
    }

    /// Inserts the received states.
    fn receive(&mut self) -> Result<(), Halt> {
        let mut room = self.shared.boxes[self.me].lock().unwrap_or_else(PoisonError::into_inner);
        let batches = std::mem::take(&mut *room);
        drop(room);
        self.shared.batches[self.me].fetch_sub(batches.len(), Relaxed);
        batches.iter().try_for_each(|batch| self.insert(batch))
    }

    /// Records reached nodes or, after the exploration, removed edges.
    fn insert(&mut self, batch: &Batch) -> Result<(), Halt> {
        let shard = &mut self.shard;
        let others = shard.other_bytes();
        self.ids.clear();
        self.limits
            .insert(&mut shard.store, others, &batch.states, &mut self.ids)
            .map_err(Halt::Limit)?;
        if let Some(removed) = &mut self.removed {
            for (id, [_, inside]) in self.ids.iter().zip(&batch.sets) {
                for location in members(*inside) {
                    let place = shard.place(id.0, location);
                    shard.counts[place] -= 1;
                    if shard.counts[place] == 0 {
                        removed.push((id.0, location));
                    }
                }
            }
            return Ok(());
        }
        let (states, slots) = (shard.store.len(), shard.counted.count_ones() as usize);
        if shard.reached.len() < states {
            shard.reached.resize(states, 0);
            shard.fresh.resize(states, 0);
            shard.counts.resize(states * slots, 0);
        }
        for (id, [reached, inside]) in self.ids.iter().zip(&batch.sets) {
            let new = reached & !shard.reached[id.index()];
            if new & self.goal != 0 {
                // Reached from the level that is explored, or initial before the first.
                let level = shard.levels.len();
                shard.store.get(*id, &mut self.state);
                self.endings.found(level, &self.state, (new & self.goal).trailing_zeros());
            }
            if new != 0 {
                shard.reached[id.index()] |= new;
                if shard.fresh[id.index()] == 0 {
                    shard.next.push(id.0);
                }
                shard.fresh[id.index()] |= new;
            }
            for location in members(*inside) {
                let place = shard.place(id.0, location);
                shard.counts[place] += 1;
            }
        }
        Ok(())
    }

    /// Polls at intervals whether to stop.
    fn poll(&mut self, poll_timer: &mut PollTimer, work: usize) -> Result<(), Halt> {
        if !poll_timer.is_due(work) && self.all_states.is_none() {
            return Ok(());
        }
        self.publish_counts()?;
        match self.shared.stop.load(Relaxed) {
            true => Err(Halt::Stopped),
            false => Ok(()),
        }
    }

    /// Adds the recent counts to the shared ones.
    pub(super) fn publish_counts(&mut self) -> Result<(), Halt> {
        let (states, bytes) = (self.shard.store.len(), self.shard.bytes());
        let recent = std::mem::replace(
            &mut self.recent,
            RecentCounts { states, bytes, ..RecentCounts::default() },
        );
        let shared = self.shared;
        shared.expanded.fetch_add(recent.expanded, Relaxed);
        shared.transitions.fetch_add(recent.transitions, Relaxed);
        shared.bytes.fetch_add(bytes.saturating_sub(recent.bytes), Relaxed);
        let new = (states - recent.states) as u64;
        let all = shared.states.fetch_add(new, Relaxed) + new;
        if self.all_states.is_some_and(|limit| all > limit) {
            return Err(Halt::Limit(Reason::States));
        }
        if self.limits.bytes.is_some_and(|limit| bytes > limit) {
            return Err(Halt::Limit(Reason::Memory));
        }
        Ok(())
    }
}
