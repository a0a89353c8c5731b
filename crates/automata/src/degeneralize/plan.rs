//! The choice of layers with few copies, for each component of an automaton.

use super::component::Component;
use super::layers::{Layers, Style};
use super::sets::Sets;
use super::{Degeneralizer, EntryLevel, InitialLevel, Jump, MarkOrder, Placement, order};
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::marks::{Mark, Marks};
use crate::scc::Sccs;
use sempre_ltl::interrupt;

/// The degeneralization of an automaton, before it is built.
pub(super) struct Plan<'a> {
    pub(super) sets: &'a Sets,
    /// By state, its part and its index there.
    place: Vec<(u32, u32)>,
    parts: Vec<Part>,
    /// Whether acceptance is on states.
    pub(super) on_states: bool,
}

/// A component and its layers.
pub(super) struct Part {
    pub(super) layers: Layers,
    pub(super) entry: EntryLevel,
    /// The nodes to use, ascending; all if empty.
    kept: Vec<u32>,
    /// The number of the first node of this part among the nodes of all parts.
    pub(super) first_node: usize,
}

impl<'a> Plan<'a> {
    /// Plans for a trimmed automaton; tries other orders of marks if the options say so.
    pub(super) fn new(
        options: &Degeneralizer,
        automaton: &Automaton,
        sets: &'a Sets,
        order: &[Mark],
        on_states: bool,
    ) -> Self {
        let states = automaton.state_count();
        let groups: Vec<Vec<StateId>> = match options.per_component {
            true => {
                let sccs = Sccs::of(automaton);
                sccs.iter().map(|scc| sccs.states(scc).to_vec()).collect()
            }
            false => vec![automaton.states().collect()],
        };
        let mut place = vec![(0, 0); states];
        for (part, group) in groups.iter().enumerate() {
            for (at, state) in group.iter().enumerate() {
                place[state.index()] = (part as u32, at as u32);
            }
        }
        let mut plan = Plan { sets, place, parts: vec![], on_states };
        let entries = match options.keeps_bottom_copies() {
            true => vec![vec![]; groups.len()],
            false => plan.entries(automaton, groups.len()),
        };
        let mut first_node = 0;
        for (part, (group, entries)) in groups.iter().zip(&entries).enumerate() {
            let inside = |state: StateId| {
                let (other, place) = plan.place[state.index()];
                (other == part as u32).then_some(place)
            };
            let component = Component::new(automaton, sets, group, inside);
            let chooser = Chooser { options, component: &component, entries, sets };
            let mut part = chooser.choose(order, on_states);
            part.first_node = first_node;
            first_node += group.len() * part.layers.levels() as usize;
            plan.parts.push(part);
        }
        plan
    }

    /// By part, the states through which runs enter, each with the entering edge; `None` for
    /// initial states.
    fn entries(&self, automaton: &Automaton, parts: usize) -> Vec<Vec<(u32, Option<usize>)>> {
        let mut entries = vec![vec![]; parts];
        for state in automaton.initial() {
            let (part, place) = self.place[state.index()];
            entries[part as usize].push((place, None));
        }
        for state in automaton.states() {
            for edge in automaton.edge_range(state) {
                let (part, place) = self.place[automaton.edges()[edge].target.index()];
                if part != self.place[state.index()].0 {
                    entries[part as usize].push((place, Some(edge)));
                }
            }
        }
        entries
    }

    /// Returns the part of a state and its index there.
    pub(super) fn place(&self, state: StateId) -> (u32, u32) {
        self.place[state.index()]
    }

    /// A part by its number.
    pub(super) fn part(&self, part: u32) -> &Part {
        &self.parts[part as usize]
    }

    /// The number of nodes of all parts.
    pub(super) fn node_count(&self) -> usize {
        let last = self.place.iter().max().map(|&(part, place)| (self.part(part), place));
        last.map_or(0, |(part, place)| {
            part.first_node + (place as usize + 1) * part.layers.levels() as usize
        })
    }
}

