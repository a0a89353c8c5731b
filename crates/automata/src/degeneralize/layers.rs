//! The copies of a component and the steps between them, for one way to count marks.

use super::component::Component;
use super::{EntryLevel, Jump};
use crate::marks::{Mark, Marks};

/// The meaning of the levels of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// One level; all cycles are accepting, or none.
    Single {
        /// Whether all cycles are accepting.
        accepting: bool,
    },
    /// One level per mark; edges that complete a round are accepting.
    Edges,
    /// One level per mark, and an accepting last level.
    ExtraLevel,
    /// Two levels per mark: level `l` of the other styles is `2 l`, and its accepting copy
    /// `2 l + 1`.
    Copies,
}

/// One degeneralization of a component. A node is the index of a state times the number of levels,
/// plus a level.
pub(super) struct Layers {
    /// The marks to wait for; none for [`Style::Single`].
    order: Vec<Mark>,
    jump: Jump,
    style: Style,
    /// For [`Jump::ToWaiting`]: whether a state waits for the mark of a level, because some of its
    /// edges lack it.
    waits: Vec<bool>,
    /// For [`Style::Copies`]: whether all edges from a state at a level complete a round.
    complete: Vec<bool>,
}

impl Layers {
    /// Creates the layers of a component with one level.
    pub(super) fn single(accepting: bool) -> Self {
        let style = Style::Single { accepting };
        Layers { order: vec![], jump: Jump::Never, style, waits: vec![], complete: vec![] }
    }

    /// Creates layers that wait for these marks, at least one; `jump` is not [`Jump::Smallest`].
    pub(super) fn new(
        component: &Component<'_>,
        order: Vec<Mark>,
        jump: Jump,
        style: Style,
    ) -> Self {
        let mut layers = Layers { order, jump, style, waits: vec![], complete: vec![] };
        let levels = layers.order.len() as u32;
        let nodes = || {
            let places = 0..component.len() as u32;
            places.flat_map(move |place| (0..levels).map(move |level| (place, level)))
        };
        if jump == Jump::ToWaiting {
            let waits = |(place, level)| {
                let mut edges = component.edges_from(place).iter();
                !edges.all(|edge| layers.is_on(level, edge.sets))
            };
            layers.waits = nodes().map(waits).collect();
        }
        if style == Style::Copies {
            let complete = |(place, level)| {
                let mut edges = component.edges_from(place).iter();
                edges.all(|edge| layers.count_on(level, edge.sets, edge.target).1)
            };
            layers.complete = nodes().map(complete).collect();
        }
        layers
    }

    /// The number of levels.
    pub(super) fn levels(&self) -> u32 {
        let marks = self.order.len() as u32;
        match self.style {
            Style::Single { .. } => 1,
            Style::Edges => marks,
            Style::ExtraLevel => marks + 1,
            Style::Copies => 2 * marks,
        }
    }

    /// Returns the level after an edge, and whether the edge is accepting if acceptance is on
    /// edges.
    pub(super) fn step(&self, place: u32, level: u32, sets: &Marks, target: u32) -> (u32, bool) {
        match self.style {
            Style::Single { accepting } => (0, accepting),
            Style::Edges => self.count_on(level, sets, target),
            Style::ExtraLevel => (self.step_with_extra_level(level, sets, target), false),
            Style::Copies => {
                let (next, accepting) = self.count_on(level / 2, sets, target);
                let counted = self.is_complete(place, level / 2) || self.is_complete(target, next);
                (2 * next + u32::from(accepting && !counted), false)
            }
        }
    }

    /// True if a state at a level is accepting, if acceptance is on states.
    pub(super) fn is_accepting(&self, place: u32, level: u32) -> bool {
        match self.style {
            Style::Single { accepting } => accepting,
            Style::Edges => false,
            Style::ExtraLevel => level == self.order.len() as u32,
            Style::Copies => level % 2 == 1 || self.is_complete(place, level / 2),
        }
    }

