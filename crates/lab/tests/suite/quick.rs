//! Quick runs, which need no other models.

use sempre_lab::settings::Settings;
use sempre_lab::{registry, run};
use std::fs;

/// Runs an experiment twice: the second run computes nothing, and the page is the same.
fn quick(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let experiment = registry::experiment(name).expect(name);
    let about = experiment.about();
    let settings = Settings::new(&about, true, &[]).unwrap();
    let first = run::run(experiment, settings.clone(), None, folder.path()).expect(name);
    assert!(first.is_complete && first.computed > 0 && first.rows >= first.computed, "{first:?}");
    assert!(first.faults.is_empty(), "{name}: {:?}", first.faults);
    let read = |file: &str| fs::read_to_string(first.folder.join(file)).expect(file);
    let (page, rows) = (read(run::PAGE), read("rows.csv"));
    assert!(page.starts_with(&format!("# {name}\n")), "{page}");
    for part in ["**Source**", "**Command**", "**Cases**", "**Rule**", "\n## ", "\n|---"] {
        assert!(page.contains(part), "{name} lacks {part}");
    }
    for bad in ["NaN", "inf ", "| inf"] {
        assert!(!page.contains(bad), "{name} has {bad}:\n{page}");
    }
    let again = run::run(experiment, settings, None, folder.path()).expect(name);
    assert_eq!((again.computed, again.rows), (0, first.rows), "{name}");
    assert_eq!((read(run::PAGE), read("rows.csv")), (page, rows), "{name}");
}

#[test]
fn cheap_experiments_run_to_their_end() {
    for name in [
        "testing-automata/e3",
        "testing-automata/e5",
        "testing-automata/e6",
        "testing-automata/e7",
        "testing-automata/e8",
        "testing-automata/shapes",
        "decomposition/study",
        "decomposition/t1",
        "decomposition/t2",
        "decomposition/t3",
        "observation-graphs/t1-t2",
        "property-automata/e4",
        "translator-testing/e2",
        "translator-testing/e4",
        "translator-testing/e5",
        "translator-testing/e6",
        "property-automata/e5",
        "property-automata/e6",
        "sempre/exploration",
        "sempre/counting",
        "sempre/contest",
        "sempre/beem",
        "sempre/translation",
        "sempre/reduction",
        "sempre/hybrid",
    ] {
        quick(name);
    }
}

#[test]
#[ignore = "takes longer; run it by hand with --ignored"]
fn all_experiments_run_to_their_end() {
    registry::experiments().iter().for_each(|experiment| quick(experiment.about().name));
}
