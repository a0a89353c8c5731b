//! Labels as numbers, so that reductions work on machine words instead of diagrams where possible.
//!
//! Over at most six propositions a label is its truth table. Over more, letters that no label of
//! the automaton distinguishes form classes. If there are at most 64 classes, a label is a set of
//! classes, again one machine word. Otherwise labels are the diagrams of the alphabet. The number 0
//! is always the empty label.

use crate::automaton::Automaton;
use crate::label::{Alphabet, Label};
use rustc_hash::FxHashMap;
use sempre_ltl::generate::Rng;
use std::cell::RefCell;

pub(super) enum Letters<'a> {
    /// Labels are truth tables.
    Tables,
    /// Labels are sets of these disjoint labels, which cover all letters.
    Classes(&'a Alphabet, Vec<Label>),
    /// Labels are diagrams of the alphabet.
    Diagrams(&'a Alphabet, DifferenceCache),
}

/// A cache of differences of labels: lookups need no lock.
#[derive(Default)]
pub(super) struct DifferenceCache(RefCell<FxHashMap<(u64, u64), u64>>);

/// The maximal size of the cache.
const MAX_KNOWN: usize = 1 << 20;

/// The letters of a sample that labels read, as rows of bits. A letter that only one of two labels
/// reads refutes inclusion.
pub(super) struct Samples {
    rows: Vec<u64>,
    width: usize,
    /// True if the sample distinguishes all labels: then a label includes another exactly if its
    /// row does.
    pub(super) exact: bool,
}

/// The maximal number of machine words per row: all letters over twelve propositions.
pub(super) const MAX_WORDS: usize = 64;

impl Samples {
    /// Returns the row of the label with this index.
    #[inline]
    pub(super) fn row(&self, place: usize) -> &[u64] {
        &self.rows[place * self.width..][..self.width]
    }

    /// Returns the number of machine words per row.
    pub(super) fn width(&self) -> usize {
        self.width
    }
}

impl<'a> Letters<'a> {
    /// Chooses the representation for the labels of the automaton, and returns the numbers of its
    /// edges' labels.
    pub(super) fn of(automaton: &'a Automaton) -> (Self, Vec<u64>) {
        let alphabet = automaton.alphabet();
        let edges = automaton.edges();
        if alphabet.has_tables() {
            return (Letters::Tables, edges.iter().map(|edge| edge.label.code()).collect());
        }
        let mut labels: Vec<Label> = edges.iter().map(|edge| edge.label).collect();
        labels.sort_unstable();
        labels.dedup();
        let Some(classes) = classes(alphabet, &labels) else {
            let codes = edges.iter().map(|edge| edge.label.code()).collect();
            return (Letters::Diagrams(alphabet, DifferenceCache::default()), codes);
        };
        let code = |label: Label| {
            let inside = |class: &&(usize, &Label)| !alphabet.disjoint(*class.1, label);
            let numbered: Vec<(usize, &Label)> = classes.iter().enumerate().collect();
            numbered.iter().filter(inside).fold(0, |code, (class, _)| code | 1 << class)
        };
        let codes: FxHashMap<Label, u64> =
            labels.iter().map(|&label| (label, code(label))).collect();
        let codes = edges.iter().map(|edge| codes[&edge.label]).collect();
        (Letters::Classes(alphabet, classes), codes)
    }

    /// The label with this number.
    pub(super) fn label(&self, code: u64) -> Label {
        match self {
            Letters::Tables | Letters::Diagrams(..) => Label::from_code(code),
            Letters::Classes(alphabet, classes) => {
                let inside = classes.iter().enumerate().filter(|(class, _)| code >> class & 1 == 1);
                alphabet.any_of(inside.map(|(_, label)| *label))
            }
        }
    }

    /// `l | r`
    pub(super) fn or(&self, left: u64, right: u64) -> u64 {
        match self {
            Letters::Diagrams(alphabet, _) => {
                alphabet.or(Label::from_code(left), Label::from_code(right)).code()
            }
            _ => left | right,
        }
    }

    /// `l & !r`
    #[inline]
    pub(super) fn minus(&self, left: u64, right: u64) -> u64 {
        match self {
            Letters::Diagrams(alphabet, DifferenceCache(known)) => {
                let mut known = known.borrow_mut();
                if known.len() > MAX_KNOWN {
                    known.clear();
                }
                *known.entry((left, right)).or_insert_with(|| {
                    alphabet.minus(Label::from_code(left), Label::from_code(right)).code()
                })
            }
            _ => left & !right,
        }
    }

    /// Returns a row for each label.
    pub(super) fn samples(&self, labels: impl Iterator<Item = u64>) -> Samples {
        let Letters::Diagrams(alphabet, _) = self else {
            return Samples { rows: labels.collect(), width: 1, exact: true };
        };
        let props = alphabet.props().len();
        let exact = 1 << props.min(63) <= MAX_WORDS * 64;
        let width = if exact { (1 << props) / 64 } else { 2 };
        let mut rng = Rng::new(0);
        let letters: Vec<[u64; 64]> = (0..width)
            .map(|word| {
                std::array::from_fn(|i| if exact { (word * 64 + i) as u64 } else { rng.bits() })
            })
            .collect();
        let mut known: FxHashMap<u64, usize> = FxHashMap::default();
        let mut rows = vec![];
        for (place, label) in labels.enumerate() {
            let first = *known.entry(label).or_insert(place);
            if first == place {
                let label = Label::from_code(label);
                rows.extend(letters.iter().map(|some| alphabet.satisfied_among(label, some)));
            } else {
                rows.extend_from_within(first * width..(first + 1) * width);
            }
        }
        Samples { rows, width, exact }
    }
}

/// Returns the letter classes of the labels; `None` if there are more than 64.
fn classes(alphabet: &Alphabet, labels: &[Label]) -> Option<Vec<Label>> {
    let mut classes = vec![alphabet.tt()];
    for &label in labels {
        for place in 0..classes.len() {
            sempre_ltl::interrupt::poll();
            let class = classes[place];
            let (inside, outside) = (alphabet.and(class, label), alphabet.minus(class, label));
            if inside != alphabet.ff() && outside != alphabet.ff() {
                classes[place] = inside;
                classes.push(outside);
            }
        }
        if classes.len() > 64 {
            return None;
        }
    }
    Some(classes)
}
