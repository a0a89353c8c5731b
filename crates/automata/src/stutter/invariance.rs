//! Stutter-invariance by the closures of an automaton and of one for the complement.
//!
//! A common word of both closures becomes a word of the language by repeating some letters, and a
//! word of the complement by repeating others; the runs determine which. If there is no common
//! word, no word of the language is equivalent to one of the complement: merging all repetitions of
//! both would give a common word of the closures.

use super::{are_equivalent, closure};
use crate::complement::complement;
use crate::emptiness::{self, Lasso};
use crate::index::{EdgeId, StateId};
use crate::product::{Pair, Product};
use crate::reduce::{Level, reduce};
use crate::{Automaton, Marks, determinize, membership};
use sempre_ltl::{Prop, Word, interrupt};
use std::collections::{HashSet, VecDeque};

/// The maximal number of states of a determinization.
const MAX_STATES: usize = 10_000;

/// Whether a language is stutter-invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invariance {
    /// The language is stutter-invariant.
    Invariant,
    /// The language is not stutter-invariant, with two words as witness.
    Sensitive(StutteringWords),
}

impl Invariance {
    /// True if the language is stutter-invariant.
    pub fn is_invariant(&self) -> bool {
        *self == Invariance::Invariant
    }
}

/// Two stutter-equivalent words, one of them in the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StutteringWords {
    /// The word in the language.
    pub accepted: Word,
    /// The word outside of the language.
    pub rejected: Word,
}

/// Decides whether the language is stutter-invariant, with the [complement](complement()) of the
/// automaton, which may be large. See [`invariance_given_complement`] if a complement is available.
/// The automaton is determinized first if few states suffice.
///
/// ```
/// use sempre_automata::{hoa, stutter};
/// // a U b
/// let until = hoa::parse(
///     r#"HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0)
///     --BODY-- State: 0 [0] 0 [1] 1 State: 1 [t] 1 {0} --END--"#,
/// )?;
/// assert!(stutter::invariance(&until.nondeterministic().unwrap()).is_invariant());
/// # Ok::<(), sempre_automata::Error>(())
/// ```
pub fn invariance(automaton: &Automaton) -> Invariance {
    let small = reduce(automaton, Level::Medium);
    // A smaller automaton may be harder to determinize.
    let mut deterministic =
        [&small, automaton].into_iter().filter_map(|a| determinize::parity_up_to(a, MAX_STATES));
    let complement = match deterministic.next() {
        Some(deterministic) => complement(&deterministic),
        None => complement(&small),
    };
    let found = invariance_given_complement(automaton, &complement);
    if let Invariance::Sensitive(words) = &found {
        let rejected = !membership::accepts(automaton, &words.rejected);
        assert!(rejected, "{} is in the language and in its complement", words.rejected);
    }
    found
}

/// Decides whether the language is stutter-invariant, given an automaton for its complement, such
/// as that of the negated formula. For any other second automaton, decides whether a word of the
/// first is stutter-equivalent to one of the second.
///
/// The words have been checked: by membership, and for equivalence by their letters.
pub fn invariance_given_complement(automaton: &Automaton, complement: &Automaton) -> Invariance {
    let closures = [closure(automaton), closure(complement)];
    let product = Product::intersection(&closures[0], &closures[1]);
    let Some(lasso) = emptiness::accepting_lasso(&product, product.acceptance().condition()) else {
        return Invariance::Invariant;
    };
    let word = product.word(&lasso);
    let accepted = unmerged(automaton, &closures[0], &word, &lasso, Pair::left, |edges| edges.0);
    let rejected = unmerged(complement, &closures[1], &word, &lasso, Pair::right, |edges| edges.1);
    assert!(
        membership::accepts(automaton, &accepted)
            && membership::accepts(complement, &rejected)
            && are_equivalent(&accepted, &rejected),
        "{accepted} and {rejected} are not a witness"
    );
    let (accepted, rejected) = (accepted.reduced(), rejected.reduced());
    Invariance::Sensitive(StutteringWords { accepted, rejected })
}

