//! The constructions of semi-deterministic and cut-deterministic automata: both parts are explored
//! as sets of states.
//!
//! The first part is the automaton without marks, or its powerset. An edge with the cut mark also
//! leads to the second part. A state there has a set R of states, a level l, and a subset B of R.
//! The powerset inside one component updates R. B has the states that runs reach through mark l
//! since the last breakpoint. When B equals R there is a breakpoint: the edge is marked, and the
//! level advances. The number of edges is limited.

use super::{Reset, with_marks};
use crate::subset::{self, StateSet};
use crate::{
    Automaton, AutomatonBuilder, Label, Marks, Named, Sccs, SemiDeterminism, StateId, mark_cleanup,
};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;
use std::hash::Hash;

/// The parameters of one construction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) reset: Reset,
    /// Below the number of marks.
    pub(super) cut_mark: u32,
    pub(super) by_component: bool,
    pub(super) cut_deterministic: bool,
    pub(super) steps: usize,
    /// A fault, which tests must find: as printed, B is never all of R.
    #[cfg(test)]
    pub(super) literal: bool,
}

/// A state of the result.
#[derive(Clone, PartialEq, Eq, Hash)]
enum State {
    First(StateSet),
    Second { reached: StateSet, seen: StateSet, level: u32 },
}

/// States of a result with numbers, and its edges.
pub(super) struct Building<S> {
    numbers: FxHashMap<S, StateId>,
    pub(super) states: Vec<S>,
    pub(super) builder: AutomatonBuilder,
    steps: usize,
}

impl<S: Clone + Eq + Hash> Building<S> {
    pub(super) fn new(automaton: &Automaton, steps: usize) -> Self {
        let builder = Automaton::builder(automaton.alphabet().clone());
        Building { numbers: FxHashMap::default(), states: vec![], builder, steps }
    }

    pub(super) fn number(&mut self, state: S) -> StateId {
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.builder.add_state()
        })
    }

    /// Adds an edge; false if there are too many.
    pub(super) fn edge(&mut self, source: usize, label: Label, marks: Marks, target: S) -> bool {
        interrupt::poll();
        let Some(steps) = self.steps.checked_sub(1) else { return false };
        self.steps = steps;
        let target = self.number(target);
        self.builder.edge(StateId::new(source), label, marks, target);
        true
    }
}

/// Makes a generalized Büchi automaton semi-deterministic or cut-deterministic; `None` if it takes
/// too many steps. Does not remove useless states.
pub(super) fn construct(automaton: &Automaton, options: Options) -> Option<Automaton> {
    let automaton = &with_marks(automaton);
    let marks = automaton.acceptance().marks();
    let width = subset::width(automaton.state_count());
    let sccs = Sccs::of(automaton);
    let mut result = Building::new(automaton, options.steps);
    let initial = automaton.initial().iter();
    let starts: Vec<StateSet> = match options.cut_deterministic {
        true => vec![subset::set(width, initial.copied())],
        false => initial.map(|state| subset::set(width, [*state])).collect(),
    };
    for start in starts.into_iter().filter(|start| !subset::is_empty(start)) {
        interrupt::poll();
        let state = result.number(State::First(start));
        result.builder.initial(state);
    }
    let mut next = 0;
    while next < result.states.len() {
        interrupt::poll();
        let done = match result.states[next].clone() {
            State::First(states) => first(automaton, options, &mut result, next, &states),
            #[cfg(test)]
            State::Second { reached, seen, .. } if options.literal && reached == seen => true,
            State::Second { reached, seen, level } => {
                let component = subset::states(&reached)
                    .next()
                    .and_then(|state| sccs.component(state))
                    .filter(|_| options.by_component);
                let inside = |state| component.is_none() || sccs.component(state) == component;
                let second = Second { automaton, reached: &reached, seen: &seen, level, marks };
                second.edges(options.reset, inside, &mut result, next)
            }
        };
        if !done {
            return None;
        }
        next += 1;
    }
    result.builder.acceptance(Named::Buchi.acceptance());
    Some(result.builder.build())
}

