//! Soundness of every law and every rule, and the guarantees of the simplifier.

use super::implication::Implications;
use super::rules::{self, Law};
use super::*;
use crate::rewrite::substitute;
use crate::semantics::{self, Evaluator};
use crate::{Traits, Word, arbitrary};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Replaces the metavariables of a law by formulas; those of a kind by formulas of that kind.
fn instantiate(side: &Formula, values: &[Formula]) -> Formula {
    substitute(side, |p| {
        let [f, g, h, x] = values else { unreachable!() };
        match p.name() {
            "f" => f.clone(),
            "g" => g.clone(),
            "h" => h.clone(),
            // Many shapes of each kind, not only F, G and GF at the root.
            "e" => Formula::or([Formula::finally(x), Formula::until(f, Formula::finally(g))]),
            "u" => Formula::and([Formula::globally(x), Formula::release(f, Formula::globally(g))]),
            "q" => {
                let finally = Formula::finally(Formula::and([x.clone(), h.clone()]));
                Formula::or([Formula::globally(finally), Formula::finally(Formula::globally(g))])
            }
            other => unreachable!("{other} is no metavariable"),
        }
    })
}

fn values() -> impl Strategy<Value = [Formula; 4]> {
    let f = || arbitrary::formula(6);
    [f(), f(), f(), f()]
}

fn laws() -> impl Iterator<Item = (&'static Rule, &'static Law)> {
    rules().iter().flat_map(|rule| rule.laws.iter().map(move |law| (rule, law)))
}

/// The values with one of them made stronger or weaker, so that the premise of the law holds.
fn with_premise(law: &Law, mut values: [Formula; 4]) -> [Formula; 4] {
    let Some((left, right)) = &law.premise else { return values };
    let (l, r) = (instantiate(left, &values), instantiate(right, &values));
    // The side that is a metavariable is adapted to the other one.
    let (name, value) = match (left.as_prop(), right.as_prop()) {
        (_, Some(p)) => (p.name(), &l | &r),
        (Some(p), None) => (p.name(), &l & &r),
        _ => unreachable!("one side of a premise is a metavariable"),
    };
    let place = ["f", "g", "h"].iter().position(|variable| *variable == name).unwrap();
    values[place] = value;
    values
}

/// Which of some words satisfy a formula; each formula is evaluated once.
#[derive(Debug)]
struct Truth {
    words: Vec<Word>,
    known: FxHashMap<Formula, Vec<bool>>,
}

impl Truth {
    fn on(words: Vec<Word>) -> Self {
        Truth { words, known: FxHashMap::default() }
    }

    fn of(&mut self, formula: &Formula) -> &[bool] {
        self.known.entry(formula.clone()).or_insert_with(|| {
            let evaluator = Evaluator::new(formula);
            self.words.iter().map(|word| evaluator.holds(word)).collect()
        })
    }

    /// Returns a word that only one of the formulas accepts.
    fn difference(&mut self, left: &Formula, right: &Formula) -> Option<&Word> {
        let left = self.of(left).to_vec();
        let place = self.of(right).iter().zip(left).position(|(r, l)| *r != l)?;
        Some(&self.words[place])
    }
}

