//! Tests the registry.

use sempre_lab::experiment::About;
use sempre_lab::settings::Settings;
use sempre_lab::{registry, tables};
use std::collections::BTreeSet;

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
}

#[test]
fn names_of_experiments_are_a_document_and_a_table() {
    let mut seen = BTreeSet::new();
    for experiment in registry::experiments() {
        let about = experiment.about();
        let (document, table) = about.name.split_once('/').expect(about.name);
        assert!(is_word(document) && is_word(table), "{}", about.name);
        assert!(seen.insert(about.name), "{} is there twice", about.name);
        assert!(std::ptr::addr_eq(registry::experiment(about.name).unwrap(), *experiment));
        assert!(!about.summary.is_empty() && !about.summary.ends_with('.'), "{}", about.name);
        assert!(!about.source.document.is_empty() && !about.source.place.is_empty());
    }
    assert!(seen.len() >= 20, "{}", seen.len());
    assert!(registry::experiment("testing-automata").is_none());
}

#[test]
fn parameters_and_columns_have_names_of_their_own() {
    for experiment in registry::experiments() {
        let about = experiment.about();
        let names: BTreeSet<&str> = about.parameters.iter().map(|p| p.name).collect();
        assert_eq!(names.len(), about.parameters.len(), "{}", about.name);
        assert!(names.iter().all(|name| is_word(name)), "{}", about.name);
        assert!(about.parameters.iter().all(|p| !p.meaning.is_empty()), "{}", about.name);
        let columns: BTreeSet<&str> = about.columns().collect();
        assert_eq!(columns.len(), about.unit.len() + about.values.len(), "{}", about.name);
        assert!(!about.unit.is_empty() && !about.values.is_empty(), "{}", about.name);
        // The recorded command gives the same settings.
        for quick in [false, true] {
            let settings = Settings::new(&about, quick, &[]).unwrap();
            let wanted = format!("run {}{}", about.name, if quick { " --quick" } else { "" });
            assert!(settings.command(&about).ends_with(&wanted), "{}", about.name);
        }
    }
}

#[test]
fn the_lists_have_every_table_that_experiments_name() {
    let abouts: Vec<_> = registry::experiments().iter().map(|e| e.about()).collect();
    assert_eq!(tables::unlisted(&abouts).unwrap(), BTreeSet::new());
    let documents = tables::documents().unwrap();
    for document in &documents {
        let names: BTreeSet<&str> = document.items.iter().map(|item| &*item.name).collect();
        assert_eq!(names.len(), document.items.len(), "{}", document.name);
        let kinds = ["measurement", "definition", "example", "repetition"];
        assert!(document.items.iter().all(|item| kinds.contains(&&*item.kind)));
        let own: Vec<_> = abouts.iter().filter(|about| document.is_source_of(about)).collect();
        let repeats = |about: &&&About| !document.repeated(about).is_empty();
        assert!(own.iter().filter(repeats).count() >= own.len().min(1), "{}", document.name);
    }
    // A place with a table that no document has is noticed.
    let mut wrong = abouts[0];
    wrong.source.place = "Tables 3.1 and 99.1";
    assert_eq!(tables::unlisted(&[wrong]).unwrap().len(), 1);
}

#[test]
fn names_of_subjects_are_words() {
    let mut seen = BTreeSet::new();
    for subject in registry::subjects() {
        assert!(is_word(subject.name) && seen.insert(subject.name), "{}", subject.name);
        assert!(!subject.summary.is_empty() && !subject.counted.is_empty() && subject.count > 0);
    }
    assert!(seen.contains("constructions") && seen.contains("testing-automata"));
}
