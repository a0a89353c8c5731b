//! Certificates by sets. Two oracles: the verdict of the explicit engine, and a plain check of the
//! conditions node by node, on the states that the layers list.

use super::{claim, formulas, holds, model};
use crate::certify::{Budget, Certified, SetsFailure, build_sets, search, write_sets};
use sempre_certificate::{Claim, Condition, Deadlocks, Fair, NONE};
use sempre_certificate_sets::{Failure, Layer, SetCertificate, check, read};
use sempre_ltl::generate::Rng;
use sempre_models::plain::{self, Step};
use sempre_models::proposition::PlainPropositions;
use sempre_models::{Model, generate};
use std::collections::BTreeSet;

const BYTES: usize = 64 << 20;

/// A net with inhibitor arcs, weights and deadlocks, whose places have at most a few tokens.
fn random_net(rng: &mut Rng) -> String {
    let places = 2 + rng.index(3);
    let mut text: String = (0..places).map(|i| format!("pl p{i} ({})\n", rng.index(3))).collect();
    for transition in 0..1 + rng.index(4) {
        let mut arc =
            || (rng.index(places), 1 + rng.index(2), rng.index(places), rng.index(places));
        let (from, weight, to, other) = arc();
        let more = ["", " p0", &format!(" p{other}?-{weight}")][rng.index(3)].to_owned();
        let kept = if more == " p0" { " p1" } else { "" };
        text += &format!("tr t{transition} p{from}*{weight}{more} -> p{to}*{weight}{kept}\n");
    }
    text
}

fn check_on(model: &Model, certificate: &SetCertificate) -> Result<(), Failure> {
    check(certificate, model.net().unwrap(), 1 << 16)
}

fn bytes(certificate: &SetCertificate) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_sets(certificate, &mut bytes).unwrap();
    bytes
}

/// Returns the states of a node of diagrams: the values of the variables from the top.
fn tuples(certificate: &SetCertificate, level: usize, node: u32) -> Vec<Vec<u32>> {
    let Some(below) = level.checked_sub(1) else { return vec![vec![]] };
    let edges = certificate.levels[below].nodes().nth(node as usize).unwrap();
    let rest = |(value, child): &(u32, u32)| {
        let prefix = *value;
        let rest = tuples(certificate, below, *child).into_iter();
        rest.map(move |rest| [vec![prefix], rest].concat())
    };
    edges.iter().flat_map(rest).collect()
}

/// Returns whether the layers satisfy the conditions, node by node.
fn is_proof(model: &Model, certificate: &SetCertificate) -> bool {
    let plain = plain::of(model).unwrap();
    let obligations = certificate.claim.obligations();
    let texts = obligations.propositions().iter().map(|prop| prop.name());
    let Ok(propositions) = PlainPropositions::new(&*plain, texts) else { return false };
    let states = |layer: &Layer| -> BTreeSet<Vec<i64>> {
        let tuples = tuples(certificate, certificate.levels.len(), layer.root);
        let state = |tuple: Vec<u32>| {
            let mut state = vec![0; tuple.len()];
            for ((variable, _), value) in certificate.variables.iter().zip(tuple) {
                state[*variable as usize] = i64::from(value);
            }
            state
        };
        tuples.into_iter().map(state).collect()
    };
    let all: Vec<(Layer, BTreeSet<Vec<i64>>)> =
        certificate.layers.iter().map(|layer| (*layer, states(layer))).collect();
    let is_set = |layer: &Layer, set: &[u32]| *certificate.sets[layer.set as usize] == *set;
    let starts = plain.initial();
    let initial = obligations.initial();
    if !starts.iter().all(|state| {
        all.iter().any(|(layer, states)| is_set(layer, &initial) && states.contains(state))
    }) {
        return false;
    }
    for (layer, states) in &all {
        for state in states {
            let (mut steps, mut targets) = (Vec::new(), Vec::new());
            let walk = plain.successors(state, &mut |step: &Step, next: &[i64]| {
                steps.push(step.clone());
                targets.push(next.to_vec());
            });
            let Ok(()) = walk else { return false };
            let Ok(valuation) = propositions.holding(state, &steps) else { return false };
            match certificate.claim.deadlocks {
                Deadlocks::Report if targets.is_empty() => return false,
                Deadlocks::Stutter if targets.is_empty() => targets.push(state.clone()),
                _ => {}
            }
            let set = &certificate.sets[layer.set as usize];
            for one in obligations.expand(set, valuation).unwrap() {
                let promise = certificate.promises[layer.rank as usize] as usize;
                let keeps = promise < obligations.until_count()
                    && one.postponed[promise / 64] >> (promise % 64) & 1 == 1;
                let admits =
                    |other: &Layer| other.rank < layer.rank || (other.rank == layer.rank && keeps);
                let is_there = |target: &Vec<i64>| {
                    all.iter().any(|(other, states)| {
                        admits(other) && is_set(other, &one.next) && states.contains(target)
                    })
                };
                if !targets.iter().all(is_there) {
                    return false;
                }
            }
        }
    }
    true
}

