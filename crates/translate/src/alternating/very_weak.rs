//! Formulas to very weak alternating automata.
//!
//! P. Gastin and D. Oddoux, Fast LTL to Büchi automata translation (CAV 2001), Section 3. States
//! are temporal subformulas, and self-loops are the only cycles. Labels are Boolean functions, so
//! Boolean subformulas need no states or choices. The number of steps may be exponential in the
//! number of subformulas, because Boolean combinations are expanded.

use super::states::States;
use super::step::{Configuration, Redundancy, Step, product};
use crate::normal_form::label;
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Label};
use sempre_ltl::{Formula, Op, Traits, interrupt, transform};
use std::rc::Rc;
use std::sync::Arc;

/// The time that runs may remain in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stay {
    /// For one letter.
    Once,
    /// For a finite time: runs that remain are rejected.
    Finitely,
    /// Forever.
    Forever,
}

pub(super) struct State {
    pub(super) formula: Formula,
    pub(super) stay: Stay,
    /// True if no prefix of a word affects its acceptance.
    pub(super) alternating: bool,
    /// For `G f`, the state of `f`, if it has one: a configuration with `G f` needs no `f`.
    pub(super) body: Option<u32>,
    pub(super) steps: Vec<Step>,
}

/// A very weak alternating automaton with co-Büchi acceptance.
pub(super) struct VeryWeak {
    pub(super) alphabet: Arc<Alphabet>,
    pub(super) states: Vec<State>,
    /// The initial configurations.
    pub(super) initial: Vec<Configuration>,
}

impl VeryWeak {
    /// The automaton of a formula in normal form.
    pub(super) fn of(formula: &Formula, alphabet: Arc<Alphabet>, options: Options) -> Self {
        let formula = split_invariants(formula);
        let mut builder = Builder {
            alphabet,
            options,
            numbers: FxHashMap::default(),
            formulas: vec![],
            steps: FxHashMap::default(),
            ways: FxHashMap::default(),
        };
        builder.compute(Task::Ways(formula.clone()));
        let initial = builder.ways[&formula].to_vec();
        let mut states = vec![];
        while let Some(formula) = builder.formulas.get(states.len()).cloned() {
            interrupt::poll();
            builder.compute(Task::Steps(formula.clone()));
            states.push(builder.state(formula, states.len() as u32));
        }
        // A state that occurs only as a body is not reachable.
        let mut automaton = VeryWeak { alphabet: builder.alphabet, states, initial };
        for state in &mut automaton.states {
            if state.formula.op() == Op::Globally {
                state.body = builder.numbers.get(&state.formula.children()[0]).copied();
            }
        }
        for state in 0..automaton.states.len() as u32 {
            automaton.note_fulfilled(state);
        }
        automaton
    }

    pub(super) fn state(&self, number: u32) -> &State {
        &self.states[number as usize]
    }

    /// Returns the states in which runs must not remain forever.
    pub(super) fn promises(&self) -> impl Iterator<Item = u32> {
        (0..self.states.len() as u32).filter(|&state| self.state(state).stay == Stay::Finitely)
    }

    /// Records that steps of a state fulfil its promise, or that of its body.
    fn note_fulfilled(&mut self, number: u32) {
        let state = self.state(number);
        let body = state.body.filter(|&body| self.state(body).stay == Stay::Finitely);
        let own = (state.stay == Stay::Finitely).then_some(number);
        let Some(promise) = own.or(body) else { return };
        for step in &mut self.states[number as usize].steps {
            if !step.target.contains(promise) {
                step.fulfilled = States::one(promise);
            }
        }
    }

    /// Removes redundant states from a configuration.
    pub(super) fn tidy(&self, configuration: &mut Configuration) {
        let states = &configuration.states;
        let body = |state: u32| self.state(state).body;
        if states.iter().any(|state| body(state).is_some_and(|body| states.contains(body))) {
            let implied = |state: u32| states.iter().any(|other| body(other) == Some(state));
            configuration.states = states.iter().filter(|&state| !implied(state)).collect();
        }
    }
}

/// The optional improvements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) spare: Redundancy,
    /// Disjunctions that no prefix decides are states while they are suspended.
    pub(super) keep_alternating: bool,
}

