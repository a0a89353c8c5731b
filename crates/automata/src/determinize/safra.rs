//! Determinization of generalized Büchi automata to parity automata.
//!
//! A state of the result is an ordered tree of sets of states (Safra, FOCS 1988). Compact names of
//! nodes give a parity condition (Piterman, LICS 2006; Redziejowski, Fundamenta Informaticae 2012).
//! Each node waits for a mark, so generalized acceptance needs no degeneralization (Schewe and
//! Varghese, ATVA 2012). A tree is stored as a path for each state, from the root to the deepest
//! node that contains the state. Older nodes have smaller names.
//!
//! On each letter, states move along edges. States that see the mark of their deepest node move to
//! a new child of it. If a state has several paths, the one with older nodes counts. If all states
//! of a node are in its children, all runs have seen its mark. The node then absorbs its children
//! and waits for the next mark: a good event. A node that vanishes is a bad event. The oldest node
//! with infinitely many events decides.
//!
//! The number of states can exceed (n!)² for n states.

use super::tree::{Forest, Path, precedence};
use crate::automaton::Automaton;
use crate::convert::{ParityForm, to_generalized_buchi, to_parity};
use crate::index::StateId;
use crate::label::Label;
use crate::marks::Mark;
use crate::{Named, Parity, ParityKind};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// Returns a deterministic parity automaton for the same language, in general incomplete.
/// Deterministic parity automata do not change.
///
/// Time and memory may be large: see [`parity_up_to`].
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Named, Parity, determinize};
/// // Finally always a: guess when.
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// builder.acceptance(Named::Buchi.acceptance());
/// let (guess, always) = (builder.add_state(), builder.add_state());
/// let (tt, a) = (builder.alphabet().tt(), builder.alphabet().prop(0));
/// builder.initial(guess);
/// builder.edge(guess, tt, Marks::EMPTY, guess);
/// builder.edge(guess, a, Marks::EMPTY, always);
/// builder.edge(always, a, Marks::from_iter([0]), always);
/// let deterministic = determinize::parity(&builder.build());
/// assert!(deterministic.is_deterministic() && deterministic.state_count() <= 3);
/// assert!(Parity::of(deterministic.acceptance()).is_some());
/// ```
pub fn parity(automaton: &Automaton) -> Automaton {
    parity_up_to(automaton, usize::MAX)
        .unwrap_or_else(|| unreachable!("no automaton has usize::MAX states"))
}

/// As [`parity`]; `None` if the result has more than `most_states` states, or one of them reads more
/// than twice as many classes of letters.
pub fn parity_up_to(automaton: &Automaton, most_states: usize) -> Option<Automaton> {
    if automaton.is_deterministic() && Parity::of(automaton.acceptance()).is_some() {
        return (automaton.state_count() <= most_states).then(|| automaton.clone());
    }
    let automaton = &to_generalized_buchi(automaton);
    let construction = Construction { automaton, marks: automaton.acceptance().marks().max(1) };
    let deterministic = construction.build(most_states)?;
    let compact = to_parity(&deterministic, ParityForm::any());
    Some(compact.unwrap_or_else(|_| unreachable!("the condition is a parity condition")))
}

struct Construction<'a> {
    automaton: &'a Automaton,
    /// At least one.
    marks: u32,
}

