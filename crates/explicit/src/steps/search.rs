//! The search for accepting cycles that are fair: maximal strongly connected components on the fly
//! (Couvreur 1999), with what is known of each: marks, the components of the model that step in it,
//! and those that are enabled in all its nodes (weak fairness) or in some (strong).
//!
//! Nodes that are known to reach each other make up a cycle through all of them and all edges seen
//! between them. If that has all marks and neglects nobody, it is a fair accepting run, and the
//! search ends. A complete component with all marks that neglects somebody has no weakly fair cycle.
//! Under strong fairness it may have one that avoids the nodes where those are enabled (Emerson, Lei
//! 1987): they are removed, and the rest is taken apart again. Linear in the product, times the
//! number of components of the model under strong fairness.

use super::components::{Balance, Set};
use super::cycle;
use super::product::{StepEdge, StepProduct};
use crate::product::Stop;
use crate::store::Store;
use rustc_hash::FxHashMap;
use sempre_check::{Counterexample, FairnessKind};
use sempre_ltl::interrupt;

/// The rank of a node that is in no component with an accepting cycle.
const DEAD: u32 = u32::MAX;

/// The rank of a node that was not visited.
const NEW: u32 = u32::MAX - 1;

pub(crate) struct Search<'p, T> {
    product: StepProduct<'p, T>,
    kind: Option<FairnessKind>,
    /// For each node its place among the live ones.
    ranks: Vec<u32>,
    live: Vec<u32>,
    path: Vec<Frame>,
    roots: Vec<Root>,
}

/// A node on the way.
struct Frame {
    node: u32,
    edges: Vec<StepEdge>,
    next: usize,
}

/// The first node of a part of a component that is known.
struct Root {
    rank: u32,
    balance: Balance,
    /// The edge that leads there.
    entered: Option<StepEdge>,
}

impl<'p, T: Store> Search<'p, T> {
    pub(crate) fn new(product: StepProduct<'p, T>) -> Self {
        let kind = product.fairness().map(|fairness| fairness.kind);
        let (ranks, live, path, roots) = Default::default();
        Search { product, kind, ranks, live, path, roots }
    }

