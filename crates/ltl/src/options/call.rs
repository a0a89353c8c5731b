//! Names with options: `name`, `name(value)`, `name(flag,parameter=value)`.
//!
//! Parentheses contain flags, `parameter=value`, and bare values of choices, separated by commas. A
//! bare value belongs to the first choice that has it. Spaces are allowed everywhere but inside
//! names.

use super::{Parameter, Settings, Takes};
use crate::{Error, nearest};
use std::fmt::Write;

/// A name with the unparsed text of its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The name.
    pub name: &'a str,
    /// The text in parentheses; empty without them.
    pub options: &'a str,
}

impl<'a> Call<'a> {
    /// Splits a text into a name and its options.
    ///
    /// ```
    /// use sempre_ltl::options::Call;
    /// let call = Call::read("couvreur(shy, compressed)")?;
    /// assert_eq!((call.name, call.options), ("couvreur", "shy, compressed"));
    /// assert!(Call::read("couvreur(shy").is_err());
    /// # Ok::<(), sempre_ltl::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no name, or parentheses do not match; the error has the position.
    pub fn read(text: &'a str) -> Result<Call<'a>, Error> {
        let (name, rest) = match text.find('(') {
            Some(place) => (&text[..place], Some(place)),
            None => (text, None),
        };
        let call = |options: &'a str| Call { name: name.trim(), options: options.trim() };
        if name.trim().is_empty() {
            return Err(Error::at(0..text.len(), "there is no name"));
        }
        if let Some(place) = name.find([')', ',', '=']) {
            return Err(Error::at(place..place + 1, "this belongs in parentheses"));
        }
        let Some(open) = rest else { return Ok(call("")) };
        let inside = &text[open + 1..];
        match inside.trim_end().strip_suffix(')') {
            Some(options) => match options.find(['(', ')']) {
                None => Ok(call(options)),
                Some(place) => {
                    let place = open + 1 + place;
                    Err(Error::at(place..place + 1, "options have no parentheses of their own"))
                }
            },
            None => Err(Error::at(text.len()..text.len(), "the text ends").expected("`)`")),
        }
    }
}

impl Settings {
    /// Parses options: `flag,parameter=value,value`.
    ///
    /// # Errors
    /// If an item is neither a parameter nor a value of a choice, or a mandatory choice is missing.
    pub fn read(parameters: &[&dyn Parameter], text: &str) -> Result<Settings, Error> {
        let mut settings = Settings::default();
        for part in text.split(',').map(str::trim) {
            if part.is_empty() && text.trim().is_empty() {
                continue;
            }
            let (name, value) = match part.split_once('=') {
                Some((name, value)) => (name.trim(), Some(value.trim())),
                None => (part, None),
            };
            let named = parameters.iter().find(|parameter| parameter.name() == name);
            match (named, value) {
                (Some(parameter), value) => settings.set(*parameter, value.unwrap_or(""))?,
                (None, Some(_)) => return Err(unknown(parameters, name)),
                (None, None) => {
                    let has = |parameter: &&&dyn Parameter| match parameter.takes() {
                        Takes::Names(names) => names.iter().any(|(known, _)| *known == name),
                        Takes::Number => name.parse::<u64>().is_ok(),
                        Takes::List | Takes::Nothing => false,
                    };
                    let Some(parameter) = parameters.iter().find(has) else {
                        return Err(unknown(parameters, name));
                    };
                    settings.set(*parameter, name)?;
                }
            }
        }
        match settings.missing(parameters) {
            Some(parameter) => {
                Err(Error::new(format!("a value of {} is missing", parameter.name())))
            }
            None => Ok(settings),
        }
    }

