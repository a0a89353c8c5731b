//! Comparison of languages: inclusion, equivalence and universality, with a word as witness for
//! negative answers.
//!
//! The difference of two languages is searched in the product of one automaton with the complement
//! of the other, both generated as they are visited, so that the search ends with the first word.
//! The complement is the dual of a deterministic automaton, breakpoints for an inherently weak one,
//! NCSB for a semi-deterministic one, and slices for others; see [`complement`]. If that grows, stems
//! and periods of words are compared without a complement (`periods`). At worst the cost is that of
//! complementation.
//!
//! Every word has been checked by [`membership`], which shares no code with these constructions.
//! Automata may have different propositions; each ignores unknown ones. If one of them has named
//! letters, as automata scripts have, other valuations occur in no word.
//!
//! ```
//! use sempre_automata::{Alphabet, Automaton, Marks, language};
//!
//! let always = |props: &[usize]| {
//!     let mut builder = Automaton::builder(Alphabet::new(["a", "b"]).unwrap());
//!     let (state, alphabet) = (builder.add_state(), builder.alphabet().clone());
//!     let label = alphabet.from_cube(&props.iter().map(|prop| (*prop, true)).collect::<Vec<_>>());
//!     builder.initial(state).edge(state, label, Marks::EMPTY, state);
//!     builder.build()
//! };
//! let (a, both) = (always(&[0]), always(&[0, 1]));
//! assert!(language::is_included(&both, &a));
//! assert_eq!(language::difference(&a, &both).unwrap().to_string(), "cycle{a&!b}");
//! assert_eq!(language::rejected_word(&a).unwrap().to_string(), "cycle{!a&!b}");
//! ```

mod difference;
mod periods;
#[cfg(test)]
mod tests;

use crate::complement::{
    self, Breakpoint, Construction, Division, Guess, Macrostates, Ncsb, Slices, to_buchi,
};
use crate::formats::ats;
use crate::product::{Product, joint_alphabet};
use crate::reduce::{Level, reduce};
use crate::{
    Alphabet, Automaton, Error, Marks, Named, emptiness, mark_cleanup, membership, product, prune,
};
use difference::Difference;
use sempre_ltl::Word;
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

/// The maximal number of states of an automaton to complement without prior reduction.
const SMALL: usize = 4;

/// If a complement has more macrostates, stems and periods are tried first, up to that many.
const FEW: usize = 1 << 12;
const MAX_CONTEXTS: usize = 1 << 14;

/// Returns a word that `left` accepts and `right` rejects, if there is one; the word has been
/// checked.
///
/// # Panics
/// If the check fails, because a construction is wrong.
pub fn difference(left: &Automaton, right: &Automaton) -> Option<Word> {
    search(left, right).map(|word| checked(left, right, &word))
}

/// True if `right` accepts every word that `left` accepts.
pub fn is_included(left: &Automaton, right: &Automaton) -> bool {
    difference(left, right).is_none()
}

/// The automaton that accepts a distinguishing word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first automaton.
    Left,
    /// The second automaton.
    Right,
}

/// Returns a word that exactly one of the automata accepts, and which one, if their languages
/// differ.
pub fn distinguishing_word(left: &Automaton, right: &Automaton) -> Option<(Word, Side)> {
    let in_left = difference(left, right).map(|word| (word, Side::Left));
    in_left.or_else(|| difference(right, left).map(|word| (word, Side::Right)))
}

/// True if both automata accept the same words.
pub fn equivalent(left: &Automaton, right: &Automaton) -> bool {
    distinguishing_word(left, right).is_none()
}

/// Returns a word that the automaton rejects, if there is one; the word has been checked.
pub fn rejected_word(automaton: &Automaton) -> Option<Word> {
    difference(&everything(automaton), automaton)
}

/// True if the automaton accepts every word.
pub fn is_universal(automaton: &Automaton) -> bool {
    rejected_word(automaton).is_none()
}

/// The result of a limited search for a rejected word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Universality {
    /// The automaton accepts every word.
    Universal,
    /// The automaton rejects this word, which has been checked.
    Rejects(Word),
    /// The complement is larger than the limit, and no rejected word has been found.
    Unknown,
}

