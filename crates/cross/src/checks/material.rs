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
    /// For each participant the automata of both polarities, all over the same alphabet.
    pub(crate) automata: Vec<[Option<Automaton>; 2]>,
    pub(crate) claims: Vec<Claims>,
    /// Which participants are believed.
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

    /// The number that stands for the semantics.
    pub(crate) fn semantics(&self) -> usize {
        self.automata.len()
    }

    /// Whether both participants are believed, so that there is nothing to test.
    pub(crate) fn both_believed(&self, left: usize, right: usize) -> bool {
        let believed = |participant: usize| {
            self.references.get(participant).copied().unwrap_or(participant == self.semantics())
        };
        believed(left) && believed(right)
    }

    /// The outcome of a test of two automata, if there are both.
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

    /// Does work for one test, unless that takes too long.
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
    /// The answer of a test that fails if there is a word, about which its subjects say this.
    pub(crate) fn by_word(word: Option<Word>, accepted: [bool; 2]) -> Self {
        match word {
            None => Answer::Passed,
            Some(word) => {
                Answer::Failed(Evidence::Word(WordEvidence { word, accepted, place: None }))
            }
        }
    }
}

/// These automata over one alphabet: that of the formula, and what else they read.
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

/// Both polarities of a participant.
pub(super) fn both(participant: usize) -> [Subject; 2] {
    Polarity::ALL.map(|polarity| Subject::new(participant, polarity))
}
