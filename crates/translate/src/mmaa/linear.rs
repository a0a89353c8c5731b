//! Formulas to linear alternating automata, whose only cycles are self-loops.
//!
//! F. Blahoudek, Automata for formal methods (2018), Sections 5.2 and 5.5. States are temporal
//! subformulas and maximal Boolean ones. Formulas of LTL(Fs,Gs) give automata of may- and
//! must-states; those of LTL∖G(U,X) also have until-states, before the others. The other operators
//! are also translated, for printing. At most 128 states; the number of steps may be exponential.

use super::{Limit, Options};
use crate::normal_form;
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, AlternatingAutomaton, Label, Marks, Named, StateId};
use sempre_ltl::{Formula, Op, Traits, interrupt, transform};
use std::rc::Rc;
use std::sync::Arc;

/// A set of states, a bit for each.
pub(super) type Set = u128;

/// The maximal number of states, which must fit into a set.
pub(super) const MAX_STATES: usize = Set::BITS as usize;

/// The maximal number of steps of a state, and of initial configurations.
const MAX_STEPS: usize = 1 << 14;

/// The states of a set, ascending.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

/// A choice for the letters of a label: all states of a set follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) label: Label,
    pub(super) target: Set,
}

/// How runs may stay in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// All steps loop, and a run may stay.
    Must,
    /// The state alone loops, and a run must leave.
    May,
    /// Some steps loop, together with other states; a run must leave.
    Until,
    /// Some steps loop, and a run may stay.
    Release,
    /// No step loops.
    Loopless,
}

/// A state with its steps.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) formula: Formula,
    pub(super) shape: Shape,
    pub(super) steps: Vec<Step>,
}

/// A linear alternating automaton; runs must not stay in may- and until-states forever.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) alphabet: Arc<Alphabet>,
    pub(super) states: Vec<State>,
    /// The initial sets of states.
    pub(super) initial: Vec<Set>,
}

/// Returns the formula in negation normal form, without strict operators and without `M`.
pub(super) fn normal_form(formula: &Formula) -> Formula {
    transform(&normal_form::normal_form(formula), |f| match (f.op(), f.children()) {
        (Op::StrongRelease, [left, right]) => {
            Formula::until(right.clone(), Formula::and([left.clone(), right.clone()]))
        }
        _ => f,
    })
}

/// Rewrites `GF f` to `G X F f` and `FG f` to `F X G f`, which gives fewer macrostates.
pub(super) fn with_strict_limits(formula: &Formula) -> Formula {
    transform(formula, |f| match (f.op(), f.children()) {
        (Op::Globally, [body]) if body.op() == Op::Finally => {
            Formula::globally(Formula::next(body.clone()))
        }
        (Op::Finally, [body]) if body.op() == Op::Globally => {
            Formula::finally(Formula::next(body.clone()))
        }
        _ => f,
    })
}

/// Rewrites `GF f | GF g` to `GF (f | g)` and `FG f & FG g` to `FG (f & g)`.
pub(super) fn with_joint_limits(formula: &Formula) -> Formula {
    transform(formula, |f| {
        let [outer, inner] = match f.op() {
            Op::Or => [Op::Globally, Op::Finally],
            Op::And => [Op::Finally, Op::Globally],
            _ => return f,
        };
        let is_limit = |f: &&Formula| f.op() == outer && f.children()[0].op() == inner;
        let (limits, mut rest): (Vec<&Formula>, Vec<&Formula>) =
            f.children().iter().partition(is_limit);
        if limits.len() < 2 {
            return f;
        }
        let bodies = limits.iter().map(|limit| limit.children()[0].children()[0].clone());
        let body = Formula::new(f.op(), bodies.collect::<Vec<_>>());
        let joint = Formula::new(outer, [Formula::new(inner, [body])]);
        rest.push(&joint);
        Formula::new(f.op(), rest.into_iter().cloned().collect::<Vec<_>>())
    })
}

