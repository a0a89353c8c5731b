//! Sets of tuples and projections: building, enumerating, projecting, selecting, tables.

use crate::event::{Access, Event, Form, Relation};
use crate::events::{EventRef, NONE};
use crate::nodes::{EMPTY, Edge, NodeId, UNIT};
use crate::store::{Operation, Store};

impl<'f> Store<'f> {
    /// Builds the set of consecutive tuples in `values`, each of `arity` values from the top.
    pub(crate) fn build(&mut self, values: &[u32], arity: usize) -> NodeId {
        self.build_among(values, &vec![Vec::new(); arity + 1])
    }

    /// The same, with further values in front of those at some positions, all of them in every
    /// tuple.
    fn build_among(&mut self, values: &[u32], among: &[Vec<&[u32]>]) -> NodeId {
        let arity = among.len() - 1;
        if arity == 0 || values.is_empty() {
            return EMPTY;
        }
        let mut tuples: Vec<&[u32]> = values.chunks_exact(arity).collect();
        tuples.sort_unstable();
        tuples.dedup();
        self.build_sorted(&tuples, 0, among)
    }

    /// Registers an event.
    pub(crate) fn event(&mut self, event: &Event<'f>) -> EventRef {
        match &event.0 {
            Form::Rules(rules) => self.events.add_rules(rules),
            Form::Table(levels, function) => self.events.add_table(levels, function),
            Form::Relation(relation) => {
                let node = self.build_relation(relation);
                let all = event.support().into_iter().map(|level| {
                    let own = relation.levels.iter().find(|(own, _)| *own == level);
                    own.copied().unwrap_or((level, Access::Read))
                });
                let levels: Vec<(u32, Access)> = all.collect();
                let support = self.events.support_of(levels.into_iter());
                self.events.add_relation(support, node)
            }
        }
    }

    /// Builds the node of a relation: that of its rows, with additional nodes of equal children for
    /// the levels whose values do not depend on the row.
    fn build_relation(&mut self, relation: &Relation) -> NodeId {
        let mut among = vec![Vec::new(); relation.columns() + 1];
        let mut column = 0;
        let mut further = relation.among.iter().peekable();
        for (level, access) in &relation.levels {
            while let Some((_, values)) = further.next_if(|(other, _)| other > level) {
                among[column].push(&**values);
            }
            column += access.columns();
        }
        among[column].extend(further.map(|(_, values)| &**values));
        self.build_among(&relation.rows, &among)
    }

    /// Returns the number of a list of descending levels.
    pub(crate) fn support_of(&mut self, levels: &[u32]) -> u32 {
        self.events.support_of(levels.iter().map(|level| (*level, Access::Change)))
    }

    fn build_sorted(
        &mut self,
        tuples: &[&[u32]],
        position: usize,
        among: &[Vec<&[u32]>],
    ) -> NodeId {
        let mut node = UNIT;
        if position < tuples[0].len() {
            let base = self.scratch.len();
            for group in tuples.chunk_by(|a, b| a[position] == b[position]) {
                let child = self.deeper(|store| store.build_sorted(group, position + 1, among));
                if child != EMPTY {
                    self.scratch.push(Edge { value: group[0][position], child });
                }
            }
            node = self.make(base);
        }
        for values in among[position].iter().rev() {
            let base = self.scratch.len();
            if node != EMPTY {
                self.scratch.extend(values.iter().map(|&value| Edge { value, child: node }));
            }
            node = self.make(base);
        }
        node
    }

