//! `sempre convert`: models in other formats.

use crate::Exit;
use crate::limits::seconds;
use crate::models::ModelInput;
use crate::output::OutputOptions;
use crate::symbolic::{OrderChoice, manager, quiet};
use anyhow::{Context, Result, anyhow, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::diagrams::Strategy;
use sempre::ltl::interrupt::{self, Interrupt};
use sempre::models::petri::{pnml, text};
use sempre::models::{Fault, Model, ModelFormat, System, Task, etf, kripke};
use sempre::symbolic::{Encoding, Space, tabulate};
use std::io::Write;
use std::time::{Duration, Instant};

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
  states       2164
  transitions  9655
  deadlocks    2
  depth        12";

/// Write a model in another format.
///
/// Petri nets are written as .net or .pnml, Kripke structures as .kripke, and all models as .etf:
/// the tables of LTSmin, with what each action does to the few variables that it touches, in
/// reachable states. All reachable states are computed for that, as sets.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Convert {
    #[command(flatten)]
    model: ModelInput,

    /// The format; without it, the name of the file that is written decides.
    #[arg(long, value_name = "FORMAT", value_parser = formats(), help_heading = "Output")]
    to: Option<ModelFormat>,

    #[command(flatten)]
    output: OutputOptions,

    /// The order of the variables in decision diagrams, as for `sempre explore`.
    #[arg(long, value_name = "ORDER", default_value = "best", help_heading = "Search")]
    order: OrderChoice,

    /// Stop after that many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    timeout: Option<Duration>,

    /// Stop when decision diagrams need that many mebibytes of memory (4096 without it).
    #[arg(long, value_name = "MIB", help_heading = "Limits")]
    memory: Option<usize>,
}

fn formats() -> impl TypedValueParser<Value = ModelFormat> {
    let formats = [ModelFormat::Pnml, ModelFormat::Net, ModelFormat::Etf, ModelFormat::Kripke];
    let names = formats.map(ModelFormat::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<ModelFormat>())
}

impl Convert {
    pub(crate) fn run(&self) -> Result<Exit> {
        let by_name = || self.output.output.as_deref().and_then(ModelFormat::of_path);
        let format = self.to.or_else(by_name).context("the format to be written needs --to")?;
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let written = interrupt::run(&Interrupt::default(), deadline, || {
            let model = self.model.open()?;
            self.written(&model, format)
        });
        quiet();
        let written = written.map_err(|_| anyhow!("the time that --timeout allows is over"))??;
        let mut out = self.output.open()?;
        out.write_all(written.as_bytes())?;
        out.finish()?;
        Ok(Exit::Success)
    }

    fn written(&self, model: &Model, format: ModelFormat) -> Result<String> {
        Ok(match (model, format) {
            (Model::Net(net), ModelFormat::Net) => text::write(net),
            (Model::Net(net), ModelFormat::Pnml) => pnml::write(net),
            (Model::Kripke(kripke), ModelFormat::Kripke) => kripke::text::write(kripke),
            (Model::Etf(tables), ModelFormat::Etf) => etf::write(tables),
            (_, ModelFormat::Etf) => {
                let tables = model.run(&mut Tabulate { options: self });
                etf::write(&tables.map_err(|fault| anyhow!("{fault}"))??)
            }
            (_, format) => bail!("this model cannot be written as .{}", format.name()),
        })
    }
}

struct Tabulate<'a> {
    options: &'a Convert,
}

impl Task for Tabulate<'_> {
    type Output = Result<etf::Etf>;

    fn run<S: System>(&mut self, system: &S) -> Result<Self::Output, Fault> {
        let order = match self.options.order.resolve(system) {
            Ok(order) => order,
            Err(error) => return Ok(Err(error)),
        };
        let bytes = self.options.memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
        let manager = manager(bytes);
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
