//! Tests `sempre` with other programs: closed pipes, signals, files, long inputs.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};

const SIGINT: i32 = 2;
const SIGPIPE: i32 = 13;
const SIGTERM: i32 = 15;

/// Returns the command, with signals as in a process started from a terminal.
///
/// The test process may ignore interrupts, as shells arrange for background jobs. Child processes
/// inherit ignored signals, but not caught ones.
fn sempre(arguments: &[&str]) -> Command {
    static CATCH: Once = Once::new();
    CATCH.call_once(|| {
        let dies = Arc::new(AtomicBool::new(true));
        signal_hook::flag::register_conditional_default(SIGINT, dies).unwrap();
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_sempre"));
    command.args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command on this input.
fn run(mut command: Command, input: &[u8]) -> Output {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // A command may end before it has read all input.
        scope.spawn(move || stdin.write_all(input).ok());
        child.wait_with_output().unwrap()
    })
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn kill(child: &Child, signal: i32) {
    let status =
        Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_closed_pipe_ends_it_silently() {
    let mut child = sempre(&["ltl", "random", "-n", "1000000"]).spawn().unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert!(line.ends_with('\n'));
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.signal(), Some(SIGPIPE));
}

#[test]
fn closed_pipes_end_every_kind_of_output() {
    for arguments in [
        &["completions", "bash"][..],
        &["man"],
        &["ltl", "classify", "a"],
        &["ltl", "eval", "a", "cycle{a}"],
        &["ltl", "family", "--list"],
        &["ltl", "patterns", "--list"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = sempre(arguments).stdout(writer).output().unwrap();
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.signal(), Some(SIGPIPE), "{arguments:?}");
    }
}

#[test]
fn signals_leave_no_part_of_a_file() {
    for signal in [SIGINT, SIGTERM] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("formulas");
        fs::write(&file, "old\n").unwrap();
        let mut child = sempre(&["ltl", "convert", "-o", file.to_str().unwrap()]).spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all(b"a U b\n").unwrap();
        // Its temporary file shows that it has started.
        while names(folder.path()).len() < 2 {
            std::thread::yield_now();
        }
        kill(&child, signal);
        // The input stays open until here, so that only the signal can end the process.
        let stdin = child.stdin.take();
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        assert_eq!(output.status.signal(), Some(signal));
        assert_eq!(names(folder.path()), ["formulas"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), "old\n");
    }
}

#[test]
fn an_interrupt_ends_it_immediately() {
    let mut child = sempre(&["ltl", "convert"]).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"a U b\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    kill(&child, SIGINT);
    let stdin = child.stdin.take();
    assert_eq!(child.wait().unwrap().signal(), Some(SIGINT));
    drop(stdin);
}

/// Waits until the process handles interrupts.
#[cfg(target_os = "linux")]
fn wait_until_caught(child: &Child) {
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        let caught = u64::from_str_radix(line.trim(), 16).unwrap();
        if caught >> (SIGINT - 1) & 1 == 1 {
            return;
        }
        std::thread::yield_now();
    }
}

