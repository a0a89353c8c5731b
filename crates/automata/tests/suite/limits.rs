//! All long work ends under limits: every step with every option, every reader, writer and question,
//! on inputs that are hard by their labels, classes of letters, conditions or sets of states.
//!
//! Limits count polls, so results do not depend on the clock. The clock is only looked at to name
//! work that does not end at all.

use sempre_automata::formats::{self, Format, Reader};
use sempre_automata::random::RandomAutomata;
use sempre_automata::transform::{Registry, Step};
use sempre_automata::{AnyAutomaton, Automaton, draw, emptiness, hoa, language, stutter};
use sempre_ltl::interrupt::{self, Interrupted};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The limit of polls, in units of [`interrupt::within`].
const BUDGET: u64 = 20;

/// A limit that is enough to read automata with small diagrams.
const EASY: u64 = 10_000;

/// Much longer than any work under the limit takes, on any machine.
const FOR_EVER: Duration = Duration::from_secs(60);

/// The header of an automaton over `p0`, `p1`, ….
fn header(states: usize, props: usize, acceptance: &str) -> String {
    let names: Vec<String> = (0..props).map(|i| format!("\"p{i}\"")).collect();
    let names = names.join(" ");
    format!("HOA: v1 States: {states} Start: 0 AP: {props} {names} Acceptance: {acceptance}\n")
}

/// Many labels that are independent of each other: 2^n classes of letters.
fn many_classes(props: usize) -> String {
    let mut text = header(2, props, "1 Inf(0)") + "--BODY-- State: 0\n";
    (0..props).for_each(|i| writeln!(text, "[{i}] {}", i % 2).unwrap());
    text += "State: 1 [0&1 | 2&3] 0 {0} [!0] 1 --END--\n";
    text
}

/// A state for each proposition: sets of states grow with the letters.
fn fan(props: usize) -> String {
    let mut text = header(props + 1, props, "1 Inf(0)") + "--BODY-- State: 0\n";
    (0..props).for_each(|i| writeln!(text, "[{i}] {}", i + 1).unwrap());
    for i in 0..props {
        writeln!(text, "State: {} [!{i}] {} {{0}} [{i}] 0", i + 1, i + 1).unwrap();
    }
    text + "--END--\n"
}

/// The parity of all propositions: a small diagram with 2^(n - 1) cubes.
fn parity(props: usize) -> String {
    let mut text = header(2, props, "1 Inf(0)") + "Alias: @x0 0\n";
    for i in 1..props {
        writeln!(text, "Alias: @x{i} @x{}&!{i} | !@x{}&{i}", i - 1, i - 1).unwrap();
    }
    let last = props - 1;
    text + &format!("--BODY-- State: 0 [@x{last}] 0 {{0}} [!@x{last}] 1 State: 1 [t] 0 --END--\n")
}

/// A label whose diagram has 2^(n / 2) nodes in the order of the propositions.
fn large_diagram(props: usize) -> String {
    let half = props / 2;
    let pairs: Vec<String> = (0..half).map(|i| format!("{i}&{}", i + half)).collect();
    header(1, props, "1 Inf(0)")
        + &format!("--BODY-- State: 0 [{}] 0 {{0}} --END--\n", pairs.join("|"))
}

/// A condition with 2^n disjuncts.
fn many_disjuncts(pairs: usize) -> String {
    let terms: Vec<String> =
        (0..pairs).map(|i| format!("(Fin({}) | Inf({}))", 2 * i, 2 * i + 1)).collect();
    let mut text = header(3, 2, &format!("{} {}", 2 * pairs, terms.join(" & "))) + "--BODY--\n";
    for state in 0..3 {
        writeln!(text, "State: {state}").unwrap();
        for edge in 0..6 {
            let marks: Vec<String> = (0..2 * pairs)
                .filter(|mark| (mark * 7 + edge * 5 + state * 3) % 4 == 0)
                .map(|mark| mark.to_string())
                .collect();
            let label = ["0", "1", "!0", "!1", "t", "0&!1"][edge];
            let (target, marks) = ((state + edge) % 3, marks.join(" "));
            writeln!(text, "[{label}] {target} {{{marks}}}").unwrap();
        }
    }
    text + "--END--\n"
}

