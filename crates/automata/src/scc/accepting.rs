//! Accepting components, for any acceptance condition.
//!
//! A component without relevant `Fin` terms is accepting if its marks satisfy the condition.
//! Otherwise a `Fin` mark gives two cases: it is seen finitely often, so its edges can be removed,
//! or its term can be dropped. See Emerson and Lei (1987) for Streett conditions; Baier, Blahoudek,
//! Duret-Lutz, Klein, Müller and Strejček (ATVA 2019) for all. Linear in the component for each
//! case. The number of cases is exponential only in the number of `Fin` marks of a disjunct that
//! are not conjuncts of it.

use super::Sccs;
use crate::acceptance::Condition;
use crate::automaton::Automaton;
use crate::graph::{FunctionGraph, Identity};
use crate::index::{SccId, StateId};
use crate::marks::{Mark, Marks};
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A strongly connected part of an automaton: a run that finally takes exactly its edges infinitely
/// often is accepting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptingPart {
    /// The states.
    pub states: Vec<StateId>,
    /// The marks to avoid: the part has the edges between its states without these marks.
    pub avoided: Marks,
}

impl Sccs {
    /// True if the component has a cycle that satisfies the acceptance condition.
    pub fn is_accepting(&self, automaton: &Automaton, scc: SccId) -> bool {
        match self.decide_by_marks(automaton, scc) {
            Some(answer) => answer,
            None => self.accepting_part(automaton, scc).is_some(),
        }
    }

    /// By component, whether it is accepting.
    pub fn accepting(&self, automaton: &Automaton) -> Vec<bool> {
        let mut search = None;
        self.iter()
            .map(|scc| {
                self.decide_by_marks(automaton, scc).unwrap_or_else(|| {
                    let search = search.get_or_insert_with(|| Search::new(automaton));
                    search.part(self.states(scc), automaton.acceptance().condition()).is_some()
                })
            })
            .collect()
    }

    /// Returns an accepting part of the component, or all of it; `None` if it is rejecting.
    pub fn accepting_part(&self, automaton: &Automaton, scc: SccId) -> Option<AcceptingPart> {
        let condition = automaton.acceptance().condition();
        Search::new(automaton).part(self.states(scc), condition)
    }

    /// Decides the cases without a search: no cycle, its marks satisfy the condition, or no subset
    /// of them can.
    fn decide_by_marks(&self, automaton: &Automaton, scc: SccId) -> Option<bool> {
        let condition = automaton.acceptance().condition();
        if self.is_trivial(scc) {
            Some(false)
        } else if condition.accepts(self.marks(scc)) {
            Some(true)
        } else if !satisfiable(condition, self.marks(scc)) {
            Some(false)
        } else {
            None
        }
    }
}

/// False if no subset of these marks satisfies the condition; may be true in other cases.
pub(crate) fn satisfiable(condition: &Condition, marks: &Marks) -> bool {
    match condition {
        Condition::True | Condition::Fin(_) => true,
        Condition::False => false,
        Condition::Inf(mark) => marks.contains(*mark),
        Condition::And(operands) => operands.iter().all(|c| satisfiable(c, marks)),
        Condition::Or(operands) => operands.iter().any(|c| satisfiable(c, marks)),
    }
}

/// The remaining parts of an automaton to search, and their conditions.
pub(super) struct Search<'a> {
    graph: Part<'a>,
    components: super::Search<Identity>,
    tasks: Vec<Task>,
}

/// States that are strongly connected by edges without the avoided marks.
struct Task {
    states: Rc<[u32]>,
    avoided: Marks,
    /// Contains no avoided mark.
    condition: Condition,
}

impl<'a> Search<'a> {
    pub(super) fn new(automaton: &'a Automaton) -> Self {
        let count = automaton.state_count();
        let graph = Part { automaton, region: vec![0; count], current: 0, avoided: Marks::EMPTY };
        Search { graph, components: super::Search::new(Identity), tasks: vec![] }
    }

