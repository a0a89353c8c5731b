//! `sempre certificate`: are certificates evidence for their claims?

use crate::Exit;
use crate::limits::Limits;
use crate::models::ModelInput;
use crate::output::Output;
use crate::report;
use anyhow::{Context, Result, bail};
use sempre::certificate::{self, Claim};
use sempre::certificate_sets::{self, Failure as SetsFailure};
use sempre::certify::Certified;
use sempre::models::{Model, plain};
use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  $ sempre generate philosophers 3 -o philosophers.net

  $ sempre check philosophers.net 'G !(eats_0 & eats_1)' --certify mutex.cert | grep certificate
    certificate: 100 nodes, 3 ranks, 597 bytes

  $ sempre certificate check mutex.cert philosophers.net --quiet
  accepted: G!(eats_0 & eats_1)
    nodes: 100, ranks: 3, deadlocks: stutter, fairness: none

Exit codes:
  0  the certificate is accepted: the property holds
  1  the certificate is rejected: it proves nothing
  2  an error in the command line, the certificate or the model, or a limit was reached";

/// Check certificates of properties that hold.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Certificate {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Check(CheckCertificate),
}

/// Check a certificate that `sempre check --certify` has written.
///
/// The checker executes the model by a plain interpreter and expands the negated property by the
/// textbook rules. It uses no translation, no reduction and no search.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
struct CheckCertificate {
    /// The certificate.
    #[arg(value_name = "FILE")]
    certificate: PathBuf,

    #[command(flatten)]
    model: ModelInput,

    /// Check on N threads; by default on all cores.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    #[command(flatten)]
    limits: Limits,
}

/// The nodes of diagrams for which the checker of sets has room.
const MAX_NODES: usize = 1 << 25;

/// A certificate that was checked.
struct Checked {
    claim: Claim,
    /// Its size, in words.
    size: String,
    /// Why it is rejected.
    rejection: Option<String>,
}

impl Certificate {
    pub(crate) fn run(&self) -> Result<Exit> {
        let Command::Check(command) = &self.command;
        command.run()
    }
}

impl CheckCertificate {
    fn run(&self) -> Result<Exit> {
        let start = Instant::now();
        let name = self.certificate.display();
        let outcome = self.limits.run(|| format!("checking {name}"), || self.check());
        let Checked { claim: Claim { property, deadlocks, fair, .. }, size, rejection } = outcome?;
        let mut out = Output::standard();
        let exit = match rejection {
            None => {
                writeln!(out, "accepted: {property}")?;
                let (deadlocks, fair) = (deadlocks.name(), fair.name());
                writeln!(out, "  {size}, deadlocks: {deadlocks}, fairness: {fair}")?;
                Exit::Success
            }
            Some(reason) => {
                writeln!(out, "rejected: {property}\n  reason: {reason}")?;
                Exit::Violated
            }
        };
        out.finish()?;
        if !self.model.is_quiet() {
            report::note(&format!("checked in {:.2} s", start.elapsed().as_secs_f64()));
        }
        Ok(exit)
    }

    fn check(&self) -> Result<Checked> {
        let name = self.certificate.display();
        let bytes = fs::read(&self.certificate).with_context(|| format!("cannot read {name}"))?;
        let certificate = match certificate_sets::file::is_one(&bytes) {
            false => certificate::read(&bytes).map(Certified::Table),
            true => certificate_sets::read(&bytes).map(Certified::Sets),
        };
        let certificate = certificate.with_context(|| name.to_string())?;
        drop(bytes);
        let (claim, size) = match &certificate {
            Certified::Table(table) => {
                let (nodes, ranks) = (table.node_count(), table.rank_count());
                (table.claim.clone(), format!("nodes: {nodes}, ranks: {ranks}"))
            }
            Certified::Sets(sets) => {
                let (layers, nodes, ranks) =
                    (sets.layers.len(), sets.node_count(), sets.promises.len());
                let size = format!("layers: {layers}, nodes: {nodes}, ranks: {ranks}");
                (sets.claim.clone(), size)
            }
        };
        let path = self.model.path();
        let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        if certificate::fingerprint(&text) != claim.model {
            let reason = "the text of the model is not the one that the certificate is about";
            return Ok(Checked { claim, size, rejection: Some(reason.to_owned()) });
        }
        drop(text);
        let model = self.model.open()?;
        let rejection = self.rejection(&certificate, &model)?;
        Ok(Checked { claim, size, rejection })
    }

    /// Returns why a certificate is rejected, if it is.
    fn rejection(&self, certificate: &Certified, model: &Model) -> Result<Option<String>> {
        match certificate {
            Certified::Table(table) => {
                let plain = plain::of(model);
                let plain = plain.context("the language of the model has no certificates")?;
                let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
                let threads = self.threads.unwrap_or_else(cores);
                let checked = certificate::check(table, &*plain, threads.get());
                Ok(checked.err().map(|rejection| rejection.to_string()))
            }
            Certified::Sets(sets) => {
                let net = model.net().context("certificates by sets are about Petri nets")?;
                match certificate_sets::check(sets, net, MAX_NODES) {
                    Ok(()) => Ok(None),
                    Err(SetsFailure::Rejected(rejection)) => Ok(Some(rejection.to_string())),
                    Err(SetsFailure::Memory) => bail!("the diagrams need more memory"),
                }
            }
        }
    }
}
