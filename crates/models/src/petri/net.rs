//! Nets: names, arcs and an initial marking.

use super::bounds::Bounds;
use crate::system::{Demand, VariableId};
use rustc_hash::FxHashMap;
use sempre_ltl::Error;
use std::sync::OnceLock;

/// The number of a place of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(pub u32);

/// The number of a transition of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransitionId(pub u32);

/// A place/transition net with weighted arcs and inhibitor arcs.
///
/// Built by a [`NetBuilder`]; arcs between the same place and transition have been added up, and
/// are sorted by place.
#[derive(Clone, Debug, Default)]
pub struct Net {
    name: Option<String>,
    places: Vec<Place>,
    transitions: Vec<Transition>,
    /// Names that stand for several places or transitions: those of a coloured net, whose
    /// instances are the places and transitions of this one.
    place_groups: FxHashMap<String, Vec<PlaceId>>,
    transition_groups: FxHashMap<String, Vec<TransitionId>>,
    /// The proven facts about the places, computed on demand.
    bounds: OnceLock<Bounds>,
    /// Other names of places and transitions.
    place_aliases: FxHashMap<String, PlaceId>,
    transition_aliases: FxHashMap<String, TransitionId>,
    /// All places and transitions, sorted by name.
    places_by_name: Vec<PlaceId>,
    transitions_by_name: Vec<TransitionId>,
}

#[derive(Clone, Debug)]
struct Place {
    name: String,
    initial: u32,
}

#[derive(Clone, Debug, Default)]
struct Transition {
    name: String,
    inputs: Vec<(PlaceId, u32)>,
    outputs: Vec<(PlaceId, u32)>,
    inhibitors: Vec<(PlaceId, u32)>,
    line: Option<usize>,
}

impl Net {
    /// The name of the net, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The [bounds](Bounds::of) of its places, which are computed once.
    pub fn bounds(&self) -> &Bounds {
        self.bounds.get_or_init(|| Bounds::of(self))
    }

    /// Gives up on bounds if they are not known yet.
    pub fn forgo_bounds(&self) {
        self.bounds.get_or_init(|| Bounds::none(self));
    }

    /// The net, with bounds that are known to hold.
    pub(super) fn with_bounds(self, bounds: Bounds) -> Self {
        Net { bounds: OnceLock::from(bounds), ..self }
    }

