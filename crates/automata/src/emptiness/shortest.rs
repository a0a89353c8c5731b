//! Shortest accepting lassos, for any condition.
//!
//! A shortest lasso enters its cycle at one of the nodes nearest to the initial ones. So the nodes
//! `v` of accepting components are tried, nearest first. For each, a breadth-first search looks for
//! the shortest closed walk through nodes that are not nearer than `v`. It visits pairs of a node
//! and the set of marks seen, so it is exact for any condition. The best lasso so far bounds both
//! searches: more distant nodes are irrelevant.
//!
//! Cost: at worst O(nodes × edges × sets of marks), a factor of 2 for Büchi conditions and of 2^k
//! for k marks. Sets of marks without an accepted superset are not pursued.

use super::components::{Exploration, Explored, Judge};
use super::generic::accepting_part;
use super::lasso::{Lasso, LassoOf};
use super::part::Part;
use crate::graph::Graph;
use crate::{Condition, Marks};
use rustc_hash::{FxHashMap, FxHashSet};

/// Returns the shortest accepting lasso, given any accepting lasso.
pub(super) fn shorten<G: Graph>(graph: &G, condition: &Condition, some: LassoOf<G>) -> LassoOf<G> {
    let mut best = some;
    let Some(depth) = best.len().checked_sub(2) else { return best };
    let near = Neighbourhood::new(graph, depth);
    let explored = near.exploration.explored();
    let all: Vec<u32> = (0..explored.nodes.len() as u32).collect();
    let part = Part::new(explored, &all, Some);
    let components = accepting_components(&part, condition);
    let mut sets = Sets::new(condition);
    for entry in all {
        let distance = near.distances[entry as usize];
        if distance + 1 >= best.len() {
            break;
        }
        if components[entry as usize] == 0 {
            continue;
        }
        let within = |node: u32| {
            components[node as usize] == components[entry as usize]
                && near.distances[node as usize] >= distance
        };
        let limit = best.len() - 1 - distance;
        if let Some(cycle) = closed_walk(&part, entry, limit, within, &mut sets) {
            let step = |(node, edge): (u32, u32)| {
                (explored.node(node), part.edges[edge as usize].original)
            };
            let cycle = cycle.into_iter().map(step).collect();
            best = Lasso { prefix: near.path_to(entry), cycle };
        }
    }
    best
}

/// The nodes within a distance from the initial ones, numbered nearest first.
struct Neighbourhood<'g, G: Graph> {
    exploration: Exploration<'g, G>,
    distances: Vec<usize>,
    parents: Vec<Option<(u32, G::Edge)>>,
}

impl<'g, G: Graph> Neighbourhood<'g, G> {
    fn new(graph: &'g G, depth: usize) -> Self {
        let mut exploration = Exploration::new(graph);
        let (mut distances, mut parents) = (vec![], vec![]);
        for node in graph.initial() {
            exploration.meet(node);
        }
        let count = exploration.explored().nodes.len();
        distances.resize(count, 0);
        parents.resize(count, None);
        let mut next = 0;
        while next < distances.len() && distances[next] < depth {
            for (edge, target) in graph.successors(exploration.explored().node(next as u32)) {
                if exploration.meet(target) as usize == distances.len() {
                    distances.push(distances[next] + 1);
                    parents.push(Some((next as u32, edge)));
                }
            }
            next += 1;
        }
        Neighbourhood { exploration, distances, parents }
    }

    fn path_to(&self, mut node: u32) -> Vec<(G::Node, G::Edge)> {
        let mut path = vec![];
        while let Some((parent, edge)) = self.parents[node as usize] {
            path.push((self.exploration.explored().node(parent), edge));
            node = parent;
        }
        path.reverse();
        path
    }
}

/// By node, the number of its component if that is accepting, else 0.
fn accepting_components<E: Copy + std::fmt::Debug>(
    part: &Part<E>,
    condition: &Condition,
) -> Vec<u32> {
    let mut search = Exploration::new(part);
    let mut members = Members { condition, components: vec![0; part.initial().count()], count: 0 };
    for node in part.initial() {
        search.search(node, &mut members);
    }
    members.components
}

