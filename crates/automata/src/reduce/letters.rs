//! Labels as numbers, so that reductions compute with words instead of diagrams where they can.
//!
//! Over at most six propositions a label is its truth table. Over more, letters that no label of
//! the automaton tells apart form classes; if there are at most 64 of them, a label is the set of
//! its classes, and again one word. Only if there are more are labels the diagrams of the alphabet.
//! The number 0 is always the label that reads nothing.

use crate::automaton::Automaton;
use crate::label::{Alphabet, Label};
use rustc_hash::FxHashMap;

pub(super) enum Letters<'a> {
    /// Labels are truth tables.
    Tables,
    /// Labels are sets of these disjoint labels, which cover all letters.
    Classes(&'a Alphabet, Vec<Label>),
    /// Labels are those of the alphabet.
    Diagrams(&'a Alphabet),
}

impl<'a> Letters<'a> {
    /// How the labels of the automaton are best represented, and the numbers of those of its edges.
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
            return (Letters::Diagrams(alphabet), codes);
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
            Letters::Tables | Letters::Diagrams(_) => Label::from_code(code),
            Letters::Classes(alphabet, classes) => {
                let inside = classes.iter().enumerate().filter(|(class, _)| code >> class & 1 == 1);
                alphabet.any_of(inside.map(|(_, label)| *label))
            }
        }
    }

    /// `l | r`
    pub(super) fn or(&self, left: u64, right: u64) -> u64 {
        match self {
            Letters::Diagrams(alphabet) => {
                alphabet.or(Label::from_code(left), Label::from_code(right)).code()
            }
            _ => left | right,
        }
    }

    /// `l & !r`
    pub(super) fn minus(&self, left: u64, right: u64) -> u64 {
        match self {
            Letters::Diagrams(_) if left == right => 0,
            Letters::Diagrams(alphabet) => {
                alphabet.minus(Label::from_code(left), Label::from_code(right)).code()
            }
            _ => left & !right,
        }
    }
}

/// The largest sets of letters that none of the labels divides, if there are at most 64.
fn classes(alphabet: &Alphabet, labels: &[Label]) -> Option<Vec<Label>> {
    let mut classes = vec![alphabet.tt()];
    for &label in labels {
        for place in 0..classes.len() {
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
