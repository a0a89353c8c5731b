use super::*;
use crate::arbitrary::{Size, automaton_of};
use crate::membership::accepts;
use crate::{Alphabet, Named, scc};
use proptest::prelude::*;
use sempre_ltl::{Formula, Word, semantics};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Example 1 of Tauriainen (HUT-TCS-A66, 2000).
fn example_1() -> Kripke {
    let edges = [(0, 1), (0, 2), (1, 2), (1, 3), (1, 4), (2, 2), (3, 0), (4, 4)];
    Kripke::new(Alphabet::new(["p1", "p2"]).unwrap(), vec![1, 1, 0, 3, 2], edges, 0).unwrap()
}

/// Example 4 there: `GF p2`, with acceptance on states 0 and 1.
fn example_4() -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["p1", "p2"]).unwrap());
    builder.acceptance(Named::Buchi.acceptance());
    builder.add_states(3);
    builder.initial(StateId::new(0));
    let (p2, any) = (builder.alphabet().prop(1), builder.alphabet().tt());
    for state in 0..3 {
        let marks = if state < 2 { Marks::from_iter([0]) } else { Marks::EMPTY };
        builder.edge(StateId::new(state), p2, marks.clone(), StateId::new(1));
        builder.edge(StateId::new(state), any, marks, StateId::new(2));
    }
    builder.build()
}

fn pair(left: usize, right: usize) -> Pair {
    Pair::new(StateId::new(left), StateId::new(right))
}

/// Returns the reachable pairs, and the number of edges between them.
fn reach<G: Graph<Node = Pair>>(
    product: &G,
    roots: impl IntoIterator<Item = Pair>,
) -> (BTreeSet<Pair>, usize) {
    let mut todo: Vec<Pair> = roots.into_iter().collect();
    let mut seen: BTreeSet<Pair> = todo.iter().copied().collect();
    let mut edges = 0;
    while let Some(pair) = todo.pop() {
        for (_, target) in product.successors(pair) {
            edges += 1;
            if seen.insert(target) {
                todo.push(target);
            }
        }
    }
    (seen, edges)
}

/// A product as a graph without marks.
struct Plain<'a, 'b>(&'a KripkeProduct<'b>, Vec<Pair>);

impl scc::Graph for Plain<'_, '_> {
    type Node = Pair;
    type Edge = EdgeId;
    type Numbering = Sparse<Pair>;

    fn numbering(&self) -> Sparse<Pair> {
        Sparse::default()
    }

    fn initial(&self) -> impl Iterator<Item = Pair> + '_ {
        self.1.iter().copied()
    }

    fn successors(&self, node: Pair) -> impl Iterator<Item = (EdgeId, Pair)> + '_ {
        self.0.successors(node)
    }
}