impl Linear {
    /// Translates a formula in [normal form](normal_form).
    pub(super) fn of(
        formula: &Formula,
        alphabet: Arc<Alphabet>,
        options: &Options,
    ) -> Result<Self, Limit> {
        let mut builder = Builder {
            alphabet,
            spare: options.redundant_transitions,
            numbers: FxHashMap::default(),
            formulas: vec![],
            steps: FxHashMap::default(),
            ways: FxHashMap::default(),
        };
        let initial = builder.ways(formula)?.to_vec();
        if !options.unreachable_states {
            for f in formula.subformulas().filter(|f| !matches!(f.op(), Op::And | Op::Or)) {
                builder.number(&f)?;
            }
        }
        let mut states = vec![];
        while let Some(formula) = builder.formulas.get(states.len()).cloned() {
            let steps = builder.steps(&formula)?.to_vec();
            let shape = match formula.op() {
                Op::Finally => Shape::May,
                Op::Globally => Shape::Must,
                Op::Until => Shape::Until,
                Op::Release | Op::WeakUntil => Shape::Release,
                _ => Shape::Loopless,
            };
            states.push(State { formula, shape, steps });
        }
        let mut linear = Linear { alphabet: builder.alphabet, states, initial };
        if options.equivalent_states {
            linear.merge_equivalent();
        }
        Ok(if options.unreachable_states { linear.reachable() } else { linear })
    }

    /// Returns the states of a shape.
    pub(super) fn of_shape(&self, shape: Shape) -> Set {
        let has = |state: &usize| self.states[*state].shape == shape;
        (0..self.states.len()).filter(has).fold(0, |set, state| set | 1 << state)
    }

    /// Returns the states reachable from these in one or more steps.
    pub(super) fn reachable_from(&self, from: Set) -> Set {
        let (mut reached, mut todo): (Set, Set) = (0, from);
        while todo != 0 {
            let next = members(todo).flat_map(|state| &self.states[state].steps);
            let next = next.fold(0, |all, step| all | step.target);
            todo = next & !reached;
            reached |= next;
        }
        reached
    }

    /// Merges states with the same shape and equal steps, up to the exchange of their self-loops.
    fn merge_equivalent(&mut self) {
        loop {
            interrupt::poll();
            let pair = (0..self.states.len()).find_map(|kept| {
                let other = (kept + 1..self.states.len()).find(|&s| self.are_equal(kept, s))?;
                Some((kept, other))
            });
            let Some((kept, gone)) = pair else { return };
            let renamed = |set: Set| renamed(set, gone, kept);
            self.initial.iter_mut().for_each(|set| *set = renamed(*set));
            self.initial.sort_unstable();
            self.initial.dedup();
            for state in &mut self.states {
                state.steps.iter_mut().for_each(|step| step.target = renamed(step.target));
                state.steps = tidied(std::mem::take(&mut state.steps), &self.alphabet, false);
            }
            // It is unreachable, and has no steps in common with any other state.
            self.states[gone].steps.clear();
            self.states[gone].formula = Formula::ff();
        }
    }

    fn are_equal(&self, left: usize, right: usize) -> bool {
        let (l, r) = (&self.states[left], &self.states[right]);
        l.shape == r.shape && !l.steps.is_empty() && {
            let own = |steps: &[Step], state: usize, other: usize| {
                let step = |step: &Step| {
                    let kept = step.target & !(1 << state | 1 << other);
                    let loops = step.target >> state & 1 == 1;
                    (kept, loops, step.target >> other & 1 == 1, step.label)
                };
                let mut all: Vec<_> = steps.iter().map(step).collect();
                all.sort_unstable();
                all
            };
            own(&l.steps, left, right) == own(&r.steps, right, left)
        }
    }

    /// Removes unreachable states.
    fn reachable(mut self) -> Self {
        let start = self.initial.iter().fold(0, |all, set| all | set);
        let kept = start | self.reachable_from(start);
        let place: Vec<usize> = members(kept).collect();
        let renumbered = |set: Set| {
            let kept = place.iter().enumerate().filter(|&(_, &old)| set >> old & 1 == 1);
            kept.fold(0, |all: Set, (new, _)| all | 1 << new)
        };
        let mut number = 0;
        self.states.retain(|_| {
            number += 1;
            kept >> (number - 1) & 1 == 1
        });
        self.initial.iter_mut().for_each(|set| *set = renumbered(*set));
        for step in self.states.iter_mut().flat_map(|state| &mut state.steps) {
            step.target = renumbered(step.target);
        }
        self
    }

