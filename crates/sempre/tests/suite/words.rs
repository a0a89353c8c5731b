//! The word list of the guideline, `tests/words.toml`: forbidden phrases occur neither in Markdown
//! nor in Rust sources, except where the list says why. Linear in the size of the repository.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A forbidden phrase; in lower case, except those at the start of a line.
struct Phrase {
    text: String,
    /// Its replacements.
    replacement: String,
    /// True if the phrase is forbidden only at the beginning of a line's text.
    is_at_start: bool,
}

/// A path prefix below which phrases are allowed: all if the list is empty.
struct Exception {
    path: String,
    phrases: Vec<String>,
}

impl Exception {
    fn covers(&self, path: &str, phrase: &Phrase) -> bool {
        path.starts_with(&self.path)
            && (self.phrases.is_empty() || self.phrases.contains(&phrase.text))
    }
}

/// The phrases and the exceptions of the word list.
fn word_list() -> (Vec<Phrase>, Vec<Exception>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/words.toml");
    let list: Value = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let string = |value: &Value| value.as_str().unwrap().to_owned();
    let phrases = list["phrase"].as_array().unwrap().iter().map(|row| Phrase {
        text: string(&row["text"]),
        replacement: string(&row["use"]),
        is_at_start: row["at"] == "start",
    });
    let exceptions = list["except"].as_array().unwrap().iter().map(|row| {
        assert!(!string(&row["reason"]).is_empty());
        let phrases = row["phrases"].as_array().into_iter().flatten().map(string);
        Exception { path: string(&row["path"]), phrases: phrases.collect() }
    });
    (phrases.collect(), exceptions.collect())
}

/// Returns all Markdown files and Rust sources of the repository, except build results.
fn files() -> Vec<PathBuf> {
    let root = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    let mut folders = vec![root];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                let is_skipped = name.starts_with('.') || name == "target" || name == "corpus";
                if !is_skipped && !path.is_symlink() {
                    folders.push(path);
                }
            } else if name.ends_with(".md") || name.ends_with(".rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// True if the line, in lower case, has the phrase as whole words.
fn has_words(line: &str, phrase: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(phrase).any(|(start, _)| {
        !line[..start].ends_with(is_part) && !line[start + phrase.len()..].starts_with(is_part)
    })
}

/// True if a comment or a line of Markdown begins with the phrase.
fn starts_with_words(line: &str, phrase: &str, is_rust: bool) -> bool {
    let text = line.trim_start();
    let text = if is_rust {
        let Some(comment) = text.strip_prefix("//") else { return false };
        comment.trim_start_matches(['/', '!', ' '])
    } else {
        text.trim_start_matches(['#', '-', '*', '|', ' '])
    };
    text.strip_prefix(phrase).is_some_and(|rest| rest.starts_with(' '))
}

#[test]
fn forbidden_phrases_do_not_occur() {
    let (phrases, exceptions) = word_list();
    let root = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    let mut is_needed = vec![false; exceptions.len()];
    let mut found = Vec::new();
    for file in files() {
        let path = file.strip_prefix(&root).unwrap().display().to_string();
        let is_rust = path.ends_with(".rs");
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let lower = line.to_lowercase();
            for phrase in &phrases {
                let is_found = match phrase.is_at_start {
                    true => starts_with_words(line, &phrase.text, is_rust),
                    false => has_words(&lower, &phrase.text),
                };
                if !is_found {
                    continue;
                }
                match exceptions.iter().position(|exception| exception.covers(&path, phrase)) {
                    Some(exception) => is_needed[exception] = true,
                    None => found.push(format!(
                        "{path}:{}: `{}`, use: {}",
                        number + 1,
                        phrase.text,
                        phrase.replacement
                    )),
                }
            }
        }
    }
    assert!(found.is_empty(), "{} forbidden phrases:\n{}", found.len(), found.join("\n"));
    let unneeded = exceptions.iter().zip(is_needed).filter(|(_, is_needed)| !is_needed);
    let unneeded: Vec<&str> = unneeded.map(|(exception, _)| exception.path.as_str()).collect();
    assert!(unneeded.is_empty(), "remove these exceptions from the word list: {unneeded:?}");
}

#[test]
fn phrases_are_whole_words() {
    assert!(has_words("it is told twice", "told"));
    assert!(has_words("told", "told"));
    assert!(!has_words("is_told or retold", "told"));
    assert!(starts_with_words("    /// What is drawn.", "What", true));
    assert!(!starts_with_words("    What is code", "What", true));
    assert!(starts_with_words("| What | figure |", "What", false));
    assert!(!starts_with_words("Whatever it is", "What", false));
}
