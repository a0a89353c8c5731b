//! Generalized Rabin automata to Rabin automata with marks on states.
//!
//! F. Blahoudek, Automata for formal methods (2018), Section 5.6. For each pair a level counts the
//! marks seen, in a given order. The order affects the number of states, so a limited number of
//! orders is tried for each pair.

use super::rabin::{Pair, Rabin, RabinEdge};
use super::{Limit, Options};
use rustc_hash::FxHashMap;
use sempre_automata::{Mark, Marks};
use sempre_ltl::interrupt;

/// The maximal number of orders to try.
const MAX_ORDERS: usize = 200;

/// Returns the smallest automaton found with Rabin acceptance on states.
pub(super) fn state_based(rabin: &Rabin, options: &Options) -> Result<Rabin, Limit> {
    let mut best_pairs = rabin.pairs.clone();
    let mut best = with_levels(rabin, &best_pairs, options)?;
    if !options.mark_orders {
        return Ok(best);
    }
    let mut tried = 0;
    let mut better = true;
    while better {
        better = false;
        for place in 0..best_pairs.len() {
            for infs in orders(&best_pairs[place].infs) {
                if tried == MAX_ORDERS {
                    return Ok(best);
                }
                tried += 1;
                let mut pairs = best_pairs.clone();
                pairs[place].infs = infs;
                let other = with_levels(rabin, &pairs, options)?;
                if other.edges.len() < best.edges.len() {
                    (best, best_pairs, better) = (other, pairs, true);
                }
            }
        }
    }
    Ok(best)
}

/// Returns other orders of the list: all with two entries exchanged.
fn orders(list: &[Mark]) -> Vec<Vec<Mark>> {
    let pairs = (0..list.len()).flat_map(|l| (l + 1..list.len()).map(move |r| (l, r)));
    let exchanged = |(l, r)| {
        let mut other = list.to_vec();
        other.swap(l, r);
        other
    };
    pairs.map(exchanged).collect()
}

/// Builds the automaton whose states have a level for each pair.
fn with_levels(rabin: &Rabin, pairs: &[Pair], options: &Options) -> Result<Rabin, Limit> {
    let most = options.most_states;
    let first = (rabin.initial, vec![1u32; pairs.len()]);
    let mut numbers = FxHashMap::from_iter([(first.clone(), 0usize)]);
    let mut states = vec![first];
    let mut edges: Vec<Vec<RabinEdge>> = vec![];
    while let Some((source, levels)) = states.get(edges.len()).cloned() {
        interrupt::poll();
        let marks: Marks = (0u32..)
            .zip(levels.iter().zip(pairs))
            .filter_map(|(number, (&level, pair))| match level {
                0 => Some(2 * number),
                level if level as usize == pair.infs.len() + 1 => Some(2 * number + 1),
                _ => None,
            })
            .collect();
        let mut out = vec![];
        for edge in &rabin.edges[source] {
            let next = levels.iter().zip(pairs).map(|(&level, pair)| next_level(level, pair, edge));
            let next = (edge.target, next.collect::<Vec<u32>>());
            let number = *numbers.entry(next.clone()).or_insert(states.len());
            if number == states.len() {
                if number == most {
                    return Err(Limit::Macrostates);
                }
                states.push(next);
            }
            out.push(RabinEdge { label: edge.label, target: number, marks: marks.clone() });
        }
        edges.push(out);
    }
    let pairs = (0..pairs.len() as Mark).map(|n| Pair { fin: 2 * n, infs: vec![2 * n + 1] });
    let rabin =
        Rabin { alphabet: rabin.alphabet.clone(), initial: 0, edges, pairs: pairs.collect() };
    let rabin = if options.equivalent_states { rabin.merged().reachable() } else { rabin };
    Ok(if options.later_start { rabin.with_later_start() } else { rabin })
}

fn next_level(level: u32, pair: &Pair, edge: &RabinEdge) -> u32 {
    if edge.marks.contains(pair.fin) {
        return 0;
    }
    let last = pair.infs.len() as u32;
    let from = if (1..=last).contains(&level) { level } else { 1 };
    let seen = pair.infs[from as usize - 1..].iter().take_while(|&&inf| edge.marks.contains(inf));
    from + seen.count() as u32
}
