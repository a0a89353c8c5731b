use super::super::{OperatorSet, Rng};
use super::*;
use proptest::prelude::*;

/// Occurrences of every operator in the tree, an n-ary node counted as n - 1 binary ones.
fn occurrences(formula: &Formula) -> [u64; Op::ALL.len()] {
    let mut counts = [0; Op::ALL.len()];
    let mut stack = vec![formula];
    while let Some(node) = stack.pop() {
        counts[node.op() as usize] +=
            if node.op().arity() == Arity::Nary { node.children().len() as u64 - 1 } else { 1 };
        stack.extend(node.children());
    }
    counts
}

fn of_arity(counts: &[u64], wanted: impl Fn(Arity) -> bool) -> u64 {
    Op::ALL.into_iter().filter(|op| wanted(op.arity())).map(|op| counts[op as usize]).sum()
}

proptest! {
    #[test]
    fn the_size_is_exact_and_the_tree_adds_up(size in 1_usize..60, seed: u64) {
        let priorities = Priorities::equal(3).adjusted("Fs=1,Gs=2").unwrap();
        let generator = Generator::new(["a", "b", "c"], &priorities).unwrap();
        let formula = generator.formula(size, &mut Rng::new(seed)).unwrap();
        prop_assert_eq!(formula.size(), size as u64);
        let counts = occurrences(&formula);
        let unary = of_arity(&counts, |arity| arity == Arity::Unary);
        let leaves = of_arity(&counts, |arity| arity == Arity::Leaf);
        let binary = of_arity(&counts, |arity| matches!(arity, Arity::Binary | Arity::Nary));
        prop_assert_eq!(unary + 2 * binary, size as u64 - 1);
        prop_assert_eq!(leaves, binary + 1);
    }

    #[test]
    fn without_unary_operators_sizes_are_odd(half in 0_usize..30, seed: u64) {
        let priorities = Priorities::none().adjusted("U=1,&=2,ap=1").unwrap();
        let generator = Generator::new(["a"], &priorities).unwrap();
        let formula = generator.formula(2 * half + 1, &mut Rng::new(seed)).unwrap();
        prop_assert_eq!(formula.size(), 2 * half as u64 + 1);
        prop_assert!(generator.formula(2 * half + 2, &mut Rng::new(seed)).is_err());
    }
}

/// Property P14: the mean number of occurrences of each operator agrees with the theory.
#[test]
fn operators_are_as_frequent_as_expected() {
    use super::super::distribution::probabilities;
    let samples = 4000;
    let cases = [
        (Priorities::report(OperatorSet::Op1, 5).unwrap(), 5),
        (Priorities::report(OperatorSet::Op2, 12).unwrap(), 12),
        (Priorities::equal(5), 9),
        (Priorities::none().adjusted("U=1,|=3,ap=1,false=2").unwrap(), 11),
        (Priorities::none().adjusted("X=1,G=3,ap=1,false=2").unwrap(), 6),
    ];
    for (seed, (priorities, size)) in cases.into_iter().enumerate() {
        let generator = Generator::new(["a", "b", "c", "d", "e"], &priorities).unwrap();
        let mut rng = Rng::new(seed as u64);
        let mut sums = [0_u64; Op::ALL.len()];
        for _ in 0..samples {
            let formula = generator.formula(size, &mut rng).unwrap();
            for (sum, count) in sums.iter_mut().zip(occurrences(&formula)) {
                *sum += count;
            }
        }
        for op in Op::ALL {
            let distribution = probabilities(&priorities, op, size).unwrap();
            let moment = |power| -> f64 {
                let terms = distribution.iter().enumerate();
                terms.map(|(k, p)| (k as f64).powi(power) * p).sum()
            };
            let deviation = ((moment(2) - moment(1).powi(2)) / f64::from(samples)).sqrt();
            let mean = sums[op as usize] as f64 / f64::from(samples);
            assert!(
                (mean - moment(1)).abs() <= 4.0 * deviation + 1e-9,
                "{op:?} in size {size}: {mean} instead of {}",
                moment(1)
            );
        }
    }
}

