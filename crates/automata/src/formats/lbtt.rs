//! The format of lbt and lbtt: generalized Büchi automata as numbers, with guards in prefix syntax.
//!
//! ```text
//! 2 1t        2 states, 1 acceptance set, on transitions
//! 0 1         state 0 is initial
//! 1 -1 p0     leads to state 1 on p0, in no set
//! 0 0 -1 ! p0 leads to itself on !p0, in set 0
//! -1
//! 1 0         state 1 is not initial
//! 1 0 -1 t
//! -1
//! ```
//!
//! Without `t` (or with `s`), states carry the sets: `0 1 0 -1` is an initial state in set 0, and
//! its transitions are `1 p0`. With `st`, both carry sets. White space is irrelevant; states and
//! sets may have any numbers. Reading is linear; the alphabet has the propositions that occur.

use super::guards::{GuardId, Guards};
use super::source::{Source, decimal};
use super::{MAX_MARKS, MAX_STATES, refusal};
use crate::{Automaton, Error, Label, Mark, Marks, Named, Place, StateId};
use rustc_hash::FxHashMap;
use sempre_ltl::{Notation, Syntax};
use std::io::{self, BufRead, Write};

/// A partially read automaton.
struct Draft {
    /// The position of the automaton.
    origin: Place,
    guards: Guards,
    states: States,
    sets: Sets,
    initial: Vec<StateId>,
    edges: Vec<DraftEdge>,
}

struct DraftEdge {
    source: StateId,
    /// By order of appearance.
    target: u32,
    guard: GuardId,
    marks: Marks,
}

/// Reads the automaton that starts here.
pub(super) fn read<R: BufRead>(source: &mut Source<R>) -> Result<Automaton, Error> {
    let origin = source.place();
    let states = source.number("the number of states", MAX_STATES)?;
    let header = source.token("the number of acceptance sets")?;
    let digits = header.trim_end_matches(['s', 't']);
    let kind = &header[digits.len()..];
    let (on_transitions, on_states) =
        (kind.contains('t'), kind.contains('s') || !kind.contains('t'));
    let sets = decimal(digits);
    let expected = "the number of acceptance sets, perhaps with `s` or `t`";
    let sets = source.checked(sets, expected, MAX_MARKS.into())? as u32;

    let mut draft = Draft {
        origin,
        guards: Guards::new(Syntax::Lbt),
        states: States::default(),
        sets: Sets { announced: sets, marks: FxHashMap::default() },
        initial: vec![],
        edges: vec![],
    };
    let mut text = String::new();
    for _ in 0..states {
        let id = source.number("the number of a state", u64::MAX - 1)?;
        let state = draft.states.define(id, || source.token_place())?;
        let flag = "1 if the state is initial, else 0";
        match source.token(flag)? {
            "0" => {}
            "1" => draft.initial.push(state),
            _ => return Err(source.unexpected(flag)),
        }
        let shared = if on_states { draft.sets.read(source)? } else { Marks::EMPTY };
        let successor = "the number of a successor, or -1 after the last";
        while let Some(id) = source.number_or_end(successor, u64::MAX - 1)? {
            let target = draft.states.refer(id, || source.token_place());
            let own = if on_transitions { draft.sets.read(source)? } else { Marks::EMPTY };
            let place = guard_text(source, &mut text)?;
            let guard = draft.guards.read(&text, || place)?;
            draft.edges.push(DraftEdge { source: state, target, guard, marks: &shared | &own });
        }
    }
    draft.finish()
}

impl Draft {
    fn finish(self) -> Result<Automaton, Error> {
        let targets = self.states.resolve()?;
        let (alphabet, labels) = self.guards.finish(self.origin)?;
        let marks = self.sets.renumbering();
        let mut builder = Automaton::builder(alphabet);
        builder.acceptance(Named::GeneralizedBuchi(self.sets.announced).acceptance());
        builder.add_states(targets.len());
        for state in self.initial {
            builder.initial(state);
        }
        for edge in self.edges {
            let marks = match &marks {
                None => edge.marks,
                Some(places) => edge.marks.iter().map(|mark| places[mark as usize]).collect(),
            };
            let target = targets[edge.target as usize];
            builder.edge(edge.source, labels.get(edge.guard), marks, target);
        }
        Ok(builder.build())
    }
}

/// The states met so far, by order of appearance and by their numbers in the input.
#[derive(Default)]
struct States {
    known: FxHashMap<u64, u32>,
    met: Vec<StateEntry>,
    defined: usize,
}

struct StateEntry {
    id: u64,
    first: Place,
    /// Definitions determine the numbers of states.
    state: Option<StateId>,
}

impl States {
    fn refer(&mut self, id: u64, place: impl FnOnce() -> Place) -> u32 {
        *self.known.entry(id).or_insert_with(|| {
            self.met.push(StateEntry { id, first: place(), state: None });
            self.met.len() as u32 - 1
        })
    }

    fn define(&mut self, id: u64, place: impl Fn() -> Place) -> Result<StateId, Error> {
        let met = self.refer(id, &place) as usize;
        let state = &mut self.met[met].state;
        if state.is_some() {
            let message = format!("state {id} occurs twice");
            return Err(Error::at(place(), message).expected("the number of another state"));
        }
        self.defined += 1;
        Ok(*state.insert(StateId::new(self.defined - 1)))
    }

    /// Returns the states by order of appearance.
    fn resolve(&self) -> Result<Vec<StateId>, Error> {
        let resolved = self.met.iter().map(|met| {
            met.state.ok_or_else(|| {
                Error::at(met.first, format!("there is no state {}", met.id))
                    .expected("the number of a state of the automaton")
            })
        });
        resolved.collect()
    }
}

