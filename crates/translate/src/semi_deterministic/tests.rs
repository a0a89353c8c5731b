use super::*;
use proptest::prelude::*;
use sempre_automata::membership;
use sempre_ltl::Word;
use sempre_ltl::arbitrary;
use sempre_ltl::semantics::Evaluator;

fn formula(text: &str) -> Formula {
    text.parse().unwrap()
}

/// The sizes of the limit-deterministic automata of a formula, form by form.
fn sizes(text: &str) -> Vec<usize> {
    let automata = limit_deterministic(&formula(text));
    automata.iter().for_each(|automaton| assert!(automaton.is_cut_deterministic(), "{text}"));
    automata.iter().map(Automaton::state_count).collect()
}

#[test]
fn guesses_about_fixpoints() {
    // A run waits, and guesses when a has become true for ever.
    assert_eq!(sizes("FGa"), [2, 2, 2]);
    assert_eq!(sizes("GFa")[..2], [2, 2]);
    // One guess for each disjunct, and in the first two forms one for both.
    assert_eq!(sizes("FGa | FGb"), [4, 4, 3]);
    assert_eq!(limit_deterministic(&formula("GFa & GFb")).len(), 3);
}

/// A watch may begin in a state that marks its first letter for letters before it, which it has not
/// read. If each began so at its turn, the automaton of the last pair would accept `cycle{b}`.
#[test]
fn watches_that_take_turns_succeed_with_what_they_read() {
    let bodies = ["!b <-> Xb", "(b & Xb) | (!b & X!b)", "b U (a & Xb)", "b & Xb", "Xb & (a | XXa)"];
    let letters = ["a & b", "a & !b", "!a & b", "!a & !b"];
    let one = letters.map(str::to_owned);
    let two = one.iter().flat_map(|first| letters.map(|second| format!("{first}; {second}")));
    let cycles: Vec<String> = one.iter().cloned().chain(two).collect();
    let words: Vec<Word> =
        cycles.iter().map(|cycle| format!("cycle{{{cycle}}}").parse().unwrap()).collect();
    for (place, first) in bodies.iter().enumerate() {
        for second in &bodies[place + 1..] {
            let f = formula(&format!("GF({first}) & GF({second})"));
            let evaluator = Evaluator::new(&f);
            for (automaton, word) in limit_deterministic(&f)
                .iter()
                .flat_map(|automaton| words.iter().map(move |word| (automaton, word)))
            {
                let accepts = membership::accepts(automaton, word);
                assert_eq!(accepts, evaluator.holds(word), "{f} on {word}");
            }
        }
    }
}

#[test]
fn smallest_results() {
    let wanted = SemiDeterministicKind::default();
    assert_eq!(translate(&formula("GFa & GFb"), wanted, &[]).state_count(), 1);
    assert_eq!(translate(&formula("FGa | GFb"), wanted, &[]).state_count(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn limit_deterministic_automata_are_right(
        f in arbitrary::formula(10),
        words in prop::collection::vec(arbitrary::word(4), 20),
    ) {
        let evaluator = Evaluator::new(&f);
        for automaton in limit_deterministic(&f) {
            prop_assert!(automaton.is_cut_deterministic());
            for word in &words {
                prop_assert_eq!(membership::accepts(&automaton, word), evaluator.holds(word));
            }
        }
    }

    #[test]
    fn results_are_of_the_kind(
        f in arbitrary::formula(8),
        cut_deterministic in any::<bool>(),
        placement in prop::sample::select(vec![Placement::Generalized, Placement::Edges, Placement::States]),
        words in prop::collection::vec(arbitrary::word(4), 20),
    ) {
        let wanted = SemiDeterministicKind { cut_deterministic, placement };
        let automaton = translate(&f, wanted, &[]);
        prop_assert!(wanted.includes(&automaton));
        let evaluator = Evaluator::new(&f);
        for word in &words {
            prop_assert_eq!(membership::accepts(&automaton, word), evaluator.holds(word));
        }
    }
}
