//! `sempre aut`: reads automata; selects, transforms, compares, measures, converts, draws them.

mod constraints;
pub(super) mod drawing;
pub(super) mod measure;
pub(super) mod pipeline;
mod questions;
mod random;
mod select;
mod show;

use crate::Exit;
use crate::automata::AutomatonInput;
use crate::limits::Limits;
use crate::output::{Output, OutputOptions, printable};
use crate::unread::Unread;
use anyhow::{Context, Result, anyhow, bail};
use drawing::{Boxes, FormatOption};
use measure::{Figures, Template};
use sempre::automata::{AnyAutomaton, Automaton};
use sempre::ltl::Formula;
use std::io::{self, Write};
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  $ sempre aut random -n 100 --states 5 | sempre aut --deterministic --count
  4

  $ sempre aut random --props a --states 3 | sempre aut --stats '%s states, %e edges, %g'
  3 states, 6 edges, Inf(0)

  $ sempre aut random --props a --states 3 | sempre aut --format svg -o automaton.svg

  $ sempre aut random --states 6 --acceptance rabin:2 | sempre aut --remove-fin --trim --stats %g
  Inf(0)

  $ sempre translate --kind alternating 'G(Fa & Fb)' | sempre aut --dealternate --reduce --stats %s
  1

  $ sempre translate --kind alternating 'G(a | XFb)' | sempre aut --to-ltl
  G(a | Fs b)

  $ sempre aut random --props a --states 3 -o random.hoa

  $ sempre aut random.hoa --complement --complement --equivalent-to random.hoa
  equivalent

  $ sempre aut random.hoa --difference random.hoa --empty
  empty

  $ sempre translate 'F(Ga | (GFb <-> GFc))' -o abc.hoa

  $ sempre aut abc.hoa --exclusive-ap a,b,c --simplify-labels --stats '%s states, labels: %l'
  3 states, labels: 10

Escapes of --stats:
  %s states          %e edges           %t transitions, one per valuation
  %a marks           %g the acceptance  %c strongly connected components
  %T terminal SCCs   %W weak SCCs       %S strong SCCs
  %d 1 if deterministic, else 0         %p 1 if complete, else 0
  %D 1 if semi-deterministic, else 0    %C 1 if cut-deterministic, else 0
  %q states of the deterministic part, as small as can be; %Q as large as can be
  %n nondeterministic states            %x propositions
  %l the length of all labels, in occurrences of propositions
  %m the name
  %% a percent sign";

/// Read automata; select, transform, compare, measure, convert and draw them.
///
/// The selected automata pass through the steps in the given order; a step may be repeated. The
/// results are written in the output format. Instead, the command can answer questions about their
/// languages, or print figures with --stats, --csv, --json and --count. Each result is written
/// before the next automaton is read.
///
/// The exit code is 0 if all questions are answered with yes for all automata, and 1 otherwise; 1
/// also if no automaton has the properties asked for.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Aut {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    work: Work,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Show(show::Show),
    Random(random::Random),
}

#[derive(clap::Args, Debug)]
struct Work {
    #[command(flatten)]
    input: AutomatonInput,

    #[command(flatten)]
    criteria: select::Criteria,

    #[command(flatten)]
    constraints: constraints::ConstraintOptions,

    /// Before all steps: remove alternation from linear (very weak) automata.
    #[arg(long, help_heading = "Steps, in the order given")]
    dealternate: bool,

    #[command(flatten)]
    pipeline: pipeline::Pipeline,

    #[command(flatten)]
    questions: questions::Questions,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    output: AutomatonOutput,
}

/// The output for an automaton.
enum Outcome {
    /// The automaton.
    Automaton(Box<AnyAutomaton>),
    /// Its figures.
    Figures(Box<Figures>),
    /// Why it rejects words.
    Explanations(String),
    /// Questions were asked about it.
    Answers(questions::Answers),
    /// Its formula is written.
    Formula(Formula),
}

