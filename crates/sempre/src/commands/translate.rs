//! `sempre translate`: from formulas to automata.

use super::aut::drawing::{FormatOption, OutputFormat};
use super::aut::measure::{Figures, Sizes, Template};
use crate::Exit;
use crate::input::{Failure, FormulaInput};
use crate::limits::Limits;
use crate::output::{Output, OutputOptions, printable};
use crate::{is_closed_pipe, report};
use anyhow::{Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sempre::automata::formats::Format;
use sempre::automata::{AnyAutomaton, Automaton};
use sempre::ltl::{self, Formula};
use sempre::testing::{self, Testing};
use sempre::translate::{Effort, Kind, Method, Preference, Translator};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  $ sempre translate 'G(request -> F grant)' --stats '%f: %s states, %e edges'
  G(request -> Fgrant): 2 states, 4 edges

  $ sempre translate --format text 'F G a'
  FGa
  Inf(⓿), Büchi

  ▶ ○ 0 ─┬─ 1 ─↺
         ╰─ a ─▶ 1

    ◎ 1 ─── a ─↺

  $ sempre translate --negate --format never 'G a'
  never { /* !Ga */
  T0_init:
    if
    :: (a) -> goto T0_init
    :: (!a) -> goto accept_all
    fi;
  accept_all:
    skip
  }

  $ sempre ltl family gh-c2 3 | sempre translate --method alternating --stats '%s %e %g'
  1 8 Inf(0) & Inf(1) & Inf(2)

  $ sempre translate --kind det '(GFa -> GFb) & (GFc -> GFd)' --stats '%s state, %g'
  1 state, (Fin(0) | Inf(2)) & (Fin(1) | Inf(3))

  $ sempre translate --kind dpa --complete --colored 'FGa | GFb' --stats '%s %a %d %p'
  1 3 1 1

  $ sempre translate --kind tgta 'GFa & GFb' --stats '%s states, %t transitions'
  4 states, 16 transitions

  $ sempre translate --kind ta --format text 'F G p'
  FGp
  changes; double: Büchi-accepting, dashed: livelock-accepting

    ○ 0 ─── {p} ─▶ 1

    ◌ 1 ─── {p} ─▶ 0

  ▶ • 2 ─┬─ !p  ─▶ 0
         ╰─ p   ─▶ 1

  $ sempre translate --format svg -o automaton.svg 'GFa & GFb'

Escapes of --stats:
  %f the formula, as `ltl convert` prints it
  %r the time of the translation, in seconds
  %s states          %e edges           %t transitions, one per valuation
  %a marks           %g the acceptance  %c strongly connected components
  %d 1 if deterministic, else 0         %p 1 if complete, else 0
  %n nondeterministic states            %x propositions
  %m the name: the formula
  %% a percent sign";

/// Translate formulas into automata.
///
/// Each automaton accepts exactly the words that satisfy its formula, except for monitors. It is
/// written before the next formula is read.
///
/// Kinds: tgba and gba have generalized Büchi acceptance on transitions and on states; tba and ba
/// have Büchi acceptance. A monitor accepts unless a finite prefix excludes that the formula holds.
///
/// The kinds terminal, weak and cobuchi do not exist for every formula; it is an error if none is
/// found. terminal (a ba whose accepting states accept every word) is for guarantee formulas. weak
/// (a ba whose cycles are entirely accepting or entirely rejecting) and cobuchi are for persistence
/// formulas. They are found if the construction gives a weak automaton or the formula is an
/// obligation. For cobuchi, a deterministic automaton of the negation suffices too.
///
/// Deterministic automata: det (or dela) has any acceptance condition, and the fewest states of
/// several constructions, then the fewest marks. dpa has parity, dra Rabin and dgra generalized
/// Rabin acceptance. They have no rejecting sink unless --complete is given.
///
/// Testing automata, ta, sta and tgta, read changes of valuations. They exist for stutter-invariant
/// properties; for others, the error shows two words that differ only in repetitions. In HOA they
/// read the first valuation, then changes (docs/testing-automata.md); in drawings a disc has the
/// edges with valuations.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Translate {
    #[command(flatten)]
    input: FormulaInput,

    /// Translate the negations of the formulas, to automata of their violations.
    #[arg(long, help_heading = "Translation")]
    negate: bool,

    /// The kind of automaton; default tgba, or ba for never claims.
    #[arg(long, value_name = "KIND", value_parser = kinds(), help_heading = "Translation")]
    kind: Option<RequestedKind>,

    /// The aim: few states, determinism where possible, or none.
    #[arg(
        long,
        value_name = "WHAT",
        default_value = Preference::default().name(),
        value_parser = preferences(),
        help_heading = "Translation"
    )]
    prefer: Preference,

    /// The effort spent on small automata.
    #[arg(
        long,
        value_name = "LEVEL",
        default_value = Effort::default().name(),
        value_parser = efforts(),
        help_heading = "Translation"
    )]
    effort: Effort,

    /// The construction: Couvreur's tableau, very weak alternating automata, or the classic
    /// tableau of Gerth, Peled, Vardi and Wolper.
    #[arg(
        long,
        value_name = "METHOD",
        default_value = Method::default().name(),
        value_parser = methods(),
        help_heading = "Translation"
    )]
    method: Method,

    /// Add a rejecting sink if needed, so that every state reads every letter.
    #[arg(long, help_heading = "Translation")]
    complete: bool,

    /// Put the marks of deterministic automata (det, dpa, dra, dgra) on states.
    #[arg(long, help_heading = "Translation")]
    state_based: bool,

    /// Give each edge of a deterministic parity automaton (dpa) exactly one mark.
    #[arg(long, help_heading = "Translation")]
    colored: bool,

    /// Give each word at most one accepting run; only with the tableau.
    #[arg(long, conflicts_with = "prefer", help_heading = "Translation")]
    unambiguous: bool,

    /// Name each state by a formula of its language. This keeps the result of the construction: the
    /// kind is tgba, and --effort applies to the formula only.
    #[arg(long, conflicts_with = "prefer", help_heading = "Translation")]
    names: bool,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    format: FormatOption,

    /// Draw SCCs as boxes (DOT, SVG).
    #[arg(long, help_heading = "Output")]
    scc: bool,

    /// Print a line per automaton from TEMPLATE, with the escapes below.
    #[arg(
        long,
        value_name = "TEMPLATE",
        value_parser = template,
        conflicts_with_all = ["json", "format", "scc"],
        help_heading = "Output"
    )]
    stats: Option<Template>,

    /// Print the figures of each automaton as a line of JSON.
    #[arg(long, conflicts_with_all = ["format", "scc"], help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    output: OutputOptions,
}

