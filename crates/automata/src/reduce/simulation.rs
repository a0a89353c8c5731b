//! Direct simulation: which states can match every step of which others.
//!
//! State q simulates p if q matches every edge of p, on each of its letters: by an edge that reads
//! the letter, has marks that are at least as good, and leads to a state that simulates the target.
//! See Etessami and Holzmann (CONCUR 2000), and for generalized acceptance on transitions Babiak,
//! Badie, Duret-Lutz, Křetínský and Strejček (SPIN 2013). Different letters of an edge may have
//! different matching edges: their labels together must cover the label. Reverse simulation is the
//! same on reversed edges; only initial states simulate initial ones.
//!
//! The algorithm starts with all pairs and removes those that fail for any targets. Then, as
//! Henzinger, Henzinger and Kopke (FOCS 1995), it removes pairs that lose a match because targets
//! are no longer related; an edge is checked again only then. Quadratic in the number of edges,
//! times edges per state, with one bit per pair of states.

use super::graph::{Context, Graph};
use super::letters::{MAX_WORDS, Samples};
use super::relation::{Relation, ones};
use crate::automaton::Automaton;
use crate::index::StateId;
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;
use std::cell::RefCell;

/// A simulation: a preorder on the states of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation(Relation);

impl Simulation {
    /// True if the right state simulates the left one.
    pub fn holds(&self, left: StateId, right: StateId) -> bool {
        self.0.holds(left.index(), right.index())
    }

    /// True if the states simulate each other.
    pub fn equivalent(&self, left: StateId, right: StateId) -> bool {
        self.0.mutual(left.index(), right.index())
    }
}

/// Computes the largest direct simulation: a state that simulates another accepts all its words. A
/// matching edge has at least the marks of `Inf` terms, at most those of `Fin` terms, and the same
/// of marks that occur in both. (With more than 64 marks, edges match only edges with equal marks.)
///
/// ```
/// use sempre_automata::{StateId, hoa, reduce::simulation};
/// let text = r#"HOA: v1
/// States: 3
/// Start: 0
/// AP: 2 "a" "b"
/// Acceptance: 1 Inf(0)
/// --BODY--
/// State: 0 [0&1] 1 [0] 2
/// State: 1 [0] 1 {0}
/// State: 2 [0&1] 2 {0} [0&!1] 2
/// --END--
/// "#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// let simulation = simulation::direct(&automaton);
/// let [first, second, third] = [0, 1, 2].map(StateId::new);
/// assert!(simulation.holds(third, second) && !simulation.holds(second, third));
/// assert!(simulation.holds(first, second));
/// # Ok::<(), sempre_automata::Error>(())
/// ```
pub fn direct(automaton: &Automaton) -> Simulation {
    let (context, graph) = Context::of(automaton);
    Simulation(largest(&graph, &context, None, |_| false))
}

/// Computes the largest reverse simulation: every finite word that leads to a state also leads,
/// with at least as good marks, to all states that simulate it. Only initial states simulate
/// initial ones.
pub fn reverse(automaton: &Automaton) -> Simulation {
    let (context, graph) = Context::of(automaton);
    Simulation(largest_reverse(&graph, &context).0)
}

/// Computes the largest reverse simulation, and the reversed graph to which it belongs.
pub(super) fn largest_reverse(graph: &Graph, context: &Context<'_>) -> (Relation, Graph) {
    let mut initial = vec![false; graph.states()];
    graph.initial.iter().for_each(|&state| initial[state as usize] = true);
    let reversed = graph.reversed(&context.letters);
    (largest(&reversed, context, Some(&initial), |_| false), reversed)
}

/// Computes the largest direct simulation in which no other state simulates a `distinguished` one.
/// Marks are ignored if an edge or its match is `free`; the relation is transitive only if none is.
pub(super) fn largest<F: Fn(usize) -> bool>(
    graph: &Graph,
    context: &Context<'_>,
    distinguished: Option<&[bool]>,
    free: F,
) -> Relation {
    let states = graph.states();
    let samples = context.letters.samples(graph.arcs().iter().map(|arc| arc.label));
    let relation = Relation::empty(states);
    let answers = RefCell::default();
    let versions = vec![0; states];
    let mut search = Search { graph, context, relation, free, samples, answers, versions };
    search.start(distinguished);
    search.run();
    search.relation
}

