//! What is shown of a run: progress, failures as they come, the report in the end.

use super::replay::Save;
use super::{Run, open};
use crate::output::Output;
use crate::progress::Meter;
use anyhow::{Context, Result};
use sempre::cross::output::{Record, Row, html};
use sempre::cross::{FailureKind, Finding, Polarity, Round, Statistics, Test};
use sempre::ltl::interrupt::{self, Interrupt};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How many translations of a tool that fail in the same way are told one by one.
const TOLD: usize = 5;

/// How many formulas are tried to make one smaller, and for how long.
const TRIES: usize = 2000;
const SHRINKING: Duration = Duration::from_secs(30);

/// How many findings that blame a participant for the same are made smaller.
const SHRUNK: usize = 10;

pub(super) struct Show<'a> {
    run: &'a Run<'a>,
    meter: Option<Meter>,
    total: Option<usize>,
    rounds: usize,
    failures: usize,
    /// The first round in which something failed.
    first: Option<usize>,
    /// How many failures of each kind each participant has had.
    told: BTreeMap<(usize, FailureKind), usize>,
    /// How many findings of each kind have been made smaller.
    shrunk: BTreeMap<(usize, Test), usize>,
    /// The first lines of findings, and the rounds of the first ones.
    found: BTreeMap<String, usize>,
    csv: Option<Output>,
    json: Option<Output>,
    html: Option<Output>,
    save: Option<Save>,
    record: Option<Record>,
}

impl<'a> Show<'a> {
    pub(super) fn new(run: &'a Run<'a>, total: Option<usize>) -> Result<Self> {
        let report = &run.command.report;
        let file = |path: &Option<std::path::PathBuf>| match path {
            Some(path) if path.as_os_str() != "-" => open(path).map(Some),
            _ => Ok(None),
        };
        let mut csv = match &report.csv {
            Some(path) => Some(open(path)?),
            None => None,
        };
        if let Some(csv) = &mut csv {
            writeln!(csv, "{}", Row::TITLES)?;
        }
        let wants_record = report.json.is_some() || report.html.is_some();
        let tools = run.session.participants().iter().map(|tool| tool.name.clone());
        let configuration = run.config.to_toml().map_err(anyhow::Error::msg)?;
        Ok(Show {
            run,
            meter: (!report.quiet).then(Meter::new),
            total,
            rounds: 0,
            failures: 0,
            first: None,
            told: BTreeMap::new(),
            shrunk: BTreeMap::new(),
            found: BTreeMap::new(),
            csv,
            json: file(&report.json)?,
            html: file(&report.html)?,
            save: report.save.as_deref().map(Save::open).transpose()?,
            record: wants_record.then(|| Record::new(tools.collect(), configuration)),
        })
    }

    /// Shows what there is to show of a round; true if something failed.
    pub(super) fn round(&mut self, round: &Round, out: &mut Output) -> Result<bool> {
        self.rounds += 1;
        let fails = self.run.fails(round);
        self.failures += usize::from(fails);
        if fails {
            self.first.get_or_insert(round.number);
        }
        if let Some(meter) = &mut self.meter {
            let (done, failures, total) = (self.rounds, self.failures, self.total);
            meter.show_line(|time| line(round.number, done, total, failures, time));
        }
        let findings = round.findings.iter().map(|finding| self.shrunk(round, finding));
        let findings: Vec<Finding> = findings.collect();
        if !self.is_json() {
            self.tell(round, &findings, out)?;
        }
        if let Some(csv) = &mut self.csv {
            for row in Row::of_round(round, self.run.session.names()) {
                row.write_csv(csv)?;
            }
        }
        if let Some(record) = &mut self.record {
            record.add(round, &findings);
        }
        if let (true, Some(save)) = (fails, &mut self.save) {
            save.add(round, self.run.session, self.run.config, &findings)?;
        }
        Ok(fails)
    }

    /// The finding for a smaller formula, if one is wanted and found.
    fn shrunk(&mut self, round: &Round, finding: &Finding) -> Finding {
        let (Some(culprit), false) = (finding.culprit(), self.run.command.report.no_shrink) else {
            return finding.clone();
        };
        let count = self.shrunk.entry((culprit.participant, finding.test)).or_default();
        *count += 1;
        if *count > SHRUNK {
            return finding.clone();
        }
        let deadline = Instant::now().checked_add(SHRINKING);
        let shrink = || self.run.session.shrink(round, finding, TRIES).finding;
        interrupt::run(&Interrupt::default(), deadline, shrink).unwrap_or_else(|_| finding.clone())
    }

    fn is_json(&self) -> bool {
        self.record.is_some() && self.run.command.report.prints_json()
    }