impl Construction<'_> {
    fn build(&self, most_states: usize) -> Option<Automaton> {
        let alphabet = self.automaton.alphabet();
        let mut builder = Automaton::builder(alphabet.clone());
        if let Some(name) = self.automaton.name() {
            builder.name(name);
        }
        let mut trees: Vec<Forest> = vec![];
        let mut numbers: FxHashMap<Forest, StateId> = FxHashMap::default();
        let mut edges: Vec<(StateId, Label, Option<Mark>, StateId)> = vec![];
        if !self.automaton.initial().is_empty() {
            let tree = self.initial();
            let root = builder.add_state();
            builder.initial(root);
            numbers.insert(tree.clone(), root);
            trees.push(tree);
        }
        let mut visited = 0;
        while visited < trees.len() {
            interrupt::poll();
            let source = StateId::new(visited);
            let outgoing = trees[visited]
                .paths
                .iter()
                .flat_map(|(state, _)| self.automaton.edges_from(*state))
                .map(|edge| edge.label);
            for letters in alphabet.classes_up_to(outgoing, most_states.saturating_mul(2))? {
                interrupt::poll();
                let Some((tree, event)) = self.step(&trees[visited], letters) else { continue };
                let target = match numbers.get(&tree) {
                    Some(&number) => number,
                    None => {
                        if trees.len() == most_states {
                            return None;
                        }
                        let number = builder.add_state();
                        numbers.insert(tree.clone(), number);
                        trees.push(tree);
                        number
                    }
                };
                edges.push((source, letters, event, target));
            }
            visited += 1;
        }
        let events = edges.iter().filter_map(|(_, _, event, _)| *event);
        // The last mark is that of a good event, so that runs without events are rejecting.
        let marks = events.max().map_or(0, |event| (event | 1) + 1);
        let parity = Parity { kind: ParityKind::Min, odd: true, marks };
        builder.acceptance(Named::Parity(parity).acceptance());
        for (source, letters, event, target) in edges {
            interrupt::poll();
            builder.edge(source, letters, event.into_iter().collect(), target);
        }
        Some(crate::parallel::merge(&builder.build()))
    }

    fn initial(&self) -> Forest {
        let mut states = self.automaton.initial().to_vec();
        states.sort_unstable();
        let paths = states.into_iter().map(|state| (state, vec![0])).collect();
        Forest { paths, awaited: vec![0] }
    }

    /// Returns the tree after a letter of a class, and the event: 2i if node i vanishes, 2i + 1 if
    /// it is good, for the smallest such i. `None` if no state remains.
    fn step(&self, tree: &Forest, letters: Label) -> Option<(Forest, Option<Mark>)> {
        let paths = self.moved(tree, letters);
        if paths.is_empty() {
            return None;
        }
        Some(tree.settle(paths, self.marks))
    }

    /// Returns the states after a letter, each with the path that counts.
    fn moved(&self, tree: &Forest, letters: Label) -> Vec<(StateId, Path)> {
        let alphabet = self.automaton.alphabet();
        let no_marks = self.automaton.acceptance().marks() == 0;
        let mut moved: Vec<(StateId, Path)> = vec![];
        for (state, path) in &tree.paths {
            let deepest = path.last().copied().unwrap_or(0);
            for edge in self.automaton.edges_from(*state) {
                if !alphabet.implies(letters, edge.label) {
                    continue;
                }
                let mut path = path.clone();
                if no_marks || edge.marks.contains(tree.awaited[deepest as usize]) {
                    path.push(tree.child(deepest));
                }
                moved.push((edge.target, path));
            }
        }
        moved.sort_by(|(l, left), (r, right)| l.cmp(r).then_with(|| precedence(left, right)));
        moved.dedup_by_key(|(state, _)| *state);
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{Size, automaton_of, automaton_with};
    use crate::test_language::same_language;
    use crate::{Alphabet, Marks, complete, emptiness, product};
    use proptest::prelude::*;

    fn check(automaton: &Automaton) -> Result<(), TestCaseError> {
        let Some(deterministic) = parity_up_to(automaton, 2000) else { return Ok(()) };
        prop_assert!(deterministic.is_deterministic());
        prop_assert!(Parity::of(deterministic.acceptance()).is_some());
        prop_assert!(same_language(automaton, &deterministic));
        // No accepted word is missing, whatever its length.
        let completed = complete(&deterministic);
        let mut complement = completed.edit();
        complement.acceptance(completed.acceptance().dual());
        let missing = product::intersection(automaton, &complement.build());
        prop_assert!(emptiness::is_empty(&missing));
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn generalized_buchi_automata_are_determinized(
            automaton in (0u32..=3).prop_flat_map(|marks| {
                let acceptance = Just(Named::GeneralizedBuchi(marks).acceptance());
                let size = Size { states: 5, props: 1, marks, degree: 3 };
                automaton_with(Alphabet::new(["a"]).unwrap(), acceptance, size)
            }),
        ) {
            check(&automaton)?;
        }
    }

    proptest! {
        #[test]
        fn any_automata_are_determinized(
            automaton in automaton_of(Size { states: 4, props: 2, ..Size::default() }),
        ) {
            check(&automaton)?;
        }
    }

    #[test]
    fn large_results_are_refused() {
        let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
        let (a, tt) = (builder.alphabet().prop(0), builder.alphabet().tt());
        // The tenth letter before the last is a, so the powerset has 2^10 states.
        let first = builder.add_states(11);
        builder.acceptance(Named::Buchi.acceptance());
        builder.initial(first);
        builder.edge(first, tt, Marks::EMPTY, first);
        for state in 0..10 {
            let label = if state == 0 { a } else { tt };
            builder.edge(StateId::new(state), label, Marks::EMPTY, StateId::new(state + 1));
        }
        builder.edge(StateId::new(10), tt, Marks::from_iter([0]), StateId::new(10));
        let automaton = builder.build();
        assert!(parity_up_to(&automaton, 10).is_none());
        assert!(parity(&automaton).state_count() > 10);
    }
}
