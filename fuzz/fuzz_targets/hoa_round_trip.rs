//! Invariants for every input: the reader does not panic, its errors lie within the input, and
//! an automaton that it reads is the same after being written and read again.

use sempre_automata::hoa::{self, MarksOn, Reader, WriteOptions};
use sempre_automata::{AnyAutomaton, Error};

/// Panics if the bytes show an error in the reader or the writer.
pub(crate) fn check(bytes: &[u8]) {
    let lines = bytes.split(|byte| *byte == b'\n').count();
    for result in Reader::new(bytes) {
        match result {
            Ok(automaton) => check_automaton(&automaton),
            Err(error) => {
                let place = error.place().expect("every error has a place");
                assert!((1..=lines).contains(&place.line), "{error}: of {lines} lines");
                assert!(place.column >= 1 && place.width >= 1);
            }
        }
    }
}

/// Panics if the automaton changes when it is written and read again.
pub(crate) fn check_automaton(automaton: &AnyAutomaton) {
    for marks in [MarksOn::StatesIfPossible, MarksOn::Edges] {
        let text = hoa::to_string(automaton, &WriteOptions { marks, ..Default::default() });
        let read = again(&text, hoa::parse(&text));
        assert_eq!(read, *automaton, "{text}");
        assert_eq!(read.name(), automaton.name(), "{text}");
        assert_eq!(read.headers(), automaton.headers(), "{text}");
        assert_eq!(state_names(&read), state_names(automaton), "{text}");
    }
    let options = WriteOptions { implicit_labels: true, ..Default::default() };
    let text = hoa::to_string(automaton, &options);
    let read = again(&text, hoa::parse(&text));
    assert_eq!(again(&text, hoa::parse(&hoa::to_string(&read, &options))), read, "{text}");
}

fn again(text: &str, read: Result<AnyAutomaton, Error>) -> AnyAutomaton {
    read.unwrap_or_else(|error| panic!("cannot read again: {error}\n{text}"))
}

fn state_names(automaton: &AnyAutomaton) -> Vec<Option<&str>> {
    match automaton {
        AnyAutomaton::Nondeterministic(a) => a.states().map(|state| a.state_name(state)).collect(),
        AnyAutomaton::Alternating(a) => a.states().map(|state| a.state_name(state)).collect(),
    }
}
