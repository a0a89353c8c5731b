//! Steps of a system between given sets, and cycles of them.

use rustc_hash::FxHashMap;
use sempre_diagrams::Set;
use sempre_ltl::interrupt;
use sempre_models::Successors;

use crate::observation::Observation;

/// The steps of a system that lead from a set to another, for each of several pairs.
#[derive(Clone)]
pub(crate) struct Steps<'s>(pub(crate) Vec<(Set<'s>, Set<'s>)>);

/// A state, as the values of its variables from the top.
pub(crate) type Tuple = Vec<u32>;

/// The number of states at which a search for a cycle looks one by one.
const FEW: usize = 200;

impl<'s> Steps<'s> {
    /// All steps from one set to another.
    pub(crate) fn between(from: &Set<'s>, to: &Set<'s>) -> Self {
        Steps(vec![(from.clone(), to.clone())])
    }

    /// The states that the steps lead to from `set`.
    pub(crate) fn image(&self, observation: &Observation<'_, 's>, set: &Set<'s>) -> Set<'s> {
        let events = &observation.encoding().events;
        let images = self.0.iter().map(|(from, to)| events.image(&(set & from)) & to);
        images.fold(observation.none(), |sum, image| sum | image)
    }

    /// The states from which the steps lead into `set`.
    pub(crate) fn preimage(&self, observation: &Observation<'_, 's>, set: &Set<'s>) -> Set<'s> {
        let events = &observation.encoding().events;
        let images = self.0.iter().map(|(from, to)| events.preimage(&(set & to), from));
        images.fold(observation.none(), |sum, image| sum | image)
    }

    /// True if the steps lead from a state, which they come to, to another.
    fn allow(&self, from: &[u32], to: &[u32]) -> bool {
        match &self.0[..] {
            // The state is in the set that it was met in.
            [(source, target)] if source == target => target.contains(to),
            pairs => {
                let leads = |(source, target): &(Set<'s>, Set<'s>)| {
                    target.contains(to) && source.contains(from)
                };
                pairs.iter().any(leads)
            }
        }
    }

    /// True if the steps have a cycle: a few states are looked at one by one, then those without
    /// predecessors are removed until nothing changes.
    pub(crate) fn have_cycle(&self, observation: &Observation<'_, 's>) -> bool {
        self.nearby_cycle(observation).is_some() || !self.hull(observation).is_empty()
    }

    /// A cycle of the steps, if there is one.
    pub(crate) fn cycle(&self, observation: &Observation<'_, 's>) -> Option<Vec<Tuple>> {
        if let Some(cycle) = self.nearby_cycle(observation) {
            return Some(cycle);
        }
        let hull = self.hull(observation);
        let manager = hull.manager();
        // Every state of the hull has a predecessor there, so that going back comes round.
        let mut walk = vec![hull.pick()?];
        let mut places = FxHashMap::default();
        loop {
            interrupt::poll();
            let here = walk.last()?;
            if let Some(place) = places.insert(here.clone(), walk.len() - 1) {
                walk.pop();
                let mut cycle = walk.split_off(place);
                cycle.reverse();
                return Some(cycle);
            }
            let before = self.preimage(observation, &manager.tuple(here)) & &hull;
            walk.push(before.pick()?);
        }
    }

    /// Repeatedly removes states without predecessors, and returns the rest.
    fn hull(&self, observation: &Observation<'_, 's>) -> Set<'s> {
        let targets = self.0.iter().map(|(_, to)| to);
        let mut hull = targets.fold(observation.none(), |sum, to| sum | to);
        loop {
            interrupt::poll();
            let next = self.image(observation, &hull) & &hull;
            if next == hull {
                return hull;
            }
            hull = next;
        }
    }

    /// A cycle among the states that a depth-first search from the least source comes to first.
    fn nearby_cycle(&self, observation: &Observation<'_, 's>) -> Option<Vec<Tuple>> {
        let encoding = observation.encoding();
        let system = encoding.system();
        let mut expander = system.expander();
        let mut buffer = Successors::new(system.words());
        let start = self.0.iter().find_map(|(from, _)| from.pick())?;
        // For each state its place on the way, or none when it has been left.
        let mut places: FxHashMap<Tuple, Option<usize>> = FxHashMap::default();
        let mut way: Vec<(Tuple, Vec<Tuple>)> = Vec::new();
        let mut entering = Some(start);
        loop {
            interrupt::poll();
            if let Some(tuple) = entering.take() {
                if places.len() == FEW {
                    return None;
                }
                buffer.clear();
                // A fault is found where states are generated.
                expander.expand(&encoding.state(&tuple), &mut buffer).ok()?;
                let next = buffer.iter().map(|(_, state)| encoding.tuple(state));
                let mut next: Vec<Tuple> =
                    next.filter(|successor| self.allow(&tuple, successor)).collect();
                next.reverse();
                places.insert(tuple.clone(), Some(way.len()));
                way.push((tuple, next));
            }
            let (_, rest) = way.last_mut()?;
            match rest.pop() {
                Some(tuple) => match places.get(&tuple) {
                    Some(Some(place)) => {
                        return Some(way.drain(place..).map(|(tuple, _)| tuple).collect());
                    }
                    Some(None) => {}
                    None => entering = Some(tuple),
                },
                None => {
                    let (left, _) = way.pop()?;
                    places.insert(left, None);
                }
            }
        }
    }
}
