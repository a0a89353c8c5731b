//! `sempre cross --automata`: compares tools that transform automata.

use super::show::configuration;
use super::{Cross, open};
use crate::automata::AutomatonInput;
use crate::commands::aut::pipeline::Pipeline;
use crate::input::BadLines;
use crate::output::Output;
use crate::report::{Located, Place};
use crate::{Exit, signals};
use anyhow::{Context, Error, Result, anyhow, bail};
use sempre::automata::random::RandomAutomata;
use sempre::automata::{AnyAutomaton, Automaton};
use sempre::cross::config::duration;
use sempre::cross::output::{FindingRecord, Record, Row, html};
use sempre::cross::{
    self, BrokenClaim, Config, Expected, FailureKind, InProcess, Input, Limits, Preservation,
    Program, Template, TemplateError, Transformation, Transformer,
};
use sempre::ltl;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// The default number of random automata.
const ROUNDS: usize = 100;

/// A tool with its name.
struct Tool {
    name: String,
    transformer: Box<dyn Transformer>,
}

/// The statistics of a tool.
#[derive(Clone, Default)]
struct Numbers {
    results: usize,
    failed: usize,
    wrong: usize,
    unknown: usize,
    states: usize,
    edges: usize,
    seconds: f64,
}

/// A comparison of tools on automata.
pub(super) struct Run<'a> {
    command: &'a Cross,
    config: &'a Config,
    tools: Vec<Tool>,
    expected: Expected,
    limits: Limits,
    numbers: Vec<Numbers>,
    input: Numbers,
    record: Record,
    csv: Option<Output>,
    failed: bool,
}

