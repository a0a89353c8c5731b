//! The parts of a model that no run uses, in output.

use crate::schema::described;
use sempre::explorer::{DeadTransition, Unreached};
use std::io::{self, Write};

described! {
    /// A transition that never occurs.
    pub(crate) struct NeverOccurs {
        /// Its name.
        name: String,
        /// Its line in the file of the model; null if it is not known.
        line: Option<usize>,
    }
}

/// The transitions that never occur, for programs.
pub(crate) fn never_occur(unreached: &Unreached) -> Vec<NeverOccurs> {
    let all = unreached.transitions.iter();
    all.map(|one| NeverOccurs { name: one.name.clone(), line: one.line }).collect()
}

/// Writes the transitions and the locations, one in a line.
pub(crate) fn write(unreached: &Unreached, out: &mut impl Write) -> io::Result<()> {
    if !unreached.transitions.is_empty() {
        writeln!(out, "never occur:")?;
    }
    for DeadTransition { name, line } in &unreached.transitions {
        match line {
            Some(line) => writeln!(out, "  {name}, line {line}")?,
            None => writeln!(out, "  {name}")?,
        }
    }
    if !unreached.locations.is_empty() {
        writeln!(out, "never reached:")?;
    }
    for location in &unreached.locations {
        writeln!(out, "  {location}")?;
    }
    Ok(())
}
