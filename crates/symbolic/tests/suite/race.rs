//! Tests both engines in a race.

use sempre_check::combine::{AnyEngine, Race};
use sempre_check::{
    CheckError, Choice, Control, Deadlock, Engine, Limits, Outcome, Question, Reason, Unknown,
    Unsupported, Verdict,
};
use sempre_explicit::ExplicitEngine;
use sempre_ltl::interrupt::Interrupt;
use sempre_models::{Model, System, generate};
use sempre_symbolic::SymbolicEngine;
use std::sync::Arc;
use std::thread;

fn philosophers(number: u32) -> Arc<dyn System> {
    Model::from(generate::family("philosophers").unwrap().net(number).unwrap()).system()
}

fn race() -> Race {
    let first = Box::new(ExplicitEngine::new(Default::default()));
    Race::new(first, "symbolic", SymbolicEngine::supports, || Box::<SymbolicEngine>::default())
}

fn check(race: &mut Race, system: &Arc<dyn System>, formula: &str, limits: Limits) -> Outcome {
    let formula = formula.parse().unwrap();
    let question = Question::new(system.clone(), &formula, Deadlock::Stutter).unwrap();
    race.check(&question, &Control::new(limits)).unwrap()
}

#[test]
fn small_state_spaces_need_one_engine() {
    let mutex = "G !(eats_0 & eats_1)";
    let outcome = check(&mut race(), &philosophers(4), mutex, Limits::default());
    assert_eq!((outcome.provenance.engine, outcome.provenance.choice), ("explicit", Choice::Only));
    assert_eq!(outcome.cost.states, Some(466u32.into()));
    assert_eq!(outcome.verdict, Verdict::Holds);
}

/// The states are too many to enumerate. The set of all states serves further properties.
#[test]
fn large_state_spaces_are_decided_by_the_second_engine() {
    let (mut race, system) = (race(), philosophers(30));
    for text in ["G !(eats_0 & eats_1)", "G !(eats_3 & eats_4)", "G(eats_1 -> !eats_2)"] {
        let outcome = check(&mut race, &system, text, Limits::default());
        assert_eq!(outcome.provenance.engine, "symbolic", "{text}");
        assert_eq!(outcome.provenance.choice, Choice::First { ahead_of: "explicit" });
        assert_eq!(outcome.cost.states, Some(102_725_613_547_888_947_814_u128.into()));
        assert_eq!(outcome.verdict, Verdict::Holds, "{text}");
    }
}

#[test]
fn a_cancelled_race_ends() {
    let interrupt = Interrupt::default();
    interrupt.raise();
    let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
    let outcome = check(&mut race(), &philosophers(30), "G !(eats_0 & eats_1)", limits);
    assert_eq!(outcome.verdict, Verdict::Unknown(Unknown::Limit(Reason::Interrupt)));
}

/// Waits for the interrupt and has no result.
struct Slow;

impl Engine for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn supports(&self, _: &Question) -> Result<(), Unsupported> {
        Ok(())
    }

    fn check(&mut self, _: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        while !control.token().is_raised() {
            thread::yield_now();
        }
        Err(CheckError::Limit(Reason::Interrupt))
    }
}

#[test]
fn an_engine_that_is_stopped_early_does_not_hide_the_verdict() {
    let second = || Box::<SymbolicEngine>::default() as AnyEngine;
    let race = Race::new(Box::new(Slow), "symbolic", SymbolicEngine::supports, second);
    let mut race = race.without_head_start();
    let outcome = check(&mut race, &philosophers(4), "G !(eats_0 & eats_1)", Limits::default());
    assert_eq!(outcome.verdict, Verdict::Holds);
    assert_eq!(outcome.provenance.choice, Choice::First { ahead_of: "slow" });
}
