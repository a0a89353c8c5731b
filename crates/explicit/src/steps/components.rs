//! Sets of components of a model, to which runs may have to be fair.

use sempre_check::FairnessKind;

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    pub(super) fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(super) fn add(&mut self, other: &Set) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    pub(super) fn retain(&mut self, other: &Set) {
        self.0.truncate(other.0.len());
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }

    pub(super) fn remove(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
    }

    pub(super) fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.0.capacity()
    }

    /// Returns the numbers as bits; `None` if one is not below this, which is at most 32.
    pub(super) fn bits(&self, end: u32) -> Option<u32> {
        let first = self.0.first().copied().unwrap_or(0);
        let fits = first >> end == 0 && self.0.iter().skip(1).all(|word| *word == 0);
        fits.then_some(first as u32)
    }
}

/// The marks and components of a strongly connected part of a product.
#[derive(Clone, Debug, Default)]
pub(super) struct Balance {
    /// The marks of its edges.
    pub(super) marks: u32,
    /// The components that step on its edges.
    stepping: Set,
    /// The components that are enabled in all its nodes (weak) or in some (strong).
    enabled: Set,
}

impl Balance {
    /// That of one node without edges.
    pub(super) fn of_node(enabled: Set) -> Self {
        Balance { marks: 0, stepping: Set::default(), enabled }
    }

    pub(super) fn add_edge(&mut self, marks: u32, stepping: &Set) {
        self.marks |= marks;
        self.stepping.add(stepping);
    }

    pub(super) fn merge(&mut self, other: &Balance, kind: Option<FairnessKind>) {
        self.add_edge(other.marks, &other.stepping);
        match kind {
            Some(FairnessKind::Strong) => self.enabled.add(&other.enabled),
            _ => self.enabled.retain(&other.enabled),
        }
    }

    /// The components that are not treated fairly.
    pub(super) fn neglected(&self) -> Set {
        let mut neglected = self.enabled.clone();
        neglected.remove(&self.stepping);
        neglected
    }

    pub(super) fn bytes(&self) -> usize {
        self.stepping.bytes() + self.enabled.bytes()
    }
}
