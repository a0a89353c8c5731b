//! Reductions that preserve determinism, judged by words and by exact comparison of languages.

use super::comparison::Comparison;
use super::residuals;
use super::table::Classes;
use super::{reduce, size};
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::random::{RandomAcceptance, RandomAutomata, RandomBlocks};
use crate::reduce::Level;
use crate::test_language::{is_deterministic_letter_by_letter, same_language};
use crate::{determinize, language, prune};

/// Deterministic automata: random ones, and results of determinization.
fn automata() -> Vec<Automaton> {
    let mut automata = vec![];
    for marks in 0..4 {
        let random = RandomAutomata::over(["a", "b"]).unwrap().states(6).deterministic(true);
        let random = random.acceptance(RandomAcceptance::Condition(marks)).mark_probability(0.4);
        automata.extend(random.density(0.3).seed(u64::from(marks)).generate().take(40));
    }
    let blocks = RandomBlocks::over(["a"]).unwrap().blocks(1..3).seed(2);
    automata.extend(blocks.generate().take(60).filter_map(|a| determinize::parity_up_to(&a, 60)));
    automata
}

#[test]
fn reductions_keep_language_and_determinism() {
    let mut sums = [0; 4];
    for automaton in automata() {
        let trimmed = prune::trim(&automaton);
        sums[0] += trimmed.state_count();
        let mut before = usize::MAX;
        for (place, level) in [Level::Low, Level::Medium, Level::High].into_iter().enumerate() {
            let reduced = reduce(&automaton, level);
            assert!(is_deterministic_letter_by_letter(&reduced));
            assert!(same_language(&automaton, &reduced), "{level:?}");
            assert!(language::equivalent(&automaton, &reduced), "{level:?}");
            assert!(size(&reduced) <= size(&trimmed));
            assert!(reduced.state_count() <= before, "{level:?}");
            before = reduced.state_count();
            assert_eq!(reduce(&reduced, level).state_count(), before, "{level:?}");
            sums[place + 1] += before;
        }
    }
    assert!(sums[0] > sums[1] && sums[1] > sums[2] && sums[2] > sums[3], "{sums:?}");
}

#[test]
fn classes_are_those_of_languages() {
    for automaton in automata().into_iter().step_by(4) {
        let trimmed = prune::trim(&automaton);
        let Some(classes) = Classes::of(&trimmed) else { continue };
        let Some(table) = classes.table(&trimmed) else { continue };
        let class = residuals::classes(&table, &mut { 1 << 20 }).unwrap();
        let from = |state: usize| {
            let mut builder = trimmed.edit();
            builder.clear_initial().initial(StateId::new(state));
            builder.build()
        };
        for left in 0..trimmed.state_count().min(6) {
            for right in 0..left {
                let same = language::equivalent(&from(left), &from(right));
                assert_eq!(class[left] == class[right], same);
            }
        }
    }
}

#[test]
fn tables_say_what_automata_say() {
    for automaton in automata().into_iter().step_by(7) {
        let trimmed = prune::trim(&automaton);
        let Some(classes) = Classes::of(&trimmed) else { continue };
        let Some(table) = classes.table(&trimmed) else { continue };
        let back = classes.automaton(&table);
        assert!(language::equivalent(&back, &trimmed));
        assert_eq!(back.state_count(), trimmed.state_count());
        let same = Comparison::new(&table, &table).unwrap().equivalent(&mut { 1 << 20 });
        assert_eq!(same, Some(true));
        let few = Comparison::new(&table, &table).unwrap().equivalent(&mut 0);
        assert_eq!(few, None);
    }
}

#[test]
fn a_nondeterministic_automaton_stays() {
    let random = RandomAutomata::over(["a"]).unwrap().states(4).density(0.9);
    let automaton = random.generate().find(|a| !a.is_deterministic()).unwrap();
    assert!(reduce(&automaton, Level::High) == automaton);
}

/// Edges may only be redirected to lower components: within one, or upwards, is wrong.
#[test]
fn redirection_to_any_state_is_found_wrong() {
    let mut wrong = 0;
    for automaton in automata() {
        let trimmed = prune::trim(&automaton);
        let Some(classes) = Classes::of(&trimmed) else { continue };
        let Some(mut table) = classes.table(&trimmed) else { continue };
        let class = residuals::classes(&table, &mut { 1 << 20 }).unwrap();
        let first = |state: u32| class.iter().position(|other| *other == class[state as usize]);
        table.redirect(|state| first(state).map_or(state, |first| first as u32));
        wrong += usize::from(!same_language(&trimmed, &classes.automaton(&table)));
    }
    assert!(wrong > 0);
}
