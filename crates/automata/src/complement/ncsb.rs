//! Complementation of semi-deterministic Büchi automata: NCSB.
//!
//! F. Blahoudek, M. Heizmann, S. Schewe, J. Strejček and M.-H. Tsai, "Complementing
//! semi-deterministic Büchi automata" (TACAS 2016). Lazy guesses: Y.-F. Chen and others, "Advanced
//! automata-based algorithms for program termination checking" (PLDI 2018). Delayed guesses: V.
//! Havlena and others, "Modular mix-and-match complementation" (TACAS 2023). Here marks are on
//! edges; a state is accepting if all its edges are marked.
//!
//! A macrostate has four sets. N: states that runs have reached in the nondeterministic part. C:
//! states of the deterministic part whose runs must be checked. S: states whose runs see no mark
//! again, by a guess. B: the subset of C that has been there since the last breakpoint. There are
//! at most 4^n macrostates. All variants but the delayed one give an unambiguous automaton.

use super::macrostates::Construction;
use crate::subset::{self, Class, StateSet};
use crate::{Alphabet, Automaton, Label, SemiDeterminism, StateId};
use sempre_ltl::interrupt;
use std::sync::Arc;

/// The maximal number of states with a free guess; a macrostate with more is given up.
const MAX_GUESSES: usize = 20;

/// The time at which the construction guesses that a run sees no further mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guess {
    /// When a run enters the deterministic part, and after each mark.
    Original,
    /// As `Original`, but runs stay in N until they see a mark, so no division into parts is
    /// needed.
    OnTheFly,
    /// For runs in B when they see a mark, for others at breakpoints.
    Lazy,
    /// For all runs in B together.
    Delayed,
    /// As `Original`, but with accepting macrostates instead of accepting edges.
    StateBased,
}

/// The choice of the deterministic part of a semi-deterministic automaton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Division {
    /// All states reachable from accepting components.
    #[default]
    Smallest,
    /// All states that reach only deterministic states.
    Largest,
}

/// The complement of a semi-deterministic Büchi automaton.
pub(crate) struct Ncsb<'a> {
    automaton: &'a Automaton,
    guess: Guess,
    /// The states of the deterministic part.
    second: StateSet,
    /// The states that have edges, all of them marked.
    accepting: StateSet,
    given_up: bool,
    #[cfg(test)]
    fault: Option<Fault>,
}

/// Variants that look right, which tests must find.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// States without edges, and those with marked edges only, are as others: larger.
    WithoutEnds,
    /// Runs in S may see marks: accepts too much.
    MarkedSafe,
    /// Runs leave B with a mark: accepts too much.
    MarkBreaks,
    /// Guesses also for runs that have seen no mark: ambiguous.
    GuessAnywhere,
    /// On the fly, as printed, N keeps the states of C and S: larger.
    Overlapping,
}

/// The successors of the sets of a macrostate on a class of letters.
struct Step {
    first: StateSet,
    cut: StateSet,
    safe: StateSet,
    /// Targets of unmarked and of marked edges from C.
    unmarked: StateSet,
    marked: StateSet,
    /// The same for B.
    from_break: StateSet,
    break_unmarked: StateSet,
    break_marked: StateSet,
    /// Whether a run in C, or in B, ends before the mark that its set requires.
    dies: bool,
    break_dies: bool,
}

impl<'a> Ncsb<'a> {
    /// Requires a Büchi automaton; returns `None` if it is not semi-deterministic. Unless states
    /// are accepting, edges on no accepting cycle must have no mark.
    pub(crate) fn new(automaton: &'a Automaton, guess: Guess, division: Division) -> Option<Self> {
        let width = subset::width(automaton.state_count());
        let is_accepting = |state: &StateId| {
            let edges = automaton.edges_from(*state);
            !edges.is_empty() && edges.iter().all(|edge| !edge.marks.is_empty())
        };
        let accepting = subset::set(width, automaton.states().filter(is_accepting));
        let second: Vec<bool> = if guess == Guess::StateBased {
            reached_from(automaton, &accepting)
        } else {
            let parts = SemiDeterminism::of(automaton);
            match division {
                Division::Smallest => parts.smallest,
                Division::Largest => parts.largest,
            }
        };
        let is_second = |state: &StateId| second[state.index()];
        let deterministic = |state| automaton.is_deterministic_in(state);
        if !automaton.states().filter(is_second).all(deterministic) {
            return None;
        }
        let second = subset::set(width, automaton.states().filter(is_second));
        Some(Ncsb {
            automaton,
            guess,
            second,
            accepting,
            given_up: false,
            #[cfg(test)]
            fault: None,
        })
    }

    /// Adds a fault.
    #[cfg(test)]
    pub(super) fn with(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        if fault == Fault::WithoutEnds {
            self.accepting = subset::empty(self.accepting.len());
        }
        self
    }