#[test]
fn the_examples_of_the_report() {
    // Examples 1 to 3: executions, and the formula GF p2 on them.
    let (kripke, automaton) = (example_1(), example_4());
    let formula: Formula = "GF p2".parse().unwrap();
    let states = |states: &[usize]| states.iter().copied().map(StateId::new).collect::<Vec<_>>();
    let around = Execution::new(vec![], states(&[0, 1, 3])).unwrap();
    let away = Execution::new(states(&[0]), states(&[2])).unwrap();
    assert_eq!(around.check(&kripke), Ok(()));
    assert_eq!(away.check(&kripke), Ok(()));
    assert_eq!(around.word(&kripke).to_string(), "cycle{p1&!p2; p1&!p2; p1&p2}");
    assert!(semantics::holds(&formula, &around.word(&kripke)));
    assert!(!semantics::holds(&formula, &away.word(&kripke)));
    let no_word: Word = "cycle{p2; p1}".parse().unwrap();
    assert!(!accepts(&kripke.to_automaton(), &no_word));
    assert!(accepts(&kripke.to_automaton(), &around.word(&kripke)));

    // Example 6: the whole product, and its reachable part.
    let product = with_kripke(&kripke, &automaton);
    let all = || (0..5).flat_map(|s| (0..3).map(move |q| pair(s, q)));
    let (whole, edges) = reach(&product, all());
    assert_eq!((whole.len(), edges), (15, 30));
    let (reached, edges) = reach(&product, [pair(0, 0)]);
    assert_eq!((reached.len(), edges), (8, 16));
    let removed: BTreeSet<Pair> = whole.difference(&reached).copied().collect();
    let missing = [(1, 0), (2, 0), (3, 0), (4, 0), (1, 1), (2, 1), (3, 1)];
    assert_eq!(removed, missing.into_iter().map(|(s, q)| pair(s, q)).collect());
    let (from_all, _) = reach(&product, (0..5).map(|s| pair(s, 0)));
    assert_eq!(from_all.len(), 12);
    let built = super::super::intersection(&kripke.to_automaton(), &automaton);
    assert_eq!((built.state_count(), built.edge_count()), (8, 16));

    // Example 7: its components.
    let mut components: Vec<BTreeSet<Pair>> = vec![];
    let _ = scc::components(&Plain(&product, all().collect()), |component| {
        components.push(component.iter().copied().collect());
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(components.len(), 11);
    let cyclic = |component: &BTreeSet<Pair>| {
        component.iter().any(|p| product.successors(*p).any(|(_, t)| component.contains(&t)))
    };
    components.retain(cyclic);
    components.sort();
    let wanted: [&[(usize, usize)]; 3] =
        [&[(0, 1), (0, 2), (1, 2), (3, 2)], &[(2, 2)], &[(4, 1), (4, 2)]];
    let wanted =
        wanted.map(|nodes| nodes.iter().map(|(s, q)| pair(*s, *q)).collect::<BTreeSet<_>>());
    assert_eq!(components, wanted);

    // Local and global check.
    assert!(product.accepts_some());
    assert_eq!(global_check(&kripke, &automaton), [true, true, false, true, true]);
    let (execution, run) = product.shortest_accepted_execution().unwrap();
    assert!(semantics::holds(&formula, &execution.word(&kripke)));
    assert_eq!(run.len(), 4);
}

/// Variant G0: a search from each state of the structure.
fn one_by_one(kripke: &Kripke, automaton: &Automaton) -> Vec<bool> {
    let check = |state| with_kripke(&kripke.clone().starting_in(state), automaton).accepts_some();
    kripke.states().map(check).collect()
}

/// Variant G1 of appendix A of the report: components of the reversed graph, then backwards from
/// the accepting ones. For generalized Büchi conditions.
fn backwards(kripke: &Kripke, automaton: &Automaton) -> Vec<bool> {
    struct Reversed(BTreeMap<Pair, Vec<Pair>>);
    impl scc::Graph for Reversed {
        type Node = Pair;
        type Edge = ();
        type Numbering = Sparse<Pair>;
        fn numbering(&self) -> Sparse<Pair> {
            Sparse::default()
        }
        fn initial(&self) -> impl Iterator<Item = Pair> + '_ {
            self.0.keys().copied()
        }
        fn successors(&self, node: Pair) -> impl Iterator<Item = ((), Pair)> + '_ {
            self.0[&node].iter().map(|target| ((), *target))
        }
    }
    let product = with_kripke(kripke, automaton);
    let roots = |s| automaton.initial().iter().map(move |q| Pair::new(s, *q));
    let (nodes, _) = reach(&product, kripke.states().flat_map(roots));
    let mut reversed = Reversed(nodes.iter().map(|node| (*node, vec![])).collect());
    for node in &nodes {
        for (_, target) in product.successors(*node) {
            reversed.0.get_mut(&target).unwrap().push(*node);
        }
    }
    let mut good: BTreeSet<Pair> = BTreeSet::new();
    let _ = scc::components(&reversed, |component| {
        let inside = |node: &Pair| component.contains(node);
        let edges = component.iter().flat_map(|node| product.successors(*node));
        let inner: Vec<EdgeId> = edges.filter(|(_, t)| inside(t)).map(|(edge, _)| edge).collect();
        let mut marks = Marks::EMPTY;
        inner.iter().for_each(|edge| marks |= &product.marks(*edge));
        let accepting = !inner.is_empty() && automaton.acceptance().accepts(&marks);
        if accepting && !component.iter().any(|node| good.contains(node)) {
            let mut todo = vec![component[0]];
            while let Some(node) = todo.pop() {
                if good.insert(node) {
                    todo.extend(&reversed.0[&node]);
                }
            }
        }
        ControlFlow::<()>::Continue(())
    });
    kripke.states().map(|s| roots(s).any(|root| good.contains(&root))).collect()
}

