use super::*;
use crate::arbitrary;
use crate::generate::Rng;
use crate::generate::family::Family;
use proptest::prelude::*;

/// The formula with other names: a random bijection to names that sort differently.
fn shuffled(formula: &Formula, seed: u64) -> Formula {
    let mut rng = Rng::new(seed);
    let props = formula.props();
    let mut names: Vec<Prop> = (0..props.len()).map(|i| Prop::new(format!("q{i}"))).collect();
    for i in (1..names.len()).rev() {
        names.swap(i, rng.index(i + 1));
    }
    let names: FxHashMap<Prop, Prop> = props.into_iter().zip(names).collect();
    rename(formula, |prop| names[prop].clone())
}

/// Over up to six propositions: two formulas over a, b, c, one of them renamed to c, d, e or
/// d, e, f.
fn formula(size: u32) -> impl Strategy<Value = Formula> {
    let parts = (arbitrary::formula(size), arbitrary::formula(size), 2_u8..4, any::<bool>());
    parts.prop_map(|(f, g, shift, and)| {
        let letter = |prop: &Prop| char::from(prop.name().as_bytes()[0] + shift);
        let g = rename(&g, |prop| Prop::new(letter(prop).to_string()));
        if and { f & g } else { Formula::until(f, g) }
    })
}

/// All ways to rename one formula to the propositions of the other.
fn equal_up_to_names(f: &Formula, g: &Formula) -> bool {
    let (from, mut to) = (f.props(), g.props());
    if from.len() != to.len() {
        return false;
    }
    // Heap's algorithm, without recursion.
    let mut counters = vec![0; to.len()];
    let mut i = 0;
    loop {
        let names: FxHashMap<&Prop, &Prop> = from.iter().zip(&to).collect();
        if rename(f, |prop| names[prop].clone()) == *g {
            return true;
        }
        while i < to.len() && counters[i] >= i {
            counters[i] = 0;
            i += 1;
        }
        if i >= to.len() {
            return false;
        }
        to.swap(if i % 2 == 0 { 0 } else { counters[i] }, i);
        counters[i] += 1;
        i = 0;
    }
}

proptest! {
    #[test]
    fn names_do_not_matter(f in formula(20), seed: u64) {
        prop_assert_eq!(canonical(&f), canonical(&shuffled(&f, seed)));
    }

    #[test]
    fn the_result_is_a_variant_of_the_formula(f in formula(6)) {
        prop_assert!(equal_up_to_names(&f, &canonical(&f)));
        prop_assert_eq!(canonical(&canonical(&f)), canonical(&f));
    }

    #[test]
    fn nothing_but_names_is_forgotten(f in arbitrary::formula(4), g in arbitrary::formula(4)) {
        prop_assert_eq!(canonical(&f) == canonical(&g), equal_up_to_names(&f, &g));
    }

    #[test]
    fn small_changes_are_seen(f in arbitrary::formula(10), from in 0..3, to in 0..3) {
        // Not a bijection if `from` and `to` differ: the results are often, not always,
        // different up to names.
        let [from, to] = [from, to].map(|i| Style::Abc.prop(i as usize));
        let g = rename(&f, |prop| if *prop == from { to.clone() } else { prop.clone() });
        let g = f.clone() & Formula::next(g);
        let f = f.clone() & Formula::next(f);
        prop_assert_eq!(canonical(&f) == canonical(&g), equal_up_to_names(&f, &g));
    }

    #[test]
    fn without_work_formulas_are_still_distinguished(f in formula(8)) {
        prop_assert!(equal_up_to_names(&f, &canonical_within(&f, 0)));
    }
}

#[test]
fn symmetric_formulas_have_one_canonical_form() {
    let pairs = |n: usize| {
        Formula::and(
            (0..n).map(|i| Formula::until(format!("a{i}").as_str(), format!("b{i}").as_str())),
        )
    };
    let cycle = |n: usize| {
        Formula::or((0..n).map(|i| {
            let j = (i + 1) % n;
            Formula::prop(format!("a{i}")) & Formula::prop(format!("a{j}"))
        }))
    };
    let both = cycle(5) & Formula::next(pairs(4));
    // Two cycles of 3 and one of 6 have the same colours everywhere.
    let apart = |offset: usize| {
        rename(&cycle(3), |p| {
            Prop::new(format!("x{}", offset + p.name()[1..].parse::<usize>().unwrap()))
        })
    };
    let (twice, once) = (apart(0) | apart(3), cycle(6));
    assert_ne!(canonical(&twice), canonical(&once));
    // Here they are in one formula: the choice of the first proposition matters.
    let mixed = &twice | &once;
    let exclusive = Family::by_name("kr-n").unwrap().formula(5).unwrap();
    for formula in [pairs(12), cycle(10), both, twice, once, mixed, exclusive] {
        let expected = canonical(&formula);
        for seed in 0..5 {
            assert_eq!(canonical(&shuffled(&formula, seed)), expected);
        }
    }
}

#[test]
fn large_formulas_end() {
    let family = |name, n| Family::by_name(name).unwrap().formula(n).unwrap();
    let formulas = [family("gh-e", 2_000), family("ms-phi-r", 2_000), family("gh-q", 300)];
    for formula in formulas {
        assert!(canonical(&shuffled(&formula, 0)) == canonical(&formula));
    }
    // Colours spread by one step along this chain per round, and there are too many rounds.
    let chain = family("gh-q", 5_000);
    assert!(canonical(&chain).size() == chain.size());
}
