//! Tests `sempre --version` and how the build finds the commit.

#[path = "../../build/commit.rs"]
mod commit;

use commit::{of_checkout, of_package};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const HASH: &str = "0123456789abcdef0123456789abcdef01234567";
const OTHER: &str = "fedcba9876543210fedcba9876543210fedcba98";

/// Writes files below a folder.
fn write(root: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let file = root.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

/// Returns the abbreviated commit of a checkout with these files, and the files that it depends on.
fn found(files: &[(&str, &str)]) -> Option<(String, Vec<String>)> {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), files);
    let package = root.path().join("crates/sempre");
    fs::create_dir_all(&package).unwrap();
    let commit = of_checkout(&package)?;
    let root = fs::canonicalize(root.path()).unwrap();
    let name = |file: &PathBuf| {
        // A missing file would make every build rerun the script.
        let file = fs::canonicalize(file).unwrap();
        file.strip_prefix(&root).unwrap().to_str().unwrap().to_owned()
    };
    Some((commit.short().to_owned(), commit.files.iter().map(name).collect()))
}

fn expected(files: &[&str]) -> Option<(String, Vec<String>)> {
    Some((HASH[..12].to_owned(), files.iter().map(|file| (*file).to_owned()).collect()))
}

#[test]
fn version_commit_and_target_are_named() {
    let sempre = |option| {
        let run = Command::new(env!("CARGO_BIN_EXE_sempre")).arg(option).output().unwrap();
        assert!(run.status.success());
        String::from_utf8(run.stdout).unwrap()
    };
    let first = format!("sempre {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(sempre("-V"), first);
    let long = sempre("--version");
    let rest = long.strip_prefix(&first).unwrap();
    let (commit, target) = match rest.split_once('\n').unwrap() {
        (commit, target) if !target.is_empty() => (Some(commit), target.trim_end()),
        (target, _) => (None, target),
    };
    let target = target.strip_prefix("target: ").unwrap();
    assert!(target.starts_with(std::env::consts::ARCH) && target.contains('-'), "{target}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Some(commit) = commit.map(|line| line.strip_prefix("commit: ").unwrap()) else {
        return assert!(!root.join(".git").exists(), "there is a repository");
    };
    assert!(commit.len() == 12 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{commit}");
    // Git, if it is installed and accepts the checkout, knows the commit.
    let git = |arguments: &[&str]| {
        let run = Command::new("git").arg("-C").arg(&root).args(arguments).output();
        run.is_ok_and(|run| run.status.success())
    };
    if git(&["rev-parse", "--verify", "HEAD"]) {
        assert!(git(&["cat-file", "-e", &format!("{commit}^{{commit}}")]), "{commit}");
    }
}

#[test]
fn the_commit_is_that_of_the_branch() {
    let head = (".git/HEAD", "ref: refs/heads/some/branch\n");
    let hash = format!("{HASH}\n");
    let loose = (".git/refs/heads/some/branch", &*hash);
    assert_eq!(found(&[head, loose]), expected(&[head.0, loose.0]));
    let other = format!("# pack-refs with: peeled\n{OTHER} refs/heads/some/branch\n");
    let packed = (".git/packed-refs", &*other);
    assert_eq!(found(&[head, loose, packed]), expected(&[head.0, loose.0]), "packed ones are old");
    let hash = format!("# pack-refs with: peeled\n{OTHER} refs/heads/a\n{HASH} {}", &head.1[5..]);
    let packed = (".git/packed-refs", &*hash);
    let main = (".git/refs/heads/main", OTHER);
    assert_eq!(found(&[head, packed, main]), expected(&[head.0, packed.0, ".git/refs/heads"]));
    assert_eq!(found(&[(head.0, HASH)]), expected(&[head.0]), "no branch");
}

#[test]
fn worktrees_share_branches() {
    let files = [
        (".git", "gitdir: home/worktrees/here\n"),
        ("home/worktrees/here/HEAD", "ref: refs/heads/here\n"),
        ("home/worktrees/here/commondir", "../..\n"),
        ("home/HEAD", "ref: refs/heads/main\n"),
        ("home/refs/heads/main", OTHER),
        ("home/refs/heads/here", HASH),
    ];
    assert_eq!(found(&files), expected(&[files[1].0, files[5].0]));
}

#[test]
fn without_a_repository_there_is_no_commit() {
    assert_eq!(found(&[]), None);
    assert_eq!(found(&[(".git", "not a repository")]), None);
    assert_eq!(found(&[(".git/HEAD", "ref: refs/heads/none")]), None);
    assert_eq!(found(&[(".git/HEAD", "no hash")]), None);
    // A copy inside another project's repository does not have that project's commit.
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &[(".git/HEAD", HASH), ("vendor/sempre/Cargo.toml", "")]);
    assert_eq!(of_checkout(&root.path().join("vendor/sempre")), None);
}

#[test]
fn packages_note_their_commit() {
    let root = tempfile::tempdir().unwrap();
    assert_eq!(of_package(root.path()), None);
    let note =
        format!("{{\n  \"git\": {{\n    \"sha1\": \"{HASH}\"\n  }},\n  \"path_in_vcs\": \"\"\n}}");
    write(root.path(), &[(".cargo_vcs_info.json", &note)]);
    assert_eq!(of_package(root.path()).unwrap().short(), &HASH[..12]);
}
