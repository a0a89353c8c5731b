//! Sharing, order and traits of formulas.

use super::*;
use crate::{Word, arbitrary, rewrite, semantics};
use proptest::prelude::*;

fn read(text: &str) -> Formula {
    text.parse().unwrap()
}

#[test]
fn equal_formulas_are_one() {
    let f = Formula::until("a", Formula::prop("b") & "c");
    let g = Formula::until("a", Formula::prop("c") & "b");
    assert_eq!(f, g);
    assert_ne!(f, Formula::weak_until("a", Formula::prop("b") & "c"));
    assert_eq!(f.clone().children()[1].children().len(), 2);
}

#[test]
fn operands_are_flat_and_sorted_and_otherwise_kept() {
    assert_eq!(read("c & (b & (a & a))").children().len(), 4);
    assert_eq!(read("Xa | !b | b | 1 | (a & b)").to_string(), "b | !b | 1 | (a & b) | Xa");
    assert_eq!(Formula::and([]), Formula::tt());
    assert_eq!(Formula::or([]), Formula::ff());
    assert_eq!(Formula::and([Formula::prop("a")]), Formula::prop("a"));
    assert_eq!(read("FGa <-> b"), read("b <-> FGa"));
    assert_eq!(read("!!a").size(), 3);
}

#[test]
fn sizes_count_the_nodes_of_the_parse_tree() {
    for (formula, size, dag, depth, temporal) in [
        ("1", 1, 1, 0, 0),
        ("a & b & c", 5, 4, 1, 0),
        ("a U (a U a)", 5, 3, 2, 2),
        ("G(a -> F b)", 5, 5, 3, 2),
        ("G G (p4 & (p2 U (!!p3 & F p4)))", 12, 11, 7, 4),
    ] {
        let f = read(formula);
        let sizes = (f.size(), f.dag_size(), f.depth(), f.temporal_depth());
        assert_eq!(sizes, (size, dag, depth, temporal), "{formula}");
    }
    let doubled = (0..100).fold(Formula::prop("a"), |f, _| Formula::until(&f, &f));
    assert_eq!(doubled.size(), u64::MAX, "sizes saturate");
    assert_eq!(doubled.dag_size(), 101);
}

#[test]
#[should_panic(expected = "does not take 1 operands")]
fn operators_insist_on_their_arity() {
    Formula::new(Op::Until, [Formula::tt()]);
}

#[test]
fn deep_formulas_are_built_compared_and_dropped() {
    let deep = |leaf: &str| {
        (0..300_000).fold(Formula::prop(leaf), |f, i| match i % 3 {
            0 => Formula::next(f),
            1 => Formula::until("c", f),
            _ => f & "d",
        })
    };
    let (f, g) = (deep("a"), deep("b"));
    assert_eq!(f, deep("a"));
    assert!(f < g);
    assert_eq!(f.subformulas().count(), 300_003);
    assert_eq!((f | g).children().len(), 2);
}

