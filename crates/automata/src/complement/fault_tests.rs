//! Variants of the constructions that look right. Each one is found by a test that the right
//! construction passes, or is larger.

use super::modular::{Modular, Reached, Shape};
use super::modular_tests::{self, opposite};
use super::ncsb::Fault;
use super::ncsb_tests::{input, samples};
use super::*;
use crate::test_language::{lassos, runs};
use crate::{StateId, mark_cleanup};

/// The complement by NCSB as it is, or with a fault.
fn with(automaton: &Automaton, guess: Guess, fault: Option<Fault>) -> Automaton {
    let automaton = input(automaton, guess);
    let clean = match guess {
        Guess::StateBased => automaton,
        _ => mark_cleanup::outside_components(&automaton),
    };
    let ncsb = Ncsb::new(&clean, guess, Division::Smallest).unwrap();
    let ncsb = match fault {
        Some(fault) => ncsb.with(fault),
        None => ncsb,
    };
    Macrostates::new(ncsb).automaton()
}

#[test]
fn wrong_promises_of_ncsb_are_found() {
    let (mut safe, mut breaks, mut ambiguous) = (0, 0, 0);
    for automaton in samples().iter().step_by(2) {
        let faulty = |fault| with(automaton, Guess::Original, Some(fault));
        safe += usize::from(!opposite(automaton, &faulty(Fault::MarkedSafe)));
        breaks += usize::from(!opposite(automaton, &faulty(Fault::MarkBreaks)));
        let anywhere = faulty(Fault::GuessAnywhere);
        assert!(opposite(automaton, &anywhere));
        ambiguous += usize::from(!anywhere.is_unambiguous());
    }
    assert!(safe > 10 && breaks > 10 && ambiguous > 10, "{safe} {breaks} {ambiguous}");
}

/// Without the rules for states that have no edges or marked ones only, marks on edges give larger
/// complements than marks on states. On the fly, N must not keep what C and S have.
#[test]
fn variants_of_ncsb_that_are_right_but_larger() {
    let (mut original, mut without, mut on_states) = (0, 0, 0);
    let (mut disjoint, mut overlapping) = (0, 0);
    for automaton in &samples() {
        original += with(automaton, Guess::Original, None).state_count();
        on_states += with(automaton, Guess::StateBased, None).state_count();
        let larger = with(automaton, Guess::Original, Some(Fault::WithoutEnds));
        without += larger.state_count();
        assert!(opposite(automaton, &larger));
        disjoint += with(automaton, Guess::OnTheFly, None).state_count();
        let larger = with(automaton, Guess::OnTheFly, Some(Fault::Overlapping));
        overlapping += larger.state_count();
        assert!(opposite(automaton, &larger));
    }
    assert!(original < on_states && original < without, "{original} {on_states} {without}");
    assert!(disjoint < overlapping, "{disjoint} {overlapping}");
}

/// The states from which each word of a list is accepted.
fn accepting(automaton: &Automaton) -> Vec<Vec<bool>> {
    let mut builder = automaton.edit();
    for state in automaton.states() {
        builder.initial(state);
    }
    let from_everywhere = builder.build();
    let words = lassos(1 << automaton.alphabet().props().len());
    let accepts = |(prefix, cycle): &(Vec<u64>, Vec<u64>)| {
        let mut found = vec![false; automaton.state_count()];
        // The first vertices are the states before the first letter.
        for vertex in prune::useful_states(&runs(&from_everywhere, prefix, cycle)) {
            if let Some(found) = found.get_mut(vertex.index()) {
                *found = true;
            }
        }
        found
    };
    words.iter().step_by(2).map(accepts).collect()
}

/// The sets N, C, S and B of a macrostate of at most 64 states.
type Sets = [u64; 4];

/// A rule by which a macrostate accepts only words that another one accepts.
type Rule = fn(&Sets, &Sets) -> bool;

