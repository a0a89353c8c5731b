//! Operators of other logics: texts that are no formulas because of them get an error that names
//! the logic, and what comes nearest.

use super::token;
use crate::Error;
use std::ops::Range;

/// An operator of another logic, and what to write instead.
struct Foreign {
    names: &'static [&'static str],
    logic: &'static str,
    instead: &'static str,
}

const CTL: &str = "CTL, which is about trees of runs; this is LTL, about each run by itself";
const PAST: &str = "LTL with past; here, formulas are about the future";
const PSL: &str = "PSL, which has regular expressions; this is LTL";
const WORDS: &str = "PSL or Spin; here, it has a letter";

const OPERATORS: &[Foreign] = &[
    Foreign { names: &["AG"], logic: CTL, instead: "`G`, if no other path quantifier follows" },
    Foreign { names: &["AF"], logic: CTL, instead: "`F`, if no other path quantifier follows" },
    Foreign { names: &["AX"], logic: CTL, instead: "`X`, if no other path quantifier follows" },
    Foreign {
        names: &["EF"],
        logic: CTL,
        instead: "`G !p` for `EF p`: it is violated where EF p holds",
    },
    Foreign {
        names: &["EG"],
        logic: CTL,
        instead: "`F !p` for `EG p`: it is violated where EG p holds",
    },
    Foreign {
        names: &["EX"],
        logic: CTL,
        instead: "`X !p` for `EX p`: it is violated where EX p holds",
    },
    Foreign { names: &["A"], logic: CTL, instead: "the formula without `A`" },
    Foreign { names: &["E"], logic: CTL, instead: "the negation: it is violated where `E` holds" },
    Foreign { names: &["O", "once", "Once"], logic: PAST, instead: "`!p W q` for `G(p -> O q)`" },
    Foreign {
        names: &["H", "historically", "Historically"],
        logic: PAST,
        instead: "`G(F p -> q)` for `G(p -> H q)`",
    },
    Foreign {
        names: &["Y", "Z", "previously", "Previously", "yesterday"],
        logic: PAST,
        instead: "`!p & G(X p -> q)` for `G(p -> Y q)`",
    },
    Foreign {
        names: &["S", "T", "since", "Since", "triggered"],
        logic: PAST,
        instead: "a formula with `U` or `W` that says the same about the future",
    },
    Foreign { names: &["always"], logic: WORDS, instead: "`G`, or --syntax spin" },
    Foreign { names: &["never"], logic: WORDS, instead: "`G !`" },
    Foreign { names: &["eventually"], logic: WORDS, instead: "`F`, or --syntax spin" },
    Foreign { names: &["next"], logic: WORDS, instead: "`X`, or --syntax spin" },
    Foreign { names: &["until", "stronguntil"], logic: WORDS, instead: "`U`, or --syntax spin" },
    Foreign { names: &["weakuntil"], logic: WORDS, instead: "`W`, or --syntax spin" },
    Foreign { names: &["release"], logic: WORDS, instead: "`R`, or --syntax spin" },
    Foreign { names: &["before"], logic: WORDS, instead: "`!b U a` for `a before! b`" },
    Foreign {
        names: &["next_a", "next_e", "next_event", "next_event_a", "next_event_e"],
        logic: PSL,
        instead: "`X[n]`, `G[i..j]` or `F[i..j]`",
    },
];

/// Signs that only regular expressions of PSL have.
const SEQUENCES: [&str; 10] =
    ["{", "|->", "|=>", "[]->", "[]=>", "<>->", "<>=>", "[*", "[+]", "[->"];

/// The error of a text, which names the other logic if an operator of one is the reason for it.
pub(super) fn explained(text: &str, error: Error) -> Error {
    let Some(span) = error.span() else { return error };
    let found =
        quantified(text, &span).or_else(|| operator(text, &span)).or_else(|| sequence(text));
    match found {
        Some((place, Foreign { logic, instead, .. })) => {
            let name = text[place.clone()].to_owned();
            Error::at(place, format!("`{name}` is an operator of {logic}")).expected(*instead)
        }
        None => error,
    }
}

type Found = (Range<usize>, &'static Foreign);

fn named(word: &str) -> Option<&'static Foreign> {
    OPERATORS.iter().find(|foreign| foreign.names.contains(&word))
}

