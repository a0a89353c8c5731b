//! Nets as they are written: names, arcs and an initial marking.

use rustc_hash::FxHashMap;
use sempre_ltl::Error;

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
}

impl Net {
    /// The name of the net, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// How many places there are.
    pub fn place_count(&self) -> usize {
        self.places.len()
    }

    /// How many transitions there are.
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

    /// How many tokens a place has in the beginning.
    pub fn initial(&self, place: PlaceId) -> u32 {
        self.places[place.0 as usize].initial
    }

    /// The places from which a transition takes tokens, and how many.
    pub fn inputs(&self, transition: TransitionId) -> &[(PlaceId, u32)] {
        &self.transitions[transition.0 as usize].inputs
    }

    /// The places to which a transition adds tokens, and how many.
    pub fn outputs(&self, transition: TransitionId) -> &[(PlaceId, u32)] {
        &self.transitions[transition.0 as usize].outputs
    }

    /// The places that must have less than so many tokens for the transition to be enabled.
    pub fn inhibitors(&self, transition: TransitionId) -> &[(PlaceId, u32)] {
        &self.transitions[transition.0 as usize].inhibitors
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

    /// Adds a transition.
    pub fn transition(&mut self, name: impl Into<String>) -> TransitionId {
        self.net.transitions.push(Transition { name: name.into(), ..Transition::default() });
        TransitionId(self.net.transitions.len() as u32 - 1)
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
        unique("places", self.net.places.iter().map(|place| place.name.as_str()))?;
        unique("transitions", self.net.transitions.iter().map(|t| t.name.as_str()))?;
        for transition in &mut self.net.transitions {
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

fn unique<'a>(what: &str, names: impl ExactSizeIterator<Item = &'a str>) -> Result<(), Error> {
    let mut seen = rustc_hash::FxHashSet::with_capacity_and_hasher(names.len(), Default::default());
    for name in names {
        if !seen.insert(name) {
            return Err(Error::new(format!("two {what} have the name `{name}`")));
        }
    }
    Ok(())
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
}