/// The requested kind of automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestedKind {
    /// Over valuations.
    Plain(Kind),
    /// Over changes.
    Testing(testing::Kind),
}

/// A common name of deterministic Emerson-Lei automata.
const ALIAS_OF_DET: &str = "dela";

fn kinds() -> impl TypedValueParser<Value = RequestedKind> {
    let plain = Kind::ALL.map(|kind| (kind.name(), RequestedKind::Plain(kind)));
    let testing = testing::Kind::ALL.map(|kind| (kind.name(), RequestedKind::Testing(kind)));
    let all = move || plain.into_iter().chain(testing);
    let values = all().map(|(name, _)| match name == Kind::Det.name() {
        true => PossibleValue::new(name).alias(ALIAS_OF_DET),
        false => PossibleValue::new(name),
    });
    PossibleValuesParser::new(values).map(move |name| {
        let name = if name == ALIAS_OF_DET { Kind::Det.name() } else { &name };
        let kind = all().find(|(known, _)| *known == name).map(|(_, kind)| kind);
        kind.unwrap_or(RequestedKind::Plain(Kind::default()))
    })
}

fn preferences() -> impl TypedValueParser<Value = Preference> {
    PossibleValuesParser::new(Preference::ALL.map(Preference::name))
        .try_map(|name| name.parse::<Preference>())
}

fn efforts() -> impl TypedValueParser<Value = Effort> {
    PossibleValuesParser::new(Effort::ALL.map(Effort::name)).try_map(|name| name.parse::<Effort>())
}

fn methods() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>())
}

fn template(text: &str) -> Result<Template, String> {
    Template::with_more(text, "fr")
}

/// Returns the text, shortened if it is long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The maximal number of characters of a formula in an error.
const LONGEST_SHOWN: usize = 200;

/// The fields of a report.
#[derive(Serialize)]
struct Report<'a> {
    formula: &'a str,
    #[serde(flatten)]
    sizes: &'a Sizes,
    seconds: f64,
}

/// The result of a translation.
enum Translated {
    Plain(Automaton),
    Testing(Testing),
}

impl Translated {
    fn figures(&self) -> Figures {
        match self {
            Translated::Plain(automaton) => Figures::of(automaton),
            Translated::Testing(automaton) => Figures::of(automaton.graph().automaton())
                .counting(automaton.edge_count(), automaton.transition_count()),
        }
    }
}

/// An automaton, its figures if requested, and the time.
struct Translation {
    automaton: Translated,
    figures: Option<Figures>,
    seconds: f64,
}

