//! Bounds of places that follow from the structure of a net.
//!
//! If weights `y ≥ 0` of the places are such that no transition increases the weighted number of
//! tokens (`y·C ≤ 0`, where `C` is the incidence matrix), then `y·m ≤ y·m₀` in every reachable
//! marking `m`, so a place `p` with `y(p) > 0` never has more than `y·m₀ / y(p)` tokens. Such weights
//! are found by Farkas' algorithm as it is used for nets (Martinez and Silva: A simple and fast
//! algorithm to obtain all invariants of a generalized Petri net, 1982): starting from one vector
//! per place, transitions are eliminated one after the other, each by adding vectors that increase
//! with those that decrease.
//!
//! There may be exponentially many minimal vectors. The number of combinations is limited,
//! and further vectors are dropped; the others remain sound.

use super::net::{Net, PlaceId};
use super::system::effect;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The maximal number of vectors after the elimination of a transition.
const MAX_COMBINATIONS: usize = 400;

/// The maximal total number of entries before the elimination stops.
const MAX_WORK: usize = 5_000_000;

/// For each place the most tokens that it can ever have, if that has been proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds(Vec<Option<u32>>);

impl Bounds {
    /// Bounds of the places of a net, where they can be found in reasonable time.
    ///
    /// ```
    /// use sempre_models::petri::{NetBuilder, bounds::Bounds};
    /// let mut builder = NetBuilder::default();
    /// let (idle, busy, done) =
    ///     (builder.place("idle", 2), builder.place("busy", 0), builder.place("done", 0));
    /// let (work, rest) = (builder.transition("work"), builder.transition("rest"));
    /// builder.input(work, idle, 1)?;
    /// builder.output(work, busy, 1)?;
    /// builder.input(rest, busy, 1)?;
    /// builder.output(rest, idle, 1)?;
    /// builder.output(rest, done, 1)?;
    /// let bounds = Bounds::of(&builder.build()?);
    /// assert_eq!([idle, busy, done].map(|place| bounds.of_place(place)), [Some(2), Some(2), None]);
    /// # Ok::<(), sempre_models::Error>(())
    /// ```
    pub fn of(net: &Net) -> Self {
        let mut bounds = Bounds::none(net);
        let Some(incidence) = Incidence::new(net) else { return bounds };
        bounds.improve(net, &Elimination::new(&incidence, net, false).run());
        if !bounds.is_complete() {
            bounds.improve(net, &Elimination::new(&incidence, net, true).run());
        }
        bounds
    }

    /// Bounds that have been proven otherwise, by place.
    pub(super) fn proven(bounds: Vec<Option<u32>>) -> Self {
        Bounds(bounds)
    }

    /// No bounds at all.
    pub fn none(net: &Net) -> Self {
        Bounds(vec![None; net.place_count()])
    }

    /// The bound of a place, if there is a proven one.
    #[inline]
    pub fn of_place(&self, place: PlaceId) -> Option<u32> {
        self.0[place.0 as usize]
    }

    /// True if all places have a proven bound: then the net is bounded.
    pub fn is_complete(&self) -> bool {
        self.0.iter().all(Option::is_some)
    }

    fn improve(&mut self, net: &Net, vectors: &[Vec<(u32, i64)>]) {
        for weights in vectors {
            let weighted = |(place, weight): &(u32, i64)| {
                u128::from(net.initial(PlaceId(*place))) * *weight as u128
            };
            // No overflow: there are less than 2^32 places.
            let total: u128 = weights.iter().map(weighted).sum();
            for (place, weight) in weights {
                if let Ok(bound) = u32::try_from(total / *weight as u128) {
                    let best = &mut self.0[*place as usize];
                    *best = Some(best.map_or(bound, |other| other.min(bound)));
                }
            }
        }
    }
}

/// Weights of places such that the weighted number of tokens never changes: as many as can be found
/// in reasonable time.
pub(crate) fn invariants(net: &Net) -> Vec<Vec<(PlaceId, i64)>> {
    let Some(incidence) = Incidence::new(net) else { return Vec::new() };
    let vectors = Elimination::new(&incidence, net, false).run().into_iter();
    vectors
        .map(|weights| {
            weights.into_iter().map(|(place, weight)| (PlaceId(place), weight)).collect()
        })
        .collect()
}

