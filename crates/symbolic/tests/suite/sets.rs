//! Checks several formulas on the states of one system.

use sempre_automata::strength::Way;
use sempre_check::{
    CheckError, Control, Deadlock, Limits, Outcome, Question, Reason, Unknown, Verdict,
};
use sempre_ltl::interrupt::Interrupt;
use sempre_models::{Model, System, VariableId, generate};
use sempre_symbolic::{Fixpoint, Kind, Options, Order, Sets, Steps};
use std::sync::Arc;
use std::time::Instant;

fn philosophers(number: u32) -> Arc<dyn System> {
    Model::from(generate::family("philosophers").unwrap().net(number).unwrap()).system()
}

/// Asks a question about the system of the sets.
fn ask(
    sets: &mut Sets,
    formula: &str,
    options: &Options,
    limits: &Limits,
) -> Result<Outcome, CheckError> {
    let formula = formula.parse().unwrap();
    let question = Question::new(sets.system().clone(), &formula, Deadlock::Stutter)?;
    sets.check(&question, options, &Control::new(limits.clone()))
}

fn check(sets: &mut Sets, formula: &str, limits: &Limits) -> Outcome {
    ask(sets, formula, &Options::default(), limits).unwrap()
}

fn unknown(reason: Reason) -> Verdict {
    Verdict::Unknown(Unknown::Limit(reason))
}

#[test]
fn states_are_found_once() {
    let system = philosophers(40);
    let mut sets = Sets::new(&system, None);
    let first = check(&mut sets, "G !(eats_0 & eats_1)", &Limits::default());
    assert!(matches!(first.verdict, Verdict::Holds));
    // Recomputing them would exceed the time limit of zero.
    let over = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    let late = check(&mut sets, "G !(eats_1 & eats_2)", &over);
    assert_eq!(late.verdict, unknown(Reason::Time));
    assert_eq!(late.cost.states, first.cost.states);
    let second = check(&mut sets, "F G !eats_0", &Limits::default());
    assert_eq!(second.verdict, Verdict::Violated);
    assert_eq!(second.cost.states, first.cost.states);
}

#[test]
fn a_search_without_result_is_repeated_with_more_time() {
    let system = philosophers(8);
    let mut sets = Sets::new(&system, None);
    let formula = "G !(eats_0 & eats_1)";
    for _ in 0..2 {
        let over = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        let late = check(&mut sets, formula, &over);
        assert_eq!(late.verdict, unknown(Reason::Time));
        assert_eq!(late.cost.states, None);
    }
    let interrupt = Interrupt::default();
    interrupt.raise();
    let raised = Limits { interrupt: Some(interrupt), ..Limits::default() };
    let stopped = check(&mut sets, formula, &raised);
    assert_eq!(stopped.verdict, unknown(Reason::Interrupt));
    let found = check(&mut sets, formula, &Limits::default());
    assert_eq!(found.cost.states, Some(216_994_u32.into()));
    assert!(matches!(found.verdict, Verdict::Holds));
}

#[test]
fn a_search_that_exceeds_memory_is_not_repeated() {
    let system = philosophers(16);
    let mut sets = Sets::new(&system, Some(4 << 20));
    // An order that separates related places.
    let names = system.names();
    let mut variables: Vec<_> = (0..names.variable_count() as u32).map(VariableId).collect();
    variables.sort_by_key(|variable| names.variable_name(*variable));
    let options = Options { order: Order::Given(variables), ..Options::default() };
    for text in ["true", "false"] {
        let outcome = ask(&mut sets, text, &options, &Limits::default()).unwrap();
        assert_eq!(outcome.verdict, unknown(Reason::Memory), "{text}");
    }
}

#[test]
fn another_order_is_another_search() {
    let system = philosophers(5);
    let mut sets = Sets::new(&system, None);
    let formula = "G !(eats_0 & eats_1)";
    for order in [Order::Best, Order::Given(Vec::new())] {
        for saturate in [true, false] {
            let options = Options { order: order.clone(), saturate, ..Options::default() };
            let outcome = ask(&mut sets, formula, &options, &Limits::default()).unwrap();
            assert_eq!(outcome.cost.states, Some(2164_u32.into()), "{options:?}");
            assert!(matches!(outcome.verdict, Verdict::Holds), "{options:?}");
        }
    }
}

#[test]
fn contradicting_options_are_rejected() {
    let system = philosophers(3);
    let mut sets = Sets::new(&system, None);
    let mut refuse = |formula: &str, kind| {
        let options = Options { kind, steps: Steps::Changes, ..Options::default() };
        match ask(&mut sets, formula, &options, &Limits::default()) {
            Err(error) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refuse("G !eats_0", Kind::Tgba), "only testing automata read changes");
    assert!(refuse("X eats_0", Kind::Tgta).contains("stutter"));
    assert!(refuse("G !eats_7", Kind::Tgta).contains("eats_7"));
}

#[test]
fn parts_are_checked_with_their_own_fixpoints() {
    let mut sets = Sets::new(&philosophers(4), None);
    let formula = "G !(eats_0 & eats_1) & G F !(eats_1 & eats_2) & F G !(eats_2 & eats_3)";
    let (decompose, fixpoint) = (Some(Way::Inherent), Some(Fixpoint::EmersonLei));
    let options = Options { decompose, fixpoint, ..Options::default() };
    let found = ask(&mut sets, formula, &options, &Limits::default()).unwrap();
    assert_eq!(found.verdict, Verdict::Holds);
    let parts = found.cost.parts.iter().map(|part| (part.part.name(), part.algorithm));
    assert_eq!(
        parts.collect::<Vec<_>>(),
        [("terminal", "terminal"), ("weak", "weak"), ("strong", "emerson-lei")]
    );
    let whole = check(&mut sets, formula, &Limits::default()).cost.states;
    let states = found.cost.parts.iter().map(|part| part.states.map(Into::into));
    assert!(states.chain([found.cost.states]).all(|states| states == whole) && whole.is_some());
    // A violated part decides, whatever the others do.
    let formula = "G !(eats_0 & eats_2) & G F !(eats_1 & eats_2) & F G !(eats_2 & eats_3)";
    let found = ask(&mut sets, formula, &options, &Limits::default()).unwrap();
    assert_eq!(found.verdict, Verdict::Violated);
    assert_eq!(found.cost.parts[0].verdict, Verdict::Violated);
    let raised = Interrupt::default();
    raised.raise();
    let limits = Limits { interrupt: Some(raised), ..Limits::default() };
    let stopped = ask(&mut sets, formula, &options, &limits).unwrap();
    assert_eq!(stopped.verdict, unknown(Reason::Interrupt));
}
