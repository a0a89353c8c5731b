use super::*;
use crate::acceptance::{Acceptance, Condition, Named};
use crate::arbitrary::{self, Size};
use crate::random::RandomAutomata;
use crate::test_language::same_language;
use crate::{Alphabet, StateId, hoa};
use proptest::prelude::*;
use proptest::sample::select;

fn parse(text: &str) -> Automaton {
    hoa::parse(text).unwrap().nondeterministic().unwrap()
}

/// States, nondeterministic states, edges, transitions.
fn counts(automaton: &Automaton) -> [usize; 4] {
    let letters = |label| automaton.alphabet().count(label) as usize;
    let transitions = automaton.edges().iter().map(|edge| letters(edge.label)).sum();
    [
        automaton.state_count(),
        automaton.nondeterministic_state_count(),
        automaton.edge_count(),
        transitions,
    ]
}

/// Infinitely often a and infinitely often b, deterministic.
const G1: &str = "HOA: v1 States: 1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 2 Inf(0) & Inf(1)
    --BODY-- State: 0 [!0&!1] 0 [0&!1] 0 {0} [!0&1] 0 {1} [0&1] 0 {0 1} --END--";

/// The same, nondeterministic.
const G2: &str = "HOA: v1 States: 1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 2 Inf(0) & Inf(1)
    --BODY-- State: 0 [t] 0 [0] 0 {0} [1] 0 {1} [0&1] 0 {0 1} --END--";

/// The published automata for `GFa & GFb`: Spin's, LTL2BA's, LTL3BA's, and Spot's with and without
/// jumps.
#[test]
fn published_automata_for_two_recurrences() {
    use InitialLevel::{First, Last};
    for (name, text, jump, initial, wanted) in [
        ("C1", G2, Jump::NotFromAccepting, First, [3, 2, 6, 17]),
        ("C2", G2, Jump::Always, First, [3, 3, 8, 20]),
        ("C4", G1, Jump::Always, First, [3, 0, 8, 12]),
        ("C5", G1, Jump::Always, Last, [3, 0, 8, 12]),
        ("C6", G1, Jump::Never, Last, [3, 0, 5, 12]),
    ] {
        for order in [vec![0, 1], vec![1, 0]] {
            let order = MarkOrder::Listed(order);
            let options = Degeneralizer::plain().jump(jump).initial(initial).order(order);
            let plain = options.state_based(&GeneralizedBuchi::from(&parse(text)));
            assert_eq!(counts(&plain), wanted, "{name}");
            let accepting = |automaton: &Automaton| {
                !automaton.edges_from(automaton.initial()[0])[0].marks.is_empty()
            };
            assert_eq!(accepting(&plain), initial == Last, "{name}");
            let options = options.per_component(true).reuse_levels(true).bottom_copies(true);
            let aware = options.state_based(&GeneralizedBuchi::from(&parse(text)));
            assert_eq!(counts(&aware), wanted, "{name}");
            assert_eq!(accepting(&aware), initial == Last, "{name}");
        }
    }
}

/// The published automata for `GFa & FG!b` that come from entering a component with one mark.
#[test]
fn published_automata_for_a_recurrence_and_a_persistence() {
    use EntryLevel::{First, Last, Marks};
    let entered = |entering: &str, loops: &str| {
        parse(&format!(
            "HOA: v1 States: 2 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0)
             --BODY-- State: 0 [t] 0 {entering} State: 1 {loops} --END--"
        ))
    };
    let deterministic = "[!0&!1] 1 [0&!1] 1 {0}";
    let nondeterministic = "[!1] 1 [0&!1] 1 {0}";
    for (name, entering, loops, jump, entry, wanted) in [
        ("D1", "[!1] 1 [0&!1] 1 {0}", nondeterministic, Jump::NotFromAccepting, Marks, [2, 6, 12]),
        ("D2", "[!1] 1", nondeterministic, Jump::Always, First, [3, 6, 12]),
        ("D4", "[!1] 1", nondeterministic, Jump::Always, Last, [3, 6, 12]),
        ("D6", "[0&!1] 1", deterministic, Jump::Always, Last, [1, 6, 9]),
        ("D7", "[0&!1] 1", deterministic, Jump::Never, Last, [1, 5, 9]),
        ("D8", "[0&!1] 1", deterministic, Jump::Always, First, [1, 6, 9]),
        ("D9", "[0&!1] 1", nondeterministic, Jump::Always, First, [3, 6, 11]),
        ("D10", "[!0&!1] 1 [0&!1] 1 {0}", deterministic, Jump::Always, Marks, [1, 7, 10]),
        ("D11", "[!1] 1", deterministic, Jump::Always, First, [1, 6, 10]),
        ("D12", "[!1] 1", deterministic, Jump::Always, Last, [1, 6, 10]),
    ] {
        let automaton = entered(entering, loops);
        let options = Degeneralizer::plain().per_component(true).jump(jump).entry(entry);
        let result = options.state_based(&GeneralizedBuchi::of(&automaton).unwrap());
        let [nondeterministic, edges, transitions] = wanted;
        assert_eq!(counts(&result), [3, nondeterministic, edges, transitions], "{name}");
        assert!(same_language(&automaton, &result), "{name}");
    }
}

