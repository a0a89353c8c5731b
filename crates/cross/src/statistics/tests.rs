use super::*;
use crate::faults::Fault;
use crate::structures::Structures;
use crate::{Polarity, Session};
use sempre_ltl::Formula;
use sempre_ltl::generate::random::RandomFormulas;

/// The formulas, the statistics, and the states of the first participant's automata.
fn run(seed: u64, density: f64) -> (Vec<Formula>, Statistics, usize) {
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
    let (mut statistics, mut states) = (Statistics::new(&session), 0);
    for (number, formula) in (1..).zip(&formulas) {
        let round = session.round(number, formula);
        statistics.add(&round);
        states += round.entries[0][0].automaton().unwrap().state_count();
    }
    (formulas, statistics, states)
}

#[test]
fn numbers_fit_together() {
    let (_, statistics, states) = run(0, 0.2);
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
    let first = statistics.translations(0, Polarity::Positive).unwrap();
    assert_eq!((first.attempted, first.generated, first.states), (25, 25, states));
}

#[test]
fn the_same_seeds_give_the_same_report() {
    let reports = [(0, 0.2), (0, 0.2), (1, 0.2), (0, 0.5)].map(|(seed, density)| {
        let (formulas, statistics, _) = run(seed, density);
        (formulas, statistics.without_times().to_string())
    });
    assert_eq!(reports[0], reports[1]);
    // Structures do not change formulas, but what is found.
    assert!(reports.iter().all(|(formulas, _)| *formulas == reports[0].0));
    assert_ne!(reports[0].1, reports[2].1);
    assert_ne!(reports[0].1, reports[3].1);
    insta::assert_snapshot!(reports[0].1, @r"
    Automata, means over 25 formulas and their negations:
                               automata  states  edges  transitions  marks  det.  complete  product  its edges
      fault:none            +        25    7.44  23.72         45.4   0.80   40%       12%     59.0      299.0
                            -        25    8.76  23.96         48.6   0.76   24%       28%     71.3      311.1
      fault:no-acceptance   +        25    7.44  23.72         45.4   0.00   40%       12%     59.0      299.0
                            -        25    8.76  23.96         48.6   0.00   24%       28%     71.3      311.1
      fault:fulfilled-only  +        25    7.44  23.72         45.4   0.80   40%       12%     59.0      299.0
                            -        25    8.76  23.96         48.6   0.76   24%       28%     71.3      311.1
      fault:p1-is-p0        +        25    7.44  23.72         43.5   0.80   40%       12%     56.6      298.2
                            -        25    8.68  23.80         46.0   0.76   24%       28%     65.6      289.0

    Tests:
                    performed  failed  no automaton  too expensive
      intersection        400      76             0              0
      universality        400     110             0              0
      comparison          300     104             0              0
      consistency         100      15             0              0
      complement          256      15             0              0

    Failures by pairs: intersection / comparison (at the initial state) / automata wrong:
                             fault:none  fault:no-acceptance  fault:fulfilled-only  fault:p1-is-p0
      fault:none                      0
      fault:no-acceptance    16/8(2)/16              14/-/14
      fault:fulfilled-only  0/20(18)/20         10/24(20)/31                     0
      fault:p1-is-p0        10/10(4)/12          21/16(6)/26           5/26(20)/26               0

    Failures of the universality test by pairs:
                            fault:none  fault:no-acceptance  fault:fulfilled-only  fault:p1-is-p0
      fault:none                     0
      fault:no-acceptance            0                    0
      fault:fulfilled-only          23                   21                    17
      fault:p1-is-p0                10                   10                    29               0

    Failures of the complement test by pairs:
                            fault:none  fault:no-acceptance  fault:fulfilled-only  fault:p1-is-p0
      fault:none                     0
      fault:no-acceptance            3                    0
      fault:fulfilled-only           0                    3                     0
      fault:p1-is-p0                 2                    5                     2               0

    Failures of the consistency test:
                            failed  performed
      fault:none                 0         25
      fault:no-acceptance        0         25
      fault:fulfilled-only      15         25
      fault:p1-is-p0             0         25

    Wrong automata:
                                        how  automata
      fault:no-acceptance   wrongly accepts        16
      fault:fulfilled-only  wrongly rejects        23
      fault:p1-is-p0        wrongly accepts        10
      fault:p1-is-p0        wrongly rejects        10

    Operators in a formula, means:
             observed
      true      0.600
      false     0.320
      ap        1.880
      !         0.760
      X         0.480
      F         0.280
      G         0.240
      ->        0.280
      <->       0.080
      xor       0.080
      U         0.360
      R         0.200
      W         0.160
      M         0.200
      &         0.240
      |         0.200
    ");
}
