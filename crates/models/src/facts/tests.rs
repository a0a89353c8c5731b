//! Facts are compared with explorations, on random and on generated models.

use super::*;
use crate::generate::{PROCESS_PROPOSITIONS, families, random_processes};
use crate::languages;
use crate::system::{Fault, Successors};
use rustc_hash::FxHashMap;
use sempre_ltl::Word;
use sempre_ltl::generate::Rng;
use sempre_ltl::semantics::holds;
use std::collections::BTreeMap;

/// The explored part of a system, and the valuations of its states.
struct Explored {
    valuations: Vec<u64>,
    successors: Vec<Vec<usize>>,
    initial: usize,
}

fn explore(system: &dyn System, props: &[Prop], most: usize) -> Result<Explored, Fault> {
    let propositions =
        Propositions::compile(system.names(), props.iter().map(Prop::name)).expect("they compile");
    let mut expander = system.expander();
    let mut numbers: FxHashMap<Box<[u32]>, usize> = FxHashMap::default();
    let mut states: Vec<Box<[u32]>> = Vec::new();
    let mut number = |states: &mut Vec<Box<[u32]>>, state: &[u32]| {
        *numbers.entry(state.into()).or_insert_with(|| {
            states.push(state.into());
            states.len() - 1
        })
    };
    for state in system.initial()? {
        number(&mut states, &state);
    }
    let (initial, mut next) = (states.len(), 0);
    let (mut valuations, mut successors) = (Vec::new(), Vec::new());
    while next < states.len().min(most) {
        let state = states[next].clone();
        let mut found = Successors::new(system.words());
        expander.expand(&state, &mut found)?;
        let mut targets: Vec<usize> =
            found.iter().map(|(_, state)| number(&mut states, state)).collect();
        if targets.is_empty() {
            targets.push(next);
        }
        valuations.push(propositions.holding(&state, false)?);
        successors.push(targets);
        next += 1;
    }
    Ok(Explored { valuations, successors, initial })
}

impl Explored {
    /// A random run that ends in a cycle, if it stays within the explored part.
    fn word(&self, props: &[Prop], rng: &mut Rng) -> Option<Word> {
        let mut path = vec![rng.below(self.initial as u64) as usize];
        for _ in 0..500 {
            let targets = self.successors.get(*path.last()?)?;
            let target = targets[rng.below(targets.len() as u64) as usize];
            if let Some(start) = path.iter().position(|state| *state == target) {
                let value =
                    |position: usize, prop: usize| self.valuations[path[position]] >> prop & 1 == 1;
                if path.iter().any(|state| *state >= self.valuations.len()) {
                    return None;
                }
                return Word::from_fn(props.iter().cloned(), start, path.len() - start, value).ok();
            }
            path.push(target);
        }
        None
    }
}

/// Compares facts with an exploration, and counts them by kind.
fn compare(model: &Model, names: &[String], seed: u64, found: &mut BTreeMap<FactKind, usize>) {
    let props: Vec<Prop> = names.iter().map(Prop::new).collect();
    let mut explored = None;
    let outcome = model.run(crate::Extent::OnTheFly, |system| {
        explored = Some(explore(&**system, &props, 3000)?);
        Ok(())
    });
    let (Ok(()), Some(explored)) = (outcome, explored) else { return };
    let system = model.system();
    for fact in find(model, &*system, &props, STEPS) {
        *found.entry(fact.kind).or_default() += 1;
        if fact.kind.is_constraint() {
            for valuation in &explored.valuations {
                let value = |_: usize, prop: usize| valuation >> prop & 1 == 1;
                let letter = Word::from_fn(props.iter().cloned(), 0, 1, value).unwrap();
                assert!(holds(&fact.formula, &letter), "{fact:?} fails in {letter}");
            }
        }
        let mut rng = Rng::new(seed);
        for _ in 0..40 {
            let Some(word) = explored.word(&props, &mut rng) else { continue };
            assert!(holds(&fact.assumption(), &word), "{fact:?} fails on {word}");
        }
    }
}

