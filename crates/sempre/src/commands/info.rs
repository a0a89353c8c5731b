//! `sempre info`: the parts of a model, and the names that propositions can use.

use crate::Exit;
use crate::limits::ModelLimits;
use crate::models::ModelInput;
use crate::output::{Output, OutputOptions};
use crate::report::{Located, Place};
use anyhow::{Context, Result, bail};
use sempre::models::description::{Description, OtherName, Variable};
use sempre::models::etf::{self, Change, Etf, EtfSystem, RowChanges};
use sempre::models::proposition::{quoted, written, written_value};
use sempre::models::{Model, Origin, Source};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  $ sempre generate producer-consumer 1 -o buffer.net

  $ sempre info buffer.net | head -n 6
  model: producer-consumer-1
  kind: Petri net
  size: 6 places, 4 transitions, 4 bytes per state
  places
    producers_idle  0..1  initially 1
    produced        0..1  initially 0

  $ sempre info buffer.net | grep -w line.8 | cut -c1-45
    produce  line 8   guard producers_idle >= 1

  $ sempre info buffer.net | tail -n 6
  propositions, for example
    producers_idle
    producers_idle >= 2
    fireable(produce)
    fired(produce)
    deadlock

  $ sempre info buffer.net --json | grep -c producers_idle
  1";

/// Show the parts of a model: processes, variables and places with their ranges, channels,
/// transitions with their lines, and which propositions can be written.
///
/// Nothing is explored. Ranges are bounds that are known without exploring; `sempre explore
/// --bounds` computes the exact ones.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Info {
    #[command(flatten)]
    model: ModelInput,

    /// For tables of transitions (.etf): show for each row which of these propositions it changes,
    /// `?` where that depends on other slots. Separated by commas.
    #[arg(long, value_name = "PROPOSITIONS", value_delimiter = ',')]
    observe: Vec<String>,

    /// Print the results as one line of JSON.
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    limits: ModelLimits,

    #[command(flatten)]
    output: OutputOptions,
}

/// The most names that are listed for one that stands for them.
const LISTED: usize = 4;

/// The parts of a model that are shown.
struct Shown {
    name: Option<String>,
    description: Description,
    bytes: usize,
    rows: Option<Vec<RowChanges>>,
}

impl Info {
    pub(crate) fn run(&self) -> Result<Exit> {
        self.limits.bounds(Instant::now()).run(|| "the model".into(), || self.show())
    }

    fn show(&self) -> Result<Exit> {
        let model = self.model.open()?;
        let system = model.system();
        let shown = Shown {
            name: model.name().map(str::to_owned),
            description: model.describe(),
            bytes: 4 * system.words(),
            rows: self.rows(&model)?,
        };
        let mut out = self.output.open()?;
        match self.json {
            true => {
                let object = self.object(&shown);
                serde_json::to_writer(&mut out, &object).map_err(io::Error::from)?;
                out.end_line()?;
            }
            false => self.write(&shown, &mut out)?,
        }
        out.finish()?;
        Ok(Exit::Success)
    }

    /// The changes by each row of a model in tables, if they are asked for.
    fn rows(&self, model: &Model) -> Result<Option<Vec<RowChanges>>> {
        if self.observe.is_empty() {
            return Ok(None);
        }
        let Some(tables): Option<Arc<Etf>> = shared(model) else {
            bail!(
                "--observe is for tables of transitions; `sempre convert MODEL --to etf` makes them"
            );
        };
        let system = EtfSystem::new(tables);
        let mut observed = Vec::new();
        for text in &self.observe {
            // Each by itself first, so that an error has its place.
            let alone = etf::changesets(&system, &[text]);
            alone.map_err(|error| Located::new(&Place::Named("--observe"), text, error))?;
            observed.push(text.as_str());
        }
        etf::changesets(&system, &observed).map(Some).context("--observe")
    }

