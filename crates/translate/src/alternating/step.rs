//! Configurations of alternating automata, the steps between them, and which steps can be spared.

use super::states::States;
use sempre_automata::{Alphabet, Label};
use sempre_ltl::interrupt;
use std::cmp::Reverse;

/// States that must all accept what comes, and what the first letter must be like: Boolean
/// obligations do not need states of their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Configuration {
    pub(super) guard: Label,
    pub(super) states: States,
}

impl Configuration {
    pub(super) fn contains(&self, state: u32) -> bool {
        self.states.contains(state)
    }

    /// Both obligations together; `None` if their guards contradict each other.
    pub(super) fn join(&self, other: &Self, alphabet: &Alphabet) -> Option<Self> {
        let guard = alphabet.and(self.guard, other.guard);
        (guard != alphabet.ff())
            .then(|| Configuration { guard, states: self.states.union(&other.states) })
    }

    /// True if what the other configuration asks for includes all that this one does.
    pub(super) fn covers(&self, other: &Self, alphabet: &Alphabet) -> bool {
        self.states.is_subset(&other.states)
            && (self.guard == other.guard || alphabet.implies(other.guard, self.guard))
    }
}

/// A step to a configuration on the letters of a label.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) label: Label,
    pub(super) target: Configuration,
    /// The promises that the step is known to fulfil.
    pub(super) fulfilled: States,
}

impl Step {
    /// True if a run that can take the other step on a letter can as well take this one.
    fn dominates(&self, other: &Step, alphabet: &Alphabet) -> bool {
        other.fulfilled.is_subset(&self.fulfilled) && self.target.covers(&other.target, alphabet)
    }
}

/// What is done about steps that other steps make superfluous.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spare {
    /// Steps that another one dominates on all their letters are dropped.
    pub(super) dominated: bool,
    /// Labels lose the letters on which another step dominates.
    pub(super) letters: bool,
}

impl Spare {
    /// The steps without what can be spared, in an order that depends on the steps alone. Steps
    /// that differ in their labels only become one. Quadratic in the number of steps.
    pub(super) fn steps(self, mut steps: Vec<Step>, alphabet: &Alphabet) -> Vec<Step> {
        // Whatever dominates comes before what it dominates.
        let rank = |step: &Step| (step.target.states.len(), Reverse(step.fulfilled.len()));
        steps.sort_by(|l, r| {
            let guards = |l: Label, r: Label| {
                if l == r { std::cmp::Ordering::Equal } else { order_guards(l, r, alphabet) }
            };
            rank(l)
                .cmp(&rank(r))
                .then_with(|| l.target.states.cmp(&r.target.states))
                .then_with(|| l.fulfilled.cmp(&r.fulfilled))
                .then_with(|| guards(l.target.guard, r.target.guard))
        });
        steps.dedup_by(|later, earlier| {
            let same = later.target == earlier.target && later.fulfilled == earlier.fulfilled;
            if same {
                earlier.label = alphabet.or(earlier.label, later.label);
            }
            same
        });
        if !self.dominated && !self.letters {
            return steps;
        }
        let mut kept: Vec<Step> = Vec::with_capacity(steps.len());
        for mut step in steps {
            interrupt::poll();
            let better = kept.iter().filter(|better| better.dominates(&step, alphabet));
            let left = if self.letters {
                better.fold(step.label, |label, better| alphabet.minus(label, better.label))
            } else if better.into_iter().any(|b| alphabet.implies(step.label, b.label)) {
                alphabet.ff()
            } else {
                step.label
            };
            if left != alphabet.ff() {
                step.label = left;
                kept.push(step);
            }
        }
        kept
    }
}

/// Weaker guards first.
fn order_guards(left: Label, right: Label, alphabet: &Alphabet) -> std::cmp::Ordering {
    let key = |guard: Label| (Reverse(alphabet.count(guard)), guard);
    key(left).cmp(&key(right))
}

/// The steps that do both, one of the left and one of the right.
pub(super) fn product<'a>(
    left: &'a [Step],
    right: &'a [Step],
    alphabet: &'a Alphabet,
) -> impl Iterator<Item = Step> + 'a {
    left.iter().flat_map(move |l| {
        right.iter().filter_map(move |r| {
            interrupt::poll();
            let label = alphabet.and(l.label, r.label);
            if label == alphabet.ff() {
                return None;
            }
            let target = l.target.join(&r.target, alphabet)?;
            Some(Step { label, target, fulfilled: l.fulfilled.union(&r.fulfilled) })
        })
    })
}
