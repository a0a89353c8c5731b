//! Words as text: `a&!b; cycle{b; !a}`.
//!
//! ```text
//! word    = { letter ";" } "cycle" "{" letter { ";" letter } "}"
//! letter  = literal { ("&" | "&&" | "/\" | "∧") literal }
//! literal = [ "!" | "~" | "¬" ] proposition | "1" | "true"
//! ```
//! Propositions missing in a letter are false; `1` has none. Names are written as in formulas, with
//! quotes where necessary.

use super::Word;
use crate::syntax::{self, Notation};
use crate::{Error, Op, Prop, Syntax};
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

const LITERAL: &str = "a proposition, `!` and a proposition, or `1`";
const CONJUNCTION: &str = "a letter is a conjunction of literals";

impl Word {
    /// Parses a word such as `a&!b; cycle{b; !a}`. Propositions missing in a letter are false.
    ///
    /// ```
    /// use sempre_ltl::Word;
    /// let word = Word::parse(r#"1; ready /\ ~"x > 3"; cycle{ready && "x > 3"}"#).unwrap();
    /// assert_eq!(word.len(), 3);
    ///
    /// let error = Word::parse("a; b").unwrap_err();
    /// assert_eq!(error.message(), "the word has no cycle");
    /// ```
    ///
    /// # Errors
    /// If the text is not a word, with the position.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut reader = Reader { text, at: 0 };
        let word = reader.word()?;
        let mut props: Vec<Prop> = word.letters.iter().flat_map(Letter::keys).cloned().collect();
        props.sort();
        props.dedup();
        let cycle = word.letters.len() - word.prefix;
        let mut result = Word::all_false(props, word.prefix, cycle)?;
        for (position, letter) in word.letters.iter().enumerate() {
            for (prop, _) in letter.iter().filter(|(_, value)| **value) {
                if let Some(index) = result.index_of(prop) {
                    result.set(index, position);
                }
            }
        }
        Ok(result)
    }
}

impl FromStr for Word {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Word::parse(text)
    }
}

/// Writes every proposition of the word in every letter, so that reading the text gives the same
/// word.
impl fmt::Display for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.props.iter().map(|prop| Notation::Spot.prop(prop)).collect();
        for position in 0..self.len() {
            if position > 0 {
                out.write_str("; ")?;
            }
            if position == self.prefix {
                out.write_str("cycle{")?;
            }
            for (index, name) in names.iter().enumerate() {
                let and = if index > 0 { "&" } else { "" };
                let not = if self.bit(index, position) { "" } else { "!" };
                write!(out, "{and}{not}{name}")?;
            }
            if names.is_empty() {
                out.write_str("1")?;
            }
        }
        out.write_str("}")
    }
}

/// The propositions of a letter, and their values.
type Letter = FxHashMap<Prop, bool>;

struct Letters {
    letters: Vec<Letter>,
    prefix: usize,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Skips the first of these symbols that comes next, and returns its range.
    fn take(&mut self, symbols: &[&str]) -> Option<Range<usize>> {
        self.skip_space();
        let symbol = symbols.iter().find(|symbol| self.rest().starts_with(**symbol))?;
        self.at += symbol.len();
        Some(self.at - symbol.len()..self.at)
    }

    /// Returns the range of the next character, or the end of the text, for errors.
    fn here(&mut self) -> Range<usize> {
        self.skip_space();
        self.at..self.at + self.rest().chars().next().map_or(0, char::len_utf8)
    }

    fn at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    fn word(&mut self) -> Result<Letters, Error> {
        if self.at_end() {
            return Err(Error::at(self.here(), "the text is empty")
                .expected("a word such as `a&!b; cycle{b; !a}`"));
        }
        let mut letters = vec![];
        loop {
            if let Some(brace) = self.cycle_start() {
                let prefix = letters.len();
                self.cycle(brace, &mut letters)?;
                return match self.at_end() {
                    true => Ok(Letters { letters, prefix }),
                    false => {
                        let rest = self.at..self.text.trim_end().len();
                        Err(Error::at(rest, "the word goes on after its cycle")
                            .expected("nothing after `}`"))
                    }
                };
            }
            letters.push(self.letter()?);
            if self.take(&[";"]).is_some() {
                if self.at_end() {
                    return Err(Error::at(self.here(), "the word has no cycle")
                        .expected("a letter or `cycle{`"));
                }
            } else if self.at_end() {
                return Err(Error::at(self.here(), "the word has no cycle")
                    .expected("`; cycle{…}` at the end of the word"));
            } else {
                return Err(self.after_literal("`&` or `;`"));
            }
        }
    }