#[test]
fn components_without_accepting_cycle_have_one_level() {
    // A cycle of three states with one mark only, before one with both.
    let automaton = parse(
        "HOA: v1 States: 4 Start: 0 AP: 1 \"a\" Acceptance: 2 Inf(0) & Inf(1) --BODY--
         State: 0 [0] 1 {0} State: 1 [0] 2 State: 2 [0] 0 [!0] 3 {1}
         State: 3 [0] 3 {0} [!0] 3 {1} --END--",
    );
    let plain = Degeneralizer::plain()
        .jump(Jump::Always)
        .state_based(&GeneralizedBuchi::of(&automaton).unwrap());
    assert_eq!(plain.state_count(), 7);
    let aware = Degeneralizer::default().state_based(&GeneralizedBuchi::of(&automaton).unwrap());
    assert_eq!(aware.state_count(), 6);
    let on_edges =
        Degeneralizer::default().transition_based(&GeneralizedBuchi::of(&automaton).unwrap());
    assert_eq!(on_edges.state_count(), 5);
}

#[test]
fn inherently_weak_components_have_one_level() {
    // Both marks are on every cycle, though on no edge together.
    let automaton = parse(
        "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 2 Inf(0) & Inf(1) --BODY--
         State: 0 [0] 1 {0} State: 1 [!0] 0 {1} --END--",
    );
    for on_states in [true, false] {
        let result = Degeneralizer::default().run(&GeneralizedBuchi::from(&automaton), on_states);
        assert_eq!(result.state_count(), 2);
        assert!(result.is_weak());
    }
}

#[test]
fn marks_on_states_need_no_further_level() {
    // States 0 and 1 have one mark each; runs may stay in both.
    let automaton = parse(
        "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 2 Inf(0) & Inf(1) --BODY--
         State: 0 {0} [0] 0 [!0] 1 State: 1 {1} [0] 1 [!0] 0 --END--",
    );
    let jumping = Degeneralizer::default().marking(Marking::Given).jump(Jump::Always);
    for (placement, wanted) in [(Placement::ExtraLevel, 6), (Placement::Copies, 4)] {
        let result = jumping
            .clone()
            .placement(placement)
            .state_based(&GeneralizedBuchi::of(&automaton).unwrap());
        assert_eq!(result.state_count(), wanted);
    }
    // Mark 0 may also count when state 0 is entered, and so with mark 1: only staying is waiting.
    let smallest = Degeneralizer::default().state_based(&GeneralizedBuchi::of(&automaton).unwrap());
    assert_eq!(smallest.state_count(), 3);
    assert!(same_language(&automaton, &smallest));
}

/// `G((a0 | F b0) & … )`: a state for each set of open promises.
fn promises(count: usize) -> Automaton {
    let names = (0..count).flat_map(|i| [format!("a{i}"), format!("b{i}")]);
    let mut builder = Automaton::builder(Alphabet::new(names).unwrap());
    builder.acceptance(Named::GeneralizedBuchi(count as u32).acceptance());
    builder.add_states(1 << count);
    builder.initial(StateId::new(0));
    let alphabet = builder.alphabet().clone();
    for (source, target) in (0..1 << count).flat_map(|s| (0..1 << count).map(move |t| (s, t))) {
        let is_in = |set: usize, i: usize| set >> i & 1 == 1;
        let label = (0..count).fold(alphabet.tt(), |label, i| {
            let (a, b) = (alphabet.prop(2 * i), alphabet.prop(2 * i + 1));
            let kept = if is_in(source, i) { b } else { alphabet.or(a, b) };
            let wanted = if is_in(target, i) { alphabet.not(kept) } else { kept };
            alphabet.and(label, wanted)
        });
        let marks = (0..count).filter(|&i| !is_in(target, i)).map(|i| i as u32).collect();
        builder.edge(StateId::new(source), label, marks, StateId::new(target));
    }
    builder.build()
}

#[test]
fn open_promises_are_waited_for_one_by_one() {
    // Each set of open promises has a copy for each of its members. Those without the last promise
    // are also accepting.
    for (count, wanted) in [(1, 2), (2, 6), (3, 16)] {
        let automaton = promises(count);
        let result =
            Degeneralizer::default().state_based(&GeneralizedBuchi::of(&automaton).unwrap());
        assert_eq!(result.state_count(), wanted);
        assert!(result.is_deterministic());
    }
    let two = promises(2);
    assert!(same_language(
        &two,
        &Degeneralizer::default().state_based(&GeneralizedBuchi::of(&two).unwrap())
    ));
}

#[test]
fn other_conditions_are_refused() {
    let mut builder = parse(G1).edit();
    builder.acceptance(Named::Rabin(1).acceptance());
    let automaton = builder.build();
    let error = GeneralizedBuchi::of(&automaton).unwrap_err();
    assert_eq!(
        error.message(),
        "the acceptance condition Fin(0) & Inf(1) is not generalized Büchi"
    );
}

