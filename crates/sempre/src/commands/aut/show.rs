//! `sempre aut show`: draws automata in the terminal.

use super::drawing::check_labels;
use crate::Exit;
use crate::automata::AutomatonInput;
use crate::limits::Limits;
use crate::output::OutputOptions;
use crate::report::{Located, Place};
use anyhow::Result;
use sempre::automata::draw::{self, TextOptions};
use sempre::automata::{AnyAutomaton, RunLayers, membership};
use sempre::ltl::Word;
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
         `- 1  [0] -@

  $ sempre translate --kind alternating 'G(a -> Fb)' | sempre aut show --run 'a & !b; cycle{!a & b}'
  0: a & !b       ─── 0 G(!a | Fb)   ─▶ 0 & 1

  1 cycle: !a & b ─┬─ 0 G(!a | Fb)   ─▶ 0
                   ├─ 1 Fb         ⓿ ─▶ 2
                   ╰─ 2 1            ─▶ 2";

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

    /// Draw an accepting run on WORD in place of the automaton: for each position the states of
    /// the run, each with those that follow it. Exit code 1 if the word is rejected.
    #[arg(long, value_name = "WORD", help_heading = "Output")]
    run: Option<String>,

    #[command(flatten)]
    limits: Limits,

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
        let read = |text: &String| -> Result<Word> {
            let word = Word::parse(text);
            word.map_err(|error| Located::new(&Place::Named("word"), text, error).into())
        };
        let word = self.run.as_ref().map(read).transpose()?;
        let mut rejected = false;
        let mut first = true;
        let bad = self.input.for_each(&self.limits, &mut out, |automaton, out| {
            if !first {
                out.end_line()?;
            }
            first = false;
            check_labels(&automaton)?;
            let drawing = match &word {
                None => match &automaton {
                    AnyAutomaton::Nondeterministic(automaton) => draw::text(automaton, &options),
                    AnyAutomaton::Alternating(automaton) => {
                        draw::text_alternating(automaton, &options)
                    }
                },
                Some(word) => run(&automaton, word, &options)?.unwrap_or_else(|| {
                    rejected = true;
                    "the word is rejected\n".to_owned()
                }),
            };
            out.write_all(drawing.as_bytes())?;
            Ok(ControlFlow::Continue(()))
        })?;
        out.finish()?;
        Ok(match bad.exit_code() {
            Exit::Success if rejected => Exit::Violated,
            exit => exit,
        })
    }
}

/// The drawing of an accepting run, if there is one.
fn run(automaton: &AnyAutomaton, word: &Word, options: &TextOptions) -> Result<Option<String>> {
    let found = match automaton {
        AnyAutomaton::Nondeterministic(automaton) => {
            membership::accepting_run(automaton, word).map(|run| RunLayers::of_run(&run, automaton))
        }
        AnyAutomaton::Alternating(automaton) => automaton.accepting_run(word)?,
    };
    let name = |state| match automaton {
        AnyAutomaton::Nondeterministic(automaton) => automaton.state_name(state).map(str::to_owned),
        AnyAutomaton::Alternating(automaton) => automaton.state_name(state).map(str::to_owned),
    };
    Ok(found.map(|run| draw::text_of_run(&run, word, name, options)))
}