    /// Returns the values of the variables of a support that occur in `node`.
    pub(crate) fn project(&mut self, node: NodeId, level: u32, support: u32) -> NodeId {
        if node == EMPTY {
            return EMPTY;
        }
        if support == NONE {
            return UNIT;
        }
        let key = Operation::Project.key(0, support, [node, EMPTY, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let head = self.events.get_support(support);
        let result = if head.level == level {
            let base = self.scratch.len();
            self.put_children(node, |store, edge| store.project(edge.child, level - 1, head.rest));
            self.make(base)
        } else {
            let mut union = EMPTY;
            for i in 0..self.nodes.degree(node) {
                self.protected.push(union);
                let child = self.nodes.edge(node, i).child;
                let part = self.deeper(|store| store.project(child, level - 1, support));
                self.protected.push(part);
                union = self.union(union, part);
                self.protected.truncate(self.protected.len() - 2);
            }
            union
        };
        self.cache.put(key, result);
        result
    }

    /// Returns the tuples of `node` whose values for the variables of a support are in `values`.
    pub(crate) fn select(
        &mut self,
        node: NodeId,
        level: u32,
        support: u32,
        values: NodeId,
    ) -> NodeId {
        if node == EMPTY || values == EMPTY {
            return EMPTY;
        }
        if support == NONE {
            return node;
        }
        let key = Operation::Select.key(0, support, [node, values, EMPTY]);
        if let Some(result) = self.cache.get(&key) {
            return result;
        }
        let head = self.events.get_support(support);
        let base = self.scratch.len();
        self.put_children(node, |store, Edge { value, child }| match head.level == level {
            true => {
                let values = store.nodes.child(values, value);
                store.select(child, level - 1, head.rest, values)
            }
            false => store.select(child, level - 1, support, values),
        });
        let result = self.make(base);
        self.cache.put(key, result);
        result
    }

    /// Calls the function of a table for the new values in `node`. The top variable of `node` is
    /// that of the table, or above it.
    pub(crate) fn learn(&mut self, table: u32, node: NodeId, level: u32) {
        let (support, known) = self.events.known(table);
        let values = self.project(node, level, support);
        self.protected.push(values);
        let new = self.difference(values, known);
        self.protected.push(new);
        if new != EMPTY {
            let function = self.events.function(table as usize);
            let arity = self.arity(support);
            let mut pairs = Vec::new();
            let mut path = Tuples::new(new, arity);
            while let Some(before) = path.next(self) {
                function(before, &mut |after| {
                    assert_eq!(after.len(), arity, "a table gives as many values as it takes");
                    for (&before, &after) in before.iter().zip(after) {
                        pairs.extend([before, after]);
                    }
                });
            }
            let relation = self.build(&pairs, 2 * arity);
            self.protected.push(relation);
            let relation = self.union(self.events.relation(table), relation);
            self.protected.push(relation);
            let known = self.union(known, new);
            self.protected.truncate(self.protected.len() - 2);
            self.events.learn(table, known, relation);
        }
        self.protected.truncate(self.protected.len() - 2);
    }

    /// Returns the number of levels of a support.
    fn arity(&self, mut support: u32) -> usize {
        let mut arity = 0;
        while support != NONE {
            arity += 1;
            support = self.events.get_support(support).rest;
        }
        arity
    }
}

/// An iterator over the tuples of a set, in the order of their values.
pub(crate) struct Tuples {
    /// For each level from the top, a node and the position of the current edge.
    path: Vec<(NodeId, usize)>,
    values: Vec<u32>,
    root: Option<NodeId>,
    arity: usize,
}

impl Tuples {
    pub(crate) fn new(root: NodeId, arity: usize) -> Self {
        Tuples {
            path: Vec::with_capacity(arity),
            values: Vec::with_capacity(arity),
            root: (root != EMPTY).then_some(root),
            arity,
        }
    }

    pub(crate) fn next(&mut self, store: &Store<'_>) -> Option<&[u32]> {
        let mut node = if let Some(root) = self.root.take() {
            root
        } else {
            loop {
                let (node, position) = self.path.pop()?;
                self.values.pop();
                if position + 1 < store.nodes.degree(node) {
                    let edge = store.nodes.edge(node, position + 1);
                    self.path.push((node, position + 1));
                    self.values.push(edge.value);
                    break edge.child;
                }
            }
        };
        while self.path.len() < self.arity {
            let edge = store.nodes.edge(node, 0);
            self.path.push((node, 0));
            self.values.push(edge.value);
            node = edge.child;
        }
        Some(&self.values)
    }
}