/// A dense nondeterministic automaton: its complement is large.
fn dense() -> String {
    let random = RandomAutomata::over(["a", "b"]).unwrap().states(14).density(0.5).seed(5);
    hoa::to_string(&random.generate().next().unwrap(), &Default::default())
}

/// Reads an automaton under a limit.
fn read(text: &str, budget: u64) -> Result<Automaton, Interrupted> {
    interrupt::within(budget, || match Reader::new(text.as_bytes()).next() {
        Some(Ok(item)) => match item.automaton {
            AnyAutomaton::Nondeterministic(automaton) => automaton,
            AnyAutomaton::Alternating(_) => panic!("{text} is alternating"),
        },
        other => panic!("{text}: {other:?}"),
    })
}

/// Does each piece of work on another thread, and names the one that does not end.
fn watched(work: impl FnOnce(&dyn Fn(String)) + Send + 'static) {
    let (send, receive) = mpsc::channel();
    let worker = std::thread::spawn(move || work(&|name| send.send(name).unwrap()));
    let mut last = "the beginning".to_owned();
    loop {
        match receive.recv_timeout(FOR_EVER) {
            Ok(name) => last = name,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("{last} does not end"),
        }
    }
    worker.join().unwrap();
}

#[test]
fn every_step_ends_on_hard_inputs() {
    watched(|begin| {
        let registry = Registry::built_in();
        let texts = [many_classes(24), fan(20), parity(40), many_disjuncts(20), dense()];
        let inputs: Vec<Automaton> = texts.iter().map(|text| read(text, EASY).unwrap()).collect();
        let mut interrupted = 0;
        for (number, input) in inputs.iter().enumerate() {
            // The operand has its propositions in another order.
            let operand = Arc::new(inputs[(number + 2) % 3].clone());
            for step in Step::all(&registry, &operand) {
                begin(format!("{step} on input {number}"));
                interrupted += usize::from(interrupt::within(BUDGET, || step.run(input)).is_err());
            }
        }
        assert!(interrupted > 100, "only {interrupted} steps were hard");
    });
}

#[test]
fn reading_ends_on_hard_labels() {
    watched(|begin| {
        begin("a label with a large diagram".to_owned());
        assert!(read(&large_diagram(60), EASY).is_err());
        begin("a parity of all propositions".to_owned());
        assert!(read(&parity(200), EASY).is_ok(), "its diagram is small");
    });
}

#[test]
fn writing_and_questions_end_on_hard_inputs() {
    watched(|begin| {
        let mut interrupted = 0;
        for (number, text) in
            [many_classes(24), fan(20), parity(40), many_disjuncts(20), dense()].iter().enumerate()
        {
            let automaton = read(text, EASY).unwrap();
            for format in Format::ALL {
                begin(format!("{format} of input {number}"));
                let written =
                    interrupt::within(BUDGET, || formats::write(&automaton, format, &mut vec![]));
                interrupted += usize::from(written.is_err());
            }
            begin(format!("drawings of input {number}"));
            let drawn =
                interrupt::within(BUDGET, || draw::dot(&automaton, &draw::DotOptions::default()));
            interrupted += usize::from(drawn.is_err());
            begin(format!("questions about input {number}"));
            let empty = interrupt::within(BUDGET, || emptiness::accepting_run(&automaton));
            let universal = interrupt::within(BUDGET, || language::rejected_word(&automaton));
            let invariant = interrupt::within(BUDGET, || stutter::invariance(&automaton));
            interrupted += [empty.is_err(), universal.is_err(), invariant.is_err()]
                .into_iter()
                .map(usize::from)
                .sum::<usize>();
        }
        assert!(interrupted > 5, "only {interrupted} of them were hard");
    });
}
