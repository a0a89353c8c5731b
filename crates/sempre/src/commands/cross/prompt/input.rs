//! The commands of the prompt of `sempre cross --interactive`.

/// A command, with the unparsed rest of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// An empty line.
    Nothing,
    /// A command of the list.
    Known(&'static str, String),
    /// A word that begins no command, or several.
    Unknown(String),
}

/// The commands, as they are completed.
pub(super) const WORDS: [&str; 15] = [
    "automaton",
    "compare",
    "continue",
    "findings",
    "formula",
    "help",
    "proof",
    "quit",
    "results",
    "run",
    "skip",
    "statistics",
    "structure",
    "tools",
    "word",
];

pub(super) const HELP: &str = "\
findings                the findings of this round
formula [-]             the formula, or its negation, and its negation normal form
tools                   the tools by number, with the sizes of their automata
automaton TOOL [-]      an automaton as a drawing; with `hoa` or `dot`, in that format
structure [N]           the structure of the comparison, or the N-th; with `dot`, for Graphviz
results                 the states from which each automaton accepts an execution
word [WORD]             the answers of all automata on a word, by default that of the finding
proof [WORD]            why the word satisfies the formula, or not
run TOOL [-] [WORD]     an accepting run on the word
compare TOOL TOOL [-]   a word that only one of two automata accepts
statistics              the report on the rounds so far
continue [N]            resume; with N, without a pause in the next N rounds
skip [N]                leave out the next round, or the next N, and resume
quit                    end the run
A tool is its number or its name; `-` means the automaton of the negation. Commands may be
shortened, as long as no other begins alike.
";

/// Parses a line.
pub(super) fn parse(line: &str) -> Command {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if word.is_empty() {
        return Command::Nothing;
    }
    let mut fitting = WORDS.iter().filter(|known| known.starts_with(word));
    let exact = WORDS.iter().find(|known| **known == word);
    match (exact, fitting.next(), fitting.next()) {
        (Some(known), ..) | (None, Some(known), None) => {
            Command::Known(known, rest.trim().to_owned())
        }
        _ => Command::Unknown(word.to_owned()),
    }
}

/// Removes one of these words from the words of an argument, wherever it is; returns it.
pub(super) fn take<'a>(words: &mut Vec<&str>, known: &[&'a str]) -> Option<&'a str> {
    let place = words.iter().position(|word| known.contains(word))?;
    let word = words.remove(place);
    known.iter().find(|name| **name == word).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let known = |word, rest: &str| Command::Known(word, rest.to_owned());
        for (line, command) in [
            ("", Command::Nothing),
            ("  ", Command::Nothing),
            ("formula -", known("formula", "-")),
            ("c", Command::Unknown("c".into())),
            ("con 3", known("continue", "3")),
            ("word  a; cycle{b} ", known("word", "a; cycle{b}")),
            ("st", Command::Unknown("st".into())),
            ("str", known("structure", "")),
            ("run", known("run", "")),
            ("r", Command::Unknown("r".into())),
            ("formulas", Command::Unknown("formulas".into())),
        ] {
            assert_eq!(parse(line), command, "{line}");
        }
    }

    #[test]
    fn every_command_has_help() {
        for word in WORDS.iter().filter(|word| **word != "help") {
            assert!(HELP.lines().any(|line| line.split(' ').next() == Some(word)), "{word}");
        }
    }

    #[test]
    fn words_of_arguments_have_no_fixed_place() {
        let mut words = vec!["my", "-", "tool"];
        assert_eq!(take(&mut words, &["+", "-"]), Some("-"));
        assert_eq!((take(&mut words, &["+", "-"]), words), (None, vec!["my", "tool"]));
    }
}
