//! The input of the tests of a round.

use sempre_automata::{Alphabet, Automaton, Kripke};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Formula, Prop, Word};
use std::sync::Arc;
use std::time::Instant;

use super::{Answer, Evidence, Obstacle, Outcome, Test, WordEvidence};
use crate::participant::Claims;
use crate::session::Tests;
use crate::structures::Scope;
use crate::subject::{Polarity, Subject};

/// The formula, automata and structures of a round.
pub(crate) struct Material<'a> {
    pub(crate) formula: &'a Formula,
    /// For each participant, the automata of both polarities over a common alphabet.
    pub(crate) automata: Vec<[Option<Automaton>; 2]>,
    pub(crate) claims: Vec<Claims>,
    /// Which participants are trusted.
    pub(crate) references: Vec<bool>,
    pub(crate) structures: &'a [Kripke],
    pub(crate) scope: Scope,
    pub(crate) tests: &'a Tests,
}

impl Material<'_> {
    pub(crate) fn participants(&self) -> std::ops::Range<usize> {
        0..self.automata.len()
    }

    pub(crate) fn automaton(&self, subject: Subject) -> Option<&Automaton> {
        self.automata.get(subject.participant)?[subject.polarity.index()].as_ref()
    }

    /// The number of the semantics among the participants.
    pub(crate) fn semantics(&self) -> usize {
        self.automata.len()
    }

    /// True if both participants are trusted, so that no test is needed.
    pub(crate) fn both_believed(&self, left: usize, right: usize) -> bool {
        let believed = |participant: usize| {
            self.references.get(participant).copied().unwrap_or(participant == self.semantics())
        };
        believed(left) && believed(right)
    }

    /// Returns the outcome of a test of two automata, if both exist.
    pub(crate) fn outcome(
        &self,
        test: Test,
        subjects: [Subject; 2],
        answer: impl FnOnce(&Automaton, &Automaton) -> Answer,
    ) -> Outcome {
        let answer = match subjects.map(|subject| self.automaton(subject)) {
            [Some(left), Some(right)] => self
                .in_time(|| answer(left, right))
                .unwrap_or(Answer::NotApplicable(Obstacle::Budget)),
            _ => Answer::NotApplicable(Obstacle::NoAutomaton),
        };
        Outcome { test, subjects, answer }
    }

    /// Runs the work of one test under the time limit.
    pub(super) fn in_time<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        match self.tests.time {
            None => Some(work()),
            Some(time) => {
                interrupt::run(&Interrupt::default(), Some(Instant::now() + time), work).ok()
            }
        }
    }
}

impl Answer {
    /// Returns the outcome of a test that fails if there is a word, with the answers of its
    /// subjects.
    pub(crate) fn by_word(word: Option<Word>, accepted: [bool; 2]) -> Self {
        match word {
            None => Answer::Passed,
            Some(word) => {
                Answer::Failed(Evidence::Word(WordEvidence { word, accepted, place: None }))
            }
        }
    }
}

/// Returns these automata over one alphabet: that of the formula and of the automata.
///
/// Products of automata that share an alphabet need not translate labels.
pub(crate) fn over_one_alphabet<'a>(
    formula: &Formula,
    automata: impl Iterator<Item = [Option<&'a Automaton>; 2]> + Clone,
) -> Vec<[Option<Automaton>; 2]> {
    let mut props: Vec<Prop> = formula.props();
    for automaton in automata.clone().flatten().flatten() {
        let unknown = automaton.alphabet().props().iter().filter(|prop| !props.contains(prop));
        let unknown: Vec<Prop> = unknown.cloned().collect();
        props.extend(unknown);
    }
    let alphabet = Arc::new(
        Alphabet::new(props).unwrap_or_else(|_| unreachable!("each proposition was added once")),
    );
    let over = |automaton: &Automaton| {
        let place = |prop| alphabet.index_of(prop).unwrap_or_else(|| unreachable!("it was added"));
        let places: Vec<usize> = automaton.alphabet().props().iter().map(place).collect();
        let mut builder = automaton.edit();
        builder.headers(automaton.headers().clone());
        builder.translate(alphabet.clone(), &places);
        builder.build()
    };
    automata.map(|pair| pair.map(|automaton| automaton.map(over))).collect()
}

/// Returns both polarities of a participant.
pub(super) fn both(participant: usize) -> [Subject; 2] {
    Polarity::ALL.map(|polarity| Subject::new(participant, polarity))
}