    fn write(&self, shown: &Shown, out: &mut Output) -> io::Result<()> {
        let Shown { name, description, bytes, rows } = shown;
        if let Some(name) = name {
            writeln!(out, "model: {name}")?;
        }
        writeln!(out, "kind: {}", description.kind)?;
        writeln!(out, "size: {}, {bytes} bytes per state", sizes(description))?;
        if !description.processes.is_empty() {
            writeln!(out, "processes")?;
            let lines = description.processes.iter().map(|process| {
                let states: Vec<String> =
                    process.states.iter().map(|s| written(s).into()).collect();
                let initial = format!("initially {}", written(&process.initial));
                vec![written(&process.name).into_owned(), states.join(" "), initial]
            });
            write_columns(lines.collect(), out)?;
        }
        // The kinds come in one piece each.
        for variables in description.variables.chunk_by(|one, other| one.kind == other.kind) {
            writeln!(out, "{}s", variables[0].kind)?;
            write_columns(variables.iter().map(variable_line).collect(), out)?;
        }
        if !description.channels.is_empty() {
            writeln!(out, "channels")?;
            let lines = description.channels.iter().map(|channel| {
                let capacity = match channel.capacity {
                    0 => "processes meet".to_owned(),
                    capacity => format!("up to {}", plural(capacity, "message")),
                };
                let parts = channel.parts.map_or(String::new(), |parts| plural(parts, "part"));
                vec![written(&channel.name).into_owned(), capacity, parts]
            });
            write_columns(lines.collect(), out)?;
        }
        if !description.transitions.is_empty() {
            writeln!(out, "transitions")?;
            let lines = description.transitions.iter().map(|transition| {
                let mut line = vec![transition.name.clone()];
                line.extend(origin_cells(&transition.origin));
                line
            });
            write_columns(lines.collect(), out)?;
        }
        if !description.others.is_empty() {
            writeln!(out, "other names")?;
            write_columns(description.others.iter().map(other_line).collect(), out)?;
        }
        writeln!(out, "propositions, for example")?;
        for proposition in &description.propositions {
            writeln!(out, "  {proposition}")?;
        }
        match rows {
            Some(rows) => self.write_rows(rows, out),
            None => Ok(()),
        }
    }

    fn write_rows(&self, rows: &[RowChanges], out: &mut Output) -> io::Result<()> {
        writeln!(out, "rows")?;
        let lines = rows.iter().map(|row| {
            let slots = row.slots.iter().map(|(name, before, after)| match before == after {
                true => format!("{name}={before}"),
                false => format!("{name}={before}/{after}"),
            });
            let changed =
                row.changes.iter().zip(&self.observe).filter_map(|(change, name)| match change {
                    Change::No => None,
                    Change::Yes => Some(name.clone()),
                    Change::Depends => Some(format!("{name}?")),
                });
            vec![
                format!("trans {}", row.table),
                slots.collect::<Vec<_>>().join(" "),
                row.labels.join(", "),
                format!("{{{}}}", changed.collect::<Vec<_>>().join(", ")),
            ]
        });
        write_columns(lines.collect(), out)
    }

    fn object(&self, shown: &Shown) -> Value {
        let Shown { name, description, bytes, rows } = shown;
        let processes = description.processes.iter().map(|process| {
            json!({ "name": process.name, "states": process.states, "initial": process.initial })
        });
        let variables = description.variables.iter().map(|variable| {
            json!({
                "name": variable.name,
                "kind": variable.kind,
                "length": variable.length,
                "least": variable.least,
                "greatest": variable.greatest,
                "values": variable.values,
                "initial": variable.initial,
            })
        });
        let channels = description.channels.iter().map(|channel| {
            let (name, capacity, parts) = (&channel.name, channel.capacity, channel.parts);
            json!({ "name": name, "capacity": capacity, "parts": parts })
        });
        let transitions = description.transitions.iter().map(|transition| {
            let Origin { process, line, guard, sync, effect } = &transition.origin;
            json!({
                "name": transition.name,
                "process": process,
                "line": line,
                "guard": guard,
                "sync": sync,
                "effect": effect,
            })
        });
        let others = description.others.iter().map(|other| {
            let kind = if other.is_transition { "transition" } else { "place" };
            json!({ "name": other.name, "kind": kind, "stands_for": other.stands_for })
        });
        let mut object = json!({
            "version": 1,
            "model": name,
            "kind": description.kind,
            "bytes_per_state": bytes,
            "processes": processes.collect::<Vec<_>>(),
            "variables": variables.collect::<Vec<_>>(),
            "channels": channels.collect::<Vec<_>>(),
            "transitions": transitions.collect::<Vec<_>>(),
            "other_names": others.collect::<Vec<_>>(),
            "propositions": description.propositions,
        });
        if let Some(rows) = rows {
            object["observed"] = json!(self.observe);
            let row = |row: &RowChanges| {
                let of = |wanted: Change| -> Vec<&String> {
                    let named = row.changes.iter().zip(&self.observe);
                    named.filter(|(change, _)| **change == wanted).map(|(_, name)| name).collect()
                };
                let slots = row.slots.iter().map(|(slot, before, after)| {
                    json!({ "slot": slot, "before": before, "after": after })
                });
                json!({
                    "table": row.table,
                    "slots": slots.collect::<Vec<_>>(),
                    "labels": row.labels,
                    "changes": of(Change::Yes),
                    "may_change": of(Change::Depends),
                })
            };
            object["rows"] = json!(rows.iter().map(row).collect::<Vec<_>>());
        }
        object
    }
}

