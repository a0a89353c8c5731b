//! Bad prefixes: the part of a violating run after which no continuation can satisfy the property.
//!
//! An automaton of the property, not of its negation, without the states that accept nothing, reads
//! the letters of the run. A prefix is bad exactly if no state is left after it. This is exact for
//! every property, not for safety properties alone. Costs a translation, or a complement, and a set of
//! states per letter.

use crate::property::Specification;
use rustc_hash::FxHashSet;
use sempre_automata::{Automaton, StateId, prune};
use sempre_ltl::{Formula, Prop, Word, interrupt};
use std::sync::Arc;

/// How many letters are read at most.
const MAX_LETTERS: usize = 100_000;

/// How long the translation may take, in units of [`interrupt::within`].
const TRANSLATION: u64 = 1 << 12;

/// Follows what may still satisfy a property, letter by letter.
#[derive(Clone)]
pub(crate) struct Hopes {
    automaton: Arc<Automaton>,
    reached: Vec<StateId>,
}

impl Hopes {
    /// Begins before the first letter.
    pub(crate) fn new(property: &impl Specification) -> Self {
        let automaton = prune::trim(&property.correct());
        let reached = automaton.initial().to_vec();
        Hopes { automaton: Arc::new(automaton), reached }
    }

    /// Returns the propositions whose values make a letter.
    pub(crate) fn props(&self) -> &[Prop] {
        self.automaton.alphabet().props()
    }

    /// Reads a letter that is given by the values of propositions.
    fn read_values(&mut self, value: impl Fn(&Prop) -> bool) {
        let bit = |(number, prop): (usize, &Prop)| u64::from(value(prop)) << number;
        let valuation = self.props().iter().enumerate().map(bit).sum();
        self.read(valuation);
    }

    /// Reads a letter.
    pub(crate) fn read(&mut self, valuation: u64) {
        let alphabet = self.automaton.alphabet();
        let edges = self.reached.iter().flat_map(|from| self.automaton.edges_from(*from));
        let possible = edges.filter(|edge| alphabet.satisfied(edge.label, valuation));
        let mut next: Vec<StateId> = possible.map(|edge| edge.target).collect();
        next.sort_unstable();
        next.dedup();
        self.reached = next;
    }

    /// True if no continuation satisfies the property.
    pub(crate) fn is_lost(&self) -> bool {
        self.reached.is_empty()
    }

    /// Returns the length of the shortest prefix of these letters that is bad.
    pub(crate) fn lost_after(mut self, letters: impl IntoIterator<Item = u64>) -> Option<usize> {
        let mut letters = letters.into_iter();
        let mut count = 0;
        while !self.is_lost() {
            self.read(letters.next()?);
            count += 1;
        }
        Some(count)
    }
}

/// Returns the number of letters of the shortest bad prefix of a word; `None` if no prefix is bad, or
/// if finding it takes too long.
///
/// ```
/// use sempre_check::bad_prefix;
/// let formula: sempre_ltl::Formula = "G a & G F b".parse().unwrap();
/// assert_eq!(bad_prefix(&formula, &"a; cycle{!a; b}".parse().unwrap()), Some(2));
/// assert_eq!(bad_prefix(&formula, &"b; cycle{a}".parse().unwrap()), Some(1));
/// assert_eq!(bad_prefix(&formula, &"cycle{a & !b}".parse().unwrap()), None);
/// ```
pub fn bad_prefix(property: &impl Specification, word: &Word) -> Option<usize> {
    let mut hopes = interrupt::within(TRANSLATION, || Hopes::new(property)).ok()?;
    let mut seen = FxHashSet::default();
    for count in 0..MAX_LETTERS {
        if hopes.is_lost() {
            return Some(count);
        }
        let position = word.position(count);
        if position >= word.prefix_len() && !seen.insert((position, hopes.reached.clone())) {
            return None;
        }
        hopes.read_values(|prop| word.value(position, prop));
    }
    None
}

/// A monitor of a formula: reads letters and says whether the formula is decided, whatever follows.
#[derive(Clone)]
pub struct Monitor {
    holds: Hopes,
    fails: Hopes,
}

impl Monitor {
    /// Makes a monitor before the first letter; `None` if the translation takes too long.
    ///
    /// ```
    /// use sempre_check::Monitor;
    /// let mut monitor = Monitor::new(&"!b U a".parse().unwrap()).unwrap();
    /// monitor.read(|_| false);
    /// assert_eq!(monitor.verdict(), None);
    /// monitor.read(|prop| prop.name() == "b");
    /// assert_eq!(monitor.verdict(), Some(false));
    /// ```
    pub fn new(formula: &Formula) -> Option<Self> {
        let both = || Monitor {
            holds: Hopes::new(formula),
            fails: Hopes::new(&Formula::not(formula.clone())),
        };
        interrupt::within(TRANSLATION, both).ok()
    }

    /// Reads a letter.
    pub fn read(&mut self, value: impl Fn(&Prop) -> bool) {
        self.holds.read_values(&value);
        self.fails.read_values(&value);
    }

    /// True if every continuation satisfies the formula, false if every one violates it.
    pub fn verdict(&self) -> Option<bool> {
        match (self.holds.is_lost(), self.fails.is_lost()) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sempre_automata::emptiness;
    use sempre_ltl::arbitrary;
    use sempre_translate::Translator;

    /// True if some word that begins with these letters satisfies the formula, by translating the
    /// formula that says so.
    fn extends(formula: &Formula, word: &Word, letters: usize) -> bool {
        let mut beginning = Formula::tt();
        for position in (0..letters).rev() {
            let literal = |prop: &Prop| match word.value(word.position(position), prop) {
                true => Formula::prop(prop.clone()),
                false => Formula::not(Formula::prop(prop.clone())),
            };
            let letter = formula.props().iter().map(literal).collect::<Vec<_>>();
            let rest = [Formula::next(beginning)];
            beginning = Formula::and(letter.into_iter().chain(rest));
        }
        let both = Formula::and([formula.clone(), beginning]);
        !emptiness::is_empty(&Translator::new().translate(&both))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn the_shortest_prefix_that_no_word_extends_is_found(
            formula in arbitrary::formula(8), word in arbitrary::word(4),
        ) {
            let limit = 2 * word.len() + 4;
            let plain = (0..=limit).find(|&letters| !extends(&formula, &word, letters));
            match bad_prefix(&formula, &word) {
                Some(letters) if letters > limit => prop_assert_eq!(plain, None),
                found => prop_assert_eq!(found, plain),
            }
        }
    }
}
