//! The shared suite: runs every registered engine, emptiness check, fixpoint and kind of automaton
//! on every row of `tests/engines` that it supports. The registry row of a new engine adds it to
//! this test.

use sempre::automata::random::RandomKripke;
use sempre::certificate::{self, Claim, Deadlocks, Fair};
use sempre::certify::{self, Budget, Failure};
use sempre::check::combine::AnyEngine;
use sempre::check::{CheckError, Control, Deadlock, Engine, Outcome, Verdict};
use sempre::check::{Cost, Question, Specification, Unknown, Unsupported};
use sempre::checkers::{Answer, Pair, Spin, variants};
use sempre::engines::{ENGINES, EngineRow, Engines, Settings};
use sempre::explicit::{Options, StoreKind};
use sempre::explorer::{EXPLORERS, ExploreSettings, Explorer, Goal, SOG};
use sempre::ltl::Formula;
use sempre::ltl::generate::random::RandomFormulas;
use sempre::models::{Languages, Model, generate, plain};
use sempre::prelude::Checker;
use sempre::symbolic::{self, Fixpoint};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A model with its expected results.
struct Subject {
    name: String,
    model: Model,
    states: Option<u64>,
    rows: Vec<Row>,
}

/// A formula and its verdict.
struct Row {
    formula: String,
    deadlock: Deadlock,
    holds: bool,
}

/// Reads all files of the suite.
fn subjects() -> Vec<Subject> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "suite")).collect();
    files.sort();
    files.iter().flat_map(|path| read(path)).collect()
}

fn read(path: &Path) -> Vec<Subject> {
    let text = fs::read_to_string(path).unwrap();
    let mut subjects: Vec<Subject> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let at = format!("{}:{}", path.display(), number + 1);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let mut start = |model: Model| {
            subjects.push(Subject { name: at.clone(), model, states: None, rows: vec![] });
        };
        match word {
            "" | "#" => {}
            "model" => {
                let inside = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "end");
                let text: Vec<&str> = inside.collect();
                let languages = Languages::default();
                let language = languages.named(rest).unwrap_or_else(|e| panic!("{at}: {e}"));
                start(language.read(&text.join("\n")).unwrap_or_else(|e| panic!("{at}: {e}")));
            }
            "generate" => {
                let (family, size) = rest.split_once(' ').unwrap();
                let net = generate::family(family).unwrap().net(size.parse().unwrap()).unwrap();
                start(Model::from(net));
            }
            "states" => subjects.last_mut().unwrap().states = Some(rest.parse().unwrap()),
            _ => {
                let meanings = Deadlock::ALL.into_iter();
                let deadlock = meanings.into_iter().find(|meaning| meaning.name() == word);
                let (verdict, formula) = match deadlock {
                    Some(_) => rest.split_once(' ').unwrap(),
                    None => (word, rest),
                };
                let holds = match verdict {
                    "holds" => true,
                    "violated" => false,
                    other => panic!("{at}: `{other}` is no verdict"),
                };
                let (formula, deadlock) = (formula.trim().to_owned(), deadlock.unwrap_or_default());
                subjects.last_mut().unwrap().rows.push(Row { formula, deadlock, holds });
            }
        }
    }
    subjects
}

/// Checks all rows of a subject with one engine; returns the reasons for skipped rows.
fn run(
    subject: &Subject,
    engines: &Engines,
    name: &str,
    settings: &Settings,
) -> (usize, Vec<String>) {
    let (mut checked, mut skipped) = (0, Vec::new());
    for deadlock in Deadlock::ALL {
        let settings = Settings { deadlock, ..settings.clone() };
        let checker = Checker::new(subject.model.clone()).with_engines(engines.clone());
        let mut checker = match checker.with(settings) {
            Ok(checker) => checker,
            Err(reason) => {
                skipped.push(reason.to_string());
                continue;
            }
        };
        for Row { formula, holds, .. } in subject.rows.iter().filter(|r| r.deadlock == deadlock) {
            let at = format!("{} {formula} ({}) by {name}", subject.name, deadlock.name());
            let parsed = formula.parse().unwrap_or_else(|error| panic!("{at}: {error}"));
            let outcome = match checker.check_formula(&parsed, &Control::default()) {
                Ok(outcome) => outcome,
                Err(CheckError::Unsupported(Unsupported(reason))) => {
                    skipped.push(reason.lines().next().unwrap_or_default().to_owned());
                    continue;
                }
                Err(error) => panic!("{at}: {error}"),
            };
            let expected = if *holds { Verdict::Holds } else { Verdict::Violated };
            assert_eq!(outcome.verdict, expected, "{at}");
            assert_eq!(outcome.counterexample().is_some(), !holds, "{at}");
            if let Some(run) = outcome.counterexample() {
                let judged = run.judge(&*outcome.system, &parsed, deadlock);
                assert!(judged.is_ok(), "{at}: {judged:?}");
            }
            checked += 1;
        }
    }
    (checked, skipped)
}

