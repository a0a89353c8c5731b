//! Questions about the languages of automata, with words as witnesses.

use crate::automata::read_one;
use anyhow::Result;
use sempre::automata::hierarchy::{self, Class, Classes};
use sempre::automata::language::{self, Side};
use sempre::automata::stutter::{self, Invariance, StutteringWords};
use sempre::automata::{Automaton, emptiness};
use sempre::ltl::Word;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The questions about each automaton.
#[derive(clap::Args, Debug)]
#[group(id = "Questions", multiple = true)]
pub(super) struct Questions {
    /// Is it equivalent to the automaton in FILE?
    #[arg(long, value_name = "FILE", help_heading = "Questions")]
    equivalent_to: Option<PathBuf>,

    /// Does the automaton in FILE accept all words that it accepts?
    #[arg(long, value_name = "FILE", help_heading = "Questions")]
    included_in: Option<PathBuf>,

    /// Does it accept every word?
    #[arg(long, help_heading = "Questions")]
    universal: bool,

    /// Does it reject every word?
    #[arg(long, help_heading = "Questions")]
    empty: bool,

    /// Is its language stutter-invariant?
    #[arg(long, help_heading = "Questions")]
    stutter_invariant: bool,

    /// Which is the smallest class of Manna and Pnueli that contains its language?
    #[arg(long, help_heading = "Questions")]
    class: bool,
}

/// The questions, with their files read.
pub(super) struct Compiled<'a> {
    questions: &'a Questions,
    equivalent_to: Option<Automaton>,
    included_in: Option<Automaton>,
}

impl Questions {
    pub(super) fn is_empty(&self) -> bool {
        self.equivalent_to.is_none()
            && self.included_in.is_none()
            && !self.universal
            && !self.empty
            && !self.stutter_invariant
            && !self.class
    }

    /// Returns the files of the questions.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.equivalent_to.iter().chain(&self.included_in).map(PathBuf::as_path)
    }

    pub(super) fn compile(&self) -> Result<Compiled<'_>> {
        let read = |file: &Option<PathBuf>| file.as_deref().map(read_one).transpose();
        Ok(Compiled {
            questions: self,
            equivalent_to: read(&self.equivalent_to)?,
            included_in: read(&self.included_in)?,
        })
    }
}

impl Compiled<'_> {
    pub(super) fn ask(&self, automaton: &Automaton) -> Answers {
        let mut answers = vec![];
        if let Some(other) = &self.equivalent_to {
            let witness = language::distinguishing_word(automaton, other);
            let reduced = witness.map(|(word, side)| (word.reduced(), side));
            answers.push(Answer::Equivalent(reduced));
        }
        if let Some(other) = &self.included_in {
            let word = language::difference(automaton, other);
            answers.push(Answer::Included(word.map(|word| word.reduced())));
        }
        if self.questions.universal {
            let word = language::rejected_word(automaton);
            answers.push(Answer::Universal(word.map(|word| word.reduced())));
        }
        if self.questions.empty {
            let run = emptiness::accepting_run(automaton);
            answers.push(Answer::Empty(run.map(|run| run.word(automaton).reduced())));
        }
        if self.questions.stutter_invariant {
            answers.push(Answer::StutterInvariant(stutter::invariance(automaton)));
        }
        if self.questions.class {
            answers.push(Answer::Class(hierarchy::classes(automaton)));
        }
        Answers { name: automaton.name().map(str::to_owned), answers }
    }
}

/// The answers for one automaton, in the order of the help.
pub(super) struct Answers {
    name: Option<String>,
    answers: Vec<Answer>,
}

/// An answer, with a witness if it is no.
enum Answer {
    Equivalent(Option<(Word, Side)>),
    Included(Option<Word>),
    Universal(Option<Word>),
    Empty(Option<Word>),
    StutterInvariant(Invariance),
    Class(Classes),
}

