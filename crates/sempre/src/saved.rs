//! Counterexamples that are kept as regression tests: a JSON object on a line for each.

use crate::schema::{VERSION, described};
use crate::trace::RunTrace;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Deserializer;
use std::fs;
use std::path::{Component, Path, PathBuf};

described! {
    /// A counterexample that `sempre check --save-as` has kept, for `sempre replay`.
    #[derive(Deserialize)]
    pub(crate) struct Saved {
        /// The version of this format.
        pub(crate) version: u32,
        /// The file of the model, relative to the folder of this file.
        pub(crate) model: String,
        /// The format of the model, if the name of its file does not say it.
        pub(crate) model_format: Option<String>,
        /// The name of the property; its formula if it has none.
        pub(crate) property: String,
        /// The formula.
        pub(crate) formula: String,
        /// The meaning of states without successors: stutter, ignore or report.
        pub(crate) deadlock: String,
        /// The fairness that was assumed, such as weak:process; null if none.
        #[serde(default)]
        pub(crate) fairness: Option<String>,
        /// The run.
        pub(crate) counterexample: RunTrace,
    }
}

/// Reads a file of saved counterexamples.
pub(crate) fn read(path: &Path) -> Result<Vec<Saved>> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let mut all = Vec::new();
    for saved in Deserializer::from_str(&text).into_iter::<Saved>() {
        let saved = saved.with_context(|| {
            format!("{name} is not a file that `sempre check --save-as` has written")
        })?;
        if saved.version != VERSION {
            bail!("{name} has version {}; this program reads version {VERSION}", saved.version);
        }
        all.push(saved);
    }
    if all.is_empty() {
        bail!("{name} has no counterexample");
    }
    Ok(all)
}

/// The path of a file as seen from the folder of another file.
pub(crate) fn relative(file: &Path, from: &Path) -> PathBuf {
    let folder = match from.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let (Ok(file_path), Ok(folder)) = (fs::canonicalize(file), fs::canonicalize(folder)) else {
        return file.to_owned();
    };
    let (mut there, mut here) = (file_path.components(), folder.components());
    let mut rest = (there.clone(), here.clone());
    while let (Some(one), Some(other)) = (there.next(), here.next())
        && one == other
    {
        rest = (there.clone(), here.clone());
    }
    let (there, here) = rest;
    here.map(|_| Component::ParentDir).chain(there).collect()
}