#[test]
fn the_formulas_of_a_seed_never_change() {
    let first = |recipe: RandomFormulas| -> Vec<String> {
        let formulas = recipe.generate().unwrap().take(4);
        formulas.map(|formula| formula.unwrap().to_string()).collect()
    };
    let default = first(RandomFormulas::over(["a", "b", "c"]));
    let sizes = first(RandomFormulas::over_numbered(12).sizes(3..=8).seed(1));
    let report = Priorities::report(OperatorSet::Op2, 7).unwrap();
    let props = ["a", "b", "c", "d", "e"];
    let report = first(RandomFormulas::over(props).size(7).priorities(report).seed(u64::MAX));
    insta::assert_snapshot!([default, sizes, report].concat().join("\n"), @r"
    FG(1) -> (((a | c) U 0) & (0 W (a U 1)))
    X(1) M ((0 -> X(1)) W (!c xor (X(1) R c)))
    !((F(1) R (1 U 1)) & F!(!0 & G(0)))
    !(0 R !(Fc W X(c <-> GF!!b)))
    p7 & 1 & Xp1
    p9 xor (p0 W (p2 | X(0)))
    G(p1 & (p3 U p9))
    X(p1 M 0)
    F(0) <-> X(e & 0)
    a -> (Ge U !d)
    !X(Gd | G(0))
    Fc U (b R Xe)
    ");
}

#[test]
fn sizes_are_uniform_in_the_range() {
    let stream = RandomFormulas::over_numbered(4).sizes(3..=6).generate().unwrap();
    let mut seen = [0_u32; 7];
    for formula in stream.take(4000) {
        seen[formula.unwrap().size() as usize] += 1;
    }
    assert!(seen[3..].iter().all(|count| count.abs_diff(1000) < 137), "{seen:?}");

    let no_unary = Priorities::none().adjusted("U=1,ap=1").unwrap();
    let stream = RandomFormulas::over(["a"]).sizes(2..=6).priorities(no_unary).generate().unwrap();
    let sizes: FxHashSet<u64> = stream.take(100).map(|f| f.unwrap().size()).collect();
    assert!(sizes.len() == 2 && sizes.contains(&3) && sizes.contains(&5));
}

#[test]
fn contradictions_are_reported() {
    let error = |recipe: RandomFormulas| recipe.generate().err().unwrap().to_string();
    let set = |text: &str| Priorities::none().adjusted(text).unwrap();
    let base = || RandomFormulas::over(["a"]);
    insta::assert_snapshot!(error(base().size(0)), @"a formula has at least size 1");
    insta::assert_snapshot!(error(base().sizes(0..=3)), @"a formula has at least size 1");
    insta::assert_snapshot!(error(base().size(1_000_000_000_000)), @"formula size 1000000000000 is over the limit of 10000000");
    insta::assert_snapshot!(error(base().sizes(RangeInclusive::new(5, 3))), @"no formula size is at least 5 and at most 3");
    insta::assert_snapshot!(error(base().priorities(set("X=1"))), @"random formulas need a leaf of positive priority: a proposition, true or false");
    insta::assert_snapshot!(error(RandomFormulas::over_numbered(0).priorities(set("X=1,ap=3"))), @"random formulas need a leaf of positive priority: a proposition, true or false");
    insta::assert_snapshot!(error(base().size(3).priorities(set("ap=1"))), @"a formula of size 3 needs an operator of positive priority");
    insta::assert_snapshot!(error(base().size(4).priorities(set("ap=1,U=1"))), @"without unary operators all formulas have odd sizes, so none has size 4");
    assert!(base().size(1).priorities(set("ap=1")).generate().is_ok());
    assert!(RandomFormulas::over_numbered(0).generate().is_ok());
}

#[test]
fn unique_formulas_end_when_there_are_no_more() {
    let priorities = Priorities::none().adjusted("X=1,F=1,ap=1").unwrap();
    let stream =
        RandomFormulas::over(["a", "b"]).size(3).priorities(priorities).unique().generate();
    let drawn: Vec<_> = stream.unwrap().collect();
    assert_eq!(drawn.iter().filter(|drawn| drawn.is_ok()).count(), 8);
    assert_eq!(drawn.len(), 9);
    insta::assert_snapshot!(drawn[8].as_ref().unwrap_err(), @"no new formula among the last 100000 after 8 different ones; larger sizes or more propositions give more");
}

#[test]
fn rewriting_comes_before_uniqueness() {
    let stream = RandomFormulas::over(["a"])
        .rewritten_by(|formula| Formula::constant(formula.size() > 3))
        .unique()
        .generate();
    let drawn: Vec<_> = stream.unwrap().collect();
    assert_eq!(drawn[0].as_ref(), Ok(&Formula::tt()));
    assert!(drawn.len() == 2 && drawn[1].is_err());
}

#[test]
fn large_formulas_need_no_stack() {
    let wide = Generator::new(["a", "b"], &Priorities::equal(2)).unwrap();
    assert_eq!(wide.formula(1_000_000, &mut Rng::new(0)).unwrap().size(), 1_000_000);
    let chain = Priorities::none().adjusted("X=1,!=1,ap=1").unwrap();
    let deep = Generator::new(["a"], &chain).unwrap();
    assert_eq!(deep.formula(200_000, &mut Rng::new(0)).unwrap().depth(), 199_999);
    let conjunction = Priorities::none().adjusted("&=1,ap=1").unwrap();
    let flat = Generator::new(["a", "b"], &conjunction).unwrap();
    assert_eq!(flat.formula(200_001, &mut Rng::new(0)).unwrap().children().len(), 100_001);
}

/// All formulas of a size over these leaves and operators, by brute force over trees.
fn all_formulas(size: usize, leaves: &[Formula], ops: &[Op]) -> FxHashSet<Formula> {
    let mut of_size: Vec<FxHashSet<Formula>> =
        vec![FxHashSet::default(), leaves.iter().cloned().collect()];
    for size in 2..=size {
        let mut all = FxHashSet::default();
        for &op in ops {
            if op.arity() == Arity::Unary {
                all.extend(of_size[size - 1].iter().map(|f| Formula::new(op, [f.clone()])));
                continue;
            }
            for left in 1..size - 1 {
                for l in &of_size[left] {
                    let right = &of_size[size - 1 - left];
                    all.extend(right.iter().map(|r| Formula::new(op, [l.clone(), r.clone()])));
                }
            }
        }
        of_size.push(all);
    }
    of_size.swap_remove(size)
}

#[test]
fn formulas_are_counted_as_by_brute_force() {
    let leaves = [Formula::prop("a"), Formula::prop("b"), Formula::tt()];
    let ops = [Op::Not, Op::And, Op::Or, Op::Iff, Op::Until];
    let uniform = Uniform::new(leaves.to_vec(), ops.to_vec(), 6).unwrap();
    for size in 1..=6 {
        let all = all_formulas(size, &leaves, &ops);
        assert_eq!(uniform.count(size), all.len() as f64, "size {size}");
    }
}

#[test]
fn uniform_formulas_are_equally_likely() {
    // Conjunctions of three leaves are multisets, and `a <-> b` has no order.
    for (list, size) in [("&=1,ap=1", 7), ("&=1,|=1,!=1,<->=1,ap=1", 5), ("U=3,X=1,ap=1", 5)] {
        let priorities = Priorities::none().adjusted(list).unwrap();
        let is_operator = |op: &Op| op.arity() != Arity::Leaf && priorities.weight(*op) > 0;
        let ops: Vec<Op> = Op::ALL.into_iter().filter(is_operator).collect();
        let all = all_formulas(size, &[Formula::prop("a"), Formula::prop("b")], &ops);
        let samples = 50 * all.len();
        let stream =
            RandomFormulas::over(["a", "b"]).size(size).priorities(priorities).uniform().seed(1);
        let mut seen: rustc_hash::FxHashMap<Formula, f64> = Default::default();
        for formula in stream.generate().unwrap().take(samples) {
            *seen.entry(formula.unwrap()).or_default() += 1.0;
        }
        assert!(seen.keys().all(|formula| all.contains(formula)));
        let square = |formula| (seen.get(formula).copied().unwrap_or(0.0) - 50.0).powi(2) / 50.0;
        let chi: f64 = all.iter().map(square).sum();
        // Five standard deviations above the mean of the chi-squared distribution.
        let freedom = (all.len() - 1) as f64;
        assert!(chi < freedom + 5.0 * (2.0 * freedom).sqrt(), "{list}: {chi} of {freedom}");
    }
}

#[test]
fn uniform_formulas_have_a_largest_size() {
    for (size, text) in [(400, "too many formulas"), (2000, "at most size 500")] {
        let error = RandomFormulas::over(["a"]).size(size).uniform().generate().err().unwrap();
        assert!(error.to_string().contains(text), "{error}");
    }
}
