//! `sempre aut show`: draws automata in the terminal.

use super::drawing::check_labels;
use super::nondeterministic;
use crate::Exit;
use crate::automata::AutomatonInput;
use crate::output::OutputOptions;
use anyhow::Result;
use sempre::automata::draw::{self, TextOptions};
use std::io::Write;
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  $ sempre aut random --props a --states 3 | sempre aut show --ascii
  Inf([0]), Büchi

  > o 0 -+- !a     -> 1
         |- a      -@
         `- a      -> 1

    o 1 --- 1      -> 2

    o 2 -+- !a     -> 1
         `- 1  [0] -@";

/// Draw automata in the terminal.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Show {
    #[command(flatten)]
    input: AutomatonInput,

    /// Draw with ASCII characters only.
    #[arg(long, help_heading = "Output")]
    ascii: bool,

    /// Show at most N states, nearest to the initial ones first.
    #[arg(long, value_name = "N", help_heading = "Output")]
    max_states: Option<usize>,

    #[command(flatten)]
    output: OutputOptions,
}

impl Show {
    pub(super) fn run(&self) -> Result<Exit> {
        let mut out = self.output.open()?;
        let options = TextOptions {
            ascii: self.ascii,
            max_states: self.max_states,
            ..TextOptions::default()
        };
        let mut first = true;
        let bad = self.input.for_each(&mut out, |automaton, out| {
            if !first {
                out.end_line()?;
            }
            first = false;
            check_labels(&automaton)?;
            let drawing = draw::text(nondeterministic(&automaton)?, &options);
            out.write_all(drawing.as_bytes())?;
            Ok(ControlFlow::Continue(()))
        })?;
        out.finish()?;
        Ok(bad.exit_code())
    }
}
