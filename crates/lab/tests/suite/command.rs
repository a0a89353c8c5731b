//! Tests the command.

use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sempre-lab")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_list_names_experiments_with_their_parameters() {
    let plain = text(&lab(&["list"]).stdout);
    assert!(plain.contains("\n  testing-automata/e1 "), "{plain}");
    assert!(plain.contains("\n  constructions "), "{plain}");
    let long = text(&lab(&["list", "--parameters"]).stdout);
    assert!(long.len() > plain.len() && long.contains("formulas: of each class"), "{long}");
}

#[test]
fn a_run_leaves_a_page_and_the_next_one_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let arguments = ["run", "translator-testing/e1", "--quick", "--set", "sizes=5", "-o", out];
    let first = lab(&arguments);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    assert!(text(&first.stdout).contains(" rows, 5 units computed: "));
    // Progress is shown on terminals only.
    assert_eq!(text(&first.stderr), "");
    assert!(text(&lab(&arguments).stdout).contains(" rows, 0 units computed: "));
    let pages = lab(&["page", "-o", out]);
    assert_eq!(pages.status.code(), Some(0), "{}", text(&pages.stderr));
    let index = std::fs::read_to_string(folder.path().join("README.md")).unwrap();
    assert!(index.contains("[translator-testing/e1](translator-testing/e1/README.md)"), "{index}");
}

#[test]
fn mistakes_are_told_apart() {
    for (arguments, message) in [
        (
            &["run", "nothing/e1"][..],
            "error: unknown experiment `nothing/e1`; `sempre-lab list` lists all\n",
        ),
        (&["agree", "nothing"], "error: unknown subject `nothing`; `sempre-lab list` lists all\n"),
        (
            &["run", "sempre/tgta", "--set", "x=1"],
            "error: sempre/tgta has no parameter `x`; its parameters are sets, formulas, timeout\n",
        ),
    ] {
        let output = lab(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(text(&output.stderr), message);
    }
    let folder = tempfile::tempdir().unwrap();
    let output = lab(&["run", "sempre/exploration", "-o", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--data"), "{}", text(&output.stderr));
}

/// Checks of fair runs, with fairness unfolded as a formula.
#[test]
fn fairness_agrees_with_its_definition() {
    let output = lab(&["agree", "fairness", "--seed", "1", "--count", "150"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.starts_with("seed 1: 150 pairs"), "{printed}");
    assert!(printed.ends_with("0 disagreements\n"), "{printed}");
}

#[test]
fn agreement_is_an_exit_code_of_0() {
    let output = lab(&["agree", "constructions", "--seed", "7", "--count", "20"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "seed 7: 20 formulas, 0 skipped for time, 0 disagreements\n");
}
