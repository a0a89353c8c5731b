//! An oracle for tests: the lassos of bounded size that an automaton accepts.

use crate::automaton::Automaton;
use crate::index::StateId;
use crate::scc::Sccs;

/// A prefix and a cycle, as valuations.
pub(crate) type Lasso = (Vec<u64>, Vec<u64>);

/// Returns all lassos over this number of valuations, with a prefix and a cycle up to these
/// lengths.
pub(crate) fn lassos_up_to(valuations: u64, prefix: u32, cycle: u32) -> Vec<Lasso> {
    let mut lassos = vec![];
    for cycle in 1..=cycle {
        for prefix in 0..=prefix {
            for code in 0..valuations.pow(cycle + prefix) {
                let letter = |place: u32| code / valuations.pow(place) % valuations;
                let prefix: Vec<u64> = (0..prefix).map(letter).collect();
                let cycle = (prefix.len() as u32..prefix.len() as u32 + cycle).map(letter);
                lassos.push((prefix.clone(), cycle.collect()));
            }
        }
    }
    lassos
}

/// Returns all short lassos over this number of valuations, and some longer ones.
pub(crate) fn lassos(valuations: u64) -> Vec<Lasso> {
    let mut lassos = lassos_up_to(valuations, 1, 2);
    let mut rng = sempre_ltl::generate::Rng::new(11);
    for size in 0..30 {
        let mut word = |length: usize| (0..length).map(|_| rng.below(valuations)).collect();
        lassos.push((word(size % 5), word(1 + size % 4)));
    }
    lassos
}

/// Returns the runs of the automaton on a lasso, as an automaton: state `(s, i)` is `s` before
/// position `i`.
pub(crate) fn runs(automaton: &Automaton, prefix: &[u64], cycle: &[u64]) -> Automaton {
    let letters: Vec<u64> = prefix.iter().chain(cycle).copied().collect();
    let place = |state: StateId, position: usize| {
        let position = if position == letters.len() { prefix.len() } else { position };
        StateId::new(position * automaton.state_count() + state.index())
    };
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(automaton.acceptance().clone());
    builder.add_states(automaton.state_count() * letters.len());
    automaton.initial().iter().for_each(|&state| {
        builder.initial(place(state, 0));
    });
    for (position, &letter) in letters.iter().enumerate() {
        for (source, edge) in automaton.transitions() {
            if automaton.alphabet().satisfied(edge.label, letter) {
                let (source, target) = (place(source, position), place(edge.target, position + 1));
                builder.edge(source, edge.label, edge.marks.clone(), target);
            }
        }
    }
    builder.build()
}

pub(crate) fn accepts(automaton: &Automaton, prefix: &[u64], cycle: &[u64]) -> bool {
    let runs = runs(automaton, prefix, cycle);
    Sccs::of(&runs).accepting(&runs).contains(&true)
}

/// True if the automata agree on the [`lassos`] over their propositions.
pub(crate) fn same_language(left: &Automaton, right: &Automaton) -> bool {
    lassos(1 << left.alphabet().props().len())
        .iter()
        .all(|(prefix, cycle)| accepts(left, prefix, cycle) == accepts(right, prefix, cycle))
}

/// True if there is at most one initial state and at most one edge per state and valuation. Checks
/// letter by letter, without operations on labels.
pub(crate) fn is_deterministic_letter_by_letter(automaton: &Automaton) -> bool {
    let alphabet = automaton.alphabet();
    let reads = |state, letter: u64| {
        let edges = automaton.edges_from(state).iter();
        edges.filter(|edge| alphabet.satisfied(edge.label, letter)).count()
    };
    let letters = 1u64 << alphabet.props().len();
    automaton.initial().len() <= 1
        && automaton.states().all(|state| (0..letters).all(|letter| reads(state, letter) <= 1))
}
