//! `sempre replay`: is a saved counterexample still one of the model as it is now?

use crate::Exit;
use crate::follow::{Followed, follow};
use crate::limits::ModelLimits;
use crate::models::{languages, on_systems};
use crate::output::Output;
use crate::saved::{self, Saved};
use anyhow::{Context, Result, anyhow};
use sempre::check::{Deadlock, Fairness, Question};
use sempre::ltl::Formula;
use sempre::models::{Extent, Fault, Language, Languages, languages as known};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  $ sempre generate philosophers 2 -o philosophers.net

  $ sempre check philosophers.net 'G F eats_0' --brief --save-as starvation.json | head -1
  GFeats_0: violated

  $ sempre replay starvation.json
  GFeats_0: still violated, by the saved run of 6 steps

  $ sempre generate philosophers 3 -o philosophers.net

  $ sempre replay starvation.json
  GFeats_0: the saved run is no counterexample any more: in the initial state, `fork_2` is 1, not 0
  ? 1

Exit codes:
  0  each saved run is still a counterexample
  1  a saved run is no run of the model any more, or satisfies the property now
  2  a file cannot be read, or a proposition has no meaning in the model";

/// Replay counterexamples that `sempre check --save-as` has kept: regression tests of a model.
///
/// Each run is followed on the model as it is now, and the property is evaluated on it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Replay {
    /// A file that `sempre check --save-as` has written.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Replay on this model instead of the one that the file names.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// The format of the model, if its name does not say it.
    #[arg(long, value_name = "FORMAT", value_parser = languages(|_| true))]
    model_format: Option<&'static Language>,

    #[command(flatten)]
    limits: ModelLimits,
}

impl Replay {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut out = Output::standard();
        let mut exit = Exit::Success;
        for file in &self.files {
            for saved in saved::read(file)? {
                let name = &saved.property;
                let bounds = self.limits.bounds(Instant::now());
                match bounds.run(|| name.clone(), || self.replay(file, &saved))? {
                    Ok(steps) => writeln!(
                        out,
                        "{name}: still violated, by the saved run of {steps} step{}",
                        if steps == 1 { "" } else { "s" }
                    )?,
                    Err(reason) => {
                        exit = Exit::Violated;
                        writeln!(
                            out,
                            "{name}: the saved run is no counterexample any more: {reason}"
                        )?;
                    }
                }
                out.flush()?;
            }
        }
        out.finish()?;
        Ok(exit)
    }

    /// The number of steps of the run, or why it is no counterexample.
    fn replay(&self, file: &Path, saved: &Saved) -> Result<Result<usize, String>> {
        let place = || format!("{}: {}", file.display(), saved.property);
        let folder = file.parent().unwrap_or(Path::new(""));
        let path = self.model.clone().unwrap_or_else(|| folder.join(&saved.model));
        let format = match (self.model_format, &saved.model_format) {
            (Some(format), _) => Some(format),
            (None, Some(name)) => {
                Some(known::named(name).with_context(|| format!("there is no format `{name}`"))?)
            }
            (None, None) => None,
        };
        let model = Languages::default().open(&path, format);
        let model = model.map_err(|error| anyhow!(error).context(path.display().to_string()))?;
        let formula: Formula =
            saved.formula.parse().map_err(|error| anyhow!("{error}")).with_context(place)?;
        let deadlock = Deadlock::ALL.into_iter().find(|one| one.name() == saved.deadlock);
        let deadlock = deadlock
            .with_context(|| format!("there is no meaning `{}` of deadlocks", saved.deadlock))?;
        let fairness = match &saved.fairness {
            Some(text) => Some(
                Fairness::named(text).with_context(|| format!("there is no fairness `{text}`"))?,
            ),
            None => None,
        };
        // Propositions and fairness must have a meaning.
        let question = Question::new(model.system(), &formula, deadlock).with_context(place)?;
        if let Some(fairness) = fairness {
            question.fair(fairness).with_context(place)?;
        }
        let judged = on_systems(&model, Extent::OnTheFly, |system| {
            Ok(match follow(&saved.counterexample, system) {
                Err(error) if error.is::<Fault>() => return Err(error),
                Err(error) => Err(error.to_string()),
                Ok(Followed { error: Some(error), .. }) => Err(error),
                Ok(Followed { run, steps, .. }) => {
                    let judged = run.judge(system, &formula, deadlock);
                    let judged = judged.and_then(|_| match fairness {
                        Some(fairness) => fairness.judge(&run, system),
                        None => Ok(()),
                    });
                    judged.map(|()| steps).map_err(|rejected| rejected.0)
                }
            })
        });
        judged.with_context(place)
    }
}
