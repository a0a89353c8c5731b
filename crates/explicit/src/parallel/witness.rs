//! Computes a lasso from the result of the threads.

use super::letters::{Letters, members};
use super::shard::Shard;
use super::worker::NO_ACTION;
use super::{Finding, Search};
use crate::emptiness::{Check, extend_to_cycle};
use crate::explore::{Limits, PollTimer, owner};
use crate::graph::{Edge, Effort, Lasso, SearchGraph};
use crate::product::{Product, Stop};
use crate::store::{StateId, Store};
use sempre_check::Deadlock;
use sempre_ltl::interrupt;
use sempre_models::{Expander, Successors};

/// A state of the system and one of the automaton.
type Node = (Box<[u32]>, u32);

/// Returns a lasso of nodes of the product, which must be new.
///
/// # Errors
/// If a limit is reached.
///
/// # Panics
/// If there is no accepting run.
pub(crate) fn lasso<T: Store>(
    search: &Search<'_>,
    finding: &mut Finding<T>,
    product: &mut Product<'_, '_, T>,
    limits: &Limits,
) -> Result<Lasso, Stop> {
    let Finding { shards, node, .. } = finding;
    let cycle = match node {
        Some((state, location)) => {
            let node = product.node(state, *location)?;
            match search.is_terminal {
                true => extend_to_cycle(product, search.property, vec![node])?,
                false => Lasso { prefix: vec![], cycle: vec![node] },
            }
        }
        None => {
            let mut effort = Effort::default();
            let mut remainder = Remainder { product, shards };
            let found = Check::Weak.run(&mut remainder, search.property, &mut effort)?;
            found.expect("a cycle in what remains, for each node has a predecessor there")
        }
    };
    // For terminal automata the path to the cycle begins in the node where the threads stopped; for
    // weak ones, only the cycle counts.
    let (start, rest) = match node {
        Some(node) => (node.clone(), cycle.prefix),
        None => {
            let first = *cycle.cycle.first().expect("a cycle has nodes");
            ((product.state(first), product.location(first) as u32), vec![])
        }
    };
    let mut prefix = Vec::new();
    for (state, location) in path(search, shards, start, limits)? {
        prefix.push(product.node(&state, location)?);
    }
    // The path ends where the rest, or the cycle, begins.
    prefix.pop();
    prefix.extend(rest);
    Ok(Lasso { prefix, cycle: cycle.cycle })
}

/// Returns a shortest path to a node, inclusive, backwards from each node to the level before.
fn path<T: Store>(
    search: &Search<'_>,
    shards: &mut [Shard<T>],
    end: Node,
    limits: &Limits,
) -> Result<Vec<Node>, Stop> {
    let letters = Letters::new(search.automaton, search.property);
    let fault = |fault| Stop::Fault(fault, Box::default());
    let is_initial = letters.initial() >> end.1 & 1 == 1
        && search.system.initial().map_err(fault)?.contains(&end.0);
    let mut level = if is_initial { 0 } else { level(shards, &end) };
    let mut path = vec![end];
    let mut back = Back {
        search,
        letters,
        expander: search.system.expander(),
        state: vec![0; search.system.words()],
        successors: Successors::new(search.system.words()),
        poll_timer: PollTimer::default(),
        limits,
    };
    while level > 0 {
        level -= 1;
        let target = path.last().expect("a path has an end");
        let before = back.predecessor(shards, level, target)?;
        path.push(before.expect("what was reached has a predecessor"));
    }
    path.reverse();
    Ok(path)
}

/// Returns the level at which a node was reached; the next level if it is not expanded.
fn level<T: Store>(shards: &[Shard<T>], (state, location): &Node) -> usize {
    let shard = &shards[owner(state, shards.len())];
    let id = shard.store.find(state).expect("a state that was reached");
    let is_it = |(other, set): &(u32, u32)| *other == id.0 && set >> location & 1 == 1;
    match shard.queue.iter().position(is_it) {
        Some(place) => shard.levels.partition_point(|start| *start <= place) - 1,
        None => shards.iter().map(|shard| shard.levels.len()).max().unwrap_or(0),
    }
}

