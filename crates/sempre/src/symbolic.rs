//! The options of work on sets of states, the same in every command.

use anyhow::{Context, Result, anyhow};
use sempre::diagrams::order::Heuristic;
use sempre::models::{System, VariableId};
use sempre::symbolic::{self, Order};
use std::fs;
use std::path::PathBuf;

/// Where the order of the variables comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OrderChoice {
    /// The best choice by heuristics.
    Best,
    /// A heuristic.
    By(Heuristic),
    /// A file with one name per line, from the top.
    File(PathBuf),
}

/// The names of orders, for an error message.
const ORDERS: &str = "`best`, `given`, `force`, `cuthill-mckee`, `sloan`, or `@FILE`";

/// The options of work on sets of states.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SymbolicOptions {
    /// The order of the variables in decision diagrams: the `best` of what heuristics find in
    /// short trials, `given`, `force`, `cuthill-mckee`, `sloan`, or `@FILE` with one name per line,
    /// from the top.
    #[arg(long = "order", value_name = "ORDER", default_value = "best", help_heading = "Symbolic")]
    order: OrderChoice,

    /// Compute sets of states layer by layer, without saturation.
    #[arg(long, help_heading = "Symbolic")]
    no_saturation: bool,
}

impl SymbolicOptions {
    /// The options for a system.
    pub(crate) fn resolve(&self, system: &dyn System) -> Result<symbolic::Options> {
        Ok(symbolic::Options {
            order: self.order.resolve(system)?,
            saturate: !self.no_saturation,
            ..symbolic::Options::default()
        })
    }
}

impl std::str::FromStr for OrderChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "best" {
            return Ok(OrderChoice::Best);
        }
        if let Some(file) = text.strip_prefix('@') {
            return Ok(OrderChoice::File(file.into()));
        }
        let heuristic = Heuristic::ALL.into_iter().find(|heuristic| heuristic.name() == text);
        heuristic.map(OrderChoice::By).ok_or_else(|| format!("expected {ORDERS}"))
    }
}

impl OrderChoice {
    /// The order for a system.
    fn resolve(&self, system: &dyn System) -> Result<Order> {
        Ok(match self {
            OrderChoice::Best => Order::Best,
            OrderChoice::By(heuristic) => Order::By(*heuristic),
            OrderChoice::File(path) => {
                let shown = path.display();
                let text =
                    fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
                let names: Vec<String> = (0..system.names().variable_count() as u32)
                    .map(|number| system.names().variable_name(VariableId(number)))
                    .collect();
                let mut variables = Vec::new();
                for (number, line) in text.lines().enumerate() {
                    let name = line.trim();
                    if name.is_empty() {
                        continue;
                    }
                    let place = names.iter().position(|other| other == name);
                    let place = place.ok_or_else(|| {
                        let line = number + 1;
                        anyhow!("{shown}:{line}: the model has no variable named `{name}`")
                    })?;
                    variables.push(VariableId(place as u32));
                }
                Order::Given(variables)
            }
        })
    }
}