/// `A[p U q]` or `E[p U q]`: the error is inside.
fn quantified(text: &str, error: &Range<usize>) -> Option<Found> {
    let before = &text[..error.end.min(text.len())];
    words(before).find_map(|place| {
        let word = &text[place.clone()];
        let after = text[place.end..].trim_start();
        let is_path = matches!(word, "A" | "E") && after.starts_with('[');
        is_path.then(|| named(word).map(|foreign| (place, foreign))).flatten()
    })
}

/// The word at which the text goes wrong, or the one before.
fn operator(text: &str, error: &Range<usize>) -> Option<Found> {
    let mut found = None;
    for place in words(text) {
        if place.start > error.start {
            break;
        }
        let touches = place.end >= error.start || text[place.end..error.start].trim().is_empty();
        if touches && let Some(foreign) = named(&text[place.clone()]) {
            found = found.or(Some((place, foreign)));
        }
    }
    found
}

fn sequence(text: &str) -> Option<Found> {
    static SEQUENCE: Foreign =
        Foreign { names: &[], logic: PSL, instead: "`G(a -> X(b -> X c))` for `{a;b} |=> c`" };
    let bytes = text.as_bytes();
    let mut is_quoted = false;
    let mut pos = 0;
    while pos < bytes.len() {
        match bytes[pos] {
            b'\\' if is_quoted => pos += 1,
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted || !text.is_char_boundary(pos) => {}
            _ => {
                if let Some(sign) = SEQUENCES.iter().find(|sign| text[pos..].starts_with(**sign)) {
                    return Some((pos..pos + sign.len(), &SEQUENCE));
                }
            }
        }
        pos += 1;
    }
    None
}

/// The places of words outside of quotes.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut pos = 0;
    std::iter::from_fn(move || {
        let mut is_quoted = false;
        while pos < text.len() {
            let end =
                token::word_end(text, pos, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if end > pos && !is_quoted {
                let place = pos..end;
                pos = end;
                return Some(place);
            }
            let letter = text[pos..].chars().next()?;
            pos = match (end > pos, letter) {
                (true, _) => end,
                (_, '\\') if is_quoted => {
                    let escaped = text[pos + 1..].chars().next().map_or(0, char::len_utf8);
                    pos + 1 + escaped
                }
                _ => pos + letter.len_utf8(),
            };
            if letter == '"' {
                is_quoted = !is_quoted;
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use crate::Syntax;
    use crate::syntax::parse;

    /// The part of the text that is named, the logic, and what to write instead.
    fn foreign(text: &str) -> (String, String, String) {
        let error = parse(text, Syntax::Auto).unwrap_err();
        let logic = error.message().split(" of ").nth(1).unwrap_or_default().to_owned();
        let logic = logic.split([',', ';']).next().unwrap_or_default().to_owned();
        let place = text[error.span().unwrap()].to_owned();
        (place, logic, error.expectation().unwrap_or_default().to_owned())
    }

    #[test]
    fn other_logics_are_named() {
        for (text, place, logic) in [
            ("AG p", "AG", "CTL"),
            ("AG(p -> AF q)", "AG", "CTL"),
            ("G(p -> EF(q))", "EF", "CTL"),
            ("A[p U q]", "A", "CTL"),
            ("p & E [p U q]", "E", "CTL"),
            ("E (p U q)", "E", "CTL"),
            ("A G p", "A", "CTL"),
            ("G(p -> O q)", "O", "LTL with past"),
            ("Y p", "Y", "LTL with past"),
            ("H(p)", "H", "LTL with past"),
            ("p S q", "S", "LTL with past"),
            ("p since q", "since", "LTL with past"),
            ("{a;b} |=> c", "{", "PSL"),
            ("a[*3]", "[*", "PSL"),
            ("always p", "always", "PSL or Spin"),
            ("p until q", "until", "PSL or Spin"),
        ] {
            let (found, named, instead) = foreign(text);
            assert_eq!((&*found, &*named), (place, logic), "{text}");
            assert!(!instead.is_empty(), "{text}");
        }
    }

    #[test]
    fn other_mistakes_and_propositions_are_left_alone() {
        for text in ["p q", "\"AG p\" q", "AG &", "p & (", "S p p", "\"{\" p"] {
            let message = parse(text, Syntax::Auto).unwrap_err().message().to_owned();
            let is_left = !message.contains(" operator of ") || text == "S p p";
            assert!(is_left, "{text}: {message}");
        }
        for text in ["AG & E", "G O", "Y -> S", "always"] {
            assert!(parse(text, Syntax::Auto).is_ok(), "{text}");
        }
    }
}
