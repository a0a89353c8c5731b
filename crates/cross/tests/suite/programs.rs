//! Programs that misbehave in all known ways: each is distinguished from the others, and none stops
//! the caller.
#![cfg(unix)]

use sempre_automata::membership;
use sempre_cross::{Failure, FailureKind, Limits, Program, Tool, participant};
use sempre_ltl::Formula;
use std::time::Duration;

/// The automaton of `G p0`, as a shell writes it.
const CORRECT: &str = r#"printf "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"p0\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n""#;

fn run(script: &str, limits: Limits) -> Result<sempre_automata::Automaton, Failure> {
    let command = format!("sh -c '{script}' sh %f %O");
    let command = command.replace(" %O", if script.contains("$2") { " %O" } else { "" });
    let participant = participant(&command, false).unwrap();
    participant.tool.translate(&"G p0".parse().unwrap(), &limits)
}

fn failure(script: &str, limits: Limits) -> Failure {
    run(script, limits).unwrap_err()
}

fn within(seconds: u64) -> Limits {
    Limits { time: Some(Duration::from_secs(seconds)), memory: None }
}

#[test]
fn correct_output_is_read_from_both_places() {
    assert_eq!(run(CORRECT, within(60)).unwrap().state_count(), 1);
    assert_eq!(run(&format!("{CORRECT} > \"$2\""), within(60)).unwrap().state_count(), 1);
}

