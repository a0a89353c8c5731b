//! Checks on several threads, for terminal and weak automata.
//!
//! A hash assigns each state of the system to a thread, which stores it once, with the set of
//! automaton states that it was reached with, one bit each. Threads expand nodes by levels and send
//! successors to their owners, as [`explore::parallel`] does. A state is expanded once for each
//! level that reaches it with a new automaton state.
//!
//! Terminal automata: a node of an accepting SCC ends the search. Weak automata: the search counts,
//! for each node of an accepting SCC, its incoming edges from the same SCC. Then nodes without
//! incoming edges are removed as long as there are any, in any order. A cycle exists iff a node
//! remains (Černá, Pelánek: *Distributed explicit fair cycle detection*, 2003; for weak automata
//! one elimination suffices). This costs one more expansion of the states in accepting SCCs, two
//! words per state, two per queue entry, and one per state and accepting state of the automaton.
//!
//! The queues are kept: they give the level of each node, so a path to a node is found backwards by
//! levels, without storing predecessors.
//!
//! Results do not depend on the threads: a level is completed before the search ends, and the least
//! node of it is chosen, by the words of the state. So is each predecessor on the path to it, and
//! the order of the nodes among which a cycle is searched.
//!
//! [`explore::parallel`]: crate::explore::parallel()

mod letters;
mod shard;
mod witness;
mod worker;

use crate::emptiness::{Check, Property};
use crate::explore::{End, Limits, Progress, Shared, StopOnPanic};
use crate::graph::Effort;
use crate::product::Stop;
use crate::store::Store;
use sempre_automata::Automaton;
use sempre_check::Deadlock;
use sempre_models::System;
use sempre_models::proposition::Propositions;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use shard::Shard;
pub(crate) use witness::lasso;
use worker::{Endings, Halt, Worker};

/// The maximal number of states of an automaton.
const MAX_LOCATIONS: usize = 32;

/// The input of a search.
pub(crate) struct Search<'a> {
    pub(crate) system: &'a dyn System,
    pub(crate) automaton: &'a Automaton,
    pub(crate) propositions: &'a Propositions,
    pub(crate) deadlock: Deadlock,
    pub(crate) property: &'a Property,
    /// True if a node of an accepting SCC suffices.
    pub(crate) is_terminal: bool,
}

/// The result of the threads.
pub(crate) struct Finding<T> {
    shards: Vec<Shard<T>>,
    /// The node where the threads stopped: in an accepting SCC, or with a self-loop.
    node: Option<(Box<[u32]>, u32)>,
    /// Whether there is an accepting run, or why that is unknown.
    pub(crate) is_violated: Result<bool, Stop>,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) effort: Effort,
    pub(crate) bytes: usize,
}

/// True if the check can run on several threads.
pub(crate) fn fits(check: Check, automaton: &Automaton) -> bool {
    matches!(check, Check::Terminal | Check::Weak) && automaton.state_count() <= MAX_LOCATIONS
}

impl Search<'_> {
    /// Searches on several threads. Calls `progress` on the thread of the caller.
    pub(crate) fn run<T: Store>(
        &self,
        threads: usize,
        limits: &Limits,
        progress: &(dyn Fn(&Progress) + Sync),
    ) -> Finding<T> {
        let shared = Shared::new(threads);
        let halt: Mutex<Option<Halt>> = Mutex::default();
        let is_decided = AtomicBool::new(false);
        let initial = match self.system.initial() {
            Ok(initial) => initial,
            Err(fault) => return Finding::stopped(Stop::Fault(fault, Box::default())),
        };
        let share = limits.bytes.map(|bytes| bytes / threads);
        let workers: Vec<(Shard<T>, Endings, u64)> = std::thread::scope(|scope| {
            // Stops the workers if the caller is interrupted in `coordinate`.
            let _end = StopOnPanic(&shared);
            let handles: Vec<_> = (0..threads)
                .map(|me| {
                    let (shared, initial, halt) = (&shared, &initial, &halt);
                    let is_decided = &is_decided;
                    scope.spawn(move || {
                        let _done = StopOnPanic(shared);
                        let mut worker =
                            Worker::new(self, shared, me, share, limits.states, is_decided);
                        match worker.run(initial).and(worker.publish_counts()) {
                            Ok(()) | Err(Halt::Stopped) => shared.finish(),
                            Err(reason) => {
                                let mut halt = halt.lock().unwrap_or_else(PoisonError::into_inner);
                                halt.get_or_insert(reason);
                                drop(halt);
                                shared.stop();
                            }
                        }
                        (worker.shard, worker.endings, worker.edges)
                    })
                })
                .collect();
            shared.coordinate(limits, &mut |now: &Progress| progress(now));
            let joined = handles.into_iter().map(|handle| match handle.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect()
        });
        let edges = workers.iter().map(|(.., edges)| edges).sum();
        let (mut shards, mut nodes, mut faults) = (vec![], vec![], vec![]);
        for (shard, endings, _) in workers {
            shards.push(shard);
            nodes.extend(endings.node);
            faults.extend(endings.fault);
        }
        let found = nodes.into_iter().min();
        let fault = faults.into_iter().min_by(|(l, s, _), (m, t, _)| (l, s).cmp(&(m, t)));
        let halt = halt.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut node = None;
        let is_violated = match (halt, shared.ending()) {
            (Some(Halt::Limit(reason)), _) | (_, Some(End::Limit(reason))) => {
                Err(Stop::Limit(reason))
            }
            (Some(Halt::Fault(fault, state)), _) => Err(Stop::Fault(fault, state)),
            (_, Some(End::Fault(fault))) => Err(Stop::Fault(fault, Box::default())),
            (Some(Halt::Stopped) | None, None) => match (found, fault) {
                (Some((_, state, location)), _) => {
                    node = Some((state, location));
                    Ok(true)
                }
                (None, Some((_, state, fault))) => Err(Stop::Fault(fault, state)),
                (None, None) => Ok(shards.iter().any(Shard::has_remainder)),
            },
        };
        let effort = Effort {
            nodes: shards.iter().map(Shard::nodes).sum(),
            edges,
            depth: shared.depth.load(Relaxed),
        };
        Finding {
            node,
            is_violated,
            states: shards.iter().map(|shard| shard.store.len() as u64).sum(),
            transitions: shared.transitions.load(Relaxed),
            effort,
            bytes: shards.iter().map(Shard::bytes).sum(),
            shards,
        }
    }
}

impl<T> Finding<T> {
    /// Makes a result without nodes.
    fn stopped(stop: Stop) -> Self {
        Finding {
            shards: Vec::new(),
            node: None,
            is_violated: Err(stop),
            states: 0,
            transitions: 0,
            effort: Effort::default(),
            bytes: 0,
        }
    }
}
