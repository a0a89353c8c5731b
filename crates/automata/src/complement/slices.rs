//! Complementation of nondeterministic Büchi automata by slices and ranks.
//!
//! The reduced split tree of a word orders the states that runs have reached into slices (Kähler
//! and Wilke, "Complementation, disambiguation, and determinization of Büchi automata unified",
//! ICALP 2008). The successors of a slice by marked edges come before those by other edges. A state
//! that occurs in several slices stays in the first. The word is rejected exactly if no infinite
//! branch of this tree takes marked edges infinitely often. The tree has bounded width, so then
//! infinite branches take no marked edge from some position on.
//!
//! A macrostate is first a sequence of slices, updated deterministically. Once, the complement
//! guesses which slices are on infinite branches. Those must stay alive without marks; all slices
//! before and between them, and their marked successors, must die out. After the guess the
//! construction is deterministic again. The slices then are ranks (Fogarty, Kupferman, Vardi and
//! Wilke, "Unifying Büchi complementation constructions", LMCS 9, 2013). Adjacent slices that must
//! die share an even rank; those that must live have the odd ranks between. The construction checks
//! one even rank after the other for dying out (Schewe, "Büchi complementation made tight", STACS
//! 2009).
//!
//! The guess may come late, so the last slice can be required to live. There are 2^O(n log n)
//! macrostates for n states.
//!
//! If the powerset of the automaton is known, it restricts the construction: see [`super::guide`].

use super::guide::Guide;
use super::macrostates::Construction;
use crate::determinize::Powerset;
use crate::subset::{self, StateSet};
use crate::{Alphabet, Automaton, Label, Marks, Named, Sccs, StateId, prune};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;
use std::rc::Rc;
use std::sync::Arc;

/// The complement of a Büchi automaton.
///
/// Before the guess, a macrostate is a zero followed by the slices. After it, a macrostate has
/// three parts: one plus the number of the even rank to die out, its states still alive, and the
/// ranks. Ranks alternate between even and odd, from 0 to an odd one.
pub(crate) struct Slices<'a> {
    automaton: &'a Automaton,
    width: usize,
    /// By edge, whether it has the mark and stays in its component; marks of other edges are
    /// irrelevant.
    marked: Vec<bool>,
    /// The states with an infinite path that takes no marked edge.
    lasting: StateSet,
    /// A cache of the steps by set of states.
    steps: FxHashMap<StateSet, Rc<[Step]>>,
    guide: Option<Guide>,
}

/// The successors of the states of a set on a class of letters.
pub(super) struct Step {
    pub(super) label: Label,
    /// By state of the set, the targets of its unmarked and of its marked edges.
    targets: Vec<u64>,
}

impl<'a> Slices<'a> {
    /// Requires Büchi acceptance.
    pub(crate) fn new(automaton: &'a Automaton) -> Self {
        let sccs = Sccs::of(automaton);
        let marked = automaton
            .transitions()
            .map(|(source, edge)| edge.marks.contains(0) && sccs.is_inside(source, edge.target))
            .collect::<Vec<bool>>();
        let width = subset::width(automaton.state_count());
        Slices {
            lasting: lasting(automaton, &marked, width),
            automaton,
            width,
            marked,
            steps: FxHashMap::default(),
            guide: None,
        }
    }

    /// Computes the powerset first and uses it to save macrostates, if it has at most `most` sets.
    /// The language is the same.
    pub(crate) fn guided(automaton: &'a Automaton, most: usize) -> Self {
        let mut slices = Slices::new(automaton);
        if let Some(powerset) = Powerset::of(automaton, most) {
            slices.guide = Some(Guide::new(&powerset, &mut slices));
        }
        slices
    }

    /// Returns the number of machine words of a set of states.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns the successors of the states of a set.
    pub(super) fn steps(&mut self, reached: &StateSet) -> Rc<[Step]> {
        if let Some(steps) = self.steps.get(reached) {
            return steps.clone();
        }
        let (automaton, width) = (self.automaton, self.width);
        let rows: usize = reached.iter().map(|word| word.count_ones() as usize).sum();
        let mut steps: Vec<Step> = vec![];
        for class in subset::classes(automaton, reached) {
            interrupt::poll();
            let mut targets = vec![0; rows * 2 * width];
            for (source, edge) in class.edges {
                let place = 2 * row(reached, source) + usize::from(self.marked[edge.index()]);
                subset::insert(&mut targets[place * width..][..width], automaton.edge(edge).target);
            }
            match steps.iter_mut().find(|step| step.targets == targets) {
                Some(step) => step.label = automaton.alphabet().or(step.label, class.label),
                None => steps.push(Step { label: class.label, targets }),
            }
        }
        let steps: Rc<[Step]> = steps.into();
        self.steps.insert(reached.clone(), steps.clone());
        steps
    }