/// Structures over `a` and `b` of up to 6 states.
fn kripke() -> impl Strategy<Value = Kripke> {
    (1usize..=6)
        .prop_flat_map(|states| {
            let labels = prop::collection::vec(0u64..4, states);
            let chain = prop::collection::vec(0..states, states);
            let edges = prop::collection::vec((0..states, 0..states), 0..=2 * states);
            (labels, chain, edges, 0..states)
        })
        .prop_map(|(labels, chain, edges, initial)| {
            let edges = edges.into_iter().chain(chain.into_iter().enumerate());
            Kripke::new(Alphabet::new(["a", "b"]).unwrap(), labels, edges, initial).unwrap()
        })
}

/// True if an execution has this word, by pairs that can continue forever.
fn has_execution(kripke: &Kripke, word: &Word) -> bool {
    let fits = |state: StateId, position: usize| {
        let props = kripke.alphabet().props().iter().enumerate();
        props
            .into_iter()
            .all(|(i, p)| word.value(position, p) == (kripke.label(state) >> i & 1 == 1))
    };
    let mut alive: BTreeSet<(StateId, usize)> = kripke
        .states()
        .flat_map(|s| (0..word.len()).map(move |i| (s, i)))
        .filter(|(s, i)| fits(*s, *i))
        .collect();
    loop {
        let next = |(s, i): &(StateId, usize)| {
            kripke.successors(*s).iter().any(|t| alive.contains(&(*t, word.successor(*i))))
        };
        let still: BTreeSet<(StateId, usize)> = alive.iter().copied().filter(next).collect();
        if still == alive {
            return alive.contains(&(kripke.initial(), 0));
        }
        alive = still;
    }
}

proptest! {
    #[test]
    fn the_words_of_the_automaton_are_those_of_executions(
        kripke in kripke(),
        words in prop::collection::vec(sempre_ltl::arbitrary::word_over(["a", "b"], 3), 6),
    ) {
        let automaton = kripke.to_automaton();
        for word in &words {
            prop_assert_eq!(accepts(&automaton, word), has_execution(&kripke, word));
        }
        let word = emptiness::accepting_run(&automaton).unwrap().word(&automaton);
        prop_assert!(accepts(&automaton, &word) && has_execution(&kripke, &word));
    }

    #[test]
    fn global_and_local_checks_agree(
        kripke in kripke(),
        automaton in automaton_of(Size { props: 2, ..Size::default() }),
    ) {
        let global = global_check(&kripke, &automaton);
        prop_assert_eq!(&global, &one_by_one(&kripke, &automaton));
        for state in kripke.states() {
            let moved = kripke.clone().starting_in(state);
            prop_assert_eq!(&global_check(&moved, &automaton), &global);
        }
        let product = super::super::intersection(&kripke.to_automaton(), &automaton);
        let product_empty = emptiness::is_empty(&product);
        prop_assert_eq!(global[kripke.initial().index()], !product_empty);
        if let Some((execution, run)) = with_kripke(&kripke, &automaton).accepted_execution() {
            prop_assert!(accepts(&automaton, &execution.word(&kripke)));
            prop_assert_eq!(execution.states().count(), run.len());
        }
    }

    #[test]
    fn the_check_backwards_agrees_for_generalized_buchi(
        kripke in kripke(),
        automaton in automaton_of(Size { states: 4, props: 2, marks: 2, degree: 3 }),
    ) {
        let mut builder = automaton.edit();
        let marks = automaton.acceptance().marks();
        builder.acceptance(Named::GeneralizedBuchi(marks).acceptance());
        let automaton = builder.build();
        prop_assert_eq!(global_check(&kripke, &automaton), backwards(&kripke, &automaton));
    }
}
