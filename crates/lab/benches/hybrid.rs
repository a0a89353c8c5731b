//! The hybrid engines against the symbolic and the explicit one, on ten pairs of a net and a formula, of
//! which five hold: seconds, and ratios to the symbolic engine.
//!
//! `cargo bench -p sempre-lab --bench hybrid`

use sempre_check::combine::AnyEngine;
use sempre_check::{AutomatonKind, Control, Deadlock, Limits, Question};
use sempre_explicit::ExplicitEngine;
use sempre_hybrid::{By, HybridEngine, Method, Options};
use sempre_models::{Model, generate};
use sempre_symbolic::SymbolicEngine;
use std::time::{Duration, Instant};

/// Family, number, formula; the first five hold.
const PAIRS: [(&str, u32, &str); 10] = [
    ("philosophers", 20, "G !(eats_0 & eats_1)"),
    ("philosophers", 10, "G(eats_0 -> eats_0 W idle_0)"),
    ("kanban", 5, "G \"bad_1 <= 5\""),
    ("ring", 5, "G !(ready_0 & written_0)"),
    ("philosophers", 30, "G(idle_0 -> (idle_0 W wants_left_0))"),
    ("philosophers", 20, "G(idle_0 -> F eats_0)"),
    ("philosophers", 30, "F G !eats_0"),
    ("kanban", 5, "F G \"bad_1 = 0\""),
    ("kanban", 4, "G F \"bad_1 > 0\" -> G F \"bad_2 > 3\""),
    ("philosophers", 10, "G F eats_0 -> G F eats_5"),
];

const LIMIT: Duration = Duration::from_secs(20);

fn engines() -> Vec<(&'static str, AnyEngine)> {
    let hybrid = |method, automaton| -> AnyEngine {
        let by = if method == Method::Sog { By::Transition } else { By::Label };
        Box::new(HybridEngine::new(Options { method, automaton, by, ..Options::default() }))
    };
    vec![
        ("symbolic", Box::new(SymbolicEngine::default())),
        ("explicit", Box::new(ExplicitEngine::new(Default::default()))),
        ("sog", hybrid(Method::Sog, AutomatonKind::Tgba)),
        ("sop", hybrid(Method::Sop, AutomatonKind::Tgba)),
        ("slap", hybrid(Method::Slap, AutomatonKind::Tgba)),
        ("slap tgta", hybrid(Method::Slap, AutomatonKind::Tgta)),
    ]
}

fn main() {
    for (family, number, text) in PAIRS {
        let net = generate::family(family).and_then(|family| family.net(number)).expect("a net");
        let system = Model::from(net).system();
        let formula = text.parse().expect("a formula");
        let question = match Question::new(system, &formula, Deadlock::Stutter) {
            Ok(question) => question,
            Err(error) => {
                println!("{family} {number}: {text}: {error}");
                continue;
            }
        };
        println!("{family} {number}: {text}");
        let mut baseline = None;
        for (name, mut engine) in engines() {
            let start = Instant::now();
            let deadline = start.checked_add(LIMIT);
            let limits = Limits { deadline, bytes: Some(4 << 30), ..Limits::default() };
            let outcome = engine.check(&question, &Control::new(limits));
            let seconds = start.elapsed().as_secs_f64();
            let verdict = match &outcome {
                Ok(outcome) => outcome.verdict.name().to_owned(),
                Err(error) => error.to_string(),
            };
            let ratio = seconds / *baseline.get_or_insert(seconds);
            println!("  {name:<10} {seconds:>8.3} s  {ratio:>7.2}  {verdict}");
        }
    }
}
