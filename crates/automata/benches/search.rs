//! Products, emptiness and membership on 10 to 10^6 edges.
//!
//! `cargo bench -p sempre-automata --bench search`; an item is one edge, or one letter for words.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use sempre_automata::emptiness;
use sempre_automata::product::{self, Product};
use sempre_automata::{Alphabet, Automaton, Kripke, Marks, Named, StateId, membership};
use sempre_ltl::Word;

fn main() {
    divan::main();
}

const EDGES: [usize; 6] = [10, 100, 1_000, 10_000, 100_000, 1_000_000];

/// Pseudo-random numbers of a linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

/// Returns a deterministic automaton over a, b, c with this number of edges, two per state: one
/// continues a ring, the other leads anywhere. Marks of the condition are rare, and mark 0 does not
/// occur.
fn automaton(edges: usize, name: Named) -> Automaton {
    let mut numbers = Numbers(edges as u64);
    let acceptance = name.acceptance();
    let marks = acceptance.marks() as usize;
    let mut builder = Automaton::builder(Alphabet::new(["a", "b", "c"]).expect("distinct"));
    builder.acceptance(acceptance);
    let states = edges / 2;
    builder.add_states(states);
    builder.initial(StateId::new(0));
    for state in 0..states {
        let label = builder.alphabet().prop(numbers.below(3));
        let other = builder.alphabet().not(label);
        let targets = [(state + 1) % states, numbers.below(states)];
        for (label, target) in [label, other].into_iter().zip(targets) {
            let mark = numbers.below(8 * marks.max(1));
            let mark = (1..marks).contains(&mark).then_some(mark as u32);
            builder.edge(StateId::new(state), label, Marks::from_iter(mark), StateId::new(target));
        }
    }
    builder.build()
}

/// `GF a & GF b`, nondeterministic, with two states.
fn property() -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new(["a", "b"]).expect("distinct"));
    builder.acceptance(Named::Buchi.acceptance());
    let first = builder.add_states(2);
    let second = StateId::new(1);
    builder.initial(first);
    let alphabet = builder.alphabet().clone();
    let (a, b) = (alphabet.prop(0), alphabet.prop(1));
    builder.edge(first, alphabet.tt(), Marks::EMPTY, first);
    builder.edge(first, a, Marks::EMPTY, second);
    builder.edge(second, alphabet.tt(), Marks::EMPTY, second);
    builder.edge(second, b, Marks::from_iter([0]), first);
    builder.build()
}

#[divan::bench(args = EDGES)]
fn build_product(bencher: Bencher, edges: usize) {
    // The product has about three edges for each edge of the automaton.
    let (left, right) = (automaton((edges / 3).max(4), Named::Buchi), property());
    let items = product::intersection(&left, &right).edge_count();
    bencher.counter(ItemsCount::new(items)).bench_local(|| product::intersection(&left, &right));
}

#[divan::bench(args = EDGES)]
fn empty_product_on_the_fly(bencher: Bencher, edges: usize) {
    let (left, right) = (automaton((edges / 3).max(4), Named::Buchi), property());
    let items = product::intersection(&left, &right).edge_count();
    bencher.counter(ItemsCount::new(items)).bench_local(|| {
        let product = Product::intersection(black_box(&left), &right);
        emptiness::has_accepting_lasso(&product, product.acceptance().condition())
    });
}

fn empty(bencher: Bencher, edges: usize, name: Named) {
    let automaton = automaton(edges, name);
    assert!(emptiness::is_empty(&automaton), "or the search ends early");
    let items = ItemsCount::new(automaton.edge_count());
    bencher.counter(items).bench_local(|| emptiness::is_empty(black_box(&automaton)));
}

#[divan::bench(args = EDGES)]
fn empty_generalized_buchi(bencher: Bencher, edges: usize) {
    empty(bencher, edges, Named::GeneralizedBuchi(3));
}

