//! The run of a fair accepting cycle inside a strongly connected set: a shortest way there, then legs
//! of breadth-first searches, each to an edge that has something which is still missing.

use super::components::Set;
use super::product::{StepEdge, StepProduct};
use crate::product::Stop;
use crate::store::Store;
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_check::{Counterexample, FairnessKind, Move};
use sempre_ltl::interrupt;

/// A node, and an edge that leaves it.
type Leg = Vec<(u32, StepEdge)>;

/// The run to the set and around in it.
pub(super) fn run<T: Store>(
    product: &mut StepProduct<'_, T>,
    initial: &[u32],
    inside: &[u32],
) -> Result<Counterexample, Stop> {
    let set: FxHashSet<u32> = inside.iter().copied().collect();
    let entered = initial.iter().find(|node| set.contains(node));
    let (first, prefix) = match entered {
        Some(node) => (*node, Leg::new()),
        None => {
            let goal = |_: u32, edge: &StepEdge, _: &StepProduct<'_, T>| set.contains(&edge.target);
            let leg = path(product, initial, |_| true, goal)?;
            (leg[0].0, leg)
        }
    };
    let entry = prefix.last().map_or(first, |(_, edge)| edge.target);
    let cycle = around(product, &set, entry)?;
    let initial = product.state(first);
    Ok(Counterexample { initial, prefix: moves(product, prefix), cycle: moves(product, cycle) })
}

/// The run along the nodes of a prefix, and around among those of a cycle. The cycle may be empty,
/// but not both.
pub(super) fn along<T: Store>(
    product: &mut StepProduct<'_, T>,
    prefix: &[u32],
    cycle: &[u32],
) -> Result<Counterexample, Stop> {
    let nodes: Vec<u32> = prefix.iter().chain(cycle.first()).copied().collect();
    let mut leg = Leg::new();
    let mut edges = Vec::new();
    for pair in nodes.windows(2) {
        edges.clear();
        product.edges(pair[0], &mut edges)?;
        let edge = edges.iter().find(|edge| edge.target == pair[1]);
        leg.push((pair[0], *edge.unwrap_or_else(|| unreachable!("the nodes are a path"))));
    }
    let around = match cycle.first() {
        Some(entry) => around(product, &cycle.iter().copied().collect(), *entry)?,
        None => Leg::new(),
    };
    let initial = product.state(nodes[0]);
    Ok(Counterexample { initial, prefix: moves(product, leg), cycle: moves(product, around) })
}

/// The run along these edges, of which the cycle has some.
pub(super) fn counterexample<T: Store>(
    product: &StepProduct<'_, T>,
    prefix: Leg,
    cycle: Leg,
) -> Counterexample {
    let first = prefix.first().unwrap_or(&cycle[0]).0;
    let initial = product.state(first);
    Counterexample { initial, prefix: moves(product, prefix), cycle: moves(product, cycle) }
}

fn moves<T: Store>(product: &StepProduct<'_, T>, leg: Leg) -> Vec<Move> {
    let one = |(_, edge): (u32, StepEdge)| Move {
        action: edge.action,
        state: product.state(edge.target),
    };
    leg.into_iter().map(one).collect()
}

fn around<T: Store>(
    product: &mut StepProduct<'_, T>,
    set: &FxHashSet<u32>,
    entry: u32,
) -> Result<Leg, Stop> {
    let kind = product.fairness().map(|fairness| fairness.kind);
    let mut marks = product.all_marks();
    // The components that are enabled in all nodes so far, or in some; and those that have stepped.
    let (mut enabled, mut stepped) = (product.enabled(entry), Set::default());
    let mut cycle = Leg::new();
    loop {
        let here = cycle.last().map_or(entry, |(_, edge)| edge.target);
        let mut missing = enabled.clone();
        missing.remove(&stepped);
        let is_complete = marks == 0 && (kind.is_none() || missing.is_empty());
        if is_complete && here == entry && !cycle.is_empty() {
            return Ok(cycle);
        }
        let goal = |_: u32, edge: &StepEdge, product: &StepProduct<'_, T>| match is_complete {
            true => edge.target == entry,
            false => {
                let disables = || {
                    let mut rest = missing.clone();
                    rest.retain(&product.enabled(edge.target));
                    rest != missing
                };
                edge.marks & marks != 0
                    || product.stepping(edge).meets(&missing)
                    || kind == Some(FairnessKind::Weak) && disables()
            }
        };
        let leg = path(product, &[here], |node| set.contains(&node), goal)?;
        for (_, edge) in &leg {
            marks &= !edge.marks;
            stepped.add(product.stepping(edge));
            match kind {
                Some(FairnessKind::Strong) => enabled.add(&product.enabled(edge.target)),
                _ => enabled.retain(&product.enabled(edge.target)),
            }
        }
        cycle.extend(leg);
    }
}

/// A shortest path of at least one edge from one of the starts by nodes that are admitted, whose last
/// edge is a goal; there must be one.
fn path<T: Store>(
    product: &mut StepProduct<'_, T>,
    starts: &[u32],
    admitted: impl Fn(u32) -> bool,
    goal: impl Fn(u32, &StepEdge, &StepProduct<'_, T>) -> bool,
) -> Result<Leg, Stop> {
    let mut parents: FxHashMap<u32, Option<(u32, StepEdge)>> =
        starts.iter().map(|node| (*node, None)).collect();
    let mut queue = starts.to_vec();
    let (mut next, mut edges) = (0, Vec::new());
    loop {
        interrupt::poll();
        let node = *queue.get(next).expect("the goal can be reached");
        next += 1;
        edges.clear();
        product.edges(node, &mut edges)?;
        for edge in edges.iter().filter(|edge| admitted(edge.target)) {
            // Whether something is enabled is known of states that were expanded.
            if goal(node, edge, product) {
                let mut leg = vec![(node, *edge)];
                let mut here = node;
                while let Some((parent, edge)) = parents[&here] {
                    leg.push((parent, edge));
                    here = parent;
                }
                leg.reverse();
                return Ok(leg);
            }
            parents.entry(edge.target).or_insert_with(|| {
                queue.push(edge.target);
                Some((node, *edge))
            });
        }
    }
}
