//! Answers besides the verdict, compared with plain definitions on random models and formulas:
//! vacuity, witnesses, further counterexamples.

use sempre::another::{Difference, another};
use sempre::automata::stutter::are_equivalent;
use sempre::check::{Control, Counterexample, Deadlock, Verdict};
use sempre::ltl::generate::Rng;
use sempre::ltl::generate::random::RandomFormulas;
use sempre::ltl::rewrite::{Occurrence, nnf, occurrences, substitute};
use sempre::ltl::semantics::holds;
use sempre::ltl::{Formula, Word};
use sempre::models::{System, languages};
use sempre::prelude::Checker;
use sempre::vacuity;
use std::collections::BTreeSet;

/// A random Kripke structure over a, b and c.
pub(crate) fn structure(rng: &mut Rng, states: usize) -> Checker {
    let mut text = "init s0;".to_owned();
    for state in 0..states {
        text.push_str(&format!(" state s{state}:"));
        for prop in ["a", "b", "c"] {
            if rng.chance(0.5) {
                text.push_str(&format!(" {prop}"));
            }
        }
        text.push_str(" ->");
        let mut successors = BTreeSet::from([rng.index(states)]);
        if rng.chance(0.5) {
            successors.insert(rng.index(states));
        }
        successors.iter().for_each(|next| text.push_str(&format!(" s{next}")));
        text.push(';');
    }
    // Propositions that no state has would be unknown.
    text.push_str(" state unreachable: a b c -> unreachable;");
    Checker::new(languages::named("kripke").unwrap().read(&text).unwrap())
}

/// The formula with another one in place of an occurrence.
fn replaced(formula: &Formula, path: &[usize], by: &Formula) -> Formula {
    let Some((first, rest)) = path.split_first() else { return by.clone() };
    let children = formula.children().iter().enumerate();
    formula.with_children(children.map(|(number, child)| match number == *first {
        true => replaced(child, rest, by),
        false => child.clone(),
    }))
}

/// The stronger formula, by negation normal form: an occurrence has become literals of a proposition,
/// all of which are false.
fn stronger(formula: &Formula, occurrence: &Occurrence) -> Formula {
    let hole = Formula::prop("hole");
    let normal = nnf(&replaced(formula, &occurrence.0, &hole));
    let marked = sempre::ltl::transform(&normal, |node| match node == Formula::not(hole.clone()) {
        true => Formula::ff(),
        false => node,
    });
    substitute(&marked, |prop| match prop.name() {
        "hole" => Formula::ff(),
        _ => prop.into(),
    })
}

fn satisfies(checker: &mut Checker, formula: &Formula) -> bool {
    let outcome = checker.check_formula(formula, &Control::default()).unwrap();
    outcome.verdict == Verdict::Holds
}

#[test]
fn vacuity_is_that_of_replacing_each_occurrence() {
    let mut formulas =
        RandomFormulas::over(["a", "b", "c"]).sizes(3..=9).seed(7).generate().unwrap();
    let mut rng = Rng::new(7);
    let (mut held, mut vacuous, mut witnesses) = (0, 0, 0);
    while held < 150 {
        let formula = formulas.next().unwrap().unwrap();
        let mut checker = structure(&mut rng, 4);
        if !satisfies(&mut checker, &formula) {
            continue;
        }
        held += 1;
        let mut side = checker.explicit();
        let found =
            vacuity::examine(&mut side, &formula, &Control::default(), vacuity::STEPS).unwrap();
        assert_eq!(found.untested, [], "{formula}");
        let has_props = |occurrence: &&Occurrence| !occurrence.of(&formula).props().is_empty();
        let all: Vec<Occurrence> = occurrences(&formula)
            .iter()
            .filter(has_props)
            .filter(|occurrence| satisfies(&mut checker, &stronger(&formula, occurrence)))
            .cloned()
            .collect();
        let is_largest = |occurrence: &&Occurrence| {
            !all.iter().any(|other| other != *occurrence && other.contains(occurrence))
        };
        let largest: BTreeSet<_> = all.iter().filter(is_largest).cloned().collect();
        let reported: BTreeSet<_> =
            found.vacuous.iter().map(|part| part.occurrence.clone()).collect();
        assert_eq!(reported, largest, "{formula}");
        vacuous += usize::from(!reported.is_empty());
        for part in &found.vacuous {
            assert!(satisfies(&mut checker, &part.stronger), "{formula}: {}", part.stronger);
            if let Some(never) = &part.never {
                let never = Formula::globally(Formula::not(never.clone()));
                assert!(satisfies(&mut checker, &never), "{formula}: {never}");
            }
        }
        for witness in &found.witnesses {
            witnesses += 1;
            let run = witness.run().unwrap();
            let word = run.word(&*witness.outcome.system, &formula).unwrap().unwrap();
            assert!(holds(&formula, &word), "{formula}");
            for occurrence in &witness.occurrences {
                assert!(!holds(&stronger(&formula, occurrence), &word), "{formula}");
            }
        }
    }
    assert!(vacuous > 20 && witnesses > 20, "{vacuous} vacuous, {witnesses} witnesses");
}

