//! A table of pairs of words, numbered in the order of insertion.

use super::index::{Index, Search};
use super::{Full, hash, rows};

#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    pairs: Vec<u64>,
    index: Index,
    /// The hashes of the pairs that are being inserted together.
    hashes: Vec<u64>,
    /// The probable numbers of those pairs.
    guesses: Vec<u32>,
}

/// The value of a wrong guess.
const NO_GUESS: u32 = u32::MAX;

/// Packs two words.
#[inline]
pub(super) fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) | u64::from(right) << 32
}

impl Pairs {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns the two words of a pair.
    #[inline]
    pub(super) fn get(&self, number: u32) -> (u32, u32) {
        let pair = self.pairs[number as usize];
        (pair as u32, (pair >> 32) as u32)
    }

    /// Allocates memory for more pairs.
    #[inline]
    pub(super) fn reserve(&mut self, more: usize) -> Result<(), Full> {
        if self.pairs.len() + more > self.index.capacity() {
            let pairs = &self.pairs;
            let hash = |number: u32| hash::pair(pairs[number as usize]);
            self.index.grow(self.pairs.len(), more, hash)?;
        }
        rows::reserve(&mut self.pairs, more, 1);
        Ok(())
    }

    #[inline]
    fn search(&self, pair: u64, hash: u64) -> Search {
        self.index.search(hash, |number| self.pairs[number as usize] == pair)
    }

    #[inline]
    fn insert_hashed(&mut self, pair: u64, hash: u64) -> u32 {
        match self.search(pair, hash) {
            Search::Found(number) => number,
            Search::Vacant(slot) => {
                let number = self.pairs.len() as u32;
                self.index.occupy(slot, hash, number);
                self.pairs.push(pair);
                number
            }
        }
    }

    /// Returns the number of a pair; inserts it if it is new, without allocation.
    #[inline]
    pub(super) fn insert(&mut self, pair: u64) -> u32 {
        self.insert_hashed(pair, hash::pair(pair))
    }

    /// Visits the numbers of several pairs; inserts new ones without allocation.
    pub(super) fn insert_all(&mut self, pairs: &[u64], mut visit: impl FnMut(u32)) {
        // The accesses of the first two loops do not depend on earlier iterations, so that the
        // processor overlaps them.
        self.hashes.clear();
        self.guesses.clear();
        for &pair in pairs {
            let hash = hash::pair(pair);
            self.hashes.push(hash);
            self.guesses.push(self.index.first_guess(hash).unwrap_or(NO_GUESS));
        }
        for (&pair, guess) in pairs.iter().zip(&mut self.guesses) {
            if *guess != NO_GUESS && self.pairs[*guess as usize] != pair {
                *guess = NO_GUESS;
            }
        }
        for (number, &pair) in pairs.iter().enumerate() {
            visit(match self.guesses[number] {
                NO_GUESS => self.insert_hashed(pair, self.hashes[number]),
                known => known,
            });
        }
    }

    /// Returns the number of a pair, if it is stored.
    pub(super) fn find(&self, pair: u64) -> Option<u32> {
        match self.search(pair, hash::pair(pair)) {
            Search::Found(number) => Some(number),
            Search::Vacant(_) => None,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.pairs.capacity() * 8 + self.index.bytes()
    }

    /// Returns the number of pairs that can be inserted without allocation.
    #[inline]
    pub(super) fn room(&self) -> usize {
        self.pairs.capacity().min(self.index.capacity()) - self.pairs.len()
    }

    pub(super) fn bytes_with(&self, more: usize) -> usize {
        rows::capacity_with(&self.pairs, more, 1) * 8
            + self.index.bytes_with(self.pairs.len() + more)
    }
}
