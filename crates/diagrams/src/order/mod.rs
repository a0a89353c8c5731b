//! Orders of variables.
//!
//! The size of a diagram depends on the order of its variables: those in the same events should be
//! close to each other. Finding an optimal order is hard; these heuristics use only the supports of
//! events.
//!
//! - [`force`] alternately moves variables to their events and events to their variables, until
//!   that yields no improvement (Aloul, Markov and Sakallah 2003);
//! - [`cuthill_mckee`] and [`sloan`] order the graph of variables and events so that neighbours are
//!   close, as for matrices of small bandwidth or profile (Cuthill and McKee 1969; Sloan 1989).
//!
//! An order lists variables from the top. [`candidates`] returns orders to try.

mod graph;

use graph::Graph;
use rustc_hash::FxHashSet;

/// The cost of an order by the extents of events: less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// The sum over all events of the levels from their highest variable to their lowest.
    pub spans: u64,
    /// The sum over all events of their highest levels: saturation needs less work for low events.
    pub tops: u64,
}

/// Returns the cost of an order for events with these supports.
pub fn cost(order: &[usize], supports: &[Vec<usize>]) -> Cost {
    let mut levels = vec![0; order.len()];
    for (position, &variable) in order.iter().enumerate() {
        levels[variable] = (order.len() - position) as u64;
    }
    let mut cost = Cost { spans: 0, tops: 0 };
    for support in supports {
        let touched = || support.iter().map(|&variable| levels[variable]);
        if let (Some(top), Some(bottom)) = (touched().max(), touched().min()) {
            cost.spans += top - bottom + 1;
            cost.tops += top;
        }
    }
    cost
}

/// A heuristic for orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// The order in which the variables were given.
    Given,
    /// [`force`].
    Force,
    /// [`cuthill_mckee`].
    CuthillMckee,
    /// [`sloan`].
    Sloan,
}

impl Heuristic {
    /// All heuristics.
    pub const ALL: [Heuristic; 4] =
        [Heuristic::Given, Heuristic::Force, Heuristic::CuthillMckee, Heuristic::Sloan];

    /// Returns the name in options.
    pub fn name(self) -> &'static str {
        match self {
            Heuristic::Given => "given",
            Heuristic::Force => "force",
            Heuristic::CuthillMckee => "cuthill-mckee",
            Heuristic::Sloan => "sloan",
        }
    }

    /// Orders `variables` variables for events with these supports. Returns the cheaper of an order
    /// and its reverse, except for [`Heuristic::Given`]. Calls `poll` often, which may unwind.
    pub fn order(self, variables: usize, supports: &[Vec<usize>], poll: &dyn Fn()) -> Vec<usize> {
        let order = match self {
            Heuristic::Given => return (0..variables).collect(),
            Heuristic::Force => force((0..variables).collect(), supports, poll),
            Heuristic::CuthillMckee => cuthill_mckee(variables, supports, poll),
            Heuristic::Sloan => sloan(variables, supports, poll),
        };
        let reverse: Vec<usize> = order.iter().rev().copied().collect();
        if cost(&reverse, supports) < cost(&order, supports) { reverse } else { order }
    }
}

/// Returns distinct orders to try, the most successful heuristics first. None of them is good for
/// all systems, and heuristic metrics do not predict diagram size. Calls `poll` often, which may
/// unwind.
pub fn candidates(variables: usize, supports: &[Vec<usize>], poll: &dyn Fn()) -> Vec<Vec<usize>> {
    let by = |heuristic: Heuristic| heuristic.order(variables, supports, poll);
    let reverse = |order: &[usize]| order.iter().rev().copied().collect();
    let (sloan, forced) = (by(Heuristic::Sloan), by(Heuristic::Force));
    let mut orders = vec![
        reverse(&sloan),
        reverse(&forced),
        force(sloan.clone(), supports, poll),
        force(by(Heuristic::CuthillMckee), supports, poll),
        by(Heuristic::Given),
    ];
    orders.splice(0..0, [sloan, forced]);
    let mut seen = FxHashSet::default();
    orders.retain(|order| seen.insert(order.clone()));
    orders
}

/// Improves an order while the sum of spans decreases.
pub fn force(order: Vec<usize>, supports: &[Vec<usize>], poll: &dyn Fn()) -> Vec<usize> {
    let mut best = (cost(&order, supports).spans, order);
    let mut places = vec![0.0; best.1.len()];
    let mut order = best.1.clone();
    let mut degrees = vec![0_u32; order.len()];
    for &variable in supports.iter().flatten() {
        degrees[variable] += 1;
    }
    // Centres of gravity settle after a number of rounds that grows with the logarithm of the size;
    // a few rounds without progress are allowed.
    let mut patience = 3;
    while patience > 0 {
        for (position, &variable) in order.iter().enumerate() {
            places[variable] = position as f64;
        }
        let mut sums = vec![0.0; order.len()];
        for support in supports {
            poll();
            let centre = support.iter().map(|&variable| places[variable]).sum::<f64>()
                / support.len().max(1) as f64;
            for &variable in support {
                sums[variable] += centre;
            }
        }
        let centre = |variable: usize| match degrees[variable] {
            0 => places[variable],
            degree => sums[variable] / f64::from(degree),
        };
        order.sort_by(|&a, &b| centre(a).total_cmp(&centre(b)).then(a.cmp(&b)));
        let spans = cost(&order, supports).spans;
        if spans < best.0 {
            best = (spans, order.clone());
        } else {
            patience -= 1;
        }
    }
    best.1
}