/// Repeats the letters of a word where an edge of a closure replaces a path.
fn unmerged(
    automaton: &Automaton,
    closure: &Automaton,
    word: &Word,
    lasso: &Lasso<Pair, (EdgeId, EdgeId)>,
    state: fn(Pair) -> StateId,
    edge: fn((EdgeId, EdgeId)) -> EdgeId,
) -> Word {
    let alphabet = automaton.alphabet();
    let mut times = vec![];
    for (position, (pair, edges)) in lasso.prefix.iter().chain(&lasso.cycle).enumerate() {
        let merged = closure.edge(edge(*edges));
        let reads = |label| {
            alphabet.satisfied_by(label, |prop| word.value(position, &alphabet.props()[prop]))
        };
        let readable: Vec<bool> = automaton.edges().iter().map(|edge| reads(edge.label)).collect();
        times.push(path_length(automaton, &readable, state(*pair), merged.target, &merged.marks));
    }
    let positions: Vec<usize> = (0..times.len())
        .flat_map(|position| std::iter::repeat_n(position, times[position]))
        .collect();
    let prefix = positions.iter().filter(|&&position| position < lasso.prefix.len()).count();
    let props: &[Prop] = word.props();
    Word::from_fn(props.to_vec(), prefix, positions.len() - prefix, |position, prop| {
        word.value(positions[position], &props[prop])
    })
    .unwrap_or_else(|_| unreachable!("the cycle of a lasso has an edge"))
}

