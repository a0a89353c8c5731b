//! Ranks of the vertices of run graphs, as an oracle for constructions with ranks or with guesses.
//!
//! The runs on a lasso are paths in a finite graph. If no run is accepting, taking out in turn the
//! vertices that lead nowhere and those behind which there is no further mark empties the graph:
//! O. Kupferman and M. Y. Vardi, "Weak alternating automata are not that weak" (2001). In a
//! semi-deterministic automaton, the ranks decide which guesses of NCSB are right.

use super::ncsb_tests::{input, samples};
use super::rank::Rank;
use super::*;
use crate::random::RandomAutomata;
use crate::subset;
use crate::test_language::{accepts, lassos, runs};
use crate::{Label, StateId, mark_cleanup};

/// The runs on a lasso, without acceptance, and whether each edge of it is marked.
struct RunGraph {
    /// By vertex, the targets and whether the edge is marked.
    edges: Vec<Vec<(usize, bool)>>,
    states: usize,
}

impl RunGraph {
    fn new(automaton: &Automaton, prefix: &[u64], cycle: &[u64]) -> Self {
        let graph = runs(automaton, prefix, cycle);
        let edge = |state: StateId| {
            let edges = graph.edges_from(state).iter();
            edges.map(|edge| (edge.target.index(), !edge.marks.is_empty())).collect()
        };
        RunGraph { edges: graph.states().map(edge).collect(), states: automaton.state_count() }
    }

    /// By vertex, whether an edge that satisfies the predicate is reachable inside the rest.
    fn reaches(&self, rest: &[bool], wanted: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut found = vec![false; rest.len()];
        loop {
            let mut changed = false;
            for vertex in (0..rest.len()).filter(|vertex| rest[*vertex]) {
                let hit = |&(target, marked): &(usize, bool)| {
                    rest[target] && (wanted(target, marked) || found[target])
                };
                if !found[vertex] && self.edges[vertex].iter().any(hit) {
                    found[vertex] = true;
                    changed = true;
                }
            }
            if !changed {
                return found;
            }
        }
    }

    /// By vertex, whether a path from it inside the rest never ends.
    fn endless(&self, rest: &[bool]) -> Vec<bool> {
        let mut endless = rest.to_vec();
        loop {
            let stuck: Vec<usize> = (0..endless.len())
                .filter(|&v| endless[v] && !self.edges[v].iter().any(|(t, _)| endless[*t]))
                .collect();
            if stuck.is_empty() {
                return endless;
            }
            stuck.into_iter().for_each(|vertex| endless[vertex] = false);
        }
    }

    /// The rank of each vertex, from 0 on: even for those that lead nowhere, odd for those that see
    /// no further mark. `None` if some vertex has none, so that a run is accepting.
    fn ranks(&self) -> Option<Vec<u8>> {
        let mut rest = vec![true; self.edges.len()];
        let mut ranks = vec![0; self.edges.len()];
        for rank in 0..=2 * self.states as u8 + 1 {
            let gone: Vec<bool> = match rank % 2 {
                0 => self.endless(&rest).iter().map(|endless| !endless).collect(),
                _ => self.reaches(&rest, |_, marked| marked).iter().map(|marked| !marked).collect(),
            };
            for vertex in 0..rest.len() {
                if rest[vertex] && gone[vertex] {
                    rest[vertex] = false;
                    ranks[vertex] = rank;
                }
            }
        }
        rest.iter().all(|left| !left).then_some(ranks)
    }

    /// By vertex, whether no accepting state is reachable from it, and it is not one.
    fn safe(&self, accepting: &[bool]) -> Vec<bool> {
        let all = vec![true; self.edges.len()];
        let accepts = |vertex: usize| accepting[vertex % self.states];
        let reaches = self.reaches(&all, |target, _| accepts(target));
        (0..all.len()).map(|vertex| !accepts(vertex) && !reaches[vertex]).collect()
    }
}

#[test]
fn ranks_are_below_the_bounds_of_components() {
    let (mut rejected, mut tight) = (0, 0);
    for seed in 0..60 {
        let random = RandomAutomata::over(["a"]).unwrap().states(2 + seed as usize % 4).seed(seed);
        let random = random.acceptance(Named::Buchi).density(0.4).mark_probability(0.4);
        let automaton = random.generate().next().unwrap();
        let clean = mark_cleanup::outside_components(&prune::trim(&automaton));
        let Some(rank) = Rank::new(&clean, Ranking::Plain) else { continue };
        for (prefix, cycle) in lassos(2) {
            let ranks = RunGraph::new(&clean, &prefix, &cycle).ranks();
            // Vertices that no run reaches have ranks as well.
            let Some(ranks) = ranks else { continue };
            assert!(!accepts(&clean, &prefix, &cycle));
            rejected += 1;
            for (vertex, found) in ranks.into_iter().enumerate() {
                let bound = rank.bounds()[vertex % clean.state_count()];
                assert!(found <= bound, "{found} above {bound}");
                tight += usize::from(found == bound);
            }
        }
    }
    assert!(rejected > 500 && tight > 500, "{rejected} {tight}");
}

