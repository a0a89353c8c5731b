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

/// The memory limit of [`memory_is_bounded_everywhere`], in mebibytes.
const MEMORY: u64 = 24;

/// Returns the peak memory use of a process in mebibytes, while it runs.
fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes >> 10)
}

/// Writes inputs that need much memory, most of them by their size.
fn large_inputs(folder: &Path) {
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    let formula = |i: usize| format!("G(x{i} -> F y{i})");
    write("large.ltl", (0..60_000).map(formula).collect::<Vec<_>>().join(" & "));
    write("deep.ltl", "X".repeat(600_000) + " a");
    write("line.ltl", "a".repeat(30 << 20));
    let transition = |i: usize| format!("tr t{i} p{} -> p{}\n", i % 1000, i * 7 % 1000);
    write("huge.net", (0..200_000).map(transition).collect());
    let counters = |count: usize, tokens: usize| -> String {
        let counter =
            |i| format!("pl a{i} ({tokens})\ntr f{i} a{i} -> b{i}\ntr g{i} b{i} -> a{i}\n");
        (0..count).map(counter).collect()
    };
    write("wide.net", counters(2000, 1));
    write("deep.net", counters(30, 9));
    let states = 50_000;
    let mut automaton = format!("HOA: v1 States: {states} Start: 0 AP: 2 \"a\" \"b\" ");
    automaton += "Acceptance: 1 Inf(0)\n--BODY--\n";
    for state in 0..states {
        let (first, second) = ((state * 7 + 1) % states, (state * 3 + 5) % states);
        writeln!(automaton, "State: {state}\n[0&1] {first} {{0}}\n[!0] {second}").unwrap();
    }
    write("huge.hoa", automaton + "--END--\n");
    // Whether the letter 24 steps before the end was `a`: 2^24 sets of states.
    let mut subsets = "HOA: v1 States: 26 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0)\n".to_owned();
    subsets += "--BODY-- State: 0 [t] 0 [0] 1\n";
    (1..25).for_each(|i| writeln!(subsets, "State: {i} [t] {}", i + 1).unwrap());
    write("subsets.hoa", subsets + "State: 25 [t] 25 {0} --END--\n");
    let mut structure = "init s0;\n".to_owned();
    for i in 0..100_000 {
        writeln!(structure, "state s{i}: p{} -> s{} s{};", i % 5, (i * 7 + 1) % 100_000, i)
            .unwrap();
    }
    write("huge.kripke", structure);
    // A table of nodes that are all equal.
    let header = "model: 0000000000000000\nproperty: G a\ndeadlocks: stutter\nfairness: none\n\
        variables: 1000\nsets: 1\nnodes: 4000000\nranks: 1\n\n";
    let mut bytes = format!("sempre certificate 1\n{header}").into_bytes();
    bytes.extend(std::iter::repeat_n(0xff, 3_000_000));
    fs::write(folder.join("huge.cert"), bytes).unwrap();
}

/// Commands stay within 1.5 times the limit and 100 MiB, and most of these inputs reach it.
#[test]
fn memory_is_bounded_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    inputs(folder.path());
    large_inputs(folder.path());
    let (parity, untils) = (format!("G({})", parity(40)), untils(10));
    let commands: Vec<Vec<&str>> = vec![
        vec!["translate", &parity],
        vec!["translate", &untils],
        vec!["translate", "--kind", "det", &untils],
        vec!["translate", "--method", "classic", &untils],
        vec!["translate", "-F", "large.ltl"],
        vec!["ltl", "sat", &untils],
        vec!["ltl", "compare", &untils, &parity],
        vec!["ltl", "simplify", "-F", "large.ltl"],
        vec!["ltl", "simplify", "-F", "deep.ltl"],
        vec!["ltl", "simplify", "-F", "line.ltl"],
        vec!["ltl", "classify", "-F", "large.ltl"],
        vec!["ltl", "filter", "-F", "deep.ltl"],
        vec!["aut", "huge.hoa"],
        vec!["aut", "huge.hoa", "--reduce"],
        vec!["aut", "huge.hoa", "--complement"],
        vec!["aut", "huge.hoa", "--product", "huge.hoa"],
        vec!["aut", "label.hoa"],
        vec!["aut", "subsets.hoa", "--minimize"],
        vec!["aut", "classes.hoa", "--product", "label.hoa"],
        vec!["info", "huge.net"],
        vec!["explore", "huge.net"],
        vec!["explore", "wide.net"],
        vec!["explore", "deep.net"],
        vec!["explore", "huge.kripke"],
        vec!["check", "huge.kripke", "G(p1 -> F p2)"],
        vec!["check", "huge.net", "G(p1 -> F p2)"],
        vec!["check", "huge.net", "G(p1 -> F p2)", "--engine", "symbolic"],
        vec!["check", "deep.net", "G !(a0 & fired(f0))"],
        vec!["check", "deep.net", "G \"a0 + b0 = 9\"", "--engine", "explicit"],
        vec!["check", "deep.net", "G(a0 -> F b0)", "--fair", "strong"],
        vec!["check", "wide.net", "G(a0 -> F b0)", "--engine", "sog"],
        vec!["convert", "wide.net", "--to", "pnml"],
        vec!["simulate", "huge.net", "--random", "10"],
        vec!["simulate", "wide.net", "--random", "100", "-o", "walk"],
        vec!["certificate", "check", "huge.cert", "wide.net"],
    ];
    let mut reached = 0;
    for arguments in &commands {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sempre"));
        command.current_dir(folder.path()).args(arguments);
        // The other limit is for machines that do much else.
        command.args(["--memory", &MEMORY.to_string(), "--timeout", "4"]).stdin(Stdio::null());
        let (out, errors) = (folder.path().join("out"), folder.path().join("errors"));
        command.stdout(fs::File::create(&out).unwrap());
        command.stderr(fs::File::create(&errors).unwrap());
        let mut process = command.spawn().unwrap();
        let mut most = 0;
        let status = loop {
            most = most.max(peak(process.id()).unwrap_or_default());
            match process.try_wait().unwrap() {
                Some(status) => break status,
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let shown = arguments.iter().map(|text| &text[..text.len().min(30)]).collect::<Vec<_>>();
        let text = [fs::read(out).unwrap(), fs::read(errors).unwrap()].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(matches!(status.code(), Some(0..=2)), "{shown:?}: {text}");
        assert!(!text.contains("panicked"), "{shown:?}: {text}");
        assert!(most <= MEMORY + MEMORY / 2 + 100, "{shown:?} took {most} MiB: {text}");
        reached += usize::from(text.contains("memory") || text.contains("longer than"));
    }
    assert!(reached >= commands.len() / 2, "{reached} of {} reached the limit", commands.len());
}
