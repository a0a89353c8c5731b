//! The text of a command with places for the input and the output.
//!
//! | place | stands for |
//! |---|---|
//! | `%f` `%s` `%l` `%w` | the formula as an argument, in the syntax of Spot, Spin, lbt, Wring |
//! | `%F` `%S` `%L` `%W` | a file with the formula in it |
//! | `%[WM]f` … | the same without some operators: `F G R W M ^` as they are, `i` and `e` |
//! | `%O` | the file that the program writes to; standard output is read otherwise |
//! | `%%` | a percent sign |
//!
//! Commands that work on automata have `%H`, `%S` and `%L` instead, for files with the automaton in
//! HOA, as a never claim and in lbtt's format. `{name}` at the beginning names the participant.
//!
//! A command is split into words as a shell does, with quotes, backslashes and the redirections `<`
//! and `>`, but no shell is involved, unless the command begins with `sh:`.

use crate::spelling::Spelling;
use sempre_automata::formats::Format;
use sempre_ltl::Op;
use std::fmt;

/// The input of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Formulas, which become automata.
    Formulas,
    /// Automata, which become other automata.
    Automata,
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    /// The formula, without these operators.
    Formula {
        spelling: Spelling,
        without: Vec<Op>,
        file: bool,
    },
    /// A file with the automaton.
    Automaton(Format),
    /// The file for the output.
    Output,
}

/// A word of a command line, or the whole of it for a shell.
pub(crate) type Word = Vec<Piece>;

/// A command, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    pub(crate) name: Option<String>,
    /// The program and its arguments; one word if it is for a shell.
    pub(crate) words: Vec<Word>,
    pub(crate) stdin: Option<Word>,
    pub(crate) stdout: Option<Word>,
    pub(crate) shell: bool,
}

/// An error in a command, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TemplateError {
    /// The error message.
    pub message: String,
    /// The bytes of the text that are to blame.
    pub place: std::ops::Range<usize>,
}

impl Template {
    /// Reads a command; with `shell`, as if it began with `sh:`.
    ///
    /// # Errors
    /// If a quote is not closed, a place is unknown, or a shell would be needed.
    pub fn read(text: &str, input: Input, shell: bool) -> Result<Template, TemplateError> {
        let mut reader = Reader { text, at: 0, input, template: Template::default() };
        reader.name()?;
        let marked = reader.rest().strip_prefix("sh:");
        if let Some(rest) = marked {
            reader.at = text.len() - rest.len();
        }
        reader.template.shell = shell || marked.is_some();
        if reader.template.shell {
            reader.whole()?
        } else {
            reader.words()?
        }
        Ok(reader.template)
    }