/// Random nets with claims about them.
fn subjects(seed: u64, count: usize) -> Vec<(Model, String, Claim)> {
    let mut rng = Rng::new(seed);
    let mut properties = formulas(seed, ["p0", "2 * p1 > p0 + 1", "fireable(t0) = !deadlock"]);
    let subject = |_| {
        let text = random_net(&mut rng);
        let deadlocks = Deadlocks::NAMES[rng.index(3)].1;
        let property = properties.next().unwrap();
        let claim = Claim { model: 0, property, deadlocks, fair: Fair::All };
        (model("net", &text), text, claim)
    };
    (0..count).map(subject).collect()
}

#[test]
fn what_holds_has_layers_that_are_accepted() {
    let (mut held, mut violated, mut ranks) = (0, 0, 0);
    for (model, text, claim) in subjects(11, 300) {
        let Some(verdict) = holds(&model, &claim) else { continue };
        let context = || format!("{claim:?} of\n{text}");
        match build_sets(&claim, &model, BYTES) {
            Ok(certificate) => {
                assert!(verdict, "{}", context());
                assert_eq!(check_on(&model, &certificate), Ok(()), "{}", context());
                assert!(is_proof(&model, &certificate), "{}", context());
                assert_eq!(read(&bytes(&certificate)).as_ref(), Ok(&certificate));
                ranks = ranks.max(certificate.promises.len());
                held += 1;
            }
            Err(SetsFailure::Violated) => {
                assert!(!verdict, "{}", context());
                violated += 1;
            }
            // Unbounded nets have violations only.
            Err(failure) => assert!(matches!(failure, SetsFailure::Undefined(_)), "{failure}"),
        }
    }
    assert!(held >= 40 && violated >= 40 && ranks >= 3, "{held}, {violated}, {ranks} ranks");
}

/// Changes a number of a certificate, or leaves out one of its parts.
fn changed(certificate: &SetCertificate, rng: &mut Rng) -> SetCertificate {
    let mut other = certificate.clone();
    let (ranks, sets) = (other.promises.len(), other.sets.len());
    let layer = rng.index(other.layers.len());
    match rng.index(8) {
        0 => drop(other.layers.remove(layer)),
        1 => other.layers[layer].rank = rng.index(ranks) as u32,
        2 => other.layers[layer].set = rng.index(sets) as u32,
        3 => other.layers[layer].root = other.layers[rng.index(other.layers.len())].root,
        4 => {
            let untils = other.claim.obligations().until_count();
            let promise = rng.index(untils + 1);
            other.promises[rng.index(ranks)] =
                if promise == untils { NONE } else { promise as u32 };
        }
        5 => other.sets.swap(rng.index(sets), rng.index(sets)),
        _ => {
            // Another child, or another value that keeps the order.
            let level = rng.index(other.levels.len());
            let width = other.variables[other.variables.len() - 1 - level].1;
            let below = level.checked_sub(1).map_or(1, |below| other.levels[below].ends.len());
            let place = rng.index(other.levels[level].edges.len().max(1));
            if let Some((value, child)) = other.levels[level].edges.get_mut(place) {
                match rng.chance(0.5) {
                    true => *child = rng.index(below) as u32,
                    false => *value = rng.index(1 << width) as u32,
                }
            }
            let is_sorted = |edges: &[(u32, u32)]| edges.is_sorted_by(|a, b| a.0 < b.0);
            if !other.levels[level].nodes().all(is_sorted) {
                return certificate.clone();
            }
        }
    }
    other
}

