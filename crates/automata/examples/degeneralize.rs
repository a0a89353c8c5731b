//! Sums of states and edges over all combinations of the options of degeneralization.
//!
//! `cargo run --release -p sempre-automata --example degeneralize [FILE…]`: on the generalized
//! Büchi automata of files in any readable format, or on random ones.

use sempre_automata::degeneralize::{
    Degeneralizer, EntryLevel, InitialLevel, Jump, MarkOrder, Marking, Placement,
};
use sempre_automata::formats::Reader;
use sempre_automata::random::RandomAutomata;
use sempre_automata::{Automaton, GeneralizedBuchi, Named};

/// Returns each combination with its name.
fn combinations() -> Vec<(String, Degeneralizer)> {
    let mut all = vec![("plain".into(), Degeneralizer::plain())];
    all.push(("default".into(), Degeneralizer::default()));
    let jumps =
        [Jump::Never, Jump::NotFromAccepting, Jump::Always, Jump::ToWaiting, Jump::Smallest];
    let levels = [
        (InitialLevel::First, EntryLevel::First),
        (InitialLevel::Last, EntryLevel::Last),
        (InitialLevel::Smaller, EntryLevel::Marks),
        (InitialLevel::Smaller, EntryLevel::Smaller),
    ];
    let components =
        [(false, false, false), (true, false, false), (true, true, false), (true, true, true)];
    let climbs =
        jumps.iter().flat_map(|&j| [Marking::Given, Marking::Saturated].map(move |m| (j, m)));
    for (jump, marking) in climbs {
        for (initial, entry) in levels {
            for order in [MarkOrder::Given, MarkOrder::Whole, MarkOrder::PerComponent] {
                for placement in [Placement::ExtraLevel, Placement::Copies, Placement::Smallest] {
                    for (own, reuse, bottom) in components {
                        let options = Degeneralizer::plain()
                            .jump(jump)
                            .marking(marking)
                            .initial(initial)
                            .entry(entry)
                            .order(order.clone())
                            .placement(placement)
                            .per_component(own)
                            .reuse_levels(reuse)
                            .bottom_copies(bottom);
                        let aware = match (own, reuse, bottom) {
                            (false, ..) => "whole",
                            (_, false, _) => "component",
                            (_, true, false) => "component+reuse",
                            (_, true, true) => "component+reuse+bottom",
                        };
                        let name = format!(
                            "{jump:?} {marking:?} {initial:?} {entry:?} {order:?} {placement:?} {aware}"
                        );
                        all.push((name, options));
                    }
                }
            }
        }
    }
    all
}

fn automata() -> Result<Vec<Automaton>, Box<dyn std::error::Error>> {
    let mut automata = vec![];
    for file in std::env::args().skip(1) {
        for automaton in Reader::new(std::io::BufReader::new(std::fs::File::open(file)?)) {
            automata.extend(automaton?.automaton.nondeterministic());
        }
    }
    if automata.is_empty() {
        for marks in 2..=4 {
            for (states, density) in [(3, 0.4), (6, 0.2), (10, 0.15)] {
                for probability in [0.2, 0.4] {
                    let random = RandomAutomata::over(["a", "b"])?.states(states).density(density);
                    let random = random.acceptance(Named::GeneralizedBuchi(marks)).seed(1);
                    let random = random.mark_probability(probability);
                    automata.extend(random.generate().take(10));
                }
            }
        }
    }
    Ok(automata)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let automata = automata()?;
    let states: usize = automata.iter().map(Automaton::state_count).sum();
    println!("{} automata with {states} states", automata.len());
    println!("{:>9} {:>9} {:>9} {:>9}", "sb states", "sb edges", "tb states", "tb edges");
    let mut rows = vec![];
    for (name, options) in combinations() {
        let mut sums = [0; 4];
        for automaton in &automata {
            let automaton = &GeneralizedBuchi::from(automaton);
            let results = [options.state_based(automaton), options.transition_based(automaton)];
            for (place, result) in results.iter().enumerate() {
                sums[2 * place] += result.state_count();
                sums[2 * place + 1] += result.edge_count();
            }
        }
        rows.push((sums, name));
    }
    rows.sort();
    for ([sb_states, sb_edges, tb_states, tb_edges], name) in rows {
        println!("{sb_states:>9} {sb_edges:>9} {tb_states:>9} {tb_edges:>9}  {name}");
    }
    Ok(())
}
