//! The explicit format, version 2, of ltl2dstar: deterministic Rabin and Streett automata.
//!
//! ```text
//! DRA v2 explicit
//! Comment: "G F a"
//! States: 2
//! Acceptance-Pairs: 1
//! Start: 0
//! AP: 1 "a"
//! ---
//! State: 0
//! Acc-Sig:
//! 0           the successor on !a
//! 1           the successor on a
//! State: 1 "seen"
//! Acc-Sig: +0
//! 0
//! 1
//! ```
//!
//! The successors of a state are listed for all valuations; the first proposition is the lowest bit
//! of a valuation's number. `+i` puts a state into the set L of pair i, `-i` into U. A Rabin
//! automaton (`DRA`) accepts if some pair has L infinitely often and U finitely often. A Streett
//! automaton (`DSA`) accepts if each pair has L finitely often or U infinitely often. Edges to the
//! same state are merged. Reading is linear in the text.

use super::source::{Source, decimal, place_in, shown};
use super::{MAX_MARKS, MAX_STATES};
use crate::{Alphabet, Automaton, Error, Label, Marks, Named, Place, StateId};
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::Prop;
use std::io::BufRead;
use std::sync::Arc;

/// The maximal number of propositions: 2^20 successors of each state.
const MAX_PROPS: u64 = 20;

/// The header, above `---`.
struct Header {
    streett: bool,
    comment: Option<String>,
    states: u64,
    pairs: u32,
    start: Option<u64>,
    alphabet: Arc<Alphabet>,
}

/// Reads the automaton that starts here.
pub(super) fn read<R: BufRead>(source: &mut Source<R>) -> Result<Automaton, Error> {
    let header = header(source)?;
    let alphabet = header.alphabet.clone();
    let mut letters = Letters { alphabet: alphabet.clone(), labels: vec![] };
    let mut defined: FxHashSet<u64> = FxHashSet::default();
    let mut names: Vec<(StateId, String)> = vec![];
    let mut builder = Automaton::builder(alphabet.clone());
    let named = if header.streett { Named::Streett } else { Named::Rabin };
    builder.acceptance(named(header.pairs).acceptance());
    let largest = header.states.saturating_sub(1);
    for _ in 0..header.states {
        keyword(source, "State:")?;
        let id = source.number("the number of a state", largest)?;
        if !defined.insert(id) {
            let message = format!("state {id} occurs twice");
            return Err(
                Error::at(source.token_place(), message).expected("the number of another state")
            );
        }
        let state = StateId::new(id as usize);
        source.skip_space()?;
        if source.rest().starts_with('"') {
            names.push((state, string(source, "the name of the state")?));
        }
        keyword(source, "Acc-Sig:")?;
        let (marks, mut first) = signature(source, &header)?;
        // The labels of the edges to each target, in the order of their first letters.
        let mut targets: Vec<(u64, Label)> = vec![];
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        for letter in 0..1usize << alphabet.props().len() {
            let target = match first.take() {
                Some(target) => target,
                None => source.number("the number of a successor", largest)?,
            };
            let place = *places.entry(target).or_insert_with(|| {
                targets.push((target, alphabet.ff()));
                targets.len() - 1
            });
            let label = &mut targets[place].1;
            *label = alphabet.or(*label, letters.get(letter));
        }
        for (target, label) in targets {
            builder.edge(state, label, marks.clone(), StateId::new(target as usize));
        }
    }
    // The number of states in the header is verified only here.
    builder.add_states(header.states as usize);
    for (state, name) in names {
        builder.state_name(state, name);
    }
    if let Some(start) = header.start {
        builder.initial(StateId::new(start as usize));
    }
    if let Some(comment) = header.comment {
        builder.name(comment);
    }
    Ok(builder.build())
}

/// A cache of the labels of valuations.
struct Letters {
    alphabet: Arc<Alphabet>,
    labels: Vec<Label>,
}

impl Letters {
    fn get(&mut self, letter: usize) -> Label {
        while self.labels.len() <= letter {
            let next = self.labels.len();
            let props = 0..self.alphabet.props().len();
            let cube: Vec<(usize, bool)> = props.map(|i| (i, next >> i & 1 == 1)).collect();
            self.labels.push(self.alphabet.from_cube(&cube));
        }
        self.labels[letter]
    }
}

