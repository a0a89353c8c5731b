//! Letters of a word, or labels of states of a structure, as bits over an automaton's alphabet.

use crate::{Alphabet, Label};
use sempre_ltl::Word;

/// Numbered valuations of an alphabet's propositions, as contiguous bit vectors.
#[derive(Clone, Debug)]
pub(crate) struct Letters {
    /// The number of 64-bit words per valuation.
    width: usize,
    bits: Vec<u64>,
}

impl Letters {
    /// Creates `count` valuations in which no proposition holds.
    pub(crate) fn all_false(alphabet: &Alphabet, count: usize) -> Self {
        let width = alphabet.props().len().div_ceil(64);
        Letters { width, bits: vec![0; width * count] }
    }

    /// Converts the letters of prefix and cycle of a word. Propositions outside of the alphabet are
    /// ignored, and those that the word lacks are false.
    pub(crate) fn of_word(alphabet: &Alphabet, word: &Word) -> Self {
        let mut letters = Letters::all_false(alphabet, word.len());
        for (index, prop) in alphabet.props().iter().enumerate() {
            for (position, value) in word.values(prop).enumerate() {
                if value {
                    letters.set(position, index);
                }
            }
        }
        letters
    }

    /// Makes a proposition true in a valuation.
    pub(crate) fn set(&mut self, letter: usize, prop: usize) {
        self.bits[letter * self.width + prop / 64] |= 1 << (prop % 64);
    }

    /// True if a valuation satisfies a label.
    pub(crate) fn satisfy(&self, letter: usize, alphabet: &Alphabet, label: Label) -> bool {
        match &self.bits[letter * self.width..][..self.width] {
            [] => alphabet.satisfied(label, 0),
            [bits] => alphabet.satisfied(label, *bits),
            bits => alphabet.satisfied_by(label, |i| bits[i / 64] >> (i % 64) & 1 == 1),
        }
    }
}
