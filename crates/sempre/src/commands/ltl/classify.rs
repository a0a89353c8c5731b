//! `sempre ltl classify`: properties of the syntax and the language of formulas.

use super::class::Class;
use super::language::Language;
use crate::Exit;
use crate::input::FormulaInput;
use crate::limits::Limits;
use crate::output::{FormulaOutput, Output};
use anyhow::Result;
use sempre::ltl::{Formula, Traits};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl classify 'a U X a' | grep class
  syntactic class       guarantee
  all its classes       guarantee, obligation, persistence, recurrence, reactivity
  semantic class        safety and guarantee

  $ sempre ltl classify 'F(a & X a)' | grep stutter
  stutter-invariant     no: a; a; cycle{!a} satisfies it, a; cycle{!a} does not

  $ sempre ltl patterns eh | sempre ltl classify --syntactic --json | grep -c recurrence
  8";

/// Report the size, the class and other properties of formulas.
///
/// The class is that of the hierarchy of Manna and Pnueli: safety, guarantee, obligation,
/// persistence, recurrence, reactivity. The syntactic class depends on the syntax: a formula
/// outside syntactic safety may be equivalent to one inside. The semantic class is that of the
/// language, computed with automata of the formula and of its negation.
///
/// A formula is stutter-invariant if repeating letters of a word does not change its value. If it
/// is not, two words show it. The analysis of a language ends after 10 seconds unless --timeout
/// gives another limit; the result is then unknown.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Classify {
    #[command(flatten)]
    input: FormulaInput,

    /// Report syntactic properties only, without automata.
    #[arg(long)]
    syntactic: bool,

    #[command(flatten)]
    limits: Limits,

    /// Print one line of JSON per formula.
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    output: FormulaOutput,
}

/// The time for the language of a formula, unless an option gives it.
const TIME: Duration = Duration::from_secs(10);

/// The named fragments of LTL, with their names in options and tables.
pub(crate) const FRAGMENTS: [(&str, &str, Traits); 3] = [
    ("fg", "LTL(F,G)", Traits::FRAGMENT_F_G),
    ("fsgs", "LTL(Fs,Gs)", Traits::FRAGMENT_FS_GS),
    ("no-gux", "LTL\\GUX", Traits::FRAGMENT_NO_GUX),
];

/// The report for a formula.
#[derive(Serialize)]
struct Report {
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
    #[serde(flatten)]
    language: Option<Language>,
}

impl Report {
    fn new(formula: &Formula, text: String, language: Option<Language>) -> Self {
        let fragments = FRAGMENTS.iter().filter(|(_, _, traits)| formula.is(*traits));
        Report {
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
            language,
        }
    }

    /// Writes two columns: the property and its value.
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
        let language = self.language.iter().flat_map(Language::rows);
        for (property, value) in rows.into_iter().chain(language) {
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
            let text = self.output.print(&formula)?.to_string();
            let language =
                (!self.syntactic).then(|| Language::of(&formula, &self.limits.timeout_or(TIME)));
            let portrait = Report::new(&formula, text, language);
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