/// Returns a net with more markings than can be enumerated.
#[cfg(target_os = "linux")]
fn many_markings() -> String {
    (0..40).map(|i| format!("pl a{i} (3)\ntr t{i} a{i} -> b{i}\ntr u{i} b{i} -> a{i}\n")).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_ends_a_search_with_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("many.net");
    fs::write(&net, many_markings()).unwrap();
    let net = net.to_str().unwrap();
    let cases = [
        (&["explore", net][..], "incomplete: interrupted\nstates: "),
        (&["explore", net, "--threads", "2"], "incomplete: interrupted\nstates: "),
        (&["explore", net, "--find", "b0 > 3"], "incomplete: interrupted\nnot found yet\n"),
        (
            &["check", net, "G F \"a0 < 4\"", "G a1"],
            "GF\"a0 < 4\": unknown\n  reason: interrupted\n  engine: ",
        ),
        (
            &["check", net, "G F \"a0 < 4\"", "--decompose"],
            "GF\"a0 < 4\": unknown\n  reason: interrupted\n  engine: ",
        ),
    ];
    for (arguments, start) in cases {
        let child = sempre(arguments).spawn().unwrap();
        wait_until_caught(&child);
        kill(&child, SIGINT);
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.signal(), Some(SIGINT), "{arguments:?}");
        let printed = text(&output.stdout);
        assert!(printed.starts_with(start), "{arguments:?}: {printed}");
        assert!(!printed.contains("Ga1"), "{printed}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn signals_while_a_search_waits_for_formulas_end_it_immediately() {
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("one.net");
    fs::write(&net, "pl a (1)\ntr t a -> b\n").unwrap();
    let mut child = sempre(&["check", net.to_str().unwrap(), "--brief"]).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"F b\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "Fb: holds\n");
    kill(&child, SIGINT);
    let stdin = child.stdin.take();
    assert_eq!(child.wait().unwrap().signal(), Some(SIGINT));
    drop(stdin);
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_ends_what_was_started() {
    for signal in [SIGINT, SIGTERM] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("numbers");
        // A program that prints its process id and then waits for ever, as does its child.
        let script = format!("sleep 1000 & echo $$ $! > {}; sleep 1000", file.display());
        let tool = format!("sh -c '{script}' sh %F");
        let mut child = sempre(&["cross", "-f", "a", &tool]).spawn().unwrap();
        let numbers = loop {
            match fs::read_to_string(&file) {
                Ok(text) if text.ends_with('\n') => break text,
                _ => std::thread::yield_now(),
            }
        };
        kill(&child, signal);
        assert_eq!(child.wait().unwrap().signal(), Some(signal));
        // They have ended, or are zombies that their new parent must wait for.
        let alive = |number: &str| {
            let stat = fs::read_to_string(format!("/proc/{number}/stat"));
            stat.is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "))
        };
        while numbers.split_whitespace().any(alive) {
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_failed_run_leaves_the_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formulas");
    fs::write(&file, "old\n").unwrap();
    let name = file.to_str().unwrap();
    let output = run(sempre(&["ltl", "convert", "-o", name]), b"a\nb U\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), "old\n");

    let output = run(sempre(&["ltl", "convert", "--keep-going", "-o", name]), b"a\nb U\nc\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), "a\nc\n");
    assert_eq!(names(folder.path()), ["formulas"]);
}

#[test]
fn a_file_may_be_read_and_replaced_by_one_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formulas");
    let link = folder.path().join("link");
    fs::write(&file, "[] a\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let name = link.to_str().unwrap();
    let output = run(sempre(&["ltl", "convert", "-F", name, "-o", name]), b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(&file).unwrap(), "Ga\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn a_link_to_a_missing_file_makes_the_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("inner")).unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("inner/other", &link).unwrap();
    std::os::unix::fs::symlink("file", folder.path().join("inner/other")).unwrap();
    let output = run(sempre(&["ltl", "convert", "F a", "-o", link.to_str().unwrap()]), b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(folder.path().join("inner/file")).unwrap(), "Fa\n");

    let cycle = folder.path().join("cycle");
    std::os::unix::fs::symlink("cycle", &cycle).unwrap();
    let output = run(sempre(&["ltl", "convert", "F a", "-o", cycle.to_str().unwrap()]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("too many levels"), "{}", text(&output.stderr));
}

#[test]
fn files_of_killed_commands_are_removed_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formulas");
    let name = file.to_str().unwrap();
    let command = || {
        let before = names(folder.path()).len();
        let mut child = sempre(&["ltl", "convert", "-o", name]).spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all(b"a U b\n").unwrap();
        while names(folder.path()).len() == before {
            std::thread::yield_now();
        }
        child
    };
    let age = || {
        let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
        for name in names(folder.path()) {
            let file = fs::File::options().append(true).open(folder.path().join(name)).unwrap();
            file.set_modified(long_ago).unwrap();
        }
    };
    let mut killed = command();
    killed.kill().unwrap();
    killed.wait().unwrap();
    let mut working = command();
    fs::write(folder.path().join(".sempre-notes"), "of someone else").unwrap();
    assert_eq!(names(folder.path()).len(), 3);
    age();
    let output = run(sempre(&["ltl", "convert", "F a", "-o", name]), b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    // The file of the command at work and the other one stay.
    assert_eq!(names(folder.path()).len(), 3, "{:?}", names(folder.path()));
    drop(working.stdin.take());
    assert!(working.wait().unwrap().success());
    assert_eq!(names(folder.path()), [".sempre-notes", "formulas"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "a U b\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_of_every_output() {
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["help", "aut"],
        &["ltl", "convert", "--help"],
        &["ltl", "convert", "a"],
        &["completions", "bash"],
        &["man"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = sempre(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains("No space left"), "{arguments:?}");
    }
}

#[test]
fn devices_are_written_to_not_replaced() {
    let output = run(sempre(&["ltl", "convert", "-o", "/dev/null", "a"]), b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let output = run(sempre(&["ltl", "convert", "-o", "-", "a"]), b"");
    assert_eq!(text(&output.stdout), "a\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = sempre(&["ltl", "convert", "a"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("No space left on device"));
}

#[test]
fn each_line_is_answered_before_the_next_is_awaited() {
    let mut child = sempre(&["ltl", "convert"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        stdin.write_all(b"[]a\n").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, "Ga\n");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// Returns the peak memory of a process, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn formulas_stream_in_constant_memory() {
    for command in [&["convert"][..], &["filter"], &["classify", "--syntactic"]] {
        let mut child = sempre(&[&["ltl"], command].concat()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let reading = std::thread::spawn(move || {
            let mut lines = 0_u64;
            let mut line = Vec::new();
            while stdout.read_until(b'\n', &mut line).unwrap() > 0 {
                lines += u64::from(line.starts_with(b"(p") || line.starts_with(b"formula"));
                line.clear();
            }
            lines
        });
        let mut send = |range: std::ops::Range<u64>| {
            let mut batch = String::new();
            for i in range {
                batch.push_str(&format!("(p{i} U q{i}) & G(r{i} -> F s{i})\n"));
            }
            stdin.write_all(batch.as_bytes()).unwrap();
        };
        send(0..5_000);
        let early = peak_memory(&child);
        for start in (5_000..100_000).step_by(5_000) {
            send(start..start + 5_000);
        }
        let late = peak_memory(&child);
        drop(stdin);
        assert!(child.wait().unwrap().success());
        assert_eq!(reading.join().unwrap(), 100_000, "{command:?}");
        assert!(late < early + 4096, "{command:?}: from {early} KiB to {late} KiB");
    }
}

/// A formula of 10 MB: a chain of disjunctions of conjunctions.
fn large_formula() -> String {
    let mut formula = String::with_capacity(10_500_000);
    for i in 0.. {
        if formula.len() > 10_000_000 {
            break;
        }
        if i > 0 {
            formula.push_str(" | ");
        }
        formula.push_str(&format!("(p{} U (q{} & X r{i}))", i % 1000, i % 7));
    }
    formula
}

#[test]
fn a_formula_of_ten_megabytes_passes() {
    let input = large_formula();
    let output = run(sempre(&["ltl", "convert"]), input.as_bytes());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stdout.len() > 9_000_000);
    assert_eq!(
        output.stdout.iter().filter(|&&byte| byte == b'X').count(),
        input.matches('X').count()
    );
}

#[test]
fn an_error_in_ten_megabytes_shows_only_its_surroundings() {
    let mut input = large_formula();
    input.push_str(" & )");
    let output = run(sempre(&["ltl", "convert"]), input.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.len() < 2000, "{} bytes", output.stderr.len());
    assert!(text(&output.stderr).contains(&format!("<stdin>:1:{}", input.len())));
}

#[test]
fn deep_nesting_does_no_harm() {
    const DEPTH: usize = 100_000;
    let nested = [
        format!("{}a{}", "(".repeat(DEPTH), ")".repeat(DEPTH)),
        format!("{}a", "!".repeat(DEPTH)),
        format!("{}a", "X ".repeat(DEPTH)),
        format!("{}a{}", "(b U ".repeat(DEPTH), ")".repeat(DEPTH)),
        format!("{}a", "G F ".repeat(DEPTH / 2)),
        format!("{}a", "b -> ".repeat(DEPTH)),
    ];
    let input = nested.join("\n");
    for arguments in [
        &["ltl", "convert"][..],
        &["ltl", "convert", "--to", "latex", "--full-parens"],
        &["ltl", "convert", "--nnf", "--remove", "G,->"],
        &["ltl", "simplify"],
        &["ltl", "classify", "--syntactic"],
        &["ltl", "filter", "--unique-up-to-renaming"],
        &["ltl", "rename"],
        &["ltl", "eval", "cycle{a}"],
    ] {
        let output = run(sempre(arguments), input.as_bytes());
        let code = output.status.code().unwrap_or(-1);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!([0, 1].contains(&code), "{arguments:?} ended with {:?}: {error}", output.status);
    }
    // Unbalanced by one, at the very end.
    let output = run(sempre(&["ltl", "convert"]), "(".repeat(DEPTH).as_bytes());
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_place() {
    let output = run(sempre(&["ltl", "convert"]), b"a U b\na & \xff\xfe & c\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "a U b\n");
    let error = text(&output.stderr);
    assert!(error.contains("the line is not valid UTF-8"), "{error}");
    assert!(error.contains("<stdin>:2:5"), "{error}");

    let argument = std::os::unix::ffi::OsStrExt::from_bytes(b"a\xff");
    let output = sempre(&["ltl", "convert"]).arg::<&std::ffi::OsStr>(argument).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn any_bytes_get_an_answer_and_no_panic() {
    // Every pair of bytes on its own line, so that lines are independent.
    let mut input = Vec::new();
    for first in 0..=255_u8 {
        for second in [0, b'a', b'"', b'(', b'&', b'\\', b'[', 0x80, 0xe2, 0xff] {
            input.extend([first, second, b' ', first, b'\n']);
        }
    }
    let output = run(sempre(&["ltl", "convert", "--keep-going"]), &input);
    assert_eq!(output.status.code(), Some(2));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

#[test]
fn a_closed_standard_error_does_no_harm() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = sempre(&["ltl", "convert", "a U"]).stderr(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_folder_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    let output = run(sempre(&["ltl", "convert", "-F", name]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains(&format!("cannot read {name}")));
    assert_eq!(text(&output.stdout), "");
}

#[test]
#[cfg(target_os = "linux")]
fn many_tokens_take_little_memory() {
    let net = "pl a (1)\npl b (300000000)\ntr t a -> b\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.net");
    fs::write(&file, net).unwrap();
    // A byte for each token would exceed the memory limit.
    let mut command = Command::new("sh");
    command.args(["-c", r#"ulimit -v 250000 && exec "$@""#, "sh", env!("CARGO_BIN_EXE_sempre")]);
    command.args(["check", file.to_str().unwrap(), "--engine", "symbolic", "F !a"]);
    let output = command.output().unwrap();
    assert_eq!(text(&output.stderr), "");
    assert!(text(&output.stdout).starts_with("F!a: holds\n"), "{}", text(&output.stdout));
}