    /// The successors of a set by unmarked and by marked edges.
    fn targets(&self, reached: &[u64], step: &Step, set: &[u64]) -> (StateSet, StateSet) {
        let width = self.width;
        let (mut unmarked, mut marked) = (subset::empty(width), subset::empty(width));
        for state in subset::states(set) {
            interrupt::poll();
            let row = &step.targets[2 * row(reached, state) * width..][..2 * width];
            for word in 0..width {
                unmarked[word] |= row[word];
                marked[word] |= row[width + word];
            }
        }
        (unmarked, marked)
    }

    /// The successors of all states of a set.
    pub(super) fn image(&self, reached: &[u64], step: &Step) -> StateSet {
        let (mut unmarked, marked) = self.targets(reached, step, reached);
        unite(&mut unmarked, &marked);
        unmarked
    }

    /// The slices after a step.
    pub(super) fn split(&self, reached: &[u64], step: &Step, slices: &[u64]) -> Vec<u64> {
        let mut next = vec![];
        let mut seen = subset::empty(self.width);
        for slice in slices.chunks(self.width) {
            let (unmarked, marked) = self.targets(reached, step, slice);
            for part in [marked, unmarked] {
                let fresh = minus(&part, &seen);
                if !subset::is_empty(&fresh) {
                    next.extend_from_slice(&fresh);
                    unite(&mut seen, &part);
                }
            }
        }
        next
    }

    /// Reports the macrostates of all guesses for a sequence of slices: each slice lives or dies,
    /// and the last one lives.
    pub(super) fn guess(&self, slices: &[u64], mut report: impl FnMut(&[u64])) {
        let width = self.width;
        let slices: Vec<&[u64]> = slices.chunks(width).collect();
        let Some((last, others)) = slices.split_last() else { return };
        if !subset::intersects(last, &self.lasting) {
            return;
        }
        let able: Vec<usize> = (0..others.len())
            .filter(|place| subset::intersects(others[*place], &self.lasting))
            .collect();
        let mut lives = vec![false; others.len()];
        loop {
            interrupt::poll();
            let mut ranks: Vec<u64> = vec![0; width];
            for (slice, lives) in others.iter().zip(&lives).chain([(last, &true)]) {
                if *lives {
                    ranks.extend_from_slice(slice);
                    ranks.extend(std::iter::repeat_n(0, width));
                } else {
                    let even = ranks.len() - width;
                    unite(&mut ranks[even..], slice);
                }
            }
            ranks.truncate(ranks.len() - width);
            report(&self.await_death(ranks, 0));
            // Counts the choices up as a binary number.
            let Some(place) = able.iter().position(|place| !lives[*place]) else { return };
            able[..place].iter().for_each(|place| lives[*place] = false);
            lives[able[place]] = true;
        }
    }

    /// Returns the macrostate with these ranks that awaits the death of the first nonempty even
    /// rank from `turn` on.
    fn await_death(&self, ranks: Vec<u64>, turn: usize) -> Vec<u64> {
        let width = self.width;
        let pairs = ranks.len() / (2 * width);
        let even = |turn: usize| &ranks[turn * 2 * width..][..width];
        let turns = (0..pairs).map(|later| (turn + later) % pairs);
        let turn = turns.into_iter().find(|turn| !subset::is_empty(even(*turn))).unwrap_or(0);
        let mut state = Vec::with_capacity(1 + width + ranks.len());
        state.push(1 + turn as u64);
        state.extend_from_slice(even(turn));
        state.extend_from_slice(&ranks);
        state
    }