/// Rewrites `G(f & F g)` to `G f & G F g`, so that the promises of an invariant need no state
/// beside it.
fn split_invariants(formula: &Formula) -> Formula {
    let promise = |f: &Formula| matches!(f.op(), Op::Finally | Op::Until | Op::StrongRelease);
    transform(formula, |f| match (f.op(), f.children()) {
        (Op::Globally, [body]) if body.op() == Op::And && body.children().iter().any(promise) => {
            let (promises, rest): (Vec<_>, Vec<_>) =
                body.children().iter().cloned().partition(promise);
            let rest = (!rest.is_empty()).then(|| Formula::and(rest));
            Formula::and(promises.into_iter().chain(rest).map(Formula::globally))
        }
        _ => f,
    })
}

/// True if no prefix of a word decides whether it satisfies the formula.
fn is_alternating(formula: &Formula) -> bool {
    formula.is(Traits::EVENTUAL | Traits::UNIVERSAL) && !formula.is(Traits::BOOLEAN)
}

/// A computation for a formula.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Task {
    /// The steps that satisfy it from now on.
    Steps(Formula),
    /// The configurations that satisfy it from the next letter on.
    Ways(Formula),
}

struct Builder {
    alphabet: Arc<Alphabet>,
    options: Options,
    numbers: FxHashMap<Formula, u32>,
    /// The formulas of the states by number.
    formulas: Vec<Formula>,
    steps: FxHashMap<Formula, Rc<[Step]>>,
    ways: FxHashMap<Formula, Rc<[Configuration]>>,
}

impl Builder {
    fn state(&self, formula: Formula, number: u32) -> State {
        let stay = match formula.op() {
            Op::Finally | Op::Until | Op::StrongRelease => Stay::Finitely,
            Op::Globally | Op::Release | Op::WeakUntil => Stay::Forever,
            _ => Stay::Once,
        };
        debug_assert_eq!(self.numbers[&formula], number);
        let steps = self.steps[&formula].to_vec();
        State { stay, alternating: is_alternating(&formula), body: None, steps, formula }
    }

    /// Computes the task, after those that it depends on.
    fn compute(&mut self, task: Task) {
        let mut stack = vec![task];
        while let Some(task) = stack.last().cloned() {
            let before = stack.len();
            if !self.is_done(&task) {
                interrupt::poll();
                stack.extend(self.needs(&task).into_iter().filter(|need| !self.is_done(need)));
                if stack.len() > before {
                    continue;
                }
                self.finish(task);
            }
            stack.pop();
        }
    }

    fn is_done(&self, task: &Task) -> bool {
        match task {
            Task::Steps(formula) => self.steps.contains_key(formula),
            Task::Ways(formula) => self.ways.contains_key(formula),
        }
    }

    /// True if the formula is satisfied by combinations of configurations of its operands.
    fn is_combined(&self, formula: &Formula) -> bool {
        let kept = self.options.keep_alternating && is_alternating(formula);
        !formula.is(Traits::BOOLEAN)
            && match formula.op() {
                Op::And => true,
                Op::Or => !kept,
                _ => false,
            }
    }

    fn needs(&self, task: &Task) -> Vec<Task> {
        let operands = |f: &Formula, task: fn(Formula) -> Task| {
            f.children().iter().cloned().map(task).collect::<Vec<_>>()
        };
        match task {
            Task::Steps(f) if f.is(Traits::BOOLEAN) => vec![],
            Task::Steps(f) if f.op() == Op::Next => operands(f, Task::Ways),
            Task::Steps(f) => operands(f, Task::Steps),
            Task::Ways(f) if self.is_combined(f) => operands(f, Task::Ways),
            Task::Ways(_) => vec![],
        }
    }

    fn finish(&mut self, task: Task) {
        match task {
            Task::Steps(formula) => {
                let steps = self.steps_of(&formula);
                let steps = self.options.spare.steps(steps, &self.alphabet);
                self.steps.insert(formula, steps.into());
            }
            Task::Ways(formula) => {
                let ways = self.ways_of(&formula);
                self.ways.insert(formula, ways.into());
            }
        }
    }

