//! The page of `check --html` in a real browser: run by `./test` where Chromium is installed.
#![cfg(unix)]

use crate::sessions::checkout;
use std::fs;
use std::path::Path;
use std::process::Command;

const SEMPRE: &str = env!("CARGO_BIN_EXE_sempre");

/// The names under which distributions have the browser.
const BROWSERS: [&str; 2] = ["chromium", "chromium-browser"];

/// The document of a page after its scripts have run.
fn document(page: &str, folder: &Path) -> String {
    let profile = folder.join("profile");
    for browser in BROWSERS {
        let run = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .args(["--disable-sync", "--disable-quic", "--virtual-time-budget=5000"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(["--dump-dom", page])
            .output();
        if let Ok(run) = run {
            return String::from_utf8(run.stdout).unwrap();
        }
    }
    panic!("there is no browser: install chromium");
}

#[test]
#[ignore = "needs Chromium"]
fn browser_shows_the_page_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("run.html");
    let model = checkout().join("models/lock.dve");
    let status = Command::new(SEMPRE)
        .args(["check", "--brief", "--html"])
        .args([&page, &model])
        .args(["G !(P0.critical & P1.critical)", "G F P0.critical"])
        .output()
        .unwrap()
        .status;
    assert_eq!(status.code(), Some(1));
    let text = fs::read_to_string(&page).unwrap();
    assert!(!text.contains("src=") && !text.contains("href="), "the page needs other files");
    let first = document(&format!("file://{}", page.display()), folder.path());
    assert!(first.contains("data-step=\"0\""), "{first}");
    for part in
        ["(initial state)", "P0", "P1", "shared", "bad state", "P0.critical &amp; P1.critical"]
    {
        assert!(first.contains(part), "{part} is missing in {first}");
    }
    let last = document(&format!("file://{}#4", page.display()), folder.path());
    assert!(last.contains("data-step=\"4\""), "{last}");
    // One state of the automaton is lit; its outline may be double.
    assert!((1..=2).contains(&last.matches("data-lit=").count()), "{last}");
    assert!(last.contains("class=\"t now") || last.contains("class=\"f now"), "{last}");
}