fn parse(language: &str, text: &str) -> Model {
    languages::named(language).unwrap().read(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn facts_hold_in_random_models() {
    let mut found = BTreeMap::new();
    let names = PROCESS_PROPOSITIONS.map(str::to_owned);
    for seed in 0..60 {
        compare(&parse("dve", &random_processes(seed)), &names, seed, &mut found);
    }
    let missing = FactKind::ALL.iter().filter(|kind| **kind != FactKind::Invariant);
    for kind in missing {
        assert!(found.get(kind).is_some_and(|count| *count >= 3), "{kind:?}: {found:?}");
    }
}

#[test]
fn facts_hold_in_nets() {
    let (mut found, mut firing) = (BTreeMap::new(), 0);
    for family in families() {
        let Ok(net) = family.net(*family.range().start().max(&2)) else { continue };
        let places = net.places().take(12).map(|place| net.place_name(place).to_owned());
        let names: Vec<String> =
            places.map(|name| crate::proposition::written(&name).into_owned()).collect();
        let before = found.get(&FactKind::Invariant).copied().unwrap_or(0);
        compare(&Model::from(net), &names, 7, &mut found);
        firing += usize::from(found.get(&FactKind::Invariant).copied().unwrap_or(0) > before);
    }
    assert!(firing >= 3, "invariants fire on {firing} nets: {found:?}");
}

fn facts(language: &str, text: &str, names: &[&str]) -> Vec<(FactKind, String)> {
    let model = parse(language, text);
    let props: Vec<Prop> = names.iter().map(Prop::new).collect();
    let found = find(&model, &*model.system(), &props, STEPS);
    found.into_iter().map(|fact| (fact.kind, fact.assumption().to_string())).collect()
}

#[test]
fn detectors_find_what_is_there() {
    let text = "byte x;\nprocess P { state a, b, c; init a;\n trans a -> b { effect x = 1; }, \
                b -> c { effect x = 2; }, c -> b { effect x = 1; }; }\nsystem async;";
    let found = facts("dve", text, &["P.a", "P.b", "P.c", "x = 1", "x > 0", "x < 7"]);
    for expected in [
        (FactKind::Locations, "G(!(P.a & P.b) & !(P.a & P.c) & !(P.b & P.c))"),
        (FactKind::Locations, "G(P.a | P.b | P.c)"),
        (FactKind::Implied, "G(\"x = 1\" -> \"x > 0\")"),
        (FactKind::Values, "G\"x < 7\""),
        (FactKind::DataFlow, "G(P.b -> \"x = 1\")"),
        (FactKind::Monotone, "G(\"x > 0\" -> G\"x > 0\")"),
        (FactKind::Order, "G(P.b -> G!P.a)"),
        (FactKind::Order, "!P.c W P.b"),
        (FactKind::Initial, "P.a & !P.b & !P.c & \"x < 7\" & !\"x = 1\" & !\"x > 0\""),
    ] {
        let is_found = found.iter().any(|(kind, text)| *kind == expected.0 && text == expected.1);
        assert!(is_found, "{expected:?} is not among {found:#?}");
    }
    let text = "pl idle (1)\ntr go idle -> busy\ntr rest busy -> idle\n";
    let found = facts("net", &format!("net small\n{text}"), &["idle", "busy"]);
    assert!(found.contains(&(FactKind::Invariant, "G!(busy & idle)".to_owned())), "{found:?}");
    // Propositions that hold without tokens exclude nothing.
    let found = facts("net", &format!("net small\n{text}"), &["idle < 1", "busy > 0"]);
    assert!(found.iter().all(|(kind, _)| *kind != FactKind::Invariant), "{found:?}");
    // Nothing is known about a value that may be wider than its field.
    let text = "net grows\npl p (1)\ntr more p -> p p\n";
    let kinds: Vec<FactKind> =
        facts("net", text, &["p > 3", "p > 9"]).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, [FactKind::Initial]);
}
