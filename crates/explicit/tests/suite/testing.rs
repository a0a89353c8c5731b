//! Tests searches of products with testing automata: the example of the thesis, and comparison with
//! the generic check for any acceptance condition.

use proptest::prelude::*;
use sempre_automata::hoa;
use sempre_check::{CheckError, Control, Deadlock, Outcome, Question, Verdict};
use sempre_explicit::emptiness::testing::{self, Livelocks, Passes, SecondPass, TWO_PASSES};
use sempre_explicit::emptiness::{Check, Property};
use sempre_explicit::explore::Limits;
use sempre_explicit::store::Arena;
use sempre_explicit::{Effort, MAX_MARKS, Options, Product, StateSpace, check, verify};
use sempre_ltl::{Formula, Op, Prop, arbitrary};
use sempre_models::kripke::{Kripke, KripkeBuilder};
use sempre_models::proposition::Propositions;
use sempre_models::{Model, System, generate};
use sempre_testing::{
    AutomatonKind, Handover, Negation, SinglePassTa, TaOptions, TestingAutomaton, Tgta, TgtaOptions,
};
use sempre_translate::{Kind, Translator, tableau};
use std::sync::Arc;

/// Makes a structure from the labels of states and the edges; runs begin in state 0.
pub(super) fn structure(labels: &[u64], edges: &[(usize, usize)]) -> Kripke {
    let mut builder = KripkeBuilder::default();
    let props = ["p", "q"].map(|name| builder.proposition(name));
    let states: Vec<_> = (0..labels.len()).map(|n| builder.state(format!("s{n}"))).collect();
    for (state, label) in states.iter().zip(labels) {
        for (bit, prop) in props.iter().enumerate() {
            if label >> bit & 1 == 1 {
                builder.label(*state, *prop);
            }
        }
    }
    edges.iter().for_each(|&(source, target)| builder.edge(states[source], states[target]));
    builder.initial(states[0]);
    builder.build().unwrap()
}

pub(super) fn ask(system: Arc<dyn System>, formula: &Formula) -> Question {
    Question::new(system, formula, Deadlock::Stutter).unwrap()
}

/// Checks with this kind of automaton.
fn by(
    system: Arc<dyn System>,
    formula: &Formula,
    automaton: AutomatonKind,
    shortest: bool,
) -> Result<Outcome, CheckError> {
    let question = ask(system, formula);
    let mut space = StateSpace::<Arena>::new(&**question.system());
    let options = Options { automaton, shortest, ..Options::default() };
    verify(&mut space, &question, &options, &Control::default())
}

/// Returns whether there is an accepting run, and the effort.
fn search(structure: &Kripke, ta: &TestingAutomaton, passes: Passes) -> (bool, Effort) {
    let livelocks = Livelocks::new(ta);
    let names = ta.graph().alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(structure, names).unwrap();
    let mut space = StateSpace::<Arena>::new(structure);
    let (limits, progress) = (Limits::default(), |_: &_| ());
    let graph = livelocks.graph();
    let deadlock = Deadlock::Stutter;
    let mut product =
        Product::of_changes(&mut space, graph, &propositions, deadlock, &limits, &progress);
    let mut effort = Effort::default();
    let found = testing::search(&mut product, livelocks.locations(), passes, &mut effort).unwrap();
    (found.is_some(), effort)
}

/// As above, by the check for any acceptance condition.
fn generic(structure: &Kripke, ta: &TestingAutomaton) -> bool {
    let names = ta.graph().alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(structure, names).unwrap();
    let mut space = StateSpace::<Arena>::new(structure);
    let (limits, progress) = (Limits::default(), |_: &_| ());
    let deadlock = Deadlock::Stutter;
    let mut product =
        Product::of_changes(&mut space, ta.graph(), &propositions, deadlock, &limits, &progress);
    let property = Property::new(ta.graph().automaton());
    Check::Generic.run(&mut product, &property, &mut Effort::default()).unwrap().is_some()
}

const PLAIN: Passes = Passes { heuristic: false, sure_cycles: false, second: SecondPass::Never };