/// Decides universality if the complement has at most `macrostates` macrostates, or a rejected word
/// is found among them. A deterministic automaton needs none.
pub fn universality_up_to(automaton: &Automaton, macrostates: usize) -> Universality {
    let everything = everything(automaton);
    match search_up_to(&everything, automaton, macrostates) {
        Some(Some(word)) => {
            let word = word.reduced();
            assert!(!membership::accepts(automaton, &word), "a rejected word is accepted");
            Universality::Rejects(word)
        }
        Some(None) => Universality::Universal,
        None => Universality::Unknown,
    }
}

/// The result of a limited search for a word of the difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// All words of the one automaton are words of the other.
    Included,
    /// A word of the difference, which has been checked.
    Excludes(Word),
    /// The complement is larger than the limit, and no word of the difference has been found.
    Unknown,
}

/// Decides whether `right` accepts every word of `left`, if its complement has at most
/// `macrostates` macrostates or a counterexample is found among them. A deterministic automaton
/// needs none.
pub fn inclusion_up_to(left: &Automaton, right: &Automaton, macrostates: usize) -> Inclusion {
    match search_up_to(left, right, macrostates) {
        Some(Some(word)) => Inclusion::Excludes(checked(left, right, &word)),
        Some(None) => Inclusion::Included,
        None => Inclusion::Unknown,
    }
}

/// Checks and reduces a word of a difference.
///
/// # Panics
/// If it is not in the difference, because a construction is wrong.
fn checked(left: &Automaton, right: &Automaton, word: &Word) -> Word {
    let word = word.reduced();
    assert!(membership::accepts(left, &word), "a word of a difference is not in the language");
    assert!(!membership::accepts(right, &word), "a word of a difference is in both languages");
    word
}

/// Returns an automaton that accepts every word: if the automaton has named letters, every word of
/// these.
fn everything(automaton: &Automaton) -> Automaton {
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    let (state, all) = (builder.add_state(), automaton.alphabet().tt());
    builder.initial(state).edge(state, all, Marks::EMPTY, state);
    ats::restricted(builder.build(), automaton)
}

fn search(left: &Automaton, right: &Automaton) -> Option<Word> {
    search_up_to(left, right, usize::MAX).flatten()
}

/// Returns a word of the difference, if there is one; `None` if more than `macrostates` macrostates
/// are needed.
#[expect(clippy::option_option, reason = "outside: whether it is known; inside: the word, if any")]
fn search_up_to(left: &Automaton, right: &Automaton, macrostates: usize) -> Option<Option<Word>> {
    let left = &over_letters(left, [left, right]);
    let (alphabet, left_places, right_places) = joint_alphabet(left.alphabet(), right.alphabet());
    let left = prune::trim(&over(left, &alphabet, &left_places));
    let right = prune::trim(&over(right, &alphabet, &right_places));
    if left.initial().is_empty() {
        return Some(None);
    }
    if right.initial().is_empty() {
        return Some(emptiness::accepting_run(&left).map(|run| run.word(&left)));
    }
    let simple = right.is_deterministic() || right.is_inherently_weak();
    let reduced = !simple && right.state_count() > SMALL;
    let right = if reduced { reduce(&right, Level::Medium) } else { right };
    let right = complementable(&right);
    let by_complement = |most: usize| {
        let complement = Complement::of(&right, most);
        let word = complement.common_word(&left);
        (word.is_some() || !complement.is_partial()).then_some(word)
    };
    // Simple complements are small.
    if right.is_deterministic() || right.is_inherently_weak() || macrostates <= FEW {
        return by_complement(macrostates);
    }
    if let Some(known) = by_complement(FEW) {
        return Some(known);
    }
    if *right.acceptance() == Named::Buchi.acceptance() {
        match periods::search(&prune::trim(&to_buchi(&left)), &right, MAX_CONTEXTS) {
            periods::Found::Nothing => return Some(None),
            periods::Found::Word(word) => return Some(Some(word)),
            periods::Found::Unknown => {}
        }
    }
    by_complement(macrostates)
}

/// The complement of an automaton, generated on demand.
pub(crate) enum Complement<'a> {
    Dual(Automaton),
    Macrostates(RefCell<Macrostates<Box<dyn Construction + 'a>>>),
}