    fn steps_of(&mut self, f: &Formula) -> Vec<Step> {
        if f.is(Traits::BOOLEAN) {
            let label = label(f, &self.alphabet);
            return self.step(label, States::default()).into_iter().collect();
        }
        let operand = |i: usize| self.steps[&f.children()[i]].clone();
        let then = |left: &[Step], right: &[Step]| {
            product(left, right, &self.alphabet).collect::<Vec<Step>>()
        };
        match f.op() {
            Op::And => {
                let spare = self.options.spare;
                let mut operands = f.children().iter().map(|child| &self.steps[child]);
                let first = operands.next().map(|steps| steps.to_vec()).unwrap_or_default();
                operands.fold(first, |all, more| spare.steps(then(&all, more), &self.alphabet))
            }
            Op::Or => f.children().iter().flat_map(|g| self.steps[g].iter().cloned()).collect(),
            Op::Next => {
                let tt = self.alphabet.tt();
                let step = |target: &Configuration| Step {
                    label: tt,
                    target: target.clone(),
                    fulfilled: States::default(),
                };
                self.ways[&f.children()[0]].iter().map(step).collect()
            }
            op => {
                let (first, last) = (operand(0), operand(f.children().len() - 1));
                let own = self.number(f);
                let stay = self.step(self.alphabet.tt(), States::one(own));
                let then = |left: &[Step], right: &[Step]| {
                    product(left, right, &self.alphabet).collect::<Vec<Step>>()
                };
                let either = |left: &[Step], right: &[Step]| [left, right].concat();
                match op {
                    Op::Finally => either(&first, &stay),
                    Op::Globally => then(&first, &stay),
                    Op::Until | Op::WeakUntil => either(&last, &then(&first, &stay)),
                    Op::Release | Op::StrongRelease => then(&last, &either(&first, &stay)),
                    _ => unreachable!("{op:?} is not in normal form"),
                }
            }
        }
    }

    fn ways_of(&mut self, f: &Formula) -> Vec<Configuration> {
        if f.is(Traits::BOOLEAN) {
            let guard = label(f, &self.alphabet);
            let possible = guard != self.alphabet.ff();
            return possible
                .then(|| Configuration { guard, states: States::default() })
                .into_iter()
                .collect();
        }
        if !self.is_combined(f) {
            let states = States::one(self.number(f));
            return vec![Configuration { guard: self.alphabet.tt(), states }];
        }
        let mut operands = f.children().iter().map(|child| &self.ways[child]);
        if f.op() == Op::Or {
            return self.without_covered(operands.flat_map(|ways| ways.iter().cloned()).collect());
        }
        let first = operands.next().map(|ways| ways.to_vec()).unwrap_or_default();
        operands.fold(first, |all, more| {
            let both = all.iter().flat_map(|l| {
                more.iter().filter_map(|r| {
                    interrupt::poll();
                    l.join(r, &self.alphabet)
                })
            });
            self.without_covered(both.collect())
        })
    }

    /// Removes configurations with more obligations than another one.
    fn without_covered(&self, mut ways: Vec<Configuration>) -> Vec<Configuration> {
        ways.sort_by(|l, r| (l.states.len(), &l.states).cmp(&(r.states.len(), &r.states)));
        ways.dedup_by(|later, earlier| {
            let same = later.states == earlier.states;
            if same {
                earlier.guard = self.alphabet.or(earlier.guard, later.guard);
            }
            same
        });
        let mut kept: Vec<Configuration> = Vec::with_capacity(ways.len());
        for way in ways {
            interrupt::poll();
            if !kept.iter().any(|other| other.covers(&way, &self.alphabet)) {
                kept.push(way);
            }
        }
        kept
    }

    /// Returns the step on these letters to these states, unless the label is empty.
    fn step(&self, label: Label, states: States) -> Vec<Step> {
        let target = Configuration { guard: self.alphabet.tt(), states };
        let step = Step { label, target, fulfilled: States::default() };
        (label != self.alphabet.ff()).then_some(step).into_iter().collect()
    }

    /// Returns the state of a formula.
    fn number(&mut self, formula: &Formula) -> u32 {
        *self.numbers.entry(formula.clone()).or_insert_with(|| {
            self.formulas.push(formula.clone());
            self.formulas.len() as u32 - 1
        })
    }
}