#[test]
fn empty_languages_leave_nothing() {
    let mut builder = parse(G1).edit();
    builder.acceptance(Acceptance::new(2, Condition::False));
    let empty = Degeneralizer::default().state_based(&GeneralizedBuchi::from(&builder.build()));
    assert_eq!((empty.state_count(), empty.acceptance()), (0, &Named::Buchi.acceptance()));
}

fn options() -> impl Strategy<Value = Degeneralizer> {
    use {EntryLevel as E, InitialLevel as I, MarkOrder as O, Placement as P};
    let order = select(vec![O::Given, O::Listed(vec![2, 1]), O::PerComponent, O::Whole]);
    let jump = select(vec![
        Jump::Never,
        Jump::NotFromAccepting,
        Jump::Always,
        Jump::ToWaiting,
        Jump::Smallest,
    ]);
    let initial = select(vec![I::First, I::Last, I::Smaller]);
    let entry = select(vec![E::First, E::Last, E::Marks, E::Smaller]);
    let placement = select(vec![P::ExtraLevel, P::Copies, P::Smallest]);
    let marking = select(vec![Marking::Given, Marking::Saturated, Marking::Smaller]);
    let rest = (any::<bool>(), any::<bool>(), any::<bool>(), marking);
    (jump, initial, entry, order, placement, rest).prop_map(
        |(
            jump,
            initial,
            entry,
            order,
            placement,
            (per_component, reuse_levels, bottom_copies, marking),
        )| {
            Degeneralizer {
                jump,
                initial,
                entry,
                order,
                marking,
                placement,
                per_component,
                reuse_levels,
                bottom_copies,
            }
        },
    )
}

/// Conjunctions of `Inf` terms over some of the marks, and of disjunctions of them.
fn condition(marks: u32) -> impl Strategy<Value = Acceptance> {
    let all = Named::GeneralizedBuchi(marks).acceptance();
    let mixed = Condition::and((0..marks).step_by(2).map(|mark| {
        let next = Condition::Inf((mark + 1) % marks);
        Condition::or([Condition::Inf(mark), next])
    }));
    prop_oneof![4 => Just(all), 1 => Just(Acceptance::new(marks, mixed))]
}

fn automaton() -> impl Strategy<Value = Automaton> {
    (0u32..=4).prop_flat_map(|marks| {
        let size = Size { states: 5, props: 1, marks, degree: 3 };
        arbitrary::automaton_with(Alphabet::new(["a"]).unwrap(), condition(marks), size)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_combination_keeps_the_language(
        automaton in automaton(), options in options(), on_states in any::<bool>(),
    ) {
        let result = options.run(&GeneralizedBuchi::from(&automaton), on_states);
        prop_assert!(same_language(&automaton, &result));
        prop_assert!(result.acceptance() == &Named::Buchi.acceptance());
        prop_assert!(!on_states || result.is_state_based());
        prop_assert!(!automaton.is_deterministic() || result.is_deterministic());
        let marks = automaton.acceptance().marks() as usize;
        let levels = match (on_states, options.placement) {
            (false, _) => marks.max(1),
            (true, Placement::ExtraLevel) => marks + 1,
            (true, Placement::Smallest) if options.per_component && options.bottom_copies => {
                marks + 1
            }
            _ => (2 * marks).max(1),
        };
        prop_assert!(result.state_count() <= levels * automaton.state_count());
    }
}

/// Individual automata may be larger, because marks are dropped greedily; the sum is much smaller.
#[test]
fn the_default_gives_the_smallest_automata() {
    let single_changes: Vec<fn(Degeneralizer) -> Degeneralizer> = vec![
        |options| options.jump(Jump::Never),
        |options| options.jump(Jump::Always),
        |options| options.jump(Jump::ToWaiting),
        |options| options.order(MarkOrder::Given),
        |options| options.order(MarkOrder::Whole),
        |options| options.marking(Marking::Given),
        |options| options.marking(Marking::Saturated),
        |options| options.placement(Placement::ExtraLevel),
        |options| options.placement(Placement::Copies),
        |options| options.per_component(false),
        |options| options.bottom_copies(false),
        |_| Degeneralizer::plain(),
    ];
    let random = RandomAutomata::over(["a", "b"]).unwrap().states(6).density(0.2).seed(1);
    let random = random.acceptance(Named::GeneralizedBuchi(3)).mark_probability(0.3);
    let automata: Vec<Automaton> = random.generate().take(60).collect();
    for on_states in [true, false] {
        let sum = |options: &Degeneralizer| -> usize {
            automata
                .iter()
                .map(|a| options.run(&GeneralizedBuchi::from(a), on_states).state_count())
                .sum()
        };
        let smallest = sum(&Degeneralizer::default());
        for change in &single_changes {
            let options = change(Degeneralizer::default());
            assert!(smallest <= sum(&options), "{options:?}");
        }
    }
}
