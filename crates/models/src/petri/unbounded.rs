//! Nets in which a place can get any number of tokens.
//!
//! A net is unbounded if a firing sequence `σ` leads to a marking `m₁` and a further one `τ` from
//! there to some `m₂ ≥ m₁`, `m₂ ≠ m₁` (Karp and Miller: Parallel program schemata, 1969): `τ` can be
//! repeated, and adds tokens each time. With inhibitor arcs this holds as long as no transition of
//! `τ` is inhibited by a place that grows.
//!
//! Whether there is such a pair is decidable, but at a cost that no function bounds which is
//! primitive recursive. [`pump`] looks for it within a budget: by depth-first searches, less deep
//! ones first, that prefer transitions by which the number of tokens grows, then by random walks.
//! It compares each marking with those before it on the path. Only places without a proven bound can
//! grow, so only markings that agree on all others are compared.

use super::bounds::Bounds;
use super::net::{Net, PlaceId, TransitionId};
use super::system::effect;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A proof that a net is unbounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pump {
    /// A firing sequence from the initial marking.
    pub prefix: Vec<TransitionId>,
    /// A firing sequence that can be repeated after that, and adds tokens each time.
    pub cycle: Vec<TransitionId>,
}

/// How deep the depth-first searches go, one after the other.
const DEPTHS: [usize; 4] = [8, 30, 120, 1000];

/// With how many earlier markings of a path the next one is compared, the last ones first.
const MOST_COMPARED: usize = 200;

/// How long random walks are.
const WALK: usize = 5000;

/// Looks for a proof that the net is unbounded: none if it is bounded, or the budget is too small.
///
/// The budget is a number of elementary steps, of which there are about 10⁸ in a second.
///
/// ```
/// use sempre_models::petri::{bounds::Bounds, text, unbounded::pump};
/// let net = text::parse("pl p (1)  tr get p -> q  tr put q -> p r")?;
/// let found = pump(&net, &Bounds::of(&net), 1_000).unwrap();
/// assert_eq!(found.cycle.len(), 2);
/// # Ok::<(), sempre_models::Error>(())
/// ```
pub fn pump(net: &Net, bounds: &Bounds, budget: u64) -> Option<Pump> {
    if bounds.is_complete() {
        return None;
    }
    let mut search = Search::new(net, bounds, budget / 8);
    for depth in DEPTHS {
        if let Some(found) = search.depth_first(depth) {
            return Some(found);
        }
        search.budget += budget / 8;
    }
    search.budget += budget / 2;
    let mut seed = 0;
    while search.budget > 0 {
        seed += 1;
        if let Some(found) = search.walk(seed) {
            return Some(found);
        }
    }
    None
}

impl Pump {
    /// Replays the sequences and sees that they prove what they should.
    pub fn is_valid(&self, net: &Net) -> bool {
        let mut marking = initial(net);
        if !self.prefix.iter().all(|transition| fire(net, *transition, &mut marking)) {
            return false;
        }
        let before = marking.clone();
        if !self.cycle.iter().all(|transition| fire(net, *transition, &mut marking)) {
            return false;
        }
        let grows = |place: PlaceId| marking[place.0 as usize] > before[place.0 as usize];
        let is_inhibited = |transition: &TransitionId| {
            net.inhibitors(*transition).iter().any(|(place, _)| grows(*place))
        };
        marking.iter().zip(&before).all(|(after, before)| after >= before)
            && marking != before
            && !self.cycle.iter().any(is_inhibited)
    }

    /// The places that grow.
    pub fn places(&self, net: &Net) -> Vec<PlaceId> {
        let mut growth = vec![0; net.place_count()];
        for transition in &self.cycle {
            for (place, plus) in effect(net, *transition) {
                growth[place.0 as usize] += plus;
            }
        }
        net.places().filter(|place| growth[place.0 as usize] > 0).collect()
    }

    /// What the proof says, for people; long sequences are cut.
    pub fn describe(&self, net: &Net) -> String {
        let places = self.places(net);
        let mut text = "the net is unbounded: ".to_owned();
        if !self.prefix.is_empty() {
            text += &format!("after {}, ", sequence(net, &self.prefix));
        }
        text += &format!("{} can be repeated for ever, ", sequence(net, &self.cycle));
        let names: Vec<String> =
            places.iter().take(3).map(|place| format!("`{}`", net.place_name(*place))).collect();
        let more = if places.len() > names.len() { " and others" } else { "" };
        text + &format!("and adds tokens to {}{more} each time", names.join(", "))
    }
}

/// How many transitions of a sequence are shown.
const MOST_SHOWN: usize = 40;

fn sequence(net: &Net, transitions: &[TransitionId]) -> String {
    let name = |transition: &TransitionId| net.transition_name(*transition).to_owned();
    if transitions.len() <= MOST_SHOWN {
        return format!("`{}`", transitions.iter().map(name).collect::<Vec<_>>().join(" "));
    }
    let (first, last) = (&transitions[..MOST_SHOWN / 2], &transitions[transitions.len() - 5..]);
    let shown: Vec<String> =
        first.iter().map(name).chain(["…".to_owned()]).chain(last.iter().map(name)).collect();
    format!("`{}` ({} transitions)", shown.join(" "), transitions.len())
}

fn initial(net: &Net) -> Vec<u32> {
    net.places().map(|place| net.initial(place)).collect()
}

fn is_enabled(net: &Net, transition: TransitionId, marking: &[u32]) -> bool {
    let tokens = |place: &PlaceId| marking[place.0 as usize];
    net.inputs(transition).iter().all(|(place, weight)| tokens(place) >= *weight)
        && net.inhibitors(transition).iter().all(|(place, least)| tokens(place) < *least)
}