    fn is_complete(&self, place: u32, level: u32) -> bool {
        self.complete[place as usize * self.order.len() + level as usize]
    }

    /// Returns the level after an edge, with one level per mark, and whether the edge completes a
    /// round.
    fn count_on(&self, level: u32, sets: &Marks, target: u32) -> (u32, bool) {
        let marks = self.order.len() as u32;
        let climbed = self.advance(level, sets, target);
        match climbed == marks {
            false => (climbed, false),
            true => match self.restart(sets, target) {
                // The edge may also count for the next round. An edge with all marks may lead to
                // any level; staying needs no other copy.
                all if all == marks => (level, true),
                next => (next, true),
            },
        }
    }

    fn step_with_extra_level(&self, level: u32, sets: &Marks, target: u32) -> u32 {
        match level == self.order.len() as u32 {
            false => self.advance(level, sets, target),
            true => self.restart(sets, target),
        }
    }

    /// Returns the level after an edge from a level that waits for a mark.
    fn advance(&self, level: u32, sets: &Marks, target: u32) -> u32 {
        match (self.is_on(level, sets), self.jump) {
            (false, _) => level,
            (true, Jump::Never) => level + 1,
            (true, Jump::ToWaiting) => self.climb_to_waiting(level + 1, sets, target),
            (true, _) => self.climb(level, sets),
        }
    }

    /// Returns the level after an edge that completes a round.
    fn restart(&self, sets: &Marks, target: u32) -> u32 {
        match self.jump {
            Jump::Never | Jump::NotFromAccepting => 0,
            Jump::ToWaiting => self.climb_to_waiting(0, sets, target),
            Jump::Always | Jump::Smallest => self.climb(0, sets),
        }
    }

    /// Returns the level that an edge with these marks reaches from `level`, without passing one
    /// whose mark the target waits for.
    fn climb_to_waiting(&self, level: u32, sets: &Marks, target: u32) -> u32 {
        let marks = self.order.len() as u32;
        let waits = |level: u32| self.waits[(target * marks + level) as usize];
        (level..marks).find(|&l| waits(l) || !self.is_on(l, sets)).unwrap_or(marks)
    }

    fn is_on(&self, level: u32, sets: &Marks) -> bool {
        sets.contains(self.order[level as usize])
    }

    /// Returns the level that an edge with these marks reaches from `level`.
    fn climb(&self, level: u32, sets: &Marks) -> u32 {
        let waiting = &self.order[level as usize..];
        level + waiting.iter().take_while(|&&mark| sets.contains(mark)).count() as u32
    }

    /// Returns the level at which runs enter a state, from `usable` (ascending, not empty).
    pub(super) fn entry(&self, entry: EntryLevel, sets: &Marks, usable: &[u32]) -> u32 {
        let rank = |level: &u32| match self.style {
            Style::Copies => level % 2 * self.order.len() as u32 + level / 2,
            _ => *level,
        };
        let first = || usable.iter().copied().min_by_key(rank);
        let level = match entry {
            EntryLevel::First | EntryLevel::Smaller => first(),
            EntryLevel::Last => usable.iter().copied().max_by_key(rank),
            EntryLevel::Marks => {
                let reached = self.climb(0, sets);
                let below = usable.iter().copied().filter(|level| rank(level) <= reached);
                below.max_by_key(rank).or_else(first)
            }
        };
        level.unwrap_or_else(|| unreachable!("every state has a level"))
    }

    /// Collects the successor nodes of a node.
    pub(super) fn successors(
        &self,
        component: &Component<'_>,
        node: u32,
        successors: &mut Vec<u32>,
    ) {
        let levels = self.levels();
        let (place, level) = (node / levels, node % levels);
        successors.extend(
            component.edges_from(place).iter().map(|edge| {
                edge.target * levels + self.step(place, level, edge.sets, edge.target).0
            }),
        );
    }
}
