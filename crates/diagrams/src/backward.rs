//! Pre-images of events, and states in which events are enabled.

use crate::events::{EventRef, Residue};
use crate::nodes::{EMPTY, Edge, NodeId, UNIT};
use crate::store::{Operation, Store};

impl Store<'_> {
    /// Returns the states of `within` from which the residue of an event leads into `target`.
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
        if self.head(residue) == level {
            self.each_change(residue, within, |store, Edge { value, child }, after, next| {
                let target = store.nodes.child(target, after);
                let found = store.pre(next, target, child, level - 1);
                store.add(base, value, found);
            });
        } else {
            self.put_children(within, |store, Edge { value, child }| {
                let target = store.nodes.child(target, value);
                store.pre(residue, target, child, level - 1)
            });
        }
        let result = self.make(base);
        self.cache.put(key, result);
        result
    }

    /// Returns the states of `node` in which the residue of an event is enabled.
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
        if self.head(residue) == level {
            self.each_change(residue, node, |store, Edge { value, child }, _, next| {
                let found = store.enabled(next, child, level - 1);
                store.add(base, value, found);
            });
        } else {
            self.put_children(node, |store, edge| store.enabled(residue, edge.child, level - 1));
        }
        let result = self.make(base);
        self.cache.put(key, result);
        result
    }

    /// Returns the states of `node` in which no event of `group` is enabled whose variables all lie
    /// at this level or below. As in saturation, an event is handled at the level of its topmost
    /// variable.
    pub(crate) fn dead(&mut self, group: u32, node: NodeId, level: u32) -> NodeId {
        if node <= UNIT {
            return node;
        }
        let key = Operation::Dead.key(group, 0, [node, EMPTY, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        self.put_children(node, |store, edge| store.dead(group, edge.child, level - 1));
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

    pub(crate) fn preimage(
        &mut self,
        event: EventRef,
        target: NodeId,
        within: NodeId,
        level: u32,
    ) -> NodeId {
        let residue = self.prepare(event, within, level);
        self.pre(residue, target, within, level)
    }

    pub(crate) fn enabling(&mut self, event: EventRef, node: NodeId, level: u32) -> NodeId {
        let residue = self.prepare(event, node, level);
        self.enabled(residue, node, level)
    }
}
