//! Small shapes that single conditions decide, systems changed in their texts, and formulas that were
//! simplified wrongly.

use super::*;
use sempre_ltl::rewrite::nnf;
use sempre_ltl::{Op, Word, semantics, transform};

/// All words of up to four letters, repeated, as structures of one cycle: the marks of each single
/// step decide.
#[test]
fn each_step_of_a_cycle_decides() {
    let properties = [
        "F G !a",
        "!(G F a & G F b)",
        "F G !a | F G !b",
        "!G(a -> F b)",
        "G F a -> G F b",
        "(a U b) | F G c",
    ];
    let (mut held, mut violated) = (0, 0);
    for length in 1..=4 {
        for code in 0..1u64 << (2 * length) {
            let labels = (0..length).map(|place| code >> (2 * place) & 3).collect();
            let edges = (0..length).map(|place| (place, (place + 1) % length)).collect();
            let structure = Structure { labels, edges, initial: vec![0] };
            let model = structure.model();
            let names = ["a", "b", "c"];
            let letters = &structure.labels;
            let word = Word::from_valuations(names, &[], letters).unwrap();
            for text in properties {
                let claim = claim(text, Deadlocks::Stutter, Fair::All);
                let context = || format!("{text} of\n{}", structure.text());
                match semantics::holds(&claim.property, &word) {
                    true => {
                        let certificate = certified(&model, &claim).unwrap();
                        assert_eq!(checked(&model, &certificate), Ok(()), "{}", context());
                        held += 1;
                    }
                    false => {
                        let failure = certified(&model, &claim).err();
                        assert_eq!(failure, Some(Failure::Violated), "{}", context());
                        violated += 1;
                    }
                }
            }
        }
    }
    assert!(held >= 400 && violated >= 400, "{held} hold, {violated} are violated");
}

/// The promise of a rank is kept by no step within it; that of another until, or of another
/// component, proves nothing.
#[test]
fn promises_of_others_are_rejected() {
    let others = |model: &Model, claim: &Claim| {
        let certificate = certified(model, claim).unwrap();
        assert_eq!(checked(model, &certificate), Ok(()));
        let count = claim.obligations().until_count() as u32 + 2;
        let used: Vec<u32> = certificate.promises.clone();
        for promise in (0..count).filter(|promise| !used.contains(promise)) {
            let mut changed = certificate.clone();
            let made = changed.promises.iter_mut().filter(|promise| **promise != NONE);
            made.for_each(|made| *made = promise);
            let rejection = checked(model, &changed).expect_err("another promise is accepted");
            assert_eq!(rejection.condition, Condition::Promise, "{promise} of {claim:?}");
        }
        used.iter().filter(|promise| **promise != NONE).count()
    };
    // The lamp is lit now and then; it is never in two states together.
    let lamp = model("kripke", "init off; state off -> on; state on: lit -> off on;");
    let untils = claim("!(G F lit & G F (on & off))", Deadlocks::Stutter, Fair::All);
    assert!(others(&lamp, &untils) > 0);
    let untils = claim("!(G F (on & off) & G F lit)", Deadlocks::Stutter, Fair::All);
    assert!(others(&lamp, &untils) > 0);
    // `u` can always step and never does; `t` steps.
    for text in ["pl p (1)\ntr t p -> p\ntr u p -> q\n", "pl p (1)\ntr u p -> q\ntr t p -> p\n"] {
        let fair = claim("F q > 0", Deadlocks::Stutter, Fair::Transitions);
        assert!(others(&model("net", text), &fair) > 0);
    }
}

/// The text without one of its parts, or with another number in it; each is one change of a system.
fn changed_texts(text: &str, parts: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    for part in parts {
        texts.extend(text.match_indices(part).map(|(place, part)| {
            let (before, after) = (&text[..place], &text[place + part.len()..]);
            format!("{before}{after}")
        }));
    }
    texts
}

