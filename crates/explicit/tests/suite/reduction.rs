//! Compares checks of reduced nets with checks of the original nets.

use sempre_check::combine::{NetReduction, Reduce, Widening};
use sempre_check::{Control, Deadlock, Engine, Limits, NetSize, Outcome, Question, Verdict};
use sempre_explicit::{ExplicitEngine, Options};
use sempre_ltl::generate::Rng;
use sempre_ltl::{Formula, Prop};
use sempre_models::petri::reduce::{Observed, PropertyClass, reduce};
use sempre_models::petri::{Net, NetBuilder, NetSystem, text};
use sempre_translate::require_invariance;
use std::sync::Arc;

/// Returns processes that run in circles, with short cuts and dead ends, and wait for each other's
/// tokens. Most of their places have few transitions, as in nets written by people.
fn processes(rng: &mut Rng) -> Net {
    let mut builder = NetBuilder::default();
    let mut places = Vec::new();
    let mut arcs = Vec::new();
    for process in 0..1 + rng.index(3) {
        let first = places.len();
        let length = 2 + rng.index(4);
        for number in 0..length {
            let tokens = u32::from(number == 0) * (1 + rng.index(5) as u32 / 4);
            places.push(builder.place(format!("p{}", first + number), tokens));
            arcs.push((first + number, first + (number + 1) % length));
        }
        if rng.below(2) == 0 {
            arcs.push((first + rng.index(length), first + rng.index(length)));
        }
        if process > 0 && rng.below(2) == 0 {
            arcs.push((rng.index(first), first + rng.index(length)));
        }
    }
    let shared = places.len();
    for number in 0..rng.index(3) {
        places.push(builder.place(format!("p{}", shared + number), rng.index(2) as u32));
    }
    for (number, (from, to)) in arcs.into_iter().enumerate() {
        let transition = builder.transition(format!("t{number}"));
        let weight = 1 + rng.index(8) as u32 / 7;
        builder.input(transition, places[from], weight).unwrap();
        builder.output(transition, places[to], weight).unwrap();
        if shared < places.len() && rng.below(3) == 0 {
            let other = places[shared + rng.index(places.len() - shared)];
            match rng.below(4) {
                0 => builder.input(transition, other, 1).unwrap(),
                1 => builder.output(transition, other, 1).unwrap(),
                2 => builder.inhibitor(transition, other, 1),
                _ => {
                    builder.input(transition, other, 1).unwrap();
                    builder.output(transition, other, 1).unwrap();
                }
            }
        }
    }
    builder.build().unwrap()
}

/// Returns a net with few places, many with one input and one output transition, sometimes with
/// weights, self-loops and inhibitor arcs.
fn net(rng: &mut Rng) -> Net {
    let mut builder = NetBuilder::default();
    let count = 3 + rng.index(6);
    let places: Vec<_> = (0..count)
        .map(|number| builder.place(format!("p{number}"), u32::from(rng.below(3) == 0)))
        .collect();
    let weight = |rng: &mut Rng| if rng.below(12) == 0 { 2 } else { 1 };
    for number in 0..2 + rng.index(7) {
        let transition = builder.transition(format!("t{number}"));
        for _ in 0..1 + rng.index(4) / 2 {
            let weight = weight(rng);
            builder.input(transition, places[rng.index(count)], weight).unwrap();
        }
        for _ in 0..[0, 1, 1, 1, 2][rng.index(5)] {
            let weight = weight(rng);
            builder.output(transition, places[rng.index(count)], weight).unwrap();
        }
        if rng.below(25) == 0 {
            builder.inhibitor(transition, places[rng.index(count)], 1 + rng.index(2) as u32);
        }
    }
    builder.build().unwrap()
}

/// A formula about one or two of the places, or transitions; a few have X. With `events` it is about
/// steps as well.
fn formula(rng: &mut Rng, net: &Net, events: bool) -> Formula {
    let atom = |rng: &mut Rng| match rng.below(4) {
        0 | 1 if events => format!("fired(t{})", rng.index(net.transition_count())),
        0 => format!("\"fireable(t{})\"", rng.index(net.transition_count())),
        1 => format!("\"p{} >= 2\"", rng.index(net.place_count())),
        _ => format!("p{}", rng.index(net.place_count())),
    };
    let atoms = [atom(rng), atom(rng)];
    let mut parts: Vec<String> =
        (0..1 + rng.index(4)).map(|_| atoms[rng.index(2)].clone()).collect();
    let next = rng.below(10) == 0;
    for _ in 0..1 + rng.index(5) {
        let place = rng.index(parts.len());
        let part = parts.swap_remove(place);
        let unary = ["!", "F ", "G ", "G F ", "F G ", if next { "X " } else { "F " }];
        parts.push(format!("{}({part})", unary[rng.index(unary.len())]));
    }
    while parts.len() > 1 {
        let (left, right) = (parts.swap_remove(0), parts.pop().unwrap());
        parts.push(format!("({left}) {} ({right})", ["&", "|", "U", "R", "W"][rng.index(5)]));
    }
    parts[0].parse().unwrap()
}

/// The counts of a comparison.
#[derive(Debug, Default)]
struct Compared {
    pairs: u32,
    /// Pairs whose net was reduced.
    smaller: u32,
    /// Pairs with fewer visited states.
    fewer_states: u32,
    violated: u32,
    /// Pairs that only the original net decides.
    untold: u32,
}

