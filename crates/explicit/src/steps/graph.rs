//! The product as a graph of emptiness checks, with marks for fairness.
//!
//! Weak fairness is generalized Büchi acceptance with a mark for each component of the model: on
//! edges where it steps, and on those that leave states where it is disabled. Strong fairness takes
//! two marks for each: where it is enabled, and where it steps; a run that sees the first infinitely
//! often has to see the second one infinitely often. Components get their marks in the order in
//! which they are met, and one that was not met is disabled.

use super::cycle;
use super::product::{StepEdge, StepProduct};
use crate::graph::{Edge, Lasso, MAX_MARKS, SearchGraph};
use crate::product::Stop;
use crate::shortest::shortest_steps;
use crate::store::Store;
use sempre_automata::{Acceptance, Automaton, Condition, Named};
use sempre_check::{Counterexample, FairnessKind, Reason};

/// The marks of the edges of a [`StepGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FairMarks {
    /// The marks of the automaton come first.
    first: u32,
    kind: Option<FairnessKind>,
}

impl FairMarks {
    /// Chooses the marks besides those of an automaton with generalized Büchi acceptance.
    pub(crate) fn new(automaton: &Automaton, kind: Option<FairnessKind>) -> Self {
        FairMarks { first: automaton.acceptance().marks(), kind }
    }

    /// The number of components of the model that have marks.
    pub(crate) fn components(self) -> u32 {
        let free = MAX_MARKS - self.first;
        match self.kind {
            Some(FairnessKind::Strong) => free / 2,
            _ => free,
        }
    }

    /// The acceptance condition of fair runs that the automaton accepts.
    pub(crate) fn acceptance(self, automaton: &Automaton) -> Acceptance {
        match self.kind {
            None => automaton.acceptance().clone(),
            Some(FairnessKind::Weak) => Named::GeneralizedBuchi(MAX_MARKS).acceptance(),
            Some(FairnessKind::Strong) => {
                let fair = |component| {
                    let enabled = self.first + 2 * component;
                    Condition::or([Condition::Fin(enabled), Condition::Inf(enabled + 1)])
                };
                let accepted = automaton.acceptance().condition().clone();
                let fair = (0..self.components()).map(fair);
                Acceptance::new(MAX_MARKS, Condition::and([accepted].into_iter().chain(fair)))
            }
        }
    }

    /// The marks for fairness of an edge, from the components that are enabled and that step.
    fn of(self, enabled: u32, stepping: u32) -> u32 {
        match self.kind {
            None => 0,
            Some(FairnessKind::Weak) => {
                let everything = u32::MAX.checked_shl(self.first).unwrap_or(0);
                let neglected = enabled & !stepping;
                everything & !neglected.checked_shl(self.first).unwrap_or(0)
            }
            Some(FairnessKind::Strong) => (0..self.components()).fold(0, |marks, component| {
                let own = (enabled >> component & 1) | (stepping >> component & 1) << 1;
                marks | own << (self.first + 2 * component)
            }),
        }
    }
}

/// The graph.
pub(crate) struct StepGraph<'p, T> {
    product: StepProduct<'p, T>,
    marks: FairMarks,
    edges: Vec<StepEdge>,
    has_too_many: bool,
}

impl<'p, T: Store> StepGraph<'p, T> {
    pub(crate) fn new(product: StepProduct<'p, T>, marks: FairMarks) -> Self {
        StepGraph { product, marks, edges: vec![], has_too_many: false }
    }

    pub(crate) fn product(&self) -> &StepProduct<'p, T> {
        &self.product
    }

    /// True if the graph could not be generated further because more components have to be treated
    /// fairly than there are marks.
    pub(crate) fn has_too_many_components(&self) -> bool {
        self.has_too_many
    }

    /// Returns the run along a lasso, whose cycle may become longer to see everything that a cycle
    /// through the same nodes can see.
    pub(crate) fn run(&mut self, lasso: &Lasso) -> Result<Counterexample, Stop> {
        cycle::along(&mut self.product, &lasso.prefix, &lasso.cycle)
    }

    /// Returns the run of a shortest lasso; of this one if the graph cannot be generated far enough.
    pub(crate) fn shortest_run(
        &mut self,
        acceptance: &Acceptance,
        some: &Lasso,
    ) -> Result<Counterexample, Stop> {
        let Some([prefix, cycle]) = shortest_steps(self, acceptance.condition()) else {
            return self.run(some);
        };
        let mut steps = |steps: Vec<(u32, Edge)>| -> Result<Vec<(u32, StepEdge)>, Stop> {
            steps.into_iter().map(|(node, edge)| Ok((node, self.step(node, edge)?))).collect()
        };
        let (prefix, cycle) = (steps(prefix)?, steps(cycle)?);
        Ok(cycle::counterexample(&self.product, prefix, cycle))
    }

    /// Returns an edge of the product with this target and these marks.
    fn step(&mut self, node: u32, edge: Edge) -> Result<StepEdge, Stop> {
        let mut edges = vec![];
        self.edges_of(node, &mut edges)?;
        let place = edges.iter().position(|other| *other == edge);
        Ok(self.edges[place.unwrap_or_else(|| unreachable!("the edge was generated"))])
    }

    /// Appends all edges from a node, in the order in which the product has them.
    fn edges_of(&mut self, node: u32, edges: &mut Vec<Edge>) -> Result<(), Stop> {
        self.edges.clear();
        self.product.edges(node, &mut self.edges)?;
        let enabled = self.product.enabled(node).bits(self.marks.components());
        let Some(enabled) = enabled else {
            self.has_too_many = true;
            return Err(Stop::Limit(Reason::Numbers));
        };
        for edge in &self.edges {
            // A component that steps is enabled.
            let stepping = self.product.stepping(edge).bits(MAX_MARKS).unwrap_or(0);
            let marks = edge.marks | self.marks.of(enabled, stepping);
            edges.push(Edge { target: edge.target, marks });
        }
        Ok(())
    }
}

impl<T: Store> SearchGraph for StepGraph<'_, T> {
    type Error = Stop;

    fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), Stop> {
        nodes.extend(self.product.initial()?);
        Ok(())
    }

    fn successors(
        &mut self,
        node: u32,
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) -> Result<usize, Stop> {
        let before = edges.len();
        self.edges_of(node, edges)?;
        let all = edges.len() - before;
        let mut kept = before;
        for place in before..edges.len() {
            if is_wanted(edges[place].target) {
                edges[kept] = edges[place];
                kept += 1;
            }
        }
        edges.truncate(kept);
        Ok(all)
    }

    fn location(&self, node: u32) -> usize {
        self.product.location(node)
    }

    fn report_bytes(&mut self, bytes: usize) {
        self.product.note_bytes(bytes);
    }
}
