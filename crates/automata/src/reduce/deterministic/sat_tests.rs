//! Minimization by a SAT solver, compared with all automata of that size.

use super::comparison::Comparison;
use super::sat::{Limits, Wanted, minimize, minimize_for};
use super::table::{Classes, NONE, Table};
use crate::acceptance::Acceptance;
use crate::automaton::Automaton;
use crate::random::{RandomAcceptance, RandomAutomata};
use crate::test_language::{is_deterministic_letter_by_letter, same_language};
use crate::{Named, language, prune};

/// Whether some table with that many states has the language, by trial of all.
fn exists(table: &Table, states: usize) -> bool {
    exists_for(table, &table.acceptance, states)
}

/// The same with another condition.
fn exists_for(table: &Table, wanted: &Acceptance, states: usize) -> bool {
    let marks = wanted.marks();
    // A cell is unread, or has a target and marks.
    let choices = states << marks;
    let cells = states * table.letters;
    let mut digits = vec![0; cells];
    loop {
        let mut next = vec![NONE; cells];
        let mut bits = vec![0; cells];
        for (cell, &digit) in digits.iter().enumerate().filter(|(_, digit)| **digit > 0) {
            next[cell] = ((digit - 1) % states) as u32;
            bits[cell] = ((digit - 1) / states) as u64;
        }
        let acceptance = wanted.clone();
        let candidate =
            Table { states, letters: table.letters, initial: 0, next, marks: bits, acceptance };
        if is_trimmed(&candidate)
            && Comparison::new(&candidate, table).unwrap().equivalent(&mut { 1 << 20 }).unwrap()
        {
            return true;
        }
        let Some(place) = digits.iter().position(|digit| *digit < choices) else { return false };
        digits[..place].fill(0);
        digits[place] += 1;
    }
}

/// Whether all reachable states have an edge; states that accept nothing are found by comparison.
fn is_trimmed(table: &Table) -> bool {
    let reads = |state| table.row(state).any(|cell| table.next[cell] != NONE);
    (0..table.states as u32).all(reads)
}

fn inputs(acceptance: Named, seed: u64) -> impl Iterator<Item = Automaton> {
    let random = RandomAutomata::over(["a"]).unwrap().states(4).deterministic(true);
    let random = random.acceptance(acceptance).mark_probability(0.4).density(0.4).seed(seed);
    random.generate().map(|automaton| prune::trim(&automaton))
}

#[test]
fn minima_are_those_of_all_automata() {
    let (mut smaller, mut reached) = (0, 0);
    for (named, count) in [(Named::Buchi, 150), (Named::CoBuchi, 150), (Named::Rabin(1), 30)] {
        for automaton in inputs(named.clone(), 7).take(count) {
            let Some(classes) = Classes::of(&automaton) else { continue };
            let Some(table) = classes.table(&automaton) else { continue };
            let found = minimize(&automaton, Limits::default());
            assert!(found.is_minimal);
            assert!(is_deterministic_letter_by_letter(&found.automaton));
            assert_eq!(found.automaton.acceptance(), automaton.acceptance());
            assert!(language::equivalent(&automaton, &found.automaton));
            let states = found.automaton.state_count();
            smaller += usize::from(states < automaton.state_count());
            // More states are too many to try all.
            if (2..=3).contains(&states) && states <= 4 - named.acceptance().marks() as usize {
                assert!(!exists(&table, states - 1), "{named:?}");
                reached += 1;
            }
        }
    }
    assert!(smaller > 20 && reached > 20, "{smaller} {reached}");
}

#[test]
fn larger_automata_keep_their_language() {
    let mut smaller = 0;
    for marks in 1..4 {
        let random = RandomAutomata::over(["a", "b"]).unwrap().states(7).deterministic(true);
        let random = random.acceptance(RandomAcceptance::Condition(marks)).mark_probability(0.3);
        for automaton in random.density(0.3).seed(3).generate().take(15) {
            let found = minimize(&automaton, Limits { conflicts: 500, questions: 60 }).automaton;
            assert!(is_deterministic_letter_by_letter(&found));
            assert!(same_language(&automaton, &found));
            smaller += prune::trim(&automaton).state_count() - found.state_count();
        }
    }
    assert!(smaller > 0);
}

#[test]
fn limits_end_the_search() {
    let automaton = inputs(Named::Buchi, 7).find(|automaton| {
        let found = minimize(automaton, Limits::default()).automaton;
        found.state_count() < automaton.state_count()
    });
    let none = minimize(&automaton.unwrap(), Limits { conflicts: 0, questions: 0 });
    assert!(!none.is_minimal);
}

/// With the condition free, the minimum is at most that of any condition with as many marks.
#[test]
fn free_conditions_are_at_least_as_small() {
    let limits = Limits::default();
    let (mut smaller, mut reached) = (0, 0);
    for automaton in inputs(Named::Rabin(1), 9).take(100) {
        let same = minimize(&automaton, limits);
        let free = minimize_for(&automaton, Wanted::Marks(2), limits);
        assert!(same.is_minimal && free.is_minimal);
        assert!(is_deterministic_letter_by_letter(&free.automaton));
        assert!(language::equivalent(&automaton, &free.automaton));
        let states = free.automaton.state_count();
        assert!(states <= same.automaton.state_count());
        smaller += usize::from(states < same.automaton.state_count());
        // Each condition over one mark is among those over two.
        for named in [Named::Buchi, Named::CoBuchi] {
            let Some(classes) = Classes::of(&automaton) else { continue };
            let Some(table) = classes.table(&automaton) else { continue };
            if (2..=3).contains(&states) {
                assert!(!exists_for(&table, &named.acceptance(), states - 1), "{named:?}");
                reached += 1;
            }
        }
    }
    assert!(reached > 20, "{smaller} {reached}");
}

#[test]
fn fewer_marks_may_take_other_edges() {
    let mut fewer = 0;
    for automaton in inputs(Named::Rabin(1), 10).take(60) {
        let found = minimize_for(&automaton, Wanted::Marks(1), Limits::default()).automaton;
        assert!(language::equivalent(&automaton, &found));
        let trimmed = prune::trim(&automaton);
        assert!(found.state_count() <= trimmed.state_count());
        fewer += usize::from(found.acceptance().marks() == 1);
    }
    assert!(fewer > 20, "{fewer}");
}