impl Part {
    /// Returns the level at which runs enter a state.
    pub(super) fn entry(&self, place: u32, entry: EntryLevel, sets: &Marks) -> u32 {
        let levels = self.layers.levels();
        let start = self.kept.partition_point(|&node| node < place * levels);
        let end = self.kept.partition_point(|&node| node < (place + 1) * levels);
        let usable: Vec<u32> = match self.kept.is_empty() {
            true => (0..levels).collect(),
            false => self.kept[start..end].iter().map(|node| node % levels).collect(),
        };
        self.layers.entry(entry, sets, &usable)
    }
}

/// The limit of steps between levels for trying orders, per component and way of climbing.
const WORK: usize = 1 << 14;

/// The maximal number of sufficient sets of marks to try.
const MAX_NEEDED: usize = 6;

/// The criteria for choosing layers.
struct Chooser<'c> {
    options: &'c Degeneralizer,
    component: &'c Component<'c>,
    /// The entries of the component, from which reachable copies are counted.
    entries: &'c [(u32, Option<usize>)],
    sets: &'c Sets,
}

impl Chooser<'_> {
    fn choose(&self, order: &[Mark], on_states: bool) -> Part {
        let part = |layers, entry| Part { layers, entry, kept: vec![], first_node: 0 };
        let needed = match self.options.per_component {
            true => self.needed(order),
            false => vec![order.to_vec()],
        };
        if needed.is_empty() || needed[0].is_empty() {
            return part(Layers::single(!needed.is_empty()), EntryLevel::First);
        }
        let orders: Vec<Vec<Mark>> = match self.options.order {
            MarkOrder::PerComponent => {
                let steps = self.component.edge_count() * (order.len() + 1);
                let most = (WORK / (steps * needed.len()).max(1)).max(1);
                let orders = needed.iter().flat_map(|needed| {
                    let orders = order::some(needed.len() as u32, most).into_iter();
                    orders.map(|order| order.iter().map(|&i| needed[i as usize]).collect())
                });
                orders.collect()
            }
            _ => needed,
        };
        let styles = match (on_states, self.options.placement) {
            (false, _) => vec![Style::Edges],
            (true, Placement::ExtraLevel) => vec![Style::ExtraLevel],
            (true, Placement::Copies) => vec![Style::Copies],
            (true, Placement::Smallest) => vec![Style::ExtraLevel, Style::Copies],
        };
        let jumps = match self.options.jump {
            Jump::Smallest => {
                vec![Jump::ToWaiting, Jump::Always, Jump::NotFromAccepting, Jump::Never]
            }
            jump => vec![jump],
        };
        let levels = match self.options.entry {
            EntryLevel::Smaller => vec![EntryLevel::First, EntryLevel::Last],
            level => vec![level],
        };
        // With only one candidate nothing needs to be counted.
        let choices = orders.len() * styles.len() * jumps.len() * levels.len();
        let counted = choices > 1 || self.options.keeps_bottom_copies();
        let mut best: Option<((usize, usize), Part)> = None;
        for order in orders {
            for &style in &styles {
                for &jump in &jumps {
                    interrupt::poll();
                    let layers = Layers::new(self.component, order.clone(), jump, style);
                    if !counted {
                        return part(layers, levels[0]);
                    }
                    let bound = best.as_ref().map_or(usize::MAX, |((nodes, _), _)| *nodes);
                    let (size, entry, kept) = self.count(&layers, &levels, bound);
                    if best.as_ref().is_none_or(|(least, _)| size < *least) {
                        best = Some((size, Part { layers, entry, kept, first_node: 0 }));
                    }
                }
            }
            // One copy of each state is minimal.
            if best.as_ref().is_some_and(|((nodes, _), _)| *nodes == self.component.len()) {
                break;
            }
        }
        best.unwrap_or_else(|| unreachable!("there is an order")).1
    }

    /// Returns the marks that the component must wait for, in this order; none if it has no
    /// accepting cycle. Several minimal sets of marks may suffice; if orders are tried, some of
    /// them are returned.
    fn needed(&self, order: &[Mark]) -> Vec<Vec<Mark>> {
        let turns = match self.options.order {
            MarkOrder::PerComponent => {
                order.len().min(MAX_NEEDED).min(WORK / self.component.edge_count().max(1))
            }
            _ => 1,
        };
        let mut all: Vec<Vec<Mark>> = vec![];
        for turn in 0..turns.max(1) {
            let mut turned = order.to_vec();
            turned.rotate_left(turn);
            let Some(mut needed) = self.component.needed(&turned) else { return vec![] };
            needed.sort_unstable_by_key(|mark| order.iter().position(|other| other == mark));
            if !all.contains(&needed) {
                all.push(needed);
            }
        }
        all
    }

    /// Counts the used nodes and the edges between them. Also returns the entry level, and the
    /// nodes to restrict the component to, if any. Edges are not counted above `bound` nodes.
    fn count(
        &self,
        layers: &Layers,
        levels: &[EntryLevel],
        bound: usize,
    ) -> ((usize, usize), EntryLevel, Vec<u32>) {
        let count = self.component.len() as u32 * layers.levels();
        let successors =
            |node: u32, next: &mut Vec<u32>| layers.successors(self.component, node, next);
        if self.options.keeps_bottom_copies() {
            let kept = Component::smallest_closed(count, successors);
            return (self.size(layers, &kept, bound), levels[0], kept);
        }
        let reached = levels.iter().map(|&level| {
            let reached = reachable(count, self.entry_nodes(layers, level), successors);
            (self.size(layers, &reached, bound), level, vec![])
        });
        let least = reached.min_by_key(|(size, _, _)| *size);
        least.unwrap_or_else(|| unreachable!("there is a level"))
    }

    /// Returns the nodes through which runs enter the component.
    fn entry_nodes(&self, layers: &Layers, level: EntryLevel) -> Vec<u32> {
        let usable: Vec<u32> = (0..layers.levels()).collect();
        let entries = self.entries.iter().map(|&(place, edge)| {
            let level = match edge {
                Some(edge) => layers.entry(level, self.sets.of_edge(edge), &usable),
                None => layers.entry(self.options.initial.as_entry(), &Marks::EMPTY, &usable),
            };
            place * layers.levels() + level
        });
        entries.collect()
    }

    /// Returns the number of nodes, and of connected pairs of nodes. Pairs are not counted above
    /// `bound` nodes.
    fn size(&self, layers: &Layers, nodes: &[u32], bound: usize) -> (usize, usize) {
        if nodes.len() > bound {
            return (nodes.len(), usize::MAX);
        }
        let mut targets = vec![];
        let edges = nodes.iter().map(|&node| {
            targets.clear();
            layers.successors(self.component, node, &mut targets);
            targets.sort_unstable();
            targets.dedup();
            targets.len()
        });
        (nodes.len(), edges.sum())
    }
}

impl InitialLevel {
    /// Returns the same level as an entry level.
    pub(super) fn as_entry(self) -> EntryLevel {
        match self {
            InitialLevel::First | InitialLevel::Smaller => EntryLevel::First,
            InitialLevel::Last => EntryLevel::Last,
        }
    }
}

/// Returns the nodes reachable from `roots`.
fn reachable(count: u32, roots: Vec<u32>, successors: impl Fn(u32, &mut Vec<u32>)) -> Vec<u32> {
    let mut seen = vec![false; count as usize];
    let (mut reached, mut pending) = (vec![], roots);
    while let Some(node) = pending.pop() {
        interrupt::poll();
        if !std::mem::replace(&mut seen[node as usize], true) {
            reached.push(node);
            successors(node, &mut pending);
        }
    }
    reached
}
