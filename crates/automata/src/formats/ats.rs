//! Automata scripts of the Ultimate tools (`.ats`): Büchi automata over named letters.
//!
//! ```text
//! // at least one b
//! NestedWordAutomaton some_b = (
//!   callAlphabet = { }, internalAlphabet = { "x:=x-1" "b" }, returnAlphabet = { },
//!   states = { "s 0" f }, initialStates = { "s 0" }, finalStates = { f },
//!   callTransitions = { },
//!   internalTransitions = { ("s 0" b "s 0") ("s 0" "b" f) (f "x:=x-1" f) (f b f) },
//!   returnTransitions = { } );
//! ```
//!
//! `FiniteAutomaton` has the items `alphabet`, `states`, `initialStates`, `finalStates` and
//! `transitions` instead. Items are read in any order. Other statements between definitions are
//! skipped, not executed; calls and returns are refused.
//!
//! The letters become valuations: of n letters, the one with number i is the binary code of i over
//! the propositions `a0`, `a1`, …, of which there are ⌈log2 n⌉, but at least one; `a0` is the lowest
//! bit. The header `letters:` keeps their names, so that they can be written again. Words with other
//! codes are no words: [`restricted`] leaves them out. Reading is linear in the text.

use super::source::{Source, shown};
use super::{MAX_STATES, refusal};
use crate::{Alphabet, Automaton, Error, Headers, Label, Marks, Named, Place, StateId};
use rustc_hash::FxHashMap;
use sempre_ltl::Prop;
use std::io::{self, BufRead, Write};

/// The header that keeps the names of letters.
const HEADER: &str = "letters";

/// More letters are not read.
const MAX_LETTERS: usize = 1 << 20;

/// More propositions are not written as letters.
const MAX_WRITTEN: usize = 12;

const KEYWORDS: [&str; 2] = ["NestedWordAutomaton", "FiniteAutomaton"];

/// Definitions that are refused.
const OTHERS: [&str; 6] = [
    "PetriNet",
    "TreeAutomaton",
    "AlternatingAutomaton",
    "CountingAutomaton",
    "RabinAutomaton",
    "EpsilonNestedWordAutomaton",
];

/// The lists of a nested word automaton, in the order in which they are written.
const NESTED: [&str; 9] = [
    "callAlphabet",
    "internalAlphabet",
    "returnAlphabet",
    "states",
    "initialStates",
    "finalStates",
    "callTransitions",
    "internalTransitions",
    "returnTransitions",
];

const FINITE: [&str; 5] = ["alphabet", "states", "initialStates", "finalStates", "transitions"];

/// True if a definition can start with this word.
pub(super) fn is_start(word: &str) -> bool {
    KEYWORDS.contains(&word) || OTHERS.contains(&word)
}

/// A token of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Sign(char),
}

/// Reads the next definition; `None` if there is none any more.
pub(super) fn read<R: BufRead>(source: &mut Source<R>) -> Result<Option<Automaton>, Error> {
    loop {
        let Some(token) = token(source)? else { return Ok(None) };
        let nested = match &token {
            Token::Name(word) if word == KEYWORDS[0] => true,
            Token::Name(word) if word == KEYWORDS[1] => false,
            Token::Name(word) if OTHERS.contains(&word.as_str()) => {
                let place = source.token_place();
                let error = Error::at(place, format!("`{word}` is not supported"));
                skip_statement(source, &token)?;
                return Err(error.expected(KEYWORDS.join(" or ")));
            }
            token => {
                skip_statement(source, token)?;
                continue;
            }
        };
        let definition = definition(source, if nested { &NESTED } else { &FINITE })?;
        let automaton = built(definition, nested)?;
        // Statements that follow belong to this automaton, so that another format may follow.
        while source.skip_space()? && !starts_here(source.rest()) {
            if !is_statement(source.rest()) && !skip_comment(source)? {
                break;
            }
            if is_statement(source.rest()) {
                let Some(token) = self::token(source)? else { break };
                skip_statement(source, &token)?;
            }
        }
        return Ok(Some(automaton));
    }
}

fn starts_here(text: &str) -> bool {
    KEYWORDS.iter().chain(&OTHERS).any(|keyword| text.starts_with(keyword))
}

