//! Exact sizes of whole graphs, and the traps of the documents.

use std::sync::Arc;

use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId};
use sempre_check::{Control, Deadlock, Engine, Question, Verdict};
use sempre_diagrams::Manager;
use sempre_explicit::SearchGraph;
use sempre_ltl::Formula;
use sempre_models::kripke::{Kripke, KripkeBuilder};
use sempre_models::proposition::Propositions;
use sempre_models::{Model, System, languages};
use sempre_symbolic::{Encoding, Order};
use sempre_testing::{AutomatonKind, Kind, Negation, Testing};
use sempre_translate::{Effort, Translator};

use crate::check::with_a_mark;
use crate::graph::{Definition, Lazy, Property};
use crate::slap::Slap;
use crate::sop::{Sop, guarded, read_from};
use crate::{HybridEngine, Method, Observation, Options};

/// A structure from its labels, of one letter for each proposition, and its edges. The first state is
/// initial.
fn kripke(propositions: &str, labels: &[&str], edges: &[(usize, usize)]) -> Kripke {
    let mut builder = KripkeBuilder::default();
    for name in propositions.chars() {
        builder.proposition(name);
    }
    let states: Vec<_> =
        (0..labels.len()).map(|number| builder.state(format!("s{number}"))).collect();
    for (state, label) in states.iter().zip(labels) {
        for (number, name) in propositions.chars().enumerate() {
            if label.contains(name) {
                builder.label(*state, number);
            }
        }
    }
    edges.iter().for_each(|(from, to)| builder.edge(states[*from], states[*to]));
    builder.initial(states[0]);
    builder.build().unwrap()
}

/// The thesis's running example, with a cycle through s1, s2 and s3.
fn running_example() -> Kripke {
    let labels = ["ac", "a", "a", "ac", "ab", "", "bc", "a"];
    let edges = [(0, 1), (0, 4), (1, 2), (2, 3), (3, 1), (4, 5), (5, 6), (6, 7), (7, 4)];
    kripke("abc", &labels, &edges)
}

/// The automaton of `a U b` with two states.
fn until() -> Automaton {
    let alphabet = Arc::new(Alphabet::new(["a", "b"]).unwrap());
    let (a, b) = (alphabet.prop(0), alphabet.prop(1));
    let mut builder = Automaton::builder(alphabet.clone());
    let (first, last) = (builder.add_state(), builder.add_state());
    builder.acceptance(Named::Buchi.acceptance()).initial(first);
    builder.edge(first, alphabet.minus(a, b), Marks::EMPTY, first);
    builder.edge(first, b, Marks::EMPTY, last);
    builder.edge(last, alphabet.tt(), Marks::all(1), last);
    builder.build()
}

/// The nodes and edges of a whole graph.
fn size<'s>(definition: &mut dyn Definition<'s>, property: &Property<'_>) -> (usize, usize) {
    let mut graph = Lazy::new(definition, property, false, &|_| ());
    let mut nodes = Vec::new();
    graph.initial(&mut nodes).unwrap();
    let (mut next, mut count) = (0, 0);
    while next < nodes.len() {
        let mut edges = Vec::new();
        count += graph.successors(nodes[next], |_| true, &mut edges).unwrap();
        for edge in edges {
            if !nodes.contains(&edge.target) {
                nodes.push(edge.target);
            }
        }
        next += 1;
    }
    (nodes.len(), count)
}

/// The product of a structure with a negation by SOP or SLAP, whole, by the definition.
fn product_size(kripke: Kripke, negation: &Negation, method: Method) -> (usize, usize) {
    with_observation(kripke, negation, |observation, property| {
        let changes = negation.changes();
        match method {
            Method::Sop => size(&mut Sop::new(observation, property, changes), property),
            _ => size(&mut Slap::new(observation, property, changes), property),
        }
    })
}

