//! Runs every row of the registry of transformations, with each of its options, on random automata.
//! Functions that share no code with the library check every claim.

mod plain;

use plain::Lasso;
use sempre_automata::random::{RandomAcceptance, RandomAutomata};
use sempre_automata::transform::{
    Claims, Language, Properties, Property, Registry, Run, Step, Steps, Transformation,
};
use sempre_automata::{Automaton, Marks, Named, Parity, ParityKind, determinize, strength};
use sempre_ltl::generate::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximal number of states of a result to run on words.
const LARGEST: usize = 60;

/// Random lassos over the propositions of an automaton, short ones first.
fn lassos(automaton: &Automaton, seed: u64) -> Vec<Lasso> {
    let letters = 1u64 << automaton.alphabet().props().len();
    let mut rng = Rng::new(seed);
    let lasso = |size: usize| {
        let (prefix, cycle) = (size % 3, 1 + size / 3 % 4);
        Lasso { letters: (0..prefix + cycle).map(|_| rng.below(letters)).collect(), prefix }
    };
    (0..24).map(lasso).collect()
}

/// Returns a sample in which every property occurs: random automata with many conditions, and
/// results of steps.
fn automata(count: u64) -> Vec<Automaton> {
    let parity = |kind, odd, marks| Named::Parity(Parity { kind, odd, marks });
    let conditions: Vec<RandomAcceptance> = vec![
        Named::Buchi.into(),
        RandomAcceptance::Condition(2),
        Named::GeneralizedBuchi(2).into(),
        Named::CoBuchi.into(),
        parity(ParityKind::Max, true, 3).into(),
        Named::All.into(),
        Named::Rabin(1).into(),
        RandomAcceptance::Condition(3),
        Named::Streett(1).into(),
        parity(ParityKind::Min, false, 3).into(),
        Named::GeneralizedCoBuchi(2).into(),
        Named::GeneralizedRabin(vec![1, 2]).into(),
        Named::None.into(),
    ];
    let mut automata = vec![];
    for seed in 0..count {
        let number = usize::try_from(seed).unwrap();
        let props = ["a", "b"].into_iter().take([1, 2, 2, 0][number % 4]);
        let random = RandomAutomata::over(props).unwrap().states(1 + number % 5).seed(seed);
        let random = random.density([0.2, 0.4, 0.05][number % 3]);
        let random = random.acceptance(conditions[number % conditions.len()].clone());
        let random = random.mark_probability([0.3, 0.6, 0.1][number / 2 % 3]);
        let random = random.deterministic(number % 3 == 1).complete(number % 5 == 2);
        let random = random.state_based(number % 7 < 2);
        let Some(automaton) = random.generate().next() else { continue };
        match number % 4 {
            0 => automata.push(strength::weaken(&automaton)),
            1 => automata.push(determinize::parity(&automaton)),
            2 => automata.push(several_initial(&automaton)),
            _ => {}
        }
        automata.push(automaton);
    }
    automata
}

/// Makes all states initial.
fn several_initial(automaton: &Automaton) -> Automaton {
    let mut builder = automaton.edit();
    automaton.states().for_each(|state| {
        builder.initial(state);
    });
    builder.build()
}