/// True if the text starts like a call: a word and a bracket.
fn is_statement(text: &str) -> bool {
    let word = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    word > 0 && text[word..].trim_start().starts_with('(')
}

/// Skips everything up to the semicolon that ends a statement.
fn skip_statement<R: BufRead>(source: &mut Source<R>, first: &Token) -> Result<(), Error> {
    let mut depth = 0usize;
    let mut next = Some(first.clone());
    while let Some(token) = next {
        match token {
            Token::Sign('(' | '{') => depth += 1,
            Token::Sign(')' | '}') => depth = depth.saturating_sub(1),
            Token::Sign(';') if depth == 0 => return Ok(()),
            _ => {}
        }
        next = self::token(source)?;
    }
    Ok(())
}

/// Skips a comment that starts here; false if there is none.
fn skip_comment<R: BufRead>(source: &mut Source<R>) -> Result<bool, Error> {
    if source.rest().starts_with("//") {
        let rest = source.rest().len();
        source.skip(rest);
        return Ok(true);
    }
    if !source.rest().starts_with("/*") {
        return Ok(false);
    }
    let start = source.place();
    source.skip(2);
    loop {
        if let Some(end) = source.rest().find("*/") {
            source.skip(end + 2);
            return Ok(true);
        }
        let rest = source.rest().len();
        source.skip(rest);
        if !source.next_line()? {
            return Err(Error::at(start, "unterminated comment").expected("`*/`"));
        }
    }
}

/// The next token; `None` at the end.
fn token<R: BufRead>(source: &mut Source<R>) -> Result<Option<Token>, Error> {
    loop {
        if !source.skip_space()? {
            return Ok(None);
        }
        if !skip_comment(source)? {
            break;
        }
    }
    let rest = source.rest();
    let first = rest.chars().next().unwrap_or(' ');
    if first == '"' {
        return string(source).map(Some);
    }
    let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    if word > 0 {
        let name = rest[..word].to_owned();
        source.skip(word);
        return Ok(Some(Token::Name(name)));
    }
    source.skip(first.len_utf8());
    Ok(Some(Token::Sign(first)))
}

/// A name in quotes.
fn string<R: BufRead>(source: &mut Source<R>) -> Result<Token, Error> {
    let mut text = String::new();
    let mut chars = source.rest().char_indices().skip(1);
    let mut end = None;
    while let Some((place, c)) = chars.next() {
        match c {
            '"' => {
                end = Some(place + 1);
                break;
            }
            '\n' | '\r' => break,
            '\\' => match chars.next() {
                Some((_, 'b')) => text.push('\u{8}'),
                Some((_, 't')) => text.push('\t'),
                Some((_, 'n')) => text.push('\n'),
                Some((_, 'f')) => text.push('\u{c}'),
                Some((_, 'r')) => text.push('\r'),
                Some((_, c @ ('"' | '\'' | '\\'))) => text.push(c),
                _ => break,
            },
            c => text.push(c),
        }
    }
    let Some(end) = end else {
        return Err(Error::at(source.place(), "unterminated name").expected("`\"`"));
    };
    source.skip(end);
    Ok(Token::Name(text))
}

/// Names, each with its place.
type Names = Vec<(String, Place)>;

/// The lists of a definition.
struct Definition {
    name: String,
    place: Place,
    lists: Vec<Names>,
    /// For each list the triples in it.
    triples: Vec<Vec<([String; 3], Place)>>,
}

fn expected<R: BufRead>(source: &mut Source<R>, sign: char) -> Result<(), Error> {
    match token(source)? {
        Some(Token::Sign(found)) if found == sign => Ok(()),
        _ => Err(source.unexpected(&format!("`{sign}`"))),
    }
}

fn name<R: BufRead>(source: &mut Source<R>, what: &str) -> Result<String, Error> {
    match token(source)? {
        Some(Token::Name(name)) => Ok(name),
        _ => Err(source.unexpected(what)),
    }
}