fn with_observation<R>(
    kripke: Kripke,
    negation: &Negation,
    work: impl FnOnce(&Observation<'_, '_>, &Property<'_>) -> R,
) -> R {
    let system: Arc<dyn System> = Arc::new(kripke);
    let manager = Manager::new(sempre_diagrams::Options::default());
    let encoding = Encoding::new(&manager, &system, &Order::Best).unwrap();
    let names = negation.automaton().alphabet().props().iter().map(sempre_ltl::Prop::name);
    let propositions = Propositions::compile(system.names(), names).unwrap();
    let observation = Observation::new(&encoding, propositions, Deadlock::Stutter);
    let property = Property::new(negation.automaton(), Deadlock::Stutter, false).unwrap();
    work(&observation, &property)
}

#[test]
fn the_running_example_has_its_sizes() {
    let tgba = Negation::Valuations(until());
    assert_eq!(product_size(running_example(), &tgba, Method::Sop), (5, 6));
    assert_eq!(product_size(running_example(), &tgba, Method::Slap), (2, 2));
    let formula: Formula = "a U b".parse().unwrap();
    let tgta = Testing::new(&formula, Kind::Tgta, &mut Translator::new()).unwrap();
    assert_eq!((tgta.graph().state_count(), tgta.transition_count()), (2, 7));
    let tgta = with_a_mark(&Negation::from(tgta)).unwrap();
    assert_eq!(product_size(running_example(), &tgta, Method::Sop), (4, 5));
    assert_eq!(product_size(running_example(), &tgta, Method::Slap), (2, 2));
    // The product with single states, by definition.
    let structure = running_example();
    let graph = tgta.changes().unwrap();
    let (automaton, alphabet) = (graph.automaton(), graph.alphabet());
    let letter = |state: usize| {
        let state = structure.states().nth(state).unwrap();
        u64::from(structure.holds(state, 0)) | u64::from(structure.holds(state, 1)) << 1
    };
    let initial = automaton.initial().iter();
    let initial = initial.filter(|q| alphabet.satisfied(graph.first(**q), letter(0)));
    let mut nodes: Vec<(usize, StateId)> = initial.map(|q| (0, *q)).collect();
    let (mut next, mut edges) = (0, 0);
    while next < nodes.len() {
        let (state, q) = nodes[next];
        next += 1;
        for successor in structure.edges_from(structure.states().nth(state).unwrap()) {
            let successor = structure.states().position(|other| other == successor).unwrap();
            for edge in automaton.edges_from(q) {
                if alphabet.satisfied(edge.label, letter(state) ^ letter(successor)) {
                    edges += 1;
                    if !nodes.contains(&(successor, edge.target)) {
                        nodes.push((successor, edge.target));
                    }
                }
            }
        }
    }
    assert_eq!((nodes.len(), edges), (8, 9));
}

/// Accepting loops on an acyclic tail of k steps shrink an aggregate k times, unless it is asked once
/// whether it has a cycle.
#[test]
fn a_chain_is_not_followed_step_by_step() {
    let chain = || {
        let labels = vec!["a"; 12];
        let edges: Vec<_> = (0..11).map(|n| (n, n + 1)).chain([(11, 11)]).collect();
        kripke("a", &labels, &edges)
    };
    let negation = Negation::of(&"F !a".parse().unwrap(), AutomatonKind::Tgba).unwrap();
    let negation = with_a_mark(&negation).unwrap();
    let (nodes, _) = product_size(chain(), &negation, Method::Slap);
    assert!(nodes >= 12, "{nodes} nodes by the definition");
    let nodes = with_observation(chain(), &negation, |observation, property| {
        let property = Property::new(property.automaton, Deadlock::Stutter, true).unwrap();
        size(&mut Slap::new(observation, &property, None), &property).0
    });
    assert_eq!(nodes, 1);
}

fn verdict(system: Arc<dyn System>, formula: &str, options: Options) -> Verdict {
    let formula = formula.parse().unwrap();
    let question = Question::new(system, &formula, Deadlock::Stutter).unwrap();
    HybridEngine::new(options).check(&question, &Control::default()).unwrap().verdict
}

/// All runs satisfy `G a`, whose automaton has no marks; loops without marks would be left out.
#[test]
fn an_automaton_without_marks_gets_one() {
    for shortcuts in [true, false] {
        for kind in [AutomatonKind::Tgba, AutomatonKind::Tgta] {
            let system = Arc::new(kripke("a", &["a", "a"], &[(0, 1), (1, 0)]));
            let method = Method::Slap;
            let options = Options { method, automaton: kind, shortcuts, ..Options::default() };
            assert_eq!(verdict(system, "F !a", options), Verdict::Violated);
        }
    }
    let negation = Negation::of(&"F !a".parse().unwrap(), AutomatonKind::Tgba).unwrap();
    assert_eq!(negation.automaton().acceptance().marks(), 0, "otherwise nothing is tested");
}

/// Formulas with X whose automata have states that are not stutter-invariant: with fewer propositions
/// there, SOP is wrong in both directions.
#[test]
fn propositions_are_kept_where_states_are_sensitive() {
    let wrongly_violated = "(a & !b & X(!b & X b)) | (a & !b & ((a & !b) U ((!a & !b) U b)))";
    let wrongly_holds = "b & (b U (b & X(!b & X(!b & X b)))) | (b U (!b & a & ((a&!b) U b))) & b \
        | b & (b U (!b & !a & ((!a&!b) U b))) \
        | b & (b U ((a & !b & X(a & !b)) & ((a&!b) U ((!a&!b) & ((!a & !b) U b))))) \
        | b & (b U (a & !b & X(!a & !b & X(!a & !b & ((!a&!b) U b))))) \
        | b & (b U ((!a & !b & X(!a & !b)) & ((!a&!b) U ((a&!b) & ((a & !b) U b))))) \
        | b & (b U (!a & !b & X(a & !b & X(a & !b & ((a&!b) U b)))))";
    let first = || kripke("ab", &["a", "", "a", "b"], &[(0, 1), (1, 2), (2, 3), (3, 3)]);
    let second = || kripke("ab", &["b", "a", "", "b"], &[(0, 1), (1, 2), (2, 3), (3, 3)]);
    for (text, structure, is_empty) in
        [(wrongly_violated, &first as &dyn Fn() -> Kripke, true), (wrongly_holds, &second, false)]
    {
        let negation: Formula = text.parse().unwrap();
        let automaton = Translator::new().effort(Effort::Low).translate(&negation);
        assert_ne!(guarded(&automaton, 3), read_from(&automaton), "{text}");
        let formula = Formula::not(negation);
        for (method, automaton) in [
            (Method::Sog, AutomatonKind::Tgba),
            (Method::Sop, AutomatonKind::Tgba),
            (Method::Sop, AutomatonKind::Tgta),
            (Method::Slap, AutomatonKind::Tgba),
        ] {
            let options = Options { method, automaton, ..Options::default() };
            let found = verdict(Arc::new(structure()), &formula.to_string(), options);
            let expected = if is_empty { Verdict::Holds } else { Verdict::Violated };
            assert_eq!(found, expected, "{method:?} {automaton:?} {text}");
        }
        // The automaton of low effort, which is where the trap is.
        let negation = with_a_mark(&Negation::Valuations(automaton)).unwrap();
        let found = with_observation(structure(), &negation, |observation, property| {
            let mut product = Sop::new(observation, property, None);
            let mut graph = Lazy::new(&mut product, property, false, &|_| ());
            let facts = sempre_explicit::emptiness::Property::new(property.automaton);
            let check = sempre_explicit::emptiness::Check::best_for(&facts, false);
            check.run(&mut graph, &facts, &mut Default::default()).unwrap().is_some()
        });
        assert_eq!(found, !is_empty, "{text}");
    }
}

/// A changeset that the edge does not read must not slip in where fewer propositions are observed: the
/// printed Definition 47 accepts here.
#[test]
fn changes_are_filtered_by_what_the_source_observes() {
    let structure = kripke("ab", &["a", ""], &[(0, 1), (1, 1)]);
    let options =
        Options { method: Method::Sop, automaton: AutomatonKind::Tgta, ..Options::default() };
    assert_eq!(verdict(Arc::new(structure), "!(a U b)", options), Verdict::Holds);
}

/// Two dead ends without outgoing transitions differ by their labels only.
#[test]
fn the_label_is_part_of_the_identity() {
    let net = languages::named("net").unwrap();
    let model: Model = net.read("pl p (1)  tr t p -> q  tr u p -> r").unwrap();
    let system = model.system();
    let manager = Manager::new(sempre_diagrams::Options::default());
    let encoding = Encoding::new(&manager, &system, &Order::Best).unwrap();
    let propositions = Propositions::compile(system.names(), ["q", "r"]).unwrap();
    let observation = Observation::new(&encoding, propositions, Deadlock::Stutter);
    let mut sog = crate::Sog::new(&observation, crate::By::Transition, false).unwrap();
    sog.complete(&observation).unwrap();
    assert_eq!((sog.aggregates().len(), sog.edge_count()), (3, 2));
}

/// A state observes what a later one reads, though it reads nothing itself.
#[test]
fn propositions_of_later_states_are_observed() {
    let alphabet = Arc::new(Alphabet::new(["a", "b"]).unwrap());
    let mut builder = Automaton::builder(alphabet.clone());
    let states: Vec<StateId> = (0..4).map(|_| builder.add_state()).collect();
    builder.acceptance(Named::Buchi.acceptance()).initial(states[0]);
    let labels = [alphabet.tt(), alphabet.prop(0), alphabet.prop(1), alphabet.tt()];
    for (place, label) in labels.into_iter().enumerate() {
        let target = states[(place + 1).min(3)];
        builder.edge(states[place], label, Marks::all(u32::from(place == 3)), target);
    }
    let automaton = builder.build();
    assert_eq!(read_from(&automaton), [3, 3, 2, 0]);
}

/// Two aggregates have the same label, and enable the next transition in the same states, but a run
/// may stay in one of them only.
#[test]
fn aggregates_that_differ_in_circuits_or_deadlocks_are_two() {
    // From `s` through `b` back to `s` directly, or by `r`, where `l` may fire for ever.
    let circuit = "pl s (1)\ntr t s -> b\ntr u b -> r\ntr l r -> r\ntr m r -> s\n";
    // The same with a place where the run ends.
    let deadlock = "pl s (1)\ntr t s -> b\ntr u b -> r\ntr l r -> d\ntr m r -> s\n";
    for text in [circuit, deadlock] {
        for automaton in [AutomatonKind::Tgba, AutomatonKind::Tgta] {
            let system = languages::named("net").unwrap().read(text).unwrap().system();
            let (method, by) = (Method::Sog, crate::By::Transition);
            let options = Options { method, by, automaton, ..Options::default() };
            assert_eq!(verdict(system, "G F b > 0", options), Verdict::Violated, "{text}");
        }
    }
}

/// All words are accepted from the first state, so their repetitions do not matter there; but it leads
/// to one where they do.
#[test]
fn propositions_are_kept_before_sensitive_states() {
    let alphabet = Arc::new(Alphabet::new(["a", "b"]).unwrap());
    let mut builder = Automaton::builder(alphabet.clone());
    let states: Vec<StateId> = (0..4).map(|_| builder.add_state()).collect();
    builder.acceptance(Named::Buchi.acceptance()).initial(states[0]);
    let a = alphabet.prop(0);
    for (source, label, target) in
        [(0, alphabet.tt(), 1), (0, alphabet.tt(), 3), (1, a, 2), (2, alphabet.not(a), 3)]
    {
        builder.edge(states[source], label, Marks::EMPTY, states[target]);
    }
    builder.edge(states[3], alphabet.tt(), Marks::all(1), states[3]);
    let automaton = builder.build();
    assert_eq!(read_from(&automaton), [1, 1, 1, 0]);
    assert_eq!(guarded(&automaton, 3), [3, 3, 1, 0]);
}

/// The short way to the deadlock never sees `b`: no step to the next state of the automaton pauses
/// there, since it reads a change.
#[test]
fn pauses_read_no_change() {
    let labels = ["", "", "", "b", ""];
    let edges = [(0, 4), (0, 1), (1, 2), (2, 3), (3, 4)];
    for method in [Method::Slap, Method::Sop, Method::Sog] {
        let options = Options { method, automaton: AutomatonKind::Tgta, ..Options::default() };
        let system = Arc::new(kripke("bc", &labels, &edges));
        assert_eq!(verdict(system, "G !b | G F c", options), Verdict::Violated, "{method:?}");
    }
}
