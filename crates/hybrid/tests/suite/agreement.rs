//! Verdicts on graphs of aggregates against those of the explicit engine.

use crate::nets::{net, structure};
use proptest::prelude::*;
use sempre_automata::strength::Way;
use sempre_check::{CheckError, Control, Deadlock, Engine, Failure, Question, Verdict};
use sempre_explicit::ExplicitEngine;
use sempre_explicit::emptiness::{Check, Roots};
use sempre_hybrid::{By, HybridEngine, Method, Options};
use sempre_ltl::arbitrary::formula;
use sempre_ltl::{Formula, rewrite};
use sempre_models::{Extent, Fault, Model, System};
use sempre_testing::AutomatonKind;
use std::sync::Arc;

/// Gives the propositions of a formula a meaning in every such net.
fn about_nets(formula: &Formula) -> Formula {
    rewrite::substitute(formula, |prop| match prop.name() {
        "a" => Formula::prop("p0 >= 1 || deadlock"),
        "b" => Formula::prop("p1 + p2 < p3"),
        _ => Formula::prop("fireable(t0)"),
    })
}

/// All graphs, each with an emptiness check and with or without what goes beyond the definitions.
fn variants() -> Vec<Options> {
    let (tgba, tgta) = (AutomatonKind::Tgba, AutomatonKind::Tgta);
    let couvreur = Check::Couvreur { roots: Roots::Plain, known_first: false };
    let mut all = Vec::new();
    for (method, by, automaton) in [
        (Method::Sog, By::Label, tgba),
        (Method::Sog, By::Label, tgta),
        (Method::Sog, By::Transition, tgba),
        (Method::Sog, By::Transition, tgta),
        (Method::Sop, By::Label, tgba),
        (Method::Sop, By::Label, tgta),
        (Method::Slap, By::Label, tgba),
        (Method::Slap, By::Label, tgta),
    ] {
        let plain = Options { method, by, automaton, ..Options::default() };
        all.push(plain.clone());
        all.push(Options { emptiness: Some(couvreur), ..plain.clone() });
        let literal = Options { shortcuts: false, inclusion: false, ..plain.clone() };
        all.push(Options { emptiness: Some(Check::Tarjan), ..literal.clone() });
        all.push(Options { emptiness: Some(Check::Generic), ..literal });
        if method == Method::Slap {
            let way = if automaton == tgba { Way::Syntactic } else { Way::Structural };
            all.push(Options { decompose: Some(way), ..plain.clone() });
            all.push(Options { decompose: Some(Way::Inherent), ..plain });
        }
    }
    all
}

fn compare(model: &Model, formula: &Formula, deadlock: Deadlock) {
    let compare = |system: &Arc<dyn System>| {
        let overflow = |error: CheckError| match error {
            CheckError::Fault(Failure { fault: fault @ Fault::Overflow(_), .. }) => fault,
            error => panic!("{formula}: {error}"),
        };
        let control = Control::default();
        let question = Question::new(system.clone(), formula, deadlock).unwrap();
        let mut explicit = ExplicitEngine::new(Default::default());
        let expected = explicit.check(&question, &control).map_err(overflow)?.verdict;
        let is_invariant = sempre_translate::require_invariance(formula).is_ok();
        for options in variants() {
            let needs = options.method != Method::Slap || options.automaton == AutomatonKind::Tgta;
            let mut engine = HybridEngine::new(options.clone());
            let found = engine.check(&question, &control);
            if needs && !is_invariant {
                assert!(matches!(found, Err(CheckError::Unsupported(_))), "{formula}: {found:?}");
                continue;
            }
            let found = found.map_err(overflow)?;
            assert_eq!(found.verdict, expected, "{formula} with {options:?}");
            let is_violated = found.verdict == Verdict::Violated;
            assert_eq!(found.counterexample().is_some(), is_violated);
        }
        Ok(())
    };
    model.run(Extent::Whole, compare).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn verdicts_agree_on_random_nets(net in net(), formula in formula(8), policy in 0..3_usize) {
        compare(&Model::from(net), &about_nets(&formula), Deadlock::ALL[policy]);
    }

    #[test]
    fn verdicts_agree_on_random_structures(
        structure in structure(),
        formula in formula(8),
        policy in 0..3_usize,
    ) {
        let formula = rewrite::substitute(&formula, |prop| match prop.name() {
            "a" | "b" => Formula::prop(prop.name()),
            _ => Formula::prop("c"),
        });
        compare(&Model::from(structure), &formula, Deadlock::ALL[policy]);
    }
}
