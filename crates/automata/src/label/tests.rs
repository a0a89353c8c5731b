//! Compares both representations with each other and with oxidd.

use super::*;
use oxidd::bdd::BDDFunction;
use oxidd::{BooleanFunction, Manager, ManagerRef};
use proptest::prelude::*;

/// A Boolean formula over `props` propositions p0, p1, … as nested choices of operators.
fn boolean(props: usize, size: u32) -> impl Strategy<Value = Formula> {
    let leaf = (0..props).prop_map(|i| Formula::prop(format!("p{i}")));
    let ops = [Op::And, Op::Or, Op::Xor, Op::Iff, Op::Implies, Op::Not];
    leaf.prop_recursive(8, size, 2, move |inner| {
        (prop::sample::select(ops.to_vec()), inner.clone(), inner).prop_map(|(op, l, r)| match op {
            Op::Not => Formula::not(l),
            _ => Formula::new(op, [l, r]),
        })
    })
}

fn value(f: &Formula, valuation: u64) -> bool {
    let operands: Vec<bool> = f.children().iter().map(|g| value(g, valuation)).collect();
    match (f.op(), &operands[..]) {
        (Op::Prop, _) => {
            let index: u64 = f.as_prop().unwrap().name()[1..].parse().unwrap();
            valuation >> index & 1 == 1
        }
        (Op::And, all) => all.iter().all(|v| *v),
        (Op::Or, all) => all.iter().any(|v| *v),
        (Op::Not, [v]) => !v,
        (Op::Implies, [l, r]) => !l || *r,
        (Op::Iff, [l, r]) => l == r,
        (Op::Xor, [l, r]) => l != r,
        _ => unreachable!(),
    }
}

fn numbered(props: usize) -> Alphabet {
    Alphabet::new((0..props).map(|i| format!("p{i}"))).unwrap()
}

proptest! {
    #[test]
    fn labels_are_the_functions_they_are_built_from(
        (props, f, g) in (1usize..=12).prop_flat_map(|n| (Just(n), boolean(n, 24), boolean(n, 24))),
    ) {
        let valuations = 0..1u64 << props;
        let mut alphabets = vec![numbered(props)];
        if props <= tables::MAX_PROPS {
            alphabets.push(Alphabet::with_diagrams(props));
        }
        let mut covers = vec![];
        for alphabet in &alphabets {
            let (l, r) = (alphabet.from_formula(&f).unwrap(), alphabet.from_formula(&g).unwrap());
            for v in valuations.clone() {
                prop_assert_eq!(alphabet.satisfied(l, v), value(&f, v));
                prop_assert_eq!(alphabet.satisfied(alphabet.and(l, r), v), value(&f, v) && value(&g, v));
                prop_assert_eq!(alphabet.satisfied(alphabet.or(l, r), v), value(&f, v) || value(&g, v));
                prop_assert_eq!(alphabet.satisfied(alphabet.not(l), v), !value(&f, v));
            }
            let satisfying = valuations.clone().filter(|v| value(&f, *v)).count();
            prop_assert_eq!(alphabet.count(l), satisfying as u128);
            prop_assert_eq!(
                alphabet.implies(l, r),
                valuations.clone().all(|v| !value(&f, v) || value(&g, v))
            );
            prop_assert_eq!(
                alphabet.disjoint(l, r),
                valuations.clone().all(|v| !value(&f, v) || !value(&g, v))
            );
            let support: Vec<usize> = (0..props)
                .filter(|i| valuations.clone().any(|v| value(&f, v) != value(&f, v ^ 1 << i)))
                .collect();
            prop_assert_eq!(alphabet.support(l), support);
            prop_assert_eq!(
                alphabet.some_valuation(l).map(|props| props.iter().map(|i| 1 << i).sum::<u64>())
                    .is_some_and(|v| value(&f, v)),
                satisfying > 0
            );
            let exists = alphabet.exists(l, props / 2);
            for v in valuations.clone() {
                prop_assert_eq!(
                    alphabet.satisfied(exists, v),
                    value(&f, v) || value(&f, v ^ 1 << (props / 2))
                );
            }
            // The cover is the function, and no cube of it is redundant.
            let cubes = alphabet.cubes(l);
            let union = |cubes: &[&Cube]| {
                cubes.iter().fold(alphabet.ff(), |sum, cube| alphabet.or(sum, alphabet.from_cube(cube)))
            };
            let all: Vec<&Cube> = cubes.iter().collect();
            prop_assert_eq!(union(&all), l);
            for left_out in 0..all.len() {
                let mut others = all.clone();
                others.remove(left_out);
                prop_assert_ne!(union(&others), l);
            }
            prop_assert_eq!(alphabet.from_formula(&alphabet.to_formula(l)).unwrap(), l);
            covers.push(cubes);
        }
        prop_assert!(covers.windows(2).all(|pair| pair[0] == pair[1]), "the representations differ");
    }

    /// oxidd as an oracle for equality of functions.
    #[test]
    fn labels_are_equal_as_in_oxidd(
        (props, f, g) in (1usize..=12).prop_flat_map(|n| (Just(n), boolean(n, 30), boolean(n, 30))),
    ) {
        let manager = oxidd::bdd::new_manager(1 << 14, 1 << 12, 1);
        let variables: Vec<BDDFunction> = manager.with_manager_exclusive(|manager| {
            let range = manager.add_vars(props as u32);
            range.map(|i| BDDFunction::var(manager, i).unwrap()).collect()
        });
        fn diagram(f: &Formula, variables: &[BDDFunction]) -> BDDFunction {
            let operands: Vec<BDDFunction> = f.children().iter().map(|g| diagram(g, variables)).collect();
            let fold = |join: fn(&BDDFunction, &BDDFunction) -> BDDFunction| {
                operands.iter().skip(1).fold(operands[0].clone(), |l, r| join(&l, r))
            };
            match f.op() {
                Op::Prop => variables[f.as_prop().unwrap().name()[1..].parse::<usize>().unwrap()].clone(),
                Op::True => variables[0].equiv(&variables[0]).unwrap(),
                Op::False => variables[0].xor(&variables[0]).unwrap(),
                Op::And => fold(|l, r| l.and(r).unwrap()),
                Op::Or => fold(|l, r| l.or(r).unwrap()),
                Op::Xor => fold(|l, r| l.xor(r).unwrap()),
                Op::Iff => fold(|l, r| l.equiv(r).unwrap()),
                Op::Implies => fold(|l, r| l.imp(r).unwrap()),
                _ => operands[0].not().unwrap(),
            }
        }
        let alphabet = numbered(props);
        let ours = |f: &Formula| alphabet.from_formula(f).unwrap();
        let theirs = |f: &Formula| diagram(f, &variables);
        let (same, other) = (Formula::iff(&f, &g), &f | &Formula::not(&g));
        prop_assert_eq!(ours(&f) == ours(&g), theirs(&f) == theirs(&g));
        prop_assert_eq!(ours(&same) == alphabet.tt(), theirs(&same).valid());
        prop_assert_eq!(ours(&f) == alphabet.ff(), !theirs(&f).satisfiable());
        prop_assert!(theirs(&alphabet.to_formula(ours(&other))) == theirs(&other));
    }

    #[test]
    fn labels_move_between_alphabets(f in boolean(4, 20), more in 0usize..8) {
        let small = numbered(4);
        let large = Alphabet::new((0..4 + more).rev().map(|i| format!("p{i}"))).unwrap();
        let places: Vec<usize> = (0..4).map(|i| large.index_of(&small.props()[i]).unwrap()).collect();
        let moved = small.translate(small.from_formula(&f).unwrap(), &large, &places);
        prop_assert_eq!(moved, large.from_formula(&f).unwrap());
        let (both, own, others) = small.union(&large);
        prop_assert_eq!(own, vec![0, 1, 2, 3]);
        for (i, place) in others.iter().enumerate() {
            prop_assert_eq!(&both.props()[*place], &large.props()[i]);
        }
    }
}

