//! Deterministic automata as tables: the successor for each state and class of letters, with marks
//! as bits.

use crate::acceptance::{Acceptance, Condition};
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::label::{Alphabet, Label};
use crate::marks::Marks;
use std::sync::Arc;

/// No state: the letter is not read.
pub(crate) const NONE: u32 = u32::MAX;

/// The maximal number of letter classes of a table.
const MAX_CLASSES: usize = 1 << 10;
/// The maximal number of cells of a table.
const MAX_CELLS: usize = 1 << 20;

/// A deterministic automaton without useless states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) states: usize,
    /// The number of letter classes.
    pub(crate) letters: usize,
    pub(crate) initial: u32,
    /// By state and letter, the successor or [`NONE`].
    pub(crate) next: Vec<u32>,
    /// By state and letter, the marks.
    pub(crate) marks: Vec<u64>,
    pub(crate) acceptance: Acceptance,
}

/// The common letter classes of tables over one alphabet.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    alphabet: Arc<Alphabet>,
    labels: Vec<Label>,
}

impl Classes {
    /// Returns the letter classes of the edges of an automaton; `None` if there are too many.
    pub(crate) fn of(automaton: &Automaton) -> Option<Self> {
        let alphabet = automaton.alphabet();
        let mut labels: Vec<Label> = automaton.edges().iter().map(|edge| edge.label).collect();
        labels.sort_unstable();
        labels.dedup();
        let mut classes = vec![alphabet.tt()];
        for label in labels {
            sempre_ltl::interrupt::poll();
            for place in 0..classes.len() {
                sempre_ltl::interrupt::poll();
                let inside = alphabet.and(classes[place], label);
                let outside = alphabet.minus(classes[place], label);
                if inside != alphabet.ff() && outside != alphabet.ff() {
                    classes[place] = inside;
                    classes.push(outside);
                }
            }
            if classes.len() > MAX_CLASSES {
                return None;
            }
        }
        Some(Classes { alphabet: alphabet.clone(), labels: classes })
    }

    /// Converts a trimmed deterministic automaton with at most 64 marks, whose labels are unions of
    /// these classes. `None` if the table would be too large, or the automaton is empty.
    pub(crate) fn table(&self, automaton: &Automaton) -> Option<Table> {
        let (states, letters) = (automaton.state_count(), self.labels.len());
        if states * letters > MAX_CELLS || automaton.acceptance().marks() > 64 {
            return None;
        }
        let initial = automaton.initial().first()?.index() as u32;
        let mut table = Table {
            states,
            letters,
            initial,
            next: vec![NONE; states * letters],
            marks: vec![0; states * letters],
            acceptance: automaton.acceptance().clone(),
        };
        for (source, edge) in automaton.transitions() {
            for (letter, &class) in self.labels.iter().enumerate() {
                if !self.alphabet.disjoint(class, edge.label) {
                    let cell = source.index() * letters + letter;
                    table.next[cell] = edge.target.index() as u32;
                    table.marks[cell] = edge.marks.as_bits().unwrap_or(0);
                }
            }
        }
        Some(table)
    }

    /// Converts the table to an automaton without unreachable states.
    pub(crate) fn automaton(&self, table: &Table) -> Automaton {
        let mut builder = Automaton::builder(self.alphabet.clone());
        builder.acceptance(table.acceptance.clone());
        let mut number = vec![NONE; table.states];
        let mut order = vec![table.initial];
        number[table.initial as usize] = 0;
        let mut visited = 0;
        while visited < order.len() {
            sempre_ltl::interrupt::poll();
            let row = table.row(order[visited]);
            visited += 1;
            for next in table.next[row].iter().filter(|next| **next != NONE) {
                if number[*next as usize] == NONE {
                    number[*next as usize] = order.len() as u32;
                    order.push(*next);
                }
            }
        }
        builder.add_states(order.len());
        builder.initial(StateId::new(0));
        for &state in &order {
            let mut edges: Vec<(u32, u64, Label)> = vec![];
            for (cell, &class) in table.row(state).zip(&self.labels) {
                let (next, marks) = (table.next[cell], table.marks[cell]);
                if next == NONE {
                    continue;
                }
                match edges.iter_mut().find(|edge| (edge.0, edge.1) == (next, marks)) {
                    Some(edge) => edge.2 = self.alphabet.or(edge.2, class),
                    None => edges.push((next, marks, class)),
                }
            }
            let source = StateId::new(number[state as usize] as usize);
            for (next, marks, label) in edges {
                let target = StateId::new(number[next as usize] as usize);
                builder.edge(source, label, Marks::from_bits(marks), target);
            }
        }
        builder.build()
    }
}

impl Table {
    /// Returns the range of the cells of a state.
    pub(crate) fn row(&self, state: u32) -> std::ops::Range<usize> {
        state as usize * self.letters..(state as usize + 1) * self.letters
    }

    /// The condition.
    pub(crate) fn condition(&self) -> &Condition {
        self.acceptance.condition()
    }

    /// Redirects edges and the initial state.
    pub(crate) fn redirect(&mut self, place: impl Fn(u32) -> u32) {
        for next in self.next.iter_mut().filter(|next| **next != NONE) {
            *next = place(*next);
        }
        self.initial = place(self.initial);
    }

    /// Returns the table with one state that accepts every word over this number of letters.
    pub(crate) fn universal(letters: usize) -> Self {
        Table {
            states: 1,
            letters,
            initial: 0,
            next: vec![0; letters],
            marks: vec![0; letters],
            acceptance: Acceptance::new(0, Condition::True),
        }
    }
}
