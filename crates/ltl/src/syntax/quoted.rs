//! Propositions in double quotes.

use std::borrow::Cow;

/// The text between the quotes at the start of `text`, and whether it has escapes; `None` if the
/// closing quote is missing.
pub(super) fn scan(text: &str) -> Option<(&str, bool)> {
    let bytes = text.as_bytes();
    let mut escaped = false;
    let mut i = 1;
    loop {
        match *bytes.get(i)? {
            b'"' => return Some((&text[1..i], escaped)),
            b'\\' => {
                escaped = true;
                i += 2;
            }
            _ => i += 1,
        }
    }
}

/// Resolves the escapes. As in Spot, a backslash before any other character than `n`, `r`, `t`
/// stands for that character.
pub(super) fn unescape(inner: &str) -> String {
    let mut name = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        name.push(match char {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some(other) => other,
                None => break,
            },
            other => other,
        });
    }
    name
}

/// The name in quotes, on one line.
pub(super) fn quote(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    text.push('"');
    for char in name.chars() {
        match char {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

/// The name as `bare` text if that reads back as the name, quoted otherwise.
pub(super) fn quote_unless(name: &str, bare: bool) -> Cow<'_, str> {
    if bare { Cow::Borrowed(name) } else { Cow::Owned(quote(name)) }
}