    /// All pieces of all words.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.words.iter().chain(&self.stdin).chain(&self.stdout).flatten()
    }

    /// True if there is a place for the input.
    pub(crate) fn has_input(&self) -> bool {
        self.pieces().any(|piece| matches!(piece, Piece::Formula { .. } | Piece::Automaton(_)))
    }

    /// True if there is a place for the output file.
    pub(crate) fn has_output(&self) -> bool {
        self.pieces().any(|piece| *piece == Piece::Output)
    }

    /// The first word, if it is plain text.
    pub(crate) fn program(&self) -> Option<&str> {
        match &**self.words.first()? {
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    input: Input,
    template: Template,
}

/// Where the next word goes.
#[derive(Clone, Copy)]
enum Target {
    Word,
    Stdin,
    Stdout,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error<T>(&self, from: usize, message: impl fmt::Display) -> Result<T, TemplateError> {
        let end = self.at.max(from + 1).min(self.text.len());
        Err(TemplateError { message: message.to_string(), place: from.min(end)..end })
    }

    /// The name in braces.
    fn name(&mut self) -> Result<(), TemplateError> {
        let start = self.text.len() - self.text.trim_start().len();
        self.at = start;
        let Some(rest) = self.rest().strip_prefix('{') else { return Ok(()) };
        let Some(end) = rest.find('}') else {
            return self.error(start, "`{` is not closed: a name is written {name}");
        };
        self.template.name = Some(rest[..end].trim().to_owned());
        self.at = start + end + 2;
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        Ok(())
    }

    /// The rest as it is, for a shell.
    fn whole(&mut self) -> Result<(), TemplateError> {
        let mut word = vec![];
        while let Some(c) = self.rest().chars().next() {
            if c == '%' {
                let place = self.place()?;
                push(&mut word, place);
            } else {
                self.at += c.len_utf8();
                push(&mut word, Piece::Text(c.to_string()));
            }
        }
        self.template.words.push(word);
        Ok(())
    }

    fn words(&mut self) -> Result<(), TemplateError> {
        let mut target = (Target::Word, self.at);
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let start = self.at;
            match self.rest().chars().next() {
                None => break,
                Some(c @ ('<' | '>')) => {
                    if !matches!(target.0, Target::Word) {
                        return self.error(start, "a file is missing before this");
                    }
                    self.at += 1;
                    target = (if c == '<' { Target::Stdin } else { Target::Stdout }, start);
                    continue;
                }
                Some(_) => {}
            }
            let word = self.word()?;
            let place = match target.0 {
                Target::Word => {
                    self.template.words.push(word);
                    continue;
                }
                Target::Stdin => &mut self.template.stdin,
                Target::Stdout => &mut self.template.stdout,
            };
            if place.replace(word).is_some() {
                return self.error(target.1, "there is another redirection of this kind");
            }
            target = (Target::Word, self.at);
        }
        match target.0 {
            Target::Word => Ok(()),
            _ => self.error(target.1, "a file is missing after this"),
        }
    }

    /// A word, up to a blank or a redirection outside quotes.
    fn word(&mut self) -> Result<Word, TemplateError> {
        let mut word = vec![Piece::Text(String::new())];
        // Where the open quote is.
        let mut quote: Option<(char, usize)> = None;
        while let Some(c) = self.rest().chars().next() {
            let start = self.at;
            match (c, quote) {
                ('%', _) => {
                    let place = self.place()?;
                    push(&mut word, place);
                    continue;
                }
                ('\'' | '"', None) => quote = Some((c, start)),
                (c, Some((open, _))) if c == open => quote = None,
                ('\\', None | Some(('"', _))) => {
                    self.at += 1;
                    let Some(escaped) = self.rest().chars().next() else {
                        return self.error(start, "nothing follows the backslash");
                    };
                    let keeps = quote.is_some() && !matches!(escaped, '"' | '\\');
                    let text = if keeps { format!("\\{escaped}") } else { escaped.to_string() };
                    push(&mut word, Piece::Text(text));
                    self.at += escaped.len_utf8();
                    continue;
                }
                ('<' | '>', None) => break,
                (c, None) if c.is_whitespace() => break,
                ('|' | ';' | '&' | '$' | '`', None) => {
                    self.at += 1;
                    return self.error(
                        start,
                        format!(
                            "`{c}` is for a shell: put it in quotes, or `sh:` before the command"
                        ),
                    );
                }
                _ => push(&mut word, Piece::Text(c.to_string())),
            }
            self.at += c.len_utf8();
        }
        match quote {
            Some((_, start)) => self.error(start, "the quote is not closed"),
            None => {
                word.retain(|piece| *piece != Piece::Text(String::new()));
                if word.is_empty() {
                    word.push(Piece::Text(String::new()));
                }
                Ok(word)
            }
        }
    }

    /// The placeholder that a percent sign begins.
    fn place(&mut self) -> Result<Piece, TemplateError> {
        let start = self.at;
        self.at += 1;
        let mut without = None;
        if let Some(list) = self.rest().strip_prefix('[') {
            let Some(end) = list.find(']') else {
                return self.error(start, "`[` is not closed: operators are removed by %[WM]f");
            };
            let mut ops = vec![];
            for c in list[..end].chars() {
                match operator(c) {
                    Some(op) => ops.push(op),
                    None => {
                        return self.error(
                            start,
                            format!("`{c}` cannot be removed: there are F G R W M ^ i e"),
                        );
                    }
                }
            }
            without = Some(ops);
            self.at += end + 2;
        }
        let Some(letter) = self.rest().chars().next() else {
            return self.error(start, "nothing follows the percent sign, which is written %%");
        };
        self.at += letter.len_utf8();
        let spelling = match letter.to_ascii_lowercase() {
            'f' => Some(Spelling::Spot),
            's' => Some(Spelling::Spin),
            'l' => Some(Spelling::Lbt),
            'w' => Some(Spelling::Wring),
            _ => None,
        };
        match (letter, self.input, spelling, without) {
            ('%', _, _, None) => Ok(Piece::Text("%".to_owned())),
            ('O', _, _, None) => Ok(Piece::Output),
            (_, Input::Formulas, Some(spelling), without) => Ok(Piece::Formula {
                spelling,
                without: without.unwrap_or_default(),
                file: letter.is_ascii_uppercase(),
            }),
            ('H', Input::Automata, _, None) => Ok(Piece::Automaton(Format::Hoa)),
            ('S', Input::Automata, _, None) => Ok(Piece::Automaton(Format::Never)),
            ('L', Input::Automata, _, None) => Ok(Piece::Automaton(Format::Lbtt)),
            (_, Input::Formulas, ..) => {
                self.error(start, "there are %f %s %l %w, %F %S %L %W, %O and %%")
            }
            (_, Input::Automata, ..) => self.error(start, "there are %H %S %L, %O and %%"),
        }
    }
}

