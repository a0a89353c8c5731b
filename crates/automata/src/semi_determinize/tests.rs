use super::construct::{Options, construct, cut_determinize};
use super::refined::{self, Fault, Pruning};
use super::*;
use crate::random::{RandomAutomata, RandomBlocks};
use crate::test_language::same_language;
use crate::{StateId, hoa, language};

fn automaton(text: &str) -> Automaton {
    hoa::parse(text).unwrap().nondeterministic().unwrap()
}

const PLAIN: Options = Options {
    reset: Reset::Empty,
    cut_mark: 0,
    by_component: false,
    cut_deterministic: false,
    steps: 1 << 16,
    literal: false,
};

/// Returns the sizes of both parts: states before accepting components, and states with marked
/// edges or after them.
fn parts(automaton: &Automaton, first: usize) -> (usize, usize) {
    (first, automaton.state_count() - first)
}

/// One letter: 0 → 0, 0 → 1, 1 → 0 with a mark, 1 → 2.
fn one_letter() -> Automaton {
    automaton(
        "HOA: v1 States: 3 Start: 0 AP: 0 Acceptance: 1 Inf(0) --BODY-- \
         State: 0 [t] 0 [t] 1 State: 1 [t] 0 {0} [t] 2 State: 2 --END--",
    )
}

/// Two states, two marks, letters a (0) and b (1).
fn two_marks() -> Automaton {
    automaton(
        "HOA: v1 States: 2 Start: 0 AP: 1 \"b\" Acceptance: 2 Inf(0) & Inf(1) --BODY-- \
         State: 0 [0] 1 {1} State: 1 [!0] 0 [0] 0 {1} [0] 1 {0} --END--",
    )
}

#[test]
fn published_sizes_of_one_mark() {
    let basic = construct(&one_letter(), PLAIN).unwrap();
    assert_eq!(parts(&basic, 3), (3, 5));
    let aware = construct(&one_letter(), Options { by_component: true, ..PLAIN }).unwrap();
    assert_eq!(parts(&aware, 3), (3, 3));
    let cut = Options { by_component: true, cut_deterministic: true, ..PLAIN };
    let cut = construct(&one_letter(), cut).unwrap();
    assert_eq!(parts(&cut, 3), (3, 3));
    assert!(cut.is_cut_deterministic());
}

#[test]
fn published_sizes_of_two_marks() {
    let options = Options { cut_mark: 1, by_component: true, reset: Reset::Track, ..PLAIN };
    let one_step = construct(&two_marks(), options).unwrap();
    assert_eq!(parts(&one_step, 2), (2, 5));
    let empty = construct(&two_marks(), Options { reset: Reset::Empty, ..options }).unwrap();
    assert_eq!(parts(&empty, 2), (2, 6));
    let tba = Degeneralizer::plain().transition_based(&convert::to_generalized_buchi(&two_marks()));
    assert_eq!(tba.state_count(), 4);
    let two_steps = construct(&tba, PLAIN).unwrap();
    assert_eq!(parts(&two_steps, 4), (4, 9));
}

/// Random automata with 0 to 3 marks, several initial states, dead ends, and made of blocks.
fn samples() -> Vec<Automaton> {
    let mut automata = vec![];
    for seed in 0..60u64 {
        let marks = u32::try_from(seed % 4).unwrap();
        let acceptance = match marks {
            0 => Named::All,
            1 => Named::Buchi,
            marks => Named::GeneralizedBuchi(marks),
        };
        let random = RandomAutomata::over(["a"]).unwrap().states(1 + seed as usize % 4).seed(seed);
        let random = random.acceptance(acceptance).density(0.4).mark_probability(0.4);
        for automaton in random.generate().take(2) {
            let mut builder = automaton.edit();
            builder.initial(StateId::new(automaton.state_count() - 1));
            automata.extend([builder.build(), automaton]);
        }
        let blocks = RandomBlocks::over(["a"]).unwrap().marks(marks.max(1)).states(1..3).seed(seed);
        automata.extend(blocks.generate().take(1));
    }
    automata
}

#[test]
fn every_option_keeps_the_language_and_gives_the_kind() {
    for automaton in samples() {
        let clean = prune::trim(&automaton);
        for number in 0..16u32 {
            let options = Options {
                reset: if number & 1 == 1 { Reset::Track } else { Reset::Empty },
                cut_mark: (number >> 3) % clean.acceptance().marks().max(1),
                by_component: number & 2 == 2,
                cut_deterministic: number & 4 == 4,
                ..PLAIN
            };
            let result = construct(&clean, options).unwrap();
            assert!(same_language(&automaton, &result), "{options:?}");
            assert!(result.is_semi_deterministic(), "{options:?}");
            assert!(!options.cut_deterministic || result.is_cut_deterministic(), "{options:?}");
            let (n, k) = (clean.state_count() as u32, clean.acceptance().marks().max(1) as usize);
            let first = if options.cut_deterministic { 2usize.pow(n) } else { n as usize };
            assert!(result.state_count() <= first + k * 3usize.pow(n), "{options:?}");
        }
    }
}

