//! `sempre translate`: from formulas to automata.

use super::aut::drawing::{Boxes, FormatOption, OutputFormat};
use super::aut::measure::{Figures, Sizes, Template};
use crate::Exit;
use crate::input::{Failure, FormulaInput};
use crate::limits::Limits;
use crate::output::{Output, OutputOptions, printable};
use crate::search::named;
use crate::{is_closed_pipe, report};
use anyhow::{Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sempre::automata::formats::Format;
use sempre::automata::placement::Expectation;
use sempre::automata::{AlternatingAutomaton, AnyAutomaton, Automaton, Headers};
use sempre::ltl::{self, Formula, Traits};
use sempre::testing::{self, Reductions, Stage, Testing};
use sempre::translate::deterministic::{Request, Route};
use sempre::translate::{Effort, Kind, Method, Preference, Translator, mmaa};
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
  1 state, (Inf(0) & Inf(1)) | (Inf(0) & Fin(3)) | (Inf(1) & Fin(2)) | (Fin(2) & Fin(3))

  $ sempre translate --kind dpa --complete --colored 'FGa | GFb' --stats '%s %a %d %p'
  1 3 1 1

  $ sempre translate --method mmaa 'G(Fa & Fb) | Gb' --stats '%s states, %g'
  2 states, Fin(0) | Fin(1) | (Fin(2) & Inf(3) & Inf(4))

  $ sempre translate --kind alternating --format text 'G(a -> Fb)'
  G(a -> Fb)
  Fin(⓿), co-Büchi

  ▶ ○ 0 must  G(!a | Fb) ─┬─ !a | b   ─↺
                          ╰─ 1        ─▶ 0 & 1

    ○ 1 may  Fb          ─┬─ b      ⓿ ─▶ 2
                          ╰─ 1      ⓿ ─↺

    ○ 2 must  1          ─── 1        ─↺

  $ sempre translate --kind tgta 'GFa & GFb' --stats '%s states, %t transitions'
  4 states, 16 transitions

  $ sempre translate --kind ta --format text 'F G p'
  FGp
  changes; double: Büchi-accepting, dashed: livelock-accepting

    ○ 0 ─── {p} ─▶ 1

    ◌ 1 ─── {p} ─▶ 0

  ▶ • 2 ─┬─ !p  ─▶ 0
         ╰─ p   ─▶ 1

  $ sempre translate --expect holds --negate --format text 'GFa -> GFb'
  !(GFa -> GFb)
  Inf(⓿), Büchi

  ▶ ○ 0 ─┬─ 1       ─↺
         ╰─ a & !b  ─▶ 1

    ◎ 1 ─┬─ !a & !b ─▶ 2
         ╰─ a & !b  ─↺

    ○ 2 ─┬─ !a & !b ─↺
         ╰─ a & !b  ─▶ 1

  $ sempre translate --format svg -o automaton.svg 'GFa & GFb'

Escapes of --stats:
  %f the formula, as `ltl convert` prints it
  %r the time of the translation, in seconds
  %s states          %e edges           %t transitions, one per valuation
  %a marks           %g the acceptance  %c strongly connected components
  %d 1 if deterministic, else 0         %p 1 if complete, else 0
  %D 1 if semi-deterministic, else 0    %C 1 if cut-deterministic, else 0
  %q states of the deterministic part, as small as can be; %Q as large as can be
  %n nondeterministic states            %x propositions
  %l the length of all labels, in occurrences of propositions
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
/// alternating is a linear (very weak) alternating automaton with co-Büchi acceptance: its states are
/// the temporal subformulas.
///
/// Semi-deterministic automata are deterministic from the accepting components on: sdtgba, sdtba and
/// sdba have generalized Büchi acceptance, Büchi acceptance, and Büchi acceptance on states. In
/// cut-deterministic ones, cdtgba, cdtba and cdba, only edges that lead there are nondeterministic.
/// They are the smallest of several constructions.
///
/// Testing automata, ta, sta and tgta, read changes of valuations. They are for stutter-invariant
/// properties; others are refused, with two words that differ in repetitions only. sta-strict is an
/// sta whose livelock-accepting states have no successors; 0-ta and 0-tgta have explicit stuttering
/// and are steps of the constructions (--stages shows all). In HOA they
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

    /// The kind of automaton; default tgba, or ba for never claims and with --expect.
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
    /// tableau of Gerth, Peled, Vardi and Wolper; for deterministic kinds one of the routes that
    /// compete by default. mmaa is for LTL without U and X under G, and gives dgra by default.
    #[arg(
        long,
        value_name = "METHOD",
        default_value = Method::default().name(),
        value_parser = constructions(),
        help_heading = "Translation"
    )]
    method: Construction,

    /// Place the accepting states of a Büchi automaton (ba) of erroneous runs for a nested search:
    /// hard to reach if the property `holds`, easy if it is `violated`.
    #[arg(
        long,
        value_name = "RESULT",
        value_parser = expectations(),
        conflicts_with_all = ["unambiguous", "names"],
        help_heading = "Translation"
    )]
    expect: Option<Expectation>,

    /// Add a rejecting sink if needed, so that every state reads every letter.
    #[arg(long, help_heading = "Translation")]
    complete: bool,

    /// Put the marks of deterministic automata (det, dpa, dra, dgra) on states.
    #[arg(long, help_heading = "Translation")]
    state_based: bool,

    /// Give each edge of a deterministic parity automaton (dpa) exactly one mark.
    #[arg(long, help_heading = "Translation")]
    colored: bool,

    /// Build testing automata as the thesis that introduces them does, without later reductions: they
    /// have its sizes.
    #[arg(long, help_heading = "Translation")]
    thesis: bool,

    /// Write each step of the construction of a testing automaton, named after the step.
    #[arg(long, conflicts_with_all = ["stats", "json"], help_heading = "Translation")]
    stages: bool,

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
    /// With universal branching.
    Alternating,
}

