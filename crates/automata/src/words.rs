//! The words that an automaton accepts, in order of length.
//!
//! The length of an ω-word is that of its shortest lasso, prefix and cycle together. For each
//! length the sequences of letters are enumerated depth first, as long as they lead to a useful
//! state. Each irreducible lasso from such a sequence is tested for membership. Letters are ordered
//! by the propositions, false before true. The number of sequences may be exponential in the
//! length; the enumeration is lazy and takes O(length × states) space.

use crate::membership::accepts;
use crate::{Automaton, Label, StateId, emptiness};
use sempre_ltl::Word;
use std::collections::VecDeque;

/// Returns the accepted words of at most `max_length` letters, shortest first, each ω-word once.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, accepted_words};
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// let states = [builder.add_state(), builder.add_state()];
/// let (a, any) = (builder.alphabet().prop(0), builder.alphabet().tt());
/// builder.initial(states[0]);
/// builder.edge(states[0], a, Marks::EMPTY, states[1]);
/// builder.edge(states[1], any, Marks::EMPTY, states[1]);
/// let begins_with_a = builder.build();
/// let words: Vec<String> = accepted_words(&begins_with_a, 2).map(|w| w.to_string()).collect();
/// assert_eq!(words, ["cycle{a}", "a; cycle{!a}", "cycle{a; !a}"]);
/// ```
pub fn accepted_words(automaton: &Automaton, max_length: usize) -> AcceptedWords<'_> {
    let condition = automaton.acceptance().condition();
    let useful = emptiness::accepting_from(automaton, condition, automaton.states());
    let initial: Vec<StateId> =
        automaton.initial().iter().copied().filter(|state| useful[state.index()]).collect();
    let mut words = AcceptedWords {
        automaton,
        levels: vec![],
        letters: vec![],
        length: 1,
        max_length,
        ready: VecDeque::new(),
        useful,
        reached: vec![false; automaton.state_count()],
    };
    words.push_level(initial);
    words
}

/// An iterator over accepted words, see [`accepted_words`].
#[derive(Clone, Debug)]
pub struct AcceptedWords<'a> {
    automaton: &'a Automaton,
    /// By state, whether it has an accepting run.
    useful: Vec<bool>,
    /// The data after none, one, … all of the letters.
    levels: Vec<Level>,
    letters: Vec<Letter>,
    length: usize,
    max_length: usize,
    ready: VecDeque<Word>,
    /// False for all states, except while a set of states is collected.
    reached: Vec<bool>,
}

/// The value of each proposition.
type Letter = Vec<bool>;

#[derive(Clone, Debug)]
struct Level {
    /// The reachable useful states.
    states: Vec<StateId>,
    /// The letters that lead from them to useful states.
    readable: Label,
}

impl AcceptedWords<'_> {
    fn push_level(&mut self, states: Vec<StateId>) {
        let alphabet = self.automaton.alphabet();
        let edges = states.iter().flat_map(|state| self.automaton.edges_from(*state));
        let readable = edges
            .filter(|edge| self.useful[edge.target.index()])
            .fold(alphabet.ff(), |label, edge| alphabet.or(label, edge.label));
        self.levels.push(Level { states, readable });
    }

    /// Moves to the next sequence of `length` letters; false after the last.
    fn advance(&mut self) -> bool {
        let mut last = self.pop_letter();
        loop {
            let level = self.levels.last().unwrap_or_else(|| unreachable!("there is a first one"));
            if let Some(letter) = self.next_letter(level.readable, last.as_deref()) {
                self.push_letter(letter);
                if self.letters.len() == self.length {
                    return true;
                }
                last = None;
            } else {
                last = self.pop_letter();
                if last.is_none() {
                    return false;
                }
            }
        }
    }

    fn pop_letter(&mut self) -> Option<Letter> {
        let letter = self.letters.pop()?;
        self.levels.pop();
        Some(letter)
    }

    fn push_letter(&mut self, letter: Letter) {
        let alphabet = self.automaton.alphabet();
        let level = self.levels.last().unwrap_or_else(|| unreachable!("there is a first one"));
        let mut next = vec![];
        for edge in level.states.iter().flat_map(|state| self.automaton.edges_from(*state)) {
            let target = edge.target.index();
            if self.useful[target]
                && !self.reached[target]
                && alphabet.satisfied_by(edge.label, |prop| letter[prop])
            {
                self.reached[target] = true;
                next.push(edge.target);
            }
        }
        for state in &next {
            self.reached[state.index()] = false;
        }
        self.letters.push(letter);
        self.push_level(next);
    }

    /// Returns the first letter that satisfies the label, after `after` if given.
    fn next_letter(&self, label: Label, after: Option<&[bool]>) -> Option<Letter> {
        let alphabet = self.automaton.alphabet();
        let count = alphabet.props().len();
        let literal = |prop: usize, value: bool| {
            let prop = alphabet.prop(prop);
            if value { prop } else { alphabet.not(prop) }
        };
        let with = |label, prop, value| alphabet.and(label, literal(prop, value));
        // A later letter agrees with the given one up to a proposition, as late as possible, that
        // changes from false to true.
        let (mut label, mut letter) = match after {
            None => (label, vec![]),
            Some(after) => {
                let mut prefixes = vec![label];
                for (prop, value) in after.iter().enumerate() {
                    prefixes.push(with(prefixes[prop], prop, *value));
                }
                let turned = |prop: &usize| {
                    !after[*prop] && with(prefixes[*prop], *prop, true) != alphabet.ff()
                };
                let prop = (0..count).rev().find(turned)?;
                let mut letter = after[..prop].to_vec();
                letter.push(true);
                (with(prefixes[prop], prop, true), letter)
            }
        };
        if label == alphabet.ff() {
            return None;
        }
        for prop in letter.len()..count {
            let low = with(label, prop, false);
            let value = low == alphabet.ff();
            label = if value { with(label, prop, true) } else { low };
            letter.push(value);
        }
        Some(letter)
    }

    /// Collects the accepted words among the irreducible lassos over the current letters.
    fn close(&mut self) {
        let props = self.automaton.alphabet().props();
        for prefix in (0..self.length).rev() {
            let (before, cycle) = self.letters.split_at(prefix);
            let rolls_back = before.last().is_some_and(|last| Some(last) == cycle.last());
            if rolls_back || is_power(cycle) {
                continue;
            }
            let value = |position: usize, prop: usize| self.letters[position][prop];
            let word = Word::from_fn(props.iter().cloned(), prefix, cycle.len(), value)
                .unwrap_or_else(|_| unreachable!("the cycle is not empty"));
            if accepts(self.automaton, &word) {
                self.ready.push_back(word);
            }
        }
    }
}

