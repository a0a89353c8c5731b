//! Every command that can run long ends cleanly under small limits, on inputs that are hard by their
//! labels, conditions, formulas or nets. Steps of automata are in the tests of their crate, where
//! limits count polls.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Far more than the limit of any command here, for machines that do much else.
const FOR_EVER: Duration = Duration::from_secs(30);

/// The message of the thread that watches limits if work does not poll.
const UNPOLLED: &str = "in work that does not look at it";

/// An exclusive disjunction of many propositions: its cubes are exponentially many.
fn parity(props: usize) -> String {
    (0..props).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" xor ")
}

/// Many independent until-formulas: their automaton is exponential.
fn untils(count: usize) -> String {
    let one = |i| format!("G(a{i} -> F(b{i} & X(c{i} U d{i})))");
    (0..count).map(one).collect::<Vec<_>>().join(" & ")
}

/// Writes the inputs.
fn inputs(folder: &Path) {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let props: Vec<String> = (0..24).map(|i| format!("\"p{i}\"")).collect();
    let mut classes = format!("HOA: v1 States: 2 Start: 0 AP: 24 {} ", props.join(" "));
    classes += "Acceptance: 1 Inf(0)\n--BODY-- State: 0\n";
    (0..24).for_each(|i| writeln!(classes, "[{i}] {}", i % 2).unwrap());
    write("classes.hoa", &(classes + "State: 1 [0&1|2&3] 0 {0} [!0] 1 --END--\n"));

    let terms: Vec<String> =
        (0..20).map(|i| format!("(Fin({})|Inf({}))", 2 * i, 2 * i + 1)).collect();
    let mut condition =
        format!("HOA: v1 States: 3 Start: 0 AP: 1 \"a\" Acceptance: 40 {}\n", terms.join("&"));
    condition += "--BODY--\n";
    for state in 0..3 {
        writeln!(condition, "State: {state}").unwrap();
        for edge in 0..4 {
            let marks: Vec<String> = (0..40)
                .filter(|mark| (mark * 7 + edge * 5 + state * 3) % 4 == 0)
                .map(|mark: usize| mark.to_string())
                .collect();
            let (label, target) = (["0", "!0", "t", "0"][edge], (state + edge) % 3);
            writeln!(condition, "[{label}] {target} {{{}}}", marks.join(" ")).unwrap();
        }
    }
    write("condition.hoa", &(condition + "--END--\n"));

    // A label with 2^30 nodes.
    let pairs: Vec<String> = (0..30).map(|i| format!("{i}&{}", i + 30)).collect();
    let props: Vec<String> = (0..60).map(|i| format!("\"p{i}\"")).collect();
    let label = format!(
        "HOA: v1 States: 1 Start: 0 AP: 60 {} Acceptance: 1 Inf(0)\n--BODY-- State: 0 [{}] 0 {{0}} --END--\n",
        props.join(" "),
        pairs.join("|")
    );
    write("label.hoa", &label);

    let mut unbounded = "pl p (1)\n".to_owned();
    let mut large = String::new();
    for i in 0..30 {
        writeln!(unbounded, "tr g{i} p -> p q{i}\ntr m{i} q{i} -> q{}", (i + 1) % 30).unwrap();
    }
    (0..400).for_each(|i| writeln!(large, "pl p{i} ({})", i % 3).unwrap());
    for i in 0..8000 {
        let place = |factor: usize| (i * factor + i / 7) % 400;
        writeln!(large, "tr t{i} p{} p{} -> p{} p{}", place(3), place(5), place(7), place(11))
            .unwrap();
    }
    write("unbounded.net", &unbounded);
    write("large.net", &large);
}

#[test]
fn every_command_ends_cleanly_under_small_limits() {
    let folder = tempfile::tempdir().unwrap();
    inputs(folder.path());
    let (parity, untils) = (parity(40), untils(6));
    let globally = format!("G({parity})");
    let commands: Vec<Vec<&str>> = vec![
        vec!["translate", &globally],
        vec!["translate", &untils],
        vec!["translate", "--method", "alternating", &untils],
        vec!["translate", "--kind", "det", &untils],
        vec!["ltl", "classify", &untils],
        vec!["ltl", "sat", &untils],
        vec!["ltl", "compare", &untils, &globally],
        vec!["ltl", "simplify", &untils],
        vec!["aut", "label.hoa"],
        vec!["aut", "classes.hoa", "--minimize"],
        vec!["aut", "classes.hoa", "--complement"],
        vec!["aut", "classes.hoa", "--product", "label.hoa"],
        vec!["aut", "condition.hoa", "--format", "never"],
        vec!["aut", "condition.hoa", "--determinize"],
        vec!["aut", "condition.hoa", "--included-in", "classes.hoa"],
        vec!["aut", "show", "label.hoa"],
        vec!["info", "large.net"],
        vec!["explore", "large.net"],
        vec!["explore", "large.net", "--engine", "symbolic"],
        vec!["check", "large.net", "G(p1 -> F p2)"],
        vec!["check", "large.net", "G(p1 -> F p2)", "--engine", "explicit"],
        vec!["check", "large.net", "G(p1 -> F p2)", "--engine", "symbolic"],
        vec!["check", "large.net", "G(p1 -> F p2)", "--threads", "2"],
        vec!["check", "unbounded.net", "G F q3", "--engine", "symbolic"],
        vec!["convert", "large.net", "--to", "etf"],
        vec!["simulate", "large.net", "--random", "1000000", "-o", "walk"],
    ];
    for arguments in commands {
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_sempre"));
        command.current_dir(folder.path()).args(&arguments);
        command.args(["--timeout", "0.1", "--memory", "500"]).stdin(Stdio::null());
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        let shown = arguments.iter().map(|text| &text[..text.len().min(30)]).collect::<Vec<_>>();
        assert!(matches!(output.status.code(), Some(0..=2)), "{shown:?}: {error}");
        assert!(!error.contains("panicked"), "{shown:?}: {error}");
        // On a machine that does much else, the thread may be the first to notice.
        if error.contains(UNPOLLED) {
            eprintln!("{shown:?}: {error}");
        }
        assert!(start.elapsed() < FOR_EVER, "{shown:?} took {:?}", start.elapsed());
    }
}

/// The reason is named in place of the limit.
#[test]
fn unbounded_nets_are_named_by_checks() {
    let folder = tempfile::tempdir().unwrap();
    inputs(folder.path());
    for engine in ["symbolic", "explicit", "auto", "sog", "sop", "slap"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sempre"));
        command.current_dir(folder.path());
        command.args(["check", "unbounded.net", "G(q3 -> F q4)", "--brief", "--engine", engine]);
        // The limit is for failures only: the answer does not wait for it.
        command.args(["--timeout", "600"]);
        let start = Instant::now();
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(start.elapsed() < FOR_EVER, "{engine} took {:?}", start.elapsed());
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let by_states = ["explicit", "auto"].contains(&engine);
        let is_violated = output.status.code() == Some(1) && by_states;
        assert!(is_violated || text.contains("unbounded"), "{engine}: {text}");
    }
}
