//! Membership: whether an automaton accepts a lasso word.
//!
//! A deterministic automaton runs until a state at the start of the cycle recurs. Otherwise, a set
//! of states is followed through the prefix. Then an emptiness check decides on the product with
//! the positions of the cycle. O(word × edges) for conditions without `Fin`.

use crate::emptiness::{self, Dense, Graph, Numbering, Sparse};
use crate::letters::Letters;
use crate::{Automaton, EdgeId, Marks, Run, StateId};
use sempre_ltl::Word;
use std::borrow::Cow;

/// True if the automaton accepts the word. Propositions that the word lacks are false.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, membership};
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// let state = builder.add_state();
/// let a = builder.alphabet().prop(0);
/// builder.initial(state).edge(state, a, Marks::EMPTY, state);
/// let always_a = builder.build();
/// assert!(membership::accepts(&always_a, &"a&b; cycle{a}".parse().unwrap()));
/// assert!(!membership::accepts(&always_a, &"a; cycle{a; b}".parse().unwrap()));
/// ```
pub fn accepts(automaton: &Automaton, word: &Word) -> bool {
    let letters = Letters::of_word(automaton.alphabet(), word);
    if automaton.is_deterministic() {
        return accepts_deterministically(automaton, word, &letters);
    }
    let initial = after_prefix(automaton, word, &letters);
    let initial = initial.into_iter().map(|state| (word.prefix_len(), state)).collect();
    let product = Positions { automaton, word, letters, initial };
    emptiness::has_accepting_lasso(&product, automaton.acceptance().condition())
}

/// Returns an accepting run of the automaton on the word, checked by [`Run::check`]; `None` if
/// there is none. Its prefix and cycle may be longer than those of the word.
pub fn accepting_run(automaton: &Automaton, word: &Word) -> Option<Run> {
    let letters = Letters::of_word(automaton.alphabet(), word);
    let initial = automaton.initial().iter().map(|state| (0, *state)).collect();
    let product = Positions { automaton, word, letters, initial };
    let lasso = emptiness::accepting_lasso(&product, automaton.acceptance().condition())?;
    let steps = |steps: Vec<((usize, StateId), EdgeId)>| {
        steps.into_iter().map(|((_, state), edge)| (state, edge)).collect()
    };
    let lasso = emptiness::Lasso { prefix: steps(lasso.prefix), cycle: steps(lasso.cycle) };
    Some(Run::checked(automaton, lasso))
}

/// Returns the edges of a state that read the letter at a position.
fn readers<'a>(
    automaton: &'a Automaton,
    letters: &'a Letters,
    position: usize,
    state: StateId,
) -> impl Iterator<Item = EdgeId> + 'a {
    let alphabet = automaton.alphabet();
    let reads =
        move |edge: &usize| letters.satisfy(position, alphabet, automaton.edges()[*edge].label);
    automaton.edge_range(state).filter(reads).map(EdgeId::new)
}

/// Follows the only run.
fn accepts_deterministically(automaton: &Automaton, word: &Word, letters: &Letters) -> bool {
    let Some(mut state) = automaton.initial().first().copied() else { return false };
    let mut step = |position: usize, marks: &mut Marks| {
        let edge = readers(automaton, letters, position, state).next()?;
        let edge = automaton.edge(edge);
        *marks |= &edge.marks;
        state = edge.target;
        Some(state)
    };
    let mut marks = Marks::EMPTY;
    let mut entry = automaton.initial()[0];
    for position in 0..word.prefix_len() {
        let Some(next) = step(position, &mut marks) else { return false };
        entry = next;
    }
    // The states at the start of each round of the cycle, and the marks of each round.
    let mut begun = vec![usize::MAX; automaton.state_count()];
    let mut rounds: Vec<Marks> = vec![];
    while begun[entry.index()] == usize::MAX {
        begun[entry.index()] = rounds.len();
        let mut marks = Marks::EMPTY;
        for position in word.prefix_len()..word.len() {
            let Some(next) = step(position, &mut marks) else { return false };
            entry = next;
        }
        rounds.push(marks);
    }
    let mut recurring = Marks::EMPTY;
    for marks in &rounds[begun[entry.index()]..] {
        recurring |= marks;
    }
    automaton.acceptance().accepts(&recurring)
}