/// The model as a shared value of that type.
fn shared<S: Source>(model: &Model) -> Option<Arc<S>> {
    model.shared()
}

/// The line, the guard, the communication and the effect, as far as there are any.
fn origin_cells(origin: &Origin) -> Vec<String> {
    let part = |keyword: &str, text: &str| match text {
        "" => String::new(),
        text => format!("{keyword} {text}"),
    };
    vec![
        origin.line.map_or(String::new(), |line| format!("line {line}")),
        part("guard", &origin.guard),
        part("sync", &origin.sync),
        part("effect", &origin.effect),
    ]
}

fn variable_line(variable: &Variable) -> Vec<String> {
    let length = variable.length.map_or(String::new(), |length| format!("[{length}]"));
    let range = match (variable.least, variable.greatest) {
        _ if !variable.values.is_empty() => {
            let values: Vec<String> =
                variable.values.iter().map(|v| written_value(v).into()).collect();
            values.join(" ")
        }
        (Some(least), Some(greatest)) => format!("{least}..{greatest}"),
        (Some(least), None) => format!("{least}.."),
        (None, _) => String::new(),
    };
    let initial: Vec<String> = variable.initial.iter().map(|v| written_value(v).into()).collect();
    let initial = match (&*initial, variable.kind) {
        ([], _) => String::new(),
        (values, "constant") => format!("always {}", values.join(" ")),
        (values, _) => format!("initially {}", values.join(" ")),
    };
    vec![format!("{}{length}", written(&variable.name)), range, initial]
}

/// Another name, and what it stands for.
fn other_line(other: &OtherName) -> Vec<String> {
    let (one, written): (_, fn(&str) -> Cow<'_, str>) = match other.is_transition {
        true => ("any of", quoted),
        false => ("sum of", written),
    };
    let names: Vec<Cow<'_, str>> = other.stands_for.iter().map(|name| written(name)).collect();
    let stands_for = match &*names {
        [name] => name.to_string(),
        [first, .., last] if names.len() > LISTED => {
            format!("{one} {first} … {last} ({})", names.len())
        }
        names => format!("{one} {}", names.join(", ")),
    };
    vec![written(&other.name).into_owned(), stands_for]
}

fn sizes(description: &Description) -> String {
    let mut sizes = Vec::new();
    let mut add = |count: usize, noun: &str| {
        if count > 0 {
            sizes.push(plural(count, noun));
        }
    };
    add(description.processes.len(), "process");
    for variables in description.variables.chunk_by(|one, other| one.kind == other.kind) {
        match variables[0].kind {
            "state" => add(variables[0].values.len(), "state"),
            kind => add(variables.len(), kind),
        }
    }
    add(description.channels.len(), "channel");
    add(description.transitions.len(), "transition");
    sizes.join(", ")
}

fn plural(count: usize, noun: &str) -> String {
    match (count, noun.ends_with('s')) {
        (1, _) => format!("1 {noun}"),
        (_, true) => format!("{count} {noun}es"),
        (_, false) => format!("{count} {noun}s"),
    }
}

/// Writes lines whose cells stand below each other. Cells that are empty in all lines take no room.
fn write_columns(lines: Vec<Vec<String>>, out: &mut Output) -> io::Result<()> {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in &lines {
        let mut text = String::new();
        for (cell, width) in line.iter().zip(&widths).filter(|(_, width)| **width > 0) {
            text.push_str(&format!("  {cell:<width$}"));
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}
