//! Refined automata are as engines need them.

use super::*;
use sempre_automata::emptiness;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_models::facts::FactKind;

/// No word that satisfies the constraint violates the property: the automaton accepts nothing, and
/// still has an initial state.
#[test]
fn automata_of_nothing_have_a_state() {
    let formula: Formula = "G(a -> F a)".parse().unwrap();
    let weaker: Formula = "G F a".parse().unwrap();
    let fact = |text: &str| Fact {
        kind: FactKind::Values,
        formula: text.parse().unwrap(),
        reason: "a test".to_owned(),
    };
    for kind in [AutomatonKind::Tgba, AutomatonKind::Ba, AutomatonKind::Det] {
        for (property, constraint) in [(&formula, "a"), (&weaker, "a"), (&weaker, "a & b")] {
            let negation = Negation::of(property, kind).unwrap();
            let facts = [fact(constraint)];
            for way in [Refine::Automaton, Refine::Formula] {
                let refined = refined(negation.clone(), property, kind, &facts, way);
                let automaton = refined.automaton();
                assert_eq!(automaton.initial().len(), 1, "{kind:?} {way:?} {property}");
                assert!(emptiness::is_empty(automaton), "{kind:?} {way:?} {property}");
            }
        }
    }
}

/// Searches for generalized Büchi acceptance take what refinement returns, though smaller automata
/// with other conditions are found on the way.
#[test]
fn refined_automata_are_generalized_buchi() {
    let formulas = RandomFormulas::over(["a", "b"]).unwrap().sizes(4..=10).seed(1);
    for formula in formulas.generate().unwrap().take(150) {
        let formula = formula.unwrap();
        let facts = [Fact {
            kind: FactKind::Implied,
            formula: "a -> b".parse().unwrap(),
            reason: "a test".to_owned(),
        }];
        let negation = Negation::of(&formula, AutomatonKind::Tgba).unwrap();
        let refined = refined(negation, &formula, AutomatonKind::Tgba, &facts, Refine::Automaton);
        assert!(GeneralizedBuchi::of(refined.automaton()).is_ok(), "{formula}");
    }
}
