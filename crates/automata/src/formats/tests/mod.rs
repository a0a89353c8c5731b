mod ats;
mod errors;
mod language;
mod round_trip;
mod streams;

use super::{Format, Reader};
use crate::Automaton;
use sempre_ltl::Word;

/// The only automaton of a text.
fn read(text: &str) -> Automaton {
    let mut automata = Reader::new(text.as_bytes());
    let read = automata.next().expect("an automaton").unwrap_or_else(|e| panic!("{e} in {text}"));
    assert!(automata.next().is_none(), "more than one automaton in {text}");
    read.automaton.nondeterministic().expect("no universal branching")
}

/// Returns the text of an automaton, or the error.
fn written(automaton: &Automaton, format: Format) -> Result<String, String> {
    let mut text = vec![];
    match super::write(automaton, format, &mut text) {
        Ok(()) => Ok(String::from_utf8(text).expect("text")),
        Err(error) => {
            assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
            assert!(text.is_empty(), "a refusal comes first");
            Err(error.to_string())
        }
    }
}

/// Formats an automaton line by line: its initial states, then its edges.
fn shown(automaton: &Automaton) -> String {
    let mut text = format!("initial {:?}", automaton.initial());
    for (source, edge) in automaton.transitions() {
        let label = automaton.alphabet().to_formula(edge.label);
        text += &format!("\n{source} {label} {} {}", edge.target, edge.marks);
    }
    text
}

/// True if the automaton accepts the word: by brute force, for any acceptance condition without
/// `Fin`, or for any condition if the automaton is deterministic.
fn accepts(automaton: &Automaton, word: &Word) -> bool {
    let nodes = word.len() * automaton.state_count();
    let node = |position: usize, state: usize| position * automaton.state_count() + state;
    let mut edges = vec![];
    for position in 0..word.len() {
        for (source, edge) in automaton.transitions() {
            let alphabet = automaton.alphabet();
            let value = |i: usize| word.value(position, &alphabet.props()[i]);
            if alphabet.satisfied_by(edge.label, value) {
                let target = node(word.successor(position), edge.target.index());
                edges.push((node(position, source.index()), &edge.marks, target));
            }
        }
    }
    let reachable = |from: Vec<usize>| {
        let mut seen = vec![false; nodes];
        let mut stack = from;
        while let Some(next) = stack.pop() {
            if !std::mem::replace(&mut seen[next], true) {
                stack.extend(edges.iter().filter(|edge| edge.0 == next).map(|edge| edge.2));
            }
        }
        seen
    };
    let from_start = reachable(automaton.initial().iter().map(|s| node(0, s.index())).collect());
    let after: Vec<Vec<bool>> = (0..nodes).map(|n| reachable(vec![n])).collect();
    (0..nodes).filter(|n| from_start[*n]).any(|n| {
        let around = edges.iter().filter(|(s, _, t)| after[n][*s] && after[*t][n]);
        let mut cyclic = false;
        let marks = around.fold(crate::Marks::EMPTY, |sum, (_, marks, _)| {
            cyclic = true;
            &sum | *marks
        });
        cyclic && automaton.acceptance().accepts(&marks)
    })
}

/// All words over these propositions with few positions.
fn words(props: &[sempre_ltl::Prop]) -> Vec<Word> {
    let mut words = vec![];
    for prefix in 0..=2usize {
        for cycle in 1..=2usize {
            let bits = (prefix + cycle) * props.len();
            if bits <= 9 {
                words.extend((0..1u64 << bits).map(|number| {
                    let value = |position: usize, prop: usize| {
                        number >> (position * props.len() + prop) & 1 == 1
                    };
                    Word::from_fn(props.iter().cloned(), prefix, cycle, value).expect("a word")
                }));
            }
        }
    }
    words
}