impl Translate {
    pub(crate) fn run(&self) -> Result<Exit> {
        self.check()?;
        let mut out = self.output.open()?;
        let mut translator = self.translator();
        let mut skipped = 0u64;
        let bad = self.input.for_each_with_source(&mut out, |formula, source, out| {
            let formula = if self.negate { Formula::not(formula) } else { formula };
            let name = printable(&formula)?.to_string();
            let start = Instant::now();
            let work = || {
                let automaton = match self.translated(&mut translator, &formula, &name) {
                    Ok(automaton) => automaton,
                    Err(error) => return Ok(Err(error)),
                };
                let seconds = start.elapsed().as_secs_f64();
                let measured = self.stats.is_some() || self.json;
                let figures = measured.then(|| automaton.figures());
                Ok(Ok(Translation { automaton, figures, seconds }))
            };
            match self.limits.run(|| shortened(&name), work) {
                Ok(Ok(translation)) => self.write(translation, &name, out)?,
                Ok(Err(refusal)) => return Err(ltl::Error::new(refusal.to_string()).into()),
                Err(beyond_limits) => {
                    out.flush()?;
                    report::error(&source.located(beyond_limits));
                    skipped += 1;
                    // The aborted work may have left global state half updated.
                    translator = self.translator();
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        out.finish()?;
        Ok(if skipped > 0 { Exit::Error } else { bad.exit_code() })
    }

    /// Checks that no options contradict each other.
    fn check(&self) -> Result<()> {
        if self.unambiguous && self.method != Method::Tableau {
            bail!("--unambiguous needs --method tableau, not {}", self.method);
        }
        let deterministic = self.kind().deterministic().is_some();
        if self.state_based && !deterministic {
            bail!(
                "--state-based needs a deterministic kind; ba and gba always have marks on states"
            );
        }
        if self.colored && self.kind != Some(RequestedKind::Plain(Kind::Dpa)) {
            bail!("--colored needs --kind dpa");
        }
        if deterministic && self.method != Method::default() {
            bail!("--method {} cannot be combined with --kind {}", self.method, self.kind());
        }
        match self.kind {
            Some(RequestedKind::Plain(kind)) if self.names && kind != Kind::Tgba => {
                bail!("--names needs --kind tgba: states of {kind} automata have no formulas")
            }
            Some(RequestedKind::Testing(kind))
                if self.names || self.complete || self.unambiguous =>
            {
                bail!("--names, --complete and --unambiguous cannot be combined with --kind {kind}")
            }
            _ => {}
        }
        self.format.check_components(self.scc)
    }

    fn translator(&self) -> Translator {
        Translator::new()
            .method(self.method)
            .kind(self.kind())
            .prefer(self.prefer)
            .effort(self.effort)
            .complete(self.complete)
            .state_based(self.state_based)
            .colored(self.colored)
            .unambiguous(self.unambiguous)
            .names(self.names)
    }

    /// Returns the requested kind, or the one that the format needs.
    fn kind(&self) -> Kind {
        match (self.kind, self.format.format) {
            (Some(RequestedKind::Plain(kind)), _) => kind,
            (None, OutputFormat::Data(Format::Never)) => Kind::Ba,
            _ => Kind::default(),
        }
    }

    fn translated(
        &self,
        translator: &mut Translator,
        formula: &Formula,
        name: &str,
    ) -> Result<Translated, testing::Error> {
        if let Some(RequestedKind::Testing(kind)) = self.kind {
            return Ok(Translated::Testing(Testing::new(formula, kind, translator)?.named(name)));
        }
        let mut builder = translator.translate(formula).edit();
        builder.name(name);
        Ok(Translated::Plain(builder.build()))
    }

    fn write(
        &self,
        Translation { automaton, figures, seconds }: Translation,
        formula: &str,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let kind = self.kind();
        if let Translated::Plain(automaton) = &automaton
            && !kind.includes(automaton)
        {
            let kind = if kind == Kind::CoBuchi { "co-Büchi" } else { kind.name() };
            let message = format!("no {kind} automaton was found for the formula");
            return Err(ltl::Error::new(message).into());
        }
        match (figures, &self.stats) {
            (Some(figures), Some(template)) => {
                let seconds = format!("{seconds:.6}");
                template.write(&figures, &[('f', formula), ('r', &seconds)], out)?;
                Ok(out.end_line()?)
            }
            (Some(figures), None) => {
                let report = Report { formula, sizes: &figures.sizes, seconds };
                serde_json::to_writer(&mut *out, &report).map_err(io::Error::from)?;
                Ok(out.end_line()?)
            }
            (None, _) => {
                let format = self.format.format;
                let written = match automaton {
                    Translated::Plain(automaton) => {
                        let automaton = AnyAutomaton::Nondeterministic(automaton);
                        format.write(&automaton, self.scc, out)
                    }
                    Translated::Testing(automaton) => {
                        format.write_testing(&automaton, self.scc, out)
                    }
                };
                written.map_err(|error| match error.downcast::<io::Error>() {
                    Ok(error) => error.into(),
                    // The format cannot represent this automaton; the next one may be different.
                    Err(error) if !is_closed_pipe(&error) => {
                        ltl::Error::new(format!("{error:#}")).into()
                    }
                    Err(error) => error.into(),
                })
            }
        }
    }
}
