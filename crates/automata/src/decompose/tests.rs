use super::*;
use crate::arbitrary::{self, Size};
use crate::strength::Way;
use crate::test_language::same_language;
use crate::{Alphabet, hoa, sum};
use proptest::prelude::*;

fn union_of_parts(automaton: &Automaton, strengths: &Strengths) -> Automaton {
    let nothing = Automaton::builder(automaton.alphabet().clone()).build();
    Part::ALL
        .iter()
        .fold(nothing, |all, &part| sum::union(&all, &part_by(automaton, strengths, part)))
}

#[test]
fn parts_have_what_they_need_only() {
    // G F a | F G b | F (c & d), with a component of each strength.
    let automaton = hoa::parse(
        "HOA: v1 States: 5 Start: 0 Start: 1 Start: 3 AP: 4 \"a\" \"b\" \"c\" \"d\"
         Acceptance: 2 Inf(0) & Inf(1) --BODY--
         State: 0 [0] 0 {0 1} [!0] 0 {1}
         State: 1 [t] 1 [1] 2 State: 2 [1] 2 {0 1}
         State: 3 [t] 3 {0} [2&3] 4 State: 4 [t] 4 {0 1} [1] 0 --END--",
    );
    let automaton = automaton.unwrap().nondeterministic().unwrap();
    let sizes = Part::ALL.map(|wanted| {
        let part = part(&automaton, wanted);
        let props: Vec<String> =
            part.alphabet().props().iter().map(|p| p.name().to_string()).collect();
        (part.state_count(), part.edge_count(), part.acceptance().marks(), props.join(" "))
    });
    let wanted = [(2, 3, 1, "c d"), (2, 3, 1, "b"), (3, 6, 2, "a b c d")];
    assert_eq!(
        sizes,
        wanted.map(|(states, edges, marks, props)| { (states, edges, marks, String::from(props)) })
    );
}

#[test]
fn the_safety_property_in_disguise_is_all_weak() {
    let automaton = hoa::parse(
        "HOA: v1 States: 3 Start: 0 AP: 2 \"b\" \"c\" Acceptance: 1 Inf(0) --BODY--
         State: 0 [1] 0 {0} [!1&0] 1 {0} [!1&!0] 2 State: 1 [1] 0 {0} State: 2 [1&0] 0 {0} --END--",
    );
    let automaton = automaton.unwrap().nondeterministic().unwrap();
    let weak = part(&automaton, Part::Weak);
    assert!(weak.is_weak() && same_language(&automaton, &weak));
    assert_eq!(part(&automaton, Part::Strong).state_count(), 0);
    // Its structural strength is strong.
    let strengths = Strengths::by(&automaton, Way::Structural);
    assert!(part_by(&automaton, &strengths, Part::Strong) == automaton);
}

/// X a | X !a, which every word satisfies: no state simulates another one.
#[test]
fn terminal_parts_become_minimal_deterministic_ones() {
    let automaton = hoa::parse(
        "HOA: v1 States: 4 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
         State: 0 [t] 1 [t] 2 State: 1 [0] 3 State: 2 [!0] 3 State: 3 [t] 3 {0} --END--",
    );
    let automaton = automaton.unwrap().nondeterministic().unwrap();
    let strengths = Strengths::of(&automaton);
    let cut = part_by(&automaton, &strengths, Part::Terminal);
    let reduced = reduced_part(&automaton, &strengths, Part::Terminal);
    assert!(same_language(&automaton, &reduced));
    assert_eq!((cut.state_count(), reduced.state_count()), (4, 1));
    assert!(reduced.is_deterministic() && reduced.is_terminal());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_parts_together_have_the_language(
        generalized in generalized(), other in arbitrary::automaton(), structural in any::<bool>(),
    ) {
        for automaton in [generalized, other] {
            let way = if structural { Way::Structural } else { Way::Inherent };
            let strengths = Strengths::by(&automaton, way);
            prop_assert!(same_language(&automaton, &union_of_parts(&automaton, &strengths)));
        }
    }

    #[test]
    fn reduced_parts_have_the_same_languages(
        generalized in generalized(), other in arbitrary::automaton(), structural in any::<bool>(),
    ) {
        for automaton in [generalized, other] {
            let way = if structural { Way::Structural } else { Way::Inherent };
            let strengths = Strengths::by(&automaton, way);
            for which in Part::ALL {
                let (cut, reduced) = (
                    part_by(&automaton, &strengths, which),
                    reduced_part(&automaton, &strengths, which),
                );
                prop_assert!(same_language(&cut, &reduced));
                prop_assert!(reduced.state_count() <= cut.state_count());
                let strongest = Strengths::of(&reduced).strongest();
                prop_assert!(strongest <= Some(which.strength()), "{:?}: {:?}", which, strongest);
            }
        }
    }

    #[test]
    fn parts_have_their_strength(
        generalized in generalized(), other in arbitrary::automaton(),
    ) {
        for automaton in [generalized, other] {
            let strengths = Strengths::of(&automaton);
            for which in Part::ALL {
                let part = part(&automaton, which);
                let there = strengths.count(which.strength()) > 0;
                prop_assert_eq!(part.state_count() > 0, there);
                let own = Strengths::by(&part, Way::Structural);
                let accepting = own.sccs().iter().map(|scc| own.of_component(scc));
                for strength in accepting.filter(|strength| strength.is_accepting()) {
                    prop_assert_eq!(strength, which.strength());
                }
                prop_assert_eq!(own.count(Strength::Useless), 0);
                prop_assert!(which == Part::Strong || part.is_weak());
                prop_assert!(which != Part::Terminal || part.is_terminal());
                prop_assert!(!automaton.is_state_based() || part.is_state_based());
                prop_assert!(part.state_count() <= automaton.state_count());
                let read = part.edges().iter().flat_map(|e| part.alphabet().support(e.label));
                let read: std::collections::BTreeSet<usize> = read.collect();
                prop_assert_eq!(read.len(), part.alphabet().props().len());
            }
        }
    }
}

fn generalized() -> impl Strategy<Value = Automaton> {
    (0u32..=2).prop_flat_map(|marks| {
        let size = Size { states: 6, props: 2, marks, degree: 2 };
        let acceptance = Just(Named::GeneralizedBuchi(marks).acceptance());
        arbitrary::automaton_with(Alphabet::new(["a", "b"]).unwrap(), acceptance, size)
    })
}