impl Answer {
    fn holds(&self) -> bool {
        match self {
            Answer::Equivalent(word) => word.is_none(),
            Answer::Included(word) | Answer::Universal(word) | Answer::Empty(word) => {
                word.is_none()
            }
            Answer::StutterInvariant(invariance) => invariance.is_invariant(),
            Answer::Class(_) => true,
        }
    }

    fn text(&self) -> String {
        match self {
            Answer::Equivalent(None) => "equivalent".to_owned(),
            Answer::Equivalent(Some((word, Side::Left))) => {
                format!("not equivalent: {word} is accepted, but not by the other automaton")
            }
            Answer::Equivalent(Some((word, Side::Right))) => {
                format!("not equivalent: {word} is accepted only by the other automaton")
            }
            Answer::Included(None) => "included".to_owned(),
            Answer::Included(Some(word)) => {
                format!("not included: {word} is accepted, but not by the other automaton")
            }
            Answer::Universal(None) => "universal".to_owned(),
            Answer::Universal(Some(word)) => format!("not universal: {word} is rejected"),
            Answer::Empty(None) => "empty".to_owned(),
            Answer::Empty(Some(word)) => format!("not empty: {word} is accepted"),
            Answer::StutterInvariant(Invariance::Invariant) => "stutter-invariant".to_owned(),
            Answer::StutterInvariant(Invariance::Sensitive(words)) => {
                let StutteringWords { accepted, rejected } = words;
                format!("stutter-sensitive: {accepted} is accepted, {rejected} is not")
            }
            Answer::Class(classes) => match classes.smallest() {
                Some(class) => class.to_string(),
                None => format!("unknown, at most {}", classes.at_most()),
            },
        }
    }
}

impl Answers {
    pub(super) fn all_hold(&self) -> bool {
        self.answers.iter().all(Answer::holds)
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.answers.iter().try_for_each(|answer| writeln!(out, "{}", answer.text()))
    }

    pub(super) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let mut record = Record { name: self.name.clone(), ..Record::default() };
        let shown = |word: &Option<Word>| word.as_ref().map(Word::to_string);
        for answer in &self.answers {
            let verdict = |word| Some(Verdict { holds: answer.holds(), word, accepted_by: None });
            match answer {
                Answer::Equivalent(witness) => {
                    let word = witness.as_ref().map(|(word, _)| word.to_string());
                    let accepted_by = witness.as_ref().map(|(_, side)| match side {
                        Side::Left => "this",
                        Side::Right => "other",
                    });
                    let holds = answer.holds();
                    record.equivalent = Some(Verdict { holds, word, accepted_by });
                }
                Answer::Included(word) => record.included = verdict(shown(word)),
                Answer::Universal(word) => record.universal = verdict(shown(word)),
                Answer::Empty(word) => record.empty = verdict(shown(word)),
                Answer::StutterInvariant(invariance) => {
                    let words = match invariance {
                        Invariance::Invariant => None,
                        Invariance::Sensitive(words) => Some(words),
                    };
                    record.stutter_invariant = Some(StutterVerdict {
                        holds: answer.holds(),
                        accepted: words.map(|words| words.accepted.to_string()),
                        rejected: words.map(|words| words.rejected.to_string()),
                    });
                }
                Answer::Class(classes) => {
                    record.class = Some(ClassVerdict {
                        smallest: classes.smallest().map(Class::name),
                        at_most: classes.at_most().name(),
                    });
                }
            }
        }
        serde_json::to_writer(&mut *out, &record).map_err(io::Error::from)?;
        writeln!(out)
    }
}

/// The answers in JSON.
#[derive(Default, Serialize)]
struct Record {
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    equivalent: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    included: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    universal: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    empty: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stutter_invariant: Option<StutterVerdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<ClassVerdict>,
}

#[derive(Serialize)]
struct Verdict {
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted_by: Option<&'static str>,
}

#[derive(Serialize)]
struct StutterVerdict {
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<String>,
}

#[derive(Serialize)]
struct ClassVerdict {
    smallest: Option<&'static str>,
    at_most: &'static str,
}
