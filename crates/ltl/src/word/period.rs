//! The infinite word of a lasso: its suffixes, its shortest lasso, and equality.
//!
//! The shortest lasso has the primitive root of the cycle as its cycle (the smallest period, by
//! the failure function of Knuth, Morris and Pratt, SIAM J. Comput. 1977) and a prefix whose last
//! letter differs from the last of the cycle. All in time linear in letters × propositions.

use super::Word;

impl Word {
    /// Returns the suffix from a position on.
    ///
    /// ```
    /// use sempre_ltl::Word;
    /// let word: Word = "a; cycle{b; c}".parse().unwrap();
    /// assert!(word.suffix(2).denotes_same(&"cycle{c; b}".parse().unwrap()));
    /// ```
    #[must_use]
    pub fn suffix(&self, position: usize) -> Self {
        let first = self.position(position);
        let wrapped = self.prefix..first.max(self.prefix);
        let prefix = self.prefix.saturating_sub(first);
        self.select((first..self.len()).chain(wrapped), prefix, self.cycle)
    }

    /// The lasso with the fewest letters that denotes the same infinite word.
    ///
    /// ```
    /// use sempre_ltl::Word;
    /// let word: Word = "a; b; cycle{a; b; a; b}".parse().unwrap();
    /// assert_eq!(word.reduced(), "cycle{a; b}".parse().unwrap());
    /// ```
    #[must_use]
    pub fn reduced(&self) -> Self {
        let letters = self.letter_numbers();
        let cycle = smallest_period(&letters[self.prefix..]);
        // With the period as its cycle, the word returns to the first position from which the
        // letters repeat.
        let repeats = (0..self.prefix).rev().take_while(|&i| letters[i] == letters[i + cycle]);
        let prefix = self.prefix - repeats.count();
        self.select(0..prefix + cycle, prefix, cycle)
    }

    /// True if both denote the same infinite word; a proposition that one of them lacks is false
    /// everywhere.
    ///
    /// ```
    /// use sempre_ltl::Word;
    /// let [one, other] = ["a; cycle{a}", "cycle{a&!b}"].map(|text| text.parse::<Word>().unwrap());
    /// assert!(one != other && one.denotes_same(&other));
    /// ```
    pub fn denotes_same(&self, other: &Word) -> bool {
        let over_both =
            |word: &Word| word.with_props(self.props.iter().chain(&other.props).cloned()).reduced();
        over_both(self) == over_both(other)
    }

    /// The word of these letters, at positions below `len`.
    fn select(&self, positions: impl Iterator<Item = usize>, prefix: usize, cycle: usize) -> Word {
        let width = (prefix + cycle).div_ceil(64);
        let rows = vec![0; self.props.len() * width];
        let mut word = Word { props: self.props.clone(), rows, prefix, cycle };
        for (to, from) in positions.enumerate() {
            for prop in 0..self.props.len() {
                if self.bit(prop, from) {
                    word.set(prop, to);
                }
            }
        }
        word
    }

    /// Returns a number for each position, equal for two positions exactly if their letters are.
    fn letter_numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.len()];
        let mut seen = rustc_hash::FxHashMap::default();
        for prop in 0..self.props.len() {
            seen.clear();
            for (position, number) in numbers.iter_mut().enumerate() {
                let fresh = seen.len() as u32;
                *number = *seen.entry((*number, self.bit(prop, position))).or_insert(fresh);
            }
        }
        numbers
    }
}

/// The smallest `p` that divides the length such that the letters repeat after `p`.
fn smallest_period(letters: &[u32]) -> usize {
    // border[i]: the length of the longest proper border of the first i + 1 letters.
    let mut border: Vec<usize> = vec![0; letters.len()];
    let mut length = 0;
    for i in 1..letters.len() {
        while length > 0 && letters[i] != letters[length] {
            length = border[length - 1];
        }
        length += usize::from(letters[i] == letters[length]);
        border[i] = length;
    }
    let period = letters.len() - length;
    if letters.len().is_multiple_of(period) { period } else { letters.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use proptest::prelude::*;

    /// The letter at a position, as text.
    fn letter(word: &Word, position: usize) -> Vec<String> {
        word.letter(position).map(|prop| prop.name().to_owned()).collect()
    }

    /// Compares letter by letter, up to a common multiple of both cycles.
    fn same_letters(left: &Word, right: &Word) -> bool {
        let far = left.len().max(right.len()) + left.cycle_len() * right.cycle_len();
        (0..far).all(|i| letter(left, i) == letter(right, i))
    }

    proptest! {
        #[test]
        fn reduction_keeps_the_word_and_is_shortest(word in arbitrary::word(7)) {
            let reduced = word.reduced();
            prop_assert!(same_letters(&word, &reduced));
            prop_assert_eq!(reduced.reduced(), reduced.clone());
            // Every lasso of the word is a prefix and a period of it: try all shorter ones.
            for cycle in 1..=reduced.cycle_len() {
                for prefix in 0..=reduced.prefix_len() {
                    if (prefix, cycle) != (reduced.prefix_len(), reduced.cycle_len()) {
                        let shorter = reduced.select(0..prefix + cycle, prefix, cycle);
                        prop_assert!(!same_letters(&shorter, &word));
                    }
                }
            }
        }

        #[test]
        fn equality_of_infinite_words(left in arbitrary::word(3), right in arbitrary::word(3)) {
            prop_assert_eq!(left.denotes_same(&right), same_letters(&left, &right));
        }

        #[test]
        fn unrolling_does_not_change_the_word(
            word in arbitrary::word(5),
            more in 0..9usize,
            times in 1..4usize,
        ) {
            let prefix = word.prefix_len() + more;
            let cycle = word.cycle_len() * times;
            let positions = (0..prefix + cycle).map(|i| word.position(i));
            let unrolled = word.select(positions, prefix, cycle);
            prop_assert!(unrolled.denotes_same(&word));
            prop_assert_eq!(unrolled.reduced(), word.reduced());
        }

        #[test]
        fn suffixes(word in arbitrary::word(6), from in 0..20usize) {
            let suffix = word.suffix(from);
            for i in 0..40 {
                prop_assert_eq!(letter(&suffix, i), letter(&word, from + i));
            }
        }
    }

    #[test]
    fn long_words_reduce() {
        let word = Word::from_fn(["a", "b"], 5_000, 30_000, |i, k| i % [6, 10][k] == 0).unwrap();
        let reduced = word.reduced();
        assert_eq!((reduced.prefix_len(), reduced.cycle_len()), (0, 30));
        assert!(reduced.denotes_same(&word));
    }
}