/// Checks a net, with sixteen bits for each place.
fn check(engine: &mut dyn Engine, net: &Net, formula: &Formula, limits: &Limits) -> Outcome {
    check_with(engine, net, formula, limits, Deadlock::Stutter)
}

fn check_with(
    engine: &mut dyn Engine,
    net: &Net,
    formula: &Formula,
    limits: &Limits,
    deadlock: Deadlock,
) -> Outcome {
    let system = Arc::new(NetSystem::new(net.clone(), net.bounds(), 16));
    let question = Question::new(system, formula, deadlock).unwrap();
    engine.check(&question, &Control::new(limits.clone())).unwrap()
}

/// Returns an engine that always reduces the net if possible.
fn reducing(net: &Net) -> NetReduction {
    let whole = Box::new(ExplicitEngine::new(Options::default()));
    NetReduction::new(Arc::new(net.clone()), Reduce::On, whole, |model| {
        Ok(Box::new(Widening::new(model, ExplicitEngine::new(Options::default()))?))
    })
}

/// True if the reduced net satisfies the formula; `None` if no reduction applies, or there are too
/// many states.
fn of_smaller(net: &Net, formula: &Formula, limits: &Limits) -> Option<bool> {
    let props = formula.props();
    let observed = Observed::by(net, props.iter().map(Prop::name)).unwrap().unwrap();
    let kept = match observed.fired.is_empty() && require_invariance(formula).is_ok() {
        true => PropertyClass::StutterInvariant,
        false => PropertyClass::All,
    };
    let smaller = reduce(net, &observed, kept)?.net;
    match check(&mut ExplicitEngine::new(Options::default()), &smaller, formula, limits).verdict {
        Verdict::Holds => Some(true),
        Verdict::Violated => Some(false),
        Verdict::Unknown(_) => None,
    }
}

fn compare(seed: u64, pairs: u32, events: bool) -> Compared {
    let mut rng = Rng::new(seed);
    let mut compared = Compared::default();
    let limits = Limits { states: Some(2_000), ..Limits::default() };
    while compared.pairs < pairs {
        let net = if rng.below(4) == 0 { net(&mut rng) } else { processes(&mut rng) };
        let (mut whole, mut reduced) = (ExplicitEngine::new(Options::default()), reducing(&net));
        for _ in 0..4 {
            let formula = formula(&mut rng, &net, events);
            let whole = check(&mut whole, &net, &formula, &limits);
            let holds = match whole.verdict {
                Verdict::Unknown(_) => continue,
                verdict => verdict == Verdict::Holds,
            };
            compared.pairs += 1;
            let Some(found) = of_smaller(&net, &formula, &limits) else { continue };
            assert_eq!(found, holds, "{formula} on\n{}", text::write(&net));
            compared.smaller += 1;
            compared.violated += u32::from(!holds);
            // Counterexamples were judged on the original net.
            let reduced = check(&mut reduced, &net, &formula, &limits);
            assert_eq!(holds, reduced.verdict == Verdict::Holds);
            compared.fewer_states += u32::from(reduced.cost.states < whole.cost.states);
            compared.untold += u32::from(reduced.provenance.reduction.is_none());
        }
    }
    compared
}

#[test]
fn smaller_nets_satisfy_the_same_formulas() {
    let compared = compare(1, 4000, false);
    assert!(compared.smaller > 3000, "{compared:?}");
    assert!(compared.fewer_states > 1000 && compared.violated > 1000, "{compared:?}");
    assert!(500 * compared.untold < compared.violated, "{compared:?}");
}

/// Structural reductions may remove deadlocks or add some, so they must not be used where deadlocks
/// matter.
#[test]
fn other_treatments_of_deadlocks_do_not_depend_on_reductions() {
    let mut rng = Rng::new(3);
    let limits = Limits { states: Some(2_000), ..Limits::default() };
    let mut violated = 0;
    for number in 0..250 {
        let net = if number % 4 == 0 { net(&mut rng) } else { processes(&mut rng) };
        let formula = formula(&mut rng, &net, false);
        for deadlock in [Deadlock::Ignore, Deadlock::Report] {
            let mut engine = ExplicitEngine::new(Options::default());
            let whole = check_with(&mut engine, &net, &formula, &limits, deadlock).verdict;
            let reduced = check_with(&mut reducing(&net), &net, &formula, &limits, deadlock);
            assert_eq!(reduced.verdict, whole, "{formula}, {deadlock:?}:\n{}", text::write(&net));
            violated += u32::from(whole == Verdict::Violated);
        }
    }
    assert!((100..400).contains(&violated), "{violated}");
}

/// Transitions of which a formula asks whether they happen stay as they are.
#[test]
fn smaller_nets_have_the_same_steps() {
    let compared = compare(2, 400, true);
    assert!(compared.smaller > 20 && compared.violated > 10, "{compared:?}");
}

/// Without the lock, tokens pile up on `done` in a cycle of the smaller net that is found first.
#[test]
fn places_that_accumulate_tokens_are_kept() {
    let net = "pl a (1) pl lock (1)  tr work a lock -> b lock  tr pile b -> a done  \
               tr rest a -> c  tr wake c -> a  tr leave c -> e";
    let net = text::parse(net).unwrap();
    let limits = Limits { states: Some(2_000), ..Limits::default() };
    let found = check(&mut reducing(&net), &net, &"F e".parse().unwrap(), &limits);
    let run = found.counterexample().expect("a violation");
    assert_eq!((run.prefix.len(), run.cycle.len()), (0, 2));
    assert_eq!(found.provenance.reduction, Some(NetSize { places: 5, transitions: 5 }));
}
