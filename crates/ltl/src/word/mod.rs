//! Lasso words: ultimately periodic words over the valuations of some propositions.
//!
//! A word has one row of bits per proposition, a bit per position. So evaluating a proposition
//! costs nothing, and every Boolean operator handles 64 positions at a time. The rows are reversed
//! (bit 0 is the last position), which makes `U` an addition, see [`semantics`](crate::semantics).

mod period;
mod text;

use crate::{Error, Prop};
use std::fmt;

/// An ultimately periodic word: finitely many letters, then a cycle of letters forever.
///
/// A letter is the set of propositions that hold; the propositions of the word are fixed and
/// sorted. The position after the last one is the first one of the cycle. Methods accept any
/// position of the infinite word.
///
/// As a text, a word is `a&!b; cycle{b; !a}`: letters are conjunctions of literals, and missing
/// propositions are false.
///
/// ```
/// use sempre_ltl::{Prop, Word};
/// let word: Word = "a; a&b; cycle{b; !a}".parse().unwrap();
/// assert_eq!((word.prefix_len(), word.cycle_len()), (2, 2));
/// assert!(word.value(1, &Prop::new("a")));
/// assert!(word.value(100, &Prop::new("b")));
/// assert_eq!(word.to_string(), "a&!b; a&b; cycle{!a&b; !a&!b}");
/// ```
///
/// Two `Word`s are equal if they have the same propositions, prefix and cycle;
/// [`denotes_same`](Word::denotes_same) compares the infinite words.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Word {
    /// Sorted, without duplicates.
    props: Vec<Prop>,
    /// For each proposition `width` words of 64 bits; the unused high bits are zero.
    rows: Vec<u64>,
    prefix: usize,
    /// At least 1.
    cycle: usize,
}

/// # Construction
impl Word {
    /// Creates the word with these letters, each given by the propositions that hold. Its
    /// propositions are those that hold at some position.
    ///
    /// ```
    /// use sempre_ltl::Word;
    /// let word = Word::from_letters([&["a"][..], &["a", "b"]], [&["b"][..], &[]]).unwrap();
    /// assert_eq!(word.to_string(), "a&!b; a&b; cycle{!a&b; !a&!b}");
    /// ```
    ///
    /// # Errors
    /// If the cycle is empty.
    pub fn from_letters<L>(
        prefix: impl IntoIterator<Item = L>,
        cycle: impl IntoIterator<Item = L>,
    ) -> Result<Self, Error>
    where
        L: IntoIterator,
        L::Item: Into<Prop>,
    {
        let letter = |letter: L| letter.into_iter().map(Into::into).collect::<Vec<Prop>>();
        let mut letters: Vec<Vec<Prop>> = prefix.into_iter().map(letter).collect();
        let prefix = letters.len();
        letters.extend(cycle.into_iter().map(letter));
        let mut props: Vec<Prop> = letters.iter().flatten().cloned().collect();
        props.sort();
        props.dedup();
        let mut word = Word::all_false(props, prefix, letters.len() - prefix)?;
        for (position, letter) in letters.iter().enumerate() {
            for prop in letter {
                if let Some(index) = word.index_of(prop) {
                    word.set(index, position);
                }
            }
        }
        Ok(word)
    }

    /// Creates the word with these letters over at most 64 propositions: bit `k` of a letter is the
    /// value of the `k`-th proposition.
    ///
    /// ```
    /// use sempre_ltl::Word;
    /// let word = Word::from_valuations(["b", "a"], &[0b10], &[0b01, 0b11]).unwrap();
    /// assert_eq!(word.to_string(), "a&!b; cycle{!a&b; a&b}");
    /// ```
    ///
    /// # Errors
    /// If the cycle is empty, a proposition occurs twice, there are more than 64 of them, or a
    /// letter has a bit without proposition.
    pub fn from_valuations<P: Into<Prop>>(
        props: impl IntoIterator<Item = P>,
        prefix: &[u64],
        cycle: &[u64],
    ) -> Result<Self, Error> {
        let props: Vec<Prop> = props.into_iter().map(Into::into).collect();
        let count = u32::try_from(props.len()).unwrap_or(u32::MAX);
        if count > 64 {
            return Err(Error::new("a valuation of 64 bits holds at most 64 propositions"));
        }
        let foreign = if count == 0 { u64::MAX } else { !(u64::MAX >> (64 - count)) };
        let letters = || prefix.iter().chain(cycle);
        if letters().any(|letter| letter & foreign != 0) {
            return Err(Error::new("a valuation has a bit that belongs to no proposition"));
        }
        let letter = |position: usize| {
            *position.checked_sub(prefix.len()).map_or_else(|| &prefix[position], |i| &cycle[i])
        };
        Word::from_fn(props, prefix.len(), cycle.len(), |position, prop| {
            letter(position) >> prop & 1 != 0
        })
    }

