use super::*;
use crate::acceptance::{Acceptance, Condition, Named};
use crate::arbitrary::{self, Size};
use crate::test_language::same_language;
use crate::{Alphabet, hoa};
use proptest::prelude::*;

fn parse(text: &str) -> Automaton {
    hoa::parse(text).unwrap().nondeterministic().unwrap()
}

/// The tableau automaton of the safety property `G(c | (Xc & (!c U b)))`, whose formula is
/// syntactically a recurrence: state 1 waits for `c`, state 2 for `c & b`.
const PATHOLOGICAL: &str = r#"HOA: v1 name: "G(c | (Xc & (!c U b)))"
    States: 3 Start: 0 AP: 2 "b" "c" Acceptance: 1 Inf(0) --BODY--
    State: 0 "G(c | (Xc & (!c U b)))" [1] 0 {0} [!1&0] 1 {0} [!1&!0] 2
    State: 1 "c & G(c | (Xc & (!c U b)))" [1] 0 {0}
    State: 2 "c & (!c U b) & G(c | (Xc & (!c U b)))" [1&0] 0 {0} --END--"#;

#[test]
fn a_safety_property_in_disguise_is_inherently_weak_and_not_weak() {
    let automaton = parse(PATHOLOGICAL);
    let formula: Formula = "G(c | (Xc & (!c U b)))".parse().unwrap();
    for word in ["cycle{c}", "cycle{b; c}", "cycle{!c; c}", "cycle{!b & !c; b & c}", "cycle{b}"] {
        let word: sempre_ltl::Word = word.parse().unwrap();
        let wanted = sempre_ltl::semantics::holds(&formula, &word);
        assert_eq!(crate::membership::accepts(&automaton, &word), wanted, "{word}");
    }
    assert!(automaton.is_inherently_weak() && !automaton.is_weak());
    let strongest = |way| Strengths::by(&automaton, way).strongest().unwrap();
    assert_eq!(strongest(Way::Inherent), Strength::Weak);
    assert_eq!(strongest(Way::Cycles), Strength::Weak);
    assert_eq!(strongest(Way::Structural), Strength::Strong);
    assert_eq!(strongest(Way::Syntactic), Strength::Strong);
    let weak = weaken(&automaton);
    assert!(weak.is_weak() && same_language(&automaton, &weak));
    assert_eq!(Strengths::by(&weak, Way::Structural).strongest(), Some(Strength::Weak));
}