/// The options for the output.
#[derive(clap::Args, Debug)]
struct AutomatonOutput {
    #[command(flatten)]
    format: FormatOption,

    /// Draw SCCs as boxes (DOT, SVG).
    #[arg(long, help_heading = "Output")]
    scc: bool,

    /// Print a formula for the language of each automaton whose only cycles are self-loops; of
    /// may/must alternating automata in LTL(Fs,Gs).
    #[arg(long, help_heading = "Output", conflicts_with_all = ["csv", "json", "count", "stats", "Questions", "format", "scc"])]
    to_ltl: bool,

    /// Draw the deterministic part of a semi-deterministic automaton as a box, and edges that lead
    /// there dashed (DOT, SVG).
    #[arg(long, help_heading = "Output")]
    parts: bool,

    /// Print a line about each automaton, made from TEMPLATE by the escapes below.
    #[arg(long, value_name = "TEMPLATE", help_heading = "Output", conflicts_with_all = ["csv", "json", "count", "Questions", "format", "scc"])]
    stats: Option<Template>,

    /// Print the figures of each automaton as a line of CSV, after a header.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "count", "Questions", "format", "scc"])]
    csv: bool,

    /// Print the figures of each automaton, or the answers, as a line of JSON.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["count", "format", "scc"])]
    json: bool,

    /// Print only the number of selected automata, or of those with the answer yes.
    #[arg(short, long, help_heading = "Output")]
    count: bool,

    #[command(flatten)]
    output: OutputOptions,
}

impl Aut {
    pub(crate) fn run(&self) -> Result<Exit> {
        match &self.command {
            Some(Command::Show(command)) => command.run(),
            Some(Command::Random(command)) => command.run(),
            None => self.work.run(),
        }
    }
}

