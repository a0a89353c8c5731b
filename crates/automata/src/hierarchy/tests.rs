//! Tests the hierarchy on formulas of a known class, by its laws, and by alternative algorithms.

use super::*;
use crate::arbitrary::{Size, automaton_of, automaton_with};
use crate::{Alphabet, StateId};
use proptest::prelude::*;

type Edges = &'static [(usize, &'static str, &'static [u32], usize)];

/// An automaton over a and b: edges as source, label, marks, target.
fn automaton(name: Named, edges: Edges) -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a", "b"]).unwrap());
    builder.acceptance(name.acceptance());
    builder.add_states(edges.iter().map(|edge| edge.0.max(edge.3)).max().unwrap() + 1);
    builder.initial(StateId::new(0));
    for (source, label, marks, target) in edges {
        let label = builder.alphabet().from_formula(&label.parse().unwrap()).unwrap();
        let marks = marks.iter().copied().collect();
        builder.edge(StateId::new(*source), label, marks, StateId::new(*target));
    }
    builder.build()
}

#[test]
fn known_formulas_are_in_their_class() {
    let cases: [(&str, Class, Named, Edges); 15] = [
        ("1", Class::Bottom, Named::All, &[(0, "1", &[], 0)]),
        ("0", Class::Bottom, Named::None, &[(0, "1", &[], 0)]),
        ("a", Class::Bottom, Named::All, &[(0, "a", &[], 1), (1, "1", &[], 1)]),
        ("X a", Class::Bottom, Named::All, &[(0, "1", &[], 1), (1, "a", &[], 2), (2, "1", &[], 2)]),
        ("G a", Class::Safety, Named::All, &[(0, "a", &[], 0)]),
        (
            "a W b",
            Class::Safety,
            Named::Buchi,
            &[(0, "a & !b", &[0], 0), (0, "b", &[], 1), (1, "1", &[0], 1)],
        ),
        (
            "F a",
            Class::Guarantee,
            Named::Buchi,
            &[(0, "1", &[], 0), (0, "a", &[], 1), (1, "1", &[0], 1)],
        ),
        (
            "G a | F b",
            Class::Obligation,
            Named::Buchi,
            &[
                (0, "1", &[], 1),
                (0, "a", &[], 2),
                (1, "1", &[], 1),
                (1, "b", &[], 3),
                (0, "b", &[], 3),
                (2, "a", &[0], 2),
                (3, "1", &[0], 3),
            ],
        ),
        ("GF a", Class::Recurrence, Named::Buchi, &[(0, "1", &[], 0), (0, "a", &[0], 0)]),
        (
            "GF a & GF b",
            Class::Recurrence,
            Named::GeneralizedBuchi(2),
            &[(0, "1", &[], 0), (0, "a", &[0], 0), (0, "b", &[1], 0), (0, "a & b", &[0, 1], 0)],
        ),
        (
            "FG a",
            Class::Persistence,
            Named::Buchi,
            &[(0, "1", &[], 0), (0, "a", &[], 1), (1, "a", &[0], 1)],
        ),
        ("FG a", Class::Persistence, Named::CoBuchi, &[(0, "1", &[0], 0), (0, "a", &[], 0)]),
        (
            "FG a | GF b",
            Class::Reactivity,
            Named::Buchi,
            &[
                (0, "1", &[], 0),
                (0, "a", &[], 1),
                (1, "a", &[0], 1),
                (0, "1", &[], 2),
                (2, "1", &[], 2),
                (2, "b", &[0], 2),
            ],
        ),
        (
            "FG a & GF b",
            Class::Reactivity,
            Named::Buchi,
            &[(0, "1", &[], 0), (0, "a", &[], 1), (1, "a", &[], 1), (1, "a & b", &[0], 1)],
        ),
        // A Streett condition that is a recurrence, because both marks are on each edge.
        ("GF a", Class::Recurrence, Named::Streett(1), &[(0, "!a", &[0], 0), (0, "a", &[1, 0], 0)]),
    ];
    for (formula, class, name, edges) in cases {
        let automaton = automaton(name, edges);
        assert_eq!(classes(&automaton).smallest(), Some(class), "{formula}");
        let complement = complement(&automaton);
        assert_eq!(classes(&complement).smallest(), Some(class.dual()), "!({formula})");
        let given = classes_given_complement(&automaton, &complement);
        assert_eq!(given.smallest(), Some(class), "{formula}");
    }
}