/// A cycle without change in an SCC with changes: one pass finds it or not, depending on the order
/// of edges.
#[test]
fn one_pass_may_miss_a_livelock() {
    let automaton = hoa::parse(
        r#"HOA: v1 States: 2 Start: 0 AP: 1 "p" Acceptance: 1 Inf(0)
        --BODY-- State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1 --END--"#,
    );
    let automaton = automaton.unwrap().nondeterministic().unwrap();
    let ta = TestingAutomaton::new(&automaton, &TaOptions::THESIS).unwrap();
    let common = [(0, 1), (1, 2), (2, 3)];
    let orders = [[(3, 0), (3, 2)], [(3, 2), (3, 0)]];
    let structures = orders.map(|order| structure(&[0, 0, 1, 1], &[&common[..], &order].concat()));
    let found = |passes| [0, 1].map(|order| search(&structures[order], &ta, passes).0);
    let mut alone = found(PLAIN);
    alone.sort_unstable();
    assert_eq!(alone, [false, true]);
    assert_eq!(found(Passes { heuristic: true, ..PLAIN }), [true, true]);
    assert_eq!(found(Passes { second: SecondPass::Always, ..PLAIN }), [true, true]);
    assert_eq!(found(Passes { second: SecondPass::Undecided, ..PLAIN }), [true, true]);
    let sta = SinglePassTa::new(&ta, Handover::NotBuchi);
    let single = [0, 1].map(|order| search(&structures[order], sta.as_ta(), Passes::ONE).0);
    assert_eq!(single, [true, true]);
}

/// Returns all structures of one cycle with this many states.
fn cycles(length: usize) -> impl Iterator<Item = Kripke> {
    (0..1u32 << (2 * length)).map(move |code| {
        let labels: Vec<u64> = (0..length).map(|s| u64::from(code >> (2 * s) & 3)).collect();
        let edges: Vec<_> = (0..length).map(|s| (s, (s + 1) % length)).collect();
        structure(&labels, &edges)
    })
}

/// Cycles that return to a livelock-accepting node have changes on their way, so they are no
/// livelocks: neither one pass nor the heuristic may accept them.
#[test]
fn cycles_with_changes_are_no_livelocks() {
    for text in ["G F p | G F !p & G F q", "G F p", "G F p & G F q", "F G p | G F q", "p U G q"] {
        let formula: Formula = text.parse().unwrap();
        let ba = Translator::new().kind(Kind::Ba).translate(&Formula::not(formula));
        for options in [TaOptions::THESIS, TaOptions::default()] {
            let ta = TestingAutomaton::new(&ba, &options).unwrap();
            let mut accepted = 0;
            for structure in (1..=4).flat_map(cycles) {
                let expected = generic(&structure, &ta);
                accepted += u32::from(expected);
                for second in [SecondPass::Never, SecondPass::Always, SecondPass::Undecided] {
                    let passes = Passes { heuristic: true, sure_cycles: true, second };
                    let found = search(&structure, &ta, passes).0;
                    assert!(!found || expected, "{text}: {passes:?}");
                    assert!(second == SecondPass::Never || found == expected, "{text}: {passes:?}");
                }
            }
            assert!((1..340).contains(&accepted), "{text}: {accepted}");
        }
    }
}

/// A node that was left lies on the way back to the DFS stack only by changes: an edge to it without
/// change closes no livelock.
#[test]
fn nodes_that_were_left_close_no_livelock() {
    let formula: Formula = "GF !p".parse().unwrap();
    let ba = Translator::new().kind(Kind::Ba).translate(&Formula::not(formula));
    // From 1 to 2, and from there by changes through 0 back to 1; then from 1 through 3 to 2.
    let mut orders = vec![];
    for edges in [[(1, 2), (1, 3)], [(1, 3), (1, 2)]] {
        for back in [[(2, 0), (3, 2)], [(3, 2), (2, 0)]] {
            orders.push([&[(0, 1)][..], &edges, &back].concat());
        }
    }
    for options in [TaOptions::THESIS, TaOptions::default()] {
        let ta = TestingAutomaton::new(&ba, &options).unwrap();
        for edges in &orders {
            let structure = structure(&[0, 1, 1, 1], edges);
            assert!(!generic(&structure, &ta), "{edges:?}");
            for second in [SecondPass::Never, SecondPass::Always, SecondPass::Undecided] {
                let passes = Passes { heuristic: true, sure_cycles: true, second };
                assert!(!search(&structure, &ta, passes).0, "{edges:?} {passes:?}");
            }
        }
    }
}

/// A second pass costs as much as the first; among undecided nodes only, it costs less.
#[test]
fn second_passes_are_avoided() {
    let formula: Formula = "(p U q) | G p".parse().unwrap();
    let ba = Translator::new().kind(Kind::Ba).translate(&formula);
    let ta = TestingAutomaton::new(&ba, &TaOptions::THESIS).unwrap();
    let structure = structure(&[1, 1, 0, 0], &[(0, 1), (1, 2), (2, 3), (3, 3)]);
    let nodes = |passes| search(&structure, &ta, passes).1.nodes;
    assert_eq!(nodes(Passes::TWO), 2 * nodes(PLAIN));
    assert!(nodes(Passes::BEST) <= nodes(Passes::AVOIDING));
    assert!(nodes(Passes::AVOIDING) <= nodes(Passes::TWO));
}

