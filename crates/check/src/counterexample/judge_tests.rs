//! The judge rejects runs that are wrong in one respect: each is a right run with one change.

use super::*;
use sempre_models::languages;
use std::sync::Arc;

/// The numbers of the transitions.
const T: u32 = 0;
const U: u32 = 1;
const V: u32 = 2;

/// A token goes to `b` and back, or to `d`, where it stays.
fn system() -> Arc<dyn System> {
    let text = "pl a (1)\ntr t a -> b\ntr u b -> a\ntr v a -> d\n";
    languages::named("net").unwrap().read(text).unwrap().system()
}

/// Returns the run by these transitions; `None` is a pause.
fn run(system: &dyn System, prefix: &[Option<u32>], cycle: &[Option<u32>]) -> Counterexample {
    let initial = system.initial().unwrap().remove(0);
    let mut here = initial.clone();
    let mut moves: Vec<Move> = vec![];
    for step in prefix.iter().chain(cycle) {
        if let Some(number) = step {
            let successors = system.successors(&here).unwrap();
            let found = successors.iter().find(|(action, _)| *action == ActionId(*number));
            here = found.unwrap().1.into();
        }
        moves.push(Move { action: step.map(ActionId), state: here.clone() });
    }
    let cycle = moves.split_off(prefix.len());
    Counterexample { initial, prefix: moves, cycle }
}

fn judged(
    run: &Counterexample,
    system: &dyn System,
    formula: &str,
    deadlock: Deadlock,
) -> Result<Option<Word>, Rejected> {
    run.judge(system, &formula.parse::<sempre_ltl::Formula>().unwrap(), deadlock)
}

fn reason(run: &Counterexample, system: &dyn System, formula: &str, deadlock: Deadlock) -> String {
    judged(run, system, formula, deadlock).expect_err("a wrong run is accepted").0
}

#[test]
fn a_lasso_with_one_change_is_rejected() {
    let system = &*system();
    let right = run(system, &[], &[Some(T), Some(U)]);
    for deadlock in Deadlock::ALL {
        assert!(judged(&right, system, "G !b", deadlock).unwrap().is_some());
        let why = |wrong: &Counterexample| reason(wrong, system, "G !b", deadlock);

        let mut wrong = right.clone();
        wrong.initial = right.cycle[0].state.clone();
        wrong.cycle.rotate_left(1);
        assert!(why(&wrong).contains("initial state"), "another initial state");

        for action in [U, V] {
            let mut wrong = right.clone();
            wrong.cycle[0].action = Some(ActionId(action));
            assert!(why(&wrong).contains("step 1"), "a wrong action");
        }
        let mut wrong = right.clone();
        wrong.cycle[0].state = right.initial.clone();
        assert!(why(&wrong).contains("step 1"), "a wrong state");

        let mut wrong = right.clone();
        wrong.cycle.pop();
        assert!(why(&wrong).contains("does not close"), "an unclosed cycle");

        let mut wrong = right.clone();
        wrong.cycle.insert(0, Move { action: None, state: right.initial.clone() });
        assert!(why(&wrong).contains("step 1"), "a pause in a live state");

        let wrong = reason(&right, system, "G !d", deadlock);
        assert!(wrong.contains("holds"), "a run that satisfies the property");
    }
}

#[test]
fn a_pause_counts_only_where_deadlocks_stutter() {
    let system = &*system();
    let right = run(system, &[Some(V)], &[None]);
    assert!(judged(&right, system, "F b", Deadlock::Stutter).is_ok());
    for deadlock in [Deadlock::Ignore, Deadlock::Report] {
        assert!(reason(&right, system, "F b", deadlock).contains("step 2"));
    }
    // A pause must not change the state.
    let mut wrong = right.clone();
    wrong.cycle[0].state = right.initial.clone();
    assert!(reason(&wrong, system, "F b", Deadlock::Stutter).contains("step 2"));
}

#[test]
fn a_run_without_a_cycle_needs_a_reason() {
    let system = &*system();
    let (deadlock, step) = (run(system, &[Some(V)], &[]), run(system, &[Some(T)], &[]));
    // A reported deadlock violates any property; a state with successors does not.
    assert_eq!(judged(&deadlock, system, "1", Deadlock::Report), Ok(None));
    assert!(judged(&step, system, "G !b", Deadlock::Report).is_err());
    // A bad prefix violates the property whatever follows; another prefix does not.
    assert_eq!(judged(&step, system, "G !b", Deadlock::Stutter), Ok(None));
    assert!(judged(&step, system, "F d", Deadlock::Stutter).is_err());
    assert!(judged(&step, system, "G(b -> F d)", Deadlock::Stutter).is_err());
    // Under `ignore`, a prefix may have no infinite continuation.
    assert!(judged(&step, system, "G !b", Deadlock::Ignore).is_err());
    assert!(judged(&deadlock, system, "1", Deadlock::Ignore).is_err());
    assert!(judged(&deadlock, system, "1", Deadlock::Stutter).is_err());
}

/// By definition: weak fairness is about what is enabled in all states of the cycle, strong fairness
/// about what is enabled in some.
#[test]
fn unfair_cycles_are_rejected() {
    use crate::fairness::{Components, Fairness, FairnessKind};
    let fair = |text: &str, cycle: &[u32], kind| {
        let system = languages::named("net").unwrap().read(text).unwrap().system();
        let steps: Vec<Option<u32>> = cycle.iter().copied().map(Some).collect();
        let run = run(&*system, &[], &steps);
        Fairness { kind, components: Components::Transitions }.judge(&run, &*system).is_ok()
    };
    let (weak, strong) = (FairnessKind::Weak, FairnessKind::Strong);
    // `v` is enabled in one of two states, and never fires.
    let sometimes = "pl a (1)\ntr t a -> b\ntr u b -> a\ntr v a -> d\n";
    assert!(fair(sometimes, &[T, U], weak));
    assert!(!fair(sometimes, &[T, U], strong));
    // `v` is enabled in both.
    let always = "pl a (1)\npl c (1)\ntr t a -> b\ntr u b -> a\ntr v c -> d\n";
    assert!(!fair(always, &[T, U], weak));
    assert!(!fair(always, &[T, U], strong));
    // Nothing is neglected.
    let alone = "pl a (1)\ntr t a -> b\ntr u b -> a\n";
    assert!(fair(alone, &[T, U], weak));
    assert!(fair(alone, &[T, U], strong));
}