/// The effects of the transitions, each effect once.
struct Incidence {
    /// For each place the changes that concern it.
    by_place: Vec<Vec<(u32, i64)>>,
    changes: usize,
}

impl Incidence {
    /// The changes of a net, unless to write them down once more would be too much.
    fn new(net: &Net) -> Option<Self> {
        let mut by_place = vec![Vec::new(); net.place_count()];
        let mut seen = FxHashSet::default();
        let mut changes = 0;
        for transition in net.transitions() {
            let mut change = effect(net, transition);
            let divisor = change.iter().fold(0, |all, (_, plus)| gcd(all, plus.unsigned_abs()));
            change.iter_mut().for_each(|(_, plus)| *plus /= divisor as i64);
            if change.is_empty() || !seen.insert(change.clone()) {
                continue;
            }
            for (place, plus) in change {
                by_place[place.0 as usize].push((changes as u32, plus));
            }
            changes += 1;
        }
        let work = by_place.iter().map(Vec::len).sum::<usize>();
        (work <= MAX_WORK).then_some(Incidence { by_place, changes })
    }
}

/// A vector of weights, and how much each change that has not been eliminated adds to it.
#[derive(Clone, Debug)]
struct Row {
    /// Places, and behind them eliminated changes by which the total only decreases.
    weights: Vec<(u32, i64)>,
    flow: Vec<(u32, i64)>,
}

struct Elimination {
    places: u32,
    /// May totals decrease?
    slack: bool,
    rows: Vec<Option<Row>>,
    /// For each change the rows that it concerns, or has concerned.
    concerned: Vec<Vec<u32>>,
    /// For each change, the numbers of rows that it increases and decreases.
    counts: Vec<(usize, usize)>,
    /// Changes by the number of rows that their elimination adds, or has added.
    queue: BinaryHeap<Reverse<(i64, u32)>>,
    work: usize,
}

impl Elimination {
    fn new(incidence: &Incidence, net: &Net, slack: bool) -> Self {
        let mut elimination = Elimination {
            places: net.place_count() as u32,
            slack,
            rows: Vec::new(),
            concerned: vec![Vec::new(); incidence.changes],
            counts: vec![(0, 0); incidence.changes],
            queue: BinaryHeap::new(),
            work: 0,
        };
        for (place, flow) in incidence.by_place.iter().enumerate() {
            let weights = vec![(place as u32, 1)];
            elimination.add(Row { weights, flow: flow.clone() });
        }
        elimination
    }

    fn growth(&self, change: u32) -> i64 {
        let (plus, minus) = self.counts[change as usize];
        let (plus, minus) = (plus as i64 + i64::from(self.slack), minus as i64);
        plus * minus - plus - minus
    }

    fn add(&mut self, row: Row) {
        let number = self.rows.len() as u32;
        self.work += row.weights.len() + row.flow.len();
        for (change, plus) in &row.flow {
            let counts = &mut self.counts[*change as usize];
            *(if *plus > 0 { &mut counts.0 } else { &mut counts.1 }) += 1;
            self.concerned[*change as usize].push(number);
            self.queue.push(Reverse((self.growth(*change), *change)));
        }
        self.rows.push(Some(row));
    }

    fn remove(&mut self, number: u32) -> Option<Row> {
        let row = self.rows[number as usize].take()?;
        for (change, plus) in &row.flow {
            let counts = &mut self.counts[*change as usize];
            *(if *plus > 0 { &mut counts.0 } else { &mut counts.1 }) -= 1;
            self.queue.push(Reverse((self.growth(*change), *change)));
        }
        Some(row)
    }

    /// The vectors of weights that no change increases.
    fn run(mut self) -> Vec<Vec<(u32, i64)>> {
        while let Some(Reverse((growth, change))) = self.queue.pop() {
            sempre_ltl::interrupt::poll();
            if growth != self.growth(change) || self.counts[change as usize] == (0, 0) {
                continue; // It has been counted anew, or eliminated.
            }
            if self.work > MAX_WORK {
                break;
            }
            self.eliminate(change);
        }
        let places = self.places;
        let finished = self.rows.into_iter().flatten().filter(|row| row.flow.is_empty());
        finished
            .map(|mut row| {
                row.weights.retain(|(index, _)| *index < places);
                row.weights
            })
            .filter(|weights| !weights.is_empty())
            .collect()
    }

