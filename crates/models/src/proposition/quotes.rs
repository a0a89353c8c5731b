//! Names as they are written in propositions: in quotes where they need them.

use super::lexer;
use crate::nearest::nearest;
use crate::system::Scope;
use sempre_ltl::Error;
use std::borrow::Cow;

/// The words that are no names without quotes.
const WORDS: [&str; 11] =
    ["true", "false", "deadlock", "fireable", "fired", "and", "or", "not", "xor", "implies", "iff"];

/// The name of a variable as it is written in a proposition: as [`quoted`], but an element of an
/// array needs no quotes.
pub fn written(name: &str) -> Cow<'_, str> {
    let element = name.strip_suffix(']').and_then(|rest| rest.split_once('['));
    let is_index = |index: &str| !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit());
    match element {
        Some((array, index)) if is_index(index) => match quoted(array) {
            Cow::Borrowed(_) => Cow::Borrowed(name),
            Cow::Owned(array) => Cow::Owned(format!("{array}[{index}]")),
        },
        _ => quoted(name),
    }
}

/// A value as it is written in a proposition: a number, or a name.
pub fn written_value(value: &str) -> Cow<'_, str> {
    match value.parse::<i64>() {
        Ok(_) => Cow::Borrowed(value),
        Err(_) => quoted(value),
    }
}

/// The name as it is written in a proposition, which may be in a formula: in quotes if it needs
/// them.
pub fn quoted(name: &str) -> Cow<'_, str> {
    let is_plain = name.starts_with(lexer::starts_name)
        && name.chars().all(lexer::continues_name)
        && !WORDS.contains(&name)
        && sempre_ltl::syntax::is_plain(name);
    if is_plain {
        return Cow::Borrowed(name);
    }
    let mut quoted = String::with_capacity(name.len() + 2);
    quoted.push('\'');
    for letter in name.chars() {
        if matches!(letter, '\'' | '\\') {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted.push('\'');
    Cow::Owned(quoted)
}

/// The names that resemble one that is not known, as they are written, for an error.
pub(super) fn near(
    name: &str,
    names: &[String],
    written: fn(&str) -> Cow<'_, str>,
) -> Option<String> {
    let near = nearest(name, names.iter().map(String::as_str));
    let near: Vec<String> = near.into_iter().map(|name| format!("`{}`", written(name))).collect();
    (!near.is_empty()).then(|| near.join(" or "))
}

/// The name of the scope that stands at the place of an error without the quotes it needs. If none
/// stands there in full, one that begins before the error, and agrees with the text beyond the place
/// where the error begins.
///
/// The text is a formula or a proposition.
pub fn missing_quotes(scope: &dyn Scope, text: &str, error: &Error) -> Option<String> {
    let place = error.span()?.start;
    let mut names = scope.value_names();
    names.extend(scope.action_names());
    names.retain(|name| matches!(written(name), Cow::Owned(_)));
    let whole = names.iter().filter(|name| stands_at(text, place, name));
    let found = whole.max_by_key(|name| name.len()).or_else(|| {
        let common = names.iter().map(|name| (common_at(text, place, name), name));
        common.filter(|(length, _)| *length > 0).max_by_key(|(length, _)| *length).map(|it| it.1)
    });
    found.cloned()
}

/// True if the name stands in the text, as words of their own, and the place is in it.
fn stands_at(text: &str, place: usize, name: &str) -> bool {
    text.match_indices(name).any(|(start, _)| {
        let end = start + name.len();
        begins_word(text, start)
            && !text[end..].starts_with(lexer::continues_name)
            && (start..end).contains(&place)
    })
}

/// The greatest number of bytes in which the name agrees with the text from a word before the place
/// to one after it.
fn common_at(text: &str, place: usize, name: &str) -> usize {
    let starts = text.char_indices().map(|(start, _)| start).take_while(|start| *start < place);
    let common = |start: usize| {
        let pairs = text[start..].chars().zip(name.chars());
        pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum::<usize>()
    };
    let lengths =
        starts.filter(|start| begins_word(text, *start)).map(|start| (start, common(start)));
    lengths.filter(|(start, length)| start + length > place).map(|it| it.1).max().unwrap_or(0)
}

/// True if no letter of a name and no quote stands before that place.
fn begins_word(text: &str, start: usize) -> bool {
    let is_outside =
        |letter: char| !lexer::continues_name(letter) && letter != '\'' && letter != '"';
    text[..start].chars().next_back().is_none_or(is_outside)
}