/// The acceptance sets met so far, numbered by order of appearance.
struct Sets {
    announced: u32,
    marks: FxHashMap<u64, Mark>,
}

impl Sets {
    /// Reads numbers of sets up to -1.
    fn read<R: BufRead>(&mut self, source: &mut Source<R>) -> Result<Marks, Error> {
        let mut marks = Marks::EMPTY;
        let expected = "the number of an acceptance set, or -1 after the last";
        while let Some(id) = source.number_or_end(expected, u64::MAX - 1)? {
            let next = self.marks.len() as u32;
            let mark = *self.marks.entry(id).or_insert(next);
            if mark >= self.announced {
                let message = format!("set {id} is one more than the {} announced", self.announced);
                return Err(Error::at(source.token_place(), message).expected("-1"));
            }
            marks.insert(mark);
        }
        Ok(marks)
    }

    /// Returns the final numbers of the marks; `None` if they do not change. Marks keep the numbers
    /// of the input if all are below the number of sets; otherwise they keep their order.
    fn renumbering(&self) -> Option<Vec<Mark>> {
        let mut by_id: Vec<(u64, Mark)> =
            self.marks.iter().map(|(id, mark)| (*id, *mark)).collect();
        by_id.sort_unstable();
        let literal = by_id.last().is_none_or(|(id, _)| *id < self.announced.into());
        let mut marks = vec![0; by_id.len()];
        for (rank, (id, mark)) in by_id.into_iter().enumerate() {
            marks[mark as usize] = if literal { id as Mark } else { rank as Mark };
        }
        let same = marks.iter().enumerate().all(|(place, mark)| place == *mark as usize);
        (!same).then_some(marks)
    }
}

/// Copies the next formula into `text`, and returns its position. It ends when all operators have
/// their operands, or at the first token that fits no formula.
fn guard_text<R: BufRead>(source: &mut Source<R>, text: &mut String) -> Result<Place, Error> {
    text.clear();
    if !source.skip_space()? {
        return Err(source.unexpected("a guard"));
    }
    let place = source.place();
    let mut missing = 1usize;
    loop {
        let rest = source.rest();
        let bytes = rest.as_bytes();
        let mut end = 0;
        while let (Some(&byte), 1..) = (bytes.get(end), missing) {
            let start = end;
            match byte {
                _ if byte.is_ascii_whitespace() => {
                    end += 1;
                    continue;
                }
                b'"' => end = quotation_end(bytes, end),
                _ if is_word(byte) => {
                    end += bytes[end..].iter().take_while(|byte| is_word(**byte)).count();
                }
                _ => end += 1,
            }
            match &bytes[start..end] {
                b"!" | b"X" | b"F" | b"G" => {}
                b"&" | b"|" | b"^" | b"i" | b"e" | b"U" | b"V" | b"R" | b"W" | b"M" | b"B" => {
                    missing += 1;
                }
                [b'"', ..] => missing -= 1,
                [first, ..] if is_word(*first) => missing -= 1,
                // The parser of the formula will report this.
                _ => missing = 0,
            }
        }
        text.push_str(&rest[..end]);
        source.skip(end);
        if missing == 0 {
            return Ok(place);
        }
        if !source.next_line()? {
            return Err(source.unexpected("the rest of the guard"));
        }
    }
}

/// True for characters of propositions and operators that are words, including all beyond ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@') || !byte.is_ascii()
}

fn quotation_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'"' => return end + 1,
            b'\\' if bytes.get(end + 1).is_some_and(|next| next.is_ascii()) => end += 2,
            _ => end += 1,
        }
    }
    bytes.len()
}

/// Writes an automaton with one initial state and (generalized) Büchi acceptance. State-based
/// acceptance is written on states. An automaton without initial states is written without states.
pub fn write(automaton: &Automaton, out: &mut impl Write) -> io::Result<()> {
    let acceptance = automaton.acceptance();
    let sets = acceptance.marks();
    if *acceptance != Named::GeneralizedBuchi(sets).acceptance() {
        let message = format!(
            "lbtt's format has generalized Büchi acceptance only, not {}",
            acceptance.condition()
        );
        return Err(refusal(message));
    }
    let initial = match automaton.initial() {
        [] => return writeln!(out, "0 {sets}"),
        [initial] => *initial,
        several => {
            let message =
                format!("lbtt's format has one initial state only, not {}", several.len());
            return Err(refusal(message));
        }
    };
    let on_states = automaton.is_state_based();
    writeln!(out, "{} {sets}{}", automaton.state_count(), if on_states { "" } else { "t" })?;
    let mut guards: FxHashMap<Label, String> = FxHashMap::default();
    for state in automaton.states() {
        write!(out, "{state} {}", u8::from(state == initial))?;
        let edges = automaton.edges_from(state);
        if on_states {
            write_sets(edges.first().map_or(&Marks::EMPTY, |edge| &edge.marks), out)?;
        }
        writeln!(out)?;
        for edge in edges {
            write!(out, "{}", edge.target)?;
            if !on_states {
                write_sets(&edge.marks, out)?;
            }
            let guard = guards.entry(edge.label).or_insert_with(|| {
                let formula = automaton.alphabet().to_formula(edge.label);
                formula.display(Notation::Lbt).to_string()
            });
            writeln!(out, " {guard}")?;
        }
        writeln!(out, "-1")?;
    }
    Ok(())
}

fn write_sets(marks: &Marks, out: &mut impl Write) -> io::Result<()> {
    for mark in marks.iter() {
        write!(out, " {mark}")?;
    }
    write!(out, " -1")
}
