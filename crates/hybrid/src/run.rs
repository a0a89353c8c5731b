//! Real runs from paths through aggregates.
//!
//! Each layer is a set of states, with the steps that stay in it and those that lead to the next
//! layer. Every state of a layer can be reached from the states where the layer is entered, so that a
//! run is put together backwards: from where it ends to where its layer is entered, then across to
//! the layer before. A cycle of layers is followed backwards until a state comes back.

use rustc_hash::FxHashMap;
use sempre_diagrams::Set;
use sempre_ltl::interrupt;
use sempre_models::Successors;

use crate::observation::Observation;
use crate::steps::{Steps, Tuple};

/// A set of states on the way of a run.
pub(crate) struct Layer<'s> {
    /// The states.
    pub(crate) states: Set<'s>,
    /// The steps between them that a run may take.
    pub(crate) stay: Steps<'s>,
    /// The steps to the next layer; for the last one, to where the cycle begins.
    pub(crate) cross: Option<Steps<'s>>,
    /// States that may be repeated when a run crosses, because they have no successors.
    pub(crate) pause: Set<'s>,
}

/// Where a run ends.
pub(crate) enum End<'s> {
    /// In the last layer, by a cycle of its steps or in one of these deadlocks.
    Inside(Set<'s>),
    /// The layers from this one on repeat for ever.
    Around(usize),
    /// In one of these states of the last layer; there is no cycle.
    At(Set<'s>),
    /// Anywhere: the run goes on as it likes from the last layer.
    Anyhow,
}

/// The states of a run: a prefix, and a cycle that repeats.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) prefix: Vec<Tuple>,
    pub(crate) cycle: Vec<Tuple>,
}

/// The number of steps after which a run that may go on as it likes is left without a cycle.
const MAX_STEPS: usize = 100_000;

/// Puts a run together that starts in one of the states `initial` of the first layer. None if there
/// is none, which is a mistake of the search.
pub(crate) fn run<'s>(
    observation: &Observation<'_, 's>,
    initial: &Set<'s>,
    layers: &[Layer<'s>],
    end: &End<'s>,
) -> Option<Run> {
    let guide = Guide::new(observation, initial, layers);
    let last = layers.len() - 1;
    let (cycle, layer) = match end {
        End::Inside(dead) => match dead.pick() {
            Some(dead) => (vec![dead], last),
            None => (layers[last].stay.cycle(observation)?, last),
        },
        End::Around(start) => (guide.around(*start)?, *start),
        End::At(states) => (vec![states.pick()?], last),
        End::Anyhow => (vec![guide.entries[last].pick()?], last),
    };
    // The layers of a cycle may have states in common, in which the automaton is elsewhere.
    let met = match end {
        End::Around(_) => &cycle[..1],
        _ => &cycle[..],
    };
    let goal = met.iter().map(|tuple| guide.single(tuple));
    let goal = goal.fold(observation.none(), |sum, one| sum | one);
    let (mut prefix, entry) = guide.path_to(goal, layer)?;
    match end {
        End::Inside(_) | End::Around(_) => {
            let place = cycle.iter().position(|tuple| *tuple == entry)?;
            let mut cycle = cycle;
            cycle.rotate_left(place);
            Some(Run { prefix, cycle })
        }
        End::At(_) => {
            prefix.push(entry);
            Some(Run { prefix, cycle: Vec::new() })
        }
        End::Anyhow => {
            prefix.push(entry);
            Some(anyhow(observation, prefix))
        }
    }
}

/// Goes on from the last state until one comes back, or for a while.
fn anyhow(observation: &Observation<'_, '_>, mut prefix: Vec<Tuple>) -> Run {
    let encoding = observation.encoding();
    let system = encoding.system();
    let mut expander = system.expander();
    let mut buffer = Successors::new(system.words());
    let length = prefix.len();
    let mut places: FxHashMap<Tuple, usize> = FxHashMap::default();
    while prefix.len() < length + MAX_STEPS {
        interrupt::poll();
        let Some(here) = prefix.last() else { break };
        if let Some(place) = places.insert(here.clone(), prefix.len() - 1) {
            let mut cycle = prefix.split_off(place);
            cycle.pop();
            return Run { prefix, cycle };
        }
        buffer.clear();
        if expander.expand(&encoding.state(here), &mut buffer).is_err() {
            break;
        }
        let next = match buffer.is_empty() {
            true => here.clone(),
            false => encoding.tuple(buffer.state(0)),
        };
        prefix.push(next);
    }
    prefix.truncate(length);
    Run { prefix, cycle: Vec::new() }
}

/// Layers, with the states in which each is entered.
struct Guide<'a, 'e, 's> {
    observation: &'a Observation<'e, 's>,
    layers: &'a [Layer<'s>],
    entries: Vec<Set<'s>>,
}

