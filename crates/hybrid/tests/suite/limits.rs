//! Limits of checks on graphs of aggregates, and models that are not bounded.

use sempre_check::combine::Widening;
use sempre_check::{
    CheckError, Control, Deadlock, Engine, Failure, Limits, Outcome, Question, Reason, Unknown,
    Verdict,
};
use sempre_hybrid::{By, HybridEngine, Method, Options};
use sempre_ltl::interrupt::Interrupt;
use sempre_models::{Fault, Model, generate, languages};
use sempre_testing::AutomatonKind;
use std::time::{Duration, Instant};

/// All graphs with both kinds of automata.
fn graphs() -> Vec<Options> {
    let mut all = Vec::new();
    for (method, by) in [
        (Method::Sog, By::Label),
        (Method::Sog, By::Transition),
        (Method::Sop, By::Label),
        (Method::Slap, By::Label),
    ] {
        for automaton in [AutomatonKind::Tgba, AutomatonKind::Tgta] {
            all.push(Options { method, by, automaton, ..Options::default() });
        }
    }
    all
}

fn philosophers() -> Model {
    Model::from(generate::family("philosophers").unwrap().net(20).unwrap())
}

fn check(
    model: &Model,
    formula: &str,
    options: &Options,
    limits: Limits,
) -> Result<Outcome, CheckError> {
    let formula = formula.parse().unwrap();
    let question = Question::new(model.system(), &formula, Deadlock::Stutter)?;
    let engine = HybridEngine::new(options.clone());
    Widening::new(model, engine)?.check(&question, &Control::new(limits))
}

fn limit(outcome: &Outcome) -> Option<Reason> {
    match outcome.verdict {
        Verdict::Unknown(Unknown::Limit(reason)) => Some(reason),
        _ => None,
    }
}

#[test]
fn a_deadline_that_has_passed_ends_the_check() {
    let model = philosophers();
    for options in graphs() {
        let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        let outcome = check(&model, "G F eats_0", &options, limits).unwrap();
        assert_eq!(limit(&outcome), Some(Reason::Time), "{options:?}");
    }
}

#[test]
fn a_deadline_ends_aggregates_that_take_long() {
    // Without a good order, the first aggregate of this net takes very long.
    let model = Model::from(generate::family("kanban").unwrap().net(200).unwrap());
    for method in Method::ALL {
        let start = Instant::now();
        let deadline = start.checked_add(Duration::from_millis(300));
        let options = Options { method, ..Options::default() };
        let limits = Limits { deadline, ..Limits::default() };
        let outcome = check(&model, "G F done_4", &options, limits).unwrap();
        let time = start.elapsed();
        assert!(time < Duration::from_secs(10), "{method:?} took {time:?}");
        assert!(outcome.verdict.is_decided() || limit(&outcome) == Some(Reason::Time));
    }
}

#[test]
fn little_memory_ends_the_check() {
    let model = philosophers();
    for options in graphs() {
        let limits = Limits { bytes: Some(100_000), ..Limits::default() };
        let outcome = check(&model, "G F eats_0", &options, limits).unwrap();
        assert_eq!(limit(&outcome), Some(Reason::Memory), "{options:?}");
    }
}

#[test]
fn a_cancelled_check_says_so() {
    let interrupt = Interrupt::default();
    interrupt.raise();
    for options in graphs() {
        let limits = Limits { interrupt: Some(interrupt.clone()), ..Limits::default() };
        let outcome = check(&philosophers(), "G F eats_0", &options, limits).unwrap();
        assert_eq!(limit(&outcome), Some(Reason::Interrupt), "{options:?}");
    }
}

/// Whether a formula with X is stutter-invariant takes automata.
#[test]
fn a_check_that_is_cancelled_before_it_has_an_automaton_is_no_error() {
    let interrupt = Interrupt::default();
    interrupt.raise();
    for options in graphs() {
        let limits = Limits { interrupt: Some(interrupt.clone()), ..Limits::default() };
        let outcome = check(&philosophers(), "X G F eats_0", &options, limits).unwrap();
        assert_eq!(limit(&outcome), Some(Reason::Interrupt), "{options:?}");
    }
}

#[test]
fn an_unbounded_net_is_an_error_and_not_an_endless_run() {
    let net = languages::named("net").unwrap();
    let model = net.read("pl p (1)  tr t p -> p q  tr u q -> r").unwrap();
    for options in graphs() {
        let error = check(&model, "G F r", &options, Limits::default()).unwrap_err();
        let CheckError::Fault(Failure { fault, .. }) = error else { panic!("{error}") };
        assert!(matches!(fault, Fault::Unbounded { .. }), "{options:?}: {fault}");
    }
}

#[test]
fn automata_that_do_not_fit_are_refused_with_the_reason() {
    for (automaton, reason) in [
        (AutomatonKind::Ba, "marks on edges"),
        (AutomatonKind::Det, "generalized Büchi acceptance"),
        (AutomatonKind::Ta, "livelock acceptance needs single states"),
        (AutomatonKind::Sta, "livelock acceptance needs single states"),
        (AutomatonKind::PartlyTgta, "a loop of stuttering at each state"),
    ] {
        for method in Method::ALL {
            let options = Options { method, automaton, ..Options::default() };
            let error = check(&philosophers(), "G F eats_0", &options, Limits::default());
            let error = error.unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