pub(super) fn invariant_formula() -> impl Strategy<Value = Formula> {
    use Op::*;
    let operators = [Prop, Not, And, Or, Finally, Globally, Until, Release];
    // The structures have other propositions.
    arbitrary::formula_with(8, &operators).prop_map(|formula| {
        let text = formula.to_string();
        text.replace('a', "p").replace(['b', 'c'], "q").parse().unwrap()
    })
}

pub(super) fn random_structure() -> impl Strategy<Value = Kripke> {
    (1usize..8).prop_flat_map(|count| {
        let labels = prop::collection::vec(0u64..4, count);
        let edges = prop::collection::vec((0..count, 0..count), 0..2 * count + 2);
        (labels, edges).prop_map(|(labels, edges)| structure(&labels, &edges))
    })
}

/// Each variant of the two-pass check has its name in the provenance; the default stores least.
#[test]
fn two_passes_are_switched_one_by_one() {
    let formula: Formula = "!((p U q) | G p)".parse().unwrap();
    let structure = structure(&[1, 1, 0, 0], &[(0, 1), (1, 2), (2, 3), (3, 3)]);
    let question = ask(Arc::new(structure), &formula);
    let mut seen = vec![];
    for (name, passes) in TWO_PASSES {
        let mut space = StateSpace::<Arena>::new(&**question.system());
        let passes = Some(passes);
        let options = Options { automaton: AutomatonKind::Ta, passes, ..Options::default() };
        let outcome = verify(&mut space, &question, &options, &Control::default()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds, "{name}");
        assert_eq!(outcome.provenance.algorithms, [name]);
        seen.push(outcome.cost.stored.unwrap());
    }
    assert!(seen.iter().all(|nodes| *nodes >= *seen.last().unwrap()), "{seen:?}");
    for automaton in [AutomatonKind::Tgba, AutomatonKind::Sta, AutomatonKind::Tgta] {
        let mut space = StateSpace::<Arena>::new(&**question.system());
        let options = Options { automaton, passes: Some(Passes::TWO), ..Options::default() };
        let refused = verify(&mut space, &question, &options, &Control::default());
        assert!(refused.unwrap_err().to_string().contains("--automaton ta"), "{automaton:?}");
    }
}

proptest! {
    #[test]
    fn passes_agree_with_the_generic_check(
        formula in invariant_formula(),
        structures in prop::collection::vec(random_structure(), 8),
        thesis in any::<bool>(),
    ) {
        let ba = Translator::new().kind(Kind::Ba).translate(&formula);
        let options = if thesis { TaOptions::THESIS } else { TaOptions::default() };
        let ta = TestingAutomaton::new(&ba, &options).unwrap();
        for structure in &structures {
            let expected = generic(structure, &ta);
            for heuristic in [false, true] {
                for sure_cycles in [false, true] {
                    let passes = |second| Passes { heuristic, sure_cycles, second };
                    // One pass is sound.
                    let (found, _) = search(structure, &ta, passes(SecondPass::Never));
                    prop_assert!(!found || expected);
                    let (found, _) = search(structure, &ta, passes(SecondPass::Always));
                    prop_assert_eq!(found, expected);
                    let (found, _) = search(structure, &ta, passes(SecondPass::IfLivelocks));
                    prop_assert_eq!(found, expected);
                }
                let passes =
                    Passes { heuristic, sure_cycles: true, second: SecondPass::Undecided };
                prop_assert_eq!(search(structure, &ta, passes).0, expected);
            }
            for handover in [Handover::All, Handover::NotBuchi, Handover::OnCycles] {
                let sta = SinglePassTa::new(&ta, handover);
                prop_assert_eq!(search(structure, sta.as_ta(), Passes::ONE).0, expected);
            }
        }
    }

    /// All kinds give the same verdict, and equally short runs on request.
    #[test]
    fn kinds_agree_about_shortest_runs(
        formula in invariant_formula(),
        structure in random_structure(),
    ) {
        let lengths: Vec<Option<usize>> = AutomatonKind::ALL
            .into_iter()
            .map(|automaton| {
                // The check judges the counterexample.
                let found = by(Arc::new(structure.clone()), &formula, automaton, true).unwrap();
                found.counterexample().map(|run| run.prefix.len() + run.cycle.len())
            })
            .collect();
        for length in &lengths {
            prop_assert_eq!(length.is_some(), lengths[0].is_some());
        }
    }
}

