//! Layers of a product without accepting runs: sets of nodes with ranks that never increase along
//! steps, as certificates of properties that hold require.
//!
//! A layer is a greatest fixpoint: the nodes from which every step leads into lower layers, or stays
//! in the layer by an edge without one mark, the promise of the layer. Each layer is as large as
//! possible, so that there are few. If no run is accepting, some layer has further nodes until all
//! have a layer: below the nodes of the rest is a component that misses a mark.

use sempre_automata::Automaton;
use sempre_check::Deadlock;
use sempre_diagrams::Set;
use sempre_models::Fault;
use sempre_models::proposition::Propositions;

use crate::check::Options;
use crate::product::{Parts, Product, is_empty, minus};
use crate::space::Space;

/// Nodes of a product with the same rank.
pub struct Layer<'s> {
    /// The mark that no step within the layer has; `None` if no step stays in the layer.
    pub promise: Option<u32>,
    /// For each state of the automaton, the states of the system.
    pub parts: Vec<Set<'s>>,
}

/// Why there are no layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoLayers {
    /// There are more layers than allowed.
    TooMany,
    /// A run is accepting.
    Accepting,
    /// The system has a fault.
    Fault(Fault),
}

impl From<Fault> for NoLayers {
    fn from(fault: Fault) -> Self {
        NoLayers::Fault(fault)
    }
}

impl<'s> Space<'s> {
    /// Returns at most `most` layers of the reachable nodes of the product with a generalized Büchi
    /// automaton, from the lowest up.
    ///
    /// # Errors
    /// If there are more, a run is accepting, or a proposition is undefined in a state.
    pub fn layers(
        &self,
        automaton: &Automaton,
        propositions: &Propositions,
        deadlock: Deadlock,
        most: usize,
    ) -> Result<Vec<Layer<'s>>, NoLayers> {
        let options = Options::default();
        let product = Product::new(self, automaton, propositions, deadlock, &options)?;
        let mut rest = product.reach(&product.initial, |_| true);
        let mut layers: Vec<Layer<'s>> = Vec::new();
        // Without marks, layers have nodes whose steps all lead into lower layers.
        let promises: Vec<Option<u32>> = match product.marks() {
            0 => vec![None],
            marks => (0..marks).map(Some).collect(),
        };
        let mut failures = 0;
        for promise in promises.iter().cycle() {
            sempre_ltl::interrupt::poll();
            if is_empty(&rest) {
                break;
            }
            let parts = product.layer(&rest, *promise);
            if is_empty(&parts) {
                failures += 1;
                if failures == promises.len() {
                    return Err(NoLayers::Accepting);
                }
                continue;
            }
            if layers.len() == most {
                return Err(NoLayers::TooMany);
            }
            failures = 0;
            rest = minus(rest, &parts);
            layers.push(Layer { promise: *promise, parts });
        }
        Ok(layers)
    }
}

impl<'s> Product<'_, 's> {
    /// Returns the largest part of `rest` from which every step leaves `rest`, or stays in the part
    /// by an edge without the mark.
    fn layer(&self, rest: &Parts<'s>, promise: Option<u32>) -> Parts<'s> {
        let breaks = |edge| promise.is_none_or(|mark| self.carries(edge, mark));
        let mut removed = self.pre(rest, rest, breaks);
        let mut layer = minus(rest.clone(), &removed);
        while !is_empty(&removed) && !is_empty(&layer) {
            sempre_ltl::interrupt::poll();
            removed = self.pre(&removed, &layer, |_| true);
            layer = minus(layer, &removed);
        }
        layer
    }
}