/// True if the letters repeat a shorter sequence.
fn is_power(letters: &[Letter]) -> bool {
    let divisors = (1..letters.len()).filter(|period| letters.len().is_multiple_of(*period));
    let repeats = |period: usize| letters[period..].iter().eq(&letters[..letters.len() - period]);
    divisors.into_iter().any(repeats)
}

impl Iterator for AcceptedWords<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        loop {
            if let Some(word) = self.ready.pop_front() {
                return Some(word);
            }
            if self.length > self.max_length || self.levels[0].states.is_empty() {
                return None;
            }
            if self.advance() {
                self.close();
            } else {
                self.length += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Alphabet;
    use crate::Marks;
    use crate::arbitrary::{Size, automaton_of};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Returns all lassos of at most `max` letters over the propositions, reduced.
    fn all_words(alphabet: &Alphabet, max: usize) -> BTreeSet<(usize, String)> {
        let props = alphabet.props();
        let letters = 1usize << props.len();
        let mut words = BTreeSet::new();
        for length in 1..=max {
            for code in 0..letters.pow(length as u32) {
                let letter = |position: usize| code / letters.pow(position as u32) % letters;
                for prefix in 0..length {
                    let word =
                        Word::from_fn(props.iter().cloned(), prefix, length - prefix, |i, k| {
                            letter(i) >> k & 1 == 1
                        });
                    let word = word.unwrap().reduced();
                    words.insert((word.len(), word.to_string()));
                }
            }
        }
        words
    }

    proptest! {
        #[test]
        fn exactly_the_accepted_words_are_enumerated(
            automaton in automaton_of(Size { states: 4, props: 2, marks: 3, degree: 3 }),
        ) {
            let max = if automaton.alphabet().props().len() == 2 { 3 } else { 5 };
            let words: Vec<Word> = accepted_words(&automaton, max).collect();
            let found: Vec<(usize, String)> =
                words.iter().map(|word| (word.len(), word.to_string())).collect();
            prop_assert!(found.is_sorted_by_key(|(length, _)| *length));
            let distinct: BTreeSet<(usize, String)> = found.iter().cloned().collect();
            prop_assert_eq!(found.len(), distinct.len());
            let wanted: BTreeSet<(usize, String)> = all_words(automaton.alphabet(), max)
                .into_iter()
                .filter(|(_, text)| accepts(&automaton, &text.parse().unwrap()))
                .collect();
            prop_assert_eq!(distinct, wanted);
        }
    }

    #[test]
    fn many_propositions_do_not_mean_many_steps() {
        let names: Vec<String> = (0..100).map(|i| format!("p{i}")).collect();
        let mut builder = Automaton::builder(Alphabet::new(names).unwrap());
        let state = builder.add_state();
        let cube: Vec<(usize, bool)> = (0..100).map(|i| (i, i % 3 == 0)).collect();
        let label = builder.alphabet().from_cube(&cube);
        builder.initial(state).edge(state, label, Marks::EMPTY, state);
        let automaton = builder.build();
        let words: Vec<Word> = accepted_words(&automaton, 4).collect();
        assert_eq!(words.len(), 1);
        assert_eq!(words[0].letter(0).count(), 34);
        builder = automaton.edit();
        builder.edge(state, automaton.alphabet().tt(), Marks::EMPTY, state);
        let all = builder.build();
        assert_eq!(accepted_words(&all, 4).take(1000).count(), 1000);
    }
}
