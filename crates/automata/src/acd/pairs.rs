//! Rabin conditions on the same graph, from the trees.
//!
//! If no accepting node branches for any state, a run is accepting exactly if some accepting node
//! has two properties. The run stays in its edges, and infinitely often takes one that no child
//! has.

use super::{Decomposition, tree::Tree};
use crate::acceptance::Named;
use crate::automaton::Automaton;
use crate::marks::{Mark, Marks};

impl Decomposition<'_> {
    /// Converts the condition to Rabin on the same states and edges; `None` if the graph allows
    /// none ([`Typeness::is_rabin`](super::Typeness)). Components share pairs.
    pub fn to_rabin(&self) -> Option<Automaton> {
        if !self.typeness().is_rabin {
            return None;
        }
        let accepting =
            |tree: &Tree| (0..tree.nodes.len()).filter(|&n| tree.nodes[n].accepting).collect();
        let mut marks = vec![Marks::EMPTY; self.automaton.edge_count()];
        let mut pairs = 0;
        for tree in self.trees() {
            let nodes: Vec<usize> = accepting(tree);
            pairs = pairs.max(nodes.len());
            for (edge, inner) in tree.edges.iter().enumerate() {
                let marks = &mut marks[inner.place];
                for (pair, &node) in nodes.iter().enumerate() {
                    let children = &tree.nodes[node].children;
                    if !tree.has(node, edge) {
                        marks.insert(2 * pair as Mark);
                    } else if !children.iter().any(|&child| tree.has(child, edge)) {
                        marks.insert(2 * pair as Mark + 1);
                    }
                }
            }
        }
        let mut builder = self.automaton.edit();
        builder.acceptance(Named::Rabin(pairs as u32).acceptance());
        let mut place = 0;
        builder.retain_edges(|_, edge| {
            edge.marks = std::mem::take(&mut marks[place]);
            place += 1;
            true
        });
        Some(builder.build())
    }
}
