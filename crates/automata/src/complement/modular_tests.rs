//! Complements by components, by ranks and by profiles: each against short lassos, products, and
//! profiles of words, none of which they share.

use super::modular::{Dropping, Modular, Reached, Shape};
use super::ramsey::Ramsey;
use super::rank::{Rank, Ranking};
use super::*;
use crate::random::{RandomAcceptance, RandomAutomata, RandomBlocks};
use crate::test_language::{self, lassos};
use crate::{StateId, hoa, mark_cleanup, product, test_profiles};

/// True if exactly one of the automata accepts each of the test words, and none both.
pub(super) fn opposite(left: &Automaton, right: &Automaton) -> bool {
    let words = lassos(1 << left.alphabet().props().len());
    product::common_word(left, right).is_none()
        && words.iter().all(|(prefix, cycle)| {
            test_language::accepts(left, prefix, cycle)
                != test_language::accepts(right, prefix, cycle)
        })
}

/// Random automata with 0 to 4 marks, several initial states, dead ends, and made of blocks.
pub(super) fn samples(count: u64) -> Vec<Automaton> {
    let mut automata = vec![];
    for seed in 0..count {
        let marks = u32::try_from(seed % 5).unwrap();
        let acceptance = match marks {
            0 => Named::All,
            1 => Named::Buchi,
            marks => Named::GeneralizedBuchi(marks),
        };
        let random = RandomAutomata::over(["a"]).unwrap().states(1 + seed as usize % 4).seed(seed);
        let random = random.acceptance(acceptance).density(0.4).mark_probability(0.4);
        for automaton in random.generate().take(1) {
            let mut builder = automaton.edit();
            builder.initial(StateId::new(automaton.state_count() - 1));
            automata.extend([builder.build(), automaton]);
        }
        let blocks = RandomBlocks::over(["a"]).unwrap().marks(marks.max(1)).states(1..3).seed(seed);
        automata.extend(blocks.generate().take(1));
    }
    automata
}

const PRUNED: Reached = Reached::Pruned(Dropping::Sound);
const SHAPES: [Shape; 6] = [
    Shape { reached: Reached::Exact, merged: false },
    Shape { reached: Reached::Exact, merged: true },
    Shape { reached: Reached::Saturated, merged: false },
    Shape { reached: Reached::Saturated, merged: true },
    Shape { reached: PRUNED, merged: false },
    Shape { reached: PRUNED, merged: true },
];

#[test]
fn blocks_are_complemented_one_by_one() {
    let mut ranked = 0;
    for automaton in samples(40) {
        let clean = prune::trim(&mark_cleanup::outside_components(&automaton));
        for shape in SHAPES {
            let modular = Modular::new(&clean, shape).unwrap();
            ranked += usize::from(!modular.is_elevator());
            let Some(complement) = Macrostates::new(modular).limit(2000).finished() else {
                continue;
            };
            assert!(opposite(&automaton, &complement), "{shape:?}");
        }
    }
    assert!(ranked > 25, "only {ranked} needed ranks");
}

#[test]
fn any_condition_is_complemented_as_it_is() {
    let mut finished = 0;
    for seed in 0..60 {
        let random = RandomAutomata::over(["a"]).unwrap().states(3).density(0.5).seed(seed);
        let random = random.acceptance(RandomAcceptance::Condition(3)).mark_probability(0.3);
        for automaton in random.generate().take(2) {
            let clean = prune::trim(&automaton);
            for shape in SHAPES {
                let Some(modular) = Modular::new(&clean, shape) else { continue };
                let Some(complement) = Macrostates::new(modular).limit(1000).finished() else {
                    continue;
                };
                assert!(opposite(&automaton, &complement), "{shape:?}");
                finished += 1;
            }
        }
    }
    assert!(finished > 200, "only {finished} ended");
}

