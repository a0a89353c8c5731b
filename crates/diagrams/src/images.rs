//! Images and pre-images of all events of a group in one pass.
//!
//! As in saturation, an event is handled at the level of its topmost variable. Above that level the
//! event changes nothing, so one traversal of the diagram serves all events.

use crate::events::NONE;
use crate::nodes::{EMPTY, Edge, NodeId, UNIT};
use crate::saturate::ALL;
use crate::store::{Operation, Store};

impl Store<'_> {
    /// Returns the successors of `node` by the events of `group`, except for events without
    /// variables.
    pub(crate) fn images(&mut self, group: u32, node: NodeId, level: u32) -> NodeId {
        if node <= UNIT {
            return EMPTY;
        }
        let key = Operation::Images.key(group, 0, [node, EMPTY, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        self.put_children(node, |store, edge| store.images(group, edge.child, level - 1));
        if let Some(events) = self.events.at(group, level) {
            for &event in &*events {
                let held = self.protected.len();
                let residue = self.prepare(event, node, level);
                self.each_change(residue, node, |store, edge, after, next| {
                    let fired = store.fire(NONE, next, edge.child, ALL, level - 1);
                    store.add(base, after, fired);
                });
                self.protected.truncate(held);
            }
        }
        let result = self.make(base);
        self.cache.put(key, result);
        result
    }

    /// Returns the states of `within` from which an event of `group` leads into `target`, except
    /// for events without variables.
    pub(crate) fn preimages(
        &mut self,
        group: u32,
        target: NodeId,
        within: NodeId,
        level: u32,
    ) -> NodeId {
        if target <= UNIT || within <= UNIT {
            return EMPTY;
        }
        let key = Operation::PreImages.key(group, 0, [target, within, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let base = self.scratch.len();
        self.put_children(within, |store, Edge { value, child }| {
            let target = store.nodes.child(target, value);
            store.preimages(group, target, child, level - 1)
        });
        if let Some(events) = self.events.at(group, level) {
            for &event in &*events {
                let held = self.protected.len();
                let residue = self.prepare(event, within, level);
                self.each_change(residue, within, |store, Edge { value, child }, after, next| {
                    let target = store.nodes.child(target, after);
                    let found = store.pre(next, target, child, level - 1);
                    store.add(base, value, found);
                });
                self.protected.truncate(held);
            }
        }
        let result = self.make(base);
        self.cache.put(key, result);
        result
    }
}
