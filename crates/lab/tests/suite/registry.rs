//! Tests the registry.

use sempre_lab::registry;
use sempre_lab::settings::Settings;
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
fn names_of_subjects_are_words() {
    let mut seen = BTreeSet::new();
    for subject in registry::subjects() {
        assert!(is_word(subject.name) && seen.insert(subject.name), "{}", subject.name);
        assert!(!subject.summary.is_empty() && !subject.counted.is_empty() && subject.count > 0);
    }
    assert!(seen.contains("constructions") && seen.contains("testing-automata"));
}