    /// Converts to an alternating automaton, with a universal state for the empty set of states.
    pub(super) fn to_alternating(&self) -> AlternatingAutomaton {
        let mut builder = AlternatingAutomaton::builder(self.alphabet.clone());
        builder.acceptance(Named::CoBuchi.acceptance());
        builder.add_states(self.states.len());
        let empty = self.initial.contains(&0)
            || self.states.iter().any(|state| state.steps.iter().any(|step| step.target == 0));
        if empty {
            let all = builder.add_state();
            builder.edge(all, self.alphabet.tt(), Marks::EMPTY, [all]);
            builder.state_name(all, Formula::tt().to_string());
        }
        let targets = |set: Set| {
            let sink = (set == 0).then(|| StateId::new(self.states.len()));
            members(set).map(StateId::new).chain(sink)
        };
        for &start in &self.initial {
            builder.initial(targets(start));
        }
        for (number, state) in self.states.iter().enumerate() {
            let source = StateId::new(number);
            builder.state_name(source, state.formula.to_string());
            let leaves = matches!(state.shape, Shape::May | Shape::Until);
            let marks = if leaves { Marks::from_iter([0]) } else { Marks::EMPTY };
            for step in &state.steps {
                builder.edge(source, step.label, marks.clone(), targets(step.target));
            }
        }
        builder.build()
    }
}

fn renamed(set: Set, from: usize, to: usize) -> Set {
    if set >> from & 1 == 1 { set & !(1 << from) | 1 << to } else { set }
}

/// Merges steps to the same states; with `spare`, steps lose letters on which another one leads to
/// fewer states.
fn tidied(mut steps: Vec<Step>, alphabet: &Alphabet, spare: bool) -> Vec<Step> {
    steps.sort_by_key(|step| (step.target.count_ones(), step.target));
    steps.dedup_by(|later, earlier| {
        let same = later.target == earlier.target;
        if same {
            earlier.label = alphabet.or(earlier.label, later.label);
        }
        same
    });
    if spare {
        let mut kept: Vec<Step> = vec![];
        for mut step in steps {
            let better = kept.iter().filter(|better| better.target & !step.target == 0);
            step.label = better.fold(step.label, |left, b| alphabet.minus(left, b.label));
            kept.push(step);
        }
        kept.retain(|step| step.label != alphabet.ff());
        return kept;
    }
    steps
}

struct Builder {
    alphabet: Arc<Alphabet>,
    spare: bool,
    numbers: FxHashMap<Formula, usize>,
    formulas: Vec<Formula>,
    steps: FxHashMap<Formula, Rc<[Step]>>,
    ways: FxHashMap<Formula, Rc<[Set]>>,
}

impl Builder {
    /// Returns the set with the state of a formula.
    fn number(&mut self, formula: &Formula) -> Result<Set, Limit> {
        let next = self.formulas.len();
        let number = *self.numbers.entry(formula.clone()).or_insert(next);
        if number == next {
            if next == MAX_STATES {
                return Err(Limit::AlternatingStates);
            }
            self.formulas.push(formula.clone());
        }
        Ok(1 << number)
    }