    /// Returns the ranks after a step, and whether an even rank died out; `None` if an odd rank
    /// did.
    fn follow(&self, reached: &[u64], step: &Step, state: &[u64]) -> Option<(bool, Vec<u64>)> {
        let width = self.width;
        let turn = state[0] as usize - 1;
        let (awaited, ranks) = state[1..].split_at(width);
        let mut next = Vec::with_capacity(state.len());
        let mut seen = subset::empty(width);
        for pair in ranks.chunks(2 * width) {
            let (dying, living) = pair.split_at(width);
            let (left, right) = self.targets(reached, step, dying);
            let (unmarked, marked) = self.targets(reached, step, living);
            let mut even = left;
            unite(&mut even, &right);
            unite(&mut even, &marked);
            let even = minus(&even, &seen);
            unite(&mut seen, &even);
            let odd = minus(&unmarked, &seen);
            if !subset::intersects(&odd, &self.lasting) {
                return None;
            }
            unite(&mut seen, &odd);
            next.extend_from_slice(&even);
            next.extend_from_slice(&odd);
        }
        let (mut still, marked) = self.targets(reached, step, awaited);
        unite(&mut still, &marked);
        let even = &next[turn * 2 * width..][..width];
        still.iter_mut().zip(even).for_each(|(still, even)| *still &= even);
        if subset::is_empty(&still) {
            return Some((true, self.await_death(next, turn + 1)));
        }
        let mut state = Vec::with_capacity(state.len());
        state.push(1 + turn as u64);
        state.extend_from_slice(&still);
        state.extend_from_slice(&next);
        Some((false, state))
    }
}

impl Construction for Slices<'_> {
    fn alphabet(&self) -> &Arc<Alphabet> {
        self.automaton.alphabet()
    }

    fn initial(&mut self) -> Vec<Vec<u64>> {
        let start = subset::set(self.width, self.automaton.initial().iter().copied());
        let mut first = vec![0];
        if !subset::is_empty(&start) {
            first.extend_from_slice(&start);
        }
        let mut initial = vec![first.clone()];
        if self.guide.is_none() {
            self.guess(&first[1..], |ranks| initial.push(ranks.to_vec()));
        }
        initial
    }

    fn successors(&mut self, state: &[u64], edge: &mut dyn FnMut(Label, u32, &[u64])) {
        let guessed = state[0] != 0;
        let parts = if guessed { &state[1 + self.width..] } else { &state[1..] };
        let mut reached = subset::empty(self.width);
        parts.chunks(self.width).for_each(|part| unite(&mut reached, part));
        let steps = self.steps(&reached);
        for step in steps.iter() {
            let image = self.image(&reached, step);
            if guessed {
                let stays = self.guide.as_ref().is_none_or(|guide| guide.stays(&reached, &image));
                let next = if stays { self.follow(&reached, step, state) } else { None };
                if let Some((death, next)) = next {
                    edge(step.label, u32::from(death), &next);
                }
            } else if subset::is_empty(&image) {
                // All runs have ended.
                edge(step.label, 1, &[0]);
            } else if let Some(guide) = &self.guide {
                let mut next = vec![0];
                next.extend_from_slice(&image);
                edge(step.label, 0, &next);
                if guide.stays(&reached, &image) {
                    guide.guesses(&image).iter().for_each(|ranks| edge(step.label, 0, ranks));
                }
            } else {
                let mut next = vec![0];
                next.extend(self.split(&reached, step, parts));
                edge(step.label, 0, &next);
                self.guess(&next[1..], |ranks| edge(step.label, 0, ranks));
            }
        }
    }
}

/// Returns the index of a state within a set.
fn row(set: &[u64], state: StateId) -> usize {
    let word = state.index() / 64;
    let below = set[word] & ((1 << (state.index() % 64)) - 1);
    let before: u32 = set[..word].iter().map(|word| word.count_ones()).sum();
    (before + below.count_ones()) as usize
}

pub(super) fn unite(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

fn minus(set: &[u64], other: &[u64]) -> StateSet {
    set.iter().zip(other).map(|(word, other)| word & !other).collect()
}

/// The states with an infinite path that takes no marked edge.
fn lasting(automaton: &Automaton, marked: &[bool], width: usize) -> StateSet {
    let mut builder = automaton.edit();
    builder.acceptance(Named::All.acceptance());
    let mut marked = marked.iter();
    builder.retain_edges(|_, edge| {
        edge.marks = Marks::EMPTY;
        !marked.next().copied().unwrap_or(false)
    });
    let unmarked = builder.build();
    subset::set(width, prune::useful_states(&unmarked))
}
