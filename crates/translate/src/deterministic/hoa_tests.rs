//! The expectations of probabilistic model checkers about files in HOA, checked on the text alone.
//!
//! Prism's reader (`HOAF2DA`) and Storm's (`HOAConsumerDA`) want: the headers `States` and `Start`,
//! one initial state, at least one state, at most 30 propositions, labels on edges in disjunctive
//! normal form, acceptance sets on states, every letter read exactly once by each state, no unknown
//! header with a capital letter, and conditions as their `acc-name` defines them.

use super::{Request, TargetAcceptance, translate};
use sempre_automata::hoa::{self, WriteOptions};
use sempre_ltl::Formula;
use sempre_ltl::generate::random::RandomFormulas;

const HEADERS: [&str; 5] = ["HOA", "States", "Start", "AP", "Acceptance"];

/// The verdict of a label in disjunctive normal form on a letter.
fn reads(label: &str, letter: u32) -> bool {
    let literal = |text: &str| match (text.trim(), text.trim().strip_prefix('!')) {
        ("t", _) => true,
        (_, Some(negated)) => letter >> negated.parse::<u32>().unwrap() & 1 == 0,
        (plain, None) => letter >> plain.parse::<u32>().unwrap() & 1 == 1,
    };
    label.split('|').any(|cube| cube.split('&').all(literal))
}

/// Checks a file as the readers do; returns its `acc-name`.
fn check(text: &str) -> Option<String> {
    let (head, body) = text.split_once("--BODY--").unwrap();
    let headers: Vec<(&str, &str)> =
        head.lines().map(|line| line.split_once(':').unwrap()).collect();
    let values = |name: &str| -> Vec<&str> {
        headers.iter().filter(|(known, _)| *known == name).map(|(_, v)| v.trim()).collect()
    };
    for (name, _) in &headers {
        assert!(name.starts_with(char::is_lowercase) || HEADERS.contains(name), "{name}");
    }
    let states: u32 =
        values("States")[..].try_into().map(|[n]: [&str; 1]| n.parse().unwrap()).unwrap();
    let start: u32 =
        values("Start")[..].try_into().map(|[n]: [&str; 1]| n.parse().unwrap()).unwrap();
    assert!(states >= 1 && start < states);
    let props: u32 = values("AP")[0].split(' ').next().unwrap().parse().unwrap();
    assert!(props <= 30);
    let mut seen = 0;
    for state in body.split("State:").skip(1) {
        let mut lines = state.trim().lines().filter(|line| !line.starts_with("--"));
        assert!(!lines.next().unwrap().contains('['), "a label on a state");
        let edges: Vec<(&str, u32)> = lines
            .map(|line| {
                let (label, target) =
                    line.trim().strip_prefix('[').unwrap().split_once(']').unwrap();
                // Acceptance sets would follow the target.
                (label, target.trim().parse().unwrap())
            })
            .collect();
        for letter in 0..1 << props {
            let read: Vec<u32> =
                edges.iter().filter(|(label, _)| reads(label, letter)).map(|(_, t)| *t).collect();
            assert!(read.len() == 1 && read[0] < states, "{letter}: {read:?}");
        }
        seen += 1;
    }
    assert_eq!(seen, states);
    let acceptance = values("Acceptance")[0];
    let name = values("acc-name").first().map(|name| (*name).to_owned());
    match name.as_deref().map(|name| name.split(' ').collect::<Vec<_>>()).as_deref() {
        Some(["Rabin", pairs]) => {
            let pair = |p: u32| format!("(Fin({})&Inf({}))", 2 * p, 2 * p + 1);
            let pairs: u32 = pairs.parse().unwrap();
            let all: Vec<String> = (0..pairs).map(pair).collect();
            let all = match pairs {
                1 => all[0].trim_matches(['(', ')']).to_owned() + ")",
                _ => all.join("|"),
            };
            assert_eq!(acceptance.replace(' ', ""), format!("{}{all}", 2 * pairs));
        }
        Some(["generalized-Rabin", pairs, infs @ ..]) => {
            assert_eq!(pairs.parse::<usize>().unwrap(), infs.len());
            let marks: usize = infs.iter().map(|inf| 1 + inf.parse::<usize>().unwrap()).sum();
            assert_eq!(acceptance.split(' ').next().unwrap(), marks.to_string());
        }
        _ => {}
    }
    name
}

#[test]
fn files_are_as_probabilistic_model_checkers_expect() {
    let fixed = ["GFa -> GFb", "FGa | GFb", "G(a -> X(b U c))", "0", "1", "F(a & Xb)"];
    let random = RandomFormulas::over(["a", "b"]).sizes(4..=10).seed(9).generate().unwrap();
    let formulas: Vec<Formula> = fixed
        .iter()
        .map(|text| text.parse().unwrap())
        .chain(random.take(40).map(Result::unwrap))
        .collect();
    let mut names: Vec<String> = vec![];
    for formula in &formulas {
        for wanted in [
            TargetAcceptance::Any,
            TargetAcceptance::Rabin,
            TargetAcceptance::GeneralizedRabin,
            TargetAcceptance::Parity,
        ] {
            let request =
                Request { wanted, complete: true, state_based: true, ..Request::default() };
            let automaton = translate(formula, &request).unwrap();
            let name = check(&hoa::to_string(&automaton, &WriteOptions::default()));
            if wanted == TargetAcceptance::Rabin {
                // The condition of a language without words, or with all, has another name.
                let first = name.as_deref().and_then(|name| name.split(' ').next());
                assert!(matches!(first, Some("Rabin" | "none" | "all")), "{formula}: {name:?}");
            }
            names.extend(name.and_then(|name| name.split(' ').next().map(str::to_owned)));
        }
    }
    for wanted in ["Rabin", "generalized-Rabin", "parity"] {
        assert!(names.iter().any(|name| name == wanted), "{wanted}");
    }
}