fn within(inner: u64, outer: u64) -> bool {
    inner & !outer == 0
}

fn reached(sets: &Sets) -> u64 {
    sets[0] | sets[1] | sets[2]
}

/// Which macrostates accept fewer words: more runs to refute, and more promises. In the original
/// form promises are made for runs in C; in the lazy one for those in B; in the delayed one for none
/// but those in S.
#[test]
fn macrostates_with_more_to_show_accept_fewer_words() {
    let reached_and_safe: Rule = |x, y| within(reached(y), reached(x)) && within(y[2], x[2]);
    let all_sets: Rule = |x, y| within(y[0], x[0]) && within(y[1], x[1]) && within(y[2], x[2]);
    let with_breakpoint: Rule =
        |x, y| within(reached(y), reached(x)) && within(y[2], x[2]) && within(y[3], x[3]);
    let breakpoint_or_safe: Rule =
        |x, y| within(reached(y), reached(x)) && within(y[2], x[2]) && within(y[3], x[2] | x[3]);
    let rules: [(Guess, Rule, bool); 6] = [
        (Guess::Original, all_sets, true),
        (Guess::Original, reached_and_safe, false),
        (Guess::Lazy, with_breakpoint, true),
        (Guess::Lazy, breakpoint_or_safe, false),
        (Guess::Lazy, reached_and_safe, false),
        (Guess::Delayed, reached_and_safe, true),
    ];
    let mut pairs = [0; 6];
    let mut violations = [0; 6];
    for automaton in samples().iter().step_by(3) {
        let clean = mark_cleanup::outside_components(automaton);
        for guess in [Guess::Original, Guess::Lazy, Guess::Delayed] {
            let ncsb = Ncsb::new(&clean, guess, Division::Smallest).unwrap();
            let mut macrostates = Macrostates::new(ncsb);
            let complement = macrostates.built();
            if complement.state_count() > 60 {
                continue;
            }
            let sets: Vec<Sets> = complement
                .states()
                .map(|state| macrostates.state(state.index() as u32).try_into().unwrap())
                .collect();
            let words = accepting(&complement);
            let differs = |x: StateId, y: StateId| {
                words.iter().any(|accepted| accepted[x.index()] && !accepted[y.index()])
            };
            let rules = rules.iter().enumerate().filter(|(_, rule)| rule.0 == guess);
            for (place, (_, rule, _)) in rules {
                for x in complement.states() {
                    for y in complement.states() {
                        let holds = rule(&sets[x.index()], &sets[y.index()]);
                        let known = macrostates.is_within(x.index() as u32, y.index() as u32);
                        assert_eq!(known, holds && guess == Guess::Delayed);
                        if x != y && holds {
                            pairs[place] += 1;
                            violations[place] += usize::from(differs(x, y));
                        }
                    }
                }
            }
        }
    }
    for (place, (guess, _, right)) in rules.iter().enumerate() {
        let (pairs, violations) = (pairs[place], violations[place]);
        assert!(pairs > 200, "{guess:?}: only {pairs} pairs");
        assert_eq!(violations == 0, *right, "{guess:?}: {violations} of {pairs}");
    }
}

/// Runs may arrive in a block again and again, so that the highest rank must be even.
#[test]
fn odd_highest_ranks_in_blocks_are_found() {
    let mut wrong = 0;
    for automaton in modular_tests::samples(120) {
        let clean = prune::trim(&mark_cleanup::outside_components(&automaton));
        let shape = Shape { reached: Reached::Exact, merged: false };
        let modular = Modular::new(&clean, shape).unwrap();
        if modular.is_elevator() {
            continue;
        }
        let faulty = Macrostates::new(modular.with_odd_top()).limit(600).finished();
        wrong += usize::from(faulty.is_some_and(|faulty| !opposite(&automaton, &faulty)));
    }
    assert!(wrong > 0, "no automaton shows it");
}