    /// Computes the successors of each set; `None` if a run in S sees a mark.
    fn step(&self, [first, check, safe, broken]: [&[u64]; 4], class: &Class) -> Option<Step> {
        let empty = subset::empty(self.second.len());
        let mut step = Step {
            first: empty.clone(),
            cut: empty.clone(),
            safe: empty.clone(),
            unmarked: empty.clone(),
            marked: empty.clone(),
            from_break: empty.clone(),
            break_unmarked: empty.clone(),
            break_marked: empty.clone(),
            dies: false,
            break_dies: false,
        };
        let by_state = self.guess == Guess::StateBased;
        let mut moving = empty;
        for &(source, edge) in &class.edges {
            let edge = self.automaton.edge(edge);
            let marked = match by_state {
                true => subset::contains(&self.accepting, source),
                false => !edge.marks.is_empty(),
            };
            subset::insert(&mut moving, source);
            if subset::contains(first, source) {
                let cut = match self.guess {
                    Guess::OnTheFly => marked,
                    _ => subset::contains(&self.second, edge.target),
                };
                let part = if cut { &mut step.cut } else { &mut step.first };
                subset::insert(part, edge.target);
            }
            if subset::contains(check, source) {
                let part = if marked { &mut step.marked } else { &mut step.unmarked };
                subset::insert(part, edge.target);
            }
            if subset::contains(broken, source) {
                subset::insert(&mut step.from_break, edge.target);
                let part = if marked { &mut step.break_marked } else { &mut step.break_unmarked };
                subset::insert(part, edge.target);
            }
            if subset::contains(safe, source) {
                #[cfg(test)]
                let marked = marked && self.fault != Some(Fault::MarkedSafe);
                if marked && !by_state {
                    return None;
                }
                subset::insert(&mut step.safe, edge.target);
            }
        }
        if subset::intersects(&step.safe, &self.accepting) {
            return None;
        }
        let dies = |part: &[u64]| {
            let stuck = minus(&minus(part, &moving), &self.accepting);
            !subset::is_empty(&stuck)
        };
        (step.dies, step.break_dies) = (dies(check), dies(broken));
        Some(step)
    }

    /// Guesses for every free run. On the fly, also removes states of C and S from N.
    fn original(&mut self, step: &Step, before: &[u64], next: &mut dyn FnMut(bool, Vec<u64>)) {
        if step.dies || subset::intersects(&step.safe, &step.unmarked) {
            return;
        }
        let all = or(&or(&step.cut, &step.safe), &or(&step.unmarked, &step.marked));
        let must = or(&step.unmarked, &and(&all, &self.accepting));
        #[cfg(test)]
        let must = match self.fault {
            Some(Fault::GuessAnywhere) => and(&all, &self.accepting),
            _ => must,
        };
        let free = minus(&minus(&all, &must), &step.safe);
        let by_state = self.guess == Guess::StateBased;
        for (checked, safe) in self.splits(&free) {
            let (check, safe) = (or(&must, &checked), or(&step.safe, &safe));
            let first = match self.guess {
                #[cfg(test)]
                Guess::OnTheFly if self.fault == Some(Fault::Overlapping) => step.first.clone(),
                Guess::OnTheFly => minus(&step.first, &or(&check, &safe)),
                _ => step.first.clone(),
            };
            let broken = and(&step.from_break, &check);
            #[cfg(test)]
            let broken = match self.fault {
                Some(Fault::MarkBreaks) => minus(&broken, &step.break_marked),
                _ => broken,
            };
            if by_state {
                // The source macrostate carries the acceptance.
                let done = subset::is_empty(before);
                let broken = if done { check.clone() } else { broken };
                next(done, macrostate(&first, &check, &safe, &broken));
            } else {
                let done = subset::is_empty(&broken);
                let broken = if done { check.clone() } else { broken };
                next(done, macrostate(&first, &check, &safe, &broken));
            }
        }
    }

    /// Guesses for runs in B that saw a mark, and at breakpoints for all in C.
    fn lazy(&mut self, step: &Step, next: &mut dyn FnMut(bool, Vec<u64>)) {
        if step.break_dies || subset::intersects(&step.break_unmarked, &step.safe) {
            return;
        }
        let check = or(&step.cut, &or(&step.unmarked, &step.marked));
        let check = minus(&check, &step.safe);
        let free = and(&step.break_marked, &minus(&check, &self.accepting));
        let free = minus(&free, &step.break_unmarked);
        for (_, chosen) in self.splits(&free) {
            let safe = or(&step.safe, &chosen);
            let rest = minus(&check, &chosen);
            let broken = minus(&and(&step.from_break, &check), &chosen);
            if !subset::is_empty(&broken) {
                next(false, macrostate(&step.first, &rest, &safe, &broken));
                continue;
            }
            for (_, more) in self.splits(&minus(&rest, &self.accepting)) {
                let (rest, safe) = (minus(&rest, &more), or(&safe, &more));
                next(true, macrostate(&step.first, &rest, &safe, &rest));
            }
        }
    }

