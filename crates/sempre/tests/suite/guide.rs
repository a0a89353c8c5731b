//! The guide: its links lead somewhere, its table of contents has every page, every command has a
//! page, and its pictures are those that its commands draw.
#![cfg(unix)]

use crate::sessions::{checkout, documents, output, subcommands};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The targets of links and images in a Markdown text, outside of code.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2).flat_map(|part| part.split('`').step_by(2));
    let parts = prose.flat_map(|part| part.split("](").skip(1));
    parts.filter_map(|part| part.split([')', ' ']).next()).collect()
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches(['#', ' ']).to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_of_documents_lead_somewhere() {
    let mut checked = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        // A link with code in it would be torn apart.
        for link in links(&text) {
            if link.contains("://") || link.is_empty() {
                continue;
            }
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => document.clone(),
                path => document.parent().unwrap().join(path),
            };
            assert!(target.exists(), "{}: {link} leads nowhere", document.display());
            if !fragment.is_empty() && target.extension().is_some_and(|kind| kind == "md") {
                let text = fs::read_to_string(&target).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                let found = headings.any(|heading| anchor(heading) == fragment);
                assert!(found, "{}: {link} names no heading", document.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} links were found");
}

/// mdBook writes links to Markdown as links to pages, so those to other documents would break.
#[test]
fn links_of_the_guide_to_documents_stay_inside() {
    for page in pages() {
        let path = source().join(&page);
        let text = fs::read_to_string(&path).unwrap();
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let target = path.parent().unwrap().join(link.split('#').next().unwrap());
            let is_document = target.extension().is_some_and(|kind| kind == "md");
            let is_inside = target.canonicalize().unwrap().starts_with(source());
            assert!(!is_document || is_inside, "{page}: {link} is no page");
        }
    }
}

fn source() -> PathBuf {
    checkout().join("docs/guide/src")
}

/// The pages of the guide, relative to its source.
fn pages() -> BTreeSet<String> {
    let home = source();
    let all = documents().into_iter();
    let pages = all.filter_map(|path| Some(path.strip_prefix(&home).ok()?.to_owned()));
    pages.map(|path| path.display().to_string()).filter(|path| path != "SUMMARY.md").collect()
}

#[test]
fn the_table_of_contents_has_every_page() {
    let summary = fs::read_to_string(source().join("SUMMARY.md")).unwrap();
    let listed: BTreeSet<String> = links(&summary).into_iter().map(str::to_owned).collect();
    assert_eq!(listed, pages());
}

#[test]
fn every_command_has_a_page() {
    let pages = pages();
    let in_shell = ["completions", "man"];
    for command in subcommands(&output("sempre --help", &checkout())) {
        let page = match in_shell.contains(&command.as_str()) {
            true => "commands/shell.md".to_owned(),
            false => format!("commands/{command}.md"),
        };
        assert!(pages.contains(&page), "there is no page {page}");
    }
}

/// A picture is named in a comment, with the command that draws it.
#[test]
fn pictures_are_those_of_their_commands() {
    let mut drawn = 0;
    for page in pages() {
        let text = fs::read_to_string(source().join(&page)).unwrap();
        for comment in text.lines().filter_map(|line| line.strip_prefix("<!-- pictures/")) {
            let (name, command) = comment.strip_suffix(" -->").unwrap().split_once(": ").unwrap();
            let path = source().join(Path::new("pictures").join(name));
            let now = output(command, &checkout());
            if std::env::var("SESSIONS").is_ok_and(|mode| mode == "overwrite") {
                fs::write(&path, format!("{now}\n")).unwrap();
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{now}\n"), "{page}: {name}");
            drawn += 1;
        }
    }
    assert!(drawn >= 8, "only {drawn} pictures were found");
}
