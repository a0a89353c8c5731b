//! Reads the commit of the sources from the files of Git, without calling Git. Returns none for an
//! unknown layout of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// A commit, and the files that change with the current commit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    hash: String,
    pub(crate) files: Vec<PathBuf>,
}

impl Commit {
    fn new(hash: &str, files: Vec<PathBuf>) -> Option<Commit> {
        let hash = hash.trim();
        let is_hash = hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| Commit { hash: hash.to_owned(), files })
    }

    /// Returns the abbreviated hash.
    pub(crate) fn short(&self) -> &str {
        &self.hash[..12]
    }
}

/// Reads the commit that `cargo package` recorded in a package.
pub(crate) fn of_package(package: &Path) -> Option<Commit> {
    let file = package.join(".cargo_vcs_info.json");
    let text = fs::read_to_string(&file).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    Commit::new(rest.split('"').nth(1)?, vec![file])
}

/// Reads the commit of the checkout that contains the package.
pub(crate) fn of_checkout(package: &Path) -> Option<Commit> {
    // Elsewhere, the package may be part of another project's repository.
    let root = package.ends_with("crates/sempre").then(|| package.ancestors().nth(2))??;
    let git = git_folder(root)?;
    // Worktrees share a folder.
    let shared = fs::read_to_string(git.join("commondir")).unwrap_or_default();
    let shared = git.join(shared.trim_end());
    let head = git.join("HEAD");
    let text = fs::read_to_string(&head).ok()?;
    let Some(branch) = text.strip_prefix("ref: ").map(str::trim_end) else {
        return Commit::new(&text, vec![head]);
    };
    let loose = shared.join(branch);
    if let Ok(hash) = fs::read_to_string(&loose) {
        return Commit::new(&hash, vec![head, loose]);
    }
    let packed = shared.join("packed-refs");
    let text = fs::read_to_string(&packed).ok()?;
    let mut entries = text.lines().filter_map(|line| line.split_once(' '));
    let (hash, _) = entries.find(|(_, name)| *name == branch)?;
    // The next commit creates a file for the branch.
    let folder = loose.ancestors().find(|folder| folder.is_dir())?.to_owned();
    Commit::new(hash, vec![head, packed, folder])
}

/// Returns the folder with the `HEAD` of a checkout: `.git`, or the target of a file of that name.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(git).ok()?;
    Some(root.join(text.strip_prefix("gitdir: ")?.trim_end()))
}
