//! The conditions that fit the graph of an automaton, by its decomposition.

use super::Decomposition;
use super::tree::Tree;

/// The conditions that the same graph allows with other marks and the same accepting cycles. For
/// deterministic automata also whether a deterministic (co-)Büchi automaton exists for the
/// language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typeness {
    /// A Rabin condition.
    pub is_rabin: bool,
    /// A Streett condition.
    pub is_streett: bool,
    /// A parity condition.
    pub is_parity: bool,
    /// A Büchi condition.
    pub is_buchi: bool,
    /// A co-Büchi condition.
    pub is_co_buchi: bool,
    /// No component has both accepting and rejecting cycles.
    pub is_weak: bool,
    /// A deterministic Büchi automaton has the language, if this automaton is deterministic. It may
    /// need more states.
    pub is_buchi_language: bool,
    /// A deterministic co-Büchi automaton has the language, if this automaton is deterministic.
    pub is_co_buchi_language: bool,
    /// The number of colours of [`Decomposition::to_parity`] if each edge has one.
    pub colours: u32,
}

impl Decomposition<'_> {
    /// Reads the typeness off the trees. Linear in their size.
    pub fn typeness(&self) -> Typeness {
        let each = |holds: &dyn Fn(&Tree) -> bool| self.trees().all(holds);
        // Only branching for one state matters; a node may have several children.
        let narrow = |tree: &Tree, verdicts: [bool; 2]| {
            (0..tree.nodes.len()).all(|node| {
                !verdicts[usize::from(tree.nodes[node].accepting)]
                    || (0..tree.states.len()).all(|q| tree.children_for(node, q).nth(1).is_none())
            })
        };
        let low = |tree: &Tree, accepting: bool| {
            let height = tree.height();
            height == 1 || height == 2 && tree.nodes[0].accepting == accepting
        };
        let is_parity = each(&|tree| narrow(tree, [true, true]));
        let is_buchi_language = each(&|tree| low(tree, true));
        let is_co_buchi_language = each(&|tree| low(tree, false));
        Typeness {
            is_rabin: each(&|tree| narrow(tree, [false, true])),
            is_streett: each(&|tree| narrow(tree, [true, false])),
            is_parity,
            is_buchi: is_parity && is_buchi_language,
            is_co_buchi: is_parity && is_co_buchi_language,
            is_weak: each(&|tree| tree.height() == 1),
            is_buchi_language,
            is_co_buchi_language,
            colours: self.range().len() as u32,
        }
    }
}