/// Converts the trimmed automaton to a form that [`Complement`] supports.
pub(crate) fn complementable(trimmed: &Automaton) -> Cow<'_, Automaton> {
    if trimmed.is_deterministic() || trimmed.is_inherently_weak() {
        return Cow::Borrowed(trimmed);
    }
    let buchi = to_buchi(trimmed);
    match buchi.is_semi_deterministic() {
        true => Cow::Owned(mark_cleanup::outside_components(&buchi)),
        false => buchi,
    }
}

impl<'a> Complement<'a> {
    /// Creates the complement of a [complementable] automaton, with at most `macrostates`
    /// macrostates.
    pub(crate) fn of(automaton: &'a Automaton, macrostates: usize) -> Self {
        if let Ok(dual) = complement::deterministic(automaton) {
            return Complement::Dual(dual);
        }
        let construction: Box<dyn Construction + 'a> = if automaton.is_inherently_weak() {
            Box::new(Breakpoint::new(automaton))
        } else if let Some(ncsb) = Ncsb::new(automaton, Guess::Delayed, Division::Smallest) {
            // Of all forms, it has the fewest successors.
            Box::new(ncsb)
        } else {
            Box::new(Slices::new(automaton))
        };
        Complement::Macrostates(RefCell::new(Macrostates::new(construction).limit(macrostates)))
    }

    /// Returns a word that the other automaton, over the same alphabet, shares with the generated
    /// part of the complement.
    pub(crate) fn common_word(&self, other: &Automaton) -> Option<Word> {
        match self {
            Complement::Dual(dual) => Product::intersection(other, dual).accepted_word(),
            Complement::Macrostates(right) => Difference::new(other, right).word(),
        }
    }

    /// True if the limit prevented the generation of macrostates.
    pub(crate) fn is_partial(&self) -> bool {
        match self {
            Complement::Dual(_) => false,
            Complement::Macrostates(macrostates) => macrostates.borrow().is_exhausted(),
        }
    }
}

/// Returns an automaton for the words that `left` accepts and `right` does not. The complement of
/// `right` is generated only as far as runs of `left` need it.
///
/// # Errors
/// If more macrostates of the complement are needed than that.
pub fn subtract(
    left: &Automaton,
    right: &Automaton,
    macrostates: usize,
) -> Result<Automaton, Error> {
    let (alphabet, left_places, right_places) = joint_alphabet(left.alphabet(), right.alphabet());
    let left = prune::trim(&over(left, &alphabet, &left_places));
    let right = prune::trim(&over(right, &alphabet, &right_places));
    let simple = right.is_deterministic() || right.is_inherently_weak();
    let right = if simple { right } else { reduce(&right, Level::Medium) };
    let right = complementable(&right);
    let difference = match Complement::of(&right, macrostates) {
        Complement::Dual(dual) => product::intersection(&left, &dual),
        Complement::Macrostates(right) => {
            let difference = Difference::new(&left, &right).automaton();
            if right.borrow().is_exhausted() {
                return Err(Error::new(format!("it takes more than {macrostates} macrostates")));
            }
            difference
        }
    };
    Ok(prune::trim(&difference))
}

/// The automaton without words that are over no letters, if one of the others has named letters.
fn over_letters<'a>(automaton: &'a Automaton, others: [&Automaton; 2]) -> Cow<'a, Automaton> {
    let mut result = Cow::Borrowed(automaton);
    for other in others.into_iter().filter(|other| ats::letters(other).is_some()) {
        result = Cow::Owned(ats::restricted(result.into_owned(), other));
    }
    result
}

/// The automaton over an alphabet in which its propositions have these places.
fn over<'a>(
    automaton: &'a Automaton,
    alphabet: &Arc<Alphabet>,
    places: &[usize],
) -> Cow<'a, Automaton> {
    let own = automaton.alphabet();
    if Arc::ptr_eq(own, alphabet) {
        return Cow::Borrowed(automaton);
    }
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(automaton.acceptance().clone());
    builder.add_states(automaton.state_count());
    for state in automaton.initial() {
        builder.initial(*state);
    }
    for (source, edge) in automaton.transitions() {
        let label = own.translate(edge.label, alphabet, places);
        builder.edge(source, label, edge.marks.clone(), edge.target);
    }
    Cow::Owned(builder.build())
}
