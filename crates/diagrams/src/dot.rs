//! Drawings of diagrams.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::nodes::UNIT;
use crate::set::Set;

impl Set<'_> {
    /// Draws the diagram in DOT. `name` maps levels to names of variables.
    pub fn to_dot(&self, name: impl Fn(u32) -> String) -> String {
        let store = self.manager.store.borrow();
        let mut dot = String::from("digraph diagram {\n  node [shape=circle]\n");
        let mut level: Vec<u32> = if self.is_empty() { vec![] } else { vec![self.root] };
        for height in (1..=self.arity).rev() {
            let mut next = Vec::new();
            let mut seen = FxHashSet::default();
            let label = name(height).replace('\\', "\\\\").replace('"', "\\\"");
            for &node in &level {
                let _ = writeln!(dot, "  n{node} [label=\"{label}\"]");
                for edge in store.nodes.edges(node) {
                    let _ =
                        writeln!(dot, "  n{node} -> n{} [label=\"{}\"]", edge.child, edge.value);
                    if edge.child != UNIT && seen.insert(edge.child) {
                        next.push(edge.child);
                    }
                }
            }
            level = next;
        }
        if !self.is_empty() {
            let _ = writeln!(dot, "  n{UNIT} [shape=box, label=\"1\"]");
        }
        dot.push_str("}\n");
        dot
    }
}