#[test]
fn results_are_equivalent_and_of_the_kind() {
    let mut made = 0;
    for automaton in samples() {
        for cut in [false, true] {
            let result = SemiDeterminizer::new().cut_deterministic(cut).run(&automaton).unwrap();
            assert!(language::equivalent(&automaton, &result));
            assert!(result.is_semi_deterministic() && (!cut || result.is_cut_deterministic()));
            let clean = prune::trim(&automaton);
            made += usize::from(!clean.is_semi_deterministic());
            if clean.is_semi_deterministic() && cut {
                let result = cut_determinize(&clean, 1 << 16).unwrap();
                assert!(same_language(&automaton, &result) && result.is_cut_deterministic());
            }
        }
    }
    assert!(made > 50, "only {made} had to be made semi-deterministic");
}

#[test]
fn limits_end_with_an_error() {
    let error = SemiDeterminizer::new().steps(3).run(&two_marks()).unwrap_err();
    assert_eq!(error.to_string(), "it takes more than 3 edges");
}

#[test]
fn every_refinement_keeps_the_language_and_gives_the_kind() {
    for automaton in samples() {
        let clean = prune::trim(&automaton);
        for number in 0..12u32 {
            let options = refined::Options {
                cut: [Cut::Mark, Cut::Entry, Cut::Always][number as usize % 3],
                cut_mark: number % clean.acceptance().marks().max(1),
                cut_deterministic: number % 2 == 1,
                steps: 1 << 16,
                pruning: if number < 6 { Pruning::Off } else { Pruning::Aware },
                fault: None,
            };
            let result = refined::construct(&clean, options).unwrap();
            assert!(same_language(&automaton, &result), "{options:?}");
            assert!(result.is_semi_deterministic(), "{options:?}");
            assert!(!options.cut_deterministic || result.is_cut_deterministic(), "{options:?}");
        }
    }
}

/// States that others simulate may not be dropped for them if a breakpoint waits for them.
#[test]
fn naive_pruning_loses_words() {
    let example = automaton(
        "HOA: v1 States: 2 Start: 0 AP: 1 \"b\" Acceptance: 2 Inf(0) & Inf(1) --BODY-- \
         State: 0 [!0] 0 [!0] 1 {0 1} [0] 0 {0 1} [0] 1 {0 1} \
         State: 1 [!0] 0 [!0] 1 {0 1} [0] 0 {0} [0] 1 --END--",
    );
    let random = RandomAutomata::over(["a"]).unwrap().states(3).density(0.6).seed(17);
    let random = random.acceptance(Named::GeneralizedBuchi(2)).mark_probability(0.5);
    let ways = [Pruning::Naive, Pruning::Strict, Pruning::Inheriting];
    let mut wrong = [0; 3];
    for automaton in random.generate().take(150).chain([example]) {
        let clean = prune::trim(&automaton);
        for number in 0..6 {
            let with = |pruning| {
                let options = refined::Options {
                    cut: [Cut::Mark, Cut::Entry, Cut::Always][number % 3],
                    cut_mark: number as u32 / 3 % clean.acceptance().marks().max(1),
                    pruning,
                    ..REFINED
                };
                refined::construct(&clean, options).unwrap()
            };
            assert!(same_language(&automaton, &with(Pruning::Aware)));
            for (way, wrong) in ways.iter().zip(&mut wrong) {
                *wrong += usize::from(!same_language(&automaton, &with(*way)));
            }
        }
    }
    assert!(wrong.iter().all(|count| *count > 0), "{wrong:?}");
}

const REFINED: refined::Options = refined::Options {
    cut: Cut::Always,
    cut_mark: 0,
    cut_deterministic: false,
    steps: 1 << 16,
    pruning: Pruning::Off,
    fault: None,
};

/// Variants that look right lose words of some automata.
#[test]
fn wrong_cuts_are_found() {
    let faults = [Fault::OnlyEntry, Fault::Together, Fault::LowForgotten];
    let (mut wrong, mut literal) = ([0; 3], 0);
    for automaton in samples() {
        let clean = prune::trim(&automaton);
        for (fault, wrong) in faults.iter().zip(&mut wrong) {
            let options =
                refined::Options { cut_deterministic: true, fault: Some(*fault), ..REFINED };
            let result = refined::construct(&clean, options).unwrap();
            *wrong += usize::from(!same_language(&automaton, &result));
        }
        // As printed, a state with B = R has no successors.
        let options = Options { reset: Reset::Track, literal: true, ..PLAIN };
        let result = construct(&clean, options).unwrap();
        literal += usize::from(!same_language(&automaton, &result));
    }
    assert!(wrong.iter().all(|count| *count > 0) && literal > 0, "{wrong:?} {literal}");
}