    /// Writes a name with all settings, in the order of the parameters; [`Call::read`] and
    /// [`Settings::read`] read it back.
    pub fn call(&self, name: &str, parameters: &[&dyn Parameter]) -> String {
        let mut text = name.to_owned();
        let mut before = "(";
        for (number, parameter) in parameters.iter().enumerate() {
            let Some(value) = self.given(parameter.name()) else { continue };
            let value = parameter.write(value);
            text.push_str(before);
            before = ",";
            // Writing to a string does not fail.
            let _ = match (number, parameter.takes()) {
                (_, Takes::Nothing) => write!(text, "{}", parameter.name()),
                (0, _) => write!(text, "{value}"),
                _ => write!(text, "{}={value}", parameter.name()),
            };
        }
        if before == "," {
            text.push(')');
        }
        text
    }
}

/// Creates the error for a word that is neither a parameter nor a value.
fn unknown(parameters: &[&dyn Parameter], name: &str) -> Error {
    let mut names: Vec<&str> = vec![];
    for parameter in parameters {
        names.push(parameter.name());
        if let Takes::Names(values) = parameter.takes() {
            names.extend(values.iter().map(|(name, _)| *name));
        }
    }
    let error = Error::new(format!("there is no option `{name}`"));
    match nearest::expectation(name, names.iter().copied()) {
        Some(near) => error.expected(near),
        None if names.is_empty() => error.expected("no options"),
        None => error.expected(names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Choice, Flag, Number, variations};
    use super::*;

    static PLACE: Choice<u8> = Choice {
        name: "place",
        help: "where marks are",
        default: None,
        values: &[("states", 1, "on states"), ("edges", 2, "on edges")],
    };
    static RESET: Choice<bool> = Choice {
        name: "reset",
        help: "what a breakpoint leaves",
        default: Some("track"),
        values: &[("track", false, ""), ("empty", true, "")],
    };
    static SHY: Flag = Flag { name: "shy", help: "look at all successors first" };
    static MARK: Number = Number { name: "mark", help: "the mark", range: (0, 9) };
    const ALL: &[&dyn Parameter] = &[&PLACE, &RESET, &SHY, &MARK];

    #[test]
    fn texts_become_typed_values_and_texts_again() {
        for (text, place, reset, shy, mark) in [
            ("f(edges)", 2, false, false, None),
            ("f(states,reset=empty)", 1, true, false, None),
            ("f(edges,shy,mark=7)", 2, false, true, Some(7)),
        ] {
            let call = Call::read(text).unwrap();
            let settings = Settings::read(ALL, call.options).unwrap();
            assert_eq!(settings.get(&PLACE), place);
            assert_eq!(settings.get(&RESET), reset);
            assert_eq!(settings.get(&SHY), shy);
            assert_eq!(settings.get(&MARK), mark);
            assert_eq!(settings.call(call.name, ALL), text);
        }
        let settings = Settings::read(ALL, " shy , empty, place = states ").unwrap();
        assert_eq!(settings.call("f", ALL), "f(states,reset=empty,shy)");
        assert_eq!(Settings::default().call("f", ALL), "f");
    }

    #[test]
    fn errors_name_what_would_be_right() {
        let error = |text: &str| Settings::read(ALL, text).unwrap_err().to_string();
        assert_eq!(error("edgse"), "there is no option `edgse`, expected `edges`");
        assert_eq!(error("edges,shy=1"), "shy takes no value");
        assert_eq!(error("rset=track"), "there is no option `rset`, expected `reset`");
        assert_eq!(error("reset=1"), "`1` is no value of reset, expected track, empty");
        assert_eq!(
            error("edges,mark=10"),
            "`10` is no value of mark, expected a number from 0 to 9"
        );
        assert_eq!(error(""), "a value of place is missing");
        assert!(error("edges,").starts_with("there is no option ``"));
        assert_eq!(Call::read("f(a").unwrap_err().span(), Some(3..3));
        assert_eq!(Call::read("f(a(b))").unwrap_err().span(), Some(3..4));
        for text in ["", "(a)", "f)", "a,b"] {
            assert!(Call::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn variations_are_all_values_one_by_one() {
        let all = variations(ALL).into_iter().map(|settings| settings.call("f", ALL));
        let all: Vec<String> = all.collect();
        assert_eq!(all, ["f(states)", "f(edges)", "f(states,reset=empty)", "f(states,shy)"]);
    }
}
