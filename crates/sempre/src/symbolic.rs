//! What commands that work on sets of states share: the engine, the order of variables, and how far
//! a run has got.

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

/// How states are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engine {
    /// One by one.
    #[default]
    Explicit,
    /// As sets, in decision diagrams.
    Symbolic,
    /// As sets of states with the same observed propositions: an observation graph.
    Sog,
}

/// Where the order of the variables comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OrderChoice {
    /// What seems best.
    Best,
    /// One heuristic.
    By(Heuristic),
    /// A file with names, from the top.
    File(PathBuf),
}

/// The words for orders, in an error message.
const ORDERS: &str = "`best`, `given`, `force`, `cuthill-mckee`, `sloan`, or `@FILE`";

/// The option that chooses the order of variables.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct OrderOption {
    /// The order of the variables in decision diagrams: the `best` of what heuristics find in
    /// short trials, `given`, `force`, `cuthill-mckee`, `sloan`, or `@FILE` with one name per line,
    /// from the top.
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
        heuristic.map(OrderChoice::By).ok_or_else(|| format!("an order is {ORDERS}"))
    }
}

impl OrderChoice {
    /// The order for a system.
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

/// Lets time limits end the work, and shows how far it has got.
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

/// A manager that shows on a terminal how far it has got, until [`quiet`] is called.
pub(crate) fn manager<'s>(bytes: Option<usize>) -> Manager<'s> {
    METER.set(Some(Meter::new()));
    let memory = bytes.unwrap_or(MEMORY);
    Manager::new(Options { memory, poll: Some(watch) })
}

/// Ends the progress of a manager.
pub(crate) fn quiet() {
    if let Some(mut meter) = METER.take() {
        meter.clear();
    }
}

/// A number for JSON; as a text if readers would round it.
pub(crate) fn whole(number: &BigUint) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}