#[test]
fn every_engine_gives_the_verdicts_of_the_suite() {
    let (subjects, engines) = (subjects(), Engines::default());
    let rows: usize = subjects.iter().map(|subject| subject.rows.len()).sum();
    assert!(rows >= 40, "{rows} rows");
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut checks = 0;
    for row in ENGINES {
        for (name, settings) in variants(row.name) {
            let mut of_variant = 0;
            for subject in &subjects {
                let (checked, skipped) = run(subject, &engines, &name, &settings);
                of_variant += checked;
                skipped.into_iter().for_each(|reason| *reasons.entry(reason).or_default() += 1);
            }
            checks += of_variant;
            // Without options, an engine answers everything, unless it needs stutter-invariance.
            let is_partial = ["sog", "sop"].contains(&row.name);
            let is_enough = match name.contains(' ') {
                true => true,
                false if is_partial => of_variant > 0,
                false => of_variant == rows,
            };
            assert!(is_enough, "{name}: {of_variant} of {rows}");
        }
    }
    println!("{checks} checks; skipped: {reasons:#?}");
    assert!(checks > 50 * rows, "{checks} checks of {rows} rows");
}

#[test]
fn every_engine_counts_the_states_of_the_suite() {
    let mut variants = vec![];
    // Observation graphs have no counts of states.
    for row in EXPLORERS.iter().filter(|row| row.name != SOG) {
        variants.push(ExploreSettings { engine: row.name, ..ExploreSettings::default() });
    }
    for (store, threads) in [(StoreKind::Tree, 1), (StoreKind::Arena, 2), (StoreKind::Tree, 3)] {
        variants.push(ExploreSettings { store, threads, ..ExploreSettings::default() });
    }
    variants.push(ExploreSettings { depth_first: true, ..ExploreSettings::default() });
    let symbolic = symbolic::Options { saturate: false, ..symbolic::Options::default() };
    variants.push(ExploreSettings { symbolic, ..ExploreSettings::default() });
    let mut counted = 0;
    for Subject { name, model, states, .. } in subjects() {
        let Some(expected) = states else { continue };
        for settings in &variants {
            let explorer = Explorer::new(model.clone()).with(settings.clone());
            let goal = Goal::Count { components: false, bounds: false, unreached: false };
            let explored = explorer.explore(&goal, &Control::default()).unwrap();
            let found = match (&explored.counts, &explored.sets) {
                (Some(counts), _) => counts.states.to_string(),
                (None, Some(sets)) => sets.states.to_string(),
                (None, None) => panic!("{name}: nothing was counted by {settings:?}"),
            };
            assert_eq!(found, expected.to_string(), "{name} by {settings:?}");
        }
        counted += 1;
    }
    assert!(counted >= 3);
}

/// An engine that reads only the initial states: it decides Boolean formulas.
struct Lazy;

impl Engine for Lazy {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        match question.formula().is_some_and(|formula| formula.is(sempre::ltl::Traits::BOOLEAN)) {
            true => Ok(()),
            false => Err(Unsupported("the lazy engine reads initial states only".into())),
        }
    }

    fn check(&mut self, question: &Question, _: &Control<'_>) -> Result<Outcome, CheckError> {
        let mut outcome = Outcome::unknown(question, "lazy", Unknown::NotLoaded);
        let props = question.props().to_vec();
        let propositions = question.propositions(&props);
        let mut holds = true;
        for state in question.system().initial()? {
            let valuation = propositions.valuation(&mut *question.system().expander(), &state)?;
            let word = sempre::ltl::Word::from_valuations(props.clone(), &[], &[valuation]);
            holds &= !question.property().is_violated_by(&word.expect("a word"));
        }
        if holds {
            (outcome.verdict, outcome.cost) = (Verdict::Holds, Cost::default());
        }
        Ok(outcome)
    }
}