/// Adds the edges of a state of the first part; false if there are too many.
fn first(
    automaton: &Automaton,
    options: Options,
    result: &mut Building<State>,
    number: usize,
    states: &StateSet,
) -> bool {
    let width = states.len();
    let second = |state| State::Second {
        reached: subset::set(width, [state]),
        seen: subset::empty(width),
        level: 0,
    };
    for class in subset::classes(automaton, states) {
        interrupt::poll();
        let mut targets = subset::empty(width);
        let mut cuts = subset::empty(width);
        for (_, edge) in &class.edges {
            let edge = automaton.edge(*edge);
            subset::insert(&mut targets, edge.target);
            if edge.marks.contains(options.cut_mark) {
                subset::insert(&mut cuts, edge.target);
            }
        }
        let sets: Vec<StateSet> = match options.cut_deterministic {
            true if subset::is_empty(&targets) => vec![],
            true => vec![targets],
            false => subset::states(&targets).map(|state| subset::set(width, [state])).collect(),
        };
        let first = sets.into_iter().map(State::First);
        for target in first.chain(subset::states(&cuts).map(second)) {
            interrupt::poll();
            if !result.edge(number, class.label, Marks::EMPTY, target) {
                return false;
            }
        }
    }
    true
}

/// A state of the second part.
struct Second<'a> {
    automaton: &'a Automaton,
    reached: &'a StateSet,
    seen: &'a StateSet,
    level: u32,
    marks: u32,
}

impl Second<'_> {
    /// Adds its edges; false if there are too many.
    fn edges(
        &self,
        reset: Reset,
        inside: impl Fn(StateId) -> bool,
        result: &mut Building<State>,
        number: usize,
    ) -> bool {
        let following = (self.level + 1) % self.marks;
        for class in subset::classes(self.automaton, self.reached) {
            interrupt::poll();
            let mut reached = subset::empty(self.reached.len());
            let (mut seen, mut after) = (reached.clone(), reached.clone());
            for (source, edge) in class.edges {
                let edge = self.automaton.edge(edge);
                if !inside(edge.target) {
                    continue;
                }
                subset::insert(&mut reached, edge.target);
                if subset::contains(self.seen, source) || edge.marks.contains(self.level) {
                    subset::insert(&mut seen, edge.target);
                }
                if edge.marks.contains(following) {
                    subset::insert(&mut after, edge.target);
                }
            }
            if subset::is_empty(&reached) {
                continue;
            }
            let breakpoint = seen == reached;
            let (seen, level) = match (breakpoint, reset) {
                (false, _) => (seen, self.level),
                (true, Reset::Track) => (after, following),
                (true, Reset::Empty) => (subset::empty(reached.len()), following),
            };
            let marks = if breakpoint { Marks::from_iter([0]) } else { Marks::EMPTY };
            let target = State::Second { reached, seen, level };
            if !result.edge(number, class.label, marks, target) {
                return false;
            }
        }
        true
    }
}

/// Makes a semi-deterministic automaton cut-deterministic: the powerset of its first part, followed
/// by the unchanged second part, which is as large as possible. `None` if it takes too many steps.
///
/// The first set contains the initial states of the second part, and no set leads back to it.
pub(super) fn cut_determinize(automaton: &Automaton, steps: usize) -> Option<Automaton> {
    let automaton = &mark_cleanup::outside_components(automaton);
    let largest = SemiDeterminism::of(automaton).largest;
    let width = subset::width(automaton.state_count());
    let mut result: Building<Part> = Building::new(automaton, steps);
    result.builder.acceptance(automaton.acceptance().clone());
    let start = subset::set(width, automaton.initial().iter().copied());
    if !subset::is_empty(&start) {
        let state = result.number(Part::Set(start));
        result.builder.initial(state);
    }
    let mut next = 0;
    while next < result.states.len() {
        interrupt::poll();
        match result.states[next].clone() {
            Part::Set(states) => {
                for class in subset::classes(automaton, &states) {
                    interrupt::poll();
                    let mut first = subset::empty(width);
                    let mut second = subset::empty(width);
                    for (_, edge) in class.edges {
                        let target = automaton.edge(edge).target;
                        let part = if largest[target.index()] { &mut second } else { &mut first };
                        subset::insert(part, target);
                    }
                    let set = (!subset::is_empty(&first)).then_some(Part::Set(first));
                    for target in set.into_iter().chain(subset::states(&second).map(Part::State)) {
                        interrupt::poll();
                        if !result.edge(next, class.label, Marks::EMPTY, target) {
                            return None;
                        }
                    }
                }
            }
            Part::State(state) => {
                for edge in automaton.edges_from(state) {
                    let target = Part::State(edge.target);
                    if !result.edge(next, edge.label, edge.marks.clone(), target) {
                        return None;
                    }
                }
            }
        }
        next += 1;
    }
    Some(result.builder.build())
}

/// A state of a cut-deterministic automaton.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Part {
    Set(StateSet),
    State(StateId),
}
