//! Stops and continues runs.

use sempre_lab::settings::Settings;
use sempre_lab::{registry, run};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

const NAME: &str = "translator-testing/e1";

fn settings(given: &[&str]) -> Settings {
    let given: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
    Settings::new(&registry::experiment(NAME).unwrap().about(), true, &given).unwrap()
}

fn go(out: &Path, budget: Option<Duration>) -> run::Summary {
    run::run(registry::experiment(NAME).unwrap(), settings(&[]), budget, out).unwrap()
}

#[test]
fn rows_that_exist_are_not_computed_again() {
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let all = go(whole.path(), None);
    assert!(all.is_complete);
    // Four constructions and their comparison, for each of three sizes. Installed tools add rows to
    // comparisons.
    assert_eq!(all.computed, 15);
    // Without time nothing is computed, but the page is written.
    let nothing = go(parts.path(), Some(Duration::ZERO));
    assert_eq!((nothing.is_complete, nothing.rows), (false, 0));
    // A run that was stopped in the middle of a line.
    let rows = fs::read_to_string(all.folder.join("rows.csv")).unwrap();
    let lines: Vec<&str> = rows.lines().collect();
    let mut file = fs::File::create(nothing.folder.join("rows.csv")).unwrap();
    write!(file, "{}\n{}\n{}", lines[0], lines[1], &lines[2][..3]).unwrap();
    drop(file);
    let rest = go(parts.path(), None);
    assert_eq!((rest.computed, rest.rows), (14, all.rows));
    assert_eq!(fs::read_to_string(rest.folder.join("rows.csv")).unwrap(), rows);
    let page = |folder: &Path| fs::read_to_string(folder.join(run::PAGE)).unwrap();
    assert_eq!(page(&rest.folder), page(&all.folder));
}

#[test]
fn rows_of_other_choices_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    go(folder.path(), None);
    let experiment = registry::experiment(NAME).unwrap();
    let error = run::run(experiment, settings(&["formulas=7"]), None, folder.path()).unwrap_err();
    assert!(error.to_string().contains("rows of another run"), "{error}");
}

#[test]
fn files_of_another_experiment_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let summary = go(folder.path(), None);
    let setup = summary.folder.join("setup.csv");
    let text = fs::read_to_string(&setup).unwrap().replace("testing/e1", "testing/e9");
    fs::write(&setup, text).unwrap();
    let experiment = registry::experiment(NAME).unwrap();
    let error = run::run(experiment, settings(&[]), None, folder.path()).unwrap_err();
    assert!(error.to_string().contains("is not of translator-testing/e1"), "{error}");
}
