//! Reading the text format.

use super::super::net::{Net, NetBuilder, PlaceId, TransitionId};
use super::KEYWORDS;
use super::lexer::{Lexer, Token};
use rustc_hash::FxHashMap;
use sempre_ltl::Error;
use std::ops::Range;

/// Reads a net in the [text format](super).
///
/// ```
/// use sempre_models::petri::text;
/// let net = text::parse("pl p (3)  tr t p*2 -> {my place}")?;
/// assert_eq!(net.initial(net.place("p").unwrap()), 3);
/// assert!(net.place("my place").is_some());
/// let error = text::parse("tr t [1,2] p -> q").unwrap_err();
/// assert_eq!(error.span(), Some(5..10));
/// # Ok::<(), sempre_models::Error>(())
/// ```
///
/// # Errors
/// If the text is no net; with the place in the text where that is seen.
pub fn parse(text: &str) -> Result<Net, Error> {
    let mut parser = Parser {
        lexer: Lexer::new(text)?,
        builder: NetBuilder::default(),
        places: FxHashMap::default(),
        transitions: FxHashMap::default(),
        labels: Vec::new(),
        text,
        counted: (0, 1),
    };
    while *parser.lexer.peek() != Token::End {
        sempre_ltl::interrupt::poll();
        parser.declaration()?;
    }
    parser.finish()
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    builder: NetBuilder,
    places: FxHashMap<String, (PlaceId, Option<u32>)>,
    transitions: FxHashMap<String, TransitionId>,
    /// Labels that are given by themselves, for nodes that may be declared later.
    labels: Vec<(String, String, Range<usize>)>,
    text: &'t str,
    /// A place in the text, and its line.
    counted: (usize, usize),
}

/// One end of an arc, with the node's name.
struct End {
    name: String,
    kind: Kind,
    weight: u32,
    span: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Normal,
    Test,
    Inhibitor,
}

