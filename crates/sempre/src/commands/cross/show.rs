//! Shows a comparison: progress, failures, and the report at the end.

use super::replay::Save;
use super::{Run, open};
use crate::output::Output;
use crate::progress::Meter;
use anyhow::{Context, Result};
use sempre::cross::output::{Record, Row, html};
use sempre::cross::{Config, FailureKind, Finding, Polarity, Round, Statistics, Test};
use sempre::ltl::interrupt::{self, Interrupt};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The number of equal failures of a tool that are shown individually.
const SHOWN_FAILURES: usize = 5;

/// The limits of shrinking: formulas, and time for each finding.
const TRIES: usize = 2000;
const SHRINKING: Duration = Duration::from_secs(30);

/// The number of findings of the same kind that are shrunk.
const SHRUNK: usize = 10;

pub(super) struct Show<'a> {
    run: &'a Run<'a>,
    meter: Option<Meter>,
    total: Option<usize>,
    rounds: usize,
    failures: usize,
    /// The first round with a failure.
    first: Option<usize>,
    /// The number of failures of each kind for each participant.
    failure_counts: BTreeMap<(usize, FailureKind), usize>,
    /// The number of shrunk findings of each kind.
    shrunk: BTreeMap<(usize, Test), usize>,
    /// The first lines of findings, with the first round of each.
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
        let configuration = configuration(run.config)?;
        Ok(Show {
            run,
            meter: (!report.quiet).then(Meter::new),
            total,
            rounds: 0,
            failures: 0,
            first: None,
            failure_counts: BTreeMap::new(),
            shrunk: BTreeMap::new(),
            found: BTreeMap::new(),
            csv,
            json: file(&report.json)?,
            html: file(&report.html)?,
            save: report.save.as_deref().map(Save::open).transpose()?,
            record: wants_record.then(|| Record::new(tools.collect(), configuration)),
        })
    }

    /// Removes the line of progress.
    pub(super) fn clear(&mut self) {
        self.meter.iter_mut().for_each(Meter::clear);
    }

    /// Shows a round; true if it has a failure.
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
            self.write_failures(round, &findings, out)?;
        }
        let without_times = self.run.command.report.no_times;
        let rows = Row::of_round(round, self.run.session.names());
        let rows = rows.map(|row| if without_times { row.without_times() } else { row });
        if let Some(csv) = &mut self.csv {
            for row in rows.clone() {
                row.write_csv(csv)?;
            }
        }
        if let Some(record) = &mut self.record {
            record.add(&findings, rows);
        }
        if let (true, Some(save)) = (fails, &mut self.save) {
            save.add(round, self.run.session, self.run.config, &findings)?;
        }
        Ok(fails)
    }

    /// Returns the finding for a smaller formula, if shrinking applies and succeeds.
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

    /// Writes the failures.
    fn write_failures(
        &mut self,
        round: &Round,
        findings: &[Finding],
        out: &mut Output,
    ) -> Result<()> {
        let names = self.run.session.names();
        for (participant, pair) in round.entries.iter().enumerate() {
            for polarity in Polarity::ALL {
                let Err(failure) = &pair[polarity.index()].translation.result else { continue };
                if failure.kind == FailureKind::Unsupported {
                    continue;
                }
                let count = self.failure_counts.entry((participant, failure.kind)).or_default();
                *count += 1;
                if *count > SHOWN_FAILURES {
                    continue;
                }
                self.meter.iter_mut().for_each(Meter::clear);
                let (name, formula) = (&names[participant], polarity.of(&round.formula));
                writeln!(out, "Round {}: {name} failed on {formula}: {failure}", round.number)?;
                if *count == SHOWN_FAILURES {
                    writeln!(out, "  Further failures of this kind are only counted.")?;
                }
            }
        }
        if let Some(reason) = &round.no_structures {
            self.meter.iter_mut().for_each(Meter::clear);
            writeln!(out, "Round {}: no structure was generated: {reason}", round.number)?;
        }
        for (original, finding) in round.findings.iter().zip(findings) {
            self.meter.iter_mut().for_each(Meter::clear);
            let text = finding.to_string();
            let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
            let before = self.found.get(first);
            if before == Some(&round.number) {
                // Two findings of the round were shrunk to the same formula.
                continue;
            }
            writeln!(out, "Round {}, {first}", round.number)?;
            match before {
                Some(before) => writeln!(out, "  The same finding as in round {before}.")?,
                None => write!(out, "{rest}")?,
            }
            if finding.formula != original.formula {
                writeln!(out, "  The original formula is {}.", original.formula)?;
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
            0 => writeln!(out, "\nNo failure in {rounds_text}.")?,
            failures => {
                writeln!(out, "\nFailures in {failures} of {rounds_text}.")?;
                if let (Some(round), None) = (self.first, &self.run.command.replay) {
                    let command = repeated(std::env::args().skip(1), round);
                    writeln!(out, "To repeat round {round}: {command}")?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the configuration as TOML. The number of threads changes no result, and is left out.
pub(super) fn configuration(config: &Config) -> Result<String> {
    let config = Config { threads: None, ..config.clone() };
    config.to_toml().map_err(anyhow::Error::msg)
}

/// Returns the shell command that runs only this round. It needs no threads.
fn repeated(arguments: impl Iterator<Item = String>, round: usize) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/%+".contains(c);
    let mut command = String::from("sempre");
    let mut arguments = arguments.peekable();
    while let Some(argument) = arguments.next() {
        if ["-j", "--threads", "--jobs"].contains(&&*argument) {
            arguments.next();
            continue;
        }
        let named = |name: &str| argument.strip_prefix(name);
        let number = named("-j").or(named("--threads=")).or(named("--jobs="));
        let number = number.map(|text| text.trim_start_matches('='));
        if number.is_some_and(|text| text.parse::<u32>().is_ok()) {
            continue;
        }
        command.push(' ');
        match !argument.is_empty() && argument.chars().all(plain) {
            true => command.push_str(&argument),
            false => command.push_str(&format!("'{}'", argument.replace('\'', "'\\''"))),
        }
    }
    format!("{command} --round {round}")
}

/// Returns the progress line.
fn line(
    round: usize,
    done: usize,
    total: Option<usize>,
    failures: usize,
    time: Duration,
) -> String {
    let failed = match failures {
        0 => "no failure".to_owned(),
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
        let arguments = ["cross", "-j", "5", "-j4", "--threads=3", "--jobs", "2", "-n5"];
        let arguments = arguments.map(ToOwned::to_owned).into_iter();
        assert_eq!(repeated(arguments, 7), "sempre cross -n5 --round 7");
    }

    #[test]
    fn the_line_estimates_the_remaining_time() {
        let time = Duration::from_secs(2);
        assert_eq!(
            line(50, 50, Some(200), 0, time),
            "round 50 of 200, no failure, 25 rounds/s, 6 s left"
        );
        assert_eq!(line(7, 7, None, 3, time), "round 7, 3 failures, 4 rounds/s");
    }
}
