//! Tests 3 and 4: what automata accept of the executions of a structure.
//!
//! Test 3 compares the answers of two automata of the same formula, state by state; where the
//! structure has a single path, the semantics of the logic gives answers as well. Test 4 looks for
//! states from which neither automaton of a participant accepts an execution: there is one, as
//! every state has a successor, and it satisfies the formula or its negation. Where there is only
//! one execution, both accepting it is wrong as well.

use super::product::{GlobalAnswer, global_answer};
use super::{Answer, Evidence, Material, Obstacle, Outcome, Place, Test, WordEvidence};
use crate::structures::Scope;
use crate::subject::{Polarity, Subject};
use sempre_automata::{Execution, Kripke, StateId, product};
use sempre_ltl::semantics::restricted;

/// The answers of all automata on one structure, by participant and polarity.
pub(crate) struct Answers<'a> {
    number: usize,
    kripke: &'a Kripke,
    sequential: bool,
    answers: Vec<[Option<GlobalAnswer>; 2]>,
    /// Those of the semantics, where the structure has a single path.
    semantics: Option<[Vec<bool>; 2]>,
}

impl<'a> Answers<'a> {
    /// All answers on the structure of that number.
    pub(crate) fn on(material: &'a Material<'_>, number: usize) -> Self {
        let kripke = &material.structures[number];
        let answers = material.automata.iter().map(|pair| {
            pair.each_ref().map(|automaton| {
                let automaton = automaton.as_ref()?;
                material.in_time(|| global_answer(kripke, automaton, material.scope))
            })
        });
        let sequential = kripke.is_sequential();
        let semantics = sequential.then(|| {
            let positive = semantics(material, kripke);
            let negative = positive.iter().map(|holds| !holds).collect();
            [positive, negative]
        });
        Answers { number, kripke, sequential, answers: answers.collect(), semantics }
    }

    /// The answer of an automaton, with the sizes of its product.
    pub(crate) fn of(&self, subject: Subject) -> Option<&GlobalAnswer> {
        self.answers.get(subject.participant)?[subject.polarity.index()].as_ref()
    }

    fn vector(&self, subject: Subject) -> Option<&[bool]> {
        if subject.participant == self.answers.len() {
            return self.semantics.as_ref().map(|both| &both[subject.polarity.index()][..]);
        }
        self.of(subject).map(|answer| &answer.accepting[..])
    }

    /// Why one of them has no answer.
    fn obstacle(&self, material: &Material<'_>, subjects: [Subject; 2]) -> Obstacle {
        let missing = |subject: Subject| {
            subject.participant < material.semantics() && material.automaton(subject).is_none()
        };
        if subjects.into_iter().any(missing) { Obstacle::NoAutomaton } else { Obstacle::Budget }
    }

    /// The states that results are compared at.
    fn compared(&self, material: &Material<'_>) -> Vec<StateId> {
        match material.scope {
            Scope::Global => self.kripke.states().collect(),
            Scope::Local => vec![self.kripke.initial()],
        }
    }

    /// Where a test fails: at the initial state if it does there, otherwise at the first one.
    fn place(&self, failing: &[StateId]) -> Option<Place> {
        let local = failing.contains(&self.kripke.initial());
        let state = if local { self.kripke.initial() } else { *failing.first()? };
        Some(Place { structure: self.number, state, states: failing.len(), local })
    }
}

/// At which states of a sequential structure the formula holds, by the restricted checker.
fn semantics(material: &Material<'_>, kripke: &Kripke) -> Vec<bool> {
    let path = walk(kripke, kripke.initial());
    let results = restricted::results(material.formula, &path.word(kripke));
    let mut holds = vec![false; kripke.state_count()];
    for (position, state) in path.states().enumerate() {
        holds[state.index()] = results.value(material.formula, position).unwrap_or(false);
    }
    holds
}

/// The execution from a state that always takes the first successor.
fn walk(kripke: &Kripke, start: StateId) -> Execution {
    let mut place = vec![usize::MAX; kripke.state_count()];
    let (mut states, mut state) = (vec![], start);
    while place[state.index()] == usize::MAX {
        place[state.index()] = states.len();
        states.push(state);
        state = kripke.successors(state)[0];
    }
    let cycle = states.split_off(place[state.index()]);
    Execution::new(states, cycle).unwrap_or_else(|_| unreachable!("a state has recurred"))
}

/// Test 3, for both polarities and all pairs of participants.
pub(crate) fn comparison(material: &Material<'_>, answers: &Answers<'_>) -> Vec<Outcome> {
    let mut outcomes = vec![];
    let all = material.automata.len() + usize::from(answers.semantics.is_some());
    for polarity in Polarity::ALL {
        for right in 0..all {
            for left in (0..right).filter(|&left| !material.both_believed(left, right)) {
                let subjects = [left, right].map(|p| Subject::new(p, polarity));
                let answer = compare(material, answers, subjects);
                outcomes.push(Outcome { test: Test::Comparison, subjects, answer });
            }
        }
    }
    outcomes
}

fn compare(material: &Material<'_>, answers: &Answers<'_>, subjects: [Subject; 2]) -> Answer {
    let [Some(left), Some(right)] = subjects.map(|subject| answers.vector(subject)) else {
        return Answer::NotApplicable(answers.obstacle(material, subjects));
    };
    if left == right {
        return Answer::Passed;
    }
    let mut failing = answers.compared(material);
    failing.retain(|state| left[state.index()] != right[state.index()]);
    let Some(place) = answers.place(&failing) else { return Answer::Passed };
    let accepted = [left[place.state.index()], right[place.state.index()]];
    let accepting = if accepted[0] { subjects[0] } else { subjects[1] };
    let from_there = answers.kripke.clone().starting_in(place.state);
    let execution = match material.automaton(accepting) {
        Some(automaton) => product::with_kripke(&from_there, automaton)
            .accepted_execution()
            .map_or_else(|| walk(&from_there, place.state), |(execution, _)| execution),
        // It is the semantics, and there is only one execution.
        None => walk(&from_there, place.state),
    };
    let word = execution.word(&from_there);
    Answer::Failed(Evidence::Word(WordEvidence { word, accepted, place: Some(place) }))
}

/// Test 4, for each participant.
pub(crate) fn consistency(material: &Material<'_>, answers: &Answers<'_>) -> Vec<Outcome> {
    let participants = material.participants().filter(|&p| !material.both_believed(p, p));
    participants
        .map(|participant| {
            let subjects = super::material::both(participant);
            let answer = consistent(material, answers, subjects);
            Outcome { test: Test::Consistency, subjects, answer }
        })
        .collect()
}

fn consistent(material: &Material<'_>, answers: &Answers<'_>, subjects: [Subject; 2]) -> Answer {
    let [Some(positive), Some(negative)] = subjects.map(|subject| answers.vector(subject)) else {
        return Answer::NotApplicable(answers.obstacle(material, subjects));
    };
    for accepted in [false, true] {
        if accepted && !answers.sequential {
            break;
        }
        let mut failing = answers.compared(material);
        failing.retain(|s| positive[s.index()] == accepted && negative[s.index()] == accepted);
        if let Some(place) = answers.place(&failing) {
            let word = walk(answers.kripke, place.state).word(answers.kripke);
            let accepted = [accepted; 2];
            return Answer::Failed(Evidence::Word(WordEvidence {
                word,
                accepted,
                place: Some(place),
            }));
        }
    }
    Answer::Passed
}
