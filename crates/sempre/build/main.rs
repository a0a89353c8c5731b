//! Writes the text of `sempre --version`: version, commit, target.
//!
//! The commit is that of the checkout or of the package; other sources have none. The script reruns
//! only if the checkout moves to another commit, so a second build does nothing.

mod commit;

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build");
    let variable = |name| env::var(name).unwrap_or_default();
    let package = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let found = commit::of_package(&package).or_else(|| commit::of_checkout(&package));
    let mut text = variable("CARGO_PKG_VERSION");
    if let Some(commit) = found {
        for file in &commit.files {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        text += &format!("\ncommit: {}", commit.short());
    }
    text += &format!("\ntarget: {}", variable("TARGET"));
    let file = Path::new(&variable("OUT_DIR")).join("version.txt");
    fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}