    /// Takes `cycle {`; without a brace, `cycle` is the name of a proposition.
    fn cycle_start(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let brace = self.take(&["cycle"]).and_then(|_| self.take(&["{"]));
        if brace.is_none() {
            self.at = start;
        }
        brace
    }

    fn cycle(&mut self, brace: Range<usize>, letters: &mut Vec<Letter>) -> Result<(), Error> {
        if let Some(end) = self.take(&["}"]) {
            return Err(Error::at(brace.start..end.end, "the cycle is empty")
                .expected("at least one letter between `{` and `}`"));
        }
        loop {
            if self.at_end() {
                return Err(Error::at(brace, "the cycle is not closed")
                    .expected("`}` at the end of the word"));
            }
            letters.push(self.letter()?);
            if self.take(&["}"]).is_some() {
                return Ok(());
            }
            if self.take(&[";"]).is_none() && !self.at_end() {
                return Err(self.after_literal("`&`, `;` or `}`"));
            }
        }
    }

    fn letter(&mut self) -> Result<Letter, Error> {
        let mut letter = Letter::default();
        loop {
            self.skip_space();
            let start = self.at;
            if let Some((prop, value)) = self.literal()? {
                let name = Notation::Spot.prop(&prop).into_owned();
                if letter.insert(prop, value) == Some(!value) {
                    let message = format!("`{name}` cannot be both true and false in a letter");
                    return Err(Error::at(start..self.at, message)
                        .expected(format!("either `{name}` or `!{name}`")));
                }
            }
            if self.take(&["&&", "&", "/\\", "∧"]).is_none() {
                return Ok(letter);
            }
        }
    }

    /// A literal, or none for `1`.
    fn literal(&mut self) -> Result<Option<(Prop, bool)>, Error> {
        let negation = self.take(&["!", "~", "¬"]);
        let expected = if negation.is_some() { "a proposition" } else { LITERAL };
        let here = self.here();
        if let Some(brace) = self.cycle_start() {
            let message = "a cycle cannot stand inside a letter or a cycle";
            return Err(Error::at(here.start..brace.end, message).expected(expected));
        }
        let length = match self.rest().starts_with('"') {
            true => self.quotation()?,
            false => bare_name(self.rest()),
        };
        if length == 0 {
            let message = match self.rest().chars().next() {
                None => "the text ends where a literal should stand".to_owned(),
                Some(';' | '}') => "a literal is missing".to_owned(),
                Some('!' | '~' | '¬' | '(' | ')') => CONJUNCTION.to_owned(),
                Some(other) => format!("`{}` cannot stand here", other.escape_debug()),
            };
            return Err(Error::at(here, message).expected(expected));
        }
        let start = self.at;
        self.at += length;
        let atom = &self.text[start..self.at];
        let Some(meaning) = meaning(atom) else {
            let message = format!("`{atom}` is not the name of a proposition");
            return Err(Error::at(start..self.at, message)
                .expected(format!("a proposition; in quotes, `\"{atom}\"` is one")));
        };
        match (meaning, negation) {
            (Atom::Prop(prop), negation) => Ok(Some((prop, negation.is_none()))),
            (Atom::Constant(true), None) => Ok(None),
            (Atom::Constant(false), None) => {
                Err(Error::at(start..self.at, "a letter cannot be false").expected(LITERAL))
            }
            (Atom::Constant(_), Some(not)) => {
                Err(Error::at(not.start..self.at, CONJUNCTION).expected(LITERAL))
            }
        }
    }

    /// Returns the length of the quoted proposition that comes next; inside, a backslash escapes
    /// the next character.
    fn quotation(&self) -> Result<usize, Error> {
        let mut escaped = false;
        for (offset, char) in self.rest().char_indices().skip(1) {
            match char {
                '"' if !escaped => return Ok(offset + 1),
                _ => escaped = char == '\\' && !escaped,
            }
        }
        Err(Error::at(self.at..self.text.len(), "the quoted proposition does not end")
            .expected("a closing `\"`"))
    }