    /// Creates the word in which the `k`-th proposition holds at position `i` if `value(i, k)`.
    ///
    /// # Errors
    /// If the cycle is empty or a proposition occurs twice.
    pub fn from_fn<P: Into<Prop>>(
        props: impl IntoIterator<Item = P>,
        prefix_len: usize,
        cycle_len: usize,
        mut value: impl FnMut(usize, usize) -> bool,
    ) -> Result<Self, Error> {
        let mut props: Vec<(Prop, usize)> =
            props.into_iter().enumerate().map(|(k, prop)| (prop.into(), k)).collect();
        props.sort();
        if let Some(pair) = props.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(Error::new(format!("the proposition {:?} is given twice", pair[0].0)));
        }
        let (props, order): (Vec<Prop>, Vec<usize>) = props.into_iter().unzip();
        let mut word = Word::all_false(props, prefix_len, cycle_len)?;
        for position in 0..word.len() {
            for (index, &given) in order.iter().enumerate() {
                if value(position, given) {
                    word.set(index, position);
                }
            }
        }
        Ok(word)
    }

    /// Creates a word of this shape in which no proposition holds; `props` are sorted and distinct.
    fn all_false(props: Vec<Prop>, prefix: usize, cycle: usize) -> Result<Self, Error> {
        if cycle == 0 {
            return Err(Error::new("the cycle of a word cannot be empty"));
        }
        let len = prefix.checked_add(cycle).ok_or_else(|| Error::new("the word is too long"))?;
        let rows = vec![0; props.len() * len.div_ceil(64)];
        Ok(Word { props, rows, prefix, cycle })
    }

    /// Makes a proposition true at a position below [`Word::len`].
    fn set(&mut self, prop: usize, position: usize) {
        let bit = self.len() - 1 - position;
        let width = self.width();
        self.rows[prop * width + bit / 64] |= 1 << (bit % 64);
    }

    /// Changes the propositions of the word: new ones are false everywhere, and those not listed
    /// are dropped.
    #[must_use]
    pub fn with_props<P: Into<Prop>>(&self, props: impl IntoIterator<Item = P>) -> Self {
        let mut props: Vec<Prop> = props.into_iter().map(Into::into).collect();
        props.sort();
        props.dedup();
        let mut rows = Vec::with_capacity(props.len() * self.width());
        for prop in &props {
            match self.row(prop) {
                Some(row) => rows.extend_from_slice(row),
                None => rows.resize(rows.len() + self.width(), 0),
            }
        }
        Word { props, rows, ..*self }
    }
}

/// # Inspection
impl Word {
    /// Returns the propositions of the word, sorted.
    pub fn props(&self) -> &[Prop] {
        &self.props
    }

    /// The number of letters before the cycle.
    pub fn prefix_len(&self) -> usize {
        self.prefix
    }

    /// The number of letters of the cycle, at least 1.
    pub fn cycle_len(&self) -> usize {
        self.cycle
    }

    /// The number of letters of prefix and cycle together, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "no word is empty")]
    pub fn len(&self) -> usize {
        self.prefix + self.cycle
    }

    /// Returns the position below [`Word::len`] with the same suffix as `position`.
    pub fn position(&self, position: usize) -> usize {
        match position.checked_sub(self.prefix) {
            Some(beyond) => self.prefix + beyond % self.cycle,
            None => position,
        }
    }

    /// The position below [`Word::len`] that comes after `position`.
    pub fn successor(&self, position: usize) -> usize {
        let position = self.position(position);
        if position + 1 == self.len() { self.prefix } else { position + 1 }
    }

    /// True if `prop` holds at that position; a proposition that the word lacks is false.
    pub fn value(&self, position: usize, prop: &Prop) -> bool {
        self.index_of(prop).is_some_and(|index| self.bit(index, self.position(position)))
    }

    /// The values of a proposition at the positions of prefix and cycle, in order.
    pub fn values(&self, prop: &Prop) -> impl Iterator<Item = bool> {
        let index = self.index_of(prop);
        (0..self.len()).map(move |position| index.is_some_and(|index| self.bit(index, position)))
    }

    /// The letter at that position: the propositions that hold there, sorted.
    pub fn letter(&self, position: usize) -> impl Iterator<Item = &Prop> {
        let position = self.position(position);
        let holds = move |&(index, _): &(usize, &Prop)| self.bit(index, position);
        self.props.iter().enumerate().filter(holds).map(|(_, prop)| prop)
    }

    fn index_of(&self, prop: &Prop) -> Option<usize> {
        self.props.binary_search(prop).ok()
    }

    /// The value of the proposition of that index at a position below `len`.
    fn bit(&self, prop: usize, position: usize) -> bool {
        let bit = self.len() - 1 - position;
        self.rows[prop * self.width() + bit / 64] >> (bit % 64) & 1 != 0
    }