    pub(super) fn part(
        &mut self,
        component: &[StateId],
        condition: &Condition,
    ) -> Option<AcceptingPart> {
        self.tasks.clear();
        self.tasks.push(Task {
            states: component.iter().map(|state| state.index() as u32).collect(),
            avoided: Marks::EMPTY,
            condition: condition.clone(),
        });
        while let Some(task) = self.tasks.pop() {
            sempre_ltl::interrupt::poll();
            let (has_edges, marks) = self.graph.focus(&task);
            if !has_edges {
                continue;
            }
            let absent = &task.condition.marks() - &marks;
            let condition = task.condition.without(&absent);
            if condition.accepts(&marks) {
                let states = task.states.iter().map(|&s| StateId::new(s as usize)).collect();
                return Some(AcceptingPart { states, avoided: task.avoided });
            }
            match condition {
                Condition::Or(disjuncts) => {
                    for disjunct in disjuncts.into_iter().filter(|d| satisfiable(d, &marks)) {
                        self.tasks.push(task.with(disjunct));
                    }
                }
                condition if satisfiable(&condition, &marks) => self.split(&task, &condition),
                _ => {}
            }
        }
        None
    }

    /// Adds the remaining tasks for a condition, not a disjunction, that the marks of the part do
    /// not satisfy.
    fn split(&mut self, task: &Task, condition: &Condition) {
        let required = required_fin(condition);
        if !required.is_empty() {
            self.avoid(task, condition, &required);
        } else if let Some(mark) = some_fin(condition) {
            self.avoid(task, condition, &Marks::from_iter([mark]));
            self.tasks.push(task.with(condition.replace(&|term| match term {
                Condition::Fin(m) if *m == mark => Condition::False,
                other => other.clone(),
            })));
        }
    }

    /// Adds the components that remain without the edges that have one of these marks.
    fn avoid(&mut self, task: &Task, condition: &Condition, marks: &Marks) {
        let avoided = &task.avoided | marks;
        let condition = condition.without(marks);
        self.components.forget(task.states.iter().copied());
        self.graph.avoided = avoided.clone();
        let graph = &self.graph;
        let edges = |state| graph.automaton.edge_range(StateId::new(state as usize));
        let targets = |state| edges(state).filter_map(|edge| graph.target(edge));
        let arrows = FunctionGraph::new(graph.region.len(), targets);
        for &root in task.states.iter() {
            let ControlFlow::Continue(()) = self.components.each(&arrows, root, |states| {
                if states.len() > 1 || graph.has_loop(states[0]) {
                    self.tasks.push(Task {
                        states: states.into(),
                        avoided: avoided.clone(),
                        condition: condition.clone(),
                    });
                }
                ControlFlow::<Infallible>::Continue(())
            });
        }
    }
}

impl Task {
    /// Replaces the condition.
    fn with(&self, condition: Condition) -> Self {
        Task { states: self.states.clone(), avoided: self.avoided.clone(), condition }
    }
}

/// Returns the marks that the condition requires to be seen finitely often in any case.
fn required_fin(condition: &Condition) -> Marks {
    match condition {
        Condition::Fin(mark) => Marks::from_iter([*mark]),
        Condition::And(operands) => operands
            .iter()
            .filter_map(|operand| match operand {
                Condition::Fin(mark) => Some(*mark),
                _ => None,
            })
            .collect(),
        _ => Marks::EMPTY,
    }
}

fn some_fin(condition: &Condition) -> Option<Mark> {
    condition.inf_and_fin().1.iter().next()
}

/// The current part of an automaton: the states of the region, and the edges between them without
/// avoided marks.
struct Part<'a> {
    automaton: &'a Automaton,
    region: Vec<u32>,
    current: u32,
    avoided: Marks,
}

impl Part<'_> {
    /// Makes the part of a task the current one; returns whether it has edges, and their marks.
    fn focus(&mut self, task: &Task) -> (bool, Marks) {
        self.current += 1;
        self.avoided = task.avoided.clone();
        task.states.iter().for_each(|&state| self.region[state as usize] = self.current);
        let (mut has_edges, mut marks) = (false, Marks::EMPTY);
        for &state in task.states.iter() {
            for edge in self.automaton.edge_range(StateId::new(state as usize)) {
                if self.target(edge).is_some() {
                    has_edges = true;
                    marks |= &self.automaton.edges()[edge].marks;
                }
            }
        }
        (has_edges, marks)
    }

    fn has_loop(&self, state: u32) -> bool {
        let mut edges = self.automaton.edge_range(StateId::new(state as usize));
        edges.any(|edge| self.target(edge) == Some(state))
    }

    /// Returns the target of the edge, if the edge belongs to the part.
    fn target(&self, edge: usize) -> Option<u32> {
        let edge = &self.automaton.edges()[edge];
        let inside = self.region[edge.target.index()] == self.current
            && edge.marks.is_disjoint(&self.avoided);
        inside.then_some(edge.target.index() as u32)
    }
}
