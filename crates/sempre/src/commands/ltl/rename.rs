//! `sempre ltl rename`: renames propositions.

use crate::Exit;
use crate::input::{Failure, FormulaInput};
use crate::output::{FormulaOutput, Output};
use anyhow::Result;
use rustc_hash::FxHashMap;
use sempre::ltl::rewrite::rename::{Style, canonical, relabel, relabel_boolean, rename};
use sempre::ltl::{Formula, Prop};
use std::io::Write;
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl rename 'G(request -> F grant)'
  G(a -> Fb)

  $ sempre ltl rename --boolean --show-names 'G((x & !y) -> F z)'
  # a = x & !y
  # b = z
  G(a -> Fb)

  $ sempre ltl rename --map request=req,grant=ack 'G(request -> F grant)'
  G(req -> Fack)
";

/// Rename propositions.
///
/// Without --map, the propositions of each formula are named in the order of their occurrence.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Rename {
    #[command(flatten)]
    input: FormulaInput,

    /// The style of new names: a, b, c, … or p0, p1, p2, …
    #[arg(long, default_value = "abc", help_heading = "Renaming")]
    style: NameStyle,

    /// Rename only these propositions, simultaneously: a=b,b=a swaps two names. Names may be
    /// quoted.
    #[arg(
        long,
        value_name = "OLD=NEW,…",
        value_parser = renamings,
        conflicts_with_all = ["style", "boolean", "canonical", "show_names"],
        help_heading = "Renaming"
    )]
    map: Option<FxHashMap<Prop, Prop>>,

    /// Also name Boolean subformulas that share no proposition with the rest.
    #[arg(long, help_heading = "Renaming")]
    boolean: bool,

    /// Choose canonical names: formulas that differ only in names become equal.
    #[arg(long, conflicts_with_all = ["style", "boolean", "show_names"], help_heading = "Renaming")]
    canonical: bool,

    /// Print the meaning of the new names before each formula, as comments.
    #[arg(long, help_heading = "Output")]
    show_names: bool,

    #[command(flatten)]
    output: FormulaOutput,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum NameStyle {
    /// a, b, c, …
    Abc,
    /// p0, p1, p2, …
    Pnn,
}

impl From<NameStyle> for Style {
    fn from(style: NameStyle) -> Style {
        match style {
            NameStyle::Abc => Style::Abc,
            NameStyle::Pnn => Style::Pnn,
        }
    }
}

/// Parses renamings such as `a=b, "x > 3"=c`, with names as in formulas.
fn renamings(text: &str) -> Result<FxHashMap<Prop, Prop>, String> {
    let mut map = FxHashMap::default();
    for pair in split_outside_quotes(text, ',') {
        let names: Vec<Option<Prop>> =
            split_outside_quotes(pair, '=').into_iter().map(name).collect();
        let [Some(old), Some(new)] = &names[..] else {
            return Err(format!("`{}` is not of the form OLD=NEW", pair.trim()));
        };
        if map.insert(old.clone(), new.clone()).is_some_and(|other| other != *new) {
            return Err(format!("`{}` would get two names", old.name()));
        }
    }
    Ok(map)
}

/// Parses the name of a proposition: quoted, or any other text.
fn name(text: &str) -> Option<Prop> {
    let text = text.trim();
    match text.parse::<Formula>() {
        Ok(formula) if text.starts_with('"') => formula.as_prop().cloned(),
        _ if text.is_empty() || text.contains('"') => None,
        _ => Some(Prop::new(text)),
    }
}

fn split_outside_quotes(text: &str, separator: char) -> Vec<&str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(|c| {
        let escape = quoted && !escaped && c == '\\';
        quoted ^= c == '"' && !escaped;
        escaped = escape;
        c == separator && !quoted
    })
    .collect()
}

impl Rename {
    pub(crate) fn run(&self) -> Result<Exit> {
        let style = self.style.into();
        let mut out = self.output.open()?;
        let bad = self.input.for_each(&mut out, |formula, out| {
            let renamed = if let Some(map) = &self.map {
                rename(&formula, |prop| map.get(prop).unwrap_or(prop).clone())
            } else if self.canonical {
                canonical(&formula)
            } else if self.boolean {
                let (renamed, parts) = relabel_boolean(&formula, style);
                self.write_names(out, &parts)?;
                renamed
            } else {
                let (renamed, names) = relabel(&formula, style);
                let parts = names.into_iter().map(|(new, old)| (new, Formula::prop(old)));
                self.write_names(out, &parts.collect::<Vec<_>>())?;
                renamed
            };
            self.output.write(out, &renamed)?;
            Ok(ControlFlow::Continue(()))
        })?;
        out.finish()?;
        Ok(bad.exit_code())
    }

    fn write_names(&self, out: &mut Output, names: &[(Prop, Formula)]) -> Result<(), Failure> {
        if !self.show_names {
            return Ok(());
        }
        for (name, part) in names {
            write!(out, "# {} = {}", name.name(), self.output.print(part)?)?;
            out.end_line()?;
        }
        Ok(())
    }
}
