//! `sempre convert`: writes models in other formats.

use crate::Exit;
use crate::limits::ModelLimits;
use crate::models::{ModelInput, languages};
use crate::output::OutputOptions;
use crate::symbolic::{OrderOption, manager, quiet};
use anyhow::{Context, Result, anyhow, bail};
use sempre::diagrams::Strategy;
use sempre::ltl::interrupt::{self, Interrupt};
use sempre::models::{Extent, Fault, Language, Languages, Model, System, etf};
use sempre::symbolic::{Encoding, Space, tabulate};
use std::io::Write;
use std::sync::Arc;
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
    order: OrderOption,

    #[command(flatten)]
    limits: ModelLimits,
}

impl Convert {
    pub(crate) fn run(&self) -> Result<Exit> {
        let languages = Languages::default();
        let by_name = || languages.of_path(self.output.output.as_deref()?);
        let format =
            self.to.or_else(by_name).context("the format of the output is unknown; use --to")?;
        let deadline = self.limits.deadline(Instant::now());
        let written = interrupt::run(&Interrupt::default(), deadline, || {
            let model = self.model.open()?;
            self.written(&model, format)
        });
        quiet();
        let written = written.map_err(|_| anyhow!("the time limit of --timeout was reached"))??;
        let mut out = self.output.open()?;
        out.write_all(written.as_bytes())?;
        out.finish()?;
        Ok(Exit::Success)
    }

    fn written(&self, model: &Model, language: &Language) -> Result<String> {
        if let Some(text) = language.write.and_then(|write| write(model)) {
            return Ok(text);
        }
        if language.name != "etf" {
            bail!("this model cannot be written as .{}", language.name);
        }
        let tables = model.run(Extent::Whole, |system| self.tabulate(system));
        Ok(etf::write(&tables.map_err(|fault| anyhow!("{fault}"))??))
    }

    fn tabulate(&self, system: &Arc<dyn System>) -> Result<Result<etf::Etf>, Fault> {
        let order = match self.order.order.resolve(&**system) {
            Ok(order) => order,
            Err(error) => return Ok(Err(error)),
        };
        let manager = manager(self.limits.bytes());
        let tables = manager.attempt(|| {
            let encoding = Encoding::new(&manager, system, &order)?;
            tabulate(&Space::new(encoding, Strategy::Saturation)?)
        });
        quiet();
        match tables {
            Ok(tables) => tables.map(Ok),
            Err(exhausted) => Ok(Err(anyhow!(exhausted))),
        }
    }
}
