//! Which components have an accepting cycle, for any acceptance condition.
//!
//! A component without `Fin` terms to respect is accepting if its marks satisfy the condition.
//! Otherwise a `Fin` mark is chosen: either it is seen finitely often, and the edges that carry it
//! can be removed, or its term can be dropped (Emerson and Lei 1987 for Streett conditions; Baier,
//! Blahoudek, Duret-Lutz, Klein, Müller and Strejček, ATVA 2019, for all). The cost is linear in
//! the component, times the number of ways in which the `Fin` marks can be chosen: exponential in
//! the number of `Fin` marks of a disjunct that are not conjuncts of it, and of nothing else.

use super::Sccs;
use crate::acceptance::Condition;
use crate::automaton::Automaton;
use crate::graph::{Arrows, Itself};
use crate::index::{SccId, StateId};
use crate::marks::{Mark, Marks};
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A strongly connected part of an automaton: a run that takes all its edges infinitely often, and
/// from some point on no others, is accepting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptingPart {
    /// The states.
    pub states: Vec<StateId>,
    /// Edges between the states belong to the part unless they have one of these marks.
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

    /// For each component whether it is accepting.
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

    /// The whole component or a part of it that proves it accepting; `None` if it is rejecting.
    pub fn accepting_part(&self, automaton: &Automaton, scc: SccId) -> Option<AcceptingPart> {
        let condition = automaton.acceptance().condition();
        Search::new(automaton).part(self.states(scc), condition)
    }

    /// The cases without a search: no cycle, the marks satisfy the condition as they are, or not
    /// even if no mark were to be avoided.
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

/// False if no set of these marks satisfies the condition; it may be true otherwise.
pub(crate) fn satisfiable(condition: &Condition, marks: &Marks) -> bool {
    match condition {
        Condition::True | Condition::Fin(_) => true,
        Condition::False => false,
        Condition::Inf(mark) => marks.contains(*mark),
        Condition::And(operands) => operands.iter().all(|c| satisfiable(c, marks)),
        Condition::Or(operands) => operands.iter().any(|c| satisfiable(c, marks)),
    }
}

/// The parts of an automaton still to be looked at, and what they must satisfy.
pub(super) struct Search<'a> {
    graph: Part<'a>,
    components: super::Search<Itself>,
    tasks: Vec<Task>,
}

/// States, strongly connected by the edges without the avoided marks.
struct Task {
    states: Rc<[u32]>,
    avoided: Marks,
    /// Mentions no avoided mark.
    condition: Condition,
}

impl<'a> Search<'a> {
    pub(super) fn new(automaton: &'a Automaton) -> Self {
        let count = automaton.state_count();
        let graph = Part { automaton, region: vec![0; count], current: 0, avoided: Marks::EMPTY };
        Search { graph, components: super::Search::new(Itself), tasks: vec![] }
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

    /// Adds the tasks that remain for a condition, no disjunction, that the marks of the part do
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

    /// Adds the components that are left without the edges that have one of these marks.
    fn avoid(&mut self, task: &Task, condition: &Condition, marks: &Marks) {
        let avoided = &task.avoided | marks;
        let condition = condition.without(marks);
        self.components.forget(task.states.iter().copied());
        self.graph.avoided = avoided.clone();
        let graph = &self.graph;
        let edges = |state| graph.automaton.edge_range(StateId::new(state as usize));
        let targets = |state| edges(state).filter_map(|edge| graph.target(edge));
        let arrows = Arrows::new(graph.region.len(), targets);
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
    /// The same part with another condition.
    fn with(&self, condition: Condition) -> Self {
        Task { states: self.states.clone(), avoided: self.avoided.clone(), condition }
    }
}

/// The marks that the condition demands to be seen finitely often, whatever else holds.
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

/// The part of an automaton at work: the states of the current region, and the edges between them
/// without the avoided marks.
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

    /// Where the edge leads, if it belongs to the part.
    fn target(&self, edge: usize) -> Option<u32> {
        let edge = &self.automaton.edges()[edge];
        let inside = self.region[edge.target.index()] == self.current
            && edge.marks.is_disjoint(&self.avoided);
        inside.then_some(edge.target.index() as u32)
    }
}
