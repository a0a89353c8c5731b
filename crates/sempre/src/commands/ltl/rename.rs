//! `sempre ltl rename`: other names for propositions.

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

/// Give propositions other names.
///
/// Without --map, the propositions of each formula are named anew, in the order in which they
/// occur.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Rename {
    #[command(flatten)]
    input: FormulaInput,

    /// What new names look like: a, b, c, … or p0, p1, p2, …
    #[arg(long, default_value = "abc", help_heading = "Renaming")]
    style: NameStyle,

    /// Rename these propositions only, at once: a=b,b=a swaps two names.
    #[arg(
        long,
        value_name = "OLD=NEW,…",
        value_delimiter = ',',
        value_parser = pair,
        conflicts_with_all = ["style", "boolean", "canonical", "show_names"],
        help_heading = "Renaming"
    )]
    map: Vec<(Prop, Prop)>,

    /// Name Boolean subformulas that are independent of the rest, not only propositions.
    #[arg(long, help_heading = "Renaming")]
    boolean: bool,

    /// Name propositions such that formulas that differ in names only become the same.
    #[arg(long, conflicts_with_all = ["style", "boolean", "show_names"], help_heading = "Renaming")]
    canonical: bool,

    /// Print before each formula, as comments, what the new names stand for.
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

fn pair(text: &str) -> Result<(Prop, Prop), String> {
    match text.split_once('=').map(|(old, new)| (old.trim(), new.trim())) {
        Some((old, new)) if !old.is_empty() && !new.is_empty() => Ok((old.into(), new.into())),
        _ => Err(format!("`{text}` is not of the form OLD=NEW")),
    }
}

impl Rename {
    pub(crate) fn run(&self) -> Result<Exit> {
        let map: FxHashMap<&Prop, &Prop> = self.map.iter().map(|(old, new)| (old, new)).collect();
        let style = self.style.into();
        let mut out = self.output.open()?;
        let bad = self.input.for_each(&mut out, |formula, out| {
            let renamed = if !map.is_empty() {
                rename(&formula, |prop| (*map.get(prop).unwrap_or(&prop)).clone())
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
