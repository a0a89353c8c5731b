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

/// The pairs of states of a Büchi automaton of which the right one simulates the left one with
/// delay: after a mark of the left one, the right one sees a mark then or later. A Büchi game.
fn delayed_simulation(automaton: &Automaton) -> Vec<Vec<bool>> {
    let count = automaton.state_count();
    let alphabet = automaton.alphabet();
    let moves = |state: usize, letter: u64| {
        let edges = automaton.edges_from(StateId::new(state)).iter();
        let read = edges.filter(move |edge| alphabet.satisfied(edge.label, letter));
        read.map(|edge| (edge.target.index(), !edge.marks.is_empty()))
    };
    let place =
        |left: usize, right: usize, owes: bool| (left * count + right) * 2 + usize::from(owes);
    // Where the right one pays all that it owes again and again; and where it pays next.
    let mut always = vec![true; count * count * 2];
    loop {
        let mut next = vec![false; always.len()];
        loop {
            let wins = |node: usize| {
                let [left, right] = [node / 2 / count, node / 2 % count];
                let answers = |letter: u64, (to, marked): (usize, bool)| {
                    moves(right, letter).any(|(answer, pays)| {
                        let owes = (node % 2 == 1 || marked) && !pays;
                        (if owes { &next } else { &always })[place(to, answer, owes)]
                    })
                };
                (0..1u64 << alphabet.props().len())
                    .all(|letter| moves(left, letter).all(|step| answers(letter, step)))
            };
            let more: Vec<bool> = (0..next.len()).map(wins).collect();
            if more == next {
                break;
            }
            next = more;
        }
        if next == always {
            let row = |left| (0..count).map(|right| always[place(left, right, false)]).collect();
            return (0..count).map(row).collect();
        }
        always = next;
    }
}

/// By pair of states, whether the language of the left one is included in that of the right one.
fn inclusions(automaton: &Automaton) -> Vec<Vec<bool>> {
    let from = |state: StateId| {
        let mut builder = automaton.edit();
        builder.clear_initial().initial(state);
        builder.build()
    };
    let automata: Vec<Automaton> = automaton.states().map(from).collect();
    let row = |left: &Automaton| {
        automata.iter().map(|right| crate::language::is_included(left, right)).collect()
    };
    automata.iter().map(row).collect()
}

/// A state of the first component simulates the other one with delay and the other way round, so
/// that one always stands for the other, and the run that leaves the component is never followed.
const DELAY: &str = "HOA: v1 States: 3 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- \
    State: 0 [t] 2 [!0] 1 State: 1 [t] 0 [t] 1 State: 2 {0} [0] 2 --END--";

/// Even under the conditions on components and levels, a state may be dropped only for one that
/// simulates it directly: not for one with a larger language, nor for one that simulates it with
/// delay.
#[test]
fn larger_relations_than_direct_simulation_lose_runs() {
    let mut automata = vec![hoa::parse(DELAY).unwrap().nondeterministic().unwrap()];
    for seed in 0..500 {
        let blocks = RandomBlocks::over(["a"]).unwrap().marks(1).states(1..4).seed(seed);
        automata.extend(blocks.generate().take(1).filter(|automaton| automaton.state_count() < 8));
    }
    let (mut wrong, mut elevators) = ([0; 2], 0);
    for (number, automaton) in automata.iter().enumerate() {
        let clean = prune::trim(&mark_cleanup::outside_components(automaton));
        let shape = Shape { reached: PRUNED, merged: true };
        let modular = Modular::new(&clean, shape).unwrap();
        if !modular.is_elevator() {
            continue;
        }
        elevators += 1;
        assert!(opposite(automaton, &Macrostates::new(modular).automaton()));
        let direct = crate::reduce::simulation::direct(&clean);
        let [included, delayed] = [inclusions(&clean), delayed_simulation(&clean)];
        for left in clean.states() {
            for right in clean.states() {
                let [included, delayed] = [&included, &delayed]
                    .map(|relation: &Vec<Vec<bool>>| relation[left.index()][right.index()]);
                assert!(delayed || !direct.holds(left, right));
                assert!(included || !delayed);
            }
        }
        for (wrong, order) in wrong.iter_mut().zip([included, delayed]) {
            let modular = Modular::new(&clean, shape).unwrap();
            let faulty = modular.with_order(|left, right| order[left.index()][right.index()]);
            let faulty = Macrostates::new(faulty).automaton();
            let differs = !opposite(automaton, &faulty);
            assert!(differs || number > 0, "the example");
            *wrong += usize::from(differs);
        }
    }
    assert!(elevators > 200 && wrong.iter().all(|count| *count > 1), "{elevators} {wrong:?}");
}
