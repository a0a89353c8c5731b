//! Streams: the reader recognizes formats, returns automata when they are complete, and continues
//! after errors.

use crate::formats::{Format, Reader, read};
use std::io::{BufRead, BufReader, Read};

const CLAIM: &str = "never {\nT0:\n  if\n  :: (p) -> goto T0\n  fi;\n}\n";
const LBTT: &str = "1 0\n0 1 -1\n0 p0\n-1\n";
const HOA: &str = "HOA: v1\nStart: 0\nAP: 1 \"a--END--\"\nAcceptance: 0 t\n\
    --BODY-- /* --END-- */\nState: 0\n[0] 0\n--END--\n";
const DSTAR: &str = "DRA v2 explicit\nStates: 1\nAcceptance-Pairs: 0\nStart: 0\nAP: 0\n---\n\
    State: 0\nAcc-Sig:\n0\n";

/// Lists the parts of a stream: formats with their lines, and errors.
fn parts(text: &str) -> Vec<String> {
    let part = |read: Result<crate::formats::StreamItem, crate::Error>| match read {
        Ok(read) => format!("{} {}:{}", read.format, read.place.line, read.place.column),
        Err(error) => error.to_string(),
    };
    Reader::new(text.as_bytes()).map(part).collect()
}

#[test]
fn formats_are_recognised_one_by_one() {
    let text = format!("{CLAIM}{LBTT}\n{DSTAR} /* x\n*/ {CLAIM}#define p (x > 1)\n{LBTT}// end");
    let wanted = ["never 1:1", "lbtt 7:1", "dstar 12:1", "never 22:4", "lbtt 29:1"];
    assert_eq!(parts(&text), wanted);
    assert_eq!(
        parts("never{accept_all:skip}0 2t 0 0 never{(p)}"),
        ["never 1:1", "lbtt 1:23", "lbtt 1:28", "never 1:32"]
    );
    let name = "HOA: v1 name: \"a\nnever { }\nHOA: v1\" Acceptance: 0 t\n--BODY--\n--END--";
    assert_eq!(parts(name), ["hoa 1:1"]);
    assert_eq!(parts(""), [""; 0]);
    assert_eq!(parts(" \n\n /* */"), [""; 0]);
    assert_eq!(parts("never{skip}\r\n0 0\r\n"), ["never 1:1", "lbtt 2:1"]);
}

#[test]
fn errors_end_where_the_next_automaton_starts() {
    for (text, wanted) in [
        (format!("never {{ skip ) }}{LBTT}"), vec!["1:14: unbalanced `)`", "lbtt 1:17"]),
        (format!("never {{\nskip\n{CLAIM}"), vec!["end of the never claim", "never 3:1"]),
        (format!("2 0\n0 1 -1\n-1\n{CLAIM}"), vec!["4:1: unexpected `never`", "never 4:1"]),
        (format!("2 0\n0 x -1\n-1\n\n{LBTT}"), vec!["2:3: unexpected `x`", "lbtt 5:1"]),
        ("2 0\n0 x -1\n-1\n1 0t\n0 1 -1".to_owned(), vec!["2:3: unexpected `x`", "lbtt 4:1"]),
        (format!("hello\nworld\n\n{DSTAR}"), vec!["1:1: unexpected `hello`", "dstar 4:1"]),
        (DSTAR.replace("Start: 0", "Start: 7") + DSTAR, vec!["4:8: there is no", "dstar 10:1"]),
        (format!("HOA: v1\nStart: 0\n{CLAIM}"), vec!["3:1: ", "never 3:1"]),
        (format!("{LBTT} HOA: v2 --END--{LBTT}"), vec!["lbtt 1:1", "5:7: ", "lbtt 5:17"]),
        (HOA.replace("--END--\n", "--ABORT--\n") + CLAIM, vec!["never 9:1"]),
        (format!("/* {CLAIM}"), vec!["1:1: unterminated comment"]),
    ] {
        let found = parts(&text);
        assert_eq!(found.len(), wanted.len(), "{found:?} for {text}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(found.contains(wanted), "{found:?}, not {wanted:?}, for {text}");
        }
    }
}

/// Provides a text line by line, and panics if a line is requested too early.
struct Lines<'a> {
    lines: std::str::SplitInclusive<'a, char>,
    allowed: &'a std::cell::Cell<usize>,
}

impl Read for Lines<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let Some(line) = self.lines.next() else { return Ok(0) };
        assert!(self.allowed.get() > 0, "{line:?} was read too early");
        self.allowed.set(self.allowed.get() - 1);
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

#[test]
fn automata_come_as_soon_as_they_are_complete() {
    let text = [CLAIM, LBTT, HOA, DSTAR, "0 1\n", CLAIM].concat();
    let allowed = std::cell::Cell::new(0);
    let lines = Lines { lines: text.split_inclusive('\n'), allowed: &allowed };
    let mut reader = Reader::new(BufReader::new(lines));
    for (lines, format) in [
        (6, Format::Never),
        (4, Format::Lbtt),
        (8, Format::Hoa),
        (9, Format::Dstar),
        (1, Format::Lbtt),
        (6, Format::Never),
    ] {
        allowed.set(lines);
        assert_eq!(reader.next().expect("an automaton").expect("no error").format, format);
        assert_eq!(allowed.get(), 0);
    }
    assert!(reader.next().is_none());
}

#[test]
fn bytes_that_are_no_text_are_errors() {
    let mut stream = b"never { a\xffb }\n".to_vec();
    stream.extend_from_slice(CLAIM.as_bytes());
    let mut reader = Reader::new(stream.as_slice());
    let error = reader.next().expect("an error").expect_err("an error");
    assert_eq!(error.to_string(), "1:10: an invalid byte, expected UTF-8");
    assert_eq!(reader.next().expect("a claim").expect("a claim").place.line, 2);
    assert!(reader.next().is_none());
}

/// A stream that fails.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("the line is dead"))
    }
}

#[test]
fn a_broken_stream_is_one_error() {
    let stream = BufReader::new(LBTT.as_bytes().chain(Broken));
    let results: Vec<_> = Reader::new(stream).collect();
    assert_eq!(results.len(), 2);
    let error = results[1].as_ref().expect_err("an error");
    assert_eq!(error.to_string(), "cannot read: the line is dead");
}

#[test]
fn a_format_can_be_demanded() {
    let mut claims = read(LBTT.as_bytes(), Some(Format::Never)).expect("can be read");
    let error = claims.next().expect("an error").expect_err("an error");
    assert_eq!(error.to_string(), "1:1: unexpected `1`, expected `never`");
    let error = read(&mut LBTT.as_bytes() as &mut dyn BufRead, Some(Format::Json)).err();
    assert_eq!(error.expect("an error").message(), "automata cannot be read in the format json");
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let error = "spin".parse::<Format>().expect_err("no such format");
    assert_eq!(error.message(), "unknown format `spin`");
}

/// Some editors begin every file with this mark; elsewhere it is an error.
#[test]
fn a_byte_order_mark_may_begin_a_stream() {
    let texts = [
        "HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--\n",
        "never { T0: if :: (p) -> goto T0 fi }\n",
        "1 0 0 1 -1 0 t -1\n",
    ];
    for text in texts {
        let marked = format!("\u{feff}{text}");
        assert_eq!(Reader::new(marked.as_bytes()).filter_map(Result::ok).count(), 1, "{text}");
        let twice = format!("{text}{marked}");
        assert!(Reader::new(twice.as_bytes()).any(|read| read.is_err()), "{text}");
    }
}
