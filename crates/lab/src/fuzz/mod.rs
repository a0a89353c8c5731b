//! Random changes of the corpora of the fuzz targets, by seed.
//!
//! No coverage guides the changes, unlike those of cargo-fuzz, but nothing has to be installed, and
//! a seed gives the same inputs again.

pub mod targets;

use anyhow::{Context, Result, bail};
use sempre_ltl::generate::Rng;
use sempre_ltl::interrupt::{self, Interrupt};
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::time::{Duration, Instant};
use targets::Target;

/// The largest input.
const MAX_BYTES: usize = 4096;

/// An input that takes longer in each attempt is a finding.
const SLOW: Duration = Duration::from_secs(10);

/// The number of attempts.
const SLOW_ATTEMPTS: usize = 3;

/// The number of attempts to shrink a finding.
const SHRINKS: usize = 2000;

/// An input on which a check fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The shrunk input.
    pub input: Vec<u8>,
    /// The message of the panic, or that it takes too long.
    pub message: String,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of inputs.
    pub inputs: u64,
    /// The first finding.
    pub finding: Option<Finding>,
}

/// The inputs to begin with.
pub struct Corpus {
    files: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

impl Corpus {
    /// Reads the corpus and the dictionary of a target.
    ///
    /// # Errors
    /// If a file cannot be read, or there is none.
    pub fn read(workspace: &Path, target: &Target) -> Result<Self> {
        let folder = workspace.join("fuzz/corpus").join(target.name);
        let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        paths.sort();
        let files: Vec<Vec<u8>> =
            paths.iter().map(|path| Ok(fs::read(path)?)).collect::<Result<_>>()?;
        if files.is_empty() {
            bail!("{} is empty", folder.display());
        }
        let mut words = Vec::new();
        if let Some(name) = target.dictionary {
            for line in fs::read_to_string(workspace.join("fuzz").join(name))?.lines() {
                let word = line.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"'));
                words.extend(word.map(|(word, _)| word.replace("\\\"", "\"").into_bytes()));
            }
        }
        Ok(Corpus { files, words })
    }

    /// Makes an input: a file with one to six changes.
    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let mut input = self.files[rng.index(self.files.len())].clone();
        for _ in 0..1 + rng.index(6) {
            self.change(&mut input, rng);
        }
        input.truncate(MAX_BYTES);
        input
    }

    fn change(&self, input: &mut Vec<u8>, rng: &mut Rng) {
        let at = rng.index(input.len() + 1);
        let end = (at + rng.index(24)).min(input.len());
        let piece = match rng.index(8) {
            0 => vec![],
            1 => vec![rng.below(256) as u8],
            2 if at < input.len() => vec![input[at] ^ (1 << rng.index(8))],
            3 if !self.words.is_empty() => self.words[rng.index(self.words.len())].clone(),
            4 => {
                let bits = rng.index(63);
                rng.below(1 << bits).to_string().into_bytes()
            }
            5 => input[at..end].repeat(1 + rng.index(20)),
            _ => {
                let other = &self.files[rng.index(self.files.len())];
                let start = rng.index(other.len() + 1);
                other[start..(start + rng.index(60)).min(other.len())].to_vec()
            }
        };
        // Insert, or replace as much, or replace a part.
        let end = [at, (at + piece.len()).min(input.len()), end][rng.index(3)];
        input.splice(at..end, piece);
    }
}

/// Checks inputs until the count or the time is over, or one fails.
pub fn run(target: &Target, corpus: &Corpus, seed: u64, count: u64, time: Option<Duration>) -> Run {
    let start = Instant::now();
    let mut rng = Rng::new(seed);
    for number in 0..count {
        if time.is_some_and(|time| start.elapsed() > time) {
            return Run { inputs: number, finding: None };
        }
        let input = corpus.input(&mut rng);
        if let Some(message) = failure(target, &input) {
            let finding = Some(shrunk(target, Finding { input, message }));
            return Run { inputs: number + 1, finding };
        }
    }
    Run { inputs: count, finding: None }
}

/// Returns why a check fails.
fn failure(target: &Target, input: &[u8]) -> Option<String> {
    // On a busy machine, any input may seem slow once.
    for _ in 0..SLOW_ATTEMPTS {
        let deadline = Instant::now().checked_add(SLOW);
        let check = || interrupt::run(&Interrupt::default(), deadline, || (target.check)(input));
        match panic::catch_unwind(AssertUnwindSafe(check)) {
            Ok(Ok(())) => return None,
            Ok(Err(_)) => {}
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let other = || panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                return Some(text.or_else(other).unwrap_or_else(|| "a panic".to_owned()));
            }
        }
    }
    Some(format!("it takes more than {} s", SLOW.as_secs()))
}

/// Removes what a failure does not need.
fn shrunk(target: &Target, mut finding: Finding) -> Finding {
    let mut attempts = 0;
    let mut length = finding.input.len() / 2;
    while length > 0 && attempts < SHRINKS {
        let mut at = 0;
        while at + length <= finding.input.len() && attempts < SHRINKS {
            attempts += 1;
            let mut input = finding.input.clone();
            input.drain(at..at + length);
            match failure(target, &input) {
                Some(message) => finding = Finding { input, message },
                None => at += length,
            }
        }
        length /= 2;
    }
    finding
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus() -> Corpus {
        Corpus { files: vec![b"some text with a number 17".to_vec()], words: vec![] }
    }

    #[test]
    fn findings_are_shrunk() {
        let check = |input: &[u8]| assert!(!input.contains(&b'3'), "a three");
        let target = Target { name: "threes", dictionary: None, check };
        let found = run(&target, &corpus(), 1, 10_000, None);
        let finding = found.finding.expect("a three");
        assert_eq!((finding.input, finding.message.as_str()), (b"3".to_vec(), "a three"));
        // The same seed gives the same inputs.
        assert_eq!(run(&target, &corpus(), 1, 10_000, None).inputs, found.inputs);
    }

    #[test]
    fn right_readers_have_no_findings() {
        let target = Target { name: "all", dictionary: None, check: |_| () };
        assert_eq!(run(&target, &corpus(), 1, 50, None), Run { inputs: 50, finding: None });
    }
}
