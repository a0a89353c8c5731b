//! Sizes of complements: a table of sums over many automata, and the time.
//!
//! `cargo bench -p sempre-automata --bench complementation -- FOLDER` complements the automata with
//! at most eight states in the HOA files of a folder (or `SEMPRE_COMPLEMENTATION=FOLDER`). Without
//! a folder, it uses random automata. More than ten seconds count as a failure. `--each` prints a
//! line for each automaton; `--states=N` allows more states.

use sempre_automata::random::RandomAutomata;
use sempre_automata::{
    Automaton, Degeneralizer, GeneralizedBuchi, complement, language, prune, reduce, state_based,
};
use sempre_ltl::interrupt::{self, Interrupt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The default limit of states.
const MAX_STATES: usize = 8;

const LIMIT: Duration = Duration::from_secs(10);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test` only checks that it starts.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let each = arguments.iter().any(|argument| argument == "--each");
    let folder = arguments.iter().find(|argument| !argument.starts_with("--")).cloned();
    let folder = folder.or_else(|| std::env::var("SEMPRE_COMPLEMENTATION").ok());
    let most = arguments.iter().find_map(|argument| argument.strip_prefix("--states="));
    let most = most.and_then(|most| most.parse().ok()).unwrap_or(MAX_STATES);
    let automata = match &folder {
        Some(folder) => from_folder(Path::new(folder), most),
        None => random(),
    };
    if automata.is_empty() {
        println!("no automata with at most {most} states");
        return;
    }
    compare(&automata);
    let ways: [(&str, Way); 2] =
        [("complement", complement::complement), ("buchi", complement::buchi)];
    println!(
        "{:12} {:>5} {:>8} {:>8} {:>9} {:>7} {:>6}",
        "way", "done", "states", "edges", "st. BA", "failed", "s"
    );
    for (name, way) in ways {
        let mut sums = Sums::default();
        let start = Instant::now();
        for (name, automaton) in &automata {
            let deadline = Some(Instant::now() + LIMIT);
            let work = || {
                let complement = way(automaton);
                let buchi = as_state_based(&complement);
                (complement, buchi)
            };
            match interrupt::run(&Interrupt::default(), deadline, work) {
                Ok((complement, buchi)) => {
                    if each {
                        println!("{name},{},{}", complement.state_count(), buchi);
                    }
                    sums.done += 1;
                    sums.states += complement.state_count().max(1);
                    sums.edges += complement.edge_count();
                    sums.state_based += buchi;
                }
                Err(_) => {
                    sums.failed += 1;
                    if each {
                        println!("{name},TO,TO");
                    }
                }
            }
        }
        let Sums { done, states, edges, state_based, failed } = sums;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name:12} {done:>5} {states:>8} {edges:>8} {state_based:>9} {failed:>7} {seconds:>6.1}"
        );
    }
}

type Way = fn(&Automaton) -> Automaton;

#[derive(Default)]
struct Sums {
    done: usize,
    states: usize,
    edges: usize,
    state_based: usize,
    failed: usize,
}

/// Returns the number of states of the reduced complement as a Büchi automaton with marks on
/// states.
fn as_state_based(automaton: &Automaton) -> usize {
    let buchi = match GeneralizedBuchi::of(automaton) {
        Ok(generalized) => Degeneralizer::default().state_based(&generalized),
        Err(_) => state_based(&prune::trim(automaton)),
    };
    reduce::reduce(&buchi, reduce::Level::Medium).state_count().max(1)
}

fn from_folder(folder: &Path, most: usize) -> Vec<(String, Automaton)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return vec![] };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut automata = vec![];
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "hoa")) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match sempre_automata::hoa::parse(&text) {
            Ok(automaton) => {
                if let Ok(automaton) = automaton.nondeterministic().ok_or(())
                    && automaton.state_count() <= most
                {
                    automata.push((name, automaton));
                }
            }
            Err(error) => println!("{name}: {error}"),
        }
    }
    automata
}

/// Returns random automata with two letters, one per seed.
fn random() -> Vec<(String, Automaton)> {
    let mut automata = vec![];
    for states in [3, 5, 7] {
        for density in [1.2, 1.8, 2.4] {
            let random = RandomAutomata::over(["a"]).expect("distinct").states(states);
            let random = random.density(density / states as f64).mark_probability(0.3);
            for (number, automaton) in random.generate().take(30).enumerate() {
                automata.push((format!("{states}-{density}-{number}"), automaton));
            }
        }
    }
    automata
}

/// Decides universality of each automaton, without building its complement.
fn compare(automata: &[(String, Automaton)]) {
    let start = Instant::now();
    let mut outcomes = [0; 3];
    for (_, automaton) in automata {
        let deadline = Some(Instant::now() + LIMIT);
        let universal = || language::is_universal(automaton);
        match interrupt::run(&Interrupt::default(), deadline, universal) {
            Ok(true) => outcomes[0] += 1,
            Ok(false) => outcomes[1] += 1,
            Err(_) => outcomes[2] += 1,
        }
    }
    let [universal, others, failed] = outcomes;
    let seconds = start.elapsed().as_secs_f64();
    println!("universality: {universal} are, {others} are not, {failed} failed, {seconds:.1} s");
}