    /// Creates the error for a token after a literal that is not `expected`.
    fn after_literal(&mut self, expected: &str) -> Error {
        let mut here = self.here();
        let rest = self.rest();
        if let Some(operator) =
            ["||", "\\/", "<->", "->", "=>"].iter().find(|op| rest.starts_with(**op))
        {
            here.end = here.start + operator.len();
        } else {
            here.end = here.end.max(here.start + bare_name(rest));
        }
        let message = match rest.chars().next() {
            Some('}') => "this brace closes nothing",
            _ => CONJUNCTION,
        };
        Error::at(here, message).expected(expected)
    }
}

enum Atom {
    Constant(bool),
    Prop(Prop),
}

/// Returns the meaning of a name or quotation in a word, the same as in a formula; `None` for
/// `GFa`, which is not a proposition in a formula.
fn meaning(atom: &str) -> Option<Atom> {
    let formula = syntax::parse(atom, Syntax::Spot).ok()?;
    match formula.op() {
        Op::True => Some(Atom::Constant(true)),
        Op::False => Some(Atom::Constant(false)),
        _ => formula.as_prop().cloned().map(Atom::Prop),
    }
}

/// The length of the name at the start of the text.
fn bare_name(text: &str) -> usize {
    let in_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '@');
    text.find(|char| !in_name(char)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use proptest::prelude::*;

    fn print(text: &str) -> String {
        Word::parse(text).map_or_else(|error| panic!("{text}: {error}"), |word| word.to_string())
    }

    #[test]
    fn every_spelling_is_read() {
        let same = "!a&!b; a&!b; cycle{!a&b; !a&!b}";
        for text in [
            same,
            "1; a; cycle{b; 1}",
            "true;a&TRUE&&a;cycle{!a/\\b;~a∧¬b}",
            "  !a\t; a &\n!b ; cycle  { b&b ; ~ b } ",
            "1; \"a\"; cycle{\"b\"; !\"a\"}",
        ] {
            assert_eq!(print(text), same);
        }
        assert_eq!(print("cycle{1}"), "cycle{1}");
        assert_eq!(print("cycle; !cycle; cycle{cycle}"), "cycle; !cycle; cycle{cycle}");
        assert_eq!(print("p10&p9; cycle{p1}"), "!p1&p9&p10; cycle{p1&!p9&!p10}");
    }

    #[test]
    fn propositions_are_quoted_as_in_formulas() {
        let text = r#""x > 3"&"U"; cycle{!"a\\\"b"&"";"}"}"#;
        let word = Word::parse(text).unwrap();
        let mut names: Vec<&str> = word.props().iter().map(Prop::name).collect();
        names.sort_unstable();
        assert_eq!(names, ["", "U", "a\\\"b", "x > 3", "}"]);
        assert_eq!(Word::parse(&word.to_string()), Ok(word));
    }

    #[test]
    fn errors_point_at_the_place() {
        let report = |text: &str| {
            let error = Word::parse(text).unwrap_err();
            let span = error.span().unwrap();
            assert!(text.get(span.clone()).is_some(), "{text}: {span:?}");
            format!("{span:?} {error}")
        };
        for text in ["", " \n"] {
            assert_eq!(Word::parse(text).unwrap_err().message(), "the text is empty");
        }
        let reports: Vec<String> = [
            "a",
            "a;",
            "a; b | c; cycle{1}",
            "a; b \\/ c; cycle{1}",
            "a U b; cycle{1}",
            "a -> b; cycle{1}",
            "cycle{}",
            "cycle{ }",
            "cycle{a",
            "cycle{a;",
            "a}; cycle{a}",
            "cycle{a}; b",
            "cycle{a}}",
            "cycle{a; cycle{b}}",
            "cycle{;a}",
            "; cycle{a}",
            "cycle{a;}",
            "a & !a; cycle{b}",
            "0; cycle{a}",
            "a & false; cycle{a}",
            "!1; cycle{a}",
            "!; cycle{a}",
            "!!a; cycle{a}",
            "a &; cycle{a}",
            "a &",
            "(a); cycle{a}",
            "GFa; cycle{a}",
            "X; cycle{a}",
            "2x; cycle{a}",
            "\"x > 3; cycle{a}",
            "a $ b; cycle{a}",
            "$; cycle{a}",
            "é & ∨; cycle{a}",
        ]
        .iter()
        .map(|text| format!("{text:24} {}", report(text)))
        .collect();
        insta::assert_snapshot!(reports.join("\n"), @r#"
            a                        1..1 the word has no cycle, expected `; cycle{…}` at the end of the word
            a;                       2..2 the word has no cycle, expected a letter or `cycle{`
            a; b | c; cycle{1}       5..6 a letter is a conjunction of literals, expected `&` or `;`
            a; b \/ c; cycle{1}      5..7 a letter is a conjunction of literals, expected `&` or `;`
            a U b; cycle{1}          2..3 a letter is a conjunction of literals, expected `&` or `;`
            a -> b; cycle{1}         2..4 a letter is a conjunction of literals, expected `&` or `;`
            cycle{}                  5..7 the cycle is empty, expected at least one letter between `{` and `}`
            cycle{ }                 5..8 the cycle is empty, expected at least one letter between `{` and `}`
            cycle{a                  5..6 the cycle is not closed, expected `}` at the end of the word
            cycle{a;                 5..6 the cycle is not closed, expected `}` at the end of the word
            a}; cycle{a}             1..2 this brace closes nothing, expected `&` or `;`
            cycle{a}; b              8..11 the word goes on after its cycle, expected nothing after `}`
            cycle{a}}                8..9 the word goes on after its cycle, expected nothing after `}`
            cycle{a; cycle{b}}       9..15 a cycle cannot stand inside a letter or a cycle, expected a proposition, `!` and a proposition, or `1`
            cycle{;a}                6..7 a literal is missing, expected a proposition, `!` and a proposition, or `1`
            ; cycle{a}               0..1 a literal is missing, expected a proposition, `!` and a proposition, or `1`
            cycle{a;}                8..9 a literal is missing, expected a proposition, `!` and a proposition, or `1`
            a & !a; cycle{b}         4..6 `a` cannot be both true and false in a letter, expected either `a` or `!a`
            0; cycle{a}              0..1 a letter cannot be false, expected a proposition, `!` and a proposition, or `1`
            a & false; cycle{a}      4..9 a letter cannot be false, expected a proposition, `!` and a proposition, or `1`
            !1; cycle{a}             0..2 a letter is a conjunction of literals, expected a proposition, `!` and a proposition, or `1`
            !; cycle{a}              1..2 a literal is missing, expected a proposition
            !!a; cycle{a}            1..2 a letter is a conjunction of literals, expected a proposition
            a &; cycle{a}            3..4 a literal is missing, expected a proposition, `!` and a proposition, or `1`
            a &                      3..3 the text ends where a literal should stand, expected a proposition, `!` and a proposition, or `1`
            (a); cycle{a}            0..1 a letter is a conjunction of literals, expected a proposition, `!` and a proposition, or `1`
            GFa; cycle{a}            0..3 `GFa` is not the name of a proposition, expected a proposition; in quotes, `"GFa"` is one
            X; cycle{a}              0..1 `X` is not the name of a proposition, expected a proposition; in quotes, `"X"` is one
            2x; cycle{a}             0..2 `2x` is not the name of a proposition, expected a proposition; in quotes, `"2x"` is one
            "x > 3; cycle{a}         0..16 the quoted proposition does not end, expected a closing `"`
            a $ b; cycle{a}          2..3 a letter is a conjunction of literals, expected `&` or `;`
            $; cycle{a}              0..1 `$` cannot stand here, expected a proposition, `!` and a proposition, or `1`
            é & ∨; cycle{a}          5..8 `∨` cannot stand here, expected a proposition, `!` and a proposition, or `1`
        "#);
    }

    proptest! {
        #[test]
        fn print_and_parse_again(
            word in arbitrary::word_over(["a", "F", "x > 3", "p[1]", "\"", "\\n", "é"], 5)
        ) {
            prop_assert_eq!(Word::parse(&word.to_string()), Ok(word));
        }

        #[test]
        fn no_text_makes_the_parser_panic(
            text in "([ab1!&;{}|\"\\\\]|cycle|cycle\\{|∧|¬){0,12}"
        ) {
            if let Err(error) = Word::parse(&text) {
                let span = error.span().unwrap();
                prop_assert!(text.get(span).is_some());
            }
        }
    }
}