#[test]
fn properties_that_are_not_invariant_are_rejected() {
    let structure = Arc::new(structure(&[1, 0], &[(0, 1), (1, 0)]));
    let formula: Formula = "G(p -> X !p)".parse().unwrap();
    for automaton in [AutomatonKind::Ta, AutomatonKind::Sta, AutomatonKind::Tgta] {
        let refused = by(structure.clone(), &formula, automaton, false).unwrap_err();
        assert!(refused.to_string().contains("not stutter-invariant"), "{refused}");
    }
    // Partly invariant properties are accepted by `partly-tgta`.
    let outcome = by(structure.clone(), &formula, AutomatonKind::PartlyTgta, false).unwrap();
    assert_eq!(outcome.verdict, Verdict::Holds);
    assert_eq!(outcome.provenance.algorithms, ["terminal BFS"]);
    // With X, but invariant: p changes infinitely often.
    let formula: Formula = "G F((p & X !p) | (!p & X p))".parse().unwrap();
    for automaton in AutomatonKind::ALL {
        let outcome = by(structure.clone(), &formula, automaton, false).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds);
    }
}

/// More marks than fit into a word: the automaton is degeneralized.
#[test]
fn tgta_may_have_many_marks() {
    let count = 33u32;
    let minterm = |letter: u32| {
        let literal = |bit: u32| match letter >> bit & 1 {
            1 => format!("p{bit}"),
            _ => format!("!p{bit}"),
        };
        (0..6).map(literal).collect::<Vec<_>>().join("&")
    };
    let mut builder = KripkeBuilder::default();
    let props: Vec<_> = (0..6).map(|bit| builder.proposition(format!("p{bit}"))).collect();
    let states: Vec<_> = (0..count).map(|letter| builder.state(format!("s{letter}"))).collect();
    builder.initial(states[0]);
    for (letter, state) in states.iter().enumerate() {
        builder.edge(*state, states[(letter + 1) % states.len()]);
        (0..6)
            .filter(|bit| letter >> bit & 1 == 1)
            .for_each(|bit| builder.label(*state, props[bit]));
    }
    let structure = builder.build().unwrap();
    for (letters, holds) in [(count, false), (count + 1, true)] {
        let all = (0..letters).map(|letter| format!("GF({})", minterm(letter)));
        let formula: Formula = all.collect::<Vec<_>>().join(" & ").parse().unwrap();
        let tgba = tableau::translate(&formula);
        let tgta = Tgta::new(&tgba, &TgtaOptions::THESIS).unwrap();
        assert!(tgta.graph().automaton().acceptance().marks() > MAX_MARKS);
        let negation = Negation::Changes(tgta.graph().clone());
        let question = ask(Arc::new(structure.clone()), &formula);
        let mut space = StateSpace::<Arena>::new(&structure);
        let (options, control) = (Options::default(), Control::default());
        let outcome = check(&mut space, &question, &negation, &options, &control).unwrap();
        assert_eq!(outcome.verdict == Verdict::Holds, holds);
    }
}

/// The formula that the thesis checks on the kinase cascade. The products with testing automata
/// have 33,376 states, as in the thesis.
#[test]
fn products_with_the_kinase_cascade_have_the_published_sizes() {
    let net = generate::family("mapk").unwrap().net(2).unwrap();
    let text = "!(!RafP U MEKP) & !(!MEKP U MEKPP) & !(!MEKPP U ERKP) & !(!ERKP U ERKPP)";
    let (system, formula): (_, Formula) = (Model::from(net).system(), text.parse().unwrap());
    let tgba = by(system.clone(), &formula, AutomatonKind::Tgba, false).unwrap();
    assert_eq!((tgba.cost.stored, tgba.cost.visited), (Some(46_493), Some(325_442)));
    let question = ask(system.clone(), &formula);
    for automaton in [AutomatonKind::Ta, AutomatonKind::Sta, AutomatonKind::Tgta] {
        let negation = Negation::of(&formula, automaton).unwrap();
        let mut space = StateSpace::<Arena>::new(&*system);
        let (options, control) = (Options::default(), Control::default());
        let outcome = check(&mut space, &question, &negation, &options, &control).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds);
        assert_eq!(outcome.cost.stored, Some(33_376), "{automaton:?}");
    }
}
