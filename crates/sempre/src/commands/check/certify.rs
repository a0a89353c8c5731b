//! Certificates of properties that hold.

use super::{Check, Loaded};
use crate::output::Output;
use crate::schema::described;
use crate::signals::GracefulStop;
use anyhow::{Context, Result, bail};
use sempre::certificate::{Claim, Deadlocks, Fair, fingerprint};
use sempre::certify::{self, Budget, Certified};
use sempre::check::{Components, Deadlock, Fairness, FairnessKind};
use sempre::ltl::{Formula, interrupt};
use sempre::models::plain;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fmt, fs};

described! {
    /// The size of a certificate.
    pub(super) struct CertificateSize {
        /// The number of its nodes; if it has layers, the number of nodes of their diagrams.
        nodes: usize,
        /// The number of its layers, if its states are sets.
        layers: Option<usize>,
        /// The number of its ranks.
        ranks: usize,
        /// The number of bytes of its file.
        bytes: usize,
    }
}

/// The memory of the search without --memory: the states of a model may be too many, or endless.
const MAX_BYTES: usize = 4 << 30;

/// A certificate that was written, or the reason why there is none.
pub(super) type Outcome = Result<CertificateSize, String>;

impl CertificateSize {
    fn of(certificate: &Certified, bytes: usize) -> Self {
        match certificate {
            Certified::Table(table) => CertificateSize {
                nodes: table.node_count(),
                layers: None,
                ranks: table.rank_count(),
                bytes,
            },
            Certified::Sets(sets) => CertificateSize {
                nodes: sets.node_count(),
                layers: Some(sets.layers.len()),
                ranks: sets.promises.len(),
                bytes,
            },
        }
    }

    /// The sizes, for people.
    pub(super) fn text(&self) -> String {
        let CertificateSize { nodes, layers, ranks, bytes } = self;
        match layers {
            None => format!("{nodes} nodes, {ranks} ranks, {bytes} bytes"),
            Some(layers) => {
                format!("by sets, {layers} layers, {nodes} nodes, {ranks} ranks, {bytes} bytes")
            }
        }
    }
}

impl Check {
    /// Removes an older certificate from the file for the new one.
    pub(super) fn prepare_certificate(&self) -> Result<()> {
        let Some(file) = &self.certify else { return Ok(()) };
        if file.as_os_str() == "-" {
            bail!("--certify needs a file, not standard output");
        }
        let same = |other: &Path| match (fs::canonicalize(file), fs::canonicalize(other)) {
            (Ok(file), Ok(other)) => file == other,
            _ => file == other,
        };
        if same(self.model.path()) {
            bail!("--certify would overwrite the model {}", file.display());
        }
        if self.output.output.as_deref().is_some_and(same) {
            bail!("--certify and -o name the same file");
        }
        match fs::remove_file(file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot write {}", file.display()))
            }
            _ => Ok(()),
        }
    }

    /// Writes a certificate of a formula that holds, if the options ask for it. The limits of the
    /// formula count from the start of its check. `number` counts the formulas from 1.
    pub(super) fn certify(
        &self,
        loaded: &Loaded,
        formula: &Formula,
        start: Instant,
        number: usize,
    ) -> Result<Option<Outcome>> {
        let Some(file) = &self.certify else { return Ok(None) };
        let system = loaded.checker.system();
        let fairness = self.fair.map(|fair| fair.of(&**system));
        let fair = match fairness {
            None => Fair::All,
            Some(Fairness { kind: FairnessKind::Strong, .. }) => {
                return Ok(Some(Err("none: strong fairness is not covered".to_owned())));
            }
            Some(Fairness { components: Components::Processes, .. }) => Fair::Processes,
            Some(Fairness { components: Components::Transitions, .. }) => Fair::Transitions,
        };
        let deadlocks = match self.deadlock {
            Deadlock::Stutter => Deadlocks::Stutter,
            Deadlock::Ignore => Deadlocks::Ignore,
            Deadlock::Report => Deadlocks::Report,
        };
        let Some(plain) = plain::of(loaded.checker.model()) else {
            return Ok(Some(Err("none: the language of the model is not covered".to_owned())));
        };
        let text = fs::read(self.model.path());
        let text = text.with_context(|| format!("cannot read {}", self.model.path().display()))?;
        let claim = Claim { model: fingerprint(&text), property: formula.clone(), deadlocks, fair };
        drop(text);
        let built = GracefulStop::run(|stop| {
            let limits = self.limits.from(start, stop.search.clone());
            let budget =
                Budget { nodes: limits.states, bytes: Some(limits.bytes.unwrap_or(MAX_BYTES)) };
            let work = || -> Result<_, certify::Failure> {
                let model = loaded.checker.model();
                let certificate = certify::search(&claim, model, &*plain, budget)?;
                let mut bytes = Vec::new();
                // A vector takes everything.
                certificate.write(&mut bytes).map_err(|_| certify::Failure::Memory)?;
                Ok((CertificateSize::of(&certificate, bytes.len()), bytes))
            };
            let within = || {
                let built = limits.run(work).map_err(|reason| beyond(&reason))?;
                built.map_err(|failure| match failure.is_limit() {
                    true => beyond(&failure),
                    false => format!("none: {failure}"),
                })
            };
            let interrupted = |_| Err("none: interrupted".to_owned());
            interrupt::run(&stop.rest, None, within).unwrap_or_else(interrupted)
        })?;
        if let Ok((_, bytes)) = &built {
            Output::write(&numbered(file, number), bytes)?;
        }
        Ok(Some(built.map(|(size, _)| size)))
    }

    /// Gives the certificate of the first formula its number, once there is a second one.
    pub(super) fn number_first_certificate(&self) -> Result<()> {
        let Some(file) = &self.certify else { return Ok(()) };
        let first = numbered(file, 1);
        let last = suffixed(file, 1);
        fs::rename(&first, &last).with_context(|| format!("cannot write {}", last.display()))
    }
}

/// The file of a certificate: the first one gets a number only when there is a second one.
fn numbered(file: &Path, number: usize) -> PathBuf {
    if number == 1 { file.to_owned() } else { suffixed(file, number) }
}

fn suffixed(file: &Path, number: usize) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}

/// Says that a limit was too small.
fn beyond(limit: &impl fmt::Display) -> String {
    format!("none within the limits: {limit}")
}
