use super::*;
use proptest::prelude::*;
use sempre_ltl::rewrite::simplify::{Level, Simplifier};
use sempre_ltl::semantics::holds;
use sempre_ltl::{Word, arbitrary};

/// The word without its first letter.
fn tail(word: &Word) -> Word {
    let props = word.props().to_vec();
    let (prefix, cycle) = match word.prefix_len() {
        0 => (word.cycle_len() - 1, word.cycle_len()),
        prefix => (prefix - 1, word.cycle_len()),
    };
    Word::from_fn(props.clone(), prefix, cycle, |position, prop| {
        word.value(word.position(position + 1), &props[prop])
    })
    .unwrap()
}

/// Returns the rest after the first letter of a word.
fn step(space: &mut Space, class: Class, word: &Word) -> Rest {
    let alphabet = space.alphabet().clone();
    let steps = space.steps(class);
    let reads =
        |label: Label| alphabet.satisfied_by(label, |i| word.value(0, &alphabet.props()[i]));
    let fitting: Vec<Rest> =
        steps.iter().filter(|(label, _)| reads(*label)).map(|(_, rest)| *rest).collect();
    assert_eq!(fitting.len(), 1, "labels partition the letters");
    fitting[0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_left_holds_of_the_rest(f in arbitrary::formula(14), word in arbitrary::word(4)) {
        let mut space = Space::of(&f, 1 << 16);
        let class = space.class(&f);
        let rest = step(&mut space, class, &word);
        prop_assume!(!space.is_exhausted());
        if let Some(formula) = space.formula(rest) {
            prop_assert_eq!(holds(&formula, &tail(&word)), holds(&f, &word), "{}", formula);
            prop_assert_eq!(space.class(&formula), space.after(rest));
        }
    }

    #[test]
    fn limits_mean_the_same(f in arbitrary::formula(14), word in arbitrary::word(4)) {
        let mut simplifier = Simplifier::new(Level::default());
        let normal = normal_form(&f);
        let separated = limits::separated(&normal, &mut simplifier);
        prop_assert_eq!(holds(&separated, &word), holds(&f, &word), "{}", separated);
        for split in [limits::split(&normal), limits::split(&separated)] {
            prop_assert_eq!(holds(&split, &word), holds(&f, &word), "{}", split);
        }
        if let Some(pulled) = limits::pulled_out(&separated, &mut simplifier) {
            prop_assert_eq!(holds(&pulled, &word), holds(&f, &word), "{}", pulled);
        }
    }

    #[test]
    fn normal_forms_mean_the_same(f in arbitrary::formula(12), word in arbitrary::word(4)) {
        let mut simplifier = Simplifier::new(Level::default());
        let separated = limits::separated(&normal_form(&f), &mut simplifier);
        if let Some(normal) = delta::normalized(&separated, &mut simplifier) {
            prop_assert_eq!(holds(&normal, &word), holds(&f, &word), "{}", normal);
        }
    }

    /// Decided fixpoints bound the formula in the directions of the Master Theorem: the formula
    /// implies the weakened one, and follows from the strengthened one.
    #[test]
    fn decided_fixpoints_bound_the_formula(f in arbitrary::formula(14), word in arbitrary::word(4)) {
        let normal = normal_form(&f);
        let (least, greatest) = fixpoints::of(&normal);
        let everything: fixpoints::Fixpoints = least.into_iter().collect();
        let safety = fixpoints::as_safety(&normal, &everything);
        prop_assert!(fixpoints::is_safety(&safety));
        prop_assert!(!holds(&normal, &word) || holds(&safety, &word));
        let nothing = fixpoints::Fixpoints::default();
        let guarantee = fixpoints::as_guarantee(&normal, &nothing);
        prop_assert!(fixpoints::is_guarantee(&guarantee));
        prop_assert!(!holds(&guarantee, &word) || holds(&normal, &word));
        let all: fixpoints::Fixpoints = greatest.into_iter().collect();
        let guarantee = fixpoints::as_guarantee(&normal, &all);
        prop_assert!(!holds(&normal, &word) || holds(&guarantee, &word));
    }
}

#[test]
fn unfolding_merges_formulas() {
    let mut space = Space::new(Alphabet::new(["a", "b", "c"]).unwrap(), 1 << 12);
    let mut class = |text: &str| space.class(&text.parse().unwrap());
    assert_eq!(class("GFa"), class("Fa & GFa"));
    assert_eq!(class("a U b"), class("b | a & X(a U b)"));
    assert_ne!(class("Fa"), class("GFa"));
    assert_eq!(class("X(a & Gb)"), class("Xa & XGb"));
}

#[test]
fn limits_are_taken_apart() {
    let separated = |text: &str| {
        let mut simplifier = Simplifier::new(Level::default());
        limits::separated(&text.parse().unwrap(), &mut simplifier).to_string()
    };
    assert_eq!(separated("GF(a & Fb)"), "GFa & GFb");
    assert_eq!(separated("FG(a | Gb)"), "FGa | FGb");
    assert_eq!(separated("G(a & Fb)"), "Ga & GFb");
}

#[test]
fn the_limit_on_nodes_is_kept() {
    let text: Vec<String> = (0..20).map(|i| format!("(X[{i}] a{} U b{i})", 19 - i)).collect();
    let formula: Formula = text.join(" | ").parse().unwrap();
    let mut space = Space::of(&formula, 100);
    space.class(&formula);
    assert!(space.is_exhausted());
}
