//! Saturation (Ciardo, Lüttgen and Siminiceanu, TACAS 2001), and images of events.
//!
//! A node is saturated if it is closed under all events whose variables lie at its level or below.
//! Nodes are saturated bottom-up: a new node is saturated before it is used, so that intermediate
//! diagrams stay as small as the result. Every operation stays in a set `within` (constrained
//! saturation, Zhao and Ciardo 2009) and has a group of events to saturate with. With the empty
//! group, firing an event is just its image.

use crate::event::Access;
use crate::events::{EventRef, NONE, Residue};
use crate::nodes::{EMPTY, Edge, NodeId, UNIT};
use crate::store::{Operation, Store};

/// The position of the edges of a node under saturation, and the times of their last changes.
#[derive(Clone, Copy)]
struct Place {
    base: usize,
    stamps: usize,
    level: u32,
}

/// The unrestricted set for `within`.
pub(crate) const ALL: NodeId = NodeId::MAX;

impl Store<'_> {
    fn below(&self, within: NodeId, value: u32) -> NodeId {
        if within == ALL { ALL } else { self.nodes.child(within, value) }
    }

    /// Returns the level of the residue's next rule; 0 if nothing remains.
    pub(crate) fn head(&self, residue: Residue) -> u32 {
        match residue {
            Residue::Done => 0,
            Residue::Rules(step) => self.events.get_step(step).level,
            Residue::Relation(support, _) => self.events.get_support(support).level,
        }
    }

    /// True if a residue decreases values at its level.
    fn falls(&self, residue: Residue) -> bool {
        matches!(residue, Residue::Rules(step) if self.events.get_step(step).rule.falls())
    }

    /// Returns a node with the values that a residue requires at its level, if there is one.
    fn asked(&self, residue: Residue) -> Option<NodeId> {
        match residue {
            Residue::Relation(support, relation) => {
                let access = self.events.get_support(support).access;
                (access != Access::Write).then_some(relation)
            }
            _ => None,
        }
    }

    /// Returns the `index`-th change of a value by a residue at its level: the value after, and the
    /// rest of the residue.
    pub(crate) fn change(
        &self,
        residue: Residue,
        value: u32,
        index: usize,
    ) -> Option<(u32, Residue)> {
        match residue {
            Residue::Done => None,
            Residue::Rules(step) => {
                let step = self.events.get_step(step);
                let after = (index == 0).then(|| step.rule.apply(value)).flatten()?;
                let next = match step.next {
                    NONE => Residue::Done,
                    next => Residue::Rules(next),
                };
                Some((after, next))
            }
            Residue::Relation(support, relation) => {
                let head = self.events.get_support(support);
                let edge = match head.access {
                    Access::Read => {
                        let child = self.nodes.child(relation, value);
                        let edge = Edge { value, child };
                        (index == 0 && child != EMPTY).then_some(edge)?
                    }
                    Access::Write => *self.nodes.edges(relation).get(index)?,
                    Access::Change => {
                        let afters = self.nodes.child(relation, value);
                        *self.nodes.edges(afters).get(index)?
                    }
                };
                let next = match head.rest {
                    NONE => Residue::Done,
                    rest => Residue::Relation(rest, edge.child),
                };
                Some((edge.value, next))
            }
        }
    }

    /// Reports all changes of the values of a node by a residue at its level: the edge of the
    /// value, the value after, and the rest of the residue.
    #[inline]
    pub(crate) fn each_change(
        &mut self,
        residue: Residue,
        node: NodeId,
        mut visit: impl FnMut(&mut Self, Edge, u32, Residue),
    ) {
        for i in 0..self.nodes.degree(node) {
            let edge = self.nodes.edge(node, i);
            let mut index = 0;
            while let Some((after, next)) = self.change(residue, edge.value, index) {
                index += 1;
                self.tick(1);
                self.deeper(|store| visit(store, edge, after, next));
            }
        }
    }

    /// Returns the least set that contains `node`, a subset of `within`, and is closed under the
    /// events of `group` inside `within`.
    pub(crate) fn saturate(
        &mut self,
        group: u32,
        node: NodeId,
        within: NodeId,
        level: u32,
    ) -> NodeId {
        if node <= UNIT || group == NONE {
            return node;
        }
        let key = Operation::Saturate.key(group, 0, [node, within, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        self.put_children(node, |store, Edge { value, child }| {
            let inside = store.below(within, value);
            store.saturate(group, child, inside, level - 1)
        });
        let below = self.make(base);
        let result = self.close(group, below, within, level);
        self.cache.put(key, result);
        result
    }

    /// Saturates a node whose children are saturated.
    fn close(&mut self, group: u32, node: NodeId, within: NodeId, level: u32) -> NodeId {
        if node == EMPTY {
            return EMPTY;
        }
        let Some(events) = self.events.at(group, level) else {
            return node;
        };
        let key = Operation::Close.key(group, 0, [node, within, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        self.protected.push(node);
        let base = self.scratch.len();
        let stamps = self.stamps.len();
        self.scratch.extend_from_slice(self.nodes.edges(node));
        // Events visit a value again if they have not seen its latest child.
        self.stamps.resize(stamps + self.scratch.len() - base, 1);
        let mut now = 1;
        let mut seen = vec![0; events.len()];
        let mut quiet = 0;
        for (number, &event) in events.iter().enumerate().cycle() {
            let since = std::mem::replace(&mut seen[number], now);
            let place = Place { base, stamps, level };
            let after = self.fire_here(group, event, place, within, since, now);
            quiet = if after == now { quiet + 1 } else { 0 };
            now = after;
            if quiet == events.len() {
                break;
            }
        }
        self.stamps.truncate(stamps);
        let result = self.make(base);
        self.protected.pop();
        self.cache.put(key, result);
        // Saturating a saturated node changes nothing.
        let key = Operation::Close.key(group, 0, [result, within, EMPTY]);
        self.cache.put(key, result);
        let key = Operation::Saturate.key(group, 0, [result, within, EMPTY]);
        self.cache.put(key, result);
        result
    }

    /// Fires an event whose topmost variable is that of a node under saturation, and adds the
    /// result to the node. Only values whose children have changed after `since` are considered.
    /// Each change advances the time, which is returned.
    fn fire_here(
        &mut self,
        group: u32,
        event: EventRef,
        Place { base, stamps, level }: Place,
        within: NodeId,
        since: u32,
        mut now: u32,
    ) -> u32 {
        if let EventRef::Table(table) = event {
            let node = self.nodes.intern(&self.scratch[base..]);
            self.protected.push(node);
            self.learn(table, node, level);
            self.protected.pop();
        }
        let residue = self.events.residue(event);
        let held = self.protected.len();
        if let Residue::Relation(_, relation) = residue {
            // The table may grow and replace this relation while it is in use here.
            self.protected.push(relation);
        }
        // An event that decreases values is fired from the greatest one down, others from the least
        // one up. So the same round also visits the results.
        let falls = self.falls(residue);
        let mut done = 0;
        while base + done < self.scratch.len() {
            let here = |count: usize, done| if falls { count - 1 - done } else { done };
            let i = here(self.scratch.len() - base, done);
            if self.stamps[stamps + i] <= since {
                done += 1;
                continue;
            }
            let value = self.scratch[base + i].value;
            let mut index = 0;
            while let Some((after, next)) = self.change(residue, value, index) {
                index += 1;
                let inside = self.below(within, after);
                if inside == EMPTY {
                    continue;
                }
                let count = self.scratch.len() - base;
                let i = here(count, done);
                let child = self.scratch[base + i].child;
                let fired = self.deeper(|store| store.fire(group, next, child, inside, level - 1));
                if let Some(position) = self.add(base, after, fired) {
                    now += 1;
                    if self.scratch.len() - base > count {
                        self.stamps.insert(stamps + position, now);
                        // A new value among those already visited.
                        done += usize::from((position <= i) != falls);
                    } else {
                        self.stamps[stamps + position] = now;
                    }
                }
            }
            done += 1;
        }
        self.protected.truncate(held);
        now
    }

    /// Returns the states inside `within` that the residue of an event reaches from `node`,
    /// saturated with the events of `group`.
    pub(crate) fn fire(
        &mut self,
        group: u32,
        residue: Residue,
        node: NodeId,
        within: NodeId,
        level: u32,
    ) -> NodeId {
        if node == EMPTY || within == EMPTY {
            return EMPTY;
        }
        let key = match residue {
            Residue::Done if within == ALL => return node,
            Residue::Done => {
                // A node saturated within one set need not be saturated within another.
                let inside = self.intersection(node, within);
                self.protected.push(inside);
                let result = self.saturate(group, inside, within, level);
                self.protected.pop();
                return result;
            }
            Residue::Rules(step) => Operation::Step.key(group, step, [node, within, EMPTY]),
            Residue::Relation(support, relation) => {
                Operation::Table.key(group, support, [node, within, relation])
            }
        };
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        if self.head(residue) == level {
            // A relation may lack values of the node.
            let values = self
                .asked(residue)
                .filter(|&asked| self.nodes.degree(asked) < self.nodes.degree(node));
            for i in 0..self.nodes.degree(values.unwrap_or(node)) {
                let Edge { value, mut child } = self.nodes.edge(values.unwrap_or(node), i);
                if values.is_some() {
                    child = self.nodes.child(node, value);
                    if child == EMPTY {
                        continue;
                    }
                }
                let mut index = 0;
                while let Some((after, next)) = self.change(residue, value, index) {
                    index += 1;
                    let inside = self.below(within, after);
                    let fired =
                        self.deeper(|store| store.fire(group, next, child, inside, level - 1));
                    self.add(base, after, fired);
                }
            }
        } else {
            self.put_children(node, |store, Edge { value, child }| {
                let inside = store.below(within, value);
                store.fire(group, residue, child, inside, level - 1)
            });
        }
        let fired = self.make(base);
        let result = self.close(group, fired, within, level);
        self.cache.put(key, result);
        result
    }

    /// Returns the residue of an event for the states of `node`; protects its relation.
    pub(crate) fn prepare(&mut self, event: EventRef, node: NodeId, level: u32) -> Residue {
        if let EventRef::Table(table) = event {
            self.learn(table, node, level);
        }
        let residue = self.events.residue(event);
        if let Residue::Relation(_, relation) = residue {
            self.protected.push(relation);
        }
        residue
    }

    pub(crate) fn image(
        &mut self,
        event: EventRef,
        node: NodeId,
        within: NodeId,
        level: u32,
    ) -> NodeId {
        let residue = self.prepare(event, node, level);
        self.fire(NONE, residue, node, within, level)
    }
}
