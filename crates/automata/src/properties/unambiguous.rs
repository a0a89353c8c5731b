//! Ambiguity: whether a word has two accepting runs.
//!
//! Pairs of runs on the same word are the runs of the product of the automaton with itself. A flag
//! records whether the two runs have differed in a state or an edge. The automaton is ambiguous if
//! a pair with this flag is on an accepting cycle.

use crate::acceptance::{Acceptance, Condition};
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::scc::Sccs;
use crate::{parallel, prune};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// Two states reached by runs on the same word.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Pair {
    left: StateId,
    right: StateId,
    different: bool,
}

pub(super) fn is_unambiguous(automaton: &Automaton) -> bool {
    let automaton = parallel::merge(&prune::trim(automaton));
    let alphabet = automaton.alphabet();
    let marks = automaton.acceptance().marks();
    let condition = automaton.acceptance().condition();
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(Acceptance::new(
        2 * marks,
        Condition::and([condition.clone(), condition.map_marks(&|mark| mark + marks)]),
    ));
    let mut numbers: FxHashMap<Pair, StateId> = FxHashMap::default();
    let mut pairs: Vec<Pair> = vec![];
    for (place, &left) in automaton.initial().iter().enumerate() {
        for &right in &automaton.initial()[place..] {
            let pair = Pair { left, right, different: left != right };
            pairs.push(pair);
            let state = builder.add_state();
            numbers.insert(pair, state);
            builder.initial(state);
        }
    }
    let mut visited = 0;
    while visited < pairs.len() {
        let (pair, source) = (pairs[visited], StateId::new(visited));
        visited += 1;
        interrupt::poll();
        for (l, left) in automaton.edges_from(pair.left).iter().enumerate() {
            // While two runs are equal, only one order of each pair of edges matters.
            let first = if pair.different { 0 } else { l };
            for (r, right) in automaton.edges_from(pair.right).iter().enumerate().skip(first) {
                let label = alphabet.and(left.label, right.label);
                if label == alphabet.ff() {
                    continue;
                }
                let different = pair.different || l != r;
                let next = Pair { left: left.target, right: right.target, different };
                let target = *numbers.entry(next).or_insert_with(|| {
                    pairs.push(next);
                    builder.add_state()
                });
                builder.edge(source, label, &left.marks | &right.marks.shifted(marks), target);
            }
        }
    }
    let product = builder.build();
    let sccs = Sccs::of(&product);
    let accepting = sccs.accepting(&product);
    sccs.iter()
        .filter(|scc| accepting[scc.index()])
        .all(|scc| !pairs[sccs.states(scc)[0].index()].different)
}
