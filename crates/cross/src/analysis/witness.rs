//! Shortens words while they remain witnesses.
//!
//! First drops repetitions, and tries a single letter for ever. Then drops pieces of the prefix and
//! the cycle, larger ones first, and makes propositions false where possible. Keeps each change
//! that preserves the witness. O(letters × propositions) attempts per round, with rounds until a
//! fixpoint.

use sempre_ltl::{Prop, Word};

/// The letters of a word, mutable.
#[derive(Clone)]
struct Letters {
    props: Vec<Prop>,
    prefix: Vec<Vec<bool>>,
    cycle: Vec<Vec<bool>>,
}

impl Letters {
    fn of(word: &Word) -> Self {
        let letter = |position: usize| {
            word.props().iter().map(|prop| word.value(position, prop)).collect::<Vec<bool>>()
        };
        Letters {
            props: word.props().to_vec(),
            prefix: (0..word.prefix_len()).map(letter).collect(),
            cycle: (word.prefix_len()..word.len()).map(letter).collect(),
        }
    }

    /// Returns the word; `None` if the cycle is empty.
    fn word(&self) -> Option<Word> {
        let value = |position: usize, prop: usize| match position.checked_sub(self.prefix.len()) {
            None => self.prefix[position][prop],
            Some(position) => self.cycle[position][prop],
        };
        Word::from_fn(self.props.iter().cloned(), self.prefix.len(), self.cycle.len(), value).ok()
    }

    /// Returns prefix and cycle.
    fn parts(&mut self) -> [&mut Vec<Vec<bool>>; 2] {
        [&mut self.prefix, &mut self.cycle]
    }
}

/// Returns a witness from which no letter can be removed, and in which no proposition can be made
/// false.
pub(super) fn shortened(word: &Word, good: impl Fn(&Word) -> bool) -> Word {
    let reduced = word.reduced();
    let mut letters = Letters::of(if good(&reduced) { &reduced } else { word });
    repeat_one_letter(&mut letters, &good);
    // Every accepted change has fewer letters, or as many with fewer propositions.
    let mut changed = true;
    while changed {
        changed = drop_letters(&mut letters, &good) || drop_propositions(&mut letters, &good);
    }
    letters.word().map_or_else(|| word.clone(), |word| word.reduced())
}

/// Applies a change if the word remains a witness; returns whether it does.
fn keep(letters: &mut Letters, changed: Letters, good: &impl Fn(&Word) -> bool) -> bool {
    let is_good = changed.word().is_some_and(|word| good(&word));
    if is_good {
        *letters = changed;
    }
    is_good
}

/// Tries a single letter for ever.
fn repeat_one_letter(letters: &mut Letters, good: &impl Fn(&Word) -> bool) {
    for letter in letters.prefix.iter().chain(&letters.cycle).cloned().collect::<Vec<_>>() {
        let alone = Letters { props: letters.props.clone(), prefix: vec![], cycle: vec![letter] };
        if keep(letters, alone, good) {
            return;
        }
    }
}

fn drop_letters(letters: &mut Letters, good: &impl Fn(&Word) -> bool) -> bool {
    let mut changed = false;
    for part in 0..2 {
        let mut piece = letters.parts()[part].len();
        while piece > 0 {
            let mut start = 0;
            while start < letters.parts()[part].len() {
                let mut fewer = letters.clone();
                let end = (start + piece).min(fewer.parts()[part].len());
                fewer.parts()[part].drain(start..end);
                if keep(letters, fewer, good) {
                    changed = true;
                } else {
                    start += piece;
                }
            }
            piece /= 2;
        }
    }
    changed
}

fn drop_propositions(letters: &mut Letters, good: &impl Fn(&Word) -> bool) -> bool {
    let mut changed = false;
    for part in 0..2 {
        for position in 0..letters.parts()[part].len() {
            for prop in 0..letters.props.len() {
                if letters.parts()[part][position][prop] {
                    let mut fewer = letters.clone();
                    fewer.parts()[part][position][prop] = false;
                    changed |= keep(letters, fewer, good);
                }
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use sempre_ltl::Formula;
    use sempre_ltl::semantics::Evaluator;

    #[test]
    fn nothing_is_left_that_is_not_needed() {
        let cases = [
            ("F a", "b; b; a&b; cycle{b; a&b; b}", "cycle{a}"),
            ("a & X b", "a&b; b&c; c; cycle{a&b&c; c}", "cycle{a&b}"),
            ("GF a & GF !a", "b; cycle{a; b; a&b; c; a}", "cycle{a; !a}"),
            ("X X X c", "a; b; a; c; cycle{a; b}", "cycle{c}"),
        ];
        for (formula, word, shortest) in cases {
            let formula: Formula = formula.parse().unwrap();
            let evaluator = Evaluator::new(&formula);
            let found = shortened(&word.parse().unwrap(), |word| evaluator.holds(word));
            let shortest: Word = shortest.parse().unwrap();
            assert!(found.denotes_same(&shortest), "{formula}: {found}");
        }
    }
}