/// A new engine needs one type and one row.
#[test]
fn an_engine_can_be_added() {
    let row = EngineRow {
        name: "lazy",
        description: "looks at initial states only",
        reads: |_| Vec::new(),
        make: |_, _| Ok(Box::new(Lazy) as AnyEngine),
    };
    let engines = Engines::default().with(row);
    let settings = Settings { engine: "lazy", ..Settings::default() };
    let (mut checked, mut skipped) = (0, 0);
    for subject in subjects() {
        let rows = subject.rows.into_iter().filter(|row| row.holds).collect();
        let subject = Subject { rows, ..subject };
        let (done, reasons) = run(&subject, &engines, "lazy", &settings);
        (checked, skipped) = (checked + done, skipped + reasons.len());
    }
    assert!(checked >= 1 && skipped >= 10, "{checked} checked, {skipped} skipped");
    let unknown = Engines::default().choose(&settings).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "there is no engine `lazy`; there are auto, explicit, symbolic, sog, sop, slap"
    );
}

#[test]
fn settings_choose_the_engine() {
    let engines = Engines::default();
    let shortest = Options { shortest: true, ..Options::default() };
    let explicit = Settings { explicit: shortest, ..Settings::default() };
    assert_eq!(engines.choose(&explicit).unwrap().name, "explicit");
    let fixpoint = Some(Fixpoint::Owcty);
    let symbolic = symbolic::Options { fixpoint, ..symbolic::Options::default() };
    let both = Settings { symbolic: symbolic.clone(), ..explicit.clone() };
    assert_eq!(
        engines.choose(&both).unwrap_err().to_string(),
        "--shortest cannot be combined with --fixpoint"
    );
    let symbolic = Settings { symbolic, ..Settings::default() };
    assert_eq!(engines.choose(&symbolic).unwrap().name, "symbolic");
    let asked = Settings { engine: "symbolic", ..explicit };
    assert_eq!(
        engines.choose(&asked).unwrap_err().to_string(),
        "--shortest cannot be combined with --engine symbolic"
    );
}

/// Every row that holds has a certificate that is accepted; violated ones have none.
#[test]
fn rows_that_hold_have_certificates() {
    let mut certified = 0;
    for subject in subjects() {
        let Some(plain) = plain::of(&subject.model) else { panic!("{}", subject.name) };
        for row in &subject.rows {
            let deadlocks = match row.deadlock {
                Deadlock::Stutter => Deadlocks::Stutter,
                Deadlock::Ignore => Deadlocks::Ignore,
                Deadlock::Report => Deadlocks::Report,
            };
            let property = row.formula.parse().unwrap();
            let claim = Claim { model: 0, property, deadlocks, fair: Fair::All };
            let context = format!("{}: {}", subject.name, row.formula);
            match certify::build(claim, &*plain, Budget::default()) {
                Ok(certificate) => {
                    let mut bytes = Vec::new();
                    certify::write(&certificate, &mut bytes).unwrap();
                    let read = certificate::read(&bytes).unwrap();
                    assert_eq!(certificate::check(&read, &*plain, 2), Ok(()), "{context}");
                    assert!(row.holds, "{context}");
                    certified += 1;
                }
                Err(failure) => {
                    assert_eq!((row.holds, failure), (false, Failure::Violated), "{context}")
                }
            }
        }
    }
    assert!(certified > 15, "{certified} certificates");
}

/// Spin, with its own translation of formulas, gives the verdicts of the reference.
#[test]
#[ignore = "needs spin and a C compiler"]
fn installed_spin_agrees() {
    let structures = RandomKripke::over(["p0", "p1"]).unwrap().states(6).density(0.3).seed(3);
    let formulas = RandomFormulas::over_numbered(2).sizes(3..=7).seed(5).generate().unwrap();
    let mut formulas = formulas.map(Result::unwrap);
    let mut answers = 0;
    for structure in structures.generate().take(4) {
        let formulas: Vec<Formula> = formulas.by_ref().take(8).collect();
        let shared = Spin::answers(&structure, &formulas);
        for (formula, answer) in formulas.into_iter().zip(shared) {
            let pair = Pair { structure: structure.clone(), formula };
            let right = match pair.violation() {
                Some(_) => Answer::Violated,
                None => Answer::Holds,
            };
            match answer.unwrap_or_else(|error| panic!("{}: {error}", pair.formula)) {
                Answer::Unsupported(_) => {}
                answer => {
                    assert_eq!(answer, right, "{}", pair.formula);
                    answers += 1;
                }
            }
        }
        // Alone, a formula has the same answer.
        let pair = Pair { structure, formula: "F p0 | G p1".parse().unwrap() };
        assert!(pair.test(&Spin).is_ok());
    }
    assert!(answers > 10, "{answers}");
}