fn truth() -> impl Strategy<Value = Truth> {
    prop::collection::vec(arbitrary::word(4), 4).prop_map(Truth::on)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Each law is an equivalence, on random words and for random instances.
    #[test]
    fn laws_are_equivalences(values in values(), mut truth in truth()) {
        for (rule, law) in laws() {
            let values = with_premise(law, values.clone());
            if let Some((l, r)) = &law.premise {
                let implication = Formula::implies(instantiate(l, &values), instantiate(r, &values));
                prop_assert!(truth.of(&implication).iter().all(|v| *v), "premise of {:?}", law);
            }
            let (left, right) = (instantiate(&law.left, &values), instantiate(&law.right, &values));
            if let Some(word) = truth.difference(&left, &right) {
                prop_assert!(false, "{}: {} is not {} on {}", rule.name, left, right, word);
            }
        }
    }

    /// Every rule preserves the language of every formula.
    #[test]
    fn rules_are_sound(f in arbitrary::formula(12), values in values(), mut truth in truth()) {
        let mut implications = Implications::default();
        let instances = laws().map(|(_, law)| instantiate(&law.left, &with_premise(law, values.clone())));
        let formulas: BTreeSet<Formula> = instances
            .chain([f])
            .flat_map(|f| implications.normal_form(&f).subformulas())
            .collect();
        for formula in formulas {
            for used in rules::for_root(formula.op()) {
                let Some(after) = used.apply(&formula, &mut implications) else { continue };
                if let Some(word) = truth.difference(&formula, &after) {
                    let name = used.rule().name;
                    prop_assert!(false, "{}: {} is not {} on {}", name, formula, after, word);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn simplification_keeps_the_language_and_comes_to_rest(
        f in arbitrary::formula(40),
        mut truth in truth(),
    ) {
        for level in Level::ALL {
            let mut simplifier = Simplifier::new(level);
            let g = simplifier.simplify(&f);
            prop_assert_eq!(&simplifier.simplify(&g), &g, "a second time");
            prop_assert_eq!(&Simplifier::new(level).simplify(&g), &g, "afresh");
            if let Some(word) = truth.difference(&f, &g) {
                prop_assert!(false, "{} at level {} became {}, which differs on {}", f, level, g, word);
            }
        }
    }
}

/// The left side of every law, with propositions of the right kind as metavariables, is rewritten
/// by its own rule or an earlier one. Each rule is used at least once.
#[test]
fn every_rule_is_used() {
    let metavariables = |side: &Formula| {
        substitute(side, |p| {
            let x = Formula::prop(format!("{}1", p.name()));
            match p.name() {
                "e" => Formula::finally(&x),
                "u" => Formula::globally(&x),
                "q" => Formula::globally(Formula::finally(&x)),
                _ => x,
            }
        })
    };
    let mut used = BTreeSet::new();
    for (rule, law) in laws().filter(|(_, law)| law.premise.is_none()) {
        let left = metavariables(&law.left);
        if Implications::default().normal_form(&left) != left {
            continue;
        }
        let (result, steps) = Simplifier::new(Level::Implication).explain(&left);
        assert!(!steps.is_empty(), "{}: nothing happens to {left}", rule.name);
        used.extend(steps.iter().map(|step| step.rule.name));
        let words = ["cycle{f1&g1}", "f1; cycle{g1&h1; !g1}", "e1&q1; u1; cycle{u1&f1&q1; u1&h1}"];
        for word in words {
            let word = word.parse().unwrap();
            assert_eq!(semantics::holds(&left, &word), semantics::holds(&result, &word));
        }
    }
    for text in ["a & (!a | Xb)", "Fb & (a U b)", "(a & b) U b", "(a | b | Xc) U (a | Xd)"] {
        let (_, steps) = Simplifier::new(Level::Implication).explain(&text.parse().unwrap());
        used.extend(steps.iter().map(|step| step.rule.name));
    }
    let unused: Vec<_> =
        rules().iter().map(|rule| rule.name).filter(|name| !used.contains(name)).collect();
    assert_eq!(unused, [""; 0], "rules that no example uses");
}

#[test]
fn known_results() {
    for (formula, level, expected) in [
        ("a & a & 1", Level::Basic, "a"),
        ("F F a | F b", Level::Basic, "F(a | b)"),
        ("!(a U b) & F 1", Level::Basic, "!a R !b"),
        ("b | (a & X(a U b)) | c", Level::Basic, "c | (a U b)"),
        ("(a W b) & F b", Level::Basic, "a U b"),
        ("GFa | GFb", Level::Basic, "GF(a | b)"),
        ("a -> a", Level::Basic, "1"),
        ("Fs Gs a", Level::Pure, "FGa"),
        ("F(a & GFb)", Level::Pure, "Fa & GFb"),
        ("GF(a & XFb)", Level::Pure, "G(Fa & Fb)"),
        ("G(a | GFb)", Level::Pure, "Ga | GFb"),
        ("Ga & F(a & b)", Level::Pure, "Fb & Ga"),
        ("a U Fb", Level::Pure, "Fb"),
        ("a U (a | b)", Level::Implication, "a | b"),
        ("(a & b) U b", Level::Implication, "b"),
        ("G(p4 & (p2 U (!!p3 & F p4)))", Level::Implication, "G(p4 & (p2 U p3))"),
        ("(a & XFb) | (!a & XFb)", Level::Implication, "XFb"),
        ("a <-> !a", Level::Basic, "0"),
        ("(a <-> b) xor (a <-> b)", Level::Basic, "0"),
    ] {
        let simplified = Simplifier::new(level).simplify(&formula.parse().unwrap());
        assert_eq!(simplified.to_string(), expected, "{formula} at level {level}");
    }
}

#[test]
fn large_formulas_are_simplified_without_recursion() {
    let next = (0..100_000).fold(Formula::prop("a"), |f, _| Formula::finally(Formula::next(f)));
    let simplified = simplify(&next);
    assert!(simplified.size() < next.size());
    let until = (0..100_000).fold(Formula::prop("a"), |f, i| Formula::until(["a", "b"][i % 2], f));
    assert!(simplify(&until).size() <= until.size());
    let mixed = (0..100_000).fold(Formula::prop("a"), |f, i| match i % 3 {
        0 => f & Formula::prop(format!("p{}", i % 7)),
        1 => Formula::not(Formula::globally(f)),
        _ => f | Formula::next("c"),
    });
    assert!(simplify(&mixed).size() <= 2 * mixed.size());
    let wide = Formula::and((0..100_000).map(|i| Formula::finally(Formula::prop(format!("p{i}")))));
    assert_eq!(simplify(&wide), wide);
}

#[test]
fn equivalences_stay_small() {
    let nested = (0..64).fold(Formula::prop("a"), |f, i| {
        Formula::iff(f, Formula::finally(Formula::prop(format!("p{i}"))))
    });
    assert!(simplify(&Formula::not(nested)).size() < 300);
}

#[test]
fn traits_survive() {
    let f: Formula = "G(a -> F b)".parse().unwrap();
    assert!(simplify(&f).is(Traits::RECURRENCE | Traits::NEXT_FREE | Traits::NNF));
}
