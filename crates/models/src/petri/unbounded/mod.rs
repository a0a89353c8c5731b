//! Nets in which a place can get any number of tokens.
//!
//! A net is unbounded if a firing sequence `σ` leads to a marking `m₁` and a further one `τ` from
//! there to some `m₂ ≥ m₁`, `m₂ ≠ m₁` (Karp and Miller: Parallel program schemata, 1969): `τ` can be
//! repeated, and adds tokens each time. With inhibitor arcs this holds as long as no transition of
//! `τ` is inhibited by a place that grows.
//!
//! Whether there is such a pair is decidable, but at a cost that no function bounds which is
//! primitive recursive. [`pump`] looks for it within a budget: by depth-first searches, less deep
//! ones first, then by random walks. Half of them prefer transitions by which the number of tokens
//! grows, the others those that take the tokens which came last: they follow one thread of a net
//! until it is back where it was, which finds short pumps among very many interleavings.
//!
//! Each marking is compared with those before it on the path. Only places without a proven bound
//! can grow, so only markings that agree on all others are compared.

mod game;
mod search;

use super::bounds::Bounds;
use super::net::{Net, PlaceId, TransitionId};
use super::system::effect;
use search::{Preference, Search};

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
    // The searches have half of it, all of them the same share; the walks the other half.
    let share = budget / (4 * DEPTHS.len() as u64);
    let mut search = Search::new(net, bounds);
    for depth in DEPTHS {
        for preference in [Preference::Growth, Preference::Recent] {
            search.allow(share);
            if let Some(found) = search.depth_first(depth, preference) {
                return Some(found);
            }
        }
    }
    search.allow(budget / 2);
    let mut seed = 0;
    while search.is_allowed() {
        seed += 1;
        let preference = if seed % 2 == 0 { Preference::Recent } else { Preference::Growth };
        if let Some(found) = search.walk(seed, preference) {
            return Some(found);
        }
    }
    None
}

impl Pump {
    /// Replays the sequences and verifies the proof.
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

    /// The proof as text for the user; long sequences are cut.
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

/// The maximal number of shown transitions of a sequence.
const MAX_SHOWN: usize = 40;

fn sequence(net: &Net, transitions: &[TransitionId]) -> String {
    let name = |transition: &TransitionId| net.transition_name(*transition).to_owned();
    if transitions.len() <= MAX_SHOWN {
        return format!("`{}`", transitions.iter().map(name).collect::<Vec<_>>().join(" "));
    }
    let (first, last) = (&transitions[..MAX_SHOWN / 2], &transitions[transitions.len() - 5..]);
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