#[test]
fn classes_of_known_formulas() {
    use Traits as T;
    for (formula, yes, no) in [
        ("a", T::SAFETY | T::GUARANTEE, T::EVENTUAL | T::UNIVERSAL),
        ("Ga", T::SAFETY | T::UNIVERSAL, T::GUARANTEE | T::EVENTUAL),
        ("1 U a", T::EVENTUAL | T::GUARANTEE, T::UNIVERSAL | T::SAFETY),
        ("a M 1", T::EVENTUAL | T::GUARANTEE, T::UNIVERSAL | T::SAFETY),
        ("0 R a", T::UNIVERSAL | T::SAFETY, T::EVENTUAL | T::GUARANTEE),
        ("a W 0", T::UNIVERSAL | T::SAFETY, T::EVENTUAL | T::GUARANTEE),
        ("a W b", T::SAFETY, T::GUARANTEE),
        ("a U b", T::GUARANTEE, T::SAFETY),
        ("Ga | Fb", T::OBLIGATION, T::SAFETY | T::GUARANTEE),
        ("G(a -> Fb)", T::RECURRENCE, T::OBLIGATION | T::PERSISTENCE),
        ("FGa", T::PERSISTENCE | T::EVENTUAL | T::UNIVERSAL, T::OBLIGATION | T::RECURRENCE),
        ("GFa & FGb", T::EVENTUAL, T::RECURRENCE | T::PERSISTENCE),
        ("!(a U b)", T::SAFETY, T::GUARANTEE | T::NNF),
        ("a -> Gb", T::SAFETY, T::NNF),
        ("Ga <-> Gb", T::OBLIGATION, T::SAFETY | T::GUARANTEE),
        ("X a", T::SAFETY | T::GUARANTEE, T::NEXT_FREE | T::BOOLEAN),
        ("Gs a", T::SAFETY | T::UNIVERSAL | T::FRAGMENT_FS_GS, T::NEXT_FREE | T::FRAGMENT_F_G),
        ("G(a | X F b)", T::FRAGMENT_FS_GS | T::FRAGMENT_NO_GUX, T::FRAGMENT_F_G),
        ("G(a | X(b | Fc))", T::RECURRENCE, T::FRAGMENT_FS_GS | T::FRAGMENT_NO_GUX),
        ("a U X(b & Gc)", T::FRAGMENT_NO_GUX, T::FRAGMENT_FS_GS),
        ("!(a R b)", T::FRAGMENT_NO_GUX, T::NEGATION_NO_GUX),
        ("G(a U b)", T::RECURRENCE, T::FRAGMENT_NO_GUX),
    ] {
        let f = read(formula);
        assert!(f.is(yes), "{formula} has {:?}, not all of {yes:?}", f.traits());
        assert_eq!(f.traits() & no, T::empty(), "{formula}");
    }
}

