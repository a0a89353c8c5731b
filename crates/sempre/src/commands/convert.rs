//! `sempre convert`: writes models in other formats.

use crate::Exit;
use crate::limits::ModelLimits;
use crate::models::{ModelInput, languages};
use crate::output::OutputOptions;
use crate::progress::Meter;
use crate::symbolic::SymbolicOptions;
use anyhow::{Context, Result, anyhow, bail};
use sempre::check::Control;
use sempre::explorer::{ExploreSettings, Explorer};
use sempre::models::{Language, Languages, etf};
use std::io::Write;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  $ sempre generate counter 1 -o counter.net

  $ sempre convert counter.net --to etf
  begin state
  zero_0:int one_0:int
  end state
  begin edge
  action:action
  end edge
  begin init
  1 0
  end init
  begin trans
  1/0 0/1 0
  end trans
  begin trans
  0/1 1/0 1
  end trans
  begin sort int
  end sort
  begin sort action
  \"add_0\"
  \"restart\"
  end sort

  $ sempre generate philosophers 5 -o forks.net && sempre convert forks.net -o forks.etf

  $ sempre explore forks.etf
  states: 2164
  transitions: 9655
  deadlocks: 2
  depth: 12";

/// Write a model in another format.
///
/// Petri nets are written as .net or .pnml, Kripke structures as .kripke, and all models as .etf:
/// the tables of LTSmin, with the effect of each action on the variables that it touches, in
/// reachable states. This computes all reachable states symbolically.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Convert {
    #[command(flatten)]
    model: ModelInput,

    /// The format; by default, the ending of the output file decides.
    #[arg(long, value_name = "FORMAT", value_parser = languages(|language| language.write.is_some()), help_heading = "Output")]
    to: Option<&'static Language>,

    #[command(flatten)]
    output: OutputOptions,

    #[command(flatten)]
    symbolic: SymbolicOptions,

    #[command(flatten)]
    limits: ModelLimits,
}

impl Convert {
    pub(crate) fn run(&self) -> Result<Exit> {
        let languages = Languages::default();
        let by_name = || languages.of_path(self.output.output.as_deref()?);
        let format = self.to.or_else(by_name).context("the format to be written needs --to")?;
        let limits = self.limits.from(Instant::now());
        let written =
            Meter::run(limits, |control| control.limits.run(|| self.written(format, control)));
        let written = written.map_err(|reason| anyhow!(reason.to_string()))??;
        let mut out = self.output.open()?;
        out.write_all(written.as_bytes())?;
        out.finish()?;
        Ok(Exit::Success)
    }

    fn written(&self, language: &Language, control: &Control<'_>) -> Result<String> {
        let model = self.model.open()?;
        if let Some(text) = language.write.and_then(|write| write(&model)) {
            return Ok(text);
        }
        if language.name != "etf" {
            bail!("this model cannot be written as .{}", language.name);
        }
        let symbolic = self.symbolic.resolve(&*model.system())?;
        let settings = ExploreSettings { symbolic, ..ExploreSettings::default() };
        Ok(etf::write(&Explorer::new(model).with(settings).tabulate(control)?))
    }
}