/// Returns the order of a breadth-first search from the end of a long path, by ascending degree.
pub fn cuthill_mckee(variables: usize, supports: &[Vec<usize>], poll: &dyn Fn()) -> Vec<usize> {
    let graph = Graph::of(variables, supports);
    let mut order = Vec::with_capacity(graph.len());
    let mut seen = vec![false; graph.len()];
    for start in 0..variables {
        if seen[start] {
            continue;
        }
        let (start, _) = graph.ends(start, poll);
        let mut next = order.len();
        order.push(start);
        seen[start] = true;
        while next < order.len() {
            poll();
            let end = order.len();
            for &neighbour in graph.neighbours(order[next]) {
                if !std::mem::replace(&mut seen[neighbour], true) {
                    order.push(neighbour);
                }
            }
            order[end..].sort_by_key(|&node| (graph.degree(node), node));
            next += 1;
        }
    }
    order.retain(|&node| node < variables);
    order
}

/// Weights of the distance to the end and of the degree in [`sloan`], as in Sloan's paper.
const DISTANCE: i64 = 1;
const DEGREE: i64 = 2;

/// Returns Sloan's order: a traversal from one end of a long path to the other that keeps the
/// wavefront small.
pub fn sloan(variables: usize, supports: &[Vec<usize>], poll: &dyn Fn()) -> Vec<usize> {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    #[derive(Clone, Copy, PartialEq)]
    enum Status {
        Inactive,
        Preactive,
        Active,
        Numbered,
    }

    let graph = Graph::of(variables, supports);
    let mut order = Vec::with_capacity(graph.len());
    let mut status = vec![Status::Inactive; graph.len()];
    let mut priority = vec![0; graph.len()];
    for node in 0..variables {
        if status[node] != Status::Inactive {
            continue;
        }
        let (start, end) = graph.ends(node, poll);
        for (node, distance) in graph.distances(end, poll) {
            let degree = graph.degree(node) as i64;
            priority[node] = DISTANCE * distance as i64 - DEGREE * (degree + 1);
        }
        // Entries with an outdated priority are skipped.
        let mut heap = BinaryHeap::from([(priority[start], Reverse(start))]);
        status[start] = Status::Preactive;
        while let Some((value, Reverse(node))) = heap.pop() {
            poll();
            if status[node] == Status::Numbered || value != priority[node] {
                continue;
            }
            let mut raise = |node: usize, status: &mut [Status], heap: &mut BinaryHeap<_>| {
                if status[node] != Status::Numbered {
                    priority[node] += DEGREE;
                    if status[node] == Status::Inactive {
                        status[node] = Status::Preactive;
                    }
                    heap.push((priority[node], Reverse(node)));
                }
            };
            if status[node] == Status::Preactive {
                for &neighbour in graph.neighbours(node) {
                    raise(neighbour, &mut status, &mut heap);
                }
            }
            status[node] = Status::Numbered;
            order.push(node);
            for &neighbour in graph.neighbours(node) {
                if status[neighbour] == Status::Preactive {
                    raise(neighbour, &mut status, &mut heap);
                    status[neighbour] = Status::Active;
                    for &second in graph.neighbours(neighbour) {
                        raise(second, &mut status, &mut heap);
                    }
                }
            }
        }
    }
    order.retain(|&node| node < variables);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn is_permutation(order: &[usize], variables: usize) -> bool {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        sorted == (0..variables).collect::<Vec<_>>()
    }

    proptest! {
        #[test]
        fn orders_have_every_variable_once(
            supports in vec(vec(0..12_usize, 0..5), 0..20),
        ) {
            for heuristic in Heuristic::ALL {
                let order = heuristic.order(12, &supports, &|| ());
                prop_assert!(is_permutation(&order, 12), "{} gives {order:?}", heuristic.name());
            }
            let given: Vec<usize> = (0..12).collect();
            let moved = force(given.clone(), &supports, &|| ());
            prop_assert!(cost(&moved, &supports).spans <= cost(&given, &supports).spans);
            let trials = candidates(12, &supports, &|| ());
            prop_assert!(trials.iter().all(|order| is_permutation(order, 12)));
            for (number, order) in trials.iter().enumerate() {
                prop_assert!(!trials[..number].contains(order), "{order:?} is there twice");
            }
        }
    }

    /// A chain with shuffled variables has one good order and its reverse.
    #[test]
    fn a_shuffled_chain_is_put_in_order() {
        let chain: Vec<usize> = (0..40).map(|i| (i * 17) % 40).collect();
        let supports: Vec<Vec<usize>> = chain.windows(2).map(<[usize]>::to_vec).collect();
        let least = 2 * supports.len() as u64;
        assert_eq!(cost(&chain, &supports).spans, least);
        for heuristic in [Heuristic::CuthillMckee, Heuristic::Sloan] {
            assert_eq!(cost(&heuristic.order(40, &supports, &|| ()), &supports).spans, least);
        }
        let first = &candidates(40, &supports, &|| ())[0];
        assert_eq!(cost(first, &supports).spans, least);
    }

    #[test]
    fn costs_count_levels() {
        // Levels 3, 2, 1 for the variables 0, 2, 1.
        let cost = cost(&[0, 2, 1], &[vec![0, 1], vec![2], vec![]]);
        assert_eq!(cost, Cost { spans: 3 + 1, tops: 3 + 2 });
    }
}