impl<'a, 'e, 's> Guide<'a, 'e, 's> {
    fn new(
        observation: &'a Observation<'e, 's>,
        initial: &Set<'s>,
        layers: &'a [Layer<'s>],
    ) -> Self {
        let mut entries = vec![initial & &layers[0].states];
        for pair in layers.windows(2) {
            entries.push(across(observation, &pair[0], &pair[1]));
        }
        Guide { observation, layers, entries }
    }

    fn single(&self, tuple: &[u32]) -> Set<'s> {
        self.observation.none().manager().tuple(tuple)
    }

    /// A path from an initial state to one of the states `goal` of a layer: the states before it, and
    /// that state.
    fn path_to(&self, goal: Set<'s>, layer: usize) -> Option<(Vec<Tuple>, Tuple)> {
        let mut path: Vec<Tuple> = Vec::new();
        let mut goal = goal;
        let mut layer = layer;
        loop {
            let mut inside = self.inside(layer, &self.entries[layer], &goal)?;
            inside.reverse();
            path.extend(inside);
            if layer == 0 {
                let mut path = path;
                path.reverse();
                let last = path.pop()?;
                return Some((path, last));
            }
            layer -= 1;
            let here = path.last()?.clone();
            goal = self.single(&self.back_across(layer, &here)?);
        }
    }

    /// The least state of a layer from which a run crosses to a state of the next.
    fn back_across(&self, layer: usize, to: &[u32]) -> Option<Tuple> {
        let Layer { cross, pause, .. } = &self.layers[layer];
        let target = self.single(to);
        let before = cross.as_ref()?.preimage(self.observation, &target) | (&target & pause);
        before.pick()
    }

    /// The states of a path inside a layer from one of `from` to one of `to`, both ends included.
    /// Events are applied backwards, one after the other, to all that was found before.
    fn inside(&self, layer: usize, from: &Set<'s>, to: &Set<'s>) -> Option<Vec<Tuple>> {
        if let Some(both) = (from & to).pick() {
            return Some(vec![both]);
        }
        let stay = &self.layers[layer].stay;
        let events = self.observation.encoding().events.events();
        let mut found = to.clone();
        // The states that each event has added, by which pair of sets, and the states before.
        let mut rings: Vec<(usize, usize, Set<'s>, Set<'s>)> = Vec::new();
        let mut hit = self.observation.none();
        while hit.is_empty() {
            let known = rings.len();
            'events: for (number, event) in events.iter().enumerate() {
                interrupt::poll();
                for (pair, (source, target)) in stay.0.iter().enumerate() {
                    let new = event.preimage(&(&found & target), source) - &found;
                    if new.is_empty() {
                        continue;
                    }
                    hit = &new & from;
                    let all = &found | &new;
                    rings.push((number, pair, new, std::mem::replace(&mut found, all)));
                    if !hit.is_empty() {
                        break 'events;
                    }
                }
            }
            if rings.len() == known {
                return None;
            }
        }
        let mut here = hit.pick()?;
        let mut path = vec![here.clone()];
        for (event, pair, new, before) in rings.iter().rev() {
            if new.contains(&here) {
                let target = &stay.0[*pair].1;
                here = (events[*event].image(&self.single(&here)) & before & target).pick()?;
                path.push(here.clone());
            }
        }
        Some(path)
    }

    /// The states of a cycle through all layers from `start` on, beginning in that layer.
    fn around(&self, start: usize) -> Option<Vec<Tuple>> {
        let (first, last) = (&self.layers[start], self.layers.last()?);
        let length = self.layers.len() - start;
        let mut entries: Vec<Set<'s>> = self.entries[start..].to_vec();
        entries[0] = across(self.observation, last, first);
        // Backwards: the states with their layers, and where each was met.
        let mut walk: Vec<(usize, Tuple)> = Vec::new();
        let mut places: FxHashMap<(usize, Tuple), usize> = FxHashMap::default();
        let mut next = (0, entries[0].pick()?);
        loop {
            interrupt::poll();
            if let Some(&place) = places.get(&next) {
                let mut cycle = walk.split_off(place);
                cycle.reverse();
                let head = cycle.iter().position(|(offset, _)| *offset == 0)?;
                cycle.rotate_left(head);
                return Some(cycle.into_iter().map(|(_, tuple)| tuple).collect());
            }
            places.insert(next.clone(), walk.len());
            let (offset, goal) = next;
            let inside = self.inside(start + offset, &entries[offset], &self.single(&goal))?;
            walk.extend(inside.into_iter().rev().map(|tuple| (offset, tuple)));
            let before = (offset + length - 1) % length;
            let (_, here) = walk.last()?;
            next = (before, self.back_across(start + before, here)?);
        }
    }
}

/// The states of a layer in which it is entered from another.
fn across<'s>(observation: &Observation<'_, 's>, from: &Layer<'s>, to: &Layer<'s>) -> Set<'s> {
    match &from.cross {
        Some(cross) => (cross.image(observation, &from.states) | &from.pause) & &to.states,
        None => observation.none(),
    }
}
