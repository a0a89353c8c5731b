//! Checks properties that are given as automata.

use super::run::Format;
use super::{Check, Loaded, ONE_PICTURE, Tally, begin};
use crate::Exit;
use crate::automata::read_all;
use crate::input::Failure;
use crate::output::Output;
use crate::report;
use anyhow::{Result, anyhow, bail};
use clap::ValueEnum;
use sempre::check::{AutomatonProperty, Behaviours, Property};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// The runs that satisfy a property given as automaton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum HoldsIf {
    /// Those that the automaton accepts.
    Accepted,
    /// Those that the automaton rejects.
    #[default]
    Rejected,
}

impl From<HoldsIf> for Behaviours {
    fn from(holds_if: HoldsIf) -> Self {
        match holds_if {
            HoldsIf::Accepted => Behaviours::Correct,
            HoldsIf::Rejected => Behaviours::Erroneous,
        }
    }
}

impl Check {
    /// Checks the properties that the automata of a file give, and writes each answer as soon as it
    /// is known.
    pub(super) fn automata(
        &self,
        path: &Path,
        loaded: &mut Option<Loaded>,
        out: &mut Output,
        exit: &mut Exit,
        tally: &mut Tally,
    ) -> Result<()> {
        let name = path.display().to_string();
        if begins_with(path, b'<') {
            bail!("{name} is no automaton: give properties in XML to --properties");
        }
        let automata = read_all(path)?;
        let count = automata.len();
        if self.format == Format::Svg && count > 1 {
            bail!(ONE_PICTURE);
        }
        for (number, automaton) in automata.into_iter().enumerate() {
            let name = match count {
                1 => name.clone(),
                _ => format!("{name}#{}", number + 1),
            };
            let property = Property::from(AutomatonProperty::new(automaton, self.holds_if.into()));
            let start = begin(loaded);
            let answer = match self.answer(loaded, &name, &property, None, None, start) {
                Ok(answer) => answer,
                Err(Failure::Formula(error)) => {
                    let error = anyhow!(error).context(name);
                    if !self.input.keeps_going() {
                        return Err(error);
                    }
                    out.flush()?;
                    report::error(&error);
                    *exit = Exit::Error;
                    continue;
                }
                Err(Failure::Fatal(error)) => return Err(error),
            };
            *exit = (*exit).max(answer.exit());
            self.write_answer(&answer, out, tally)?;
            if *exit == Exit::Interrupted {
                break;
            }
        }
        Ok(())
    }
}

/// True if the first character of a file is this one.
pub(super) fn begins_with(path: &Path, character: u8) -> bool {
    let mut start = [0; 256];
    let read = File::open(path).and_then(|mut file| file.read(&mut start));
    let start = &start[..read.unwrap_or(0)];
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    start.trim_ascii_start().first() == Some(&character)
}