    /// Guesses for all of B together, or not.
    fn delayed(&self, step: &Step, next: &mut dyn FnMut(bool, Vec<u64>)) {
        let check = or(&step.cut, &or(&step.unmarked, &step.marked));
        let check = minus(&check, &step.safe);
        let broken = and(&step.from_break, &check);
        if subset::is_empty(&broken) {
            next(true, macrostate(&step.first, &check, &step.safe, &check));
            return;
        }
        next(false, macrostate(&step.first, &check, &step.safe, &broken));
        if subset::is_empty(&step.break_marked) && !subset::intersects(&broken, &self.accepting) {
            let rest = minus(&check, &broken);
            next(true, macrostate(&step.first, &rest, &or(&step.safe, &broken), &rest));
        }
    }

    /// Returns all partitions of a set into two; none if there are too many.
    fn splits(&mut self, free: &StateSet) -> Vec<(StateSet, StateSet)> {
        let states: Vec<StateId> = subset::states(free).collect();
        if states.len() > MAX_GUESSES {
            self.given_up = true;
            return vec![];
        }
        let split = |choice: u32| {
            interrupt::poll();
            let chosen = states.iter().enumerate().filter(|(place, _)| choice >> place & 1 == 1);
            let chosen = subset::set(free.len(), chosen.map(|(_, state)| *state));
            (minus(free, &chosen), chosen)
        };
        (0..1u32 << states.len()).map(split).collect()
    }
}

impl Construction for Ncsb<'_> {
    fn alphabet(&self) -> &Arc<Alphabet> {
        self.automaton.alphabet()
    }

    fn initial(&mut self) -> Vec<Vec<u64>> {
        let width = self.second.len();
        let initial = subset::set(width, self.automaton.initial().iter().copied());
        let (none, inside) = (subset::empty(width), and(&initial, &self.second));
        let first = minus(&initial, &self.second);
        match self.guess {
            Guess::OnTheFly => vec![macrostate(&initial, &none, &none, &none)],
            Guess::Delayed => vec![macrostate(&first, &inside, &none, &inside)],
            Guess::Original | Guess::Lazy | Guess::StateBased => {
                let must = and(&inside, &self.accepting);
                let splits = self.splits(&minus(&inside, &must)).into_iter();
                let start = |(check, safe): (StateSet, StateSet)| {
                    let check = or(&must, &check);
                    macrostate(&first, &check, &safe, &check)
                };
                splits.map(start).collect()
            }
        }
    }

    /// More runs must be refuted, and more promises kept. If guesses are delayed, no run of B has
    /// promised anything.
    fn is_within(&self, less: &[u64], more: &[u64]) -> bool {
        let width = self.second.len();
        let safe = 2 * width..3 * width;
        let reached = |state: &[u64], word: usize| {
            state[word] | state[width + word] | state[2 * width + word]
        };
        self.guess == Guess::Delayed
            && subset::is_within(&more[safe.clone()], &less[safe])
            && (0..width).all(|word| reached(more, word) & !reached(less, word) == 0)
    }

    fn successors(&mut self, state: &[u64], edge: &mut dyn FnMut(Label, u32, &[u64])) {
        let width = self.second.len();
        let parts: Vec<&[u64]> = state.chunks(width).collect();
        let [first, check, safe, broken] = parts[..] else { return };
        let reached = or(&or(first, check), safe);
        let alphabet = self.automaton.alphabet().clone();
        let mut steps: Vec<(Label, bool, Vec<u64>)> = vec![];
        for class in subset::classes(self.automaton, &reached) {
            interrupt::poll();
            let Some(step) = self.step([first, check, safe, broken], &class) else { continue };
            let mut next = |marked: bool, target: Vec<u64>| match steps
                .iter_mut()
                .find(|step| step.1 == marked && step.2 == target)
            {
                Some(step) => step.0 = alphabet.or(step.0, class.label),
                None => steps.push((class.label, marked, target)),
            };
            match self.guess {
                Guess::Lazy => self.lazy(&step, &mut next),
                Guess::Delayed => self.delayed(&step, &mut next),
                _ => self.original(&step, broken, &mut next),
            }
        }
        for (label, marked, target) in steps {
            edge(label, u32::from(marked), &target);
        }
    }

    fn is_given_up(&self) -> bool {
        self.given_up
    }
}

/// By state, whether it is reachable from one of these.
fn reached_from(automaton: &Automaton, states: &StateSet) -> Vec<bool> {
    let mut reached = vec![false; automaton.state_count()];
    let mut todo: Vec<StateId> = subset::states(states).collect();
    while let Some(state) = todo.pop() {
        interrupt::poll();
        if !std::mem::replace(&mut reached[state.index()], true) {
            todo.extend(automaton.edges_from(state).iter().map(|edge| edge.target));
        }
    }
    reached
}

fn macrostate(first: &[u64], check: &[u64], safe: &[u64], broken: &[u64]) -> Vec<u64> {
    [first, check, safe, broken].concat()
}

fn or(left: &[u64], right: &[u64]) -> StateSet {
    left.iter().zip(right).map(|(l, r)| l | r).collect()
}

fn and(left: &[u64], right: &[u64]) -> StateSet {
    left.iter().zip(right).map(|(l, r)| l & r).collect()
}

fn minus(left: &[u64], right: &[u64]) -> StateSet {
    left.iter().zip(right).map(|(l, r)| l & !r).collect()
}