/// Returns the claim of a step that is false for a result.
fn broken(
    step: &Step,
    input: &Automaton,
    operand: &Automaton,
    result: &Automaton,
    seed: u64,
    kept: &mut BTreeMap<(&'static str, Property), usize>,
) -> Option<String> {
    let claims = step.claims();
    let own_lassos = lassos(result, seed);
    let small = result.state_count() <= LARGEST;
    for property in Property::ALL {
        let had = claims.keeps.contains(property) && property.holds(input);
        if had {
            *kept.entry((step.row().name, property)).or_default() += 1;
        }
        let tried = if small { &own_lassos[..] } else { &[] };
        if (had || claims.yields.contains(property)) && !plain::has(result, property, tried) {
            return Some(format!("{step}: the result is not {property}"));
        }
        // The library's properties agree with the definitions; all but one are exact.
        if seed.is_multiple_of(4)
            && property != Property::GeneralizedRabin
            && property.holds(result)
            && !plain::has(result, property, tried)
        {
            return Some(format!("{step}: {property} holds, but not by definition"));
        }
    }
    if !small || claims.language == Language::Other {
        return None;
    }
    lassos(input, seed).iter().find_map(|lasso| {
        let of = |automaton| plain::accepts(automaton, input, lasso);
        let (before, beside, after) = (of(input), of(operand), of(result));
        let allowed = claims.language.allows(before, beside, after);
        (!allowed).then(|| format!("{step}: {before} became {after} on {:?}", lasso.letters))
    })
}

/// Failures, how often each claim was checked, and why rows were skipped.
type Checked = (Vec<String>, BTreeMap<(&'static str, Property), usize>, BTreeMap<String, usize>);

/// Runs all steps of a registry; returns the broken claims, and how often each preserved property
/// was tested.
fn audit(registry: &Registry, count: u64) -> Checked {
    let (mut objections, mut kept, mut done) = (vec![], BTreeMap::new(), BTreeMap::new());
    let automata = automata(count);
    for (number, input) in automata.iter().enumerate() {
        let random = RandomAutomata::over(input.alphabet().props().to_vec()).unwrap().states(2);
        let operand = random.density(0.5).seed(number as u64).generate().next().unwrap();
        let operand = Arc::new(operand);
        for step in Step::all(registry, &operand) {
            let Ok(result) = step.run(input) else { continue };
            *done.entry(step.to_string()).or_default() += 1;
            let objection = broken(&step, input, &operand, &result, number as u64, &mut kept);
            objections.extend(objection.map(|text| format!("automaton {number}: {text}")));
        }
    }
    (objections, kept, done)
}

#[test]
fn every_claim_of_every_row_is_true() {
    let registry = Registry::built_in();
    let (objections, kept, done) = audit(&registry, 104);
    assert!(objections.is_empty(), "{}", objections.join("\n"));
    // Every claim has been tested.
    let operand = Arc::new(automata(1).remove(0));
    for step in Step::all(&registry, &operand) {
        assert!(done.get(&step.to_string()).is_some_and(|count| *count > 20), "{step}");
        for property in step.claims().keeps.iter() {
            let count = kept.get(&(step.row().name, property));
            assert!(count.is_some_and(|count| *count > 2), "{step}: {property}, {count:?}");
        }
    }
}

/// A deliberately wrong transformation: it loses an edge, and claims too much.
static WRONG: Transformation = Transformation {
    name: "wrong",
    help: "Drop the first edge",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Same)
            .yields(&[Property::Deterministic])
            .keeps(&[Property::Complete])
            .keeps_acceptance()
    },
    run: Run::Unary(|automaton, _| {
        let mut first = true;
        let mut builder = automaton.edit();
        builder.retain_edges(|_, _| !std::mem::take(&mut first));
        Ok(builder.build())
    }),
    keeping: &[],
};

#[test]
fn claims_that_are_not_true_are_found() {
    let (objections, ..) = audit(&Registry::built_in().with(&WRONG), 40);
    assert!(objections.iter().all(|text| text.contains("wrong")), "{objections:?}");
    for part in ["not deterministic", "not complete", "became false"] {
        assert!(objections.iter().any(|text| text.contains(part)), "{part}: {objections:?}");
    }
}

/// A transformation of another crate: one file, one row.
static MIRROR: Transformation = Transformation {
    name: "mark-everything",
    help: "Put all marks on all edges",
    value: None,
    options: &[],
    claims: |_| {
        let kept = [Property::Deterministic, Property::Complete];
        Claims::new(Language::Other).yields(&[Property::Weak]).keeps(&kept).keeps_acceptance()
    },
    run: Run::Unary(|automaton, _| {
        let mut builder = automaton.edit();
        builder.retain_edges(|_, edge| {
            edge.marks = Marks::all(automaton.acceptance().marks());
            true
        });
        Ok(builder.build())
    }),
    keeping: &[],
};

#[test]
fn a_row_that_is_added_is_found_run_and_tested() {
    let registry = Registry::built_in().with(&MIRROR);
    let steps = Steps::read(&registry, "mark-everything trim").unwrap();
    assert!(steps.claims().yields.contains(Property::InherentlyWeak));
    assert!(Steps::read(&Registry::built_in(), "mark-everything").is_err());
    let error = registry.find("mark-anything").unwrap_err();
    assert!(error.to_string().contains("expected `mark-everything`"), "{error}");
    let (objections, kept, _) = audit(&registry, 40);
    assert!(objections.is_empty(), "{objections:?}");
    assert!(kept.contains_key(&("mark-everything", Property::Deterministic)));
    let automaton = automata(5).remove(0);
    let all = Marks::all(automaton.acceptance().marks());
    assert!(steps.run(&automaton).unwrap().edges().iter().all(|edge| edge.marks == all));
}

/// A step preserves the properties of the previous one if it has a variant for that.
#[test]
fn properties_that_were_asked_for_are_kept() {
    let registry = Registry::built_in();
    let steps = Steps::read(&registry, "determinize trim reduce").unwrap();
    assert!(steps.claims().yields.contains(Property::Deterministic));
    assert!(!Steps::read(&registry, "reduce").unwrap().claims().yields.contains(Property::NoFin));
    for automaton in automata(26) {
        let result = steps.run(&automaton).unwrap();
        assert!(plain::has(&result, Property::Deterministic, &[]));
    }
}

#[test]
fn texts_of_steps_are_read_again() {
    let registry = Registry::built_in();
    let operand = Arc::new(automata(1).remove(0));
    for step in Step::all(&registry, &operand).iter().filter(|step| !step.row().takes_operand()) {
        let text = step.to_string();
        assert_eq!(Step::read(&registry, &text).unwrap().to_string(), text);
    }
    for (text, error) in [
        ("redcue", "there is no transformation `redcue`, expected `reduce`"),
        ("reduce(hihg)", "reduce(hihg): there is no option `hihg`, expected `high`"),
        ("decompose", "decompose: a value of part is missing"),
        ("product", "product needs another automaton"),
    ] {
        assert_eq!(Step::read(&registry, text).unwrap_err().to_string(), error);
    }
}

/// Names and texts are suitable for options and help.
#[test]
fn rows_are_well_formed() {
    for row in Registry::built_in().rows() {
        let is_name =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        assert!(is_name(row.name), "{}", row.name);
        assert!(row.help.starts_with(char::is_uppercase) && !row.help.ends_with('.'));
        for parameter in row.parameters() {
            assert!(is_name(parameter.name()), "{}", parameter.name());
            if let Some(default) = parameter.default() {
                assert!(parameter.read(default).is_ok(), "{}", row.name);
            }
        }
    }
    assert_eq!(Properties::ALL.iter().count(), Property::ALL.len());
    for property in Property::ALL {
        assert_eq!(Property::by_name(property.name()), Some(property));
    }
}
