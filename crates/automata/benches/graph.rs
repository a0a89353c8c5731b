//! Strongly connected components on 10 to 10^6 edges, and operations on labels.
//!
//! `cargo bench -p sempre-automata --bench graph`; an item is one edge, or one operation.

use divan::Bencher;
use divan::counter::ItemsCount;
use sempre_automata::graph::{Graph, Sparse};
use sempre_automata::scc::components;
use sempre_automata::{Acceptance, Alphabet, Automaton, Label, Marks, Named, Sccs, StateId};
use sempre_ltl::generate::Rng;
use std::ops::ControlFlow;

fn main() {
    divan::main();
}

const SIZES: [usize; 6] = [10, 100, 1_000, 10_000, 100_000, 1_000_000];

/// Two random edges for each state, with marks on a third of them.
fn random(edges: usize, acceptance: Acceptance) -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).expect("one name"));
    let marks = u64::from(acceptance.marks());
    builder.acceptance(acceptance);
    let (states, tt) = (edges / 2, builder.alphabet().tt());
    builder.add_states(states);
    builder.initial(StateId::new(0));
    let mut rng = Rng::new(1);
    for edge in 0..edges {
        let marked = rng.chance(1.0 / 3.0).then(|| rng.below(marks) as u32);
        let target = StateId::new(rng.index(states));
        builder.edge(StateId::new(edge / 2), tt, marked.into_iter().collect(), target);
    }
    builder.build()
}

/// One chain through all states.
fn chain(edges: usize) -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a"]).expect("one name"));
    let tt = builder.alphabet().tt();
    builder.add_states(edges + 1);
    builder.initial(StateId::new(0));
    for edge in 0..edges {
        builder.edge(StateId::new(edge), tt, Marks::EMPTY, StateId::new(edge + 1));
    }
    builder.build()
}

#[divan::bench(args = SIZES)]
fn components_of_random_graph(bencher: Bencher<'_, '_>, edges: usize) {
    let automaton = random(edges, Named::Buchi.acceptance());
    bencher.counter(ItemsCount::new(edges)).bench(|| Sccs::of(divan::black_box(&automaton)));
}

#[divan::bench(args = SIZES)]
fn components_of_chain(bencher: Bencher<'_, '_>, edges: usize) {
    let automaton = chain(edges);
    bencher.counter(ItemsCount::new(edges)).bench(|| Sccs::of(divan::black_box(&automaton)));
}

struct Unknown<'a>(&'a Automaton);

impl Graph for Unknown<'_> {
    type Node = StateId;
    type Edge = ();
    type Numbering = Sparse<StateId>;

    fn numbering(&self) -> Sparse<StateId> {
        Sparse::default()
    }

    fn initial(&self) -> impl Iterator<Item = StateId> + '_ {
        self.0.initial().iter().copied()
    }

    fn successors(&self, node: StateId) -> impl Iterator<Item = ((), StateId)> + '_ {
        self.0.edges_from(node).iter().map(|edge| ((), edge.target))
    }
}

#[divan::bench(args = SIZES)]
fn components_of_generated_graph(bencher: Bencher<'_, '_>, edges: usize) {
    let automaton = random(edges, Named::Buchi.acceptance());
    bencher.counter(ItemsCount::new(edges)).bench(|| {
        let mut count = 0;
        let _ = components(&Unknown(divan::black_box(&automaton)), |_| {
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        count
    });
}

#[divan::bench(args = SIZES)]
fn accepting_components_with_rabin_pairs(bencher: Bencher<'_, '_>, edges: usize) {
    let automaton = random(edges, Named::Rabin(3).acceptance());
    let sccs = Sccs::of(&automaton);
    bencher.counter(ItemsCount::new(edges)).bench(|| sccs.accepting(divan::black_box(&automaton)));
}

/// Truth tables up to 6 propositions, decision diagrams from 7 on.
const PROPS: [usize; 5] = [3, 6, 7, 10, 12];

/// The number of pairs of labels per iteration.
const PAIRS: usize = 256;

/// Returns disjunctions of three random cubes, typical labels of automata.
fn labels(props: usize) -> (Alphabet, Vec<(Label, Label)>) {
    let alphabet = Alphabet::new((0..props).map(|i| format!("p{i}"))).expect("distinct names");
    let mut rng = Rng::new(1);
    let mut label = || {
        (0..3).fold(alphabet.ff(), |sum, _| {
            let literals = (0..props).filter_map(|prop| match rng.below(3) {
                0 => None,
                value => Some((prop, value == 1)),
            });
            alphabet.or(sum, alphabet.from_cube(&literals.collect::<Vec<_>>()))
        })
    };
    let pairs = (0..PAIRS).map(|_| (label(), label())).collect();
    (alphabet, pairs)
}

fn operation<T>(
    bencher: Bencher<'_, '_>,
    props: usize,
    operation: impl Fn(&Alphabet, Label, Label) -> T + Sync,
) {
    let (alphabet, pairs) = labels(props);
    bencher.counter(ItemsCount::new(PAIRS)).bench(|| {
        for &(left, right) in divan::black_box(&pairs) {
            divan::black_box(operation(&alphabet, left, right));
        }
    });
}

#[divan::bench(args = PROPS)]
fn label_and(bencher: Bencher<'_, '_>, props: usize) {
    operation(bencher, props, Alphabet::and);
}

#[divan::bench(args = PROPS)]
fn label_or(bencher: Bencher<'_, '_>, props: usize) {
    operation(bencher, props, Alphabet::or);
}

#[divan::bench(args = PROPS)]
fn label_not(bencher: Bencher<'_, '_>, props: usize) {
    operation(bencher, props, |alphabet, label, _| alphabet.not(label));
}

#[divan::bench(args = PROPS)]
fn label_implies(bencher: Bencher<'_, '_>, props: usize) {
    operation(bencher, props, Alphabet::implies);
}

/// The first time, with an empty cache: the maximal cost of diagrams.
#[divan::bench(args = [7, 10, 12])]
fn label_and_afresh(bencher: Bencher<'_, '_>, props: usize) {
    bencher.counter(ItemsCount::new(PAIRS)).with_inputs(|| labels(props)).bench_values(
        |(alphabet, pairs)| {
            for &(left, right) in &pairs {
                divan::black_box(alphabet.and(left, right));
            }
            alphabet
        },
    );
}
