//! The token game by its definition, on vectors of counts: the oracle of the tests.

use crate::petri::Net;
use std::collections::HashSet;

/// The result of a plain exploration of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    pub(crate) markings: usize,
    pub(crate) firings: usize,
    pub(crate) deadlocks: usize,
}

/// Plays all games.
pub(crate) fn play(net: &Net) -> Graph {
    let initial: Vec<u32> = net.places().map(|place| net.initial(place)).collect();
    let mut graph = Graph { markings: 0, firings: 0, deadlocks: 0 };
    let mut seen = HashSet::from([initial.clone()]);
    let mut todo = vec![initial];
    while let Some(marking) = todo.pop() {
        graph.markings += 1;
        let before = graph.firings;
        for transition in net.transitions() {
            let enabled = net.inputs(transition).iter().all(|(p, w)| marking[p.0 as usize] >= *w)
                && net.inhibitors(transition).iter().all(|(p, w)| marking[p.0 as usize] < *w);
            if enabled {
                graph.firings += 1;
                let mut next = marking.clone();
                net.inputs(transition).iter().for_each(|(p, w)| next[p.0 as usize] -= w);
                net.outputs(transition).iter().for_each(|(p, w)| next[p.0 as usize] += w);
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        graph.deadlocks += usize::from(graph.firings == before);
    }
    graph
}

/// Returns the numbers of markings of the nets of a family, for a range of parameters.
pub(crate) fn markings(family: &str, numbers: impl IntoIterator<Item = u32>) -> Vec<usize> {
    let family = super::family(family).unwrap();
    numbers.into_iter().map(|n| play(&family.net(n).unwrap()).markings).collect()
}
