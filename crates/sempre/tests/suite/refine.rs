//! Refinement by facts of the model: each fact is proved by a check, and verdicts are the same with
//! and without refinement.

use sempre::check::{Control, Refine, Sanity, Verdict};
use sempre::checker::Checker;
use sempre::engines::Settings;
use sempre::ltl::generate::Rng;
use sempre::ltl::generate::random::RandomFormulas;
use sempre::ltl::{Formula, Prop};
use sempre::models::facts::{self, FactKind};
use sempre::models::generate::{PROCESS_PROPOSITIONS, family, random_processes};
use sempre::models::{Languages, Model, languages};
use sempre::testing::AutomatonKind;
use std::collections::BTreeMap;
use std::path::Path;

fn checker(model: &Model, refine: Refine, automaton: AutomatonKind) -> Checker {
    let settings = Settings { engine: "explicit", refine, automaton, ..Settings::default() };
    Checker::new(model.clone()).with(settings).expect("settings of one engine")
}

fn verdict(model: &Model, formula: &Formula, refine: Refine, kind: AutomatonKind) -> Verdict {
    let mut checker = checker(model, refine, kind);
    // A counterexample is judged against the formula before it is returned.
    checker.check_formula(formula, &Control::default()).expect("an outcome").verdict
}

fn random_model(seed: u64) -> Model {
    languages::named("dve").unwrap().read(&random_processes(seed)).unwrap()
}

/// Proves all facts about some propositions, and counts them by kind.
fn prove(model: &Model, names: &[String], found: &mut BTreeMap<FactKind, usize>) {
    let props: Vec<Prop> = names.iter().map(Prop::new).collect();
    let mut checker = checker(model, Refine::Off, AutomatonKind::Auto);
    for fact in facts::find(model, &*model.system(), &props, facts::STEPS) {
        let outcome = checker.check_formula(&fact.assumption(), &Control::default()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds, "{fact:?}");
        *found.entry(fact.kind).or_default() += 1;
    }
}

#[test]
fn facts_are_proved_by_checks() {
    let mut found = BTreeMap::new();
    let names = PROCESS_PROPOSITIONS.map(str::to_owned);
    for seed in 100..106 {
        prove(&random_model(seed), &names, &mut found);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for file in ["peterson.dve", "lock.dve", "lock-fixed.dve", "server.dve", "mutex.net"] {
        let model = Languages::default().open(folder.join(file), None).unwrap();
        let names = sempre::models::Scope::value_names(model.system().names());
        let names: Vec<String> = names.into_iter().take(10).collect();
        prove(&model, &names, &mut found);
    }
    for name in ["philosophers", "producer-consumer"] {
        let net = family(name).unwrap().net(3).unwrap();
        let places = net.places().take(8);
        let names: Vec<String> = places.map(|place| net.place_name(place).to_owned()).collect();
        prove(&Model::from(net), &names, &mut found);
    }
    for kind in FactKind::ALL {
        assert!(found.contains_key(&kind), "{kind:?} is not among {found:?}");
    }
}

#[test]
fn verdicts_are_the_same_with_and_without_refinement() {
    let mut smaller = 0;
    for seed in 0..8 {
        let model = random_model(seed);
        let mut rng = Rng::new(seed);
        let mut names: Vec<&str> = PROCESS_PROPOSITIONS.to_vec();
        while names.len() > 5 {
            names.remove(rng.below(names.len() as u64) as usize);
        }
        let formulas = RandomFormulas::over(names.iter().map(Prop::new)).size(9).seed(seed);
        for formula in formulas.generate().unwrap().take(2) {
            let formula = formula.unwrap();
            let expected = verdict(&model, &formula, Refine::Off, AutomatonKind::Auto);
            for kind in [AutomatonKind::Auto, AutomatonKind::Ba, AutomatonKind::Det] {
                for refine in [Refine::Auto, Refine::Formula, Refine::Automaton] {
                    let found = verdict(&model, &formula, refine, kind);
                    assert_eq!(found, expected, "{formula}, {refine:?}, {kind:?}, seed {seed}");
                }
            }
            let size = |refine| {
                let mut checker = checker(&model, refine, AutomatonKind::Auto);
                let outcome = checker.check_formula(&formula, &Control::default()).unwrap();
                outcome.provenance.automaton.map_or(0, |automaton| automaton.states)
            };
            let (refined, original) = (size(Refine::Automaton), size(Refine::Off));
            assert!(refined <= original.max(1), "{formula}: {refined} against {original}");
            smaller += usize::from(refined < original);
        }
    }
    assert!(smaller > 0, "{smaller} automata became smaller");
}

#[test]
fn facts_alone_decide_some_properties() {
    let text = "process P { state a, b; init a; trans a -> b { }; }\nsystem async;";
    let model = languages::named("dve").unwrap().read(text).unwrap();
    let checker = checker(&model, Refine::Auto, AutomatonKind::Auto);
    let sanity = |text: &str| {
        let formula: Formula = text.parse().unwrap();
        Sanity::of(&formula, &checker.facts(&formula))
    };
    assert_eq!(sanity("G !(P.a & P.b)"), Sanity::Valid);
    assert_eq!(sanity("F(P.a & P.b)"), Sanity::Unsatisfiable);
    assert_eq!(sanity("P.b | XX(P.b & X P.a)"), Sanity::Unsatisfiable);
    assert_eq!(sanity("F P.b"), Sanity::Open);
}