/// The guess of the rational run: runs that reach no accepting state any more are safe, and all
/// others of the second part are checked until they end. It is a run of the construction, it is
/// accepting, and no other run is.
#[test]
fn the_rational_run_is_the_only_accepting_one() {
    let (mut checked, mut guessed) = (0, 0);
    for automaton in samples().iter().step_by(2) {
        let automaton = prune::trim(&input(automaton, Guess::StateBased));
        if automaton.initial().is_empty() {
            continue;
        }
        let states = automaton.state_count();
        let is_accepting = |state: StateId| {
            let edges = automaton.edges_from(state);
            !edges.is_empty() && edges.iter().all(|edge| !edge.marks.is_empty())
        };
        let accepting: Vec<bool> = automaton.states().map(is_accepting).collect();
        let mut second = accepting.clone();
        for _ in 0..states {
            for (source, edge) in automaton.transitions() {
                second[edge.target.index()] |= second[source.index()];
            }
        }
        let complement = ncsb(&automaton, Guess::StateBased, Division::Smallest, 1 << 12).unwrap();
        for (prefix, cycle) in lassos(2).into_iter().step_by(3) {
            if accepts(&automaton, &prefix, &cycle) {
                continue;
            }
            let safe = RunGraph::new(&automaton, &prefix, &cycle).safe(&accepting);
            let sets = Sets { automaton: &automaton, second: &second };
            let marked = sets.follow(&prefix, &cycle, &safe);
            assert!(marked, "the rational run is not accepting");
            let all = runs(&complement, &prefix, &cycle);
            assert!(accepts(&complement, &prefix, &cycle) && all.is_unambiguous());
            checked += 1;
            guessed += usize::from(!all.is_deterministic());
        }
    }
    assert!(checked > 200 && guessed > 50, "{checked} {guessed}");
}

/// A semi-deterministic automaton and its second part.
struct Sets<'a> {
    automaton: &'a Automaton,
    second: &'a [bool],
}

impl Sets<'_> {
    /// Follows the rational run for as long as its macrostates repeat; returns whether it is
    /// accepting. Panics if it is no run of the construction.
    fn follow(&self, prefix: &[u64], cycle: &[u64], safe: &[bool]) -> bool {
        let mut construction =
            Ncsb::new(self.automaton, Guess::StateBased, Division::Smallest).unwrap();
        let states = self.automaton.state_count();
        let letters: Vec<u64> = prefix.iter().chain(cycle).copied().collect();
        let mut reached: Vec<StateId> = self.automaton.initial().to_vec();
        let mut broken: Option<Vec<StateId>> = None;
        let mut position = 0;
        let mut before: Option<(Vec<u64>, u64)> = None;
        let mut seen: Vec<(usize, Vec<u64>, bool)> = vec![];
        loop {
            let is_safe = |state: &StateId| safe[position * states + state.index()];
            let part = |wanted: &dyn Fn(&StateId) -> bool| -> Vec<StateId> {
                reached.iter().copied().filter(|state| wanted(state)).collect()
            };
            let first = part(&|state| !self.second[state.index()]);
            let safe = part(&|state| self.second[state.index()] && is_safe(state));
            let check = part(&|state| self.second[state.index()] && !is_safe(state));
            let open = match broken.take() {
                Some(open) => open.into_iter().filter(|state| check.contains(state)).collect(),
                None => check.clone(),
            };
            let width = subset::width(states);
            let macrostate: Vec<u64> = [&first, &check, &safe, &open]
                .iter()
                .flat_map(|part| subset::set(width, part.iter().copied()).to_vec())
                .collect();
            match &before {
                None => assert!(construction.initial().contains(&macrostate)),
                Some((before, letter)) => {
                    let mut found = false;
                    let mut visit = |label: Label, _: u32, target: &[u64]| {
                        let read = self.automaton.alphabet().satisfied(label, *letter);
                        found |= read && target == macrostate;
                    };
                    construction.successors(before, &mut visit);
                    assert!(found, "it is no run");
                }
            }
            let entry = (position, macrostate.clone(), open.is_empty());
            if let Some(first) = seen.iter().position(|known| *known == entry) {
                return seen[first..].iter().any(|(_, _, done)| *done);
            }
            seen.push(entry);
            let step = |from: &[StateId]| {
                let mut to: Vec<StateId> = from
                    .iter()
                    .flat_map(|state| self.automaton.edges_from(*state))
                    .filter(|edge| {
                        self.automaton.alphabet().satisfied(edge.label, letters[position])
                    })
                    .map(|edge| edge.target)
                    .collect();
                to.sort_unstable();
                to.dedup();
                to
            };
            reached = step(&reached);
            broken = (!open.is_empty()).then(|| step(&open));
            before = Some((macrostate, letters[position]));
            position = if position + 1 == letters.len() { prefix.len() } else { position + 1 };
        }
    }
}