#[test]
fn further_counterexamples_differ_and_are_judged() {
    let mut formulas =
        RandomFormulas::over(["a", "b", "c"]).sizes(3..=9).seed(9).generate().unwrap();
    let mut rng = Rng::new(9);
    let (mut violated, mut by_action, mut by_conjunct, mut by_word) = (0, 0, 0, 0);
    while violated < 120 {
        let conjuncts = formulas.by_ref().take(2).map(Result::unwrap);
        let formula = Formula::and(conjuncts.collect::<Vec<_>>());
        let mut checker = structure(&mut rng, 5);
        let first = checker.check_formula(&formula, &Control::default()).unwrap();
        if first.verdict != Verdict::Violated {
            continue;
        }
        violated += 1;
        let found = another(&checker, &formula, &first, 6, &Control::default()).unwrap();
        let words = found
            .iter()
            .map(|further| further.run.word(&*further.outcome.system, &formula).unwrap().unwrap());
        let first_word = first.counterexample().unwrap().word(&*first.system, &formula);
        let words: Vec<Word> = first_word.unwrap().into_iter().chain(words).collect();
        let names = |system: &dyn System, run: &Counterexample| -> Vec<String> {
            let steps = run.prefix.iter().chain(&run.cycle).filter_map(|step| step.action);
            steps.map(|action| system.names().action_name(action)).collect()
        };
        let mut seen = vec![names(&*first.system, first.counterexample().unwrap())];
        for further in &found {
            let system = &*further.outcome.system;
            further.run.judge(system, &formula, Deadlock::Stutter).unwrap();
            seen.push(names(system, &further.run));
        }
        for (number, further) in found.iter().enumerate() {
            let system = &*further.outcome.system;
            let actions = names(system, &further.run);
            let word = &words[number + 1];
            let is_equivalent = |other: &&Word| are_equivalent(word, other);
            let equivalent = words.iter().filter(is_equivalent).count();
            assert!(further.repeats_word <= (equivalent > 1), "{formula}");
            if further.difference == Difference::Word {
                by_word += 1;
                assert_eq!(equivalent, 1, "{formula}");
                continue;
            }
            assert_eq!(seen.iter().filter(|other| **other == actions).count(), 1, "{formula}");
            match &further.difference {
                Difference::Without(action) => {
                    by_action += 1;
                    assert!(!actions.contains(action), "{formula}: {action}");
                    assert!(seen.iter().any(|other| other.contains(action)), "{formula}");
                }
                Difference::Conjunct { violated, satisfied } => {
                    by_conjunct += 1;
                    let word = further.run.word(system, &formula).unwrap().unwrap();
                    assert!(!holds(violated, &word) && holds(satisfied, &word), "{formula}");
                }
                Difference::Word => unreachable!("treated above"),
            }
        }
    }
    assert!(
        by_action > 20 && by_conjunct > 0 && by_word > 5,
        "{by_action} by actions, {by_conjunct} by conjuncts, {by_word} by words"
    );
}