    pub(crate) fn product(&self) -> &StepProduct<'p, T> {
        &self.product
    }

    /// Looks for a run.
    pub(crate) fn run(&mut self) -> Result<Option<Counterexample>, Stop> {
        if self.product.is_unsatisfiable() {
            return Ok(None);
        }
        let initial = self.product.initial()?;
        for start in &initial {
            if self.rank(*start) != NEW {
                continue;
            }
            self.enter(*start, None)?;
            while let Some(inside) = self.step()? {
                if let Some(inside) = inside {
                    return cycle::run(&mut self.product, &initial, &inside).map(Some);
                }
            }
        }
        Ok(None)
    }

    fn rank(&self, node: u32) -> u32 {
        self.ranks.get(node as usize).copied().unwrap_or(NEW)
    }

    fn set_rank(&mut self, node: u32, rank: u32) {
        if self.ranks.len() <= node as usize {
            self.ranks.resize(node as usize + 1, NEW);
        }
        self.ranks[node as usize] = rank;
    }

    fn enter(&mut self, node: u32, entered: Option<StepEdge>) -> Result<(), Stop> {
        interrupt::poll();
        let mut edges = Vec::new();
        self.product.edges(node, &mut edges)?;
        let rank = self.live.len() as u32;
        self.set_rank(node, rank);
        self.live.push(node);
        let balance = Balance::of_node(self.product.enabled(node));
        self.roots.push(Root { rank, balance, entered });
        self.path.push(Frame { node, edges, next: 0 });
        if self.path.len().is_multiple_of(1 << 10) {
            let bytes = self.bytes();
            self.product.note_bytes(bytes);
        }
        Ok(())
    }

    /// The memory of the search, of which that of the path is estimated from its last part.
    fn bytes(&self) -> usize {
        let edges: usize =
            self.path.iter().rev().take(16).map(|frame| frame.edges.capacity()).sum();
        let sets: usize = self.roots.iter().rev().take(16).map(|root| root.balance.bytes()).sum();
        4 * (self.ranks.capacity() + self.live.capacity())
            + self.path.len() * (size_of::<Frame>() + edges * size_of::<StepEdge>() / 16)
            + self.roots.len() * (size_of::<Root>() + sets / 16)
    }

    /// Follows one edge, or leaves a node: nothing when the path is at its end, the nodes of a fair
    /// accepting cycle if there is one.
    fn step(&mut self) -> Result<Option<Option<Vec<u32>>>, Stop> {
        let Some(frame) = self.path.last_mut() else { return Ok(None) };
        let Some(edge) = frame.edges.get(frame.next).copied() else {
            let node = frame.node;
            self.path.pop();
            return self.leave(node).map(Some);
        };
        frame.next += 1;
        match self.rank(edge.target) {
            NEW => self.enter(edge.target, Some(edge)).map(|()| Some(None)),
            DEAD => Ok(Some(None)),
            rank => Ok(Some(self.close(rank, edge))),
        }
    }

    /// An edge leads back to a live node: what is between becomes one part.
    fn close(&mut self, rank: u32, edge: StepEdge) -> Option<Vec<u32>> {
        let mut merged: Option<Balance> = None;
        while let Some(root) = self.roots.pop_if(|root| root.rank > rank) {
            let mut balance = root.balance;
            if let Some(entered) = root.entered {
                balance.add_edge(entered.marks, self.product.stepping(&entered));
            }
            match &mut merged {
                Some(merged) => merged.merge(&balance, self.kind),
                None => merged = Some(balance),
            }
        }
        let root = self.roots.last_mut().expect("the root of a live node");
        root.balance.add_edge(edge.marks, self.product.stepping(&edge));
        if let Some(merged) = merged {
            root.balance.merge(&merged, self.kind);
        }
        let all = self.product.all_marks();
        let is_found = root.balance.marks == all
            && (self.kind.is_none() || root.balance.neglected().is_empty());
        is_found.then(|| self.live[root.rank as usize..].to_vec())
    }

    /// All edges of a node have been followed. If a component is complete, it is looked at for what
    /// it has after all.
    fn leave(&mut self, node: u32) -> Result<Option<Vec<u32>>, Stop> {
        let rank = self.rank(node);
        let Some(root) = self.roots.pop_if(|root| root.rank == rank) else { return Ok(None) };
        let nodes = self.live.split_off(rank as usize);
        let neglected = root.balance.neglected();
        let mut found = None;
        if self.kind == Some(FairnessKind::Strong)
            && root.balance.marks == self.product.all_marks()
            && !neglected.is_empty()
        {
            found = self.avoiding(&nodes, neglected)?;
        }
        for node in nodes {
            self.set_rank(node, DEAD);
        }
        Ok(found)
    }

    /// Looks for a strongly fair cycle in a component that avoids the nodes where those that it
    /// neglects are enabled.
    fn avoiding(&mut self, nodes: &[u32], neglected: Set) -> Result<Option<Vec<u32>>, Stop> {
        let mut work = vec![(nodes.to_vec(), neglected)];
        while let Some((mut nodes, neglected)) = work.pop() {
            interrupt::poll();
            nodes.retain(|node| !self.product.enabled(*node).meets(&neglected));
            for (part, balance) in self.parts(&nodes)? {
                if balance.marks != self.product.all_marks() {
                    continue;
                }
                let neglected = balance.neglected();
                match neglected.is_empty() {
                    true => return Ok(Some(part)),
                    false => work.push((part, neglected)),
                }
            }
        }
        Ok(None)
    }

    /// The strongly connected components with edges among these nodes: Tarjan's algorithm.
    fn parts(&mut self, nodes: &[u32]) -> Result<Vec<(Vec<u32>, Balance)>, Stop> {
        let place_of: FxHashMap<u32, usize> =
            nodes.iter().enumerate().map(|(place, node)| (*node, place)).collect();
        let mut inside: Vec<Vec<(usize, StepEdge)>> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let mut edges = Vec::new();
            self.product.edges(*node, &mut edges)?;
            let kept = edges.into_iter().filter_map(|e| Some((*place_of.get(&e.target)?, e)));
            inside.push(kept.collect());
        }
        let found = components(&inside);
        let mut part_of = vec![0; nodes.len()];
        for (number, part) in found.iter().enumerate() {
            part.iter().for_each(|place| part_of[*place] = number);
        }
        let mut parts = Vec::new();
        for (number, part) in found.into_iter().enumerate() {
            let mut balance: Option<Balance> = None;
            let mut has_edge = false;
            for place in &part {
                let mut own = Balance::of_node(self.product.enabled(nodes[*place]));
                for (target, edge) in &inside[*place] {
                    if part_of[*target] == number {
                        has_edge = true;
                        own.add_edge(edge.marks, self.product.stepping(edge));
                    }
                }
                match &mut balance {
                    Some(balance) => balance.merge(&own, self.kind),
                    None => balance = Some(own),
                }
            }
            if let (true, Some(balance)) = (has_edge, balance) {
                parts.push((part.into_iter().map(|place| nodes[place]).collect(), balance));
            }
        }
        Ok(parts)
    }
}

/// The strongly connected components of a graph.
fn components(successors: &[Vec<(usize, StepEdge)>]) -> Vec<Vec<usize>> {
    const NONE: usize = usize::MAX;
    let count = successors.len();
    let (mut rank, mut low) = (vec![NONE; count], vec![NONE; count]);
    let (mut stack, mut path) = (Vec::new(), Vec::<(usize, usize)>::new());
    let mut is_live = vec![false; count];
    let (mut next, mut found) = (0, Vec::new());
    for start in 0..count {
        if rank[start] != NONE {
            continue;
        }
        path.push((start, 0));
        while let Some((node, edge)) = path.pop() {
            interrupt::poll();
            if edge == 0 {
                (rank[node], low[node], is_live[node]) = (next, next, true);
                next += 1;
                stack.push(node);
            } else {
                let (child, _) = successors[node][edge - 1];
                if is_live[child] {
                    low[node] = low[node].min(low[child]);
                }
            }
            match successors[node].get(edge) {
                Some((target, _)) => {
                    path.push((node, edge + 1));
                    if rank[*target] == NONE {
                        path.push((*target, 0));
                    }
                }
                None if low[node] == rank[node] => {
                    let mut component = Vec::new();
                    while let Some(member) = stack.pop() {
                        interrupt::poll();
                        is_live[member] = false;
                        component.push(member);
                        if member == node {
                            break;
                        }
                    }
                    found.push(component);
                }
                None => {}
            }
        }
    }
    found
}