fn header<R: BufRead>(source: &mut Source<R>) -> Result<Header, Error> {
    let streett = match source.token("`DRA` or `DSA`")? {
        "DRA" => false,
        "DSA" => true,
        _ => return Err(source.unexpected("`DRA` or `DSA`")),
    };
    keyword(source, "v2")?;
    keyword(source, "explicit")?;
    let (mut comment, mut states, mut pairs, mut start, mut alphabet) = Default::default();
    let mut start_place = source.place();
    loop {
        let expected = "`Comment:`, `States:`, `Acceptance-Pairs:`, `Start:`, `AP:` or `---`";
        let name = source.token(expected)?.to_owned();
        let again = match name.as_str() {
            "---" => break,
            "Comment:" => replace(&mut comment, string(source, "a comment in quotes")?),
            "States:" => replace(&mut states, source.number("the number of states", MAX_STATES)?),
            "Acceptance-Pairs:" => {
                let most = u64::from(MAX_MARKS / 2);
                replace(&mut pairs, source.number("the number of pairs", most)? as u32)
            }
            "Start:" => {
                let number = source.number("the number of the initial state", MAX_STATES)?;
                start_place = source.token_place();
                replace(&mut start, number)
            }
            "AP:" => replace(&mut alphabet, propositions(source)?),
            _ => return Err(source.unexpected(expected)),
        };
        if again {
            let place = source.token_place();
            return Err(Error::at(place, format!("`{name}` occurs twice in the header")));
        }
    }
    let missing = |name: &str| {
        Error::at(source.token_place(), "incomplete header").expected(format!("`{name}` before"))
    };
    let states = states.ok_or_else(|| missing("States:"))?;
    let pairs = pairs.ok_or_else(|| missing("Acceptance-Pairs:"))?;
    let alphabet = alphabet.ok_or_else(|| missing("AP:"))?;
    match start {
        None if states > 0 => return Err(missing("Start:")),
        Some(start) if start >= states => {
            let message = format!("there is no state {start}");
            return Err(Error::at(start_place, message).expected(number_below(states)));
        }
        _ => {}
    }
    Ok(Header { streett, comment, states, pairs, start, alphabet })
}

fn number_below(count: u64) -> String {
    match count {
        0 => "no initial state, as there are no states".to_owned(),
        _ => format!("a number from 0 to {}", count - 1),
    }
}

/// Sets a value; true if it was set before.
fn replace<T>(slot: &mut Option<T>, value: T) -> bool {
    slot.replace(value).is_some()
}

fn propositions<R: BufRead>(source: &mut Source<R>) -> Result<Arc<Alphabet>, Error> {
    let count = source.number("the number of propositions", MAX_PROPS)?;
    let mut props: Vec<Prop> = vec![];
    for _ in 0..count {
        let prop = Prop::new(string(source, "a proposition in quotes")?);
        if props.contains(&prop) {
            let message = format!("the proposition {prop:?} occurs twice");
            return Err(Error::at(source.token_place(), message));
        }
        props.push(prop);
    }
    Alphabet::new(props).map(Arc::new)
}

/// Reads `+i` and `-i` up to the first successor, which is also returned.
fn signature<R: BufRead>(
    source: &mut Source<R>,
    header: &Header,
) -> Result<(Marks, Option<u64>), Error> {
    let mut marks = Marks::EMPTY;
    loop {
        let expected = "`+i`, `-i` or the number of a successor";
        let token = source.token(expected)?;
        let (sign, digits) = match token.as_bytes() {
            [sign @ (b'+' | b'-'), ..] => (Some(*sign), &token[1..]),
            _ => (None, token),
        };
        let number = decimal(digits);
        let Some(sign) = sign else {
            let largest = header.states.saturating_sub(1);
            return Ok((marks, Some(source.checked(number, expected, largest)?)));
        };
        let pair = match number {
            Some(pair) if pair >= header.pairs.into() => {
                let message = format!("there is no pair {pair}");
                let expected = format!("one of the {} pairs announced", header.pairs);
                return Err(Error::at(source.token_place(), message).expected(expected));
            }
            other => source.checked(other, expected, MAX_MARKS.into())?,
        };
        // Marks of sets to see finitely often are even, the others odd.
        let infinitely = (sign == b'+') != header.streett;
        marks.insert(2 * pair as u32 + u32::from(infinitely));
    }
}

fn keyword<R: BufRead>(source: &mut Source<R>, word: &str) -> Result<(), Error> {
    let expected = format!("`{word}`");
    if source.token(&expected)? == word { Ok(()) } else { Err(source.unexpected(&expected)) }
}

/// Reads a quoted text within one line; a backslash escapes the next character.
fn string<R: BufRead>(source: &mut Source<R>, expected: &str) -> Result<String, Error> {
    if !source.skip_space()? || !source.rest().starts_with('"') {
        source.token(expected)?;
        return Err(source.unexpected(expected));
    }
    let mut text = String::new();
    let mut escaped = false;
    let mut end = None;
    for (place, char) in source.rest().char_indices().skip(1) {
        match char {
            '"' if !escaped => {
                end = Some(place + 1);
                break;
            }
            '\\' if !escaped => escaped = true,
            '\n' | '\r' => break,
            _ => {
                escaped = false;
                text.push(char);
            }
        }
    }
    match end {
        Some(end) => {
            source.skip(end);
            Ok(text)
        }
        None => {
            let rest = source.rest().trim_end();
            let place: Place = place_in(source.place(), rest, 0..rest.len());
            let message = format!("unterminated string `{}`", shown(rest));
            Err(Error::at(place, message).expected("a closing `\"`"))
        }
    }
}
