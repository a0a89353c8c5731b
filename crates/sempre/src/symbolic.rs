//! Options and progress of commands that use the symbolic engine.

use crate::progress::{Meter, short};
use anyhow::{Context, Result, anyhow};
use num_bigint::BigUint;
use sempre::diagrams::order::Heuristic;
use sempre::diagrams::{Manager, Options, Usage};
use sempre::ltl::interrupt;
use sempre::models::{System, VariableId};
use sempre::symbolic::{MEMORY, Order};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;

/// The representation of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engine {
    /// Explicit-state.
    #[default]
    Explicit,
    /// Symbolic: sets of states as decision diagrams.
    Symbolic,
}

/// The source of the variable order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OrderChoice {
    /// The best of several trials.
    Best,
    /// A heuristic.
    By(Heuristic),
    /// A file with one name per line, from the top.
    File(PathBuf),
}

/// The names of orders, for an error message.
const ORDERS: &str = "`best`, `given`, `force`, `cuthill-mckee`, `sloan`, or `@FILE`";

/// The option for the variable order.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct OrderOption {
    /// The variable order of decision diagrams: the `best` of short trials of heuristics, `given`,
    /// `force`, `cuthill-mckee`, `sloan`, or `@FILE` with one name per line, from the top.
    #[arg(long = "order", value_name = "ORDER", default_value = "best", help_heading = "Search")]
    pub(crate) order: OrderChoice,
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
    /// Returns the order for a system.
    pub(crate) fn resolve(&self, system: &dyn System) -> Result<Order> {
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

thread_local! {
    static METER: RefCell<Option<Meter>> = const { RefCell::new(None) };
}

/// Polls the limits and shows the progress.
fn watch(usage: &Usage) {
    METER.with_borrow_mut(|meter| {
        if let Some(meter) = meter {
            meter.show_line(|time| {
                let (nodes, mebibytes) = (short(usage.nodes as f64), usage.bytes >> 20);
                format!("{nodes} nodes, {mebibytes} MiB, {:.0} s", time.as_secs_f64())
            });
        }
    });
    interrupt::poll_now();
}

/// Makes a manager that shows its progress on a terminal until [`quiet`] is called.
pub(crate) fn manager<'s>(bytes: Option<usize>) -> Manager<'s> {
    METER.set(Some(Meter::new()));
    let memory = bytes.unwrap_or(MEMORY);
    Manager::new(Options { memory, poll: Some(watch) })
}

/// Stops showing the progress of a manager.
pub(crate) fn quiet() {
    if let Some(mut meter) = METER.take() {
        meter.clear();
    }
}

/// Returns a number for JSON; a string if readers would round it.
pub(crate) fn whole(number: &BigUint) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}