#[test]
fn changed_layers_are_judged_as_their_nodes_are() {
    let mut rng = Rng::new(12);
    let (mut accepted, mut rejected) = (0, 0);
    let mut conditions = BTreeSet::new();
    for (model, text, claim) in subjects(12, 160) {
        let Ok(certificate) = build_sets(&claim, &model, BYTES) else { continue };
        for _ in 0..8 {
            let other = changed(&certificate, &mut rng);
            let outcome = check_on(&model, &other);
            assert_eq!(outcome.is_ok(), is_proof(&model, &other), "{other:?} of\n{text}");
            match outcome {
                Ok(()) => accepted += 1,
                Err(Failure::Rejected(rejection)) => {
                    conditions.insert(format!("{:?}", rejection.condition));
                    rejected += 1;
                }
                Err(Failure::Memory) => panic!("small diagrams fit"),
            }
        }
    }
    let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
    assert_eq!(conditions, ["Initial", "Promise", "Rank", "Successor"]);
    assert!(accepted >= 50 && rejected >= 50, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn layers_are_judged_for_other_nets_as_their_nodes_are() {
    let mut rng = Rng::new(13);
    let mut rejected = 0;
    for (original, text, claim) in subjects(13, 120) {
        let Ok(certificate) = build_sets(&claim, &original, BYTES) else { continue };
        for _ in 0..4 {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let places = certificate.variables.len();
            let line = rng.index(lines.len());
            match lines[line].rsplit_once(' ') {
                // Another initial number of tokens, or one more or less arc.
                Some((start, _)) if line < places => {
                    lines[line] = format!("{start} ({})", rng.index(4));
                }
                Some((start, _)) if rng.chance(0.5) => lines[line] = start.to_owned(),
                _ => {
                    lines.push(format!("tr more p{} -> p{}", rng.index(places), rng.index(places)))
                }
            }
            let text = lines.join("\n");
            let other = model("net", &text);
            let accepted = check_on(&other, &certificate).is_ok();
            assert_eq!(accepted, is_proof(&other, &certificate), "{certificate:?} of\n{text}");
            if holds(&other, &claim) == Some(false) {
                assert!(!accepted, "{claim:?} was accepted for\n{text}");
                rejected += 1;
            }
        }
    }
    assert!(rejected >= 20, "{rejected} rejected");
}

#[test]
fn changed_bytes_of_layers_prove_nothing_wrong() {
    let mut rng = Rng::new(14);
    let (mut malformed, mut rejected, mut accepted) = (0, 0, 0);
    for (model, text, claim) in subjects(14, 200) {
        let Ok(certificate) = build_sets(&claim, &model, BYTES) else { continue };
        let file = bytes(&certificate);
        for _ in 0..60 {
            let mut other = file.clone();
            // Most bits of a small file are in its header.
            let place = match rng.chance(0.2) {
                true => rng.index(other.len()),
                false => other.len() - 1 - rng.index(other.len().min(40)),
            };
            match rng.index(3) {
                0 => other.truncate(place),
                1 => other[place] = rng.below(256) as u8,
                _ => other[place] ^= 1 << rng.index(8),
            }
            match read(&other) {
                Err(_) => malformed += 1,
                Ok(other) if check_on(&model, &other).is_ok() => {
                    assert_ne!(holds(&model, &other.claim), Some(false), "{other:?} of\n{text}");
                    accepted += 1;
                }
                Ok(_) => rejected += 1,
            }
        }
    }
    let counts = [malformed, rejected, accepted];
    assert!(malformed >= 100 && rejected >= 10 && accepted >= 10, "{counts:?}");
}

/// About 10^28 states.
#[test]
fn a_large_net_has_a_certificate_by_sets() {
    let net = generate::family("philosophers").unwrap().net(42).unwrap();
    let model = Model::from(net);
    let claim = claim("G !(eats_0 & eats_1)", Deadlocks::Stutter, Fair::All);
    let plain = plain::of(&model).unwrap();
    let found = search(&claim, &model, &*plain, Budget::default()).unwrap();
    let Certified::Sets(certificate) = found else { panic!("a table of 10^28 states") };
    assert_eq!(certificate.promises.len(), 1);
    let net = model.net().unwrap();
    assert_eq!(check(&certificate, net, 1 << 20), Ok(()));
    // Without room for nodes there is no verdict.
    assert_eq!(check(&certificate, net, 1 << 8), Err(Failure::Memory));
    let broken = SetCertificate { layers: vec![], ..certificate };
    assert!(matches!(
        check(&broken, net, 1 << 20),
        Err(Failure::Rejected(rejection)) if rejection.condition == Condition::Initial
    ));
}

#[test]
fn sets_do_not_cover_programs_and_fairness() {
    let kripke = model("kripke", "init a; state a: p -> a;");
    let all = claim("G p", Deadlocks::Stutter, Fair::All);
    assert!(matches!(build_sets(&all, &kripke, BYTES), Err(SetsFailure::Uncovered(_))));
    let net = model("net", "pl p (1)\ntr t p -> p\n");
    let fair = claim("G p", Deadlocks::Stutter, Fair::Transitions);
    assert!(matches!(build_sets(&fair, &net, BYTES), Err(SetsFailure::Uncovered(_))));
    let mut certificate = build_sets(&all, &net, BYTES).unwrap();
    assert_eq!(check_on(&net, &certificate), Ok(()));
    certificate.claim.fair = Fair::Transitions;
    assert!(matches!(
        check_on(&net, &certificate),
        Err(Failure::Rejected(rejection)) if rejection.condition == Condition::Meaning
    ));
}