/// Returns the length of a shortest path of readable edges with exactly these marks.
///
/// # Panics
/// If there is none, although the closure has an edge for it.
fn path_length(
    automaton: &Automaton,
    readable: &[bool],
    source: StateId,
    target: StateId,
    marks: &Marks,
) -> usize {
    let mut queue = VecDeque::from([(source, Marks::EMPTY, 0)]);
    let mut seen: HashSet<(StateId, Marks)> = HashSet::new();
    while let Some((state, so_far, length)) = queue.pop_front() {
        interrupt::poll();
        if length > 0 && state == target && so_far == *marks {
            return length;
        }
        for edge in automaton.edge_range(state).filter(|&edge| readable[edge]).map(EdgeId::new) {
            let edge = automaton.edge(edge);
            let so_far = &so_far | &edge.marks;
            if edge.marks.is_subset(marks) && seen.insert((edge.target, so_far.clone())) {
                queue.push_back((edge.target, so_far, length + 1));
            }
        }
    }
    unreachable!("an edge of the closure stands for a path")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stutter::self_loopize;
    use crate::test_language::{accepts, lassos_up_to};
    use crate::{Acceptance, Alphabet, Named, arbitrary, complete, product};
    use proptest::prelude::*;
    use sempre_ltl::Formula;
    use sempre_ltl::semantics::holds;

    /// Deterministic complete automata over one or two propositions, which are easy to complement.
    fn deterministic() -> impl Strategy<Value = Automaton> {
        (1usize..=2, 1usize..=3)
            .prop_flat_map(|(props, states)| {
                let letters = 1 << props;
                let edges =
                    prop::collection::vec((0..states, arbitrary::marks(2)), states * letters);
                (Just(props), Just(states), edges, arbitrary::acceptance(2))
            })
            .prop_map(|(props, states, edges, acceptance)| {
                let mut builder =
                    Automaton::builder(Alphabet::new(["a", "b"].into_iter().take(props)).unwrap());
                builder.acceptance(acceptance);
                builder.add_states(states);
                builder.initial(StateId::new(0));
                let letters = 1usize << props;
                for (place, (target, marks)) in edges.into_iter().enumerate() {
                    let (state, letter) = (place / letters, place % letters);
                    let cube: Vec<(usize, bool)> =
                        (0..props).map(|prop| (prop, letter >> prop & 1 == 1)).collect();
                    let label = builder.alphabet().from_cube(&cube);
                    builder.edge(StateId::new(state), label, marks, StateId::new(target));
                }
                builder.build()
            })
    }

    fn dual(automaton: &Automaton) -> Automaton {
        let mut builder = complete(automaton).edit();
        let acceptance: Acceptance = complete(automaton).acceptance().dual();
        builder.acceptance(acceptance);
        builder.build()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn closures_and_repetitions_and_short_words_agree(automaton in deterministic()) {
            let complement = dual(&automaton);
            let found = invariance_given_complement(&automaton, &complement);
            // The same check with repeated letters instead of merged ones.
            let repeated = [self_loopize(&automaton), self_loopize(&complement)];
            let common = product::common_word(&repeated[0], &repeated[1]);
            prop_assert_eq!(found.is_invariant(), common.is_none());
            if let Invariance::Sensitive(words) = &found {
                prop_assert!(membership::accepts(&automaton, &words.accepted));
                prop_assert!(!membership::accepts(&automaton, &words.rejected));
            }
            // The definition, on short words with and without a repeated letter.
            if found.is_invariant() {
                for (prefix, cycle) in lassos_up_to(1 << automaton.alphabet().props().len(), 1, 2) {
                    let accepted = accepts(&automaton, &prefix, &cycle);
                    for place in 0..prefix.len() + cycle.len() {
                        let (mut prefix, mut cycle) = (prefix.clone(), cycle.clone());
                        match place.checked_sub(prefix.len()) {
                            None => prefix.insert(place, prefix[place]),
                            Some(place) => cycle.insert(place, cycle[place]),
                        }
                        prop_assert_eq!(accepts(&automaton, &prefix, &cycle), accepted);
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn complements_are_found(
            automaton in arbitrary::automaton_with(
                Alphabet::new(["a"]).unwrap(),
                Just(Named::Buchi.acceptance()),
                arbitrary::Size { states: 4, props: 1, marks: 1, degree: 3 },
            ),
        ) {
            let found = invariance(&automaton);
            let repeated = self_loopize(&crate::complement::buchi(&automaton));
            let common = product::common_word(&self_loopize(&automaton), &repeated);
            prop_assert_eq!(found.is_invariant(), common.is_none());
        }
    }

    #[test]
    fn known_formulas() {
        let cases = [
            ("GF a", true, "States: 1 Start: 0 --BODY-- State: 0 [0] 0 {0} [!0] 0"),
            ("FG a", true, "States: 2 Start: 0 --BODY-- State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0}"),
            ("a U b", true, "States: 2 Start: 0 --BODY-- State: 0 [0] 0 [1] 1 State: 1 [t] 1 {0}"),
            // The operator X does not affect stutter-invariance here.
            (
                "F(a & X !a)",
                true,
                "States: 3 Start: 0 --BODY-- State: 0 [t] 0 [0] 1 State: 1 [!0] 2 \
                 State: 2 [t] 2 {0}",
            ),
            (
                "F(a & X a)",
                false,
                "States: 3 Start: 0 --BODY-- State: 0 [t] 0 [0] 1 State: 1 [0] 2 \
                 State: 2 [t] 2 {0}",
            ),
            (
                "a & X b",
                false,
                "States: 3 Start: 0 --BODY-- State: 0 [0] 1 State: 1 [1] 2 State: 2 [t] 2 {0}",
            ),
            (
                "G(a <-> X !a)",
                false,
                "States: 3 Start: 0 --BODY-- State: 0 [0] 1 [!0] 2 State: 1 [!0] 2 {0} \
                 State: 2 [0] 1 {0}",
            ),
        ];
        for (formula, invariant, body) in cases {
            let (states, body) = body.split_once("--BODY--").unwrap();
            let text = format!(
                "HOA: v1 {states} AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) --BODY--{body} --END--"
            );
            let automaton = crate::hoa::parse(&text).unwrap().nondeterministic().unwrap();
            let found = invariance(&automaton);
            assert_eq!(found.is_invariant(), invariant, "{formula}");
            if let Invariance::Sensitive(words) = found {
                let formula: Formula = formula.parse().unwrap();
                assert!(holds(&formula, &words.accepted), "{formula}: {words:?}");
                assert!(!holds(&formula, &words.rejected), "{formula}: {words:?}");
            }
        }
    }
}
