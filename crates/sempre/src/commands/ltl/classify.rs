//! `sempre ltl classify`: what the syntax of a formula tells.

use super::class::Class;
use crate::Exit;
use crate::input::FormulaInput;
use crate::output::{FormulaOutput, Output};
use anyhow::Result;
use sempre::ltl::{Formula, Traits};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl classify 'G(request -> F grant)' | grep class
  syntactic class       recurrence
  all its classes       recurrence, reactivity

  $ sempre ltl patterns eh | sempre ltl classify --json | grep -c recurrence
  8";

/// Tell the size, the class and other syntactic properties of formulas.
///
/// All of them are read off the syntax: a formula that is, say, no syntactic safety formula may
/// be equivalent to one that is. Simplify formulas first to learn more.
///
/// The class is that of the hierarchy of Manna and Pnueli: safety, guarantee, obligation,
/// persistence, recurrence, reactivity.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Classify {
    #[command(flatten)]
    input: FormulaInput,

    /// Print one JSON object per formula and line.
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    output: FormulaOutput,
}

/// The fragments of LTL that have names, and those names in options and tables.
pub(crate) const FRAGMENTS: [(&str, &str, Traits); 3] = [
    ("fg", "LTL(F,G)", Traits::FRAGMENT_F_G),
    ("fsgs", "LTL(Fs,Gs)", Traits::FRAGMENT_FS_GS),
    ("no-gux", "LTL\\GUX", Traits::FRAGMENT_NO_GUX),
];

/// What is told about a formula.
#[derive(Serialize)]
struct Portrait {
    formula: String,
    size: u64,
    dag_size: usize,
    depth: u32,
    temporal_depth: u32,
    propositions: Vec<String>,
    syntactic_class: &'static str,
    syntactic_classes: Vec<&'static str>,
    pure_eventuality: bool,
    pure_universality: bool,
    boolean: bool,
    next_free: bool,
    nnf: bool,
    fragments: Vec<&'static str>,
}

impl Portrait {
    fn new(formula: &Formula, text: String) -> Self {
        let fragments = FRAGMENTS.iter().filter(|(_, _, traits)| formula.is(*traits));
        Portrait {
            formula: text,
            size: formula.size(),
            dag_size: formula.dag_size(),
            depth: formula.depth(),
            temporal_depth: formula.temporal_depth(),
            propositions: formula.props().iter().map(|prop| prop.name().to_owned()).collect(),
            syntactic_class: Class::smallest(formula),
            syntactic_classes: Class::all_of(formula).map(Class::name).collect(),
            pure_eventuality: formula.is(Traits::EVENTUAL),
            pure_universality: formula.is(Traits::UNIVERSAL),
            boolean: formula.is(Traits::BOOLEAN),
            next_free: formula.is(Traits::NEXT_FREE),
            nnf: formula.is(Traits::NNF),
            fragments: fragments.map(|&(name, _, _)| name).collect(),
        }
    }

    /// Two columns: the property, and what it is for this formula.
    fn write_table(&self, out: &mut Output) -> io::Result<()> {
        let yes = |holds: bool| if holds { "yes" } else { "no" }.to_owned();
        let none = |list: String| if list.is_empty() { "none".to_owned() } else { list };
        let fragments: Vec<&str> = FRAGMENTS
            .iter()
            .filter(|(name, _, _)| self.fragments.contains(name))
            .map(|&(_, title, _)| title)
            .collect();
        let rows = [
            ("formula", self.formula.clone()),
            ("size", self.size.to_string()),
            ("distinct subformulas", self.dag_size.to_string()),
            ("depth", self.depth.to_string()),
            ("temporal depth", self.temporal_depth.to_string()),
            ("propositions", none(self.propositions.join(", "))),
            ("syntactic class", self.syntactic_class.to_owned()),
            ("all its classes", self.syntactic_classes.join(", ")),
            ("pure eventuality", yes(self.pure_eventuality)),
            ("pure universality", yes(self.pure_universality)),
            ("Boolean", yes(self.boolean)),
            ("X-free", yes(self.next_free)),
            ("negation normal form", yes(self.nnf)),
            ("fragments", none(fragments.join(", "))),
        ];
        for (property, value) in rows {
            write!(out, "{property:<20}  {value}")?;
            out.end_line()?;
        }
        Ok(())
    }
}

impl Classify {
    pub(crate) fn run(&self) -> Result<Exit> {
        let mut out = self.output.open()?;
        let mut first = true;
        let bad = self.input.for_each(&mut out, |formula, out| {
            let portrait = Portrait::new(&formula, self.output.print(&formula)?.to_string());
            if self.json {
                serde_json::to_writer(&mut *out, &portrait).map_err(io::Error::from)?;
                out.end_line()?;
            } else {
                if !first {
                    out.end_line()?;
                }
                portrait.write_table(out)?;
            }
            first = false;
            Ok(ControlFlow::Continue(()))
        })?;
        out.finish()?;
        Ok(bad.exit_code())
    }
}
