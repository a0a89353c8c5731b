//! Runs whose words differ from earlier ones by more than stuttering.
//!
//! The automaton of the negation is intersected with an automaton for each earlier word, which accepts
//! the words that are not stutter-equivalent to it. That one has at most 2n + 2 states for a word of n
//! blocks of equal letters.

use crate::automata::product::intersection;
use crate::automata::stutter::without_repetitions;
use crate::automata::{Alphabet, Automaton, Label, Marks, Named, StateId};
use crate::check::{CheckError, Control, Engine, Evidence, Outcome, Question, Unsupported};
use crate::explicit::store::Arena;
use crate::explicit::{self, StateSpace};
use crate::ltl::Word;
use crate::testing::{AutomatonKind, Negation};
use std::sync::Arc;

/// The greatest number of blocks of all words together, and of words: their automata are multiplied.
const MAX_BLOCKS: usize = 200;
const MAX_WORDS: usize = 3;

/// Looks for runs that violate a formula with words that are not stutter-equivalent to those given.
pub(super) struct OtherWords {
    pub(super) words: Vec<Word>,
}

impl Engine for OtherWords {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        question.require_states("a comparison of words")?;
        let blocks: usize = self.words.iter().map(|word| without_repetitions(word).len()).sum();
        match blocks <= MAX_BLOCKS && self.words.len() <= MAX_WORDS {
            true => Ok(()),
            false => Err(Unsupported("the words are too many or too long".to_owned())),
        }
    }

    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        self.supports(question)?;
        let negation = question.negation(AutomatonKind::Tgba, control)?;
        let automaton = control.limits.run(|| {
            let others = self.words.iter().map(inequivalent);
            others.fold(negation.automaton().clone(), |all, other| intersection(&all, &other))
        })?;
        let system = question.system().clone();
        let mut space = StateSpace::<Arena>::for_one_property(&*system);
        let negation = Negation::Valuations(automaton);
        let options = explicit::Options::default();
        let outcome = explicit::check(&mut space, question, &negation, &options, control)?;
        if let Some(Evidence::Run(run)) = &outcome.evidence {
            question.judge(run)?;
        }
        Ok(outcome)
    }
}

/// Returns an automaton of the words that are not stutter-equivalent to a word: they have a letter
/// that does not follow, or stay at one for ever that does not repeat for ever.
fn inequivalent(word: &Word) -> Automaton {
    let word = without_repetitions(word);
    let alphabet = Alphabet::new(word.props().to_vec());
    let alphabet = Arc::new(alphabet.expect("the propositions of a word are distinct"));
    let letter = |block: usize| -> Label {
        let props = word.props().iter().enumerate();
        let cube: Vec<(usize, bool)> =
            props.map(|(number, prop)| (number, word.value(block, prop))).collect();
        alphabet.from_cube(&cube)
    };
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(Named::Buchi.acceptance());
    let before = builder.add_state();
    let differs = builder.add_state();
    let blocks: Vec<StateId> = (0..word.len()).map(|_| builder.add_state()).collect();
    builder.initial(before);
    builder.edge(differs, alphabet.tt(), Marks::all(1), differs);
    builder.edge(before, letter(0), Marks::EMPTY, blocks[0]);
    builder.edge(before, alphabet.not(letter(0)), Marks::EMPTY, differs);
    for (block, &state) in blocks.iter().enumerate() {
        let next = word.successor(block);
        builder.edge(state, letter(block), Marks::EMPTY, state);
        let mut known = letter(block);
        if next != block {
            builder.edge(state, letter(next), Marks::EMPTY, blocks[next]);
            known = alphabet.or(known, letter(next));
            // The word leaves this block, so that it differs from those that stay.
            let stays = builder.add_state();
            builder.edge(state, letter(block), Marks::EMPTY, stays);
            builder.edge(stays, letter(block), Marks::all(1), stays);
        }
        builder.edge(state, alphabet.not(known), Marks::EMPTY, differs);
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automata::membership::accepts;
    use crate::automata::stutter::are_equivalent;

    fn all_words(most: usize) -> Vec<Word> {
        let letters = ["!a & !b", "a & !b", "!a & b"];
        let mut words = Vec::new();
        for length in 1..=most {
            for number in 0..letters.len().pow(length as u32) {
                let at = |place: usize| letters[number / letters.len().pow(place as u32) % 3];
                for start in 0..length {
                    let part = |range: std::ops::Range<usize>| {
                        range.map(at).collect::<Vec<_>>().join("; ")
                    };
                    let prefix = part(0..start);
                    let separator = if start == 0 { "" } else { "; " };
                    let text = format!("{prefix}{separator}cycle{{{}}}", part(start..length));
                    words.push(text.parse().unwrap());
                }
            }
        }
        words
    }

    #[test]
    fn the_automaton_accepts_the_words_that_are_not_equivalent() {
        let words = all_words(4);
        let few: Vec<&Word> = words.iter().step_by(7).collect();
        let mut equivalent = 0;
        for one in &few {
            let automaton = inequivalent(&one.with_props(["a", "b"]));
            for other in &words {
                let expected = !are_equivalent(one, other);
                equivalent += usize::from(!expected);
                assert_eq!(accepts(&automaton, other), expected, "{one} and {other}");
            }
        }
        assert!(equivalent > few.len(), "{equivalent} equivalent pairs");
    }
}