    /// Returns the number of places.
    pub fn place_count(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of transitions.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// All places.
    pub fn places(&self) -> impl ExactSizeIterator<Item = PlaceId> + use<> {
        (0..self.places.len() as u32).map(PlaceId)
    }

    /// All transitions.
    pub fn transitions(&self) -> impl ExactSizeIterator<Item = TransitionId> + use<> {
        (0..self.transitions.len() as u32).map(TransitionId)
    }

    /// The name of a place.
    pub fn place_name(&self, place: PlaceId) -> &str {
        &self.places[place.0 as usize].name
    }

    /// The name of a transition.
    pub fn transition_name(&self, transition: TransitionId) -> &str {
        &self.transitions[transition.0 as usize].name
    }

    /// Returns the initial number of tokens of a place.
    pub fn initial(&self, place: PlaceId) -> u32 {
        self.places[place.0 as usize].initial
    }

    /// Returns the input places of a transition, with weights.
    pub fn inputs(&self, transition: TransitionId) -> &[(PlaceId, u32)] {
        &self.transitions[transition.0 as usize].inputs
    }

    /// Returns the output places of a transition, with weights.
    pub fn outputs(&self, transition: TransitionId) -> &[(PlaceId, u32)] {
        &self.transitions[transition.0 as usize].outputs
    }

    /// The inhibitor places, each with the number of tokens that disables the transition.
    pub fn inhibitors(&self, transition: TransitionId) -> &[(PlaceId, u32)] {
        &self.transitions[transition.0 as usize].inhibitors
    }

    /// The line of the text in which a transition is defined, from 1, if it is known.
    pub fn line(&self, transition: TransitionId) -> Option<usize> {
        self.transitions[transition.0 as usize].line
    }

    /// The guards and effects of a transition: once for each place that it touches.
    pub fn demands(&self, transition: TransitionId) -> Vec<Demand> {
        let mut demands: Vec<Demand> = Vec::new();
        let mut of = |place: PlaceId, change: &dyn Fn(&mut Demand)| {
            let variable = VariableId(place.0);
            match demands.iter_mut().find(|demand| demand.variable == variable) {
                Some(demand) => change(demand),
                None => {
                    let mut demand =
                        Demand { variable, least: 0, greatest: u32::MAX, added: 0, fits: false };
                    change(&mut demand);
                    demands.push(demand);
                }
            }
        };
        for &(place, weight) in self.inputs(transition) {
            of(place, &|demand| {
                demand.least = weight;
                demand.added -= i64::from(weight);
            });
        }
        for &(place, weight) in self.outputs(transition) {
            of(place, &|demand| demand.added += i64::from(weight));
        }
        for &(place, threshold) in self.inhibitors(transition) {
            of(place, &|demand| demand.greatest = threshold.saturating_sub(1));
        }
        demands
    }

    /// The place of that name.
    pub fn place(&self, name: &str) -> Option<PlaceId> {
        let found =
            self.places_by_name.binary_search_by_key(&name, |place| self.place_name(*place));
        found.ok().map(|index| self.places_by_name[index])
    }

    /// The transition of that name.
    pub fn transition(&self, name: &str) -> Option<TransitionId> {
        let by_name = &self.transitions_by_name;
        let found = by_name.binary_search_by_key(&name, |other| self.transition_name(*other));
        found.ok().map(|index| by_name[index])
    }

    /// The place that is also known by that name.
    pub fn place_alias(&self, name: &str) -> Option<PlaceId> {
        self.place_aliases.get(name).copied()
    }

    /// The transition that is also known by that name.
    pub fn transition_alias(&self, name: &str) -> Option<TransitionId> {
        self.transition_aliases.get(name).copied()
    }

    /// All names that stand for several places, in alphabetical order.
    pub fn place_group_names(&self) -> Vec<&str> {
        sorted(self.place_groups.keys())
    }

    /// All names that stand for several transitions, in alphabetical order.
    pub fn transition_group_names(&self) -> Vec<&str> {
        sorted(self.transition_groups.keys())
    }

    /// All other names of places, in alphabetical order.
    pub fn place_alias_names(&self) -> Vec<&str> {
        sorted(self.place_aliases.keys())
    }

    /// All other names of transitions, in alphabetical order.
    pub fn transition_alias_names(&self) -> Vec<&str> {
        sorted(self.transition_aliases.keys())
    }

    /// The places that a name of a coloured net stands for.
    pub fn place_group(&self, name: &str) -> Option<&[PlaceId]> {
        self.place_groups.get(name).map(Vec::as_slice)
    }

    /// The transitions that a name of a coloured net stands for.
    pub fn transition_group(&self, name: &str) -> Option<&[TransitionId]> {
        self.transition_groups.get(name).map(Vec::as_slice)
    }
}

/// Puts a [`Net`] together.
///
/// ```
/// use sempre_models::petri::NetBuilder;
/// let mut builder = NetBuilder::default();
/// let (idle, busy) = (builder.place("idle", 2), builder.place("busy", 0));
/// let work = builder.transition("work");
/// builder.input(work, idle, 1)?;
/// builder.output(work, busy, 1)?;
/// let net = builder.build()?;
/// assert_eq!((net.place_count(), net.transition_count()), (2, 1));
/// assert_eq!(net.inputs(work), [(idle, 1)]);
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NetBuilder {
    net: Net,
    place_aliases: Vec<(String, PlaceId)>,
    transition_aliases: Vec<(String, TransitionId)>,
}

impl NetBuilder {
    /// Names the net.
    pub fn name(&mut self, name: impl Into<String>) -> &mut Self {
        self.net.name = Some(name.into());
        self
    }