    /// Returns the alternative sets of states for the formula.
    fn ways(&mut self, root: &Formula) -> Result<Rc<[Set]>, Limit> {
        let mut stack = vec![(root.clone(), false)];
        while let Some((f, ready)) = stack.pop() {
            interrupt::poll();
            if self.ways.contains_key(&f) {
                continue;
            }
            let combined = !f.is(Traits::BOOLEAN) && matches!(f.op(), Op::And | Op::Or);
            if combined && !ready {
                stack.extend(f.children().iter().map(|child| (child.clone(), false)));
                let last = stack.len() - f.children().len();
                stack.insert(last, (f, true));
                continue;
            }
            let mut ways: Vec<Set> = if f.is_true() {
                vec![0]
            } else if f.is_false() {
                vec![]
            } else if !combined {
                vec![self.number(&f)?]
            } else if f.op() == Op::Or {
                f.children().iter().flat_map(|child| self.ways[child].iter().copied()).collect()
            } else {
                let mut all: Vec<Set> = vec![0];
                for child in f.children() {
                    let more = &self.ways[child];
                    let both = all.iter().flat_map(|l| more.iter().map(move |r| l | r));
                    all = within(both.collect())?;
                }
                all
            };
            ways.sort_unstable_by_key(|set| (set.count_ones(), *set));
            ways.dedup();
            if self.spare {
                let mut kept: Vec<Set> = vec![];
                for way in ways {
                    if !kept.iter().any(|other| other & !way == 0) {
                        kept.push(way);
                    }
                }
                ways = kept;
            }
            self.ways.insert(f, ways.into());
        }
        Ok(self.ways[root].clone())
    }

    fn steps(&mut self, root: &Formula) -> Result<Rc<[Step]>, Limit> {
        let mut stack = vec![(root.clone(), false)];
        while let Some((f, ready)) = stack.pop() {
            if self.steps.contains_key(&f) {
                continue;
            }
            interrupt::poll();
            let leaf = f.is(Traits::BOOLEAN) || f.op() == Op::Next;
            if !leaf && !ready {
                stack.push((f.clone(), true));
                stack.extend(f.children().iter().map(|child| (child.clone(), false)));
                continue;
            }
            let steps = self.steps_of(&f)?;
            self.steps.insert(f, within(steps)?.into());
        }
        Ok(self.steps[root].clone())
    }

    fn steps_of(&mut self, f: &Formula) -> Result<Vec<Step>, Limit> {
        let tt = self.alphabet.tt();
        if f.is(Traits::BOOLEAN) {
            let label = normal_form::label(f, &self.alphabet);
            let step = (label != self.alphabet.ff()).then_some(Step { label, target: 0 });
            return Ok(step.into_iter().collect());
        }
        if f.op() == Op::Next {
            let ways = self.ways(&f.children()[0])?;
            return Ok(ways.iter().map(|&target| Step { label: tt, target }).collect());
        }
        let operands: Vec<Rc<[Step]>> =
            f.children().iter().map(|g| self.steps[g].clone()).collect();
        if f.op() == Op::Or {
            return Ok(self.tidied(operands.concat()));
        }
        if f.op() == Op::And {
            let mut all = vec![Step { label: tt, target: 0 }];
            for operand in &operands {
                all = within(self.product(&all, operand))?;
            }
            return Ok(all);
        }
        let stay = [Step { label: tt, target: self.number(f)? }];
        let (first, last) = (&operands[0], &operands[operands.len() - 1]);
        Ok(match f.op() {
            Op::Finally => self.tidied([&stay[..], first].concat()),
            Op::Globally => self.product(first, &stay),
            Op::Until | Op::WeakUntil => {
                self.tidied([&last[..], &self.product(first, &stay)].concat())
            }
            Op::Release => self.product(last, &[&first[..], &stay].concat()),
            op => unreachable!("{op:?} is not in normal form"),
        })
    }

    fn product(&self, left: &[Step], right: &[Step]) -> Vec<Step> {
        let mut all = vec![];
        for l in left {
            interrupt::poll();
            for r in right {
                let label = self.alphabet.and(l.label, r.label);
                if label != self.alphabet.ff() {
                    all.push(Step { label, target: l.target | r.target });
                }
            }
        }
        self.tidied(all)
    }

    fn tidied(&self, steps: Vec<Step>) -> Vec<Step> {
        tidied(steps, &self.alphabet, self.spare)
    }
}

fn within<T>(list: Vec<T>) -> Result<Vec<T>, Limit> {
    if list.len() > MAX_STEPS { Err(Limit::AlternatingSteps) } else { Ok(list) }
}