fn definition<R: BufRead>(source: &mut Source<R>, keys: &[&str]) -> Result<Definition, Error> {
    let name = name(source, "the name of the automaton")?;
    let place = source.token_place();
    let mut definition = Definition {
        name,
        place,
        lists: vec![vec![]; keys.len()],
        triples: vec![vec![]; keys.len()],
    };
    expected(source, '=')?;
    expected(source, '(')?;
    let mut known = vec![false; keys.len()];
    loop {
        let key = self::name(source, "the name of a list")?;
        let Some(number) = keys.iter().position(|known| *known == key) else {
            let message = format!("unknown list `{}`", shown(&key));
            return Err(Error::at(source.token_place(), message).expected(keys.join(", ")));
        };
        if std::mem::replace(&mut known[number], true) {
            let message = format!("the list `{key}` occurs twice");
            return Err(Error::at(source.token_place(), message).expected("another list"));
        }
        expected(source, '=')?;
        expected(source, '{')?;
        loop {
            match token(source)? {
                Some(Token::Sign('}')) => break,
                Some(Token::Name(name)) => {
                    definition.lists[number].push((name, source.token_place()));
                }
                Some(Token::Sign('(')) if key.to_lowercase().ends_with("transitions") => {
                    let place = source.token_place();
                    let mut triple = || self::name(source, "three names: source, letter, target");
                    let triple = [triple()?, triple()?, triple()?];
                    expected(source, ')')?;
                    definition.triples[number].push((triple, place));
                }
                _ => return Err(source.unexpected("a name, a transition or `}`")),
            }
        }
        match token(source)? {
            Some(Token::Sign(',')) => {}
            Some(Token::Sign(')')) => break,
            _ => return Err(source.unexpected("`,` or `)`")),
        }
    }
    expected(source, ';')?;
    Ok(definition)
}

/// Distinct names with their numbers.
fn numbered(names: &Names) -> FxHashMap<&str, usize> {
    let mut numbers = FxHashMap::default();
    for (name, _) in names {
        let next = numbers.len();
        numbers.entry(name.as_str()).or_insert(next);
    }
    numbers
}

/// The number of a name.
fn find(
    numbers: &FxHashMap<&str, usize>,
    name: &str,
    place: Place,
    what: &str,
) -> Result<usize, Error> {
    numbers.get(name).copied().ok_or_else(|| {
        let message = format!("unknown {what} `{}`", shown(name));
        Error::at(place, message).expected(format!("a {what} that is listed"))
    })
}

fn built(definition: Definition, nested: bool) -> Result<Automaton, Error> {
    let (letters, first, edges) = if nested { (1, 3, 7) } else { (0, 1, 4) };
    let refused: &[usize] = if nested { &[0, 2, 6, 8] } else { &[] };
    for &list in refused {
        let listed = definition.lists[list].first().map(|(_, place)| *place);
        let place = listed.or(definition.triples[list].first().map(|(_, place)| *place));
        if let Some(place) = place {
            let message = "calls and returns are not supported";
            return Err(Error::at(place, message).expected(format!("`{} = {{ }}`", NESTED[list])));
        }
    }
    if let Some((name, place)) = definition.lists[edges].first() {
        let message = format!("unexpected `{}`", shown(name));
        return Err(Error::at(*place, message).expected("a transition: source, letter, target"));
    }
    let states = numbered(&definition.lists[first]);
    let letters = numbered(&definition.lists[letters]);
    if letters.len() > MAX_LETTERS || states.len() as u64 > MAX_STATES {
        let message = format!("more than {MAX_LETTERS} letters");
        return Err(Error::at(definition.place, message).expected("fewer letters"));
    }
    let mut builder = Automaton::builder(alphabet(letters.len()));
    let alphabet = builder.alphabet().clone();
    builder.acceptance(Named::Buchi.acceptance());
    builder.add_states(states.len());
    for (name, number) in &states {
        builder.state_name(StateId::new(*number), (*name).to_owned());
    }
    for (name, place) in &definition.lists[first + 1] {
        builder.initial(StateId::new(find(&states, name, *place, "state")?));
    }
    let mut accepting = vec![false; states.len()];
    for (name, place) in &definition.lists[first + 2] {
        accepting[find(&states, name, *place, "state")?] = true;
    }
    let mut labels: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let mut found: Vec<(usize, usize, Label)> = vec![];
    for ([source, letter, target], place) in &definition.triples[edges] {
        let source = find(&states, source, *place, "state")?;
        let letter = code(&alphabet, find(&letters, letter, *place, "letter")?);
        let target = find(&states, target, *place, "state")?;
        let number = *labels.entry((source, target)).or_insert_with(|| {
            found.push((source, target, alphabet.ff()));
            found.len() - 1
        });
        found[number].2 = alphabet.or(found[number].2, letter);
    }
    found.sort_by_key(|(source, _, _)| *source);
    for (source, target, label) in found {
        let marks = if accepting[source] { Marks::from_iter([0]) } else { Marks::EMPTY };
        builder.edge(StateId::new(source), label, marks, StateId::new(target));
    }
    let mut names: Vec<(&str, usize)> = letters.into_iter().collect();
    names.sort_by_key(|(_, number)| *number);
    let names: Vec<String> = names.iter().map(|(name, _)| in_header(name)).collect();
    builder.headers(Headers {
        others: vec![(HEADER.to_owned(), names.join(" "))],
        ..Headers::default()
    });
    builder.name(definition.name);
    Ok(builder.build())
}