#[test]
fn formulas_tell_strengths() {
    for (text, wanted) in [
        // F a, G a, FG a and GF a, as tableau automata.
        (r#"State: 0 "F a" [t] 0 [0] 1 State: 1 "1" [t] 1 {0}"#, Strength::Terminal),
        (r#"State: 0 "G a" [0] 0 {0} State: 1"#, Strength::Weak),
        (r#"State: 0 "F G a" [t] 0 [0] 1 State: 1 "G a" [0] 1 {0}"#, Strength::Weak),
        (r#"State: 0 "G F a" [t] 0 [0] 0 {0} State: 1"#, Strength::Strong),
        (r#"State: 0 "no formula (" [0] 0 {0} State: 1"#, Strength::Strong),
    ] {
        let frame = "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--";
        let automaton = parse(&format!("{frame} {text} --END--"));
        assert_eq!(Strengths::by(&automaton, Way::Syntactic).strongest(), Some(wanted), "{text}");
        assert!(Strengths::of(&automaton).strongest() <= Some(wanted));
    }
}

#[test]
fn components_without_accepting_cycles_are_useless_or_transient() {
    let automaton = parse(
        "HOA: v1 States: 4 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
         State: 0 [t] 0 [0] 1 [!0] 3 State: 1 [t] 2 State: 2 [0] 2 {0} [!0] 3 State: 3 [t] 3
         --END--",
    );
    let strengths = Strengths::of(&automaton);
    use Strength::{Transient, Useless, Weak};
    for (state, wanted) in [Transient, Transient, Weak, Useless].into_iter().enumerate() {
        assert_eq!(strengths.of_state(StateId::new(state)), Some(wanted));
    }
    assert_eq!(Strength::ALL.map(|strength| strengths.count(strength)), [1, 2, 0, 1, 0]);
}

/// Every state has an edge to every other.
fn complete_graph(states: usize) -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    builder.add_states(states);
    builder.initial(StateId::new(0));
    let tt = builder.alphabet().tt();
    for source in 0..states {
        for target in (0..states).filter(|target| *target != source) {
            builder.edge(StateId::new(source), tt, Marks::EMPTY, StateId::new(target));
        }
    }
    builder.build()
}

#[test]
fn complete_graphs_have_the_known_numbers_of_cycles() {
    // The sum over k of the cyclic orders of k states.
    for (states, wanted) in [(1, 0), (2, 1), (3, 5), (4, 20), (5, 84), (6, 409), (7, 2365)] {
        let automaton = complete_graph(states);
        let sccs = Sccs::of(&automaton);
        let mut count = 0;
        let _ = elementary_cycles(&automaton, &sccs, SccId::new(0), |_| {
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(count, wanted);
    }
}

/// All elementary cycles, by trying all paths.
fn cycles_by_force(automaton: &Automaton, sccs: &Sccs, scc: SccId) -> Vec<Vec<(StateId, Marks)>> {
    let mut cycles = vec![];
    for &root in sccs.states(scc) {
        let mut paths: Vec<(StateId, Vec<(StateId, Marks)>)> = vec![(root, vec![])];
        while let Some((state, path)) = paths.pop() {
            for edge in automaton.edges_from(state) {
                let mut longer = path.clone();
                longer.push((edge.target, edge.marks.clone()));
                let fresh = path.iter().all(|(passed, _)| *passed != edge.target);
                if edge.target == root {
                    cycles.push(longer);
                } else if edge.target > root && fresh && sccs.is_inside(state, edge.target) {
                    paths.push((edge.target, longer));
                }
            }
        }
    }
    cycles.sort();
    cycles.dedup();
    cycles
}

fn generalized() -> impl Strategy<Value = Automaton> {
    (0u32..=3).prop_flat_map(|marks| {
        let size = Size { states: 6, props: 1, marks, degree: 3 };
        let acceptance = Just(Named::GeneralizedBuchi(marks).acceptance());
        let alphabet = Alphabet::new(["a"]).unwrap();
        let any = arbitrary::automaton_with(alphabet, acceptance, size);
        // Weak automata are rare in random samples.
        (any, prop::collection::vec(any_marks(marks), 6)).prop_map(|(automaton, extra)| {
            let mut builder = automaton.edit();
            builder.retain_edges(|source, edge| {
                edge.marks |= &extra[source.index()];
                true
            });
            builder.build()
        })
    })
}

fn any_marks(count: u32) -> impl Strategy<Value = Marks> {
    prop_oneof![Just(Marks::EMPTY), Just(Marks::all(count)), arbitrary::marks(count)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn all_ways_err_upwards_and_two_do_not(automaton in generalized()) {
        let by = |way| Strengths::by(&automaton, way);
        let (inherent, cycles, structural) =
            (by(Way::Inherent), by(Way::Cycles), by(Way::Structural));
        for scc in inherent.sccs().iter() {
            let exact = inherent.of_component(scc);
            prop_assert_eq!(exact, cycles.of_component(scc));
            prop_assert!(exact <= structural.of_component(scc));
            prop_assert_eq!(
                exact.is_accepting(), inherent.sccs().is_accepting(&automaton, scc)
            );
        }
        let weak = weaken(&automaton);
        let structural = Strengths::by(&weak, Way::Structural);
        for scc in inherent.sccs().iter() {
            prop_assert_eq!(inherent.of_component(scc), structural.of_component(scc));
        }
    }

    #[test]
    fn elementary_cycles_are_those_found_by_force(automaton in generalized()) {
        let sccs = Sccs::of(&automaton);
        for scc in sccs.iter() {
            let mut found = vec![];
            let all = elementary_cycles(&automaton, &sccs, scc, |cycle| {
                let steps = cycle.iter().map(|&edge| automaton.edge(edge));
                let mut steps: Vec<_> = steps.map(|e| (e.target, e.marks.clone())).collect();
                // Starts the cycle at its least state, as the brute-force search does.
                let least = (0..steps.len()).min_by_key(|&i| steps[i].0).unwrap_or(0);
                steps.rotate_left(least + 1);
                found.push(steps);
                ControlFlow::<()>::Continue(())
            });
            prop_assert!(all.is_continue());
            found.sort();
            prop_assert_eq!(found, cycles_by_force(&automaton, &sccs, scc));
        }
    }

    #[test]
    fn weakening_keeps_the_language(automaton in arbitrary::automaton()) {
        let weak = weaken(&automaton);
        prop_assert!(same_language(&automaton, &weak));
        // Without marks in the condition, its terms do not distinguish components.
        prop_assert_eq!(weak.is_weak(), automaton.is_inherently_weak() || automaton.is_weak());
        prop_assert!(!automaton.is_state_based() || weak.is_state_based());
        prop_assert_eq!(
            weak.is_terminal(), automaton.is_inherently_terminal()
        );
    }
}

#[test]
fn conditions_with_fin_have_exact_strengths_as_well() {
    // Each loop alone is accepting, but not both together.
    let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
    let condition = Condition::or([Condition::Fin(0), Condition::Fin(1)]);
    builder.acceptance(Acceptance::new(2, condition));
    let (state, tt) = (builder.add_state(), builder.alphabet().tt());
    builder.initial(state);
    builder.edge(state, tt, Marks::from_iter([0]), state);
    builder.edge(state, tt, Marks::from_iter([1]), state);
    let automaton = builder.build();
    for way in [Way::Inherent, Way::Cycles, Way::Structural] {
        assert_eq!(Strengths::by(&automaton, way).strongest(), Some(Strength::Strong));
    }
}
