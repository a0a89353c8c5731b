//! Saturation (Ciardo, Lüttgen and Siminiceanu, TACAS 2001), and images of events.
//!
//! A node is saturated if it is closed under all events whose variables lie at its level or
//! below. Nodes are saturated from the bottom up: whenever an event makes a new node, that node
//! is saturated before it is used, so that intermediate diagrams stay as small as those of the
//! result. Everything takes a set `within` that must not be left (constrained saturation, Zhao
//! and Ciardo 2009), and a group of events to saturate with; with the empty group, firing an
//! event is its image and nothing else.

use crate::event::Access;
use crate::events::{Known, NONE, Residue};
use crate::nodes::{EMPTY, Edge, NodeId, UNIT};
use crate::store::{Operation, Store};

/// Where the edges of a node that is being saturated lie, and the times of their last changes.
#[derive(Clone, Copy)]
struct Place {
    base: usize,
    stamps: usize,
    level: u32,
}

/// A set to stay in that has no bounds.
pub(crate) const ALL: NodeId = NodeId::MAX;

impl Store<'_> {
    fn below(&self, within: NodeId, value: u32) -> NodeId {
        if within == ALL { ALL } else { self.nodes.child(within, value) }
    }

    /// The level where something remains to be done; 0 if nothing remains.
    fn head(&self, residue: Residue) -> u32 {
        match residue {
            Residue::Done => 0,
            Residue::Rules(step) => self.events.get_step(step).level,
            Residue::Relation(support, _) => self.events.get_support(support).level,
        }
    }

    /// A node whose values are all those before which a residue asks for at its level, if there is
    /// one.
    fn asked(&self, residue: Residue) -> Option<NodeId> {
        match residue {
            Residue::Relation(support, relation) => {
                let access = self.events.get_support(support).access;
                (access != Access::Write).then_some(relation)
            }
            _ => None,
        }
    }

    /// The `index`-th way in which a residue at its level changes a value: the value after, and
    /// what remains to be done.
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

    /// The least set that contains `node`, a part of `within`, and is closed under the events of
    /// `group` inside `within`.
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
        for i in 0..self.nodes.degree(node) {
            let Edge { value, child } = self.nodes.edge(node, i);
            let inside = self.below(within, value);
            let child = self.deeper(|store| store.saturate(group, child, inside, level - 1));
            self.scratch.push(Edge { value, child });
        }
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
        // A value is looked at again by the events that have not seen its latest child.
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
        // Saturating what is saturated changes nothing.
        let key = Operation::Close.key(group, 0, [result, within, EMPTY]);
        self.cache.put(key, result);
        let key = Operation::Saturate.key(group, 0, [result, within, EMPTY]);
        self.cache.put(key, result);
        result
    }

    /// Fires an event whose topmost variable is that of a node that is being saturated, at the
    /// values whose children have changed after `since`, and adds the result to the node. The
    /// time goes on with each change; it is returned.
    fn fire_here(
        &mut self,
        group: u32,
        event: Known,
        Place { base, stamps, level }: Place,
        within: NodeId,
        since: u32,
        mut now: u32,
    ) -> u32 {
        if let Known::Table(table) = event {
            let node = self.nodes.intern(&self.scratch[base..]);
            self.protected.push(node);
            self.learn(table, node, level);
            self.protected.pop();
        }
        let residue = self.events.residue(event);
        let held = self.protected.len();
        if let Residue::Relation(_, relation) = residue {
            // The table may learn more, and forget this relation, while it is in use here.
            self.protected.push(relation);
        }
        let mut i = 0;
        while base + i < self.scratch.len() {
            if self.stamps[stamps + i] <= since {
                i += 1;
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
                let child = self.scratch[base + i].child;
                let fired = self.deeper(|store| store.fire(group, next, child, inside, level - 1));
                let before = self.scratch.len();
                if let Some(position) = self.add(base, after, fired) {
                    now += 1;
                    if self.scratch.len() > before {
                        self.stamps.insert(stamps + position, now);
                        if position <= i {
                            i += 1;
                        }
                    } else {
                        self.stamps[stamps + position] = now;
                    }
                }
            }
            i += 1;
        }
        self.protected.truncate(held);
        now
    }

    /// The states inside `within` that what is left of an event leads to from `node`, saturated
    /// with the events of `group`.
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
                // What is saturated inside one set need not be so inside another.
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
            // A relation may know fewer values than there are.
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
            for i in 0..self.nodes.degree(node) {
                let Edge { value, child } = self.nodes.edge(node, i);
                let inside = self.below(within, value);
                let child =
                    self.deeper(|store| store.fire(group, residue, child, inside, level - 1));
                if child != EMPTY {
                    self.scratch.push(Edge { value, child });
                }
            }
        }
        let fired = self.make(base);
        let result = self.close(group, fired, within, level);
        self.cache.put(key, result);
        result
    }

    /// The states of `within` from which what is left of an event leads into `target`.
    pub(crate) fn pre(
        &mut self,
        residue: Residue,
        target: NodeId,
        within: NodeId,
        level: u32,
    ) -> NodeId {
        if target == EMPTY || within == EMPTY {
            return EMPTY;
        }
        let key = match residue {
            Residue::Done => return self.intersection(target, within),
            Residue::Rules(step) => Operation::PreStep.key(0, step, [target, within, EMPTY]),
            Residue::Relation(support, relation) => {
                Operation::PreTable.key(0, support, [target, within, relation])
            }
        };
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        let here = self.head(residue) == level;
        for i in 0..self.nodes.degree(within) {
            let Edge { value, child } = self.nodes.edge(within, i);
            if here {
                let mut index = 0;
                while let Some((after, next)) = self.change(residue, value, index) {
                    index += 1;
                    let target = self.nodes.child(target, after);
                    let found = self.deeper(|store| store.pre(next, target, child, level - 1));
                    self.add(base, value, found);
                }
            } else {
                let target = self.nodes.child(target, value);
                let child = self.deeper(|store| store.pre(residue, target, child, level - 1));
                if child != EMPTY {
                    self.scratch.push(Edge { value, child });
                }
            }
        }
        let result = self.make(base);
        self.cache.put(key, result);
        result
    }

    /// The states of `node` in which what is left of an event is enabled.
    fn enabled(&mut self, residue: Residue, node: NodeId, level: u32) -> NodeId {
        if node == EMPTY {
            return EMPTY;
        }
        let key = match residue {
            Residue::Done => return node,
            Residue::Rules(step) => Operation::Enabled.key(0, step, [node, EMPTY, EMPTY]),
            Residue::Relation(support, relation) => {
                Operation::EnabledTable.key(0, support, [node, relation, EMPTY])
            }
        };
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        let here = self.head(residue) == level;
        for i in 0..self.nodes.degree(node) {
            let Edge { value, child } = self.nodes.edge(node, i);
            if here {
                let mut index = 0;
                while let Some((_, next)) = self.change(residue, value, index) {
                    index += 1;
                    let found = self.deeper(|store| store.enabled(next, child, level - 1));
                    self.add(base, value, found);
                }
            } else {
                let child = self.deeper(|store| store.enabled(residue, child, level - 1));
                if child != EMPTY {
                    self.scratch.push(Edge { value, child });
                }
            }
        }
        let result = self.make(base);
        self.cache.put(key, result);
        result
    }

    /// The states of `node` in which no event of `group` is enabled whose variables all lie at
    /// this level or below. As in saturation, an event is looked at where its topmost variable is.
    pub(crate) fn dead(&mut self, group: u32, node: NodeId, level: u32) -> NodeId {
        if node <= UNIT {
            return node;
        }
        let key = Operation::Dead.key(group, 0, [node, EMPTY, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        for i in 0..self.nodes.degree(node) {
            let Edge { value, child } = self.nodes.edge(node, i);
            let child = self.deeper(|store| store.dead(group, child, level - 1));
            if child != EMPTY {
                self.scratch.push(Edge { value, child });
            }
        }
        let mut result = self.make(base);
        if let Some(events) = self.events.at(group, level) {
            for &event in &*events {
                let held = self.protected.len();
                self.protected.push(result);
                let enabled = self.enabling(event, result, level);
                self.protected.push(enabled);
                result = self.difference(result, enabled);
                self.protected.truncate(held);
            }
        }
        self.cache.put(key, result);
        result
    }

    /// What is to be done of an event in the states of `node`; its relation is protected.
    pub(crate) fn prepare(&mut self, event: Known, node: NodeId, level: u32) -> Residue {
        if let Known::Table(table) = event {
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
        event: Known,
        node: NodeId,
        within: NodeId,
        level: u32,
    ) -> NodeId {
        let residue = self.prepare(event, node, level);
        self.fire(NONE, residue, node, within, level)
    }

    pub(crate) fn preimage(
        &mut self,
        event: Known,
        target: NodeId,
        within: NodeId,
        level: u32,
    ) -> NodeId {
        let residue = self.prepare(event, within, level);
        self.pre(residue, target, within, level)
    }

    pub(crate) fn enabling(&mut self, event: Known, node: NodeId, level: u32) -> NodeId {
        let residue = self.prepare(event, node, level);
        self.enabled(residue, node, level)
    }
}