fn complement(automaton: &Automaton) -> Automaton {
    let deterministic = match automaton.is_deterministic() {
        true => complete(automaton),
        false => complete(&determinize::parity(automaton)),
    };
    let mut builder = deterministic.edit();
    builder.acceptance(deterministic.acceptance().dual());
    builder.build()
}

/// All strongly connected sets of edges with their verdicts, by brute force.
fn cycles(automaton: &Automaton) -> Vec<(u32, bool)> {
    let sccs = Sccs::of(automaton);
    let edges = automaton.edge_count();
    let reachable = |edge: usize| {
        let source = automaton.transitions().nth(edge).unwrap().0;
        sccs.is_reachable(source)
    };
    let mut found = vec![];
    'sets: for set in 1u32..1 << edges {
        let mut builder = automaton.edit();
        let mut place = 0;
        let mut marks = crate::Marks::EMPTY;
        for edge in (0..edges).filter(|edge| set >> edge & 1 == 1) {
            if !reachable(edge) {
                continue 'sets;
            }
            marks |= &automaton.edges()[edge].marks;
        }
        builder.retain_edges(|_, _| {
            place += 1;
            set >> (place - 1) & 1 == 1
        });
        let part = builder.build();
        let components = Sccs::of_all(&part);
        let inner = components.iter().filter(|&scc| !components.is_trivial(scc)).count();
        let inside = part.transitions().all(|(s, e)| components.is_inside(s, e.target));
        if inner == 1 && inside {
            found.push((set, automaton.acceptance().accepts(&marks)));
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn parts_of_cycles_are_found(
        automaton in automaton_of(Size { states: 3, props: 0, degree: 3, marks: 3 }),
    ) {
        let cycles = cycles(&automaton);
        let wanted = cycles.iter().any(|(large, accepting)| {
            !accepting && cycles.iter().any(|(small, accepting)| *accepting && small & !large == 0)
        });
        prop_assert_eq!(has_accepting_cycle_in_rejecting_one(&automaton), wanted);
    }

    /// Closures also decide safety and guarantee, given an automaton for the complement.
    #[test]
    fn closures_agree(
        automaton in automaton_with(
            Alphabet::new(["a"]).unwrap(),
            Just(Named::Buchi.acceptance()),
            Size { states: 4, props: 1, marks: 1, degree: 3 },
        ),
    ) {
        let classes = classes(&automaton);
        prop_assert!(classes.smallest().is_some());
        let complement = complement(&automaton);
        let disjoint = |l: &Automaton, r: &Automaton| product::common_word(l, r).is_none();
        let safe = disjoint(&safety_closure(&automaton), &complement);
        prop_assert_eq!(classes.contains(Class::Safety), Some(safe));
        let guarantee = disjoint(&safety_closure(&complement), &automaton);
        prop_assert_eq!(classes.contains(Class::Guarantee), Some(guarantee));
        prop_assert_eq!(
            classes.contains(Class::Obligation),
            Some(crate::wdba::is_obligation(&automaton))
        );
        // Complements are in the dual classes, and the structure never contradicts.
        prop_assert_eq!(super::classes(&complement), classes.of_complement());
        let shown = by_structure(&automaton);
        for class in Class::ALL {
            let agrees = |shown: bool| classes.contains(class) == Some(shown);
            prop_assert!(shown.contains(class).is_none_or(agrees));
        }
    }
}
