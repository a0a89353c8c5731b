use super::*;
use crate::random::RandomBlocks;
use crate::scc::ComponentKind::{Accepting, Deterministic, Rejecting};
use crate::semi_determinize::SemiDeterminizer;
use crate::test_language::{self, lassos};
use crate::{StateId, determinize, hoa, language, product, test_profiles};

const GUESSES: [Guess; 5] =
    [Guess::Original, Guess::OnTheFly, Guess::Lazy, Guess::Delayed, Guess::StateBased];
const LIMIT: usize = 1 << 14;

fn opposite(left: &Automaton, right: &Automaton) -> bool {
    lassos(1 << left.alphabet().props().len()).iter().all(|(prefix, cycle)| {
        test_language::accepts(left, prefix, cycle) != test_language::accepts(right, prefix, cycle)
    })
}

/// Random blocks with one or two initial states, semi-determinized if necessary.
pub(super) fn samples() -> Vec<Automaton> {
    let mut automata = vec![];
    for seed in 0..80u64 {
        let random = RandomBlocks::over(["a"]).unwrap().seed(seed).forward(0.4).states(1..4);
        let random = random.kinds(vec![Rejecting, Deterministic, Accepting]).blocks(2..4);
        for automaton in random.generate().take(3) {
            let semi = SemiDeterminizer::new().run(&automaton).unwrap();
            let semi = to_buchi(&semi).into_owned();
            if semi.is_semi_deterministic() && semi.state_count() <= 7 {
                let mut builder = semi.edit();
                if seed % 3 == 0 && semi.state_count() > 1 {
                    builder.initial(StateId::new(semi.state_count() - 1));
                }
                automata.push(builder.build());
            }
        }
    }
    automata
}

/// Prepares the input for a variant of the construction.
pub(super) fn input(automaton: &Automaton, guess: Guess) -> Automaton {
    match guess {
        Guess::StateBased => {
            crate::state_based(&crate::mark_cleanup::outside_components(automaton))
        }
        _ => automaton.clone(),
    }
}

#[test]
fn complements_accept_the_other_words_and_are_unambiguous() {
    let (mut ambiguous, mut guessed) = (0, 0);
    for automaton in samples() {
        for guess in GUESSES {
            for division in [Division::Smallest, Division::Largest] {
                let input = input(&automaton, guess);
                let complement = ncsb(&input, guess, division, LIMIT).unwrap();
                assert!(opposite(&automaton, &complement), "{guess:?} {division:?}");
                assert!(product::common_word(&automaton, &complement).is_none());
                if guess == Guess::Delayed {
                    ambiguous += usize::from(!complement.is_unambiguous());
                } else {
                    assert!(complement.is_unambiguous(), "{guess:?} {division:?}");
                }
                guessed += usize::from(!complement.is_deterministic());
            }
        }
    }
    assert!(ambiguous > 10 && guessed > 100, "{ambiguous} ambiguous, {guessed} guess");
}

/// The union of both languages is universal. The check uses Safra's trees and profiles of words,
/// which share no code with NCSB.
#[test]
fn unions_with_complements_are_universal() {
    let mut exact = 0;
    for automaton in samples().into_iter().step_by(3) {
        let rejected = dual(&determinize::parity(&automaton));
        for guess in GUESSES {
            let input = input(&automaton, guess);
            let complement = ncsb(&input, guess, Division::Smallest, LIMIT).unwrap();
            let missing = dual(&determinize::parity(&complement));
            assert!(product::common_word(&rejected, &missing).is_none(), "{guess:?}");
            if let Some(outcomes) = test_profiles::acceptances(&[&automaton, &complement], 300) {
                assert!(outcomes.iter().all(|accepted| accepted[0] != accepted[1]), "{guess:?}");
                exact += 1;
            }
        }
    }
    assert!(exact > 50, "only {exact} were small enough");
}

/// Every method complements any automaton; the result is a Büchi automaton, or a generalized one
/// if methods are chosen.
#[test]
fn methods_complement_any_automaton() {
    let mut methods: Vec<Method> = GUESSES.map(Method::Ncsb).to_vec();
    methods.extend([Method::Auto, Method::Slices, Method::Determinize]);
    let random = RandomBlocks::over(["a"]).unwrap().seed(3).marks(2).states(1..3);
    for automaton in random.generate().take(40) {
        for method in &methods {
            let Ok(complement) = by(&automaton, *method, Division::Smallest, LIMIT) else {
                panic!("{method:?} needs too many macrostates");
            };
            let buchi = *complement.acceptance() == Named::Buchi.acceptance();
            assert!(buchi || *method == Method::Auto, "{method:?}");
            assert!(opposite(&automaton, &complement), "{method:?}");
            let twice = by(&complement, Method::Auto, Division::Smallest, LIMIT).unwrap();
            assert!(language::equivalent(&automaton, &twice), "{method:?}");
        }
    }
}