/// Fires a transition; false if it is not enabled, or a number of tokens would be 2^32 or more.
fn fire(net: &Net, transition: TransitionId, marking: &mut [u32]) -> bool {
    if !is_enabled(net, transition, marking) {
        return false;
    }
    for (place, weight) in net.inputs(transition) {
        marking[place.0 as usize] -= weight;
    }
    net.outputs(transition).iter().all(|(place, weight)| {
        let tokens = &mut marking[place.0 as usize];
        tokens.checked_add(*weight).map(|sum| *tokens = sum).is_some()
    })
}

/// A marking on the current path.
struct Step {
    marking: Vec<u32>,
    /// The transition by which it was reached.
    by: Option<TransitionId>,
    /// The markings of the places that cannot grow, as a number.
    rest: u64,
    /// Enabled transitions that have not been tried, the best one last.
    untried: Vec<TransitionId>,
}

struct Search<'net> {
    net: &'net Net,
    can_grow: Vec<bool>,
    /// By how much each transition adds tokens to places that can grow.
    growth: Vec<i64>,
    budget: u64,
    path: Vec<Step>,
    /// The steps of the path by their `rest`.
    by_rest: FxHashMap<u64, Vec<usize>>,
}

impl<'net> Search<'net> {
    fn new(net: &'net Net, bounds: &Bounds, budget: u64) -> Self {
        let can_grow: Vec<bool> =
            net.places().map(|place| bounds.of_place(place).is_none()).collect();
        let growth = |transition| {
            let changes = effect(net, transition);
            let growing = changes.iter().filter(|(place, _)| can_grow[place.0 as usize]);
            growing.map(|(_, plus)| *plus).sum()
        };
        let growth = net.transitions().map(growth).collect();
        Search { net, can_grow, growth, budget, path: Vec::new(), by_rest: FxHashMap::default() }
    }

    fn spend(&mut self, steps: usize) {
        sempre_ltl::interrupt::poll();
        self.budget = self.budget.saturating_sub(steps as u64);
    }

    fn restart(&mut self) {
        self.path.clear();
        self.by_rest.clear();
    }

    /// Extends the path by a marking, unless that completes a proof.
    fn push(&mut self, marking: Vec<u32>, by: Option<TransitionId>) -> Option<Pump> {
        let mut hasher = FxHasher::default();
        for (tokens, can_grow) in marking.iter().zip(&self.can_grow) {
            if !can_grow {
                tokens.hash(&mut hasher);
            }
        }
        let rest = hasher.finish();
        let earlier = self.by_rest.get(&rest).map_or(&[][..], Vec::as_slice);
        let mut cost = earlier.len().min(MOST_COMPARED) * marking.len();
        for index in earlier.iter().rev().take(MOST_COMPARED) {
            let before = &self.path[*index].marking;
            if marking != *before && marking.iter().zip(before).all(|(a, b)| a >= b) {
                let sequence: Vec<TransitionId> =
                    self.path.iter().filter_map(|step| step.by).chain(by).collect();
                let (prefix, cycle) = sequence.split_at(*index);
                let found = Pump { prefix: prefix.to_vec(), cycle: cycle.to_vec() };
                if found.is_valid(self.net) {
                    return Some(found);
                }
                // An inhibitor arc is in the way, and most likely of earlier ones too.
                cost += 10 * sequence.len();
                break;
            }
        }
        self.by_rest.entry(rest).or_default().push(self.path.len());
        let net = self.net;
        let enabled = net.transitions().filter(|other| is_enabled(net, *other, &marking));
        let mut untried: Vec<TransitionId> = enabled.collect();
        untried.sort_by_key(|transition| self.growth[transition.0 as usize]);
        self.spend(cost + 2 * marking.len() + net.transition_count());
        self.path.push(Step { marking, by, rest, untried });
        None
    }

    fn pop(&mut self) {
        if let Some(step) = self.path.pop() {
            self.by_rest.get_mut(&step.rest).expect("a step of the path").pop();
        }
    }

    fn depth_first(&mut self, depth: usize) -> Option<Pump> {
        self.restart();
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
        let start = initial(self.net);
        seen.insert(start.clone());
        self.push(start, None);
        while self.budget > 0 {
            let is_deepest = self.path.len() > depth;
            let step = self.path.last_mut()?;
            let Some(transition) = step.untried.pop().filter(|_| !is_deepest) else {
                self.pop();
                continue;
            };
            let mut next = step.marking.clone();
            let fits = fire(self.net, transition, &mut next);
            self.spend(self.can_grow.len());
            if fits && seen.insert(next.clone()) {
                let found = self.push(next, Some(transition));
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn walk(&mut self, seed: u64) -> Option<Pump> {
        self.restart();
        self.push(initial(self.net), None);
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        while self.budget > 0 && self.path.len() <= WALK {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let step = self.path.last().expect("the first step stays");
            let count = step.untried.len();
            if count == 0 {
                break;
            }
            // Of two, every other time, the one by which more tokens come.
            let choices = [random >> 8, random >> 32].map(|bits| (bits % count as u64) as usize);
            let choice = if random & 1 == 0 { choices[0] } else { choices[0].max(choices[1]) };
            let transition = step.untried[choice];
            let mut next = step.marking.clone();
            if !fire(self.net, transition, &mut next) {
                break;
            }
            let found = self.push(next, Some(transition));
            if found.is_some() {
                return found;
            }
        }
        self.spend(1);
        None
    }
}
