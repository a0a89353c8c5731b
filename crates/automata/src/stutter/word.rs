//! Stutter-equivalence of words.

use sempre_ltl::{Prop, Word};

/// Merges each finite sequence of equal letters into one letter; a letter that repeats forever
/// remains a cycle. Words are stutter-equivalent if and only if the results denote the same word.
///
/// ```
/// use sempre_automata::stutter::without_repetitions;
/// let word = "a; a; b; cycle{b; a; a; b; b}".parse().unwrap();
/// assert!(without_repetitions(&word).denotes_same(&"cycle{a; b}".parse().unwrap()));
/// ```
pub fn without_repetitions(word: &Word) -> Word {
    let letter = |position: usize| word.letter(position).collect::<Vec<&Prop>>();
    let start = word.prefix_len();
    let cycle_changes = (start..word.len()).any(|position| letter(position) != letter(start));
    // In a cycle with several distinct letters, each position differs from some later one, so the
    // last letter of each sequence remains. Other cycles become one letter.
    let is_kept = |position: &usize| match cycle_changes {
        true => letter(*position) != letter(word.successor(*position)),
        false => *position == start || letter(*position) != letter(word.successor(*position)),
    };
    let kept: Vec<usize> = (0..word.len()).filter(is_kept).collect();
    let prefix = kept.iter().filter(|&&position| position < start).count();
    Word::from_fn(word.props().to_vec(), prefix, kept.len() - prefix, |position, prop| {
        word.value(kept[position], &word.props()[prop])
    })
    .unwrap_or_else(|_| {
        unreachable!("the cycle keeps a letter, and the propositions are those of a word")
    })
}

/// True if the words differ only in finite repetitions of letters; propositions that a word lacks
/// are false in it.
pub fn are_equivalent(left: &Word, right: &Word) -> bool {
    let props: Vec<Prop> = left.props().iter().chain(right.props()).cloned().collect();
    let reduced = |word: &Word| without_repetitions(&word.with_props(props.clone()));
    reduced(left).denotes_same(&reduced(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Repeats each letter of the word the given number of times.
    fn repeated(word: &Word, times: &[usize]) -> Word {
        let positions: Vec<usize> = (0..word.len())
            .flat_map(|position| std::iter::repeat_n(position, times[position % times.len()]))
            .collect();
        let prefix = positions.iter().filter(|&&position| position < word.prefix_len()).count();
        let (props, cycle) = (word.props().to_vec(), positions.len() - prefix);
        Word::from_fn(props, prefix, cycle, |position, prop| {
            word.value(positions[position], &word.props()[prop])
        })
        .unwrap()
    }

    proptest! {
        #[test]
        fn repeating_letters_gives_an_equivalent_word(
            word in sempre_ltl::arbitrary::word_over(["a", "b"], 5),
            times in prop::collection::vec(1usize..4, 1..6),
        ) {
            prop_assert!(are_equivalent(&word, &repeated(&word, &times)));
            let reduced = without_repetitions(&word);
            prop_assert!(without_repetitions(&reduced).denotes_same(&reduced));
            // Adjacent letters differ, except at the end.
            let letter = |position: usize| reduced.letter(position).cloned().collect::<Vec<_>>();
            for position in 0..reduced.len() {
                let constant = reduced.cycle_len() == 1 && position == reduced.prefix_len();
                let repeats = letter(position) == letter(reduced.successor(position));
                prop_assert!(constant == repeats, "{}", reduced);
            }
        }

        /// By the definition: words with equal sequences of distinct adjacent letters. A bounded
        /// prefix of them distinguishes short words.
        #[test]
        fn equivalence_is_that_of_changes(
            left in sempre_ltl::arbitrary::word_over(["a"], 4),
            right in sempre_ltl::arbitrary::word_over(["a"], 4),
        ) {
            let changes = |word: &Word| {
                let prop = Prop::new("a");
                let mut letters: Vec<bool> = (0..60).map(|i| word.value(i, &prop)).collect();
                letters.dedup();
                letters.truncate(12);
                letters
            };
            prop_assert_eq!(are_equivalent(&left, &right), changes(&left) == changes(&right));
        }
    }
}
