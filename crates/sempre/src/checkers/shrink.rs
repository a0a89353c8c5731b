//! Smaller pairs with the same mistake.

use super::{Mistake, Pair, Participant};
use crate::automata::Kripke;
use crate::cross::smaller_formulas;
use std::collections::BTreeSet;

/// Returns a smaller pair on which the participant makes the same kind of mistake, and that
/// mistake. No state, edge or proposition of a state can be removed from the pair, and no single
/// step makes the formula smaller. Tries at most this many pairs.
pub fn shrink(
    pair: &Pair,
    mistake: &Mistake,
    participant: &dyn Participant,
    most: usize,
) -> (Pair, Mistake) {
    let (mut best, mut known) = (pair.clone(), mistake.clone());
    let mut tries = 0;
    'smaller: loop {
        for candidate in candidates(&best) {
            crate::ltl::interrupt::poll_now();
            if tries == most {
                break 'smaller;
            }
            tries += 1;
            if let Err(found) = candidate.test(participant)
                && found.is_like(&known)
            {
                (best, known) = (candidate, found);
                continue 'smaller;
            }
        }
        break;
    }
    (best, known)
}

/// Pairs that are one step smaller; those with fewer states first.
fn candidates(pair: &Pair) -> Vec<Pair> {
    let structures = structures(&pair.structure).into_iter();
    let structures = structures.map(|structure| Pair { structure, formula: pair.formula.clone() });
    let formulas = smaller_formulas(&pair.formula).into_iter();
    let formulas = formulas.map(|formula| Pair { structure: pair.structure.clone(), formula });
    structures.chain(formulas).collect()
}

/// Structures with one state, edge or label fewer.
fn structures(of: &Kripke) -> Vec<Kripke> {
    let graph = Graph::of(of);
    let states = 0..of.state_count();
    let without_state = states.clone().filter_map(|state| graph.without_state(state));
    let edges = graph.edges.iter().filter_map(|edge| graph.without_edge(*edge));
    let labels = states.filter_map(|state| graph.without_label(state));
    let smaller = without_state.chain(edges).chain(labels);
    smaller.filter_map(|graph| graph.kripke(of)).collect()
}

/// A structure that is being changed.
#[derive(Clone)]
struct Graph {
    labels: Vec<u64>,
    edges: BTreeSet<(usize, usize)>,
    initial: usize,
}

impl Graph {
    fn of(kripke: &Kripke) -> Self {
        let edges = kripke.states().flat_map(|source| {
            kripke.successors(source).iter().map(move |target| (source.index(), target.index()))
        });
        let labels = kripke.states().map(|state| kripke.label(state)).collect();
        Graph { labels, edges: edges.collect(), initial: kripke.initial().index() }
    }

    /// Removes a state; edges to it lead to its successors instead.
    fn without_state(&self, gone: usize) -> Option<Graph> {
        let after: Vec<usize> =
            self.edges.iter().filter(|(s, t)| *s == gone && *t != gone).map(|(_, t)| *t).collect();
        let initial = match self.initial == gone {
            true => *after.first()?,
            false => self.initial,
        };
        let renamed = |state: usize| if state > gone { state - 1 } else { state };
        let mut edges = BTreeSet::new();
        for &(source, target) in self.edges.iter().filter(|(source, _)| *source != gone) {
            let targets = if target == gone { &after[..] } else { &[target] };
            edges.extend(targets.iter().map(|target| (renamed(source), renamed(*target))));
        }
        let mut labels = self.labels.clone();
        labels.remove(gone);
        // A state gets a self-loop if its only successor was removed and had no other successor.
        for state in 0..labels.len() {
            if edges.range((state, 0)..(state + 1, 0)).next().is_none() {
                edges.insert((state, state));
            }
        }
        Some(Graph { labels, edges, initial: renamed(initial) })
    }

    fn without_edge(&self, edge: (usize, usize)) -> Option<Graph> {
        let mut smaller = self.clone();
        smaller.edges.remove(&edge);
        smaller.edges.range((edge.0, 0)..(edge.0 + 1, 0)).next()?;
        Some(smaller)
    }

    fn without_label(&self, state: usize) -> Option<Graph> {
        let mut smaller = self.clone();
        (smaller.labels[state] != 0).then(|| {
            smaller.labels[state] = 0;
            smaller
        })
    }

    fn kripke(self, like: &Kripke) -> Option<Kripke> {
        Kripke::new(like.alphabet().clone(), self.labels, self.edges, self.initial).ok()
    }
}
