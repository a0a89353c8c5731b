//! Saves failures, and reruns saved failures.
//!
//! A file has a line of JSON for each failure: the formula, the number of its round, the structures
//! and the tools, sufficient to repeat the round, and the findings for readers. Lines are only
//! appended.

use anyhow::{Context, Result, anyhow};
use sempre::cross::config::{StructureConfig, ToolConfig};
use sempre::cross::output::FindingRecord;
use sempre::cross::{Config, Finding, Round, Session};
use sempre::ltl::{Formula, Syntax, syntax};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// A saved failure.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Case {
    formula: String,
    pub(super) round: usize,
    structures: StructureConfig,
    tools: Vec<ToolConfig>,
}

impl Case {
    pub(super) fn formula(&self) -> Result<Formula> {
        Ok(syntax::parse(&self.formula, Syntax::Spot)?)
    }
}

/// The cases of one session.
pub(super) struct Group {
    pub(super) structures: StructureConfig,
    pub(super) tools: Vec<ToolConfig>,
    pub(super) cases: Vec<Case>,
}

/// Reads a file of failures; `tools`, if given, replace the saved ones.
pub(super) fn read(path: &Path, tools: &[ToolConfig]) -> Result<Vec<Group>> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let mut groups: Vec<Group> = vec![];
    for (i, line) in BufReader::new(file).lines().enumerate() {
        let line = line.with_context(|| format!("cannot read {name}"))?;
        if line.trim().is_empty() {
            continue;
        }
        let place = |message: String| anyhow!("{name}:{}: {message}", i + 1);
        let case: Case = serde_json::from_str(&line).map_err(|error| place(error.to_string()))?;
        case.formula().map_err(|error| place(error.to_string()))?;
        let tools = if tools.is_empty() { &case.tools } else { tools };
        let fits =
            |group: &&mut Group| group.structures == case.structures && group.tools == *tools;
        match groups.iter_mut().find(fits) {
            // Several runs may have saved the same case.
            Some(group) => {
                let same =
                    |other: &Case| (&other.formula, other.round) == (&case.formula, case.round);
                if !group.cases.iter().any(same) {
                    group.cases.push(case);
                }
            }
            None => groups.push(Group {
                structures: case.structures.clone(),
                tools: tools.to_vec(),
                cases: vec![case],
            }),
        }
    }
    Ok(groups)
}

/// A failure in the file.
#[derive(Serialize)]
struct Record<'a> {
    formula: String,
    round: usize,
    structures: &'a StructureConfig,
    tools: &'a [ToolConfig],
    findings: Vec<FindingRecord>,
    failures: Vec<FailureRecord>,
}

/// A translation that failed.
#[derive(Serialize)]
struct FailureRecord {
    tool: String,
    polarity: &'static str,
    kind: String,
    message: String,
    log: String,
}

/// A file to append failures to.
pub(super) struct Save(File);

impl Save {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        Ok(Save(file.with_context(|| format!("cannot write {}", path.display()))?))
    }

    /// Appends a round with a failure.
    pub(super) fn add(
        &mut self,
        round: &Round,
        session: &Session,
        config: &Config,
        findings: &[Finding],
    ) -> Result<()> {
        let mut failures = vec![];
        for (pair, name) in round.entries.iter().zip(session.names().iter()) {
            for (entry, polarity) in pair.iter().zip(["+", "-"]) {
                if let Err(failure) = &entry.translation.result {
                    failures.push(FailureRecord {
                        tool: name.clone(),
                        polarity,
                        kind: failure.kind.to_string(),
                        message: failure.message.clone(),
                        log: failure.log.clone(),
                    });
                }
            }
        }
        let record = Record {
            formula: round.formula.to_string(),
            round: round.number,
            structures: &config.structures,
            tools: &config.tools,
            findings: findings.iter().map(FindingRecord::from).collect(),
            failures,
        };
        let mut line = serde_json::to_vec(&record).map_err(io::Error::from)?;
        line.push(b'\n');
        // One write per line, so that an interrupted run leaves complete lines.
        Ok(self.0.write_all(&line)?)
    }
}