/// A name as a string of HOA.
fn in_header(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        if c == '"' || c == '\\' {
            text.push('\\');
        }
        text.push(c);
    }
    text.push('"');
    text
}

/// The propositions for that many letters.
fn alphabet(letters: usize) -> Alphabet {
    let bits = letters.next_power_of_two().trailing_zeros().max(1);
    let alphabet = Alphabet::new((0..bits).map(|bit| format!("a{bit}")));
    alphabet.unwrap_or_else(|_| unreachable!("they are distinct"))
}

/// The label of a valuation, by its number.
fn code(alphabet: &Alphabet, valuation: usize) -> Label {
    let bits = 0..alphabet.props().len();
    alphabet.from_cube(&bits.map(|bit| (bit, valuation >> bit & 1 == 1)).collect::<Vec<_>>())
}

/// The places of the propositions for that many letters, the lowest bit first.
fn bits(alphabet: &Alphabet, letters: usize) -> Option<Vec<usize>> {
    let bits = letters.next_power_of_two().trailing_zeros().max(1);
    (0..bits).map(|bit| alphabet.index_of(&Prop::new(format!("a{bit}")))).collect()
}

/// The names of the letters that an automaton was read with.
pub fn letters(automaton: &Automaton) -> Option<Vec<String>> {
    let headers = automaton.headers();
    let (_, text) = headers.others.iter().find(|(name, _)| name == HEADER)?;
    let mut letters = vec![];
    let mut current: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, &mut current) {
            ('"', None) => current = Some(String::new()),
            ('"', Some(_)) => letters.extend(current.take()),
            ('\\', Some(name)) => name.extend(chars.next()),
            (c, Some(name)) => name.push(c),
            (_, None) => {}
        }
    }
    let fits = bits(automaton.alphabet(), letters.len()).is_some();
    (!letters.is_empty() && fits).then_some(letters)
}

/// Returns the automaton without the words that are over no letters, if `original` was read with
/// letters, and with their names.
#[must_use]
pub fn restricted(automaton: Automaton, original: &Automaton) -> Automaton {
    let Some(letters) = letters(original) else { return automaton };
    let alphabet = automaton.alphabet().clone();
    let Some(bits) = bits(&alphabet, letters.len()) else { return automaton };
    // The codes below the number of letters, from the lowest bit on.
    let mut below = alphabet.ff();
    for (bit, prop) in bits.into_iter().enumerate() {
        let zero = alphabet.not(alphabet.prop(prop));
        below = match letters.len() >> bit & 1 {
            1 => alphabet.or(zero, below),
            _ => alphabet.and(zero, below),
        };
    }
    if letters.len().is_power_of_two() && letters.len() > 1 {
        below = alphabet.tt();
    }
    let mut builder = automaton.edit();
    builder.retain_edges(|_, edge| {
        edge.label = alphabet.and(edge.label, below);
        edge.label != alphabet.ff()
    });
    let mut headers = automaton.headers().clone();
    headers.others.retain(|(name, _)| name != HEADER);
    let names: Vec<String> = letters.iter().map(|name| in_header(name)).collect();
    headers.others.push((HEADER.to_owned(), names.join(" ")));
    builder.headers(headers);
    builder.build()
}