/// The operator that a letter stands for between brackets.
fn operator(letter: char) -> Option<Op> {
    Some(match letter {
        'F' => Op::Finally,
        'G' => Op::Globally,
        'R' | 'V' => Op::Release,
        'W' => Op::WeakUntil,
        'M' => Op::StrongRelease,
        '^' => Op::Xor,
        'i' => Op::Implies,
        'e' => Op::Iff,
        _ => return None,
    })
}

/// Adds a piece; texts are joined.
fn push(word: &mut Word, piece: Piece) {
    match (word.last_mut(), piece) {
        (Some(Piece::Text(text)), Piece::Text(more)) => text.push_str(&more),
        (_, piece) => word.push(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_gets_an_answer(text in "[a%fOLHs{}\\[\\]WM'\"\\\\<>|é \t]{0,20}", shell: bool) {
            for input in [Input::Formulas, Input::Automata] {
                if let Err(error) = Template::read(&text, input, shell) {
                    prop_assert!(error.place.start <= error.place.end);
                    prop_assert!(error.place.end <= text.len());
                }
            }
        }

        #[test]
        fn quoted_words_stay_what_they_are(words in prop::collection::vec("[^%]{0,8}", 1..5)) {
            let quoted = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''")));
            let text = quoted.collect::<Vec<_>>().join(" ");
            let template = Template::read(&text, Input::Formulas, false).unwrap();
            let expected: Vec<Word> = words.iter().map(|word| super::tests::text(word)).collect();
            prop_assert_eq!(template.words, expected);
        }
    }

    fn read(text: &str) -> Result<Template, TemplateError> {
        Template::read(text, Input::Formulas, false)
    }

    fn text(text: &str) -> Word {
        vec![Piece::Text(text.to_owned())]
    }

    fn formula(spelling: Spelling, file: bool) -> Piece {
        Piece::Formula { spelling, without: vec![], file }
    }

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let template = read("{my tool} prog -x 'a b' \"c \\\" d\" e\\ f '' -p=%% %f>%O").unwrap();
        assert_eq!(template.name.as_deref(), Some("my tool"));
        let mut words = ["prog", "-x", "a b", "c \" d", "e f", "", "-p=%"].map(text).to_vec();
        words.push(vec![formula(Spelling::Spot, false)]);
        assert_eq!(template.words, words);
        assert_eq!(template.stdout, Some(vec![Piece::Output]));
        assert_eq!(template.stdin, None);
    }

    #[test]
    fn places_may_be_anywhere() {
        let template = read("lbt <%L > %O").unwrap();
        assert_eq!(template.stdin, Some(vec![formula(Spelling::Lbt, true)]));
        assert!(template.has_input() && template.has_output());
        let template = read("tool --formula='%[WM^]s'").unwrap();
        let removed = vec![Op::WeakUntil, Op::StrongRelease, Op::Xor];
        let piece = Piece::Formula { spelling: Spelling::Spin, without: removed, file: false };
        assert_eq!(template.words[1], [Piece::Text("--formula=".to_owned()), piece]);
    }

    #[test]
    fn a_shell_is_used_only_on_request() {
        assert!(read("a | b %f").unwrap_err().message.contains("sh:"));
        let template = read("{x}sh:a %f | b $HOME").unwrap();
        assert!(template.shell);
        assert_eq!(template.words.len(), 1);
        assert_eq!(template.words[0].last(), Some(&Piece::Text(" | b $HOME".to_owned())));
        assert!(Template::read("a | b", Input::Formulas, true).unwrap().shell);
    }

    #[test]
    fn mistakes_have_places() {
        for (text, place) in [
            ("prog 'abc", 5..9),
            ("prog %x", 5..7),
            ("prog %", 5..6),
            ("prog %[Z]f", 5..6),
            ("prog %[W", 5..6),
            ("prog ; ls", 5..6),
            ("{name prog", 0..1),
            ("prog %f >", 8..9),
            ("prog < < a", 7..8),
            ("prog \\", 5..6),
            ("prog < a < b", 9..12),
        ] {
            assert_eq!(read(text).unwrap_err().place, place, "{text}");
        }
    }

    #[test]
    fn automata_have_places_of_their_own() {
        let template = Template::read("tool %H %S %L", Input::Automata, false).unwrap();
        assert_eq!(template.words[1], [Piece::Automaton(Format::Hoa)]);
        assert!(Template::read("tool %f", Input::Automata, false).is_err());
        assert!(read("tool %H").is_err());
    }
}
