//! Runs commands in documents and compares their output: the sessions in `tests/cmd`, one file per
//! behaviour, the README and other documents, and the examples of every `--help`.
//!
//! A session has lines `$ COMMAND`, run by the shell, each followed by the expected standard output
//! and standard error. A line `? CODE` follows if the exit code is not 0. A session runs in its own
//! folder; that of `NAME.md` contains the files of `tests/cmd/NAME.in`.
//!
//! `SESSIONS=overwrite cargo test -p sempre --test suite sessions` writes the current output into
//! `tests/cmd` and the documents; read the difference before you commit it.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const SEMPRE: &str = env!("CARGO_BIN_EXE_sempre");

/// The root of the repository.
pub(crate) fn checkout() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// The documents of the repository.
pub(crate) fn documents() -> Vec<PathBuf> {
    let home = checkout();
    let mut folders = vec![home.join("docs")];
    let mut files: Vec<PathBuf> = ["README", "CONTRIBUTING", "ARCHITECTURE", "fuzz/README"]
        .iter()
        .map(|name| home.join(name).with_extension("md"))
        .collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Runs a command that must succeed; returns its standard output.
pub(crate) fn output(command: &str, folder: &Path) -> String {
    let printed = run(&format!("{command} 2>/dev/null"), folder);
    assert!(!printed.lines().any(|line| line.starts_with("? ")), "{command}: {printed}");
    printed
}

/// Runs a command; returns its output, and its exit code if that is not 0, as a session shows it.
fn run(command: &str, folder: &Path) -> String {
    // Cargo commands run in the checkout; others run in the folder of the session.
    let folder = if command.starts_with("cargo ") { &checkout() } else { folder };
    let bin = Path::new(SEMPRE).parent().unwrap().display();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    let run = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .env("PATH", path)
        // Sessions show the output of the command, not of the build.
        .env("CARGO_TERM_QUIET", "true")
        .current_dir(folder)
        .output()
        .unwrap();
    let mut printed = String::from_utf8(run.stdout).unwrap();
    match run.status.code() {
        Some(0) => {}
        Some(code) => printed.push_str(&format!("? {code}\n")),
        None => printed.push_str(&format!("? {}\n", run.status)),
    }
    neat(&printed)
}

/// Returns the text without trailing blanks and blank lines.
fn neat(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Returns the session with the current output, and the number of its commands.
fn replay(session: &str, folder: &Path) -> (String, usize) {
    let mut lines = session.lines().peekable();
    let mut now = Vec::new();
    let mut commands = 0;
    while let Some(line) = lines.next() {
        now.push(line.to_owned());
        let Some(command) = line.strip_prefix("$ ") else { continue };
        commands += 1;
        while lines.next_if(|line| !line.starts_with("$ ")).is_some() {}
        let printed = run(command, folder);
        now.extend(printed.lines().map(ToOwned::to_owned));
        if lines.peek().is_some() {
            now.push(String::new());
        }
    }
    (now.join("\n"), commands)
}

/// Replays the sessions of a Markdown text: the fenced blocks marked `console`.
fn replay_markdown(text: &str, folder: &Path) -> (String, usize) {
    let mut parts = text.split("```").map(ToOwned::to_owned).collect::<Vec<_>>();
    let mut commands = 0;
    for part in parts.iter_mut().skip(1).step_by(2) {
        if let Some(session) = part.strip_prefix("console\n") {
            let (now, count) = replay(session, folder);
            *part = format!("console\n{now}\n");
            commands += count;
        }
    }
    (parts.join("```"), commands)
}

/// Checks a Markdown file, or updates it on request.
fn check_file(path: &Path, folder: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let (now, commands) = replay_markdown(&text, folder);
    if std::env::var("SESSIONS").is_ok_and(|mode| mode == "overwrite") {
        fs::write(path, &now).unwrap();
    } else if let Some((old, new)) = text.lines().zip(now.lines()).find(|(old, new)| old != new) {
        panic!("{}: the line\n  {old}\nis now\n  {new}\nof\n{now}", path.display());
    } else {
        assert_eq!(text, now, "{}", path.display());
    }
    commands
}

/// Makes a folder with the files of a session.
fn folder(files: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(files).into_iter().flatten() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    folder
}

#[test]
fn sessions() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let entries = fs::read_dir(&home).unwrap().map(|entry| entry.unwrap().path());
    let mut sessions: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect();
    sessions.sort();
    assert!(!sessions.is_empty());
    for session in sessions {
        let folder = folder(&session.with_extension("in"));
        assert!(check_file(&session, folder.path()) > 0, "{} is empty", session.display());
    }
}

/// Checks the sessions of a document, which start in a checkout with the models; returns the number
/// of commands.
fn check_document(document: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(checkout().join("models"), folder.path().join("models")).unwrap();
    check_file(document, folder.path())
}

#[test]
fn the_readme_is_right() {
    assert!(check_document(&checkout().join("README.md")) >= 5);
}

#[test]
fn other_documents_are_right() {
    let documents = documents().into_iter().filter(|path| *path != checkout().join("README.md"));
    assert!(documents.map(|document| check_document(&document)).sum::<usize>() > 0);
}

/// Commands after a prompt occur only in sessions, so that all of them are run.
#[test]
fn prompts_are_in_sessions() {
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for part in text.split("```").filter(|part| !part.starts_with("console\n")) {
            let prompt = part.lines().find(|line| line.trim_start().starts_with("$ "));
            assert_eq!(prompt, None, "{}", document.display());
        }
    }
}

/// Returns the examples of a help text: the lines below `Examples:`, indented by two spaces.
fn examples(help: &str) -> String {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with("  "));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
    neat(&lines.join("\n"))
}

/// Returns the subcommands of a help text.
pub(crate) fn subcommands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    list.take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(ToOwned::to_owned)
        .collect()
}

#[test]
fn every_help_has_examples_that_work() {
    let mut queue: Vec<String> = vec!["sempre".into()];
    let mut visited = 0;
    while let Some(command) = queue.pop() {
        let folder = tempfile::tempdir().unwrap();
        let help = run(&format!("{command} --help"), folder.path());
        queue.extend(subcommands(&help).iter().map(|name| format!("{command} {name}")));
        let (now, commands) = replay(&examples(&help), folder.path());
        assert!(commands > 0, "{command} --help has no examples");
        assert_eq!(examples(&help), now, "{command} --help");
        visited += 1;
    }
    assert!(visited >= 13, "there are more commands than the {visited} that were found");
}
