//! `sempre simulate`: steps through a model.

mod input;
mod replay;
mod walk;
mod watch;

use crate::Exit;
use crate::limits::ModelLimits;
use crate::models::{ModelInput, on_systems};
use crate::output::OutputOptions;
use anyhow::{Result, bail};
use sempre::ltl::generate::Rng;
use sempre::models::Extent;
use std::path::PathBuf;
use std::time::Instant;
use walk::Walk;

const EXAMPLES: &str = "\
Examples:
  $ sempre generate producer-consumer 1 -o buffer.net

  $ printf '1\\nundo\\nquit\\n' | sempre simulate buffer.net
  initial state
     producers_idle = 1
     slots = 1
     consumers_idle = 1
  1) produce
  1. produce
     producers_idle: 1 -> 0
     produced: 0 -> 1
  1) put
  back to step 0
     producers_idle: 0 -> 1
     produced: 1 -> 0
  1) produce

  $ sempre simulate buffer.net --random 2 --seed 1
  initial state
     producers_idle = 1
     slots = 1
     consumers_idle = 1
  1. produce
     producers_idle: 1 -> 0
     produced: 0 -> 1
  2. put
     producers_idle: 0 -> 1
     produced: 1 -> 0
     slots: 1 -> 0
     items: 0 -> 1

  $ sempre simulate buffer.net --random 9 --seed 1 --watch 'F items' --break items | tail -3
     items: 0 -> 1
     Fitems: true
  breakpoint: items

  $ sempre check buffer.net 'F G slots' --json > run.json
  ? 1

  $ sempre simulate buffer.net --replay run.json
  initial state
     producers_idle = 1
     slots = 1
     consumers_idle = 1
  cycle, repeated for ever
  1. produce
     producers_idle: 1 -> 0
     produced: 0 -> 1
  2. put
     producers_idle: 0 -> 1
     produced: 1 -> 0
     slots: 1 -> 0
     items: 0 -> 1
  3. get
     slots: 0 -> 1
     items: 1 -> 0
     consumers_idle: 1 -> 0
     got: 0 -> 1
  4. consume
     consumers_idle: 0 -> 1
     got: 1 -> 0
  the cycle closes: step 1 comes next";

/// Step through a model: choose actions, see their effects, undo them.
///
/// The enabled actions are numbered; `help` shows the commands. On a terminal, lines can be edited:
/// the arrow keys move and recall lines, TAB completes. Commands may also come from a pipe.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Simulate {
    #[command(flatten)]
    model: ModelInput,

    /// Fire N random actions, or fewer if a deadlock comes first.
    #[arg(long, value_name = "N")]
    random: Option<u64>,

    /// The seed of the random choices.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Show after each step whether the walk satisfies FORMULA: true or false whatever comes next, or
    /// open; may be repeated.
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    watch: Vec<String>,

    /// Stop random steps in a state in which PREDICATE is true; may be repeated.
    #[arg(long = "break", value_name = "PREDICATE", allow_hyphen_values = true)]
    breakpoints: Vec<String>,

    /// Write the walk to FILE when it ends, for --replay.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Walk through a counterexample that `sempre check --json` has printed to FILE (`-` is standard
    /// input), the first if there are several, or through a walk that was saved.
    ///
    /// Each step must be one of the model, and the cycle must close. On a terminal, ENTER shows the
    /// next step and `quit` ends; if standard input is none, all steps are shown.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random", "seed", "watch", "breakpoints", "save"])]
    replay: Option<PathBuf>,

    #[command(flatten)]
    output: OutputOptions,

    #[command(flatten)]
    limits: ModelLimits,
}

impl Simulate {
    pub(crate) fn run(&self) -> Result<Exit> {
        let bounds = self.limits.bounds(Instant::now());
        if let Some(path) = &self.replay {
            let replay = || replay::replay(path, &self.model, &self.output);
            return bounds.run(|| "the replay".into(), replay);
        }
        if self.random.is_none() && self.model.is_standard_input() {
            bail!("standard input cannot be both the model and the commands");
        }
        let model = bounds.run(|| "reading the model".into(), || self.model.open())?;
        let walk = Walk::new(Rng::new(self.seed), self.random, self.output.open()?);
        let mut walk = walk.with(&self.watch, &self.breakpoints, self.save.as_ref());
        let steps = || on_systems(&model, Extent::Whole, |system| walk.run(&self.model, system));
        // The steps so far are shown in any case.
        let end = bounds.run(|| "the walk".into(), steps);
        walk.finish()?;
        end
    }
}