/// Expands states of the queues again.
struct Back<'a> {
    search: &'a Search<'a>,
    letters: Letters<'a>,
    expander: Box<dyn Expander + 'a>,
    state: Vec<u32>,
    successors: Successors,
    poll_timer: PollTimer,
    limits: &'a Limits,
}

impl Back<'_> {
    /// Returns the least node of this level with an edge to the target, by the words of its state.
    fn predecessor<T: Store>(
        &mut self,
        shards: &mut [Shard<T>],
        level: usize,
        (target, location): &Node,
    ) -> Result<Option<Node>, Stop> {
        let width = target.len();
        let mut least: Option<Node> = None;
        for shard in shards {
            let Some(&start) = shard.levels.get(level) else { continue };
            let end = shard.levels.get(level + 1).copied().unwrap_or(shard.queue.len());
            for &(id, set) in &shard.queue[start..end] {
                interrupt::poll();
                shard.store.expand(StateId(id), &mut self.state);
                let place = self.expand()?;
                if self.poll_timer.is_due((self.successors.len() + 1) * width)
                    && let Some(reason) = self.limits.expired()
                {
                    return Err(Stop::Limit(reason));
                }
                if !self.successors.iter().any(|(_, successor)| *successor == **target) {
                    continue;
                }
                if least.as_ref().is_some_and(|(state, _)| **state <= *self.state) {
                    continue;
                }
                let leads = |from: &u32| self.letters.targets(place, *from) >> location & 1 == 1;
                if let Some(from) = members(set).find(leads) {
                    least = Some((self.state.clone().into(), from));
                }
            }
        }
        Ok(least)
    }

    /// Computes the successors of the state, and the index of its valuation.
    fn expand(&mut self) -> Result<usize, Stop> {
        let Back { search, expander, state, successors, .. } = self;
        successors.clear();
        let valuation = expander
            .expand(state, successors)
            .and_then(|()| search.propositions.holding(state, successors.is_empty()))
            .map_err(|fault| Stop::Fault(fault, state.clone().into()))?;
        if successors.is_empty() && search.deadlock == Deadlock::Stutter {
            successors.push(NO_ACTION, state);
        }
        Ok(self.letters.place(valuation))
    }
}

/// The subgraph of a product whose nodes are not removed.
struct Remainder<'r, 'p, 'a, T> {
    product: &'r mut Product<'p, 'a, T>,
    shards: &'r [Shard<T>],
}

impl<T: Store> SearchGraph for Remainder<'_, '_, '_, T> {
    type Error = Stop;

    fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), Stop> {
        let mut remainder: Vec<Node> = vec![];
        for shard in self.shards {
            let mut state = vec![0; shard.store.words()];
            for (id, location) in shard.remainder() {
                interrupt::poll();
                shard.store.get(id, &mut state);
                remainder.push((state.clone().into(), location));
            }
        }
        // Numbers of states depend on the threads; their words do not.
        remainder.sort_unstable();
        for (state, location) in remainder {
            nodes.push(self.product.node(&state, location)?);
        }
        Ok(())
    }

    fn successors(
        &mut self,
        node: u32,
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) -> Result<usize, Stop> {
        let start = edges.len();
        self.product.successors(node, |_| true, edges)?;
        let (mut kept, mut count) = (start, 0);
        for place in start..edges.len() {
            let target = edges[place].target;
            let (state, location) = (self.product.state(target), self.product.location(target));
            let shard = &self.shards[owner(&state, self.shards.len())];
            if shard.remains(&state, location as u32) {
                count += 1;
                edges[kept] = edges[place];
                kept += usize::from(is_wanted(target));
            }
        }
        edges.truncate(kept);
        Ok(count)
    }

    fn location(&self, node: u32) -> usize {
        self.product.location(node)
    }
}
