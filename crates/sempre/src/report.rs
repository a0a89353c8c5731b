//! Reports errors: the cause, the place, the line with a mark below, the expected input.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use sempre::ltl;
use std::fmt;
use std::io::Write;
use std::ops::Range;
use std::str::Utf8Error;

/// The number of characters of a line shown before the mark, and after its beginning.
const CONTEXT: usize = 60;

/// The maximal number of bytes of a message, which may quote the input.
const LONGEST_MESSAGE: usize = 400;

/// The origin of a text.
pub(crate) enum Place<'a> {
    /// The n-th formula among the arguments.
    Argument(usize),
    /// An argument with a name.
    Named(&'a str),
    /// A line of a file.
    Line(&'a str, usize),
}

/// An error in a text, with an excerpt.
#[derive(Debug)]
pub(crate) struct Located {
    message: String,
    expectation: Option<String>,
    help: Option<String>,
    path: String,
    line: usize,
    excerpt: Option<Excerpt>,
}

/// The part of a line around an error.
#[derive(Debug, PartialEq, Eq)]
struct Excerpt {
    text: String,
    /// The bytes of `text` that the error concerns.
    span: Range<usize>,
    /// True if the beginning of the line is cut.
    is_cut: bool,
    /// The number of lines before this one.
    lines_before: usize,
    /// The column in the whole line, in characters, from 1.
    column: usize,
}

impl Located {
    /// Makes an error in a text from this place.
    pub(crate) fn new(place: &Place<'_>, text: &str, error: ltl::Error) -> Self {
        let excerpt = error.span().map(|span| Excerpt::new(text, span));
        let (path, line) = match place {
            Place::Argument(number) => (format!("<argument {number}>"), 1),
            Place::Named(name) => (format!("<{name}>"), 1),
            Place::Line(name, line) => ((*name).to_owned(), *line),
        };
        let line = line + excerpt.as_ref().map_or(0, |excerpt| excerpt.lines_before);
        let expectation = error.expectation().map(|text| shorten(text.to_owned()));
        let help = error.help().map(str::to_owned);
        let message = shorten(error.message().to_owned());
        Located { message, expectation, help, path, line, excerpt }
    }

    /// Makes the error of a line that is not UTF-8.
    pub(crate) fn not_utf8(place: &Place<'_>, line: &[u8], error: Utf8Error) -> Self {
        let valid = error.valid_up_to();
        // Convert only the excerpt, since the line may be long.
        let end = line.len().min(valid + 4 * CONTEXT);
        let text = String::from_utf8_lossy(&line[..end]);
        let span = valid..valid + char::REPLACEMENT_CHARACTER.len_utf8();
        let error = ltl::Error::at(span, "the line is not valid UTF-8").expected("UTF-8 text");
        Located::new(place, &text, error)
    }
}

impl fmt::Display for Located {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.line, self.message)
    }
}

impl std::error::Error for Located {}

impl Excerpt {
    fn new(text: &str, span: Range<usize>) -> Self {
        let start = boundary(text, span.start);
        let end = boundary(text, span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);

        let from = text[line_start..start].char_indices().rev().nth(CONTEXT - 1);
        let from = from.map_or(line_start, |(i, _)| line_start + i);
        let to = text[start..line_end].char_indices().nth(CONTEXT);
        let to = to.map_or(line_end, |(i, _)| start + i);

        let mut excerpt = String::new();
        if from > line_start {
            excerpt.push('…');
        }
        let shift = excerpt.len();
        excerpt.push_str(&text[from..to]);
        let shown = excerpt.len();
        if to < line_end {
            excerpt.push('…');
        }
        Excerpt {
            span: start - from + shift..(end.min(to) - from + shift).min(shown),
            text: excerpt,
            is_cut: from > line_start,
            lines_before: text[..line_start].bytes().filter(|&byte| byte == b'\n').count(),
            column: text[line_start..start].chars().count() + 1,
        }
    }
}

/// Returns the last character boundary up to `index`.
fn boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

fn shorten(mut message: String) -> String {
    if message.len() > LONGEST_MESSAGE {
        message.truncate(boundary(&message, LONGEST_MESSAGE));
        message.push('…');
    }
    message
}

/// Prints an error on standard error.
pub(crate) fn error(error: &anyhow::Error) {
    let text = match error.downcast_ref::<Located>() {
        Some(located) => render(located),
        None => {
            let message = shorten(format!("{error:#}"));
            Renderer::styled().render(&[Group::with_title(Level::ERROR.primary_title(message))])
        }
    };
    show(&text);
}

/// Prints a note on standard error.
pub(crate) fn note(text: &str) {
    show(&Renderer::styled().render(&[Group::with_title(Level::NOTE.primary_title(text))]));
}

fn render(error: &Located) -> String {
    let title = Level::ERROR.primary_title(error.message.as_str());
    let origin = Origin::path(error.path.as_str()).line(error.line);
    let help = error.help.as_deref().map(|help| Level::HELP.message(help));
    let Some(excerpt) = &error.excerpt else {
        return Renderer::styled().render(&[title.element(origin).elements(help)]);
    };
    let label = error.expectation.as_ref().map(|what| format!("expected {what}"));
    let snippet = Snippet::source(excerpt.text.as_str())
        .line_start(error.line)
        .annotation(AnnotationKind::Primary.span(excerpt.span.clone()).label(label));
    // The renderer counts columns from the beginning of the excerpt. If that is not the beginning
    // of the line, the place is printed first, and the snippet is in its own group without a place.
    let groups = if excerpt.is_cut {
        let origin = origin.char_column(excerpt.column);
        let snippet = Group::with_level(Level::ERROR).element(snippet).elements(help);
        vec![title.element(origin), snippet]
    } else {
        vec![title.element(snippet.path(error.path.as_str())).elements(help)]
    };
    Renderer::styled().render(&groups)
}

/// Prints on standard error, with colours only on a terminal. Ignores a closed stream.
fn show(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_line_is_shown_whole() {
        let excerpt = Excerpt::new("a U (b", 6..6);
        assert_eq!(excerpt.text, "a U (b");
        assert_eq!((excerpt.span, excerpt.column), (6..6, 7));
    }

    #[test]
    fn a_long_line_is_cut_around_the_error() {
        let line = format!("{}?{}", "é".repeat(1000), "b".repeat(1000));
        let excerpt = Excerpt::new(&line, 2000..2001);
        let shown = format!("…{}?{}…", "é".repeat(CONTEXT), "b".repeat(CONTEXT - 1));
        assert_eq!(excerpt.text, shown);
        assert_eq!(&excerpt.text[excerpt.span], "?");
        assert_eq!(excerpt.column, 1001);
    }

    #[test]
    fn an_error_of_several_lines_is_shown_by_its_first() {
        let excerpt = Excerpt::new("a &\nb ) c\nd", 6..11);
        assert_eq!(excerpt.text, "b ) c");
        assert_eq!(&excerpt.text[excerpt.span], ") c");
        assert_eq!((excerpt.lines_before, excerpt.column), (1, 3));
    }

    #[test]
    fn spans_that_do_not_fit_the_text_do_no_harm() {
        for (start, end) in [(0, 0), (1, 2), (2, 1), (5, 90), (90, 91), (90, 0)] {
            for text in ["", "é", "a\nb"] {
                let excerpt = Excerpt::new(text, Range { start, end });
                assert!(excerpt.text.get(excerpt.span).is_some());
            }
        }
    }
}
