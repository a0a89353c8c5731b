//! Refined automata are as engines need them.

use super::*;
use sempre_automata::emptiness;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_models::facts::FactKind;

/// The automaton of the negation, refined by a constraint.
fn refined_by(constraint: &str, property: &Formula, kind: Kind) -> Automaton {
    let negation = Translator::new().kind(kind).translate(&Formula::not(property.clone()));
    let (kind_of_fact, reason) = (FactKind::Values, "a test".to_owned());
    let fact = Fact { kind: kind_of_fact, formula: constraint.parse().unwrap(), reason };
    restricted(&negation, kind, &[fact])
}

/// No word that satisfies the constraint violates the property: the automaton accepts nothing, and
/// still has an initial state.
#[test]
fn automata_of_nothing_have_a_state() {
    for kind in [Kind::Tgba, Kind::Ba, Kind::Det] {
        for (property, constraint) in [("X F a", "a"), ("G F a", "a"), ("G F a", "a & b")] {
            let automaton = refined_by(constraint, &property.parse().unwrap(), kind);
            assert_eq!(automaton.initial().len(), 1, "{kind:?} {property}");
            assert!(emptiness::is_empty(&automaton), "{kind:?} {property}");
        }
    }
}

/// Searches for generalized Büchi acceptance take what refinement returns, though smaller automata
/// with other conditions are found on the way.
#[test]
fn refined_automata_are_generalized_buchi() {
    let formulas = RandomFormulas::over(["a", "b"]).sizes(4..=10).seed(1);
    for formula in formulas.generate().unwrap().take(150) {
        let formula = formula.unwrap();
        let refined = refined_by("a -> b", &formula, Kind::Tgba);
        assert!(GeneralizedBuchi::of(&refined).is_ok(), "{formula}");
    }
}
