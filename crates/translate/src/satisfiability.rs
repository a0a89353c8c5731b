//! Satisfiability of formulas, and how two formulas relate, each with a lasso word as evidence.
//!
//! A formula is satisfiable if its automaton accepts a word; `f` implies `g` if `f & !g` is
//! unsatisfiable. The cost is that of a translation without costly reductions, then linear in the
//! automaton. Every word is evaluated by the semantics before it is returned.

use crate::{Effort, Translator};
use sempre_automata::emptiness;
use sempre_ltl::semantics::holds;
use sempre_ltl::{Formula, Word};

/// Returns a short word that satisfies the formula; `None` if the formula is unsatisfiable.
///
/// ```
/// use sempre_translate::satisfiability::satisfying_word;
/// let word = satisfying_word(&"a & X!a".parse()?).unwrap();
/// assert_eq!(word.to_string(), "a; cycle{!a}");
/// assert_eq!(satisfying_word(&"G a & F!a".parse()?), None);
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
///
/// # Panics
/// If the word violates the formula, which is a defect of the translation.
pub fn satisfying_word(formula: &Formula) -> Option<Word> {
    // Reductions cost more than the search for one word in a larger automaton.
    let automaton = Translator::new().effort(Effort::Low).translate(formula);
    let run = emptiness::shortest_accepting_run(&automaton)?;
    let word = run.word(&automaton).reduced();
    assert!(holds(formula, &word), "the automaton of `{formula}` accepts {word}");
    Some(word)
}

/// True if every word satisfies the formula.
pub fn is_valid(formula: &Formula) -> bool {
    satisfying_word(&Formula::not(formula)).is_none()
}

/// True if every word that satisfies `left` satisfies `right`.
pub fn implies(left: &Formula, right: &Formula) -> bool {
    only(left, right).is_none()
}

/// The words that distinguish two formulas, one for each direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// A word that satisfies the left formula only; `None` if left implies right.
    pub only_left: Option<Word>,
    /// A word that satisfies the right formula only; `None` if right implies left.
    pub only_right: Option<Word>,
}

impl Comparison {
    /// Compares two formulas.
    pub fn of(left: &Formula, right: &Formula) -> Self {
        Comparison { only_left: only(left, right), only_right: only(right, left) }
    }

    /// True if the same words satisfy both formulas.
    pub fn is_equivalence(&self) -> bool {
        self.only_left.is_none() && self.only_right.is_none()
    }
}

/// Returns a word that satisfies `left` and violates `right`.
fn only(left: &Formula, right: &Formula) -> Option<Word> {
    satisfying_word(&Formula::and([left.clone(), Formula::not(right)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sempre_ltl::arbitrary;

    /// All words over `a`, `b`, `c` with at most one letter before a cycle of at most two.
    fn short_words() -> Vec<Word> {
        let cycles = (0..8).map(|x| vec![x]).chain((0..64).map(|x| vec![x % 8, x / 8]));
        let prefixes: Vec<Vec<u64>> = [vec![]].into_iter().chain((0..8).map(|x| vec![x])).collect();
        let word = |prefix: &[u64], cycle: &[u64]| {
            Word::from_valuations(["a", "b", "c"], prefix, cycle).unwrap()
        };
        cycles
            .flat_map(|cycle| prefixes.iter().map(move |p| word(p, &cycle)).collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn relations_of_known_formulas() {
        for (left, right, left_implies, right_implies) in [
            ("FGa", "GFa", true, false),
            ("a U b", "b | (a & X(a U b))", true, true),
            ("a W b", "a U b", false, true),
            ("Ga", "Fb", false, false),
            ("0", "a", true, false),
            ("a | !a", "1", true, true),
        ] {
            let (left, right) = (left.parse().unwrap(), right.parse().unwrap());
            let comparison = Comparison::of(&left, &right);
            assert_eq!(comparison.only_left.is_none(), left_implies, "{left}, {right}");
            assert_eq!(comparison.only_right.is_none(), right_implies, "{left}, {right}");
            assert_eq!(implies(&left, &right), left_implies);
            assert_eq!(comparison.is_equivalence(), left_implies && right_implies);
        }
        assert!(is_valid(&"F a | G !a".parse().unwrap()));
        assert!(!is_valid(&"F a".parse().unwrap()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Words are evaluated by the semantics. For an unsatisfiable formula, no short word
        /// satisfies it, and the textbook tableau is empty.
        #[test]
        fn answers_agree_with_short_words(
            left in arbitrary::formula(6),
            right in arbitrary::formula(6),
        ) {
            let words = short_words();
            let comparison = Comparison::of(&left, &right);
            for (word, satisfied, violated) in
                [(&comparison.only_left, &left, &right), (&comparison.only_right, &right, &left)]
            {
                match word {
                    Some(word) => prop_assert!(holds(satisfied, word) && !holds(violated, word)),
                    None => {
                        let missed =
                            words.iter().find(|w| holds(satisfied, w) && !holds(violated, w));
                        prop_assert_eq!(missed, None);
                        let both = Formula::and([satisfied.clone(), Formula::not(violated)]);
                        let classic = crate::classic::translate(&both);
                        prop_assert!(emptiness::is_empty(&classic));
                    }
                }
            }
            let valid = emptiness::is_empty(&crate::classic::translate(&Formula::not(&left)));
            prop_assert_eq!(is_valid(&left), valid);
        }
    }
}