/// A complete deterministic automaton with n states, a of them accepting: at most 2n − a states.
#[test]
fn complements_of_deterministic_automata_are_small() {
    for seed in 0..10 {
        let random = crate::random::RandomAutomata::over(["a"]).unwrap().states(6);
        let random = random.deterministic(true).complete(true).state_based(true).seed(seed);
        for automaton in random.mark_probability(0.4).generate().take(10) {
            let accepting = |state| automaton.edges_from(state).iter().any(|e| !e.marks.is_empty());
            let accepting = automaton.states().filter(|state| accepting(*state)).count();
            let raw = ncsb(&automaton, Guess::StateBased, Division::Smallest, LIMIT).unwrap();
            let complement = prune::trim(&raw);
            let bound = 2 * automaton.state_count() - accepting;
            assert!(complement.state_count() <= bound, "{}", complement.state_count());
        }
    }
}

#[test]
fn limits_and_wrong_inputs_are_errors() {
    let text = "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- \
                State: 0 [t] 0 [0] 1 {0} State: 1 [t] 0 [0] 1 --END--";
    let automaton = hoa::parse(text).unwrap().nondeterministic().unwrap();
    let result = ncsb(&automaton, Guess::Lazy, Division::Smallest, LIMIT);
    assert_eq!(result.unwrap_err().to_string(), "the automaton is not semi-deterministic");
    let result = ncsb(&automaton, Guess::StateBased, Division::Smallest, LIMIT);
    assert_eq!(result.unwrap_err().to_string(), "its marks are not on states");
    let result = by(&automaton, Method::Ncsb(Guess::Lazy), Division::Smallest, 1);
    assert!(result.unwrap_err().to_string().starts_with("it takes more than 1 "));
}

/// A macrostate of the definition: the sets N, C, S and B as bits.
type Sets = (u64, u64, u64, u64);

/// The number of macrostates and of transitions (macrostate, letter, macrostate) of the published
/// construction. All sets C' and S' are enumerated and checked against the six conditions.
fn by_definition(automaton: &Automaton) -> (usize, usize) {
    let states = automaton.state_count();
    let bit = |state: StateId| 1u64 << state.index();
    let is_marked = |state: &StateId| {
        automaton.edges_from(*state).first().is_some_and(|edge| !edge.marks.is_empty())
    };
    let accepting: u64 = automaton.states().filter(is_marked).map(bit).sum();
    let successors = |set: u64, letter: Option<u64>| -> u64 {
        let inside = |state: &StateId| set & bit(*state) != 0;
        let edges = automaton.states().filter(inside).flat_map(|q| automaton.edges_from(q));
        let read = |label| letter.is_none_or(|l| automaton.alphabet().satisfied(label, l));
        edges.filter(|edge| read(edge.label)).fold(0, |all, edge| all | bit(edge.target))
    };
    let mut second = accepting;
    for _ in 0..states {
        second |= successors(second, None);
    }
    let initial: u64 = automaton.initial().iter().fold(0, |all, state| all | bit(*state));
    let all = 1u64 << states;
    let mut found: Vec<Sets> = vec![];
    for check in (0..all).filter(|check| check & !(initial & second) == 0) {
        let safe = initial & second & !check;
        if safe & accepting == 0 {
            found.push((initial & !second, check, safe, check));
        }
    }
    let (mut next, mut transitions) = (0, 0);
    while next < found.len() {
        let (first, check, safe, open) = found[next];
        for letter in 0..1 << automaton.alphabet().props().len() {
            let step = |set: u64| successors(set, Some(letter));
            let to_first = step(first) & !second;
            let tracked = (step(first) & second) | step(check | safe);
            let dies =
                |state: &StateId| check & !accepting & bit(*state) != 0 && step(bit(*state)) == 0;
            if automaton.states().any(|state| dies(&state)) {
                continue;
            }
            for to_check in (0..all).filter(|set| set & !tracked == 0) {
                let to_safe = tracked & !to_check;
                if to_safe & accepting != 0
                    || step(safe) & !to_safe != 0
                    || step(check & !accepting) & !to_check != 0
                {
                    continue;
                }
                let to_open = if open == 0 { to_check } else { step(open) & to_check };
                let target = (to_first, to_check, to_safe, to_open);
                transitions += 1;
                if !found.contains(&target) {
                    found.push(target);
                }
            }
        }
        next += 1;
    }
    (found.len(), transitions)
}

/// The published construction, with as many macrostates and transitions as its definition.
#[test]
fn the_state_based_construction_has_the_published_size() {
    let mut checked = 0;
    for automaton in samples().iter().filter(|automaton| automaton.state_count() <= 5).take(80) {
        let input = crate::prune::trim(&input(automaton, Guess::StateBased));
        if input.state_count() > 6 || input.initial().is_empty() {
            continue;
        }
        let complement = ncsb(&input, Guess::StateBased, Division::Smallest, LIMIT).unwrap();
        let letters = 1u64 << input.alphabet().props().len();
        let count = |label| (0..letters).filter(|l| input.alphabet().satisfied(label, *l)).count();
        let transitions: usize = complement.edges().iter().map(|edge| count(edge.label)).sum();
        assert_eq!((complement.state_count(), transitions), by_definition(&input));
        checked += 1;
    }
    assert!(checked > 40, "only {checked} were small enough");
}
