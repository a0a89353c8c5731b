//! `sempre cross --checkers`: compares model checkers on random structures.

use super::formulas::Source;
use super::{Cross, open, rounds};
use crate::output::Output;
use crate::progress::Meter;
use crate::{Exit, signals};
use anyhow::{Context, Error, Result, anyhow, bail};
use sempre::checkers::{
    Answer, FAULTS, Mistake, OwnEngine, Pair, Participant, Spin, shrink, variants,
};
use sempre::cross::{self, Config, Structures};
use sempre::engines::{AUTO, ENGINES, Settings};
use sempre::ltl::Formula;
use sempre::ltl::nearest::suggestion;
use sempre::models::kripke::text;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// The maximal number of smaller pairs that are tried for a wrong answer.
const TRIES: usize = 5000;

/// The number of wrong answers of a checker that are shown.
const SHOWN: usize = 5;

/// The answers of a checker.
#[derive(Clone, Debug, Default, Serialize)]
struct Numbers {
    checker: String,
    holds: usize,
    violated: usize,
    unsupported: usize,
    wrong: usize,
}

/// A wrong answer, shrunk.
#[derive(Clone, Debug, Serialize)]
struct WrongAnswer {
    round: usize,
    checker: String,
    formula: String,
    mistake: String,
    structure: String,
}

/// The results, as JSON.
#[derive(Serialize)]
struct Results<'a> {
    rounds: usize,
    checkers: &'a [Numbers],
    wrong: &'a [WrongAnswer],
}

