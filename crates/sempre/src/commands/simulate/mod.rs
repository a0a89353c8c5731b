//! `sempre simulate`: steps through a model.

mod input;
mod replay;
mod walk;

use crate::Exit;
use crate::models::ModelInput;
use crate::output::Output;
use anyhow::{Result, anyhow, bail};
use sempre::ltl::generate::Rng;
use sempre::models::Extent;
use std::path::PathBuf;
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

  $ sempre check buffer.net 'F G slots' --json > run.json
  ? 1

  $ sempre simulate buffer.net --replay run.json
  initial state
     producers_idle = 1
     slots = 1
     consumers_idle = 1
  cycle
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
/// Enabled actions are numbered; `help` lists the commands. Commands may come from a pipe.
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

    /// Replay a counterexample that `sempre check --json` printed to FILE (`-` is standard input);
    /// the first if there are several.
    ///
    /// Each step must be a step of the model, and the cycle must close. On a terminal, ENTER shows
    /// the next step and `quit` quits; otherwise all steps are shown.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random", "seed"])]
    replay: Option<PathBuf>,
}

impl Simulate {
    pub(crate) fn run(&self) -> Result<Exit> {
        if let Some(path) = &self.replay {
            return replay::replay(path, &self.model);
        }
        if self.random.is_none() && self.model.is_standard_input() {
            bail!("standard input cannot be both the model and the commands");
        }
        let model = self.model.open()?;
        let mut walk = Walk::new(Rng::new(self.seed), self.random, Output::standard());
        let ended = model.run(Extent::Whole, |system| walk.run(&**system));
        let ended = ended.map_err(|fault| anyhow!("{fault}"))??;
        walk.finish()?;
        Ok(ended)
    }
}