impl Parser<'_> {
    fn declaration(&mut self) -> Result<(), Error> {
        let (token, span) = self.lexer.take()?;
        match token {
            Token::Plain("net") => {
                let (name, _) = self.name("the name of the net")?;
                self.builder.name(name);
                Ok(())
            }
            Token::Plain("tr") => self.transition_declaration(),
            Token::Plain("pl") => self.place_declaration(),
            Token::Plain("lb") => {
                let (name, span) = self.name("the name of a place or transition")?;
                let (label, _) = self.name("a label")?;
                self.labels.push((name, label, span));
                Ok(())
            }
            Token::Plain("nt") => {
                self.name("the name of a note")?;
                self.name("0 or 1")?;
                self.name("the text of the note")?;
                Ok(())
            }
            Token::Plain("pr") => {
                Err(Error::at(span, "nets with priorities between transitions are not supported"))
            }
            other => Err(Error::at(span, format!("unexpected {}", other.describe()))
                .expected("`tr`, `pl` or `net`")),
        }
    }

    fn transition_declaration(&mut self) -> Result<(), Error> {
        let (name, span) = self.name("the name of a transition")?;
        let transition = self.transition(name);
        let line = self.line(span.start);
        self.builder.line(transition, line);
        if let Some(label) = self.label()? {
            self.builder.transition_alias(label, transition);
        }
        if matches!(self.lexer.peek(), Token::Sign('[' | ']')) {
            self.interval()?;
        }
        let (inputs, outputs) = self.arcs()?;
        for end in inputs {
            let place = self.place(&end.name);
            self.arc_from(place, transition, &end)?;
        }
        for end in outputs {
            let place = self.place(&end.name);
            self.arc_to(place, transition, &end)?;
        }
        Ok(())
    }

    fn place_declaration(&mut self) -> Result<(), Error> {
        let (name, name_span) = self.name("the name of a place")?;
        let place = self.place(&name);
        if let Some(label) = self.label()? {
            self.builder.place_alias(label, place);
        }
        if *self.lexer.peek() == Token::Sign('(') {
            self.lexer.take()?;
            let (tokens, span) = self.number("a number of tokens")?;
            self.expect(&Token::Sign(')'))?;
            let (_, marking) = self.places.get_mut(&name).expect("a place that is known");
            if marking.replace(tokens).is_some() {
                let span = name_span.start..span.end;
                return Err(Error::at(span, format!("the marking of `{name}` is given twice")));
            }
            self.builder.initial(place, tokens);
        }
        let (inputs, outputs) = self.arcs()?;
        for end in inputs {
            let transition = self.transition(end.name.clone());
            self.arc_to(place, transition, &end)?;
        }
        for end in outputs {
            let transition = self.transition(end.name.clone());
            self.arc_from(place, transition, &end)?;
        }
        Ok(())
    }

    /// The line of a place that is not before those asked for earlier.
    fn line(&mut self, place: usize) -> usize {
        let (from, line) = self.counted;
        let passed =
            self.text[from.min(place)..place].bytes().filter(|byte| *byte == b'\n').count();
        self.counted = (place, line + passed);
        line + passed
    }

    fn place(&mut self, name: &str) -> PlaceId {
        if let Some((place, _)) = self.places.get(name) {
            return *place;
        }
        let place = self.builder.place(name, 0);
        self.places.insert(name.to_owned(), (place, None));
        place
    }

    fn transition(&mut self, name: String) -> TransitionId {
        if let Some(transition) = self.transitions.get(&name) {
            return *transition;
        }
        let transition = self.builder.transition(name.clone());
        self.transitions.insert(name, transition);
        transition
    }

    fn arc_from(&mut self, place: PlaceId, t: TransitionId, end: &End) -> Result<(), Error> {
        let added = match end.kind {
            Kind::Normal => self.builder.input(t, place, end.weight),
            Kind::Test => {
                let input = self.builder.input(t, place, end.weight);
                input.and_then(|()| self.builder.output(t, place, end.weight))
            }
            Kind::Inhibitor => {
                self.builder.inhibitor(t, place, end.weight);
                Ok(())
            }
        };
        added.map_err(|error| Error::at(end.span.clone(), error.message()))
    }

    fn arc_to(&mut self, place: PlaceId, t: TransitionId, end: &End) -> Result<(), Error> {
        if end.kind != Kind::Normal {
            let message = "test and inhibitor arcs lead from a place to a transition";
            return Err(Error::at(end.span.clone(), message));
        }
        let added = self.builder.output(t, place, end.weight);
        added.map_err(|error| Error::at(end.span.clone(), error.message()))
    }

    /// `INPUTS -> OUTPUTS`, or nothing.
    fn arcs(&mut self) -> Result<(Vec<End>, Vec<End>), Error> {
        let inputs = self.ends()?;
        if *self.lexer.peek() == Token::Arrow {
            self.lexer.take()?;
            let outputs = self.ends()?;
            return Ok((inputs, outputs));
        }
        if !inputs.is_empty() {
            return Err(self.unexpected("`->`"));
        }
        Ok((inputs, Vec::new()))
    }

    fn ends(&mut self) -> Result<Vec<End>, Error> {
        let mut ends = Vec::new();
        loop {
            match self.lexer.peek() {
                Token::Plain(word) if KEYWORDS.contains(word) => return Ok(ends),
                Token::Plain(_) | Token::Braced(_) => ends.push(self.end()?),
                _ => return Ok(ends),
            }
        }
    }

    fn end(&mut self) -> Result<End, Error> {
        let (name, mut span) = self.name("a name")?;
        let kind = match self.lexer.peek() {
            Token::Sign('*') => Kind::Normal,
            Token::Sign('?') => Kind::Test,
            Token::Minus('?') => Kind::Inhibitor,
            Token::Sign('!') | Token::Minus('!') => {
                return Err(Error::at(self.lexer.span(), "stopwatch arcs are not supported"));
            }
            _ => return Ok(End { name, kind: Kind::Normal, weight: 1, span }),
        };
        self.lexer.take()?;
        let (weight, number_span) = self.number("a weight")?;
        if weight == 0 && kind != Kind::Inhibitor {
            return Err(Error::at(number_span, "the weight of an arc is 0"));
        }
        span.end = number_span.end;
        Ok(End { name, kind, weight, span })
    }

    fn label(&mut self) -> Result<Option<String>, Error> {
        if *self.lexer.peek() != Token::Sign(':') {
            return Ok(None);
        }
        self.lexer.take()?;
        Ok(Some(self.name("a label")?.0))
    }

    /// An interval, which must be the one that means nothing.
    fn interval(&mut self) -> Result<(), Error> {
        let (open, mut span) = self.lexer.take()?;
        let mut text = vec![open];
        loop {
            let is_end = matches!(self.lexer.peek(), Token::Sign('[' | ']'));
            if !is_end && !matches!(self.lexer.peek(), Token::Plain(_) | Token::Sign(',')) {
                return Err(self.unexpected("an interval such as [0,w["));
            }
            let (token, token_span) = self.lexer.take()?;
            text.push(token);
            span.end = token_span.end;
            if is_end {
                break;
            }
        }
        let untimed = [
            Token::Sign('['),
            Token::Plain("0"),
            Token::Sign(','),
            Token::Plain("w"),
            Token::Sign('['),
        ];
        if text == untimed {
            return Ok(());
        }
        Err(Error::at(span, "time intervals are not supported").expected("[0,w[, or none"))
    }

    fn number(&mut self, what: &str) -> Result<(u32, Range<usize>), Error> {
        let Token::Plain(text) = *self.lexer.peek() else { return Err(self.unexpected(what)) };
        let span = self.lexer.span();
        let (digits, factor) = match text.as_bytes().last() {
            Some(b'K') => (&text[..text.len() - 1], 1_000),
            Some(b'M') => (&text[..text.len() - 1], 1_000_000),
            _ => (text, 1),
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.unexpected(what));
        }
        self.lexer.take()?;
        let number = digits.parse::<u32>().ok().and_then(|number| number.checked_mul(factor));
        let message = || format!("{text} is more than {}", u32::MAX);
        Ok((number.ok_or_else(|| Error::at(span.clone(), message()))?, span))
    }

    fn name(&mut self, what: &str) -> Result<(String, Range<usize>), Error> {
        if !matches!(self.lexer.peek(), Token::Plain(_) | Token::Braced(_)) {
            return Err(self.unexpected(what));
        }
        Ok(match self.lexer.take()? {
            (Token::Plain(name), span) => (name.to_owned(), span),
            (Token::Braced(name), span) => (name.into_owned(), span),
            _ => unreachable!("what was looked at"),
        })
    }

    fn expect(&mut self, token: &Token<'_>) -> Result<(), Error> {
        if self.lexer.peek() != token {
            return Err(self.unexpected(&token.describe()));
        }
        self.lexer.take()?;
        Ok(())
    }

    fn unexpected(&self, expected: &str) -> Error {
        let message = format!("unexpected {}", self.lexer.peek().describe());
        Error::at(self.lexer.span(), message).expected(expected)
    }

    fn finish(mut self) -> Result<Net, Error> {
        for (name, label, span) in std::mem::take(&mut self.labels) {
            let place = self.places.get(&name).map(|(place, _)| *place);
            let transition = self.transitions.get(&name).copied();
            if let Some(place) = place {
                self.builder.place_alias(label.clone(), place);
            }
            if let Some(transition) = transition {
                self.builder.transition_alias(label, transition);
            }
            if place.is_none() && transition.is_none() {
                let names = self.places.keys().chain(self.transitions.keys()).map(String::as_str);
                let suggestion = crate::nearest::suggestion(&name, names);
                let message = format!("there is no place or transition `{name}`{suggestion}");
                return Err(Error::at(span, message));
            }
        }
        self.builder.build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test arc with a weight beside input and output arcs of the same place, in any order.
    #[test]
    fn arcs_of_one_place_add_up() {
        for (arcs, needs, changes) in [
            ("p?2 ->", 2, 0),
            ("p p?2 ->", 3, -1),
            ("p?2 p ->", 3, -1),
            ("p*2 p?3 ->", 5, -2),
            ("p?2 p?3 ->", 5, 0),
            ("p p?2 -> p*4", 3, 3),
        ] {
            let net = parse(&format!("pl p (1)\ntr t {arcs}\n")).unwrap();
            let demands = net.demands(net.transition("t").unwrap());
            let found: Vec<_> = demands.iter().map(|demand| (demand.least, demand.added)).collect();
            assert_eq!(found, [(needs, changes)], "{arcs}");
        }
    }
}