    /// Tells what failed.
    fn tell(&mut self, round: &Round, findings: &[Finding], out: &mut Output) -> Result<()> {
        let names = self.run.session.names();
        for (participant, pair) in round.entries.iter().enumerate() {
            for polarity in Polarity::ALL {
                let Err(failure) = &pair[polarity.index()].translation.result else { continue };
                if failure.kind == FailureKind::Unsupported {
                    continue;
                }
                let told = self.told.entry((participant, failure.kind)).or_default();
                *told += 1;
                if *told > TOLD {
                    continue;
                }
                self.meter.iter_mut().for_each(Meter::clear);
                let (name, formula) = (&names[participant], polarity.of(&round.formula));
                writeln!(
                    out,
                    "Round {}: {name} has no automaton of {formula}: {failure}",
                    round.number
                )?;
                if *told == TOLD {
                    writeln!(out, "  Further failures of this kind are only counted.")?;
                }
            }
        }
        if let Some(reason) = &round.no_structures {
            self.meter.iter_mut().for_each(Meter::clear);
            writeln!(out, "Round {}: there is no structure: {reason}", round.number)?;
        }
        for (original, finding) in round.findings.iter().zip(findings) {
            self.meter.iter_mut().for_each(Meter::clear);
            let text = finding.to_string();
            let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
            let before = self.found.get(first);
            if before == Some(&round.number) {
                // Two automata of the round have become the same one of a smaller formula.
                continue;
            }
            writeln!(out, "Round {}, {first}", round.number)?;
            match before {
                Some(before) => writeln!(out, "  This is the same as in round {before}.")?,
                None => write!(out, "{rest}")?,
            }
            if finding.formula != original.formula {
                writeln!(out, "  The formula was found as {}.", original.formula)?;
            }
            writeln!(out)?;
            self.found.entry(first.to_owned()).or_insert(round.number);
        }
        Ok(out.flush()?)
    }

    /// Writes the report and closes all files.
    pub(super) fn finish(mut self, statistics: &Statistics, out: &mut Output) -> Result<()> {
        self.meter.iter_mut().for_each(Meter::clear);
        let report = &self.run.command.report;
        if let Some(record) = &mut self.record {
            record.count(statistics);
        }
        if let Some(csv) = self.csv {
            csv.finish()?;
        }
        if let (Some(mut file), Some(record)) = (self.html, &self.record) {
            html::write(record, &mut file).context("cannot write the page")?;
            file.finish()?;
        }
        match (self.json, &self.record) {
            (Some(mut file), Some(record)) => {
                serde_json::to_writer(&mut file, record).map_err(io::Error::from)?;
                file.end_line()?;
                file.finish()?;
            }
            (None, Some(record)) if report.prints_json() => {
                serde_json::to_writer(&mut *out, record).map_err(io::Error::from)?;
                return Ok(out.end_line()?);
            }
            _ => {}
        }
        if report.quiet {
            return Ok(());
        }
        match report.no_times {
            true => write!(out, "{}", statistics.without_times())?,
            false => write!(out, "{statistics}")?,
        }
        let rounds = statistics.rounds();
        let rounds_text =
            if rounds == 1 { "1 round".to_owned() } else { format!("{rounds} rounds") };
        match self.failures {
            0 => writeln!(out, "\nNothing was found in {rounds_text}.")?,
            failures => {
                writeln!(out, "\nSomething failed in {failures} of {rounds_text}.")?;
                if let (Some(round), None) = (self.first, &self.run.command.replay) {
                    let command = repeated(std::env::args().skip(1), round);
                    writeln!(out, "To repeat round {round} by itself: {command}")?;
                }
            }
        }
        Ok(())
    }
}

/// The command that performs only that round, for a shell.
fn repeated(arguments: impl Iterator<Item = String>, round: usize) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/%+".contains(c);
    let mut command = String::from("sempre");
    for argument in arguments {
        command.push(' ');
        match !argument.is_empty() && argument.chars().all(plain) {
            true => command.push_str(&argument),
            false => command.push_str(&format!("'{}'", argument.replace('\'', "'\\''"))),
        }
    }
    format!("{command} --round {round}")
}

/// How far the run is.
fn line(
    round: usize,
    done: usize,
    total: Option<usize>,
    failures: usize,
    time: Duration,
) -> String {
    let failed = match failures {
        0 => "nothing found".to_owned(),
        1 => "1 failure".to_owned(),
        failures => format!("{failures} failures"),
    };
    let rate = done as f64 / time.as_secs_f64().max(0.001);
    let left = match total {
        Some(total) => {
            let seconds = total.saturating_sub(done) as f64 / rate;
            format!(" of {total}, {failed}, {rate:.0} rounds/s, {seconds:.0} s left")
        }
        None => format!(", {failed}, {rate:.0} rounds/s"),
    };
    format!("round {round}{left}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_repeated_by_a_command_for_a_shell() {
        let arguments = ["cross", "-n", "5", "sh -c 'x' %f", ""].map(ToOwned::to_owned);
        assert_eq!(
            repeated(arguments.into_iter(), 7),
            "sempre cross -n 5 'sh -c '\\''x'\\'' %f' '' --round 7"
        );
    }

    #[test]
    fn the_line_tells_how_long_it_will_take() {
        let time = Duration::from_secs(2);
        assert_eq!(
            line(50, 50, Some(200), 0, time),
            "round 50 of 200, nothing found, 25 rounds/s, 6 s left"
        );
        assert_eq!(line(7, 7, None, 3, time), "round 7, 3 failures, 4 rounds/s");
    }
}