/// The construction that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Construction {
    /// Of nondeterministic automata.
    Method(Method),
    /// Of deterministic automata.
    Route(Route),
}

impl Construction {
    fn name(self) -> &'static str {
        match self {
            Construction::Method(method) => method.name(),
            Construction::Route(route) => route.name(),
        }
    }
}

/// The name of the kind of alternating automata.
const ALTERNATING: &str = "alternating";

/// Deterministic Emerson–Lei automata, as some call them.
const ALIAS_OF_DET: &str = "dela";

fn kinds() -> impl TypedValueParser<Value = RequestedKind> {
    let plain = Kind::ALL.map(|kind| (kind.name(), RequestedKind::Plain(kind)));
    let testing = testing::Kind::ALL.map(|kind| (kind.name(), RequestedKind::Testing(kind)));
    let alternating = [(ALTERNATING, RequestedKind::Alternating)];
    let all = move || plain.into_iter().chain(alternating).chain(testing);
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

fn expectations() -> impl TypedValueParser<Value = Expectation> {
    named(Expectation::ALL.map(|expectation| (expectation.name(), expectation)).to_vec())
}

fn efforts() -> impl TypedValueParser<Value = Effort> {
    PossibleValuesParser::new(Effort::ALL.map(Effort::name)).try_map(|name| name.parse::<Effort>())
}

fn constructions() -> impl TypedValueParser<Value = Construction> {
    let all = || {
        let methods = Method::ALL.into_iter().map(Construction::Method);
        methods.chain(Route::ALL.into_iter().map(Construction::Route))
    };
    PossibleValuesParser::new(all().map(Construction::name)).map(move |name| {
        let known = all().find(|construction| construction.name() == name);
        known.unwrap_or(Construction::Method(Method::default()))
    })
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
    Alternating(AlternatingAutomaton),
}

impl Translated {
    fn figures(&self) -> Figures {
        match self {
            Translated::Plain(automaton) => Figures::of(automaton),
            Translated::Testing(automaton) => Figures::of(automaton.graph().automaton())
                .counting(automaton.edge_count(), automaton.transition_count()),
            Translated::Alternating(automaton) => Figures::of_alternating(automaton),
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
        let (mut skipped, mut written) = (0u64, 0u64);
        let bad = self.input.for_each_with_source(&mut out, |formula, source, out| {
            let formula = if self.negate { Formula::not(formula) } else { formula };
            let name = printable(&formula)?.to_string();
            let start = Instant::now();
            if self.stages {
                let stages = self.limits.run(
                    || shortened(&name),
                    || Ok(self.stages(&mut translator, &formula, &name)?),
                );
                for stage in stages? {
                    self.format().check_count(written)?;
                    let seconds = start.elapsed().as_secs_f64();
                    self.write(
                        Translation { automaton: stage, figures: None, seconds },
                        &name,
                        out,
                    )?;
                    written += 1;
                }
                return Ok(ControlFlow::Continue(()));
            }
            if !self.measures() {
                self.format().check_count(written)?;
            }
            let work = || {
                let automaton = self.translated(&mut translator, &formula, &name);
                let automaton =
                    automaton.map_err(|refusal| ltl::Error::new(refusal.to_string()))?;
                let seconds = start.elapsed().as_secs_f64();
                let figures = self.measures().then(|| automaton.figures());
                let translation = Translation { automaton, figures, seconds };
                Ok(out.whole(|out| self.write(translation, &name, out)))
            };
            match self.limits.run(|| shortened(&name), work) {
                Ok(is_written) => {
                    is_written?;
                    written += 1;
                }
                Err(error) => match error.downcast::<ltl::Error>() {
                    Ok(refusal) => return Err(refusal.into()),
                    Err(beyond_limits) => {
                        out.flush()?;
                        report::error(&source.located(beyond_limits));
                        skipped += 1;
                        // The interrupted work is lost, and may have left inconsistent data.
                        translator = self.translator();
                    }
                },
            }
            Ok(ControlFlow::Continue(()))
        })?;
        out.finish()?;
        Ok(if skipped > 0 { Exit::Error } else { bad.exit_code() })
    }

    /// True if figures are printed in place of automata.
    fn measures(&self) -> bool {
        self.stats.is_some() || self.json
    }

    /// Checks that no options contradict each other.
    fn check(&self) -> Result<()> {
        let method = self.method.name();
        if self.unambiguous && self.method != Construction::Method(Method::Tableau) {
            bail!("--unambiguous is for --method tableau, not for {method}");
        }
        if self.expect.is_some() && self.kind() != Kind::Ba {
            bail!("--expect is for --kind ba");
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
        match self.method {
            Construction::Method(method) if deterministic && method != Method::default() => {
                bail!("--method {method} cannot be combined with --kind {}", self.kind());
            }
            Construction::Route(route)
                if !deterministic || self.kind == Some(RequestedKind::Alternating) =>
            {
                bail!("--method {route} is for --kind det, dpa, dra and dgra");
            }
            _ => {}
        }
        if (self.thesis || self.stages) && !matches!(self.kind, Some(RequestedKind::Testing(_))) {
            bail!("--thesis and --stages are for testing automata, such as --kind tgta");
        }
        if self.unambiguous && self.kind().semi_deterministic().is_some() {
            bail!("--unambiguous cannot be combined with --kind {}", self.kind());
        }
        match self.kind {
            Some(RequestedKind::Plain(kind)) if self.names && kind != Kind::Tgba => bail!(
                "--names is for --kind tgba: states of {kind} automata are no formulas any more"
            ),
            Some(RequestedKind::Alternating) if self.complete || self.unambiguous || self.scc => {
                bail!("--complete, --unambiguous and --scc are not for --kind {ALTERNATING}")
            }
            Some(RequestedKind::Testing(kind))
                if self.names || self.complete || self.unambiguous =>
            {
                bail!("--names, --complete and --unambiguous are not for --kind {kind}")
            }
            _ => {}
        }
        self.format().check_boxes(Boxes::of_components(self.scc))
    }

    /// The format that automata are written in.
    fn format(&self) -> OutputFormat {
        self.format.of(&self.output)
    }

    fn translator(&self) -> Translator {
        let method = match self.method {
            Construction::Method(method) => method,
            Construction::Route(_) => Method::default(),
        };
        Translator::new()
            .method(method)
            .kind(self.kind())
            .prefer(self.prefer)
            .effort(self.effort)
            .complete(self.complete)
            .state_based(self.state_based)
            .colored(self.colored)
            .unambiguous(self.unambiguous)
            .names(self.names)
            .expect(self.expect)
    }

    /// Returns the requested kind, or the one that the format needs.
    fn kind(&self) -> Kind {
        match (self.kind, self.format()) {
            (Some(RequestedKind::Plain(kind)), _) => kind,
            (None, OutputFormat::Data(Format::Never)) => Kind::Ba,
            (None, _) if self.expect.is_some() => Kind::Ba,
            (None, _) => match self.method {
                Construction::Route(Route::Mmaa) => Kind::Dgra,
                Construction::Route(_) => Kind::Det,
                Construction::Method(_) => Kind::default(),
            },
            _ => Kind::default(),
        }
    }

    fn translated(
        &self,
        translator: &mut Translator,
        formula: &Formula,
        name: &str,
    ) -> Result<Translated, ltl::Error> {
        let automaton = match (self.kind, self.method, self.kind().deterministic()) {
            (Some(RequestedKind::Testing(kind)), ..) => {
                let testing = match self.thesis {
                    true => Testing::thesis(formula, kind, translator),
                    false => Testing::new(formula, kind, translator),
                };
                let testing = testing.map_err(|error| ltl::Error::new(error.to_string()))?;
                return Ok(Translated::Testing(testing.named(name)));
            }
            (Some(RequestedKind::Alternating), ..) => {
                let automaton = mmaa::alternating(formula);
                let automaton = automaton.map_err(|error| ltl::Error::new(error.to_string()))?;
                return Ok(Translated::Alternating(automaton.named(name)));
            }
            (_, Construction::Route(route), Some(wanted)) => {
                let request = Request {
                    wanted,
                    complete: self.complete,
                    state_based: self.state_based,
                    colored: self.colored,
                };
                route.requested(formula, &request)?
            }
            _ => translator.translate(formula),
        };
        let mut builder = automaton.edit();
        builder.name(name);
        if formula.is(Traits::NEXT_FREE) {
            let properties = vec!["stutter-invariant".to_owned()];
            builder.headers(Headers { properties, ..Headers::default() });
        }
        Ok(Translated::Plain(builder.build()))
    }

    /// The steps of the construction of a testing automaton, each named after formula and step.
    fn stages(
        &self,
        translator: &mut Translator,
        formula: &Formula,
        name: &str,
    ) -> Result<Vec<Translated>, ltl::Error> {
        let Some(RequestedKind::Testing(kind)) = self.kind else { return Ok(vec![]) };
        let reductions = match self.thesis {
            true => Reductions::Thesis,
            false => Reductions::All,
        };
        let stages = Testing::stages(formula, kind, reductions, translator);
        let stages = stages.map_err(|error| ltl::Error::new(error.to_string()))?;
        let named = stages.into_iter().map(|(step, stage)| {
            let name = format!("{name}: {step}");
            match stage {
                Stage::Plain(automaton) => {
                    let mut builder = automaton.edit();
                    builder.name(&name);
                    Translated::Plain(builder.build())
                }
                Stage::Testing(testing) => Translated::Testing(testing.named(&name)),
            }
        });
        Ok(named.collect())
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
                let format = self.format();
                let written = match automaton {
                    Translated::Plain(automaton) => {
                        let automaton = AnyAutomaton::Nondeterministic(automaton);
                        format.write(&automaton, Boxes::of_components(self.scc), out)
                    }
                    Translated::Testing(automaton) => {
                        format.write_testing(&automaton, self.scc, out)
                    }
                    Translated::Alternating(automaton) => {
                        let boxes = Boxes::of_components(self.scc);
                        format.write(&AnyAutomaton::Alternating(automaton), boxes, out)
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
