//! Diagrams whose first variables are propositions, split by letters.

use super::{Diagram, Diagrams};
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Label};

/// Splits diagrams over the propositions of an alphabet, which come first in the order of
/// variables, into the remaining functions for each letter.
#[derive(Default)]
pub(crate) struct Letters {
    /// The remaining functions, with their letters.
    parts: Vec<(Diagram, Label)>,
    /// The index of a diagram among the current parts.
    places: FxHashMap<Diagram, usize>,
    open: Vec<(Diagram, Label)>,
}

impl Letters {
    /// Returns the parts of the last split: distinct functions without propositions, for disjoint
    /// labels that cover all letters.
    pub(crate) fn parts(&self) -> &[(Diagram, Label)] {
        &self.parts
    }

    /// Splits a diagram; `None` if it has more than `most` parts.
    pub(crate) fn split(
        &mut self,
        diagrams: &Diagrams,
        alphabet: &Alphabet,
        diagram: Diagram,
        most: usize,
    ) -> Option<()> {
        self.parts.clear();
        self.parts.push((diagram, alphabet.tt()));
        // Propositions are split one by one, so that equal parts are merged: there are as many
        // parts as nodes at a level, while paths may be exponentially many.
        for prop in 0..alphabet.props().len() {
            if self.parts.iter().all(|(part, _)| diagrams.variable(*part) != prop as u32) {
                continue;
            }
            std::mem::swap(&mut self.parts, &mut self.open);
            self.parts.clear();
            self.places.clear();
            let positive = alphabet.prop(prop);
            for place in 0..self.open.len() {
                let (part, label) = self.open[place];
                if diagrams.variable(part) == prop as u32 {
                    let (low, high) = diagrams.branches(part);
                    self.add(alphabet, low, alphabet.minus(label, positive));
                    self.add(alphabet, high, alphabet.and(label, positive));
                } else {
                    self.add(alphabet, part, label);
                }
                if self.parts.len() > most {
                    return None;
                }
            }
        }
        Some(())
    }

    fn add(&mut self, alphabet: &Alphabet, part: Diagram, label: Label) {
        let place = *self.places.entry(part).or_insert(self.parts.len());
        match self.parts.get_mut(place) {
            Some((_, known)) => *known = alphabet.or(*known, label),
            None => self.parts.push((part, label)),
        }
    }
}