/// Returns the states that runs reach at the start of the cycle.
fn after_prefix(automaton: &Automaton, word: &Word, letters: &Letters) -> Vec<StateId> {
    let mut states = automaton.initial().to_vec();
    let mut reached = vec![usize::MAX; automaton.state_count()];
    for position in 0..word.prefix_len() {
        let mut next = vec![];
        for state in states {
            for edge in readers(automaton, letters, position, state) {
                sempre_ltl::interrupt::poll();
                let target = automaton.edge(edge).target;
                if reached[target.index()] != position {
                    reached[target.index()] = position;
                    next.push(target);
                }
            }
        }
        states = next;
    }
    states
}

/// The product of an automaton with the positions of a word.
struct Positions<'a> {
    automaton: &'a Automaton,
    word: &'a Word,
    letters: Letters,
    initial: Vec<(usize, StateId)>,
}

/// Numbers for pairs of a position and a state: in a vector unless that would be large.
enum Pairs {
    Dense { states: usize, numbers: Dense },
    Sparse(Sparse<(usize, StateId)>),
}

impl Numbering<(usize, StateId)> for Pairs {
    fn number(&mut self, (position, state): (usize, StateId), next: u32) -> u32 {
        match self {
            Pairs::Dense { states, numbers } => {
                numbers.number(position * *states + state.index(), next)
            }
            Pairs::Sparse(numbers) => numbers.number((position, state), next),
        }
    }

    fn get(&self, (position, state): (usize, StateId)) -> Option<u32> {
        match self {
            Pairs::Dense { states, numbers } => numbers.get(position * *states + state.index()),
            Pairs::Sparse(numbers) => numbers.get((position, state)),
        }
    }
}