struct Search<'a, F> {
    graph: &'a Graph,
    context: &'a Context<'a>,
    relation: Relation,
    free: F,
    /// By edge, the letters of a sample that it reads.
    samples: Samples,
    /// Where samples do not decide, the letters that the edges of a state read that match an edge.
    answers: RefCell<FxHashMap<Question, Answer>>,
    /// How often a state has lost a state that simulates it.
    versions: Vec<u32>,
}

/// An edge to be matched, up to its label.
#[derive(PartialEq, Eq, Hash)]
struct Question {
    /// The state whose edges match.
    right: usize,
    /// The target, unless targets are ignored.
    target: Option<u32>,
    marks: u64,
    is_free: bool,
}

/// The label of all edges that match.
struct Answer {
    /// The version of the target when it was computed.
    version: u32,
    label: u64,
}

impl<F: Fn(usize) -> bool> Search<'_, F> {
    /// Relates the states whose edges are matched if targets are ignored. States with equal edges
    /// up to targets are treated together.
    fn start(&mut self, distinguished: Option<&[bool]>) {
        let states = self.graph.states();
        let distinguished = |state: usize| distinguished.is_some_and(|states| states[state]);
        // States by groups, and the start of each group.
        let mut order: Vec<u32> = (0..states as u32).collect();
        let mut starts: Vec<usize> = (0..=states).collect();
        if states > 64 {
            let group = self.groups(distinguished);
            order.sort_by_key(|&state| group[state as usize]);
            let is_start = |place: &usize| {
                let of = |place: usize| order.get(place).map(|&state| group[state as usize]);
                *place == 0 || of(*place) != of(*place - 1)
            };
            starts = (0..=states).filter(is_start).collect();
        }
        let groups = starts.len() - 1;
        let members = |group: usize| &order[starts[group]..starts[group + 1]];
        let first = |group: usize| members(group)[0] as usize;
        // The letters of the sample that each group reads.
        let width = self.samples.width();
        let mut reads = vec![0u64; groups * width];
        for group in 0..groups {
            for place in self.graph.range(first(group)) {
                let read = reads[group * width..].iter_mut();
                read.zip(self.samples.row(place)).for_each(|(read, sample)| *read |= sample);
            }
        }
        let reads = |group: usize| &reads[group * width..][..width];
        let mut row = vec![0u64; states.div_ceil(64)];
        for left in 0..groups {
            interrupt::poll();
            row.fill(0);
            for right in 0..groups {
                let related = left == right
                    || reads(left).iter().zip(reads(right)).all(|(l, r)| l & !r == 0)
                        && (!distinguished(first(left)) || distinguished(first(right)))
                        && self.answers(first(left), first(right), false);
                if related {
                    for &state in members(right) {
                        row[state as usize / 64] |= 1 << (state % 64);
                    }
                }
            }
            for &state in members(left) {
                self.relation.row_mut(state as usize).copy_from_slice(&row);
            }
        }
    }

    /// Returns a number for each state, equal for states with equal edges up to targets.
    fn groups(&self, distinguished: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut numbers: FxHashMap<Vec<(u64, u64, bool)>, usize> = FxHashMap::default();
        let key = |state: usize| {
            let edge = |place: usize| {
                let arc = &self.graph.arcs()[place];
                (arc.label, arc.marks, (self.free)(place))
            };
            let mut key: Vec<(u64, u64, bool)> = self.graph.range(state).map(edge).collect();
            // No label is empty.
            key.push((0, 0, distinguished(state)));
            key.sort_unstable();
            key.dedup();
            key
        };
        let number = |state: usize| {
            let next = numbers.len();
            *numbers.entry(key(state)).or_insert(next)
        };
        (0..self.graph.states()).map(number).collect()
    }

    /// True if `right` matches all edges of `left`; targets are ignored unless requested.
    fn answers(&self, left: usize, right: usize, targets: bool) -> bool {
        self.graph.range(left).all(|place| self.answers_one(place, right, targets))
    }

    #[inline]
    fn answers_one(&self, place: usize, right: usize, targets: bool) -> bool {
        let label = self.graph.arcs()[place].label;
        let sample = self.samples.row(place);
        if let (&[read], true) = (sample, self.samples.exact) {
            let mut rest = read;
            return self.answers_to(place, right, targets).any(|other| {
                rest &= !self.samples.row(other)[0];
                rest == 0
            });
        }
        let mut rest = [0u64; MAX_WORDS];
        let rest = &mut rest[..sample.len()];
        rest.copy_from_slice(sample);
        let covered = self.answers_to(place, right, targets).any(|other| {
            let mut left = 0;
            for (rest, read) in rest.iter_mut().zip(self.samples.row(other)) {
                *rest &= !read;
                left |= *rest;
            }
            left == 0
        });
        if !covered && rest.iter().any(|&word| word != 0) || self.samples.exact {
            return covered;
        }
        // The sample does not refute the match.
        interrupt::poll();
        self.context.letters.minus(label, self.answer(place, right, targets)) == 0
    }

    /// Returns the letters on which edges of `right` match an edge, whatever letters it reads. Many
    /// edges have the same target and marks, so answers are kept until the target loses one.
    fn answer(&self, place: usize, right: usize, targets: bool) -> u64 {
        let arc = &self.graph.arcs()[place];
        let target = targets.then_some(arc.target);
        let version = target.map_or(0, |target| self.versions[target as usize]);
        let question = Question { right, target, marks: arc.marks, is_free: (self.free)(place) };
        let mut answers = self.answers.borrow_mut();
        if let Some(known) = answers.get(&question)
            && known.version == version
        {
            return known.label;
        }
        let label = self
            .answers_to(place, right, targets)
            .fold(0, |label, other| self.context.letters.or(label, self.graph.arcs()[other].label));
        answers.insert(question, Answer { version, label });
        label
    }

    /// Returns the edges of `right` that match an edge, on the letters that they read.
    #[inline]
    fn answers_to(
        &self,
        place: usize,
        right: usize,
        targets: bool,
    ) -> impl Iterator<Item = usize> + '_ {
        let arc = self.graph.arcs()[place];
        let free = (self.free)(place);
        let row = self.relation.row(arc.target as usize);
        self.graph.range(right).filter(move |&other| {
            let answer = &self.graph.arcs()[other];
            let target = answer.target as usize;
            (!targets || row[target / 64] >> (target % 64) & 1 == 1)
                && (free || self.context.order.below(arc.marks, answer.marks) || (self.free)(other))
        })
    }

    /// Removes pairs until all edges are matched by edges to related targets.
    fn run(&mut self) {
        let mut lost = RemovedPairs::new(self.graph.states());
        for left in 0..self.graph.states() {
            interrupt::poll();
            for place in 0..self.relation.row(left).len() {
                let candidates = self.relation.row(left)[place];
                for right in ones(&[candidates]).map(|bit| place * 64 + bit) {
                    if left != right && !self.answers(left, right, true) {
                        lost.add(&mut self.relation, left, right);
                        self.versions[left] += 1;
                    }
                }
            }
        }
        if lost.queue.is_empty() {
            return;
        }
        let (ends, places) = self.graph.incoming();
        let into = |state: usize| {
            places[ends[state] as usize..ends[state + 1] as usize].iter().map(|&p| p as usize)
        };
        let mut losers = vec![0u64; self.relation.row(0).len()];
        while let Some(target) = lost.queue.pop() {
            interrupt::poll();
            lost.waiting[target] = false;
            // The states that may have lost a match.
            losers.fill(0);
            for right in ones(lost.pairs.row(target)) {
                for place in into(right) {
                    let source = self.graph.arcs()[place].source as usize;
                    losers[source / 64] |= 1 << (source % 64);
                }
            }
            lost.pairs.row_mut(target).fill(0);
            for place in into(target) {
                let left = self.graph.arcs()[place].source as usize;
                for (word, losers) in losers.iter().enumerate() {
                    let candidates = losers & self.relation.row(left)[word];
                    for right in ones(&[candidates]).map(|bit| word * 64 + bit) {
                        if left != right && !self.answers_one(place, right, true) {
                            lost.add(&mut self.relation, left, right);
                            self.versions[left] += 1;
                        }
                    }
                }
            }
        }
    }
}

/// Removed pairs with pending effects on other pairs.
struct RemovedPairs {
    pairs: Relation,
    /// The left states of such pairs.
    queue: Vec<usize>,
    waiting: Vec<bool>,
}

impl RemovedPairs {
    fn new(states: usize) -> Self {
        RemovedPairs { pairs: Relation::empty(states), queue: vec![], waiting: vec![false; states] }
    }

    fn add(&mut self, relation: &mut Relation, left: usize, right: usize) {
        relation.remove(left, right);
        self.pairs.insert(left, right);
        if !std::mem::replace(&mut self.waiting[left], true) {
            self.queue.push(left);
        }
    }
}
