//! Linear alternating automata to deterministic automata over sets of configurations.
//!
//! F. Blahoudek, Automata for formal methods (2018), Section 5.4. A macrostate has all
//! configurations of runs on the word so far; each bounding configuration gives a generalized Rabin
//! pair. Doubly exponential at worst.

use super::linear::{Linear, Set, Shape, members};
use super::rabin::{Pair, Rabin, RabinEdge};
use super::{Limit, Options, modest};
use crate::after::MAX_STEPS;
use rustc_hash::FxHashMap;
use sempre_automata::{Label, Mark, Marks};
use sempre_ltl::interrupt;
use std::rc::Rc;

/// The maximal number of configurations of a macrostate.
const MAX_CONFIGURATIONS: usize = 1 << 12;

/// Builds the complete deterministic automaton of macrostates.
pub(super) fn determinize(linear: &Linear, options: &Options) -> Result<Rabin, Limit> {
    let sets = match options.modest {
        true => modest::bounding(linear)?,
        false => modest::all(linear)?,
    };
    let mut walk = Walk::new(linear, sets, options);
    let start = walk.tidied(linear.initial.clone())?;
    walk.number(start);
    let mut edges = vec![];
    while let Some(macrostate) = walk.macrostates.get(edges.len()).cloned() {
        interrupt::poll();
        edges.push(walk.edges_of(&macrostate)?);
        if walk.macrostates.len() > options.most_states {
            return Err(Limit::Macrostates);
        }
    }
    let pairs = walk.bounds.into_iter().map(|bound| bound.pair).collect();
    Ok(Rabin { alphabet: linear.alphabet.clone(), initial: 0, edges, pairs })
}

/// A bounding configuration with its marks.
struct Bound {
    set: Set,
    must: Set,
    /// The may-states that runs must leave infinitely often.
    may: Vec<usize>,
    pair: Pair,
}

type Macrostate = Rc<[Set]>;

struct Walk<'a> {
    linear: &'a Linear,
    bounds: Vec<Bound>,
    must: Set,
    /// The labels that determine the marks.
    labels: Vec<Label>,
    empty_wins: bool,
    numbers: FxHashMap<Macrostate, usize>,
    macrostates: Vec<Macrostate>,
    /// A cache of the targets of steps, by state and class of letters.
    targets: FxHashMap<(usize, Label), Rc<[Set]>>,
}

impl<'a> Walk<'a> {
    fn new(linear: &'a Linear, sets: Vec<Set>, options: &Options) -> Self {
        let (must, may) = (linear.of_shape(Shape::Must), linear.of_shape(Shape::May));
        let mut next: Mark = 0;
        let watched = sets.iter().fold(0, |all, set| all | set);
        let bounds = sets.into_iter().map(|set| {
            let may: Vec<usize> = members(set & may).collect();
            let infs = (next + 1..).take(may.len()).collect();
            let pair = Pair { fin: next, infs };
            next += 1 + may.len() as Mark;
            Bound { set, must: set & must, may, pair }
        });
        let bounds = bounds.collect();
        let steps = members(watched).flat_map(|state| &linear.states[state].steps);
        Walk {
            linear,
            bounds,
            must,
            labels: steps.map(|step| step.label).collect(),
            empty_wins: options.empty_macrostates,
            numbers: FxHashMap::default(),
            macrostates: vec![],
            targets: FxHashMap::default(),
        }
    }

    fn number(&mut self, macrostate: Macrostate) -> usize {
        let next = self.macrostates.len();
        let number = *self.numbers.entry(macrostate.clone()).or_insert(next);
        if number == next {
            self.macrostates.push(macrostate);
        }
        number
    }

    fn tidied(&self, mut configurations: Vec<Set>) -> Result<Macrostate, Limit> {
        configurations.sort_unstable();
        configurations.dedup();
        if configurations.len() > MAX_CONFIGURATIONS {
            return Err(Limit::Macrostates);
        }
        if self.empty_wins && configurations.first() == Some(&0) {
            configurations.truncate(1);
        }
        Ok(configurations.into())
    }

    /// Returns the targets of the steps of a state on a class of letters.
    fn targets(&mut self, state: usize, letters: Label) -> Rc<[Set]> {
        let (alphabet, states) = (&self.linear.alphabet, &self.linear.states);
        let targets = self.targets.entry((state, letters)).or_insert_with(|| {
            let steps = states[state].steps.iter();
            let read = steps.filter(|step| !alphabet.disjoint(step.label, letters));
            read.map(|step| step.target).collect()
        });
        targets.clone()
    }

    fn edges_of(&mut self, macrostate: &[Set]) -> Result<Vec<RabinEdge>, Limit> {
        let alphabet = self.linear.alphabet.clone();
        let occurring = macrostate.iter().fold(0, |all, set| all | set);
        let steps = members(occurring).flat_map(|state| &self.linear.states[state].steps);
        let labels = steps.map(|step| step.label).chain(self.labels.iter().copied());
        let classes = alphabet.classes_up_to(labels, MAX_STEPS).ok_or(Limit::Macrostates)?;
        let mut edges: Vec<RabinEdge> = vec![];
        let mut places: FxHashMap<(usize, Marks), usize> = FxHashMap::default();
        for letters in classes {
            interrupt::poll();
            let successors = self.successors(macrostate, letters)?;
            let marks = self.marks(&successors, letters);
            let target = self.number(successors);
            let place = *places.entry((target, marks.clone())).or_insert(edges.len());
            match edges.get_mut(place) {
                Some(edge) => edge.label = alphabet.or(edge.label, letters),
                None => edges.push(RabinEdge { label: letters, target, marks }),
            }
        }
        Ok(edges)
    }

    fn successors(&mut self, macrostate: &[Set], letters: Label) -> Result<Macrostate, Limit> {
        let mut all = vec![];
        for &configuration in macrostate {
            let mut reached: Vec<Set> = vec![0];
            for state in members(configuration) {
                interrupt::poll();
                let targets = self.targets(state, letters);
                let both = reached.iter().flat_map(|l| targets.iter().map(move |r| l | r));
                reached = both.collect();
                reached.sort_unstable();
                reached.dedup();
                if reached.len() > MAX_CONFIGURATIONS {
                    return Err(Limit::Macrostates);
                }
            }
            all.extend(reached);
        }
        self.tidied(all)
    }

    /// Returns the marks of an edge to a macrostate on a class of letters.
    fn marks(&mut self, target: &[Set], letters: Label) -> Marks {
        let mut marks = vec![];
        for place in 0..self.bounds.len() {
            let Bound { set, must, .. } = self.bounds[place];
            let required: Vec<Rc<[Set]>> =
                members(must).map(|state| self.targets(state, letters)).collect();
            // The previous configuration need not be in the source macrostate.
            let allowed = |&configuration: &Set| {
                configuration & !set == 0
                    && configuration & self.must == must
                    && required
                        .iter()
                        .all(|targets| targets.iter().any(|t| t & !configuration == 0))
            };
            if !target.iter().any(allowed) {
                marks.push(self.bounds[place].pair.fin);
                continue;
            }
            for index in 0..self.bounds[place].may.len() {
                let state = self.bounds[place].may[index];
                let leaves = |&t: &Set| t >> state & 1 == 0 && t & !set == 0;
                if self.targets(state, letters).iter().any(leaves) {
                    marks.push(self.bounds[place].pair.infs[index]);
                }
            }
        }
        marks.into_iter().collect()
    }
}
