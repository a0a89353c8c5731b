//! Invariants for every stream of automata: readers do not panic, their errors lie within the
//! text, and an automaton that one of them reads stays the same when it is written and read again.

use sempre_automata::Automaton;
use sempre_automata::formats::{self, Format, Reader};

/// Panics if the text shows an error in a reader or writer.
pub(crate) fn check(text: &[u8], format: Format) {
    for read in Reader::new(text).chain(formats::read(text, Some(format)).expect("is readable")) {
        match read {
            Ok(read) => {
                if let Some(automaton) = read.automaton.nondeterministic() {
                    check_automaton(&automaton, read.format);
                }
            }
            Err(error) => {
                let place = error.place().expect("every error has a place");
                let mut lines = text.split_inclusive(|byte| *byte == b'\n').skip(place.line - 1);
                let width = lines.next().map_or(0, |line| String::from_utf8_lossy(line).len());
                assert!(place.column <= width + 1, "{error} is not in the text");
                assert!(!error.message().is_empty());
            }
        }
    }
}

/// Automata over more propositions are not written: labels are written as disjunctions of cubes, of
/// which there may be exponentially many.
const MAX_PROPS: usize = 12;

/// Automata over more propositions are not written with letters.
const MAX_LETTER_PROPS: usize = 4;

fn check_automaton(automaton: &Automaton, origin: Format) {
    if automaton.alphabet().props().len() > MAX_PROPS {
        return;
    }
    if origin == Format::Dstar && automaton.state_count() > 0 {
        assert!(automaton.is_deterministic() && automaton.is_complete());
    }
    assert!(written(automaton, Format::Json).is_some());
    for format in [Format::Hoa, Format::Never, Format::Lbtt, Format::Ats] {
        // Each valuation becomes a letter.
        if format == Format::Ats && automaton.alphabet().props().len() > MAX_LETTER_PROPS {
            continue;
        }
        let Some(text) = written(automaton, format) else {
            assert!(origin != Format::Never, "a claim cannot be written");
            continue;
        };
        let again = read_back(&text, format);
        if !automaton.initial().is_empty() {
            assert_eq!(again.state_count(), automaton.state_count());
        }
        // Scripts have one edge for each letter, and readers join them.
        if !automaton.initial().is_empty() && format != Format::Ats {
            assert_eq!(again.edge_count(), automaton.edge_count());
        }
        // Writing may reorder states and propositions, but only once.
        let second = written(&again, format).expect("what was read can be written");
        let third = written(&read_back(&second, format), format);
        assert_eq!(Some(second), third);
    }
}

fn written(automaton: &Automaton, format: Format) -> Option<String> {
    let mut text = vec![];
    formats::write(automaton, format, &mut text).ok()?;
    Some(String::from_utf8(text).expect("text"))
}

fn read_back(text: &str, format: Format) -> Automaton {
    let mut automata = Reader::new(text.as_bytes());
    let read = automata.next().expect("an automaton");
    let read = read.unwrap_or_else(|error| panic!("cannot read again: {error}\n{text}"));
    assert_eq!(read.format, format);
    assert!(automata.next().is_none(), "more than one automaton in {text}");
    read.automaton.nondeterministic().expect("no universal branching")
}
