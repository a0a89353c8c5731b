//! Checks of parts: the same verdicts as for the whole automaton, on one state space.

use crate::checks::{Digraph, digraphs, is_violated, meets};
use proptest::prelude::*;
use sempre_automata::arbitrary;
use sempre_automata::decompose::Part;
use sempre_automata::strength::Way;
use sempre_check::{
    AutomatonProperty, Behaviours, CheckError, Control, Deadlock, Limits, Outcome, Question,
    Reason, Unknown, Verdict,
};
use sempre_explicit::emptiness::{Check, Roots};
use sempre_explicit::store::{Arena, Tree};
use sempre_explicit::{Options, StateSpace, verify};
use sempre_ltl::Formula;
use sempre_testing::AutomatonKind;
use std::sync::Arc;

const CHECKS: [Option<Check>; 5] = [
    None,
    Some(Check::SchwoonEsparza),
    Some(Check::Restricted),
    Some(Check::Couvreur { roots: Roots::Compressed, known_first: true }),
    Some(Check::Generic),
];

fn ask(system: &Digraph, formula: &Formula, deadlock: Deadlock) -> Question {
    Question::new(Arc::new(system.clone()), formula, deadlock).unwrap()
}

/// Checks with a judged counterexample.
fn outcome(question: &Question, options: &Options, limits: Limits) -> Result<Outcome, CheckError> {
    let mut space = StateSpace::<Arena>::for_one_property(&**question.system());
    verify(&mut space, question, options, &Control::new(limits))
}

fn split(way: Way, emptiness: Option<Check>) -> Options {
    Options { decompose: Some(way), emptiness, ..Options::default() }
}

fn states(outcome: &Outcome) -> u64 {
    u64::try_from(outcome.cost.states.clone().unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn parts_of_formulas_have_the_verdict_of_the_whole(
        system in digraphs(),
        formula in sempre_ltl::arbitrary::formula(12),
        ignore in any::<bool>(),
    ) {
        let deadlock = if ignore { Deadlock::Ignore } else { Deadlock::Stutter };
        let question = ask(&system, &formula, deadlock);
        let violated = is_violated(&system, &formula, deadlock);
        let expected = if violated { Verdict::Violated } else { Verdict::Holds };
        let whole = outcome(&question, &Options::default(), Limits::default()).unwrap();
        prop_assert_eq!(&whole.verdict, &expected);
        for way in Way::ALL {
            for emptiness in CHECKS {
                let options = split(way, emptiness);
                let parts = outcome(&question, &options, Limits::default()).unwrap();
                prop_assert_eq!(&parts.verdict, &expected, "{:?}", options);
                let order: Vec<Part> = parts.cost.parts.iter().map(|part| part.part).collect();
                prop_assert!(order.windows(2).all(|pair| pair[0] != pair[1]) && order.len() <= 3);
                if !violated {
                    for part in &parts.cost.parts {
                        prop_assert_eq!(&part.verdict, &Verdict::Holds);
                        prop_assert!(part.states.unwrap() <= states(&parts));
                    }
                }
            }
        }
    }

    #[test]
    fn parts_of_automata_have_the_verdict_of_the_whole(
        system in digraphs(),
        erroneous in arbitrary::automaton(),
        ignore in any::<bool>(),
    ) {
        let names = erroneous.alphabet().props().iter();
        prop_assume!(names.map(|prop| prop.name()).all(|name| ["a", "b", "c"].contains(&name)));
        let deadlock = if ignore { Deadlock::Ignore } else { Deadlock::Stutter };
        let violated = meets(&system, &erroneous, deadlock);
        let property = AutomatonProperty::new(erroneous, Behaviours::Erroneous);
        let system = Arc::new(system);
        let question = Question::of(system.clone(), property.into(), deadlock).unwrap();
        for way in [Way::Inherent, Way::Cycles, Way::Structural] {
            for emptiness in CHECKS {
                let options = split(way, emptiness);
                let parts = outcome(&question, &options, Limits::default()).unwrap();
                prop_assert_eq!(parts.verdict == Verdict::Violated, violated, "{:?}", options);
            }
            let mut space = StateSpace::<Tree>::new(&*system);
            for _ in 0..2 {
                let options = split(way, None);
                let parts = verify(&mut space, &question, &options, &Control::default()).unwrap();
                prop_assert_eq!(parts.verdict == Verdict::Violated, violated);
            }
        }
    }
}

/// A ring of three states and a loop, in which `c` never holds.
fn ring() -> Digraph {
    Digraph { edges: vec![vec![1], vec![2], vec![0, 2]], labels: vec![1, 3, 1], initial: vec![0] }
}

/// It holds for the ring; its negation has a part of each strength.
fn formula() -> Formula {
    "G !(c & X c) & G F a & (F G !b | F G !c)".parse().unwrap()
}

#[test]
fn the_chosen_check_is_for_the_strong_part() {
    let question = ask(&ring(), &formula(), Deadlock::Stutter);
    let options = split(Way::Inherent, Some(Check::SchwoonEsparza));
    let found = outcome(&question, &options, Limits::default()).unwrap();
    assert_eq!(found.verdict, Verdict::Holds);
    let parts = found.cost.parts.iter().map(|part| (part.part, part.algorithm, part.states));
    assert_eq!(
        parts.collect::<Vec<_>>(),
        [
            (Part::Terminal, "terminal BFS", Some(3)),
            (Part::Weak, "weak DFS", Some(3)),
            (Part::Strong, "se", Some(3))
        ]
    );
    // However many searches visit them.
    assert_eq!((states(&found), found.cost.transitions), (3, Some(4)));
    let strongest = outcome(&question, &split(Way::Syntactic, None), Limits::default()).unwrap();
    assert_eq!(strongest.verdict, Verdict::Holds);
}

#[test]
fn limits_are_those_of_all_parts() {
    let question = ask(&ring(), &formula(), Deadlock::Stutter);
    let options = split(Way::Inherent, None);
    let reason = |limits: Limits| match outcome(&question, &options, limits).unwrap().verdict {
        Verdict::Unknown(Unknown::Limit(reason)) => reason,
        verdict => panic!("{verdict:?}"),
    };
    assert_eq!(reason(Limits { states: Some(2), ..Limits::default() }), Reason::States);
    assert_eq!(reason(Limits { bytes: Some(1), ..Limits::default() }), Reason::Memory);
    // The states of all parts are stored once.
    let enough = Limits { states: Some(3), ..Limits::default() };
    assert_eq!(outcome(&question, &options, enough).unwrap().verdict, Verdict::Holds);
}

#[test]
fn automata_that_cannot_be_split_are_refused() {
    let question = ask(&ring(), &"G F a".parse().unwrap(), Deadlock::Stutter);
    let refused = |automaton, way| {
        let options = Options { automaton, ..split(way, None) };
        match outcome(&question, &options, Limits::default()) {
            Err(CheckError::Unsupported(reason)) => reason.0,
            other => panic!("{other:?}"),
        }
    };
    for kind in [AutomatonKind::Ta, AutomatonKind::Sta] {
        assert!(refused(kind, Way::Inherent).contains("livelock acceptance"));
    }
    assert!(refused(AutomatonKind::Ba, Way::Syntactic).contains("ba automata have none"));
}