/// A name as it is written.
fn written(name: &str) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !KEYWORDS.contains(&name)
        && !NESTED.contains(&name)
        && !FINITE.contains(&name);
    if plain {
        return name.to_owned();
    }
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '\u{8}' => text.push_str("\\b"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\u{c}' => text.push_str("\\f"),
            '\r' => text.push_str("\\r"),
            '"' | '\\' => text.extend(['\\', c]),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

/// Writes a Büchi automaton with marks on states as a nested word automaton without calls.
pub(super) fn write(automaton: &Automaton, out: &mut impl Write) -> io::Result<()> {
    if *automaton.acceptance() != Named::Buchi.acceptance() || !automaton.is_state_based() {
        return Err(refusal("automata scripts have Büchi automata with marks on states"));
    }
    let alphabet = automaton.alphabet();
    let letters: Vec<(String, Label)> = match letters(automaton) {
        Some(names) => {
            let bits = bits(alphabet, names.len()).unwrap_or_default();
            let label = |letter: usize| {
                let literals = bits.iter().enumerate();
                let literals = literals.map(|(bit, place)| (*place, letter >> bit & 1 == 1));
                alphabet.from_cube(&literals.collect::<Vec<_>>())
            };
            names.into_iter().enumerate().map(|(i, name)| (name, label(i))).collect()
        }
        None if alphabet.props().len() > MAX_WRITTEN => {
            let message = format!("more than {MAX_WRITTEN} propositions cannot become letters");
            return Err(refusal(message));
        }
        None => (0..1usize << alphabet.props().len())
            .map(|valuation| (cube(alphabet, valuation), code(alphabet, valuation)))
            .collect(),
    };
    let names = state_names(automaton);
    let list = |names: &mut dyn Iterator<Item = &String>| {
        let names: Vec<String> = names.map(|name| written(name)).collect();
        if names.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", names.join(" ")) }
    };
    let name = automaton.name().filter(|name| !name.is_empty()).unwrap_or("automaton");
    writeln!(out, "{} {} = (", KEYWORDS[0], written(name))?;
    writeln!(out, "  callAlphabet = {{ }},")?;
    writeln!(out, "  internalAlphabet = {},", list(&mut letters.iter().map(|(name, _)| name)))?;
    writeln!(out, "  returnAlphabet = {{ }},")?;
    writeln!(out, "  states = {},", list(&mut names.iter()))?;
    let initial = automaton.initial().iter().map(|state| &names[state.index()]);
    writeln!(out, "  initialStates = {},", list(&mut initial.into_iter()))?;
    let is_final = |state: &StateId| {
        automaton.edges_from(*state).first().is_some_and(|edge| !edge.marks.is_empty())
    };
    let states = automaton.states().filter(is_final).map(|state| &names[state.index()]);
    writeln!(out, "  finalStates = {},", list(&mut states.into_iter()))?;
    writeln!(out, "  callTransitions = {{ }},")?;
    writeln!(out, "  internalTransitions = {{")?;
    for (source, edge) in automaton.transitions() {
        for (letter, label) in &letters {
            if !alphabet.disjoint(*label, edge.label) {
                let [source, letter, target] =
                    [&names[source.index()], letter, &names[edge.target.index()]]
                        .map(|n| written(n));
                writeln!(out, "    ({source} {letter} {target})")?;
            }
        }
    }
    writeln!(out, "  }},")?;
    writeln!(out, "  returnTransitions = {{ }}")?;
    writeln!(out, ");")
}

/// A valuation as the name of a letter.
fn cube(alphabet: &Alphabet, valuation: usize) -> String {
    let literal = |(place, prop): (usize, &Prop)| {
        format!("{}{}", if valuation >> place & 1 == 1 { "" } else { "!" }, prop.name())
    };
    let literals: Vec<String> = alphabet.props().iter().enumerate().map(literal).collect();
    if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
}

/// The names of all states, which are distinct.
fn state_names(automaton: &Automaton) -> Vec<String> {
    let given: Option<Vec<String>> = automaton
        .states()
        .map(|state| automaton.state_name(state).map(ToString::to_string))
        .collect();
    if let Some(given) = given {
        let mut sorted = given.clone();
        sorted.sort();
        sorted.dedup();
        if sorted.len() == given.len() {
            return given;
        }
    }
    automaton.states().map(|state| format!("s{}", state.index())).collect()
}