    /// Adds a place with that many tokens.
    pub fn place(&mut self, name: impl Into<String>, initial: u32) -> PlaceId {
        self.net.places.push(Place { name: name.into(), initial });
        PlaceId(self.net.places.len() as u32 - 1)
    }

    /// Puts that many tokens on a place in the beginning.
    pub fn initial(&mut self, place: PlaceId, tokens: u32) {
        self.net.places[place.0 as usize].initial = tokens;
    }

    /// Adds a transition.
    pub fn transition(&mut self, name: impl Into<String>) -> TransitionId {
        self.net.transitions.push(Transition { name: name.into(), ..Transition::default() });
        TransitionId(self.net.transitions.len() as u32 - 1)
    }

    /// Says in which line of a text a transition is defined.
    pub fn line(&mut self, transition: TransitionId, line: usize) {
        self.net.transitions[transition.0 as usize].line = Some(line);
    }

    /// Lets a transition take tokens from a place. Weights of several such arcs add up.
    ///
    /// # Errors
    /// If the weights add up to 2^32 or more.
    pub fn input(
        &mut self,
        transition: TransitionId,
        place: PlaceId,
        weight: u32,
    ) -> Result<(), Error> {
        add(&mut self.net.transitions[transition.0 as usize].inputs, place, weight)
    }

    /// Lets a transition add tokens to a place. Weights of several such arcs add up.
    ///
    /// # Errors
    /// If the weights add up to 2^32 or more.
    pub fn output(
        &mut self,
        transition: TransitionId,
        place: PlaceId,
        weight: u32,
    ) -> Result<(), Error> {
        add(&mut self.net.transitions[transition.0 as usize].outputs, place, weight)
    }

    /// Disables a transition while the place has `threshold` tokens or more. Of several such arcs
    /// the least threshold counts.
    pub fn inhibitor(&mut self, transition: TransitionId, place: PlaceId, threshold: u32) {
        let arcs = &mut self.net.transitions[transition.0 as usize].inhibitors;
        match arcs.iter_mut().find(|(other, _)| *other == place) {
            Some((_, least)) => *least = (*least).min(threshold),
            None => arcs.push((place, threshold)),
        }
    }

    /// Lets a place be known by another name too, unless that name stands for something else.
    pub fn place_alias(&mut self, name: impl Into<String>, place: PlaceId) {
        self.place_aliases.push((name.into(), place));
    }

    /// Lets a transition be known by another name too, unless that name stands for something else.
    pub fn transition_alias(&mut self, name: impl Into<String>, transition: TransitionId) {
        self.transition_aliases.push((name.into(), transition));
    }

    /// Lets a name stand for several places together.
    pub fn place_group(&mut self, name: impl Into<String>, places: Vec<PlaceId>) {
        self.net.place_groups.insert(name.into(), places);
    }

    /// Lets a name stand for several transitions together.
    pub fn transition_group(&mut self, name: impl Into<String>, transitions: Vec<TransitionId>) {
        self.net.transition_groups.insert(name.into(), transitions);
    }

