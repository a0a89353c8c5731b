//! Compares verdicts of the symbolic engine with those of the explicit one, for each fixpoint.

use crate::nets::{net, read};
use proptest::prelude::*;
use sempre_automata::strength::Way;
use sempre_check::{
    CheckError, Control, Counterexample, Deadlock, Engine, Failure, Limits, Move, Question, Verdict,
};
use sempre_diagrams::{Manager, Strategy as Search};
use sempre_explicit::ExplicitEngine;
use sempre_explicit::explore::breadth_first;
use sempre_explicit::store::{Arena, Store};
use sempre_ltl::arbitrary::formula;
use sempre_ltl::{Formula, rewrite};
use sempre_models::petri::{Net, NetBuilder};
use sempre_models::{Extent, Fault, Model, System, generate};
use sempre_symbolic::{Encoding, Fixpoint, Kind, Options, Order, Sets, Space, Steps};
use std::sync::Arc;

/// Maps the propositions of a formula to places of the nets.
fn about_nets(formula: &Formula) -> Formula {
    rewrite::substitute(formula, |prop| match prop.name() {
        "a" => Formula::prop("p0 >= 1 || deadlock"),
        "b" => Formula::prop("p1 + p2 < p3"),
        _ => Formula::prop("fireable(t0)"),
    })
}

/// Checks a model in every way, and returns whether the formula is violated.
fn compare(model: &Model, formula: &Formula, deadlock: Deadlock) -> bool {
    let compare = Compare { formula, deadlock };
    model.run(Extent::Whole, |system| compare.run(system)).unwrap()
}

struct Compare<'a> {
    formula: &'a Formula,
    deadlock: Deadlock,
}

fn is_violated(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Holds => false,
        Verdict::Violated => true,
        Verdict::Unknown(reason) => panic!("no limit was set: {reason}"),
    }
}

impl Compare<'_> {
    fn run(&self, system: &Arc<dyn System>) -> Result<bool, Fault> {
        let overflow = |error: CheckError| match error {
            CheckError::Fault(Failure { fault: fault @ Fault::Overflow(_), .. }) => fault,
            error => panic!("{error}"),
        };
        let control = Control::default();
        let question = Question::new(system.clone(), self.formula, self.deadlock).unwrap();
        let mut explicit = ExplicitEngine::new(Default::default());
        let expected = explicit.check(&question, &control).map_err(overflow)?;
        let expected = is_violated(&expected.verdict);
        let is_invariant = sempre_translate::require_invariance(self.formula).is_ok();
        let mut products = vec![(Kind::Tgba, Steps::Edges), (Kind::Tgba, Steps::Split)];
        if is_invariant {
            products.extend(Steps::ALL.map(|(_, steps)| (Kind::Tgta, steps)));
        }
        let fixpoints = [None, Some(Fixpoint::Owcty), Some(Fixpoint::EmersonLei)];
        let mut sets = Sets::new(system, None);
        for number in 0..12 * products.len() {
            let saturate = number / (6 * products.len()) == 1;
            let fixpoint = fixpoints[number / 2 % 3];
            let (kind, steps) = products[number / 6 % products.len()];
            // Only the states of a TGBA have names.
            let ways = if kind == Kind::Tgba { Way::ALL.len() } else { Way::ALL.len() - 1 };
            let decompose = (number % 2 == 1).then(|| Way::ALL[number / 2 % ways]);
            let order = Order::default();
            let options = Options { fixpoint, decompose, kind, steps, saturate, order };
            let found = sets.check(&question, &options, &control).map_err(overflow)?;
            let found = is_violated(&found.verdict);
            assert_eq!(found, expected, "{} with {options:?}", self.formula);
        }
        Ok(expected)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn verdicts_agree_on_random_nets(
        net in net(),
        formula in formula(8),
        policy in 0..3_usize,
    ) {
        let formula = about_nets(&formula);
        let deadlock = [Deadlock::Stutter, Deadlock::Ignore, Deadlock::Report][policy];
        compare(&Model::from(net), &formula, deadlock);
    }
}