    fn eliminate(&mut self, change: u32) {
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for number in std::mem::take(&mut self.concerned[change as usize]) {
            if let Some(row) = self.remove(number) {
                let at = row.flow.binary_search_by_key(&change, |entry| entry.0);
                let amount = row.flow[at.expect("the row is concerned")].1;
                if amount > 0 { &mut plus } else { &mut minus }.push((amount, row));
            }
        }
        if self.slack {
            let slack = Row { weights: vec![(self.places + change, 1)], flow: vec![(change, 1)] };
            plus.push((1, slack));
        }
        plus.sort_by_key(|(_, row)| row.weights.len());
        minus.sort_by_key(|(_, row)| row.weights.len());
        let mut added: FxHashMap<Vec<u32>, Row> = FxHashMap::default();
        // Each row takes part before one takes part twice.
        let (longer, shorter) = (plus.len().max(minus.len()), plus.len().min(minus.len()));
        'all: for round in 0..shorter {
            for index in 0..longer {
                if added.len() >= MAX_COMBINATIONS || self.work > MAX_WORK {
                    break 'all;
                }
                let partner = (index + round) % shorter;
                let (p, m) =
                    if plus.len() >= minus.len() { (index, partner) } else { (partner, index) };
                let ((increase, left), (decrease, right)) = (&plus[p], &minus[m]);
                self.work += left.weights.len() + left.flow.len();
                self.work += right.weights.len() + right.flow.len();
                if let Some(row) = combine(left, -decrease, right, *increase) {
                    let support = row.weights.iter().map(|(index, _)| *index).collect();
                    added.entry(support).or_insert(row);
                }
            }
        }
        let mut added: Vec<(Vec<u32>, Row)> = added.into_iter().collect();
        added.sort_by(|left, right| (left.0.len(), &left.0).cmp(&(right.0.len(), &right.0)));
        let mut minimal: Vec<(u64, Vec<u32>)> = Vec::new();
        for (support, row) in added {
            let trace = support.iter().fold(0, |trace, index| trace | 1u64 << (index % 64));
            let is_minimal = minimal
                .iter()
                .all(|(other, smaller)| other & !trace != 0 || !is_subset(smaller, &support));
            if is_minimal {
                minimal.push((trace, support));
                self.add(row);
            }
        }
    }
}

/// `left * l + right * r`, made smaller where all numbers have a divisor; none on overflow.
fn combine(left: &Row, l: i64, right: &Row, r: i64) -> Option<Row> {
    let divisor = gcd(l.unsigned_abs(), r.unsigned_abs()) as i64;
    let (l, r) = (l / divisor, r / divisor);
    let weights = add_up(&left.weights, l, &right.weights, r)?;
    let flow = add_up(&left.flow, l, &right.flow, r)?;
    let entries = weights.iter().chain(&flow);
    let divisor = entries.fold(0, |all, (_, number)| gcd(all, number.unsigned_abs())) as i64;
    let divided = |entries: Vec<(u32, i64)>| match divisor {
        1 => entries,
        _ => entries.into_iter().map(|(index, number)| (index, number / divisor)).collect(),
    };
    Some(Row { weights: divided(weights), flow: divided(flow) })
}

fn add_up(left: &[(u32, i64)], l: i64, right: &[(u32, i64)], r: i64) -> Option<Vec<(u32, i64)>> {
    let mut sum = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    loop {
        let (index, number) = match (left.get(i), right.get(j)) {
            (None, None) => return Some(sum),
            (Some((a, x)), Some((b, y))) if a == b => {
                (i, j) = (i + 1, j + 1);
                (*a, x.checked_mul(l)?.checked_add(y.checked_mul(r)?)?)
            }
            (Some((a, x)), other) if other.is_none_or(|(b, _)| a < b) => {
                i += 1;
                (*a, x.checked_mul(l)?)
            }
            (_, Some((b, y))) => {
                j += 1;
                (*b, y.checked_mul(r)?)
            }
            (Some(_), None) => unreachable!("the third case"),
        };
        if number != 0 {
            sum.push((index, number));
        }
    }
}

/// Is each element of a sorted list in the other one?
fn is_subset(small: &[u32], large: &[u32]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|element| rest.find(|other| *other >= element) == Some(element))
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
