//! Proofs: all are accepted, corrupted ones are rejected, and snapshots of their text.

use super::{Premise, Proof, Reason, Step, check, explain};
use crate::{Formula, Word, arbitrary, semantics};
use proptest::prelude::*;
use smallvec::smallvec;

fn formula(text: &str) -> Formula {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn word(text: &str) -> Word {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// True if every claim of the proof is true, by evaluation.
fn is_true(proof: &Proof) -> bool {
    proof.steps.iter().all(|step| {
        semantics::positions(&step.formula, &proof.word).contains(step.position) == step.holds
    })
}

/// One way to corrupt a proof.
#[derive(Clone, Copy, Debug)]
enum Corruption {
    FlipValue,
    MoveStep,
    RemoveStep,
    ChangeReason,
    MoveWitness,
    DropPremise,
    FlipPremise,
    MovePremise,
    ShortenPremise,
    LengthenPremise,
    /// Replaces the formula of a premise by that of another step.
    Redirect,
}

use Corruption as C;
const CORRUPTIONS: [Corruption; 11] = [
    C::FlipValue,
    C::MoveStep,
    C::RemoveStep,
    C::ChangeReason,
    C::MoveWitness,
    C::DropPremise,
    C::FlipPremise,
    C::MovePremise,
    C::ShortenPremise,
    C::LengthenPremise,
    C::Redirect,
];

/// Corrupts a proof; false if that changed nothing.
fn corrupt(proof: &mut Proof, corruption: Corruption, place: usize, value: usize) -> bool {
    let before = proof.clone();
    let (len, count) = (proof.word.len(), proof.steps.len());
    let other = proof.steps[value % count].formula.clone();
    let with_premises: Vec<usize> =
        (0..count).filter(|&i| !proof.steps[i].premises.is_empty()).collect();
    match corruption {
        C::FlipValue => proof.steps[place % count].holds ^= true,
        C::MoveStep => proof.steps[place % count].position = value % (len + 1),
        C::RemoveStep => {
            proof.steps.remove(place % count);
        }
        C::ChangeReason => {
            let witness = value % len;
            proof.steps[place % count].reason = [
                Reason::Letter,
                Reason::Operands,
                Reason::Next,
                Reason::Before { witness },
                Reason::Through { witness },
                Reason::Forever,
            ][value / len % 6];
        }
        C::MoveWitness => {
            let step = &mut proof.steps[place % count];
            if let Reason::Before { witness } | Reason::Through { witness } = &mut step.reason {
                *witness = value % (len + 1);
            }
        }
        _ if with_premises.is_empty() => {}
        _ => {
            let step = &mut proof.steps[with_premises[place % with_premises.len()]];
            let which = value % step.premises.len();
            let premise = &mut step.premises[which];
            match corruption {
                C::DropPremise => {
                    step.premises.remove(which);
                }
                C::FlipPremise => premise.holds ^= true,
                C::MovePremise => premise.first = value / 3 % (len + 1),
                C::ShortenPremise => premise.count = premise.count.saturating_sub(1),
                C::LengthenPremise => premise.count += 1 + value % len,
                _ => premise.formula = other,
            }
        }
    }
    *proof != before
}

proptest! {
    #[test]
    fn every_proof_is_accepted(f in arbitrary::formula(20), word in arbitrary::word(5)) {
        let proof = explain(&f, &word);
        prop_assert_eq!(proof.holds(), semantics::holds(&f, &word));
        prop_assert_eq!(check(&proof, &f, &word), Ok(()));
        prop_assert!(is_true(&proof));
    }

    /// The checker rejects every false claim.
    #[test]
    fn accepted_proofs_are_true(
        f in arbitrary::formula(12),
        word in arbitrary::word(4),
        corruptions in prop::collection::vec(
            (prop::sample::select(&CORRUPTIONS[..]), 0..1000usize, 0..1000usize),
            1..4,
        ),
    ) {
        let mut proof = explain(&f, &word);
        for (corruption, place, value) in corruptions {
            if !proof.steps.is_empty() {
                corrupt(&mut proof, corruption, place, value);
            }
        }
        if check(&proof, &f, &word).is_ok() {
            prop_assert!(is_true(&proof));
        }
    }

    /// No part of a proof is redundant.
    #[test]
    fn proofs_are_minimal(
        f in arbitrary::formula(12),
        word in arbitrary::word(4),
        place in 0..1000usize,
        value in 0..1000usize,
    ) {
        let proof = explain(&f, &word);
        for corruption in [C::FlipValue, C::RemoveStep, C::DropPremise, C::ShortenPremise, C::FlipPremise] {
            let mut corrupted = proof.clone();
            if !corrupt(&mut corrupted, corruption, place, value) {
                continue;
            }
            // `f R f` has the same premise twice.
            let doubled = proof.steps.iter().any(|step| {
                step.premises.len() == 2 && step.premises[0].formula == step.premises[1].formula
            });
            if !doubled {
                prop_assert!(check(&corrupted, &f, &word).is_err(), "{corruption:?} {corrupted:?}");
            }
        }
    }

    #[test]
    fn every_number_in_a_proof_has_its_line(f in arbitrary::formula(30), word in arbitrary::word(6)) {
        let text = explain(&f, &word).to_string();
        let (_, claims) = text.split_once("\n\n").unwrap();
        let mut mentioned = 1;
        for (i, line) in claims.lines().enumerate() {
            let start = format!("[{}] ", i + 1);
            prop_assert!(line.starts_with(&start), "{}", text);
            for reference in line[start.len()..].split('[').skip(1) {
                let number = reference.split_once(']').unwrap().0.parse::<usize>().unwrap();
                // New numbers come in order.
                prop_assert!(number <= mentioned + 1, "{}", text);
                mentioned = mentioned.max(number);
            }
        }
        prop_assert_eq!(mentioned, claims.lines().count());
    }
}

#[test]
fn proofs_about_something_else_are_refused() {
    let (f, w) = (formula("a U b"), word("a; cycle{b}"));
    let proof = explain(&f, &w);
    let refused =
        |proof: &Proof, f: &str, w: &Word| check(proof, &formula(f), w).unwrap_err().to_string();
    assert_eq!(refused(&proof, "a U b", &word("b; cycle{b}")), "the proof is about another word");
    let other = "the proof does not conclude with the formula at position 0";
    assert_eq!(refused(&proof, "a W b", &w), other);
    assert_eq!(refused(&Proof { word: w.clone(), steps: vec![] }, "a U b", &w), other);
}

#[test]
fn a_claim_cannot_rest_on_itself() {
    let (f, w) = (formula("X X a"), word("cycle{!a}"));
    let inner = formula("X a");
    let claim = |about: &Formula, premise: &Formula| Step {
        formula: about.clone(),
        position: 0,
        holds: true,
        reason: Reason::Next,
        premises: smallvec![Premise { formula: premise.clone(), holds: true, first: 0, count: 1 }],
    };
    for steps in [vec![claim(&f, &f)], vec![claim(&f, &inner), claim(&inner, &f)]] {
        let error = check(&Proof { word: w.clone(), steps }, &f, &w).unwrap_err();
        assert!(error.to_string().ends_with("a premise is not about a smaller formula"));
    }
}

#[test]
fn deep_formulas_have_proofs() {
    let w = word("a; b; cycle{a; a&b}");
    let mut f = Formula::prop("b");
    while f.depth() < 100_000 {
        f = Formula::not(Formula::until("a", Formula::next(f)));
        if f.depth() == 9_000 {
            // Formulas are abbreviated, so that the text is not of quadratic length.
            let proof = explain(&f, &w);
            assert!(proof.to_string().len() < 100 * proof.steps().len() + 1000);
        }
    }
    let proof = explain(&f, &w);
    check(&proof, &f, &w).unwrap();
}

#[test]
fn long_words_have_proofs_of_linear_size() {
    let f = formula("G G F G G !(a U c)");
    let w = Word::from_fn(["a", "b"], 2_000, 1_000, |i, k| k == 0 && i % 7 != 0).unwrap();
    let proof = explain(&f, &w);
    check(&proof, &f, &w).unwrap();
    let premises: usize = proof.steps().iter().map(|step| step.premises.len()).sum();
    assert!(proof.steps().len() <= f.dag_size() * w.len());
    assert!(premises <= 2 * proof.steps().len());
    let until = &proof.steps().iter().find(|step| step.formula == formula("a U c")).unwrap();
    let positions: Vec<usize> = until.premises[1].positions(&w).collect();
    assert_eq!((positions.len(), positions[0]), (until.premises[1].count, until.position));
}

fn text(f: &str, w: &str) -> String {
    let (f, w) = (formula(f), word(w));
    let proof = explain(&f, &w);
    check(&proof, &f, &w).unwrap();
    proof.to_string()
}

#[test]
fn until() {
    insta::assert_snapshot!(text("a U b", "a; a; cycle{b; a}"), @r"
    position 0: a & !b
    position 1: a & !b
    position 2: !a & b   the cycle starts here
    position 3: a & !b   2 comes next

    [1] a U b holds at 0: b holds at 2, and a holds before, at 0 and 1
    ");
    insta::assert_snapshot!(text("a U b", "a; a; 1; cycle{b}"), @r"
    position 0: a & !b
    position 1: a & !b
    position 2: !a & !b
    position 3: !a & b    for ever

    [1] a U b fails at 0: a fails at 2, and b fails up to there, at 0 to 2
    ");
    insta::assert_snapshot!(text("a U b", "a; cycle{a}"), @r"
    position 0: a & !b
    position 1: a & !b   for ever

    [1] a U b fails at 0: b fails for ever, at 0 and 1
    ");
}

#[test]
fn response() {
    insta::assert_snapshot!(text("G(a -> F b)", "a; 1; cycle{b; a; 1}"), @r"
    position 0: a & !b
    position 1: !a & !b
    position 2: !a & b    the cycle starts here
    position 3: a & !b
    position 4: !a & !b   2 comes next

    [1] G(a -> Fb) holds at 0: a -> Fb holds for ever, at 0 and 3 [2], and at 1, 2 and 4 [3]
    [2] a -> Fb holds at 0 and 3: Fb holds at 0 [4], and at 3 [5]
    [3] a -> Fb holds at 1, 2 and 4: a fails at 1, 2 and 4
    [4] Fb holds at 0: b holds at 2
    [5] Fb holds at 3: b holds in the next round, at 2
    ");
}

#[test]
fn the_others() {
    insta::assert_snapshot!(text("G(p4 & (p2 U (!!p3 & F p4)))", "p4; cycle{p3&p4}"), @r"
    position 0: !p2 & !p3 & p4
    position 1: !p2 & p3 & p4    for ever

    [1] G(p4 & (p2 U (!!p3 & Fp4))) fails at 0: p4 & (p2 U (!!p3 & Fp4)) fails at 0 [2]
    [2] p4 & (p2 U (!!p3 & Fp4)) fails at 0: p2 U (!!p3 & Fp4) fails at 0 [3]
    [3] p2 U (!!p3 & Fp4) fails at 0: p2 fails at 0, and !!p3 & Fp4 fails up to there, at 0 [4]
    [4] !!p3 & Fp4 fails at 0: !!p3 fails at 0 [5]
    [5] !!p3 fails at 0: !p3 holds at 0
    ");
    insta::assert_snapshot!(text("(a W b) <-> !(a M b)", "a; cycle{a&b; a}"), @r"
    position 0: a & !b
    position 1: a & b    the cycle starts here
    position 2: a & !b   1 comes next

    [1] (a W b) <-> !(a M b) holds at 0: a W b holds at 0 [2], and !(a M b) holds at 0 [3]
    [2] a W b holds at 0: b holds at 1, and a holds before, at 0
    [3] !(a M b) holds at 0: a M b fails at 0 [4]
    [4] a M b fails at 0: b fails at 0
    ");
    insta::assert_snapshot!(text("Fs a & Gs(b -> Fs a)", "b; cycle{b; a; b}"), @r"
    position 0: !a & b
    position 1: !a & b   the cycle starts here
    position 2: a & !b
    position 3: !a & b   1 comes next

    [1] Fs a & Gs(b -> Fs a) holds at 0: Fs a holds at 0 [2], and Gs(b -> Fs a) holds at 0 [3]
    [2] Fs a holds at 0 and 1: a holds at 2
    [3] Gs(b -> Fs a) holds at 0: b -> Fs a holds for ever, at 1 and 3 [4], and at 2 [5]
    [4] b -> Fs a holds at 1 and 3: Fs a holds at 1 [2], and at 3 [6]
    [5] b -> Fs a holds at 2: b fails at 2
    [6] Fs a holds at 3: a holds in the next round, at 2
    ");
    insta::assert_snapshot!(text("!(a xor X(b R a))", "a; b; cycle{a;a}"), @r"
    position 0: a & !b
    position 1: !a & b
    position 2: a & !b   the cycle starts here
    position 3: a & !b   2 comes next

    [1] !(a xor X(b R a)) fails at 0: a xor X(b R a) holds at 0 [2]
    [2] a xor X(b R a) holds at 0: a holds at 0, but X(b R a) fails at 0 [3]
    [3] X(b R a) fails at 0: b R a fails next, at 1 [4]
    [4] b R a fails at 1: a fails at 1
    ");
}

#[test]
fn nothing_but_a_letter() {
    insta::assert_snapshot!(text("a", "cycle{a}"), @r"
    position 0: a   for ever

    [1] a holds at 0: its letter says so
    ");
    insta::assert_snapshot!(text("0", "cycle{a}"), @r"
    position 0: 1   for ever

    [1] 0 fails at 0: it is a constant
    ");
}
