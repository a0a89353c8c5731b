//! `sempre certificate`: are certificates evidence for their claims?

use crate::Exit;
use crate::limits::Limits;
use crate::models::ModelInput;
use crate::output::Output;
use crate::report;
use anyhow::{Context, Result};
use sempre::certificate::{self, Claim};
use sempre::models::plain;
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
        let (certificate, rejection) = outcome?;
        let mut out = Output::standard();
        let Claim { property, deadlocks, fair, .. } = &certificate.claim;
        let exit = match rejection {
            None => {
                writeln!(out, "accepted: {property}")?;
                let (nodes, ranks) = (certificate.node_count(), certificate.rank_count());
                let (deadlocks, fair) = (deadlocks.name(), fair.name());
                write!(out, "  nodes: {nodes}, ranks: {ranks}, ")?;
                writeln!(out, "deadlocks: {deadlocks}, fairness: {fair}")?;
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

    /// Returns the certificate, and why it is rejected.
    fn check(&self) -> Result<(certificate::Certificate, Option<String>)> {
        let name = self.certificate.display();
        let bytes = fs::read(&self.certificate).with_context(|| format!("cannot read {name}"))?;
        let certificate = certificate::read(&bytes).with_context(|| name.to_string())?;
        drop(bytes);
        let path = self.model.path();
        let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        if certificate::fingerprint(&text) != certificate.claim.model {
            let reason = "the text of the model is not the one that the certificate is about";
            return Ok((certificate, Some(reason.to_owned())));
        }
        drop(text);
        let model = self.model.open()?;
        let plain = plain::of(&model).context("the language of the model has no certificates")?;
        let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let threads = self.threads.unwrap_or_else(cores);
        let checked = certificate::check(&certificate, &*plain, threads.get());
        drop(plain);
        Ok((certificate, checked.err().map(|rejection| rejection.to_string())))
    }
}