/// Numbers the accepting components.
struct Members<'a> {
    condition: &'a Condition,
    components: Vec<u32>,
    count: u32,
}

impl<G: Graph<Node = u32>> Judge<G> for Members<'_> {
    fn grown(&mut self, _: &[u32], _: &Marks) -> bool {
        false
    }

    fn complete(&mut self, explored: Explored<'_, G>, nodes: &[u32], marks: &Marks) -> bool {
        let accepting = self.condition.accepts(marks)
            || accepting_part(explored, nodes, self.condition, marks).is_some();
        if accepting {
            self.count += 1;
            for node in nodes {
                self.components[explored.nodes[*node as usize] as usize] = self.count;
            }
        }
        accepting
    }

    fn ends_at_first(&self) -> bool {
        false
    }
}

/// Numbered sets of marks, with the verdict of the condition. Set 0 is empty.
struct Sets<'a> {
    condition: &'a Condition,
    /// The marks of the condition.
    mentioned: Marks,
    numbers: FxHashMap<Marks, u32>,
    sets: Vec<Marks>,
    accepted: Vec<bool>,
    hopeful: Vec<bool>,
}

impl<'a> Sets<'a> {
    fn new(condition: &'a Condition) -> Self {
        let mut sets = Sets {
            condition,
            mentioned: condition.marks(),
            numbers: FxHashMap::default(),
            sets: vec![],
            accepted: vec![],
            hopeful: vec![],
        };
        sets.number(Marks::EMPTY);
        sets
    }

    fn number(&mut self, set: Marks) -> u32 {
        if let Some(number) = self.numbers.get(&set) {
            return *number;
        }
        let number = self.sets.len() as u32;
        self.accepted.push(self.condition.accepts(&set));
        self.hopeful.push(could_accept(self.condition, &set));
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    /// Adds marks to a set.
    fn joined(&mut self, number: u32, marks: &Marks) -> u32 {
        let set = &self.sets[number as usize];
        let more = marks & &self.mentioned;
        if more.is_subset(set) { number } else { self.number(set | &more) }
    }
}

/// False if the condition accepts no superset of these marks.
fn could_accept(condition: &Condition, seen: &Marks) -> bool {
    match condition {
        Condition::True | Condition::Inf(_) => true,
        Condition::False => false,
        Condition::Fin(mark) => !seen.contains(*mark),
        Condition::And(conjuncts) => conjuncts.iter().all(|c| could_accept(c, seen)),
        Condition::Or(disjuncts) => disjuncts.iter().any(|c| could_accept(c, seen)),
    }
}

/// Finds a shortest accepting closed walk from a node, of at most `limit` edges, through certain
/// nodes.
fn closed_walk<E: Copy + std::fmt::Debug>(
    part: &Part<E>,
    entry: u32,
    limit: usize,
    within: impl Fn(u32) -> bool,
    sets: &mut Sets<'_>,
) -> Option<Vec<(u32, u32)>> {
    // Entries: a node, the set of marks, the length of the path, and the previous entry and edge.
    let mut queue = vec![(entry, 0u32, 0usize, usize::MAX, u32::MAX)];
    let mut reached = FxHashSet::default();
    let mut next = 0;
    while let Some(&(node, set, length, ..)) = queue.get(next) {
        if length >= limit {
            return None;
        }
        for (edge, target) in part.successors(node) {
            if !within(target) {
                continue;
            }
            let joined = sets.joined(set, &part.marks(edge));
            if target == entry && sets.accepted[joined as usize] {
                let mut walk = vec![(node, edge)];
                let mut place = next;
                while let (_, _, 1.., parent, edge) = queue[place] {
                    walk.push((queue[parent].0, edge));
                    place = parent;
                }
                walk.reverse();
                return Some(walk);
            }
            if sets.hopeful[joined as usize] && reached.insert((target, joined)) {
                queue.push((target, joined, length + 1, next, edge));
            }
        }
        next += 1;
    }
    None
}