impl Graph for Positions<'_> {
    type Node = (usize, StateId);
    type Edge = EdgeId;
    type Numbering = Pairs;

    fn numbering(&self) -> Pairs {
        let states = self.automaton.state_count();
        match states.checked_mul(self.word.len()) {
            Some(pairs) if pairs <= 1 << 22 => Pairs::Dense { states, numbers: Dense::new(pairs) },
            _ => Pairs::Sparse(Sparse::default()),
        }
    }

    fn initial(&self) -> impl Iterator<Item = (usize, StateId)> + '_ {
        self.initial.iter().copied()
    }

    fn successors(
        &self,
        (position, state): (usize, StateId),
    ) -> impl Iterator<Item = (EdgeId, (usize, StateId))> + '_ {
        let next = self.word.successor(position);
        readers(self.automaton, &self.letters, position, state)
            .map(move |edge| (edge, (next, self.automaton.edge(edge).target)))
    }

    fn marks(&self, edge: EdgeId) -> Cow<'_, Marks> {
        Cow::Borrowed(&self.automaton.edge(edge).marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{self, Size, automaton_of};
    use crate::{Alphabet, Named};
    use proptest::prelude::*;
    use sempre_ltl::{Formula, semantics};

    /// Returns the automaton that accepts only this word over its propositions.
    fn automaton_of_word(word: &Word) -> Automaton {
        let mut builder = Automaton::builder(Alphabet::new(word.props().to_vec()).unwrap());
        let alphabet = builder.alphabet().clone();
        builder.add_states(word.len());
        builder.initial(StateId::new(0));
        for position in 0..word.len() {
            let value = |i: usize| word.value(position, &word.props()[i]);
            let cube: Vec<(usize, bool)> = (0..word.props().len()).map(|i| (i, value(i))).collect();
            let next = StateId::new(word.successor(position));
            let label = alphabet.from_cube(&cube);
            builder.edge(StateId::new(position), label, Marks::EMPTY, next);
        }
        builder.build()
    }

    proptest! {
        #[test]
        fn membership_is_the_product_with_the_word(
            automaton in arbitrary::automaton(),
            word in sempre_ltl::arbitrary::word(4),
        ) {
            let product = crate::product::intersection(&automaton, &automaton_of_word(&word));
            let wanted = !emptiness::is_empty(&product);
            prop_assert_eq!(accepts(&automaton, &word), wanted);
            let run = accepting_run(&automaton, &word);
            prop_assert_eq!(run.is_some(), wanted);
            if let Some(run) = run {
                let alphabet = automaton.alphabet();
                for (position, edge) in run.edges().enumerate().take(run.len()) {
                    let label = automaton.edge(edge).label;
                    let value = |i: usize| word.value(position, &alphabet.props()[i]);
                    prop_assert!(alphabet.satisfied_by(label, value));
                }
            }
        }

        #[test]
        fn runs_are_on_words_that_are_accepted(
            automaton in automaton_of(Size { states: 8, ..Size::default() }),
        ) {
            if let Some(run) = emptiness::accepting_run(&automaton) {
                prop_assert!(accepts(&automaton, &run.word(&automaton)));
            }
        }

        /// One edge per letter: deterministic and complete, so the fast algorithm runs.
        #[test]
        fn deterministic_automata_are_run(
            targets in prop::collection::vec((0usize..4, arbitrary::marks(3)), 4 * 4),
            acceptance in arbitrary::acceptance(3),
            word in sempre_ltl::arbitrary::word_over(["a", "b"], 5),
        ) {
            let mut builder = Automaton::builder(Alphabet::new(["a", "b"]).unwrap());
            builder.acceptance(acceptance);
            builder.add_states(4);
            builder.initial(StateId::new(0));
            for (place, (target, marks)) in targets.into_iter().enumerate() {
                let (state, letter) = (place / 4, place % 4);
                let cube = [(0, letter & 1 == 1), (1, letter & 2 == 2)];
                let label = builder.alphabet().from_cube(&cube);
                builder.edge(StateId::new(state), label, marks, StateId::new(target));
            }
            let automaton = builder.build();
            prop_assert!(automaton.is_deterministic() && automaton.is_complete());
            let product = crate::product::intersection(&automaton, &automaton_of_word(&word));
            prop_assert_eq!(accepts(&automaton, &word), !emptiness::is_empty(&product));
        }

        #[test]
        fn automata_of_known_formulas_agree_with_the_semantics(
            words in prop::collection::vec(sempre_ltl::arbitrary::word(4), 10),
        ) {
            for (formula, automaton) in known() {
                let formula: Formula = formula.parse().unwrap();
                for word in &words {
                    let holds = semantics::holds(&formula, word);
                    prop_assert_eq!(accepts(&automaton, word), holds, "{} on {}", formula, word);
                }
            }
        }
    }

    /// Formulas with automata for checks by hand: edges as source, label, marks, target.
    fn known() -> Vec<(&'static str, Automaton)> {
        type Edges = &'static [(usize, &'static str, &'static [u32], usize)];
        let automaton = |name: Named, edges: Edges| {
            let mut builder = Automaton::builder(Alphabet::new(["a", "b", "c"]).unwrap());
            builder.acceptance(name.acceptance());
            builder.add_states(edges.iter().map(|edge| edge.0.max(edge.3)).max().unwrap() + 1);
            builder.initial(StateId::new(0));
            for (source, label, marks, target) in edges {
                let label = builder.alphabet().from_formula(&label.parse().unwrap()).unwrap();
                let marks = marks.iter().copied().collect();
                builder.edge(StateId::new(*source), label, marks, StateId::new(*target));
            }
            builder.build()
        };
        vec![
            ("GF a", automaton(Named::Buchi, &[(0, "a", &[0], 0), (0, "!a", &[], 0)])),
            ("FG a", automaton(Named::CoBuchi, &[(0, "a", &[], 0), (0, "!a", &[0], 0)])),
            (
                "FG a",
                automaton(Named::Buchi, &[(0, "1", &[], 0), (0, "a", &[0], 1), (1, "a", &[0], 1)]),
            ),
            (
                "a U b",
                automaton(Named::Buchi, &[(0, "a", &[], 0), (0, "b", &[0], 1), (1, "1", &[0], 1)]),
            ),
            (
                "GF a & GF b",
                automaton(
                    Named::GeneralizedBuchi(2),
                    &[
                        (0, "a & b", &[0, 1], 0),
                        (0, "a & !b", &[0], 0),
                        (0, "!a & b", &[1], 0),
                        (0, "!a & !b", &[], 0),
                    ],
                ),
            ),
            (
                "FG a | (GF b & GF !b)",
                automaton(
                    Named::GeneralizedRabin(vec![0, 2]),
                    &[
                        (0, "a & b", &[2], 0),
                        (0, "a & !b", &[3], 0),
                        (0, "!a & b", &[0, 2], 0),
                        (0, "!a & !b", &[0, 3], 0),
                    ],
                ),
            ),
            (
                "G(a -> X b)",
                automaton(
                    Named::All,
                    &[
                        (0, "a", &[], 1),
                        (0, "!a", &[], 0),
                        (1, "a & b", &[], 1),
                        (1, "!a & b", &[], 0),
                    ],
                ),
            ),
        ]
    }
}
