//! All transformations that preserve the language, on the same random automata. Two methods without
//! common constructions judge them: complements by slices and breakpoints (`language`), and Safra
//! trees (`determinize::parity`) with a product.

use proptest::prelude::*;
use sempre_automata::arbitrary::{self, Size};
use sempre_automata::decompose::{self, Part};
use sempre_automata::language::Universality;
use sempre_automata::reduce::{self, Level};
use sempre_automata::strength::{Strength, Strengths, Way};
use sempre_automata::{
    Automaton, Degeneralizer, GeneralizedBuchi, complement, complete, convert, determinize,
    language, mark_cleanup, parallel, product, prune, single_initial, state_based, strength, sum,
    wdba,
};

type Transformation = (&'static str, fn(&Automaton) -> Option<Automaton>);

fn generalized(automaton: &Automaton) -> GeneralizedBuchi<'_> {
    convert::to_generalized_buchi(automaton)
}

const TRANSFORMATIONS: &[Transformation] = &[
    ("trim", |a| Some(prune::trim(a))),
    ("complete", |a| Some(complete(a))),
    ("parallel edges", |a| Some(parallel::merge(a))),
    ("marks", |a| Some(mark_cleanup::clean(a))),
    ("state-based", |a| Some(state_based(a))),
    ("transition-based", |a| Some(convert::transition_based(a))),
    ("one initial state", |a| Some(single_initial(a))),
    ("simplified acceptance", |a| Some(convert::simplify_acceptance(a))),
    ("no Fin", |a| Some(convert::remove_fin(a))),
    ("generalized Büchi", |a| Some(generalized(a).into_automaton())),
    ("weakened", |a| Some(strength::weaken(a))),
    ("reduced a little", |a| Some(reduce::reduce(a, Level::Low))),
    ("reduced", |a| Some(reduce::reduce(a, Level::Medium))),
    ("reduced as far as possible", |a| Some(reduce::reduce(a, Level::High))),
    ("bisimulation", |a| Some(reduce::bisimulation::quotient(a))),
    ("Büchi on states", |a| Some(Degeneralizer::default().state_based(&generalized(a)))),
    ("Büchi on edges", |a| Some(Degeneralizer::default().transition_based(&generalized(a)))),
    ("plain degeneralization", |a| Some(Degeneralizer::plain().state_based(&generalized(a)))),
    ("parity", |a| Some(determinize::parity(a))),
    ("simple languages", determinize::simple),
    ("minimal weak", wdba::minimize),
    ("complement of the complement", |a| Some(complement::complement(&complement::complement(a)))),
    ("sum with itself", |a| Some(sum::union(a, a))),
    ("product with itself", |a| Some(product::intersection(a, a))),
    ("the parts' sum", |a| {
        let parts = [Part::Terminal, Part::Weak, Part::Strong].map(|part| decompose::part(a, part));
        Some(sum::union(&sum::union(&parts[0], &parts[1]), &parts[2]))
    }),
];

/// The limit of macrostates of a complement.
const LARGEST: usize = 2000;

fn automata() -> impl Strategy<Value = Automaton> {
    arbitrary::automaton_of(Size { states: 4, props: 2, marks: 3, degree: 2 })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn languages_stay(automaton in automata()) {
        let deterministic = determinize::parity(&automaton);
        let rejected = complement::deterministic(&deterministic).unwrap();
        prop_assert_eq!(product::common_word(&automaton, &rejected), None, "determinization");
        for (name, transform) in TRANSFORMATIONS {
            let Some(result) = transform(&automaton) else { continue };
            prop_assert_eq!(language::difference(&result, &automaton), None, "{}", name);
            prop_assert_eq!(product::common_word(&result, &rejected), None, "{}", name);
            // Some results have too large complements; the others suffice.
            let all = language::universality_up_to(&sum::union(&result, &rejected), LARGEST);
            prop_assert!(!matches!(all, Universality::Rejects(_)), "{}: {:?}", name, all);
        }
    }

    #[test]
    fn complements_are_disjoint_and_together_universal(automaton in automata()) {
        let complement = complement::complement(&automaton);
        prop_assert_eq!(product::common_word(&automaton, &complement), None);
        let both = determinize::parity(&sum::union(&automaton, &complement));
        let rejected = complement::deterministic(&both).unwrap();
        prop_assert_eq!(sempre_automata::emptiness::accepting_run(&rejected), None);
    }

    #[test]
    fn reductions_never_enlarge_and_come_to_rest(automaton in automata()) {
        let size = |a: &Automaton| (a.state_count(), a.edge_count());
        let before = size(&automaton);
        for level in [Level::Low, Level::Medium, Level::High] {
            let reduced = reduce::reduce(&automaton, level);
            prop_assert!(size(&reduced) <= before, "{:?}", level);
            prop_assert_eq!(size(&reduce::reduce(&reduced, level)), size(&reduced), "{:?}", level);
        }
    }

    /// Methods for strengths only overestimate, and the parts have their claimed strengths.
    #[test]
    fn strengths_are_ordered(automaton in automata()) {
        let automaton = generalized(&automaton);
        let inherent = Strengths::by(&automaton, Way::Inherent);
        let cycles = Strengths::by(&automaton, Way::Cycles);
        let structural = Strengths::by(&automaton, Way::Structural);
        for scc in inherent.sccs().iter() {
            prop_assert_eq!(inherent.of_component(scc), cycles.of_component(scc));
            prop_assert!(inherent.of_component(scc) <= structural.of_component(scc));
        }
        for (part, strongest) in [
            (Part::Terminal, Strength::Terminal),
            (Part::Weak, Strength::Weak),
            (Part::Strong, Strength::Strong),
        ] {
            let part = decompose::part(&automaton, part);
            let strengths = Strengths::by(&part, Way::Structural);
            for scc in strengths.sccs().iter().map(|scc| strengths.of_component(scc)) {
                prop_assert!(!scc.is_accepting() || scc == strongest);
            }
        }
    }
}
