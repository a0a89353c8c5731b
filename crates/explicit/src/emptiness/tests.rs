//! Compares all checks on random automata, as graphs, with the emptiness check of automata.

use super::{Check, Property};
use crate::graph::{Edge, Effort, Lasso, SearchGraph};
use proptest::prelude::*;
use sempre_automata::arbitrary::{self, Size, automaton_with};
use sempre_automata::strength::weaken;
use sempre_automata::{
    Acceptance, Alphabet, Automaton, Marks, Named, StateId, emptiness, state_based,
};
use sempre_ltl::generate::Rng;
use std::convert::Infallible;

/// An automaton without its labels; nodes are numbered in the order of their first visit.
struct Unlabelled<'a> {
    automaton: &'a Automaton,
    nodes: Vec<StateId>,
    /// The location of each state, if it is not the state itself.
    locations: Option<&'a [usize]>,
}

impl Unlabelled<'_> {
    fn number(&mut self, state: StateId) -> u32 {
        let place = self.nodes.iter().position(|node| *node == state);
        place.unwrap_or_else(|| {
            self.nodes.push(state);
            self.nodes.len() - 1
        }) as u32
    }
}

impl SearchGraph for Unlabelled<'_> {
    type Error = Infallible;

    fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), Infallible> {
        nodes.extend(self.automaton.initial().iter().map(|state| self.number(*state)));
        Ok(())
    }

    fn successors(
        &mut self,
        node: u32,
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) -> Result<usize, Infallible> {
        let leaving = self.automaton.edges_from(self.nodes[node as usize]);
        for edge in leaving {
            let marks = edge.marks.as_bits().expect("few marks") as u32;
            let target = self.number(edge.target);
            if is_wanted(target) {
                edges.push(Edge { target, marks });
            }
        }
        Ok(leaving.len())
    }

    fn location(&self, node: u32) -> usize {
        let state = self.nodes[node as usize].index();
        self.locations.map_or(state, |locations| locations[state])
    }
}

/// Panics unless the lasso begins in an initial state and follows edges, and its cycle is
/// accepting.
fn judge(automaton: &Automaton, lasso: &Lasso, graph: &Unlabelled<'_>) {
    let states = |nodes: &[u32]| nodes.iter().map(|n| graph.nodes[*n as usize]).collect::<Vec<_>>();
    let (prefix, cycle) = (states(&lasso.prefix), states(&lasso.cycle));
    let all: Vec<StateId> = prefix.iter().chain(&cycle).chain(&cycle[..1]).copied().collect();
    assert!(automaton.initial().contains(&all[0]));
    for pair in all.windows(2) {
        assert!(automaton.edges_from(pair[0]).iter().any(|edge| edge.target == pair[1]));
    }
    // The cycle may repeat nodes, so it is unrolled.
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(automaton.acceptance().clone());
    builder.add_states(cycle.len());
    builder.initial(StateId::new(0));
    for (place, state) in cycle.iter().enumerate() {
        let next = (place + 1) % cycle.len();
        for edge in automaton.edges_from(*state).iter().filter(|e| e.target == cycle[next]) {
            builder.edge(StateId::new(place), edge.label, edge.marks.clone(), StateId::new(next));
        }
    }
    assert!(!emptiness::is_empty(&builder.build()), "{lasso:?} is not accepting");
}

/// Runs all applicable checks; returns their number.
fn agree(automaton: &Automaton) -> usize {
    agree_on(automaton, &Property::new(automaton), None)
}

/// As above, on a graph whose nodes have these locations in the automaton of the property.
fn agree_on(automaton: &Automaton, property: &Property, locations: Option<&[usize]>) -> usize {
    let empty = emptiness::is_empty(automaton);
    let mut fitting = 0;
    for (name, check) in Check::ALL {
        if check.objection(property).is_some() {
            continue;
        }
        fitting += 1;
        let mut graph = Unlabelled { automaton, nodes: vec![], locations };
        let mut effort = Effort::default();
        let Ok(found) = check.run(&mut graph, property, &mut effort);
        assert_eq!(found.is_none(), empty, "{name}");
        assert!(effort.nodes <= automaton.state_count() as u64, "{name}");
        assert!(effort.depth <= effort.nodes, "{name}");
        match found {
            Some(lasso) => judge(automaton, &lasso, &graph),
            None => assert!(effort.edges <= 2 * automaton.edge_count() as u64, "{name}"),
        }
    }
    fitting
}

fn automata(marks: u32, acceptance: Acceptance) -> impl Strategy<Value = Automaton> {
    let size = Size { states: 9, props: 1, marks, degree: 3 };
    automaton_with(Alphabet::new(["a"]).unwrap(), Just(acceptance), size)
}