/// Membership in the fragments, decided on the negation normal form from their grammars.
fn fragments(f: &Formula) -> (bool, bool, bool) {
    let f = rewrite::nnf(f);
    let only = |allowed: &dyn Fn(&Formula) -> bool| {
        f.subformulas().all(|g| !g.op().is_temporal() || allowed(&g))
    };
    fn strict(f: &Formula) -> bool {
        match f.op() {
            Op::Finally | Op::Globally | Op::StrictFinally | Op::StrictGlobally => true,
            Op::Next => matches!(f.children()[0].op(), Op::Finally | Op::Globally),
            _ => false,
        }
    }
    fn in_fs_gs(f: &Formula) -> bool {
        f.subformulas().all(|g| !g.op().is_temporal() || strict(&g))
    }
    fn no_gux(f: &Formula) -> bool {
        let outside = matches!(
            f.op(),
            Op::And | Op::Or | Op::Next | Op::Until | Op::Finally | Op::StrictFinally
        );
        in_fs_gs(f) || (outside && f.children().iter().all(no_gux))
    }
    (only(&|g| matches!(g.op(), Op::Finally | Op::Globally)), in_fs_gs(&f), no_gux(&f))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_order_is_total(formulas in prop::collection::vec(arbitrary::formula(12), 3)) {
        let [f, g, h] = &formulas[..] else { unreachable!() };
        prop_assert_eq!(f.cmp(g), g.cmp(f).reverse());
        prop_assert_eq!(f.cmp(g).is_eq(), f == g);
        if f <= g && g <= h {
            prop_assert!(f <= h);
        }
    }

    #[test]
    fn classes_include_each_other(f in arbitrary::formula(30)) {
        use Traits as T;
        let t = f.traits();
        for (small, large) in [
            (T::BOOLEAN, T::SAFETY | T::GUARANTEE | T::NEXT_FREE | T::FRAGMENT_F_G),
            (T::SAFETY, T::OBLIGATION),
            (T::GUARANTEE, T::OBLIGATION),
            (T::OBLIGATION, T::PERSISTENCE | T::RECURRENCE),
            (T::FRAGMENT_F_G, T::FRAGMENT_FS_GS | T::NEXT_FREE),
            (T::FRAGMENT_FS_GS, T::FRAGMENT_NO_GUX | T::NEGATION_NO_GUX),
        ] {
            prop_assert!(!t.contains(small) || t.contains(large), "{:?} of {}", t, f);
        }
        let n = Formula::not(&f).traits();
        for (one, other) in [
            (T::SAFETY, T::GUARANTEE),
            (T::PERSISTENCE, T::RECURRENCE),
            (T::OBLIGATION, T::OBLIGATION),
            (T::EVENTUAL, T::UNIVERSAL),
            (T::FRAGMENT_NO_GUX, T::NEGATION_NO_GUX),
        ] {
            prop_assert_eq!(t.contains(one), n.contains(other));
            prop_assert_eq!(t.contains(other), n.contains(one));
        }
    }

    /// Traits do not depend on the positions of negations.
    #[test]
    fn traits_are_those_of_the_normal_form(f in arbitrary::formula(30)) {
        let g = rewrite::nnf(&f);
        prop_assert!((g.traits() - Traits::NNF).contains(f.traits() - Traits::NNF), "{} and {}", f, g);
        prop_assert_eq!(f.is(Traits::NNF), f == g);
        let expected = fragments(&f);
        let found = (
            f.is(Traits::FRAGMENT_F_G), f.is(Traits::FRAGMENT_FS_GS), f.is(Traits::FRAGMENT_NO_GUX),
        );
        prop_assert_eq!(found, expected, "{}", f);
    }

    #[test]
    fn pure_formulas_are_closed_under_prefixes_or_suffixes(
        f in arbitrary::formula(12), word in arbitrary::word(4), start in 0usize..8,
    ) {
        let (now, later) = (semantics::holds(&f, &word), semantics::holds(&f, &word.suffix(start)));
        prop_assert!(!f.is(Traits::EVENTUAL) || !later || now);
        prop_assert!(!f.is(Traits::UNIVERSAL) || !now || later);
    }

    #[test]
    fn formulas_without_next_do_not_count_repetitions(
        f in arbitrary::formula(12), word in arbitrary::word(4), repeats in prop::collection::vec(1usize..4, 8),
    ) {
        // Each letter of the lasso occurs several times.
        let times = |i: usize| repeats[i % repeats.len()];
        let spread = |range: std::ops::Range<usize>| {
            range.flat_map(|i| std::iter::repeat_n(i, times(i))).collect::<Vec<_>>()
        };
        let (prefix, cycle) = (spread(0..word.prefix_len()), spread(word.prefix_len()..word.len()));
        let places = [&prefix[..], &cycle[..]].concat();
        let stuttered = Word::from_fn(word.props().to_vec(), prefix.len(), cycle.len(), |i, k| {
            word.value(places[i], &word.props()[k])
        }).unwrap();
        if f.is(Traits::NEXT_FREE) {
            prop_assert_eq!(semantics::holds(&f, &word), semantics::holds(&f, &stuttered));
        }
    }

    /// A word that violates a safety formula has a bad prefix; for small formulas, many rounds of
    /// the cycle suffice. Guarantee formulas are dual.
    #[test]
    fn safety_shows_in_prefixes(
        f in arbitrary::formula(8), word in arbitrary::word(3), tail in arbitrary::word(3),
    ) {
        let rounds = word.prefix_len() + 40 * word.cycle_len();
        let both = |i: usize, p: &Prop| {
            if i < rounds { word.value(i, p) } else { tail.value(i - rounds, p) }
        };
        let props = word.props().to_vec();
        let changed =
            Word::from_fn(props.clone(), rounds + tail.prefix_len(), tail.cycle_len(), |i, k| both(i, &props[k]))
                .unwrap();
        let (before, after) = (semantics::holds(&f, &word), semantics::holds(&f, &changed));
        prop_assert!(!f.is(Traits::SAFETY) || before || !after, "{}", f);
        prop_assert!(!f.is(Traits::GUARANTEE) || !before || after, "{}", f);
    }
}
