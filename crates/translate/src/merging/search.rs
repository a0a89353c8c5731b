//! Search of a product some of whose states are merged, for cycles with all marks.

use super::Classes;
use super::product::Product;
use sempre_automata::Marks;
use sempre_automata::graph::{Graph, Identity};
use sempre_automata::scc::{Search as SccSearch, Visitor};
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;

/// A search for components with all marks. Its memory is kept for the next search.
pub(super) struct Search<'a> {
    product: &'a Product,
    sccs: SccSearch<Identity>,
    seen: Seen,
    /// The number of edges that all searches have followed, and of pairs that they entered by one.
    pub(super) steps: usize,
}

/// The results of searches about pairs.
struct Seen {
    /// The pairs that were entered since the beginning.
    entered: Vec<u32>,
    /// Whether a pair was entered since the beginning.
    is_entered: Vec<bool>,
    /// Whether an accepting cycle can be reached; known for complete components.
    live: Vec<bool>,
    all_marks: u64,
    /// One accepting cycle is enough.
    first_only: bool,
}

/// The product with the edges of all members of a class at the pairs of its first state.
struct Merged<'a> {
    product: &'a Product,
    classes: &'a Classes,
    steps: Cell<usize>,
}

impl Graph for Merged<'_> {
    type Node = u32;
    /// The marks, and those of the class of the source.
    type Edge = u64;
    type Numbering = Identity;

    fn numbering(&self) -> Identity {
        Identity
    }

    fn initial(&self) -> impl Iterator<Item = u32> + '_ {
        self.product.initial.iter().copied()
    }

    fn successors(&self, pair: u32) -> impl Iterator<Item = (u64, u32)> + '_ {
        let (product, classes, others) = (self.product, self.classes, self.product.others as u32);
        let (state, other) = (pair / others, pair % others);
        let marks_of_class = classes.marks[state as usize];
        classes.members(state).flat_map(move |member| {
            let place = (member * others + other) as usize;
            let edges = product.offsets[place] as usize..product.offsets[place + 1] as usize;
            product.edges[edges].iter().map(move |&(target, marks)| {
                self.steps.set(self.steps.get() + 1);
                let class = classes.class[(target / others) as usize];
                (marks | marks_of_class, class * others + target % others)
            })
        })
    }

    fn marks(&self, edge: u64) -> Cow<'_, Marks> {
        Cow::Owned(Marks::from_bits(edge))
    }
}

/// A component that may grow.
struct Component {
    /// The marks of its edges, and those of the edge by which it was entered.
    marks: u64,
    entered_by: u64,
    is_cyclic: bool,
    /// Whether an accepting cycle can be reached by an edge that leaves it.
    is_live: bool,
}

impl Visitor<Merged<'_>> for Seen {
    /// A component with a cycle with all marks was found.
    type Break = ();
    type Summary = Component;

    fn enter(&mut self, graph: &Merged<'_>, pair: u32, _: &u32, edge: Option<u64>) -> Component {
        graph.steps.set(graph.steps.get() + usize::from(edge.is_some()));
        self.entered.push(pair);
        self.is_entered[pair as usize] = true;
        let entered_by = edge.unwrap_or_default();
        Component { marks: 0, entered_by, is_cyclic: false, is_live: false }
    }

    fn cycle<'a>(
        &mut self,
        _: &Merged<'_>,
        edge: u64,
        _: &[u32],
        whole: &mut Component,
        parts: impl Iterator<Item = &'a Component>,
    ) -> ControlFlow<()> {
        whole.marks |= edge;
        whole.is_cyclic = true;
        for part in parts {
            whole.marks |= part.marks | part.entered_by;
            whole.is_live |= part.is_live;
        }
        ControlFlow::Continue(())
    }

    fn reach(&mut self, from: &mut Component, target: u32) {
        from.is_live |= self.live[target as usize];
    }

    fn component(
        &mut self,
        _: &SccSearch<Identity>,
        pairs: &[u32],
        whole: Component,
        before: Option<&mut Component>,
    ) -> ControlFlow<()> {
        let is_live = whole.is_live || (whole.is_cyclic && whole.marks == self.all_marks);
        if is_live && self.first_only {
            return ControlFlow::Break(());
        }
        for pair in pairs {
            self.live[*pair as usize] = is_live;
        }
        if let Some(before) = before {
            before.is_live |= is_live;
        }
        ControlFlow::Continue(())
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(product: &'a Product) -> Self {
        let pairs = product.states * product.others;
        let seen = Seen {
            entered: vec![],
            is_entered: vec![false; pairs],
            live: vec![false; pairs],
            all_marks: product.all_marks,
            first_only: false,
        };
        Search { product, sccs: SccSearch::new(Identity), seen, steps: 0 }
    }

    /// True if the pair has been found since the beginning.
    pub(super) fn has_found(&self, pair: usize) -> bool {
        self.seen.is_entered[pair]
    }

    /// True if an accepting cycle can be reached from one of the pairs; begins anew, and ends with
    /// the first one.
    pub(super) fn any_live(
        &mut self,
        classes: &Classes,
        mut pairs: impl Iterator<Item = usize>,
    ) -> bool {
        for pair in &self.seen.entered {
            self.seen.is_entered[*pair as usize] = false;
        }
        self.sccs.forget(self.seen.entered.drain(..));
        self.seen.first_only = true;
        pairs.any(|pair| self.is_live(classes, pair))
    }

    /// Whether an accepting cycle can be reached from the pair, whose state stands for its class.
    pub(super) fn is_live(&mut self, classes: &Classes, pair: usize) -> bool {
        if self.has_found(pair) {
            return self.seen.live[pair];
        }
        let graph = Merged { product: self.product, classes, steps: Cell::new(0) };
        let found = self.sccs.run(&graph, pair as u32, &mut self.seen);
        self.steps += graph.steps.get();
        found.is_break() || self.seen.live[pair]
    }
}
