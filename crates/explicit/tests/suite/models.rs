//! Compares explorations of models with published numbers.

use sempre_check::{CheckError, Control, Counterexample, Deadlock, Question};
use sempre_explicit::explore::{
    Counts, Exploration, Failure, Limits, bounds, breadth_first, components, depth_first, parallel,
};
use sempre_explicit::store::{Arena, Store, Tree};
use sempre_explicit::{Options, SearchOrder, StateSpace, verify};
use sempre_ltl::Formula;
use sempre_models::petri::text;
use sempre_models::{Extent, Fault, Model, System, dve, generate};
use std::num::NonZeroUsize;

type Explored = Result<Exploration, Failure>;

/// Explores with every search, and compares the results.
fn explore_in_every_way(model: &Model) -> Explored {
    let explored = model.run(Extent::Whole, |system| {
        let counts = |outcome: &Explored| outcome.clone().map(|found| found.counts);
        let outcome = every_search::<Arena>(&**system);
        assert_eq!(counts(&outcome), counts(&every_search::<Tree>(&**system)));
        match outcome {
            Err(Failure { fault: fault @ Fault::Overflow(_), .. }) => Err(fault),
            outcome => Ok(outcome),
        }
    });
    explored.unwrap()
}

fn every_search<T: Store>(system: &dyn System) -> Result<Exploration, Failure> {
    let none = Limits::default();
    let mut store = T::new(system.words());
    let exploration = breadth_first(system, &mut store, &none, |_| ())?;
    let deep = depth_first(system, &mut T::new(system.words()), &none, |_| ())?;
    let depth = exploration.counts.depth;
    assert_eq!(Counts { depth, ..deep.counts }, exploration.counts);
    let connected = components(system, &mut T::new(system.words()), &none, |_| ())?;
    assert_eq!(connected.exploration.counts, deep.counts);
    let threads = NonZeroUsize::new(3).unwrap();
    let (wide, stores) = parallel::<T>(system, threads, &none, |_| ())?;
    assert_eq!(wide.counts, exploration.counts);
    assert_eq!(bounds(system, &stores), bounds(system, [&store]));
    Ok(exploration)
}

/// Returns the numbers of states and transitions.
fn counts(model: &Model) -> (u64, u64) {
    let exploration = explore_in_every_way(model).unwrap();
    assert_eq!(exploration.incomplete, None);
    (exploration.counts.states, exploration.counts.transitions)
}

fn family(name: &str, number: u32) -> Model {
    Model::from(generate::family(name).unwrap().net(number).unwrap())
}

#[test]
fn kanban_systems_have_the_published_numbers_of_markings() {
    assert_eq!(counts(&family("kanban", 1)), (160, 616));
    assert_eq!(counts(&family("kanban", 2)), (4_600, 28_120));
    assert_eq!(counts(&family("kanban", 3)), (58_400, 446_400));
}

#[test]
fn faults_of_models_come_with_paths() {
    let text = "byte a[3]; byte i = 1;
        process P { state s; init s; trans s -> s { effect i = i + 1, a[i] = 1; }; }
        system async;";
    let model = Model::from(dve::parse(text).unwrap());
    let failure = explore_in_every_way(&model).unwrap_err();
    assert!(matches!(failure.fault, Fault::Undefined { .. }), "{failure:?}");
    assert_eq!(failure.path.unwrap().steps.len(), 1);
}

/// Returns a counterexample.
fn violation(model: &Model, formula: &Formula, options: &Options) -> Counterexample {
    let found = model.run(Extent::OnTheFly, |system| {
        let mut space = StateSpace::<Arena>::new(&**system);
        let question = Question::new(system.clone(), formula, Deadlock::Stutter).unwrap();
        match verify(&mut space, &question, options, &Control::default()) {
            Ok(outcome) => Ok(outcome.counterexample().expect("a violation").clone()),
            Err(CheckError::Fault(Failure { fault, .. })) => Err(fault),
            Err(error) => panic!("{error}"),
        }
    });
    found.unwrap()
}

#[test]
fn a_bad_prefix_suffices_where_no_state_repeats() {
    let net = |text: &str| Model::from(text::parse(text).unwrap());
    let formula: Formula = r#"G "q <= 2""#.parse().unwrap();
    for threads in [1, 2] {
        let order = SearchOrder::on_threads(threads);
        let options = Options { order, ..Options::default() };
        let run = violation(&net("pl p (1)  tr t p -> p q"), &formula, &options);
        // In the last state, the automaton has seen three tokens.
        assert_eq!((run.prefix.len(), run.cycle.len()), (4, 0), "{threads} threads");
        // If tokens can be removed, a cycle exists and must be found.
        let run = violation(&net("pl p (1)  tr t p -> p q  tr u q ->"), &formula, &options);
        assert!(!run.cycle.is_empty(), "{threads} threads");
    }
}