    /// The net.
    ///
    /// # Errors
    /// If two places or two transitions have the same name, or there is no place.
    pub fn build(mut self) -> Result<Net, Error> {
        if self.net.places.is_empty() {
            return Err(Error::new("a net has at least one place"));
        }
        let net = &mut self.net;
        net.places_by_name = by_name("places", net.places(), |place| net.place_name(place))?;
        net.transitions_by_name = by_name("transitions", net.transitions(), |transition| {
            net.transition_name(transition)
        })?;
        let aliases = unambiguous(self.place_aliases);
        net.place_aliases = aliases
            .filter(|(name, _)| net.place(name).is_none() && !net.place_groups.contains_key(name))
            .collect();
        let aliases = unambiguous(self.transition_aliases);
        net.transition_aliases = aliases
            .filter(|(name, _)| {
                net.transition(name).is_none() && !net.transition_groups.contains_key(name)
            })
            .collect();
        for transition in &mut net.transitions {
            // Arcs of weight 0 change nothing; an inhibitor at 0 disables for ever and stays.
            transition.inputs.retain(|(_, weight)| *weight > 0);
            transition.outputs.retain(|(_, weight)| *weight > 0);
            transition.inputs.sort_unstable();
            transition.outputs.sort_unstable();
            transition.inhibitors.sort_unstable();
        }
        Ok(self.net)
    }
}

fn add(arcs: &mut Vec<(PlaceId, u32)>, place: PlaceId, weight: u32) -> Result<(), Error> {
    match arcs.iter_mut().find(|(other, _)| *other == place) {
        Some((_, sum)) => {
            *sum = sum
                .checked_add(weight)
                .ok_or_else(|| Error::new("weights of arcs add up to 2^32 or more"))?;
        }
        None => arcs.push((place, weight)),
    }
    Ok(())
}

/// The nodes sorted by name.
fn by_name<'a, N: Copy>(
    what: &str,
    nodes: impl Iterator<Item = N>,
    name: impl Fn(N) -> &'a str,
) -> Result<Vec<N>, Error> {
    let mut sorted: Vec<N> = nodes.collect();
    sorted.sort_unstable_by_key(|node| name(*node));
    match sorted.windows(2).find(|pair| name(pair[0]) == name(pair[1])) {
        Some(pair) => Err(Error::new(format!("two {what} have the name `{}`", name(pair[0])))),
        None => Ok(sorted),
    }
}

/// The names that are given to one node only.
fn unambiguous<N: Copy + PartialEq>(
    aliases: Vec<(String, N)>,
) -> impl Iterator<Item = (String, N)> {
    let mut meanings: FxHashMap<String, Option<N>> = FxHashMap::default();
    for (name, node) in aliases {
        let meaning = meanings.entry(name).or_insert(Some(node));
        if *meaning != Some(node) {
            *meaning = None;
        }
    }
    meanings.into_iter().filter_map(|(name, node)| Some((name, node?)))
}

fn sorted<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_between_the_same_nodes_add_up() {
        let mut builder = NetBuilder::default();
        let place = builder.place("p", 0);
        let transition = builder.transition("t");
        builder.input(transition, place, 2).unwrap();
        builder.input(transition, place, 3).unwrap();
        assert!(builder.input(transition, place, u32::MAX).is_err());
        builder.inhibitor(transition, place, 7);
        builder.inhibitor(transition, place, 6);
        let net = builder.build().unwrap();
        assert_eq!(net.inputs(transition), [(place, 5)]);
        assert_eq!(net.inhibitors(transition), [(place, 6)]);
    }

    #[test]
    fn names_are_unique() {
        let mut builder = NetBuilder::default();
        builder.place("p", 0);
        builder.place("p", 0);
        assert_eq!(builder.build().unwrap_err().message(), "two places have the name `p`");
        assert!(NetBuilder::default().build().is_err());
    }

    #[test]
    fn aliases_stand_for_one_node_and_hide_no_name() {
        let mut builder = NetBuilder::default();
        let (p, q) = (builder.place("p", 0), builder.place("q", 0));
        builder.place_alias("q", p);
        builder.place_alias("both", p);
        builder.place_alias("both", q);
        builder.place_alias("other", q);
        builder.place_alias("other", q);
        let net = builder.build().unwrap();
        assert_eq!((net.place("p"), net.place("q"), net.place("other")), (Some(p), Some(q), None));
        assert_eq!(net.place_alias_names(), ["other"]);
        assert_eq!(net.place_alias("other"), Some(q));
    }
}
