//! Configurations of alternating automata, the steps between them, and redundant steps.

use super::states::States;
use sempre_automata::{Alphabet, Label};
use sempre_ltl::interrupt;
use std::cmp::Reverse;

/// States that must all accept the suffix, and a guard for the first letter: Boolean obligations
/// need no states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Configuration {
    pub(super) guard: Label,
    pub(super) states: States,
}

impl Configuration {
    pub(super) fn contains(&self, state: u32) -> bool {
        self.states.contains(state)
    }

    /// Returns the conjunction of both; `None` if their guards contradict each other.
    pub(super) fn join(&self, other: &Self, alphabet: &Alphabet) -> Option<Self> {
        let guard = alphabet.and(self.guard, other.guard);
        (guard != alphabet.ff())
            .then(|| Configuration { guard, states: self.states.union(&other.states) })
    }

    /// True if the obligations of `other` include those of this configuration.
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
    /// True if a run that can take `other` on a letter can also take this step.
    fn dominates(&self, other: &Step, alphabet: &Alphabet) -> bool {
        other.fulfilled.is_subset(&self.fulfilled) && self.target.covers(&other.target, alphabet)
    }
}

/// The treatment of redundant steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Redundancy {
    /// Steps that another one dominates on all their letters are dropped.
    pub(super) dominated: bool,
    /// Labels lose the letters on which another step dominates.
    pub(super) letters: bool,
}

impl Redundancy {
    /// Returns the steps without redundant ones, in an order that depends only on the steps. Merges
    /// steps that differ only in their labels. Quadratic in the number of steps.
    pub(super) fn steps(self, mut steps: Vec<Step>, alphabet: &Alphabet) -> Vec<Step> {
        // Dominating steps come before dominated ones.
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

/// Returns all pairs of a left and a right step, joined.
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