    /// Returns the number of 64-bit words per row.
    pub(crate) fn width(&self) -> usize {
        self.len().div_ceil(64)
    }

    /// Returns the positions where a proposition holds, bit 0 being the last position of the cycle;
    /// `None` if the word lacks the proposition.
    pub(crate) fn row(&self, prop: &Prop) -> Option<&[u64]> {
        let width = self.width();
        self.index_of(prop).map(|index| &self.rows[index * width..][..width])
    }
}

/// The same text as `Display`.
impl fmt::Debug for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_constructors_agree_whatever_the_order_of_propositions() {
        let word: Word = "a; b&c; cycle{a&c; !a}".parse().unwrap();
        assert_eq!(
            Word::from_letters([vec!["a"], vec!["c", "b"]], [vec!["c", "a"], vec![]]),
            Ok(word.clone())
        );
        assert_eq!(Word::from_valuations(["c", "a", "b"], &[2, 5], &[3, 0]), Ok(word.clone()));
        let rows =
            [[false, true, true, false], [true, false, true, false], [false, true, false, false]];
        assert_eq!(Word::from_fn(["c", "a", "b"], 2, 2, |i, k| rows[k][i]), Ok(word));
    }

    #[test]
    fn impossible_words_are_refused() {
        let message = |result: Result<Word, Error>| result.unwrap_err().to_string();
        let none: [&str; 0] = [];
        let empty = "the cycle of a word cannot be empty";
        assert_eq!(message(Word::from_letters([["a"]], [])), empty);
        assert_eq!(message(Word::from_valuations(["a"], &[1], &[])), empty);
        assert_eq!(message(Word::from_fn(["a"], 3, 0, |_, _| true)), empty);
        assert_eq!(
            message(Word::from_valuations(["a", "a"], &[], &[1])),
            "the proposition \"a\" is given twice"
        );
        let foreign = "a valuation has a bit that belongs to no proposition";
        assert_eq!(message(Word::from_valuations(["a"], &[2], &[1])), foreign);
        assert_eq!(message(Word::from_valuations(none, &[], &[1])), foreign);
        let many = (0..65).map(|i| format!("p{i}"));
        assert_eq!(
            message(Word::from_valuations(many, &[], &[1])),
            "a valuation of 64 bits holds at most 64 propositions"
        );
        assert!(Word::from_fn(none, usize::MAX, 1, |_, _| true).is_err());
    }

    #[test]
    fn a_word_may_have_no_propositions_exactly_64_or_many() {
        let none: [&str; 0] = [];
        assert_eq!(Word::from_valuations(none, &[0], &[0]).unwrap().to_string(), "1; cycle{1}");
        let names = |n: usize| (0..n).map(|i| format!("p{i}"));
        let word = Word::from_valuations(names(64), &[], &[1 << 63, 1]).unwrap();
        assert_eq!(word.letter(0).map(Prop::name).collect::<Vec<_>>(), ["p63"]);
        assert_eq!(word.letter(1).map(Prop::name).collect::<Vec<_>>(), ["p0"]);
        let word = Word::from_fn(names(1000), 50, 50, |i, k| k % 100 == i).unwrap();
        for i in 0..200 {
            let at = if i < 50 { i } else { 50 + i % 50 };
            let letter: Vec<String> = word.letter(i).map(|prop| prop.name().to_owned()).collect();
            assert_eq!(letter, (0..10).map(|h| format!("p{}", 100 * h + at)).collect::<Vec<_>>());
            assert!(word.value(i, &Prop::new(format!("p{}", 900 + at))));
        }
    }

    #[test]
    fn positions_wrap_around_the_cycle() {
        let word: Word = "a; b; cycle{a; b; b}".parse().unwrap();
        let after: Vec<usize> = (0..9).map(|i| word.position(i)).collect();
        assert_eq!(after, [0, 1, 2, 3, 4, 2, 3, 4, 2]);
        let successors: Vec<usize> = (0..7).map(|i| word.successor(i)).collect();
        assert_eq!(successors, [1, 2, 3, 4, 2, 3, 4]);
        assert!(!word.value(0, &Prop::new("unknown")));
        assert!(word.values(&Prop::new("unknown")).eq([false; 5]));
        assert!(word.values(&Prop::new("a")).eq([true, false, true, false, false]));
    }

    #[test]
    fn propositions_can_be_added_and_forgotten() {
        let word: Word = "a&b; cycle{b}".parse().unwrap();
        assert_eq!(word.with_props(["c", "b", "b"]).to_string(), "b&!c; cycle{b&!c}");
        assert_eq!(word.with_props(["b", "a"]), word);
        assert_eq!(word.with_props(Vec::<Prop>::new()).to_string(), "1; cycle{1}");
    }
}