#[test]
fn sleeping_is_ended() {
    let limits = Limits { time: Some(Duration::from_millis(200)), memory: None };
    let failure = failure("sleep 1000 & sleep 1000", limits);
    assert_eq!((failure.kind, &*failure.message), (FailureKind::Time, "took more than 0.2 s"));
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_left_behind_is_ended_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("number");
    let script = format!("sleep 1000 & echo $! > {}; {CORRECT}", file.display());
    assert_eq!(run(&script, within(500)).unwrap().state_count(), 1);
    let number = std::fs::read_to_string(&file).unwrap();
    // It is gone, or only its new parent waits for it.
    let alive = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", number.trim()));
        stat.is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "))
    };
    while alive() {
        std::thread::yield_now();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn allocating_ends_at_the_limit() {
    let limits = Limits { time: Some(Duration::from_secs(60)), memory: Some(64 << 20) };
    let failure = failure("x=aaaaaaaa; while :; do x=$x$x; done", limits);
    assert_eq!(failure.kind, FailureKind::Memory, "{failure}");
    assert!(failure.message.starts_with("more than 64 MiB were asked for"), "{failure}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_program_starts_is_limited_too() {
    // The shell has started the other one before it is limited, or has not. That one would need
    // 256 MiB, and ends in its own way if it does not get them.
    let limits = Limits { time: Some(Duration::from_secs(60)), memory: Some(64 << 20) };
    let script = "(x=aaaaaaaa; for i in 1 2 3 4 5; do x=$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x\
                  $x$x$x$x$x$x$x$x$x$x$x$x; done) & wait $!";
    let failure = failure(script, limits);
    assert!(!matches!(failure.kind, FailureKind::Missing | FailureKind::Time), "{failure}");
}

#[test]
fn a_segmentation_fault_is_a_crash() {
    let failure = failure("kill -SEGV $$", within(60));
    assert_eq!(failure.kind, FailureKind::Crash);
    assert_eq!(failure.message, "ended by signal 11 (SIGSEGV)");
}

#[test]
fn assertions_are_distinguished_from_other_aborts() {
    let script = "echo \"tool.c:12: main: Assertion 1 == 2 failed.\" >&2; kill -ABRT $$";
    let violated = failure(script, within(60));
    assert_eq!(violated.kind, FailureKind::Assertion);
    assert!(violated.log.contains("tool.c:12"), "{}", violated.log);
    assert_eq!(failure("kill -ABRT $$", within(60)).kind, FailureKind::Crash);
}

#[test]
fn an_exit_code_counts_more_than_the_output() {
    let failure = failure(&format!("{CORRECT}; exit 1"), within(60));
    assert_eq!(failure.kind, FailureKind::ExitCode);
    assert!(failure.to_string().starts_with("exit code: 1"), "{failure}");
}

#[test]
fn truncated_output_breaks_the_format() {
    let failure = failure(&format!("{CORRECT} | head -n 6"), within(60));
    assert_eq!(failure.kind, FailureKind::Format);
    assert!(failure.message.starts_with("line "), "{failure}");
}

#[test]
fn two_initial_states_are_a_choice() {
    let hoa = CORRECT.replace("States: 1", "States: 2").replace("Start: 0", "Start: 0\\nStart: 1");
    let lbtt = r#"printf "2 0\n0 1 -1\n0 p0\n-1\n1 1 -1\n1 ! p0\n-1\n""#;
    for (script, words) in [(&*hoa, [true, false]), (lbtt, [true, true])] {
        let automaton = run(script, within(60)).unwrap();
        let accepted = ["cycle{p0}", "cycle{!p0}"]
            .map(|word| membership::accepts(&automaton, &word.parse().unwrap()));
        assert_eq!(accepted, words, "{script}");
    }
}

#[test]
fn unknown_propositions_are_refused() {
    let failure = failure(&CORRECT.replace("p0", "q"), within(60));
    assert_eq!(failure.kind, FailureKind::Format);
    assert_eq!(failure.message, "the automaton reads `q`, which is not in the input");
}

#[test]
fn endless_output_is_cut_off() {
    let failure = failure("cat /dev/zero", within(500));
    assert_eq!(failure.kind, FailureKind::Format);
    assert_eq!(failure.message, "there is more output than 64 MiB");
    let file = run("cat /dev/zero > \"$2\"", within(500)).unwrap_err();
    assert_eq!(file.message, "there is more output than 64 MiB");
}

#[test]
fn errors_alone_are_no_output() {
    let failure = failure("echo first >&2; echo last >&2", within(60));
    assert_eq!(failure.kind, FailureKind::Missing);
    assert_eq!(failure.message, "there is no output: last");
    assert_eq!(failure.log, "first\nlast");
    let file = run("true \"$2\"", within(60)).unwrap_err();
    assert_eq!((file.kind, &*file.message), (FailureKind::Missing, "there is no output file"));
}

#[test]
fn what_cannot_be_started_is_said_to_be_so() {
    for command in ["/nonexistent/tool %f", "sh:/nonexistent/tool %f"] {
        let participant = participant(command, false).unwrap();
        let failure = participant.translate(&"a".parse().unwrap(), &within(60));
        assert_eq!(failure.result.unwrap_err().kind, FailureKind::NotStarted, "{command}");
    }
}

#[test]
fn a_shell_gets_quoted_formulas() {
    let participant = participant("{x} sh:test %f = \"$(cat %F)\" && exit 7", false).unwrap();
    let formula: Formula = "a U b".parse().unwrap();
    let failure = participant.translate(&formula, &within(60)).result.unwrap_err();
    assert_eq!(failure.to_string(), "exit code: 7");
}

#[test]
fn names_are_translated_forth_and_back() {
    // The second proposition of the formula is the first of the automaton.
    let script = CORRECT.replace("AP: 1 \\\"p0\\\"", "AP: 2 \\\"p1\\\" \\\"p0\\\"");
    let command = format!("sh -c 'test \"$1\" = \"p0 U p1\" || exit 9; {script}' sh %f");
    let participant = participant(&command, false).unwrap();
    let formula: Formula = "Ack U \"x > 3\"".parse().unwrap();
    let automaton = participant.translate(&formula, &within(60)).result.unwrap();
    let names: Vec<&str> = automaton.alphabet().props().iter().map(|prop| prop.name()).collect();
    assert_eq!(names, ["x > 3", "Ack"]);
}

#[test]
fn lbtt_calls_programs_with_two_files() {
    let script = format!("test \"$(cat $1)\" = \"G p0\" && {CORRECT} > $2");
    let program = Program::lbtt("sh", &format!("-c '{script}' 100%")).unwrap();
    let automaton = program.translate(&"G p0".parse().unwrap(), &within(60)).unwrap();
    assert_eq!(automaton.state_count(), 1);
}
