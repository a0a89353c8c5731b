//! Refined automata are as engines need them.

use super::*;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_models::facts::FactKind;

/// Searches for generalized Büchi acceptance take what refinement returns, though smaller automata
/// with other conditions are found on the way.
#[test]
fn refined_automata_are_generalized_buchi() {
    let (formula, reason) = ("a -> b".parse().unwrap(), "a test".to_owned());
    let fact = Fact { kind: FactKind::Implied, formula, reason };
    let formulas = RandomFormulas::over(["a", "b"]).sizes(4..=10).seed(1);
    for formula in formulas.generate().unwrap().take(150) {
        let formula = formula.unwrap();
        let negation = Translator::new().translate(&Formula::not(formula.clone()));
        let refined = restricted(&negation, Kind::Tgba, std::slice::from_ref(&fact));
        assert!(GeneralizedBuchi::of(&refined).is_ok(), "{formula}");
    }
}
