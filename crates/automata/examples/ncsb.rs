//! Complements the semi-deterministic automata of the published NCSB experiments by each
//! construction, and prints the numbers of macrostates and transitions.
//!
//! The argument is a folder with `index.csv` (name, source, letters, …) and the automata as HOA
//! files, whose letters are the codes 0 … letters−1 of their propositions. A transition is a
//! state, a letter and a state.

use sempre_automata::complement::{self, Division, Guess};
use sempre_automata::{Automaton, hoa};
use std::error::Error;
use std::path::Path;

/// The automata on which some of the published constructions did not end.
const DIFFICULT: [usize; 6] = [55, 56, 60, 61, 62, 78];
/// Isomorphic to others.
const REPEATED: std::ops::RangeInclusive<usize> = 64..=72;
const LIMIT: usize = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("the folder of the automata is missing")?;
    let folder = Path::new(&folder);
    let index = std::fs::read_to_string(folder.join("index.csv"))?;
    let mut inputs = vec![];
    for (number, line) in index.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, _, letters, ..] = fields[..] else { return Err("a line is too short".into()) };
        let text = std::fs::read_to_string(folder.join(name))?;
        let automaton = hoa::parse(&text)?.nondeterministic().ok_or("universal branching")?;
        inputs.push((number, letters.parse::<u64>()?, automaton));
    }
    let guesses =
        [Guess::StateBased, Guess::Original, Guess::OnTheFly, Guess::Lazy, Guess::Delayed];
    for guess in guesses {
        let (mut states, mut transitions, mut difficult) = (0, 0, vec![]);
        for (number, letters, automaton) in &inputs {
            if REPEATED.contains(number) {
                continue;
            }
            let complement = complement::ncsb(automaton, guess, Division::Smallest, LIMIT)?;
            let count = (complement.state_count(), count(&complement, *letters));
            if DIFFICULT.contains(number) {
                difficult.push(format!("{}/{}", count.0, count.1));
            } else {
                states += count.0;
                transitions += count.1;
            }
        }
        println!("{guess:?}: {states} states, {transitions} transitions; {}", difficult.join(" "));
    }
    Ok(())
}

/// Counts the transitions over the first letters.
fn count(automaton: &Automaton, letters: u64) -> usize {
    let alphabet = automaton.alphabet();
    let reads = |label| (0..letters).filter(|letter| alphabet.satisfied(label, *letter)).count();
    automaton.edges().iter().map(|edge| reads(edge.label)).sum()
}