#[test]
fn ranks_and_profiles() {
    let mut finished = [0; 4];
    for automaton in samples(60) {
        let buchi = mark_cleanup::outside_components(&prune::trim(&to_buchi(&automaton)));
        for (place, ranking) in
            [Ranking::Plain, Ranking::Tight, Ranking::Turns].into_iter().enumerate()
        {
            let rank = Rank::new(&buchi, ranking).unwrap();
            let Some(complement) = Macrostates::new(rank).limit(1000).finished() else { continue };
            assert!(opposite(&automaton, &complement), "{ranking:?}");
            finished[place] += 1;
        }
        let Some(ramsey) = Ramsey::new(&buchi, 500) else { continue };
        let Some(complement) = Macrostates::new(ramsey).limit(2000).finished() else { continue };
        assert!(opposite(&automaton, &complement));
        finished[3] += 1;
    }
    assert!(finished.iter().all(|count| *count > 100), "only {finished:?} ended");
}

/// Exactly, by the profiles of words.
#[test]
fn small_complements_are_exact() {
    let mut checked = 0;
    for seed in 0..60 {
        let random = RandomAutomata::over(["a"]).unwrap().states(3).density(0.5).seed(seed);
        for automaton in random.mark_probability(0.3).generate().take(1) {
            for method in [Method::Modular, Method::Rank(Ranking::Turns), Method::Auto] {
                let Ok(complement) = by(&automaton, method, Division::Smallest, 1000) else {
                    continue;
                };
                let complement = to_buchi(&complement);
                let known = test_profiles::acceptances(&[&automaton, &complement], 1000);
                let Some(outcomes) = known else { continue };
                assert!(outcomes.iter().all(|accepted| accepted[0] != accepted[1]), "{method:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 60, "only {checked} were small enough");
}

#[test]
fn complementing_twice_gives_the_language_back() {
    for automaton in samples(15) {
        for method in [Method::Auto, Method::Modular, Method::Ncsb(Guess::Lazy)] {
            let Ok(once) = by(&automaton, method, Division::Smallest, 2000) else { continue };
            let Ok(twice) = by(&once, method, Division::Smallest, 2000) else { continue };
            assert!(test_language::same_language(&automaton, &twice), "{method:?}");
        }
        let complement = native(&automaton, 2000).unwrap();
        assert!(opposite(&automaton, &complement));
    }
}

/// The examples of naive ways to drop states: a run in a breakpoint set is replaced by a newcomer
/// again and again; a representative leaves a component and comes back to it.
const EXAMPLES: [&str; 2] = [
    "HOA: v1 States: 3 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- \
     State: 0 [t] 0 [0] 1 [0] 2 State: 1 [0] 2 {0} State: 2 [0] 1 {0} --END--",
    "HOA: v1 States: 5 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- \
     State: 0 [t] 0 [0] 3 State: 1 [0] 2 {0} State: 2 [0] 1 \
     State: 3 [0] 4 {0} State: 4 [0] 1 [!0] 3 --END--",
];

/// Each wrong way to drop states is found by some automaton; the sound one never is, and pays.
#[test]
fn wrong_ways_to_drop_states_are_found() {
    let mut automata: Vec<Automaton> =
        EXAMPLES.iter().map(|text| hoa::parse(text).unwrap().nondeterministic().unwrap()).collect();
    automata.extend(samples(120));
    let wrong_ways = [Dropping::Any, Dropping::WithoutLevels, Dropping::WithoutComponents];
    let (mut wrong, mut sizes) = ([0; 3], [0; 2]);
    for automaton in &automata {
        let clean = prune::trim(&mark_cleanup::outside_components(automaton));
        let with = |reached: Reached| {
            let modular = Modular::new(&clean, Shape { reached, merged: true }).unwrap();
            let elevator = modular.is_elevator();
            elevator.then(|| Macrostates::new(modular).limit(2000).finished()).flatten()
        };
        for (place, dropping) in wrong_ways.into_iter().enumerate() {
            let Some(complement) = with(Reached::Pruned(dropping)) else { continue };
            wrong[place] += usize::from(!opposite(automaton, &complement));
        }
        let (Some(exact), Some(pruned)) = (with(Reached::Exact), with(PRUNED)) else { continue };
        assert!(opposite(automaton, &pruned));
        sizes = [sizes[0] + exact.state_count(), sizes[1] + pruned.state_count()];
    }
    assert!(wrong.iter().all(|count| *count > 0), "{wrong:?}");
    assert!(sizes[1] < sizes[0], "{sizes:?}");
}