/// Compares the named checkers; all engines by default.
pub(super) fn run(command: &Cross, config: &Config) -> Result<Exit> {
    let names: Vec<&str> = match &*command.tools {
        [] => vec!["engines"],
        tools => tools.iter().map(String::as_str).collect(),
    };
    let mut participants: Vec<Box<dyn Participant>> = vec![];
    for name in names {
        participants.extend(participants_named(name)?);
    }
    signals::before_death(cross::end_all).context("cannot handle signals")?;
    let structures = config.structures.structures().map_err(Error::msg)?;
    let report = &command.report;
    let source = Source::new(command, config, None)?;
    let names = participants.iter().map(|participant| participant.name().to_owned());
    let mut numbers: Vec<Numbers> =
        names.map(|checker| Numbers { checker, ..Numbers::default() }).collect();
    let mut wrong: Vec<WrongAnswer> = vec![];
    let (mut count, mut meter) = (0, Meter::new());
    let mut out = Output::standard();
    let round = |number, formula: &Formula| judge(&participants, &structures, number, formula);
    let threads = config.threads.unwrap_or(1);
    let bad = rounds::perform(round, threads, &source, &mut out, |judged, out| {
        let (round, judged) = judged?;
        for (pair, answers) in judged {
            count += 1;
            let all = participants.iter().zip(&mut numbers).zip(answers);
            for ((participant, numbers), answer) in all {
                let mistake = match answer {
                    Ok(Answer::Holds) => {
                        numbers.holds += 1;
                        continue;
                    }
                    Ok(Answer::Violated) => {
                        numbers.violated += 1;
                        continue;
                    }
                    Ok(Answer::Unsupported(_)) => {
                        numbers.unsupported += 1;
                        continue;
                    }
                    Err(mistake) => mistake,
                };
                numbers.wrong += 1;
                if numbers.wrong <= SHOWN {
                    let shrinks = !report.no_shrink;
                    let found = wrong_answer(round, &pair, mistake, &**participant, shrinks);
                    if !report.prints_json() {
                        meter.clear();
                        show(&found, &pair, out)?;
                    }
                    wrong.push(found);
                }
                if config.stop_on_error {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        if !report.quiet {
            meter.show_line(|time| format!("{count} pairs, {:.0} s", time.as_secs_f64()));
        }
        Ok(ControlFlow::Continue(()))
    })?;
    meter.clear();
    if count == 0 {
        bail!("the input has no formula");
    }
    let results = Results { rounds: count, checkers: &numbers, wrong: &wrong };
    match &report.json {
        Some(path) if !report.prints_json() => {
            let mut file = open(path)?;
            serde_json::to_writer(&mut file, &results).map_err(io::Error::from)?;
            file.end_line()?;
            file.finish()?;
        }
        _ => {}
    }
    if report.prints_json() {
        serde_json::to_writer(&mut out, &results).map_err(io::Error::from)?;
        out.end_line()?;
    } else if !report.quiet {
        table(count, &numbers, &mut out)?;
    }
    out.finish()?;
    Ok(match bad.exit_code() {
        Exit::Success if numbers.iter().any(|of| of.wrong > 0) => Exit::Violated,
        exit => exit,
    })
}

/// A pair with the answer, or the mistake, of each participant.
type Judged = (Pair, Vec<std::result::Result<Answer, Mistake>>);

/// Returns the number of a round, and the answers on its structures.
fn judge(
    participants: &[Box<dyn Participant>],
    structures: &Structures,
    round: usize,
    formula: &Formula,
) -> Result<(usize, Vec<Judged>)> {
    let made = structures.of_round(round, formula).map_err(|error| anyhow!(error.to_string()))?;
    let pairs = made.into_iter().map(|structure| Pair { structure, formula: formula.clone() });
    let judged = pairs.map(|pair| {
        let violation = pair.violation();
        let participants = participants.iter().map(|participant| &**participant);
        let answers = participants.map(|by| pair.judge(by, violation.as_ref())).collect();
        (pair, answers)
    });
    Ok((round, judged.collect()))
}

fn wrong_answer(
    round: usize,
    pair: &Pair,
    mistake: Mistake,
    participant: &dyn Participant,
    shrinks: bool,
) -> WrongAnswer {
    let (pair, mistake) = match shrinks {
        true => shrink(pair, &mistake, participant, TRIES),
        false => (pair.clone(), mistake),
    };
    WrongAnswer {
        round,
        checker: participant.name().to_owned(),
        formula: pair.formula.to_string(),
        mistake: mistake.to_string(),
        structure: pair.model().map_or_else(|error| error.to_string(), |model| text::write(&model)),
    }
}

fn show(found: &WrongAnswer, original: &Pair, out: &mut Output) -> Result<()> {
    let WrongAnswer { round, checker, formula, mistake, structure } = found;
    writeln!(out, "Round {round}, {checker}: {formula} {mistake}")?;
    for line in structure.lines() {
        writeln!(out, "    {line}")?;
    }
    if original.formula.to_string() != *formula {
        writeln!(out, "  The original formula is {}.", original.formula)?;
    }
    Ok(())
}

fn table(rounds: usize, numbers: &[Numbers], out: &mut Output) -> Result<()> {
    let width = numbers.iter().map(|of| of.checker.chars().count()).max().unwrap_or(0);
    writeln!(
        out,
        "  {:<width$}  {:>7}  {:>8}  {:>11}  {:>5}",
        "", "holds", "violated", "unsupported", "wrong"
    )?;
    for Numbers { checker, holds, violated, unsupported, wrong } in numbers {
        writeln!(
            out,
            "  {checker:<width$}  {holds:>7}  {violated:>8}  {unsupported:>11}  {wrong:>5}"
        )?;
    }
    let wrong: usize = numbers.iter().map(|of| of.wrong).sum();
    match wrong {
        0 => writeln!(out, "No wrong answer on {rounds} pairs.")?,
        _ => writeln!(out, "Wrong answers: {wrong} on {rounds} pairs.")?,
    }
    Ok(())
}

/// Returns the checkers that a name stands for.
fn participants_named(text: &str) -> Result<Vec<Box<dyn Participant>>> {
    let (name, fault) = match text.split_once(" fault:") {
        Some((name, fault)) => (name.trim(), Some(fault.trim())),
        None => (text.trim(), None),
    };
    let all = || ENGINES.iter().flat_map(|row| variants(row.name));
    let plain = || all().filter(|(name, _)| !name.contains(' '));
    let chosen: Vec<(String, Settings)> = match name {
        "own" => all().collect(),
        "engines" => plain().collect(),
        "spin" if !Spin::is_installed() => bail!("spin or a C compiler (cc) is not installed"),
        "spin" => return Ok(vec![Box::new(Spin)]),
        _ => all().filter(|(known, _)| known == name).collect(),
    };
    if chosen.is_empty() {
        let known: Vec<String> = all().map(|(name, _)| name).collect();
        let near = suggestion(name, known.iter().map(String::as_str));
        let names: Vec<&str> = ENGINES.iter().map(|row| row.name).collect();
        bail!(
            "there is no checker `{name}`{near}; there are {}, spin, engines (all of them), \
             own (all their variants, such as `{} couvreur tgba`)",
            names.join(", "),
            names.iter().find(|name| **name != AUTO).unwrap_or(&AUTO)
        );
    }
    let mut participants: Vec<Box<dyn Participant>> = vec![];
    for (name, settings) in chosen {
        let engine = OwnEngine::new(name, settings);
        participants.push(Box::new(match fault {
            None => engine,
            Some(fault) => engine.with_fault(fault).ok_or_else(|| {
                let names: Vec<&str> = FAULTS.iter().map(|(name, _)| *name).collect();
                anyhow!("there is no fault `{fault}`; there are {}", names.join(", "))
            })?,
        }));
    }
    Ok(participants)
}
