//! The copies of a component and the steps between them: one way to count marks.

use super::component::Component;
use super::{EntryLevel, Jump};
use crate::marks::{Mark, Marks};

/// What the levels of a component are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// One level; all cycles are accepting, or none.
    Single {
        /// Whether they are.
        accepting: bool,
    },
    /// One level per mark; edges that complete the marks are accepting.
    Edges,
    /// One level per mark, and a last one that is accepting.
    ExtraLevel,
    /// One level per mark, twice: level `l` of the other styles is `2 l`, and its accepting copy
    /// `2 l + 1`.
    Copies,
}

/// One way to degeneralise a component. A node is a state's place times the number of levels, plus
/// a level.
pub(super) struct Layers {
    /// The marks to be waited for; none if the style is [`Style::Single`].
    order: Vec<Mark>,
    jump: Jump,
    style: Style,
    /// For [`Jump::ToWaiting`]: whether a state waits for the mark of a level, as not all of its
    /// edges have it.
    waits: Vec<bool>,
    /// For [`Style::Copies`]: whether all edges from a state at a level complete the marks.
    complete: Vec<bool>,
}

impl Layers {
    /// For a component where one level is enough.
    pub(super) fn single(accepting: bool) -> Self {
        let style = Style::Single { accepting };
        Layers { order: vec![], jump: Jump::Never, style, waits: vec![], complete: vec![] }
    }

    /// Waiting for these marks, of which there must be one; `jump` is not [`Jump::Smallest`].
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

    /// The level after an edge, and whether the edge is accepting where acceptance is on edges.
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

    /// Whether a state at a level is accepting, where acceptance is on states.
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

    /// The levels of one mark each: the level after an edge, and whether it completes the marks.
    fn count_on(&self, level: u32, sets: &Marks, target: u32) -> (u32, bool) {
        let marks = self.order.len() as u32;
        let climbed = self.advance(level, sets, target);
        match climbed == marks {
            false => (climbed, false),
            true => match self.restart(sets, target) {
                // The edge may count for the next round as well. If it has all marks, it may lead
                // to any level: to stay is to need no other copy.
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

    /// The level after an edge from a level that waits for a mark.
    fn advance(&self, level: u32, sets: &Marks, target: u32) -> u32 {
        match (self.is_on(level, sets), self.jump) {
            (false, _) => level,
            (true, Jump::Never) => level + 1,
            (true, Jump::ToWaiting) => self.climb_to_waiting(level + 1, sets, target),
            (true, _) => self.climb(level, sets),
        }
    }

    /// The level after an edge when all marks have been seen.
    fn restart(&self, sets: &Marks, target: u32) -> u32 {
        match self.jump {
            Jump::Never | Jump::NotFromAccepting => 0,
            Jump::ToWaiting => self.climb_to_waiting(0, sets, target),
            Jump::Always | Jump::Smallest => self.climb(0, sets),
        }
    }

    /// The level to which an edge with these marks leads from `level` on, if it does not pass one
    /// whose mark the target waits for.
    fn climb_to_waiting(&self, level: u32, sets: &Marks, target: u32) -> u32 {
        let marks = self.order.len() as u32;
        let waits = |level: u32| self.waits[(target * marks + level) as usize];
        (level..marks).find(|&l| waits(l) || !self.is_on(l, sets)).unwrap_or(marks)
    }

    fn is_on(&self, level: u32, sets: &Marks) -> bool {
        sets.contains(self.order[level as usize])
    }

    /// The level to which an edge with these marks leads from `level` on.
    fn climb(&self, level: u32, sets: &Marks) -> u32 {
        let waiting = &self.order[level as usize..];
        level + waiting.iter().take_while(|&&mark| sets.contains(mark)).count() as u32
    }

    /// The level at which a state is entered, of those that may be used (ascending, not empty).
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

    /// The nodes that the edges of a node lead to.
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
