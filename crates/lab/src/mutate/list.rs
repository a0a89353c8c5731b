//! The list of mutations: files in `crates/lab/mutations`, one for each crate.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::str::FromStr;

/// The folder of the list, in the workspace.
pub const FOLDER: &str = "crates/lab/mutations";

/// A changed condition of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// The folder of the crate, below `crates`.
    pub package: String,
    /// A name, unique in its crate.
    pub name: String,
    /// The file, below the folder of the crate.
    pub file: String,
    /// The text, which occurs once in the file: an expression, or a statement with its semicolon.
    pub before: String,
    /// The text that replaces it.
    pub after: String,
    /// The tests that should fail.
    pub tests: Vec<Tests>,
    /// Why no test need fail: the change preserves all results, or only costs time or memory.
    pub harmless: Option<String>,
}

impl Mutation {
    /// Returns the number by which it is chosen: a checksum (CRC-32) of its name. Other mutations do
    /// not change it, so files without new ones need not be built again.
    pub fn number(&self) -> u32 {
        let name = format!("{}/{}", self.package, self.name);
        let step = |sum: u32, _| sum >> 1 ^ 0xedb8_8320 & (sum & 1).wrapping_neg();
        let sum = name.bytes().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(byte), step));
        !sum & 0x7fff_ffff
    }
}

/// Some tests of a crate.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tests {
    /// The folder of the crate, below `crates`.
    pub package: String,
    /// Unit tests, or tests across modules.
    pub kind: Kind,
    /// A part of their names.
    pub filter: String,
}

/// A kind of test executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Unit tests: `cargo test --lib`.
    Unit,
    /// Tests across modules: `cargo test --test suite`.
    Suite,
}

impl Tests {
    /// Parses `lib FILTER`, `suite FILTER`, or the same after `CRATE:`.
    fn parse(text: &str, package: &str) -> Result<Self> {
        let (package, rest) = text
            .split_once(':')
            .filter(|(name, _)| !name.contains(' '))
            .map_or((package, text), |(package, rest)| (package, rest));
        let (kind, filter) = rest.split_once(' ').unwrap_or((rest, ""));
        let kind = match kind {
            "lib" => Kind::Unit,
            "suite" => Kind::Suite,
            _ => bail!("`{text}` begins neither with `lib` nor with `suite`"),
        };
        Ok(Tests { package: package.to_owned(), kind, filter: filter.to_owned() })
    }
}

/// Reads the list of a workspace, in the order of files and their entries.
///
/// # Errors
/// If a file cannot be read, or an entry is incomplete.
pub fn read(workspace: &Path) -> Result<Vec<Mutation>> {
    let folder = workspace.join(FOLDER);
    let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut files = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect::<Vec<_>>();
    files.sort();
    let mut all = Vec::new();
    for path in files {
        let package = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let text = fs::read_to_string(&path);
        let read = text.map_err(Into::into).and_then(|text| parse(&text, package));
        all.extend(read.with_context(|| path.display().to_string())?);
    }
    let mut numbers: Vec<u32> = all.iter().map(Mutation::number).collect();
    numbers.sort_unstable();
    if numbers.windows(2).any(|pair| pair[0] == pair[1]) {
        bail!("two mutations have the same number: give one of them another name");
    }
    Ok(all)
}

/// Parses the mutations of a crate.
fn parse(text: &str, package: &str) -> Result<Vec<Mutation>> {
    let table = toml::Table::from_str(text)?;
    let entries = table.get("mutation").and_then(toml::Value::as_array);
    let entries = entries.context("there is no [[mutation]]")?;
    // Tests that entries without their own have.
    let common = table.get("tests");
    let mut all: Vec<Mutation> = Vec::new();
    for entry in entries {
        let find = |key: &str| entry.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        let name = find("name").context("a mutation has no name")?;
        let need = |key: &str| find(key).with_context(|| format!("{name} has no `{key}`"));
        let tests = entry.get("tests").or(common).and_then(toml::Value::as_array);
        let tests = tests.with_context(|| format!("{name} has no `tests`"))?;
        let tests = tests.iter().map(|one| Tests::parse(one.as_str().unwrap_or_default(), package));
        let mutation = Mutation {
            package: package.to_owned(),
            file: need("file")?,
            before: need("before")?.trim().to_owned(),
            after: need("after")?.trim().to_owned(),
            tests: tests.collect::<Result<_>>()?,
            harmless: find("harmless"),
            name,
        };
        if all.iter().any(|other| other.name == mutation.name) {
            bail!("{} occurs twice", mutation.name);
        }
        all.push(mutation);
    }
    Ok(all)
}