impl<'a> Run<'a> {
    pub(super) fn new(command: &'a Cross, config: &'a Config, expected: Expected) -> Result<Self> {
        let tools = config.tools.iter().filter(|tool| tool.enabled);
        let tools = tools.map(|tool| read(&tool.command, config.shell));
        let tools = tools.collect::<Result<Vec<Tool>>>()?;
        if tools.is_empty() {
            bail!("no tool is given: name steps of `sempre aut`, or a command with %H");
        }
        signals::before_death(cross::end_all).context("cannot handle signals")?;
        let names = tools.iter().map(|tool| tool.name.clone()).collect();
        let mut csv = command.report.csv.as_deref().map(open).transpose()?;
        if let Some(csv) = &mut csv {
            writeln!(csv, "{}", Row::TITLES)?;
        }
        Ok(Run {
            command,
            config,
            numbers: vec![Numbers::default(); tools.len()],
            tools,
            expected,
            limits: Limits {
                time: config.timeout.map(duration).transpose().map_err(Error::msg)?,
                memory: config.memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20)),
            },
            input: Numbers::default(),
            record: Record::new(names, configuration(config)?),
            csv,
            failed: false,
        })
    }

    /// Runs all tools on all automata.
    pub(super) fn run(mut self) -> Result<Exit> {
        let mut out = Output::standard();
        let bad = if self.command.input.has_files() {
            let input = AutomatonInput::of_files(&self.command.input);
            let (skip, last) = (self.config.skip, self.config.rounds.unwrap_or(usize::MAX));
            let mut number = 0;
            input.for_each(&Default::default(), &mut out, |automaton, out| {
                number += 1;
                match automaton {
                    _ if number > last => Ok(ControlFlow::Break(())),
                    _ if number <= skip => Ok(ControlFlow::Continue(())),
                    AnyAutomaton::Nondeterministic(automaton) => {
                        self.automaton(number, &automaton, out)
                    }
                    AnyAutomaton::Alternating(_) => bail!("the automaton is alternating"),
                }
            })?
        } else {
            self.random(&mut out)?;
            BadLines::default()
        };
        if self.record.rounds == 0 {
            bail!("the input has no automaton");
        }
        let failed = self.failed;
        self.finish(&mut out)?;
        out.finish()?;
        Ok(match bad.exit_code() {
            Exit::Success if failed => Exit::Violated,
            exit => exit,
        })
    }

    fn random(&mut self, out: &mut Output) -> Result<()> {
        let formulas = &self.config.formulas;
        let props = formulas.propositions.props().map_err(Error::msg)?;
        let size = &formulas.size;
        let states = size.parse().ok().filter(|states| *states <= 1000);
        let states = states.ok_or_else(|| anyhow!("--size {size} is not a number of states"))?;
        let automata = RandomAutomata::over(props)?.states(states).seed(formulas.seed);
        let rounds = self.config.rounds.unwrap_or(ROUNDS);
        for (i, automaton) in automata.generate().take(rounds).enumerate().skip(self.config.skip) {
            if self.automaton(i + 1, &automaton, out)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Runs all tools on an automaton.
    fn automaton(
        &mut self,
        number: usize,
        automaton: &Automaton,
        out: &mut Output,
    ) -> Result<ControlFlow<()>> {
        let name = match automaton.name() {
            Some(name) => format!("automaton {number}, {name}"),
            None => format!("automaton {number}"),
        };
        self.record.rounds += 1;
        self.input.results += 1;
        self.input.states += automaton.state_count();
        self.input.edges += automaton.edge_count();
        let mut fails = false;
        for (tool, numbers) in self.tools.iter().zip(&mut self.numbers) {
            let transformer = &*tool.transformer;
            let done = Transformation::perform(transformer, automaton, self.expected, &self.limits);
            numbers.seconds += done.entry.translation.time.as_secs_f64();
            if let Some(sizes) = &done.entry.sizes {
                numbers.results += 1;
                numbers.states += sizes.states;
                numbers.edges += sizes.edges;
            }
            let row = done.row(number, &tool.name, &name);
            let row = if self.command.report.no_times { row.without_times() } else { row };
            if let Some(csv) = &mut self.csv {
                row.write_csv(csv)?;
            }
            self.record.results.push(row);
            let message = match (&done.entry.translation.result, &done.preservation) {
                (Err(failure), _) => {
                    use FailureKind::{Memory, Time, Unsupported};
                    numbers.failed += 1;
                    fails |= match failure.kind {
                        Time => self.config.fail_on_timeout,
                        Memory | Unsupported => false,
                        _ => true,
                    };
                    format!("{name}: {} has no result: {failure}", tool.name)
                }
                (Ok(_), Preservation::Wrong(difference)) => {
                    numbers.wrong += 1;
                    fails = true;
                    let message = format!("{name}: {} is wrong: {difference}", tool.name);
                    self.record.findings.push(FindingRecord {
                        round: number,
                        formula: name.clone(),
                        test: match self.expected {
                            Expected::Same => "preservation",
                            Expected::Complement => "complementation",
                        },
                        tested: ["input".to_owned(), tool.name.clone()],
                        culprit: Some(tool.name.clone()),
                        polarity: None,
                        mistake: Some(match difference.result_accepts {
                            true => "wrongly accepts",
                            false => "wrongly rejects",
                        }),
                        word: Some(difference.word.to_string()),
                        explanation: format!("{message}\n"),
                    });
                    message
                }
                (Ok(_), Preservation::NotAsClaimed(claim)) => {
                    numbers.wrong += 1;
                    fails = true;
                    let BrokenClaim { property, reason } = claim;
                    let message =
                        format!("{name}: {} is wrong: it is not {property}: {reason}", tool.name);
                    self.record.findings.push(FindingRecord {
                        round: number,
                        formula: name.clone(),
                        test: "claims",
                        tested: ["input".to_owned(), tool.name.clone()],
                        culprit: Some(tool.name.clone()),
                        polarity: None,
                        mistake: Some("not as claimed"),
                        word: None,
                        explanation: format!("{message}\n"),
                    });
                    message
                }
                (Ok(_), Preservation::Unknown(reason)) => {
                    numbers.unknown += 1;
                    format!("{name}: {} could not be judged: {reason}", tool.name)
                }
                (Ok(_), Preservation::Right) => continue,
            };
            if !self.command.report.prints_json() {
                writeln!(out, "{message}")?;
            }
        }
        self.failed |= fails;
        Ok(match fails && self.config.stop_on_error {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn finish(self, out: &mut Output) -> Result<()> {
        let report = &self.command.report;
        if let Some(csv) = self.csv {
            csv.finish()?;
        }
        if let Some(path) = &report.html {
            let mut file = open(path)?;
            html::write(&self.record, &mut file).context("cannot write the page")?;
            file.finish()?;
        }
        if let Some(path) = &report.json {
            if report.prints_json() {
                serde_json::to_writer(&mut *out, &self.record).map_err(io::Error::from)?;
                return Ok(out.end_line()?);
            }
            let mut file = open(path)?;
            serde_json::to_writer(&mut file, &self.record).map_err(io::Error::from)?;
            file.end_line()?;
            file.finish()?;
        }
        if report.quiet {
            return Ok(());
        }
        let width = self.tools.iter().map(|tool| tool.name.chars().count()).max().unwrap_or(0);
        let width = width.max("input".len());
        let times = |seconds: f64| match report.no_times {
            true => String::new(),
            false => format!("  {:>9.3}", seconds * 1000.0 / self.record.rounds as f64),
        };
        writeln!(
            out,
            "  {:<width$}  {:>7}  {:>6}  {:>5}  {:>7}  {:>7}  {:>7}{}",
            "",
            "results",
            "failed",
            "wrong",
            "unknown",
            "states",
            "edges",
            if report.no_times { "" } else { "         ms" },
        )?;
        let names = self.tools.iter().map(|tool| &*tool.name);
        let input = [("input", &self.input)];
        for (name, of) in input.into_iter().chain(names.zip(&self.numbers)) {
            let mean = |sum: usize| sum as f64 / of.results.max(1) as f64;
            writeln!(
                out,
                "  {name:<width$}  {:>7}  {:>6}  {:>5}  {:>7}  {:>7.2}  {:>7.2}{}",
                of.results,
                of.failed,
                of.wrong,
                of.unknown,
                mean(of.states),
                mean(of.edges),
                times(of.seconds),
            )?;
        }
        Ok(())
    }
}

/// Parses a tool: steps of `sempre aut`, or a command.
fn read(text: &str, shell: bool) -> Result<Tool> {
    let located = |error: TemplateError| -> Error {
        let error = ltl::Error::at(error.place, error.message);
        Located::new(&Place::Named("tool"), text, error).into()
    };
    let whole = |message: String| located(TemplateError { message, place: 0..text.len() });
    let trimmed = text.trim();
    let (name, command) = match trimmed.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((name, command)) => (name.trim(), command.trim()),
        None => (trimmed, trimmed),
    };
    let steps = command.strip_prefix("sempre ").unwrap_or(command).trim_start();
    let steps = steps.strip_prefix("aut ").unwrap_or(steps).trim_start();
    if !shell && steps.starts_with("--") {
        let steps = Pipeline::read(steps).map_err(|error| whole(format!("{error:#}")))?;
        return Ok(Tool { name: name.to_owned(), transformer: Box::new(InProcess::of(steps)) });
    }
    let template = Template::read(text, Input::Automata, shell).map_err(located)?;
    let program = Program::new(template, Input::Automata).map_err(whole)?;
    cross::Tool::ready(&program)
        .map_err(|missing| anyhow!("{name} is not available: {missing}"))?;
    Ok(Tool { name: name.to_owned(), transformer: Box::new(program) })
}