/// Guards and inputs that are missing, other initial values, and a transition more.
#[test]
fn a_certificate_is_rejected_for_changed_programs_and_nets() {
    let mut rng = Rng::new(9);
    let (mut rejected, mut wrong) = (0, 0);
    let mut show = |language: &str, texts: Vec<String>, certificate: &Certificate| {
        for text in texts {
            let other = model(language, &text);
            if !assert_sound(&other, &text, certificate) {
                rejected += 1;
                wrong += usize::from(holds(&other, &certificate.claim) == Some(false));
            }
        }
    };
    let mut of_programs = formulas(9, ["P.s1", "x > 0", "Q = s1"]);
    let mut of_nets = formulas(9, ["p0", "p1 > p0", "fireable(t0)"]);
    for _ in 0..60 {
        let text = random_dve(&mut rng);
        let property = of_programs.next().unwrap();
        let claim = Claim { model: 0, property, deadlocks: Deadlocks::Stutter, fair: Fair::All };
        if let Ok(certificate) = certified(&model("dve", &text), &claim) {
            let guards = ["guard x == 0;", "guard x > 0;", "guard x < 2;"];
            let mut texts = changed_texts(&text, &guards);
            texts.push(text.replace("byte x;", "byte x = 1;"));
            texts.push(text.replacen("trans s", "trans s0 -> s1 {}, s", 1));
            show("dve", texts, &certificate);
        }
        let text = random_net(&mut rng);
        let property = of_nets.next().unwrap();
        let claim = Claim { model: 0, property, deadlocks: Deadlocks::Stutter, fair: Fair::All };
        if let Ok(certificate) = certified(&model("net", &text), &claim) {
            let mut texts =
                vec![text.replacen("(0)", "(1)", 1), format!("{text}tr more p0 -> p1\n")];
            texts.push(text.replacen("(1)", "(0)", 1));
            show("net", texts, &certificate);
        }
    }
    assert!(rejected >= 60 && wrong >= 20, "{rejected} rejected, {wrong} of them violated");
}

/// Rules of simplification that are wrong make formulas weaker, so that engines call them true. The
/// formulas as they were given have no certificate, and those of the weaker ones prove nothing.
#[test]
fn formulas_that_were_simplified_wrongly_have_no_certificate() {
    type Rule = fn(Formula) -> Formula;
    let rules: [Rule; 5] = [
        |f| match (f.op(), f.children()) {
            (Op::Until, [a, b]) => Formula::weak_until(a.clone(), b.clone()),
            _ => f,
        },
        |f| match (f.op(), f.children()) {
            (Op::Globally, [a]) => Formula::finally(Formula::globally(a.clone())),
            _ => f,
        },
        |f| match (f.op(), f.children()) {
            (Op::Next, [a]) => Formula::finally(a.clone()),
            _ => f,
        },
        |f| match (f.op(), f.children()) {
            (Op::StrongRelease, [a, b]) => Formula::release(a.clone(), b.clone()),
            _ => f,
        },
        |f| match (f.op(), f.children()) {
            (Op::And, [a, ..]) => a.clone(),
            _ => f,
        },
    ];
    let mut wrong = 0;
    for (model, text, claim) in subjects(10, 400) {
        if holds(&model, &claim) != Some(false) {
            continue;
        }
        let failure = certified(&model, &claim).err();
        assert_eq!(failure, Some(Failure::Violated), "{claim:?} of\n{text}");
        // In negation normal form, all operators are monotonous.
        let normal = nnf(&claim.property);
        for rule in rules {
            let property = transform(&normal, rule);
            let weaker = Claim { property, ..claim.clone() };
            let Ok(mut certificate) = certified(&model, &weaker) else { continue };
            wrong += 1;
            certificate.claim.property = claim.property.clone();
            let formulas = certificate.claim.obligations().formula_count() as u32;
            if certificate.sets.iter().flatten().all(|formula| *formula < formulas) {
                assert!(checked(&model, &certificate).is_err(), "{claim:?} of\n{text}");
            }
        }
    }
    assert!(wrong >= 10, "{wrong} wrong verdicts");
}
