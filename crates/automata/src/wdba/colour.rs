//! The accepting sets of a powerset, in the form that minimization needs.
//!
//! Components of the powerset get colours, which do not increase along edges: even ones for
//! accepting components, odd ones for rejecting ones, each as small as possible. Sets on no cycle
//! get the colours of their successors. If the sets of even colour are accepting, states are
//! equivalent exactly if they are so on finite words (Löding 2001). Linear, besides one membership
//! test for each component.

use crate::determinize::Powerset;
use crate::emptiness::{self, Dense, Graph};
use crate::subset::{self, StateSet};
use crate::{Automaton, EdgeId, Label, Marks, Named, StateId};
use std::borrow::Cow;

/// By set of the powerset, whether its colour is even.
pub(super) fn accepting_states(automaton: &Automaton, powerset: &Powerset) -> Vec<bool> {
    let (components, component) = powerset.components();
    let every_run = *automaton.acceptance() == Named::All.acceptance();
    let mut colours: Vec<u32> = Vec::with_capacity(components.len());
    let mut search = CycleSearch::new(powerset, &component);
    for sets in &components {
        let own = colours.len() as u32;
        let mut colour = 0;
        let mut cyclic = false;
        for set in sets {
            // Unreadable letters lead to a rejecting sink of colour 1.
            if !powerset.is_complete(*set as usize) {
                colour = colour.max(1);
            }
            for (_, target) in powerset.edges(*set as usize) {
                sempre_ltl::interrupt::poll();
                match component[*target as usize] {
                    target if target == own => cyclic = true,
                    target => colour = colour.max(colours[target as usize]),
                }
            }
        }
        if cyclic {
            let (start, labels) = search.cycle(sets);
            let accepting = every_run || accepts(automaton, powerset.set(start), &labels);
            colour += u32::from(colour.is_multiple_of(2) != accepting);
        }
        colours.push(colour);
    }
    component.iter().map(|component| colours[*component as usize].is_multiple_of(2)).collect()
}

/// Finds cycles in components of the powerset.
struct CycleSearch<'a> {
    powerset: &'a Powerset,
    component: &'a [u32],
    /// By visited set, its parent in the search.
    parents: Vec<Option<(u32, Label)>>,
}

impl<'a> CycleSearch<'a> {
    fn new(powerset: &'a Powerset, component: &'a [u32]) -> Self {
        CycleSearch { powerset, component, parents: vec![None; powerset.len()] }
    }

    /// Returns a set of a component with cycles, and the labels of a cycle through it: a self-loop
    /// if there is one.
    fn cycle(&mut self, sets: &[u32]) -> (usize, Vec<Label>) {
        for set in sets {
            let edges = self.powerset.edges(*set as usize);
            if let Some((label, _)) = edges.iter().find(|(_, target)| target == set) {
                return (*set as usize, vec![*label]);
            }
        }
        let start = sets[0];
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(set) = queue.get(next).copied() {
            next += 1;
            for (label, target) in self.powerset.edges(set as usize) {
                sempre_ltl::interrupt::poll();
                if *target == start {
                    let mut labels = vec![*label];
                    let mut here = set;
                    while let Some((parent, label)) = self.parents[here as usize] {
                        labels.push(label);
                        here = parent;
                    }
                    labels.reverse();
                    return (start as usize, labels);
                }
                let inside = self.component[*target as usize] == self.component[start as usize];
                if inside && self.parents[*target as usize].is_none() {
                    self.parents[*target as usize] = Some((set, *label));
                    queue.push(*target);
                }
            }
        }
        unreachable!("the component has cycles")
    }
}

/// True if the automaton accepts, from one of these states, the word that repeats a letter of each
/// label in turn.
fn accepts(automaton: &Automaton, start: &StateSet, labels: &[Label]) -> bool {
    let alphabet = automaton.alphabet();
    let letter = |label: &Label| {
        let holds = alphabet.some_valuation(*label).unwrap_or_default();
        let literals = (0..alphabet.props().len()).map(|prop| (prop, holds.contains(&prop)));
        alphabet.from_cube(&literals.collect::<Vec<_>>())
    };
    let letters = labels.iter().map(letter).collect();
    let cycle = Cycle { automaton, start, letters };
    emptiness::has_accepting_lasso(&cycle, automaton.acceptance().condition())
}

/// The runs of an automaton on a periodic word: node `p · n + s` is state `s` of n before position
/// `p`.
struct Cycle<'a> {
    automaton: &'a Automaton,
    start: &'a StateSet,
    letters: Vec<Label>,
}

impl Graph for Cycle<'_> {
    type Node = usize;
    type Edge = EdgeId;
    type Numbering = Dense;

    fn numbering(&self) -> Dense {
        Dense::new(self.automaton.state_count() * self.letters.len())
    }

    fn initial(&self) -> impl Iterator<Item = usize> + '_ {
        subset::states(self.start).map(StateId::index)
    }

    fn successors(&self, node: usize) -> impl Iterator<Item = (EdgeId, usize)> + '_ {
        let states = self.automaton.state_count();
        let (position, state) = (node / states, StateId::new(node % states));
        let next = (position + 1) % self.letters.len() * states;
        let letter = self.letters[position];
        self.automaton.edge_range(state).filter_map(move |place| {
            let edge = &self.automaton.edges()[place];
            let reads = !self.automaton.alphabet().disjoint(edge.label, letter);
            reads.then(|| (EdgeId::new(place), next + edge.target.index()))
        })
    }

    fn marks(&self, edge: EdgeId) -> Cow<'_, Marks> {
        Cow::Borrowed(&self.automaton.edge(edge).marks)
    }
}