#[test]
fn many_propositions_are_no_problem() {
    let alphabet = numbered(1000);
    let all = (0..1000).fold(alphabet.tt(), |l, i| alphabet.and(l, alphabet.prop(i)));
    assert_eq!(alphabet.count(all), 1);
    assert_eq!(alphabet.count(alphabet.not(all)), u128::MAX, "counts saturate");
    assert_eq!(alphabet.cubes(all).len(), 1);
    assert_eq!(alphabet.support(all).len(), 1000);
}

#[test]
fn covers_can_be_limited() {
    let alphabet = numbered(60);
    let xor = |l, r| alphabet.or(alphabet.minus(l, r), alphabet.minus(r, l));
    let parity = |props: usize| (0..props).fold(alphabet.ff(), |l, i| xor(l, alphabet.prop(i)));
    assert_eq!(alphabet.cubes_up_to(parity(60), 1000), None, "there are 2^59 of them");
    assert_eq!(alphabet.cubes_up_to(parity(5), 15), None);
    assert_eq!(alphabet.cubes_up_to(parity(5), 16), Some(alphabet.cubes(parity(5))));
}

#[test]
fn bad_alphabets_and_labels_are_refused() {
    assert!(Alphabet::new(["a", "b", "a"]).is_err());
    let alphabet = Alphabet::new(["a"]).unwrap();
    for text in ["b", "X a", "a U a"] {
        assert!(alphabet.from_formula(&text.parse().unwrap()).is_err(), "{text}");
    }
    let deep = (0..100_000).fold(Formula::prop("a"), |f, _| Formula::not(f));
    assert_eq!(alphabet.from_formula(&deep).unwrap(), alphabet.prop(0));
}

proptest! {
    #[test]
    fn classes_are_what_labels_cannot_tell_apart(
        formulas in prop::collection::vec(boolean(4, 12), 0..5),
    ) {
        let alphabet = numbered(4);
        let labels: Vec<Label> =
            formulas.iter().map(|f| alphabet.from_formula(f).unwrap()).collect();
        let classes = alphabet.classes(labels.iter().copied());
        prop_assert!(alphabet.pairwise_disjoint(classes.iter().copied()));
        prop_assert_eq!(alphabet.any_of(classes.iter().copied()), alphabet.tt());
        let satisfied = |valuation: u64| -> Vec<bool> {
            labels.iter().map(|label| alphabet.satisfied(*label, valuation)).collect()
        };
        for left in 0..16 {
            for right in 0..16 {
                let together = classes
                    .iter()
                    .any(|c| alphabet.satisfied(*c, left) && alphabet.satisfied(*c, right));
                prop_assert_eq!(together, satisfied(left) == satisfied(right));
            }
        }
    }
}
