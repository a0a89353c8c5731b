//! Both engines side by side.

use sempre_explicit::explore::{Limits, Reason};
use sempre_explicit::store::Arena;
use sempre_explicit::{Options, StateSpace, Verdict, verify};
use sempre_ltl::Formula;
use sempre_ltl::interrupt::Interrupt;
use sempre_models::{Model, generate};
use sempre_symbolic::{First, Rival};

fn run(philosophers: u32, formula: &str, limits: &Limits) -> First {
    let net = generate::family("philosophers").unwrap().net(philosophers).unwrap();
    let system = Model::from(net).system();
    let formula: Formula = formula.parse().unwrap();
    let mut space = StateSpace::<Arena>::new(&*system);
    let rival = Rival::start(&system, limits.bytes);
    let first = rival.race(&formula, &Default::default(), limits, |limits| {
        verify(&mut space, &formula, &Options::default(), limits, &|_| ())
    });
    first.unwrap()
}

#[test]
fn what_is_small_is_decided_at_once() {
    let First::AtOnce(outcome) = run(4, "G !(eats_0 & eats_1)", &Limits::default()) else {
        panic!("466 states need no second engine");
    };
    assert_eq!(outcome.states, 466);
    assert!(matches!(outcome.verdict, Verdict::Holds));
}

/// There are more states than could be looked at one by one in a lifetime.
#[test]
fn what_is_large_is_decided_by_sets() {
    let First::Symbolic(outcome) = run(30, "G !(eats_0 & eats_1)", &Limits::default()) else {
        panic!("not one by one");
    };
    assert_eq!(outcome.states, Some(102_725_613_547_888_947_814_u128.into()));
    assert!(matches!(outcome.verdict, Verdict::Holds));
}

#[test]
fn states_serve_for_further_properties() {
    let net = generate::family("philosophers").unwrap().net(30).unwrap();
    let system = Model::from(net).system();
    let mut space = StateSpace::<Arena>::new(&*system);
    let limits = Limits::default();
    let rival = Rival::start(&system, limits.bytes);
    for text in ["G !(eats_0 & eats_1)", "G !(eats_3 & eats_4)", "G(eats_1 -> !eats_2)"] {
        let formula: Formula = text.parse().unwrap();
        let first = rival.race(&formula, &Default::default(), &limits, |limits| {
            verify(&mut space, &formula, &Options::default(), limits, &|_| ())
        });
        let First::Symbolic(outcome) = first.unwrap() else { panic!("not one by one") };
        assert!(matches!(outcome.verdict, Verdict::Holds), "{text}");
    }
}

#[test]
fn who_is_not_waited_for_ends() {
    let interrupt = Interrupt::default();
    interrupt.raise();
    let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
    let (First::AtOnce(outcome) | First::Explicit(outcome)) =
        run(30, "G !(eats_0 & eats_1)", &limits)
    else {
        panic!("nothing was decided");
    };
    assert!(matches!(outcome.verdict, Verdict::Unknown(Reason::Interrupt)));
}
