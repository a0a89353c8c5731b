//! The steps of an automaton for each valuation that has occurred.

use rustc_hash::FxHashMap;
use sempre_automata::{Automaton, Label};

/// An enabled edge of the automaton.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) target: u32,
    pub(crate) marks: u32,
}

/// Valuations by number, with their steps.
pub(crate) struct Letters<'a> {
    automaton: &'a Automaton,
    numbers: FxHashMap<u64, u32>,
    /// The last valuation and its number, since valuations often repeat.
    last: Option<(u64, u32)>,
    steps: Vec<Step>,
    /// For each letter and automaton state, the start of its steps; they end where the next begin.
    places: Vec<u32>,
    /// The distinct labels: automata have many edges with few labels.
    labels: Vec<Label>,
    /// For each edge, the index of its label.
    label_of: Vec<u32>,
    /// For each label, whether it admits the letter that is being added.
    admitted: Vec<bool>,
}

impl<'a> Letters<'a> {
    pub(crate) fn new(automaton: &'a Automaton) -> Self {
        let mut place_of: FxHashMap<Label, u32> = FxHashMap::default();
        let mut labels = Vec::new();
        let mut place = |label: Label| {
            *place_of.entry(label).or_insert_with(|| {
                labels.push(label);
                labels.len() as u32 - 1
            })
        };
        let label_of = automaton.edges().iter().map(|edge| place(edge.label)).collect();
        let (numbers, steps) = (FxHashMap::default(), Vec::new());
        let (last, places, admitted) = (None, vec![0], Vec::new());
        Letters { automaton, numbers, last, steps, places, labels, label_of, admitted }
    }

    /// Returns the number of a valuation.
    #[inline]
    pub(crate) fn number(&mut self, valuation: u64) -> u32 {
        match self.last {
            Some((last, number)) if last == valuation => number,
            _ => {
                let known = self.numbers.get(&valuation).copied();
                let number = known.unwrap_or_else(|| self.add(valuation));
                self.last = Some((valuation, number));
                number
            }
        }
    }

    fn add(&mut self, valuation: u64) -> u32 {
        let number = self.numbers.len() as u32;
        self.numbers.insert(valuation, number);
        let alphabet = self.automaton.alphabet();
        self.admitted.clear();
        let admits = |label: &Label| alphabet.satisfied(*label, valuation);
        self.admitted.extend(self.labels.iter().map(admits));
        for state in self.automaton.states() {
            for place in self.automaton.edge_range(state) {
                if self.admitted[self.label_of[place] as usize] {
                    let edge = &self.automaton.edges()[place];
                    let marks = edge.marks.as_bits().and_then(|bits| bits.try_into().ok());
                    let marks = marks.expect("not more marks than bits");
                    self.steps.push(Step { target: edge.target.index() as u32, marks });
                }
            }
            self.places.push(self.steps.len() as u32);
        }
        number
    }

    /// Returns the steps of an automaton state under a letter.
    #[inline]
    pub(crate) fn steps(&self, letter: u32, location: u32) -> &[Step] {
        let place = letter as usize * self.automaton.state_count() + location as usize;
        &self.steps[self.places[place] as usize..self.places[place + 1] as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<Step>() + 4 * self.places.capacity()
    }
}
