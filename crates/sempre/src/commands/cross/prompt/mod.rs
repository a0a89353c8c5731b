//! The prompt of a comparison that pauses: it shows all about the round before it.
//!
//! The commands are those of lbtt, as far as a round has what they show. Lines come from a terminal
//! or through a pipe; at the end of the input, the run ends.

mod input;
mod view;

use crate::editor::Editor;
use crate::output::Output;
use anyhow::Result;
use input::{Command, HELP, WORDS, parse};
use sempre::cross::{Round, Session, Statistics};
use std::io::Write;
use std::ops::ControlFlow;
use view::View;

/// When a run pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Pause {
    /// After each round with a failure
    OnError,
    /// After each round
    Always,
}

/// The state of the prompt between rounds.
pub(super) struct Prompt<'a> {
    session: &'a Session,
    pause: Pause,
    editor: Editor,
    /// The number of rounds that pass without a pause.
    passing: u64,
    /// The number of rounds that are left out.
    skipping: u64,
}

impl<'a> Prompt<'a> {
    pub(super) fn new(session: &'a Session, pause: Pause) -> Self {
        Prompt { session, pause, editor: Editor::default(), passing: 0, skipping: 0 }
    }

    /// True if the next round is left out.
    pub(super) fn skips(&mut self) -> bool {
        let skips = self.skipping > 0;
        self.skipping = self.skipping.saturating_sub(1);
        skips
    }

    /// True if the run pauses after the next round, which fails or not.
    pub(super) fn pauses(&mut self, fails: bool) -> bool {
        let passes = self.passing > 0;
        self.passing = self.passing.saturating_sub(1);
        !passes && (fails || self.pause == Pause::Always)
    }

    /// Executes commands about a round until one resumes or ends the run.
    pub(super) fn ask(
        &mut self,
        round: &Round,
        statistics: &Statistics,
        out: &mut Output,
    ) -> Result<ControlFlow<()>> {
        let view = View::new(self.session, round);
        writeln!(out, "Paused after round {}; `help` lists the commands.", round.number)?;
        let words = WORDS.map(ToOwned::to_owned);
        while let Some(line) = self.editor.read(out, &words)? {
            let (word, rest) = match parse(&line) {
                Command::Nothing => continue,
                Command::Unknown(word) => {
                    writeln!(out, "there is no command `{word}`; `help` lists them")?;
                    continue;
                }
                Command::Known(word, rest) => (word, rest),
            };
            let number = match &*rest {
                "" => None,
                text => text.parse::<u64>().ok(),
            };
            match (word, number) {
                ("help", _) => out.write_all(HELP.as_bytes())?,
                ("statistics", _) => write!(out, "{}", statistics.without_times())?,
                ("quit", _) => return Ok(ControlFlow::Break(())),
                ("continue" | "skip", None) if !rest.is_empty() => {
                    writeln!(out, "`{rest}` is no number of rounds")?;
                }
                ("continue", number) => {
                    self.passing = number.unwrap_or(0);
                    return Ok(ControlFlow::Continue(()));
                }
                ("skip", number) => {
                    self.skipping = number.unwrap_or(1);
                    return Ok(ControlFlow::Continue(()));
                }
                (word, _) => match view.show(word, &rest) {
                    Ok(text) => out.write_all(text.as_bytes())?,
                    Err(error) => writeln!(out, "{error:#}")?,
                },
            }
        }
        Ok(ControlFlow::Break(()))
    }
}