fn any_condition() -> impl Strategy<Value = Automaton> {
    let size = Size { states: 7, props: 1, marks: 4, degree: 3 };
    automaton_with(Alphabet::new(["a"]).unwrap(), arbitrary::acceptance(4), size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_condition_is_searched(automaton in any_condition()) {
        prop_assert!(agree(&automaton) >= 1);
    }

    #[test]
    fn generalized_buchi(automaton in automata(3, Named::GeneralizedBuchi(3).acceptance())) {
        prop_assert!(agree(&automaton) >= 6);
    }

    #[test]
    fn no_marks(automaton in automata(0, Named::All.acceptance())) {
        prop_assert!(agree(&automaton) >= 6);
    }

    #[test]
    fn buchi_on_states(automaton in automata(1, Named::Buchi.acceptance())) {
        prop_assert!(agree(&state_based(&automaton)) >= 10);
    }

    #[test]
    fn weak(automaton in automata(1, Named::Buchi.acceptance())) {
        prop_assert!(agree(&made_weak(&automaton)) >= 7);
    }

    #[test]
    fn terminal(automaton in automata(1, Named::Buchi.acceptance())) {
        prop_assert!(agree(&made_terminal(&automaton)) >= 10);
    }
}

/// One mark per SCC, for any automaton.
fn made_weak(automaton: &Automaton) -> Automaton {
    let mut builder = automaton.edit();
    let sccs = sempre_automata::scc::Sccs::of(automaton);
    builder.retain_edges(|source, edge| {
        let marked = sccs.component(source).is_some_and(|scc| scc.index() % 2 == 0);
        edge.marks = if marked { Marks::all(1) } else { Marks::EMPTY };
        true
    });
    weaken(&builder.build())
}

/// Only one state with a loop, which is added, is accepting.
fn made_terminal(automaton: &Automaton) -> Automaton {
    let mut builder = automaton.edit();
    let goal = builder.add_state();
    let (tt, sources) = (builder.alphabet().tt(), automaton.state_count().min(2));
    builder.retain_edges(|_, edge| {
        edge.marks = Marks::EMPTY;
        true
    });
    builder.edge(goal, tt, Marks::all(1), goal);
    builder.edge(StateId::new(sources - 1), tt, Marks::EMPTY, goal);
    builder.build()
}

/// Runs all checks on the product of a system and an automaton; returns their number. Cycles of the
/// product may lack what the SCCs of the automaton have, so that a check that mistakes an edge, a
/// mark or a merge for another one is noticed.
fn agree_on_product(system: &Automaton, automaton: &Automaton) -> usize {
    let (product, locations) = product(system, automaton);
    agree_on(&product, &Property::new(automaton), Some(&locations))
}

/// The product of a system and an automaton, and the state of the automaton in each of its states.
fn product(system: &Automaton, automaton: &Automaton) -> (Automaton, Vec<usize>) {
    let alphabet = automaton.alphabet();
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(automaton.acceptance().clone());
    let count = automaton.state_count();
    builder.add_states(system.state_count() * count);
    let node = |s: StateId, q: StateId| StateId::new(s.index() * count + q.index());
    for s in system.initial() {
        for q in automaton.initial() {
            builder.initial(node(*s, *q));
        }
    }
    for s in system.states() {
        // A state without edges stays where it is with each letter.
        let moves = system.edges_from(s).iter().map(|edge| (edge.label, edge.target));
        let moves: Vec<_> = moves.filter(|(label, _)| *label != alphabet.ff()).collect();
        let stays = moves.is_empty().then_some((alphabet.tt(), s));
        for (label, target) in moves.into_iter().chain(stays) {
            for q in automaton.states() {
                for edge in automaton.edges_from(q) {
                    let both = alphabet.and(label, edge.label);
                    if both != alphabet.ff() {
                        builder.edge(
                            node(s, q),
                            both,
                            edge.marks.clone(),
                            node(target, edge.target),
                        );
                    }
                }
            }
        }
    }
    let locations = (0..system.state_count() * count).map(|n| n % count).collect();
    (builder.build(), locations)
}

/// Systems whose labels restrict the automaton.
fn systems() -> impl Strategy<Value = Automaton> {
    let size = Size { states: 5, props: 1, marks: 0, degree: 2 };
    automaton_with(Alphabet::new(["a"]).unwrap(), Just(Named::All.acceptance()), size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn products_with_generalized_buchi_automata(
        system in systems(),
        automaton in automata(3, Named::GeneralizedBuchi(3).acceptance()),
    ) {
        prop_assert!(agree_on_product(&system, &automaton) >= 6);
    }

    #[test]
    fn products_with_any_automata(system in systems(), automaton in any_condition()) {
        prop_assert!(agree_on_product(&system, &automaton) >= 1);
    }

    #[test]
    fn products_with_buchi_automata(
        system in systems(),
        automaton in automata(1, Named::Buchi.acceptance()),
    ) {
        prop_assert!(agree_on_product(&system, &state_based(&automaton)) >= 10);
    }

    #[test]
    fn products_with_weak_automata(
        system in systems(),
        automaton in automata(1, Named::Buchi.acceptance()),
    ) {
        prop_assert!(agree_on_product(&system, &made_weak(&automaton)) >= 7);
    }

    #[test]
    fn products_with_terminal_automata(
        system in systems(),
        automaton in automata(1, Named::Buchi.acceptance()),
    ) {
        prop_assert!(agree_on_product(&system, &made_terminal(&automaton)) >= 10);
    }
}

/// The number of visited edges, if a check finds nothing.
fn visited(automaton: &Automaton, check: Check) -> Option<u64> {
    visited_on(automaton, &Property::new(automaton), None, check)
}

/// As above, on a graph whose nodes have these locations in the automaton of the property.
fn visited_on(
    automaton: &Automaton,
    property: &Property,
    locations: Option<&[usize]>,
    check: Check,
) -> Option<u64> {
    let mut effort = Effort::default();
    let mut graph = Unlabelled { automaton, nodes: vec![], locations };
    let Ok(found) = check.run(&mut graph, property, &mut effort);
    found.is_none().then_some(effort.edges)
}

/// Few marks, so that most automata accept nothing.
fn with_few_marks(automaton: &Automaton) -> Automaton {
    let mut builder = automaton.edit();
    let mut count = 0;
    builder.retain_edges(|_, edge| {
        count += 1;
        edge.marks = if count % 5 == 0 { Marks::all(1) } else { Marks::EMPTY };
        true
    });
    state_based(&builder.build())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Inner searches from fewer nodes, or within SCCs, visit a subset.
    #[test]
    fn restricted_searches_visit_no_more(automaton in automata(1, Named::Buchi.acceptance())) {
        let automaton = with_few_marks(&automaton);
        let Some(plain) = visited(&automaton, Check::Hpy) else { return Ok(()) };
        let of = |check| visited(&automaton, check).expect("the same verdict");
        prop_assert_eq!(of(Check::Spin), plain);
        prop_assert!(of(Check::SchwoonEsparza) <= plain);
        prop_assert!(of(Check::Restricted) <= of(Check::SchwoonEsparza));
    }

    /// The same where components of the automaton fall apart in the product.
    #[test]
    fn restricted_searches_visit_no_more_in_products(
        system in systems(),
        automaton in automata(1, Named::Buchi.acceptance()),
    ) {
        let automaton = with_few_marks(&automaton);
        let (product, locations) = product(&system, &automaton);
        let property = Property::new(&automaton);
        let of = |check| visited_on(&product, &property, Some(&locations), check);
        let Some(plain) = of(Check::Hpy) else { return Ok(()) };
        let early = of(Check::SchwoonEsparza).expect("the same verdict");
        prop_assert_eq!(of(Check::Spin), Some(plain));
        prop_assert!(early <= plain);
        prop_assert!(of(Check::Restricted).expect("the same verdict") <= early);
    }
}

/// A system whose runs leave an accepting state for a component that was searched: only the
/// restricted search stays away from it (Blahoudek, figure 4.11).
#[test]
fn the_restricted_search_spares_other_components() {
    let parse = |text: &str| sempre_automata::hoa::parse(text).unwrap().nondeterministic().unwrap();
    // A chain of eight states; only the first one satisfies `a`.
    let chain: String = (0..7)
        .map(|s| format!("State: {s} [{}] {} ", if s == 0 { "0" } else { "!0" }, s + 1))
        .collect();
    let system = parse(&format!(
        "HOA: v1 States: 8 Start: 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- {chain} State: 7 [!0] 7 --END--"
    ));
    let automaton = parse(
        r#"HOA: v1 States: 3 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
        State: 0 [0] 1 [t] 0 State: 1 {0} [!0] 2 [0] 1 State: 2 [t] 2 --END--"#,
    );
    let (product, locations) = product(&system, &automaton);
    let property = Property::new(&automaton);
    let of = |check| visited_on(&product, &property, Some(&locations), check).expect("no cycle");
    let counts = [Check::Spin, Check::Restricted].map(of);
    assert!(counts[1] < counts[0], "{counts:?}");
}

#[test]
fn the_best_check_follows_the_strength() {
    let best = |text: &str| {
        let automaton = sempre_automata::hoa::parse(text).unwrap().nondeterministic().unwrap();
        Check::best_for(&Property::new(&automaton), true)
    };
    let terminal =
        "HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--";
    assert_eq!(best(terminal), Check::Terminal);
    let weak =
        r#"HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--"#;
    assert_eq!(best(weak), Check::Weak);
    let strong = r#"HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
        State: 0 [0] 0 {0} [!0] 0 --END--"#;
    assert!(matches!(best(strong), Check::Couvreur { .. }));
    let rabin = r#"HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 2 Fin(0) & Inf(1) --BODY--
        State: 0 [0] 0 {0} [!0] 0 {1} --END--"#;
    assert_eq!(best(rabin), Check::Generic);
}

#[test]
fn no_inner_search_begins_where_the_outer_one_has_begun() {
    let text = r#"HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
        State: 0 {0} [t] 1 State: 1 [0] 1 --END--"#;
    let automaton = &sempre_automata::hoa::parse(text).unwrap().nondeterministic().unwrap();
    let property = Property::new(automaton);
    let counts =
        [(Check::SchwoonEsparza, 2), (Check::Restricted, 2), (Check::Spin, 4), (Check::Hpy, 4)];
    for (check, edges) in counts {
        let mut effort = Effort::default();
        let mut graph = Unlabelled { automaton, nodes: vec![], locations: None };
        assert_eq!(check.run(&mut graph, &property, &mut effort), Ok(None));
        assert_eq!(effort.edges, edges, "{check:?}");
    }
}

#[test]
fn depth_is_no_problem() {
    // A path of a million nodes that ends in an accepting loop.
    struct Path;
    impl SearchGraph for Path {
        type Error = Infallible;
        fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), Infallible> {
            nodes.push(0);
            Ok(())
        }
        fn successors(
            &mut self,
            node: u32,
            is_wanted: impl Fn(u32) -> bool,
            edges: &mut Vec<Edge>,
        ) -> Result<usize, Infallible> {
            let last = node == 999_999;
            let edge = Edge { target: node + u32::from(!last), marks: u32::from(last) };
            edges.extend(is_wanted(edge.target).then_some(edge));
            Ok(1)
        }
        fn location(&self, node: u32) -> usize {
            usize::from(node == 999_999)
        }
    }
    let text = r#"HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
        State: 0 [!0] 0 [0] 1 State: 1 [t] 1 {0} --END--"#;
    let automaton = sempre_automata::hoa::parse(text).unwrap().nondeterministic().unwrap();
    let property = Property::new(&automaton);
    for (name, check) in Check::ALL {
        let Ok(found) = check.run(&mut Path, &property, &mut Effort::default());
        let lasso = found.unwrap_or_else(|| panic!("{name} finds nothing"));
        assert_eq!((lasso.prefix.len(), lasso.cycle), (999_999, vec![999_999]), "{name}");
    }
}

/// Products in which all nodes have the accepting state of a one-state automaton, so that only the
/// marks of edges decide. There are few marks, so that what a search adds or forgets matters.
#[test]
fn graphs_of_one_location() {
    let mut rng = Rng::new(1);
    for number in 0..4000 {
        let marks = 1 + number % 3;
        let property = {
            let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
            builder.acceptance(Named::GeneralizedBuchi(marks).acceptance());
            let (state, tt) = (builder.add_state(), builder.alphabet().tt());
            builder.initial(state).edge(state, tt, Marks::all(marks), state);
            // Not all of its cycles are accepting.
            builder.edge(state, tt, Marks::EMPTY, state);
            builder.build()
        };
        let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
        builder.acceptance(property.acceptance().clone());
        let count = 2 + rng.index(6);
        builder.add_states(count);
        builder.initial(StateId::new(0));
        // Different labels keep parallel edges apart.
        let (a, tt) = (builder.alphabet().prop(0), builder.alphabet().tt());
        for _ in 0..count + rng.index(2 * count) {
            let (source, target) = (rng.index(count), rng.index(count));
            let seen = (0..marks).filter(|_| rng.index(6) == 0).collect();
            let label = if rng.index(2) == 0 { a } else { tt };
            builder.edge(StateId::new(source), label, seen, StateId::new(target));
        }
        let graph = builder.build();
        agree_on(&graph, &Property::new(&property), Some(&vec![0; count]));
    }
}