impl Work {
    fn run(&self) -> Result<Exit> {
        let files = self.pipeline.files().chain(self.questions.files());
        let others = files.filter(|file| file.as_os_str() == "-").count();
        if others + usize::from(self.input.reads_standard_input()) > 1 {
            bail!("standard input can be read only once");
        }
        let format = self.output.format.of(&self.output.output);
        format.check_boxes(self.output.boxes())?;
        let criteria = self.criteria.compile()?;
        let constraints = self.constraints.compile()?;
        let operands = || Ok((self.pipeline.compile()?, self.questions.compile()?));
        let (pipeline, questions) = self.limits.run(|| "reading the operands".into(), operands)?;
        let mut out = self.output.output.open()?;
        let (mut read, mut admitted, mut passed) = (0u64, 0u64, 0u64);
        let mut violated = false;
        if self.output.csv {
            write!(out, "{}", Figures::TITLES)?;
            out.end_line()?;
        }
        let named = constraints.iter().flat_map(|constraints| constraints.props());
        let mut unread = Unread::new(named.cloned());
        let mut process = |automaton: AnyAutomaton| -> Result<Option<Outcome>> {
            if !criteria.admit(&automaton)? {
                return Ok(None);
            }
            let automaton = match automaton {
                AnyAutomaton::Alternating(automaton) if self.dealternate => {
                    let result = automaton.dealternate();
                    let result = result.context("--dealternate is not possible")?;
                    AnyAutomaton::Nondeterministic(result)
                }
                automaton => automaton,
            };
            if criteria.explains() {
                let text = criteria.explanations(nondeterministic(&automaton)?)?;
                return Ok(Some(Outcome::Explanations(text)));
            }
            let automaton = match &constraints {
                Some(constraints) => {
                    let automaton = nondeterministic(&automaton)?;
                    unread.see(automaton.alphabet().props());
                    let refined = constraints.refine(automaton)?;
                    AnyAutomaton::Nondeterministic(refined)
                }
                None => automaton,
            };
            let result = match self.pipeline.is_empty() {
                true => automaton,
                false => {
                    let result = pipeline::run(&pipeline, nondeterministic(&automaton)?)?;
                    AnyAutomaton::Nondeterministic(result)
                }
            };
            let result = match (&constraints, result) {
                (Some(constraints), AnyAutomaton::Nondeterministic(result)) => {
                    AnyAutomaton::Nondeterministic(constraints.simplify(result)?)
                }
                (_, result) => result,
            };
            Ok(Some(if !self.questions.is_empty() {
                Outcome::Answers(questions.ask(nondeterministic(&result)?))
            } else if self.output.to_ltl {
                let formula = result.alternating().to_ltl();
                Outcome::Formula(formula.context("--to-ltl is not possible")?)
            } else if self.output.measures() {
                Outcome::Figures(Box::new(match &result {
                    AnyAutomaton::Nondeterministic(automaton) => Figures::of(automaton),
                    AnyAutomaton::Alternating(automaton) => Figures::of_alternating(automaton),
                }))
            } else {
                Outcome::Automaton(Box::new(result))
            }))
        };
        let bad = self.input.for_each(&self.limits, &mut out, |automaton, out| {
            if criteria.is_done(admitted) {
                return Ok(ControlFlow::Break(()));
            }
            read += 1;
            let Some(outcome) = process(automaton)? else {
                return Ok(ControlFlow::Continue(()));
            };
            let holds = match &outcome {
                Outcome::Automaton(_)
                | Outcome::Figures(_)
                | Outcome::Formula(_)
                | Outcome::Explanations(_) => true,
                Outcome::Answers(answers) => answers.all_hold(),
            };
            if matches!(outcome, Outcome::Automaton(_)) && !self.output.count {
                format.check_count(admitted)?;
            }
            admitted += 1;
            passed += u64::from(holds);
            violated |= !holds;
            out.whole(|out| self.output.write(&outcome, out))?;
            Ok(match criteria.is_done(admitted) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        })?;
        if read == 0 && bad.0 == 0 && !self.questions.is_empty() {
            bail!("the input has no automaton");
        }
        if self.output.count {
            write!(out, "{passed}")?;
            out.end_line()?;
        }
        out.finish()?;
        if !self.input.is_quiet() {
            unread.report("automaton");
        }
        let found_nothing = !self.criteria.is_empty() && read > 0 && admitted == 0;
        Ok(match bad.exit_code() {
            Exit::Success if violated || found_nothing => Exit::Violated,
            exit => exit,
        })
    }
}

impl AutomatonOutput {
    fn boxes(&self) -> Boxes {
        Boxes { components: self.scc, parts: self.parts }
    }

    /// True if figures are printed instead of automata.
    fn measures(&self) -> bool {
        self.stats.is_some() || self.csv || self.json
    }

    fn write(&self, outcome: &Outcome, out: &mut Output) -> Result<()> {
        match outcome {
            _ if self.count => Ok(()),
            Outcome::Automaton(automaton) => {
                if self.parts {
                    nondeterministic(automaton)?;
                }
                self.format.of(&self.output).write(automaton, self.boxes(), out)
            }
            Outcome::Figures(figures) => {
                match &self.stats {
                    Some(template) => template.write(figures, &[], out)?,
                    None if self.csv => figures.write_csv(out)?,
                    None => serde_json::to_writer(&mut *out, figures).map_err(io::Error::from)?,
                }
                Ok(out.end_line()?)
            }
            Outcome::Formula(formula) => {
                write!(out, "{}", printable(formula).map_err(|error| anyhow!("{error}"))?)?;
                Ok(out.end_line()?)
            }
            Outcome::Explanations(text) => Ok(out.write_all(text.as_bytes())?),
            Outcome::Answers(answers) if self.json => Ok(answers.write_json(out)?),
            Outcome::Answers(answers) => Ok(answers.write(out)?),
        }
    }
}

/// Returns the automaton, or an error if it is alternating: most questions concern runs.
fn nondeterministic(automaton: &AnyAutomaton) -> Result<&Automaton> {
    match automaton {
        AnyAutomaton::Nondeterministic(automaton) => Ok(automaton),
        AnyAutomaton::Alternating(_) => {
            bail!("the automaton is alternating; --dealternate removes that")
        }
    }
}
