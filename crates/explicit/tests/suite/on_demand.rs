//! Checks with testing automata that are built during the product, compared with whole ones and with
//! Büchi automata.

use super::testing::{ask, invariant_formula, random_structure, structure};
use proptest::prelude::*;
use sempre_check::{Control, Deadlock, Question, Verdict};
use sempre_explicit::emptiness::testing::TWO_PASSES;
use sempre_explicit::explore::Limits;
use sempre_explicit::store::Arena;
use sempre_explicit::{Options, Product, SearchGraph, StateSpace, check, verify};
use sempre_ltl::{Formula, Prop};
use sempre_models::kripke::Kripke;
use sempre_models::proposition::Propositions;
use sempre_models::{Model, generate};
use sempre_testing::{AutomatonKind, Kind, Negation, Testing};
use sempre_translate::Translator;
use std::sync::Arc;

const KINDS: [AutomatonKind; 3] = [AutomatonKind::Ta, AutomatonKind::Sta, AutomatonKind::Tgta];

/// Checks with an automaton that is built during the product. The run is judged.
fn built(question: &Question, options: Options) -> Verdict {
    let mut space = StateSpace::<Arena>::new(&**question.system());
    verify(&mut space, question, &options, &Control::default()).unwrap().verdict
}

/// Checks with a whole automaton.
fn whole(question: &Question, automaton: AutomatonKind) -> Verdict {
    let formula = question.formula().unwrap();
    let negation = Negation::of(formula, automaton).unwrap();
    let mut space = StateSpace::<Arena>::new(&**question.system());
    let options = Options { automaton, ..Options::default() };
    check(&mut space, question, &negation, &options, &Control::default()).unwrap().verdict
}

fn agree(structure: &Kripke, formula: &Formula, deadlock: Deadlock) -> Result<(), TestCaseError> {
    let question = Question::new(Arc::new(structure.clone()), formula, deadlock).unwrap();
    let expected = whole(&question, AutomatonKind::Ba);
    for automaton in KINDS {
        let options = Options { automaton, ..Options::default() };
        prop_assert_eq!(built(&question, options), expected.clone(), "{:?}", automaton);
        prop_assert_eq!(whole(&question, automaton), expected.clone(), "whole {:?}", automaton);
    }
    for (name, passes) in TWO_PASSES {
        let options =
            Options { automaton: AutomatonKind::Ta, passes: Some(passes), ..Options::default() };
        prop_assert_eq!(built(&question, options), expected.clone(), "{}", name);
    }
    Ok(())
}

proptest! {
    #[test]
    fn verdicts_are_those_of_whole_automata(
        formula in invariant_formula(),
        structures in prop::collection::vec(random_structure(), 8),
    ) {
        for structure in &structures {
            for deadlock in [Deadlock::Stutter, Deadlock::Ignore] {
                agree(structure, &formula, deadlock)?;
            }
        }
    }
}

/// All formulas of a few shapes on all structures of one cycle.
#[test]
fn verdicts_on_small_cycles() {
    for text in ["F G p", "G F p", "p U G q", "G F p & G F q", "G(p -> F q)", "p U q | G q"] {
        let formula: Formula = text.parse().unwrap();
        for labels in 0..64u64 {
            let labels = [labels & 3, labels >> 2 & 3, labels >> 4];
            let structure = structure(&labels, &[(0, 1), (1, 1), (1, 2), (2, 0)]);
            agree(&structure, &formula, Deadlock::Stutter).unwrap();
        }
    }
}

/// Twenty propositions: the whole automaton is refused.
#[test]
fn many_propositions() {
    let net = generate::family("philosophers").unwrap().net(3).unwrap();
    let places: Vec<String> = net.places().map(|p| format!("\"{}\"", net.place_name(p))).collect();
    let system = Model::from(net).system();
    let all = |operator: &str| places[..20].join(operator);
    let formulas = [
        (format!("G({})", all(" | ")), Verdict::Holds),
        (format!("G F({})", all(" | ")), Verdict::Holds),
        (format!("G F eats_0 | F G({})", all(" & ")), Verdict::Violated),
        (format!("G F({})", all(" <-> ")), Verdict::Holds),
    ];
    let first: Formula = formulas[0].0.parse().unwrap();
    for automaton in KINDS {
        let refused = Negation::of(&first, automaton).unwrap_err();
        assert!(refused.to_string().contains("more than 65536 states"), "{refused}");
    }
    for (text, expected) in formulas {
        let formula: Formula = text.parse().unwrap();
        assert!(formula.props().len() >= 20);
        let question = ask(system.clone(), &formula);
        let reference = Options { automaton: AutomatonKind::Tgba, ..Options::default() };
        assert_eq!(built(&question, reference), expected, "{text}");
        for automaton in KINDS {
            let options = Options { automaton, ..Options::default() };
            assert_eq!(built(&question, options), expected, "{automaton:?} {text}");
        }
    }
}

/// Returns the nodes and edges of the whole product.
fn size(structure: &Kripke, negation: &Negation) -> [usize; 2] {
    let names = negation.automaton().alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(structure, names).unwrap();
    let mut space = StateSpace::<Arena>::new(structure);
    let (limits, progress) = (Limits::default(), |_: &_| ());
    let (deadlock, space) = (Deadlock::Stutter, &mut space);
    let mut product = match negation.changes() {
        Some(graph) => {
            Product::of_changes(space, graph, &propositions, deadlock, &limits, &progress)
        }
        None => {
            let automaton = negation.automaton();
            Product::new(space, automaton, &propositions, deadlock, &limits, &progress)
        }
    };
    let (mut nodes, mut edges) = (vec![], vec![]);
    product.initial(&mut nodes).unwrap();
    let (mut done, mut count) = (0, 0);
    while let Some(&node) = nodes.get(done) {
        done += 1;
        edges.clear();
        count += product.successors(node, |_| true, &mut edges).unwrap();
        let targets: Vec<u32> = edges.iter().map(|edge| edge.target).collect();
        targets.into_iter().for_each(|next| {
            if !nodes.contains(&next) {
                nodes.push(next);
            }
        });
    }
    [nodes.len(), count]
}

proptest! {
    /// For these shapes of formulas, a TGTA never makes the product larger; see the study of shapes
    /// in the lab.
    #[test]
    fn products_of_some_shapes_are_never_larger(structure in random_structure()) {
        for text in [
            "F p", "G p", "G F p", "p U q", "p R q", "F(p & F q)", "G(p | G q)", "G(p -> F q)",
            "F p & F q", "G p | G q", "G F p & G F q",
        ] {
            let formula: Formula = text.parse().unwrap();
            let tgba = Negation::from(Translator::new().translate(&formula));
            let tgta = Testing::new(&formula, Kind::Tgta, &mut Translator::new()).unwrap();
            let [before, after] = [tgba, tgta.into()].map(|negation| size(&structure, &negation));
            prop_assert!(after[0] <= before[0] && after[1] <= before[1], "{}: {:?}, {:?}", text, before, after);
        }
    }
}
