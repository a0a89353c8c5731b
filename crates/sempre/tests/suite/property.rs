//! Properties given as automata, compared with the formulas they were translated from, on random
//! structures and by all engines.

use crate::answers::structure;
use sempre::automata::Automaton;
use sempre::check::combine::Reduce;
use sempre::check::{
    AutomatonProperty, Behaviours, CheckError, Control, Property, Specification, Verdict,
};
use sempre::engines::{ENGINES, Settings};
use sempre::explicit::Options;
use sempre::explicit::emptiness::Check;
use sempre::ltl::Formula;
use sempre::ltl::generate::Rng;
use sempre::ltl::generate::random::RandomFormulas;
use sempre::prelude::Checker;
use sempre::testing::AutomatonKind;
use sempre::translate::{Kind, Translator};

/// The automaton of a formula in various forms.
fn automata(formula: &Formula) -> [Automaton; 3] {
    [Kind::Tgba, Kind::Ba, Kind::Det].map(|kind| Translator::new().kind(kind).translate(formula))
}

/// Checks a property; `None` if the engine refuses it.
fn verdict(checker: &mut Checker, property: &Property) -> Option<Verdict> {
    match checker.check_property(property, &Control::default()) {
        Ok(outcome) => {
            if let Some(run) = outcome.counterexample() {
                let word = run.word(&*outcome.system, property).unwrap();
                assert!(word.is_none_or(|word| property.is_violated_by(&word)));
            }
            Some(outcome.verdict)
        }
        Err(CheckError::Unsupported(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn automata_have_the_verdicts_of_their_formulas() {
    let mut rng = Rng::new(5);
    let formulas = RandomFormulas::over(["a", "b", "c"]).sizes(4..=9).seed(3).generate().unwrap();
    let (mut answers, mut violated) = (0, 0);
    for (number, formula) in formulas.take(24).enumerate() {
        let formula = formula.unwrap();
        let mut checker = structure(&mut rng, 6);
        let expected = checker.check_formula(&formula, &Control::default()).unwrap().verdict;
        violated += usize::from(expected == Verdict::Violated);
        let erroneous = automata(&Formula::not(&formula));
        let erroneous = erroneous.map(|made| AutomatonProperty::new(made, Behaviours::Erroneous));
        let correct = automata(&formula);
        let correct = correct.map(|made| AutomatonProperty::new(made, Behaviours::Correct));
        let properties: Vec<Property> =
            erroneous.into_iter().chain(correct).map(Property::from).collect();
        let row = ENGINES[number % ENGINES.len()].name;
        let settings = Settings { engine: row, reduce: Reduce::Off, ..Settings::default() };
        let mut checker = checker.with(settings).unwrap();
        for property in &properties {
            if let Some(found) = verdict(&mut checker, property) {
                assert_eq!(found, expected, "{formula} by {row}");
                answers += 1;
            }
        }
    }
    assert!(answers > 100 && violated > 4, "{answers} {violated}");
}

/// Each kind of automaton and each emptiness check can be made from a given automaton.
#[test]
fn kinds_and_checks_take_automata() {
    let mut rng = Rng::new(9);
    let formulas: Vec<Formula> = ["GFa & GFb", "F(a & G b)", "G(a -> F b)", "a U b"]
        .map(|text| text.parse().unwrap())
        .into();
    for formula in &formulas {
        let mut checker = structure(&mut rng, 7);
        let expected = checker.check_formula(formula, &Control::default()).unwrap().verdict;
        let automaton = Translator::new().translate(&Formula::not(formula));
        let property = Property::from(AutomatonProperty::new(automaton, Behaviours::Erroneous));
        for automaton in AutomatonKind::ALL {
            let settings = Settings { automaton, ..Settings::default() };
            checker = checker.with(settings).unwrap();
            assert_eq!(verdict(&mut checker, &property), Some(expected.clone()), "{automaton:?}");
        }
        for (name, check) in Check::ALL {
            let explicit = Options { emptiness: Some(check), ..Options::default() };
            checker = checker.with(Settings { explicit, ..Settings::default() }).unwrap();
            let found = verdict(&mut checker, &property);
            assert!(found.is_none_or(|found| found == expected), "{name}");
        }
    }
}