/// Every component is searched again, without the edges of the `Fin` mark.
#[divan::bench(args = EDGES)]
fn rabin(bencher: Bencher, edges: usize) {
    let mut builder = automaton(edges, Named::GeneralizedBuchi(3)).edit();
    use sempre_automata::{Acceptance, Condition};
    let condition = Condition::and([Condition::Fin(1), Condition::Inf(0)]);
    let other = Condition::and([Condition::Fin(2), Condition::Inf(0)]);
    builder.acceptance(Acceptance::new(3, Condition::or([condition, other])));
    let first = StateId::new(0);
    let label = builder.alphabet().tt();
    // Mark 0 occurs, but only together with the others.
    builder.edge(first, label, Marks::from_iter([0, 1, 2]), first);
    let automaton = builder.build();
    assert!(emptiness::is_empty(&automaton), "or the search ends early");
    let items = ItemsCount::new(automaton.edge_count());
    bencher.counter(items).bench_local(|| emptiness::is_empty(black_box(&automaton)));
}

/// The condition requires all marks but 0.
fn nonempty(edges: usize) -> Automaton {
    let mut builder = automaton(edges, Named::GeneralizedBuchi(3)).edit();
    builder.retain_edges(|_, edge| {
        edge.marks |= &Marks::from_iter([0]);
        true
    });
    builder.build()
}

#[divan::bench(args = EDGES)]
fn accepting_run(bencher: Bencher, edges: usize) {
    let automaton = nonempty(edges.max(1000));
    let items = ItemsCount::new(automaton.edge_count());
    bencher.counter(items).bench_local(|| emptiness::accepting_run(black_box(&automaton)));
}

#[divan::bench(args = [1_000, 10_000, 100_000, 1_000_000])]
fn shortest_accepting_run(bencher: Bencher, edges: usize) {
    let automaton = nonempty(edges);
    let items = ItemsCount::new(automaton.edge_count());
    bencher.counter(items).bench_local(|| emptiness::shortest_accepting_run(black_box(&automaton)));
}

/// The global check on a structure with four successors per state; an item is an edge of it.
#[divan::bench(args = EDGES)]
fn global_check(bencher: Bencher, edges: usize) {
    let mut numbers = Numbers(edges as u64);
    let states = (edges / 4).max(1);
    let labels = (0..states).map(|_| numbers.below(8) as u64).collect();
    let edges: Vec<(usize, usize)> =
        (0..4 * states).map(|edge| (edge / 4, numbers.below(states))).collect();
    let alphabet = Alphabet::new(["a", "b", "c"]).expect("distinct");
    let kripke = Kripke::new(alphabet, labels, edges, 0).expect("well-formed");
    let property = property();
    let items = ItemsCount::new(kripke.edge_count());
    bencher.counter(items).bench_local(|| product::global_check(black_box(&kripke), &property));
}

fn word(length: usize) -> Word {
    let mut numbers = Numbers(length as u64);
    Word::from_fn(["a", "b", "c"], length / 2, length / 2, |_, _| numbers.below(2) == 0)
        .expect("well-formed")
}

#[divan::bench(args = [100, 10_000, 1_000_000])]
fn membership_deterministic(bencher: Bencher, length: usize) {
    let (automaton, word) = (automaton(20, Named::GeneralizedBuchi(3)), word(length));
    let items = ItemsCount::new(length);
    bencher.counter(items).bench_local(|| membership::accepts(black_box(&automaton), &word));
}

#[divan::bench(args = [100, 10_000, 1_000_000])]
fn membership_nondeterministic(bencher: Bencher, length: usize) {
    let mut builder = property().edit();
    // A second mark that does not occur, so that the whole graph must be searched.
    builder.acceptance(Named::GeneralizedBuchi(2).acceptance());
    let (automaton, word) = (builder.build(), word(length));
    assert!(!membership::accepts(&automaton, &word), "or the search ends early");
    let items = ItemsCount::new(length);
    bencher.counter(items).bench_local(|| membership::accepts(black_box(&automaton), &word));
}
