use super::*;
use crate::faults::Fault;
use crate::structures::Structures;
use crate::{Polarity, Session};
use sempre_ltl::Formula;
use sempre_ltl::generate::random::RandomFormulas;

fn run(seed: u64, density: f64) -> (Vec<Formula>, Statistics) {
    let participants = [Fault::None, Fault::NoAcceptance, Fault::FulfilledOnly, Fault::P1IsP0];
    let participants = participants.map(Fault::participant).into();
    let session = Session::new(participants).structures(Structures {
        states: 10,
        seed,
        density,
        ..Structures::default()
    });
    let formulas = RandomFormulas::over_numbered(3).sizes(4..=8).seed(1).generate().unwrap();
    let formulas: Vec<Formula> = formulas.take(25).map(Result::unwrap).collect();
    let mut statistics = Statistics::new(&session);
    for (number, formula) in (1..).zip(&formulas) {
        statistics.add(&session.round(number, formula));
    }
    (formulas, statistics)
}

#[test]
fn numbers_fit_together() {
    let (formulas, statistics) = run(0, 0.2);
    assert_eq!(statistics.rounds(), 25);
    let failed = statistics.tests()[Test::Intersection].failed;
    let mut by_pairs = 0;
    for right in 0..4 {
        for left in 0..=right {
            let pair = statistics.pair(left, right);
            let [one, three] = [Test::Intersection, Test::Comparison].map(|t| pair.tests(t));
            by_pairs += one.failed;
            let expected = if left == right { (25, 0) } else { (50, 50) };
            assert_eq!((one.scheduled(), three.scheduled()), expected);
            assert!(pair.local <= three.failed);
            assert!(pair.wrong >= one.failed.max(three.failed));
            assert!(pair.wrong <= one.failed + three.failed);
        }
    }
    assert!(failed > 0 && by_pairs == failed);
    assert!(statistics.pair(0, 1).wrong > 0 && statistics.pair(0, 0).wrong == 0);
    let classic = statistics.translations(0, Polarity::Positive).unwrap();
    let states = |f: &Formula| sempre_translate::classic::translate(f).state_count();
    assert_eq!(classic.generated, 25);
    // The plain tableau has F and G as U and R, and so the same states.
    assert_eq!(classic.states, formulas.iter().map(states).sum::<usize>());
}

#[test]
fn the_same_seeds_give_the_same_report() {
    let reports = [(0, 0.2), (0, 0.2), (1, 0.2), (0, 0.5)].map(|(seed, density)| {
        let (formulas, statistics) = run(seed, density);
        (formulas, statistics.without_times().to_string())
    });
    assert_eq!(reports[0], reports[1]);
    // Structures do not change formulas, but what is found.
    assert!(reports.iter().all(|(formulas, _)| *formulas == reports[0].0));
    assert_ne!(reports[0].1, reports[2].1);
    assert_ne!(reports[0].1, reports[3].1);
    insta::assert_snapshot!(reports[0].1, @"");
}