/// Returns a net of two rings of three places with one or two tokens each, which never block. Some
/// steps wait for a place of the other ring, which they leave as it is.
fn rings() -> impl Strategy<Value = Net> {
    let waits = prop::collection::vec(prop::option::weighted(0.2, 3..6_usize), 3);
    (waits, 1..3_u32).prop_map(|(waits, tokens)| {
        let mut builder = NetBuilder::default();
        let marked = |place: usize| if place.is_multiple_of(3) { tokens } else { 0 };
        let places: Vec<_> =
            (0..6).map(|number| builder.place(format!("p{number}"), marked(number))).collect();
        for from in 0..6 {
            let to = from / 3 * 3 + (from + 1) % 3;
            let transition = builder.transition(format!("t{from}"));
            builder.input(transition, places[from], 1).unwrap();
            builder.output(transition, places[to], 1).unwrap();
            if let Some(Some(other)) = waits.get(from) {
                builder.input(transition, places[*other], 1).unwrap();
                builder.output(transition, places[*other], 1).unwrap();
            }
        }
        builder.build().unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// No state has a pause, and each accepting cycle needs several marks.
    #[test]
    fn verdicts_agree_without_deadlocks(net in rings(), shape in 0..4_usize, place in 0..6_usize) {
        let p = |number: usize| format!("\"p{} > 0\"", (place + number) % 6);
        let text = match shape {
            0 => format!("!(GF {} & GF {} & GF !{})", p(0), p(3), p(1)),
            1 => format!("!(GF {} & GF({} & {}))", p(0), p(1), p(4)),
            2 => format!("GF {} -> FG({} | {})", p(0), p(1), p(2)),
            _ => format!("!(GF({} & {} & {}) & GF !{})", p(0), p(1), p(2), p(4)),
        };
        compare(&Model::from(net), &text.parse().unwrap(), Deadlock::Stutter);
    }
}

/// Returns the number of states by every strategy, and with different orders.
fn count(model: &Model) -> u64 {
    let count = |system: &Arc<dyn System>| {
        let mut store = Arena::new(system.words());
        let found = breadth_first(&**system, &mut store, &Limits::default(), |_| ());
        let counts = found.map_err(|failure| failure.fault)?.counts;
        let orders = [Order::Best, Order::Given(vec![])];
        for (strategy, order) in Search::ALL.into_iter().zip(orders.iter().cycle()) {
            let manager = Manager::new(sempre_diagrams::Options::default());
            let space = Space::new(Encoding::new(&manager, system, order)?, strategy)?;
            assert_eq!(space.count(), counts.states.into(), "{strategy:?}, {order:?}");
            assert_eq!(space.deadlocks().count(), counts.deadlocks.into());
            let path = space.path(space.deadlocks())?;
            assert_eq!(path.is_some(), counts.deadlocks > 0);
            if let Some(path) = path {
                let moves = path.steps.into_iter();
                let moves = moves.map(|step| Move { action: Some(step.action), state: step.state });
                let (initial, prefix) = (path.initial, moves.collect());
                let run = Counterexample { initial, prefix, cycle: Vec::new() };
                run.judge(&**system, &Formula::tt(), Deadlock::Report).unwrap();
            }
        }
        Ok(counts.states)
    };
    model.run(Extent::Whole, count).unwrap()
}

const DVE: &str = "
byte free = 2; byte used[2];
channel {byte} queue[2];
process Client {
    byte id = 1;
    state idle, waiting, busy;
    init idle;
    trans
        idle -> waiting { guard free > 0; sync queue!id; effect free = free - 1; },
        waiting -> busy { guard used[id] == 0; effect used[id] = 1; },
        busy -> idle { effect used[id] = 0, free = free + 1, id = 1 - id; };
}
process Server {
    byte last;
    state ready, serving;
    commit serving;
    init ready;
    trans
        ready -> serving { sync queue?last; },
        serving -> ready { effect last = 0; };
}
system async;
";

#[test]
fn both_engines_count_the_same_states() {
    for family in generate::families() {
        let net = family.net(*family.range().start()).unwrap();
        assert!(count(&Model::from(net)) > 1, "{}", family.name());
    }
    assert!(count(&read("dve", DVE)) > 10);
    let kripke = include_str!("../../../../models/traffic-light.kripke");
    assert!(count(&read("kripke", kripke)) > 1);
}

#[test]
fn verdicts_agree_on_programs() {
    let model = read("dve", DVE);
    let mut violated = 0;
    let formulas = [
        r#"G("Client.waiting" -> F "Client.busy")"#,
        r#"GF "Server.serving""#,
        r#"G "free >= 1""#,
        r#"FG "Client.idle" | GF "used[0] == 1""#,
        r#"G("Client.busy" -> X "Client.idle")"#,
        r#""Client.idle" U "queue > 0""#,
    ];
    for text in formulas {
        let formula: Formula = text.parse().unwrap();
        for deadlock in [Deadlock::Stutter, Deadlock::Ignore] {
            violated += usize::from(compare(&model, &formula, deadlock));
        }
    }
    assert!((1..2 * formulas.len()).contains(&violated), "{violated} are violated");
}

/// Published numbers beyond the reach of enumeration.
#[test]
fn families_have_the_published_numbers_of_markings() {
    let count = |name: &str, number: u32| {
        let model = Model::from(generate::family(name).unwrap().net(number).unwrap());
        let count = |system: &Arc<dyn System>| {
            let manager = Manager::new(sempre_diagrams::Options::default());
            let encoding = Encoding::new(&manager, system, &Order::Best)?;
            Ok(Space::new(encoding, Search::Saturation)?.count().to_string())
        };
        model.run(Extent::Whole, count).unwrap()
    };
    assert_eq!(count("kanban", 5), "2546432");
    assert_eq!(count("kanban", 6), "11261376");
    assert!(count("philosophers", 10).starts_with("46") && count("philosophers", 10).len() == 7);
    assert_eq!(count("fms", 6), "15126440");
    assert_eq!(count("mapk", 2), "6110643");
    assert!(count("philosophers", 20).starts_with("2193") && count("philosophers", 20).len() == 14);
}
