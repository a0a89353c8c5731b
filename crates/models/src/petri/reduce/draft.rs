//! A net that is being reduced.

use super::{Observed, Reduction};
use crate::petri::bounds::Bounds;
use crate::petri::net::{Net, NetBuilder, PlaceId, TransitionId};
use std::borrow::Cow;

/// Arcs, sorted by place.
pub(super) type Arcs = Vec<(u32, u32)>;

/// A transition, or several that were joined.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) inputs: Arcs,
    pub(super) outputs: Arcs,
    pub(super) inhibitors: Arcs,
    /// Its enabledness is observed, so it must not change.
    pub(super) is_observed: bool,
    /// Somebody asks whether it happens: no other may happen in its place.
    pub(super) is_fired: bool,
    /// The transitions that it represents.
    pub(super) parts: Vec<TransitionId>,
}

impl Step {
    /// Its effect, by place.
    pub(super) fn effect(&self) -> Vec<(u32, i64)> {
        let mut effect = Vec::with_capacity(self.inputs.len() + self.outputs.len());
        let (mut inputs, mut outputs) =
            (self.inputs.iter().peekable(), self.outputs.iter().peekable());
        loop {
            let place = match (inputs.peek(), outputs.peek()) {
                (None, None) => return effect,
                (Some((input, _)), Some((output, _))) => *input.min(output),
                (Some((place, _)), None) | (None, Some((place, _))) => *place,
            };
            let taken = inputs.next_if(|arc| arc.0 == place).map_or(0, |arc| i64::from(arc.1));
            let added = outputs.next_if(|arc| arc.0 == place).map_or(0, |arc| i64::from(arc.1));
            if added != taken {
                effect.push((place, added - taken));
            }
        }
    }
}

/// The weight of the arc to a place, which may be 0.
pub(super) fn weight(arcs: &[(u32, u32)], place: u32) -> u32 {
    arcs.binary_search_by_key(&place, |arc| arc.0).map_or(0, |found| arcs[found].1)
}

/// A net that loses places and steps.
pub(super) struct Draft<'net> {
    bounds: &'net Bounds,
    places: Vec<Place>,
    pub(super) steps: Vec<Option<Step>>,
    /// The limit of steps.
    most_steps: usize,
    alive_steps: usize,
    is_changed: bool,
}

struct Place {
    initial: u32,
    is_alive: bool,
    /// Its tokens are looked at by propositions or inhibitor arcs.
    is_visible: bool,
    /// The steps that add tokens, and those that take some; also those that have been removed.
    producers: Vec<u32>,
    consumers: Vec<u32>,
}

impl<'net> Draft<'net> {
    pub(super) fn new(net: &'net Net, observed: &Observed) -> Self {
        let place = |place| Place {
            initial: net.initial(place),
            is_alive: true,
            is_visible: observed.places.contains(&place),
            producers: Vec::new(),
            consumers: Vec::new(),
        };
        let mut draft = Draft {
            bounds: net.bounds(),
            places: net.places().map(place).collect(),
            steps: Vec::with_capacity(net.transition_count()),
            most_steps: 2 * net.transition_count() + 16,
            alive_steps: 0,
            is_changed: false,
        };
        let arcs = |arcs: &[(PlaceId, u32)]| -> Arcs {
            arcs.iter().map(|(place, weight)| (place.0, *weight)).collect()
        };
        for transition in net.transitions() {
            let step = Step {
                inputs: arcs(net.inputs(transition)),
                outputs: arcs(net.outputs(transition)),
                inhibitors: arcs(net.inhibitors(transition)),
                is_observed: observed.keeps(transition),
                is_fired: observed.fired.contains(&transition),
                parts: vec![transition],
            };
            let asked = if step.is_observed { &*step.inputs } else { &[] };
            for (place, _) in asked.iter().chain(&step.inhibitors) {
                draft.places[*place as usize].is_visible = true;
            }
            draft.add(step);
        }
        draft
    }

    /// True if it is not as it was given.
    pub(super) fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// The places that are left.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> + use<> {
        let alive: Vec<u32> = (0..self.places.len() as u32)
            .filter(|place| self.places[*place as usize].is_alive)
            .collect();
        alive.into_iter()
    }

    /// The steps that are left, with their numbers.
    pub(super) fn alive(&self) -> impl Iterator<Item = (u32, &Step)> {
        let numbered = self.steps.iter().enumerate();
        numbered.filter_map(|(number, step)| Some((number as u32, step.as_ref()?)))
    }

    pub(super) fn step(&self, number: u32) -> &Step {
        self.steps[number as usize].as_ref().expect("a step that is left")
    }

    pub(super) fn is_visible(&self, place: u32) -> bool {
        self.places[place as usize].is_visible
    }

    pub(super) fn initial(&self, place: u32) -> u32 {
        self.places[place as usize].initial
    }

    /// The most tokens that the place can have, if that is known.
    pub(super) fn bound(&self, place: u32) -> Option<u32> {
        self.bounds.of_place(PlaceId(place))
    }

    /// The steps that are left and add tokens to a place.
    pub(super) fn producers(&self, place: u32) -> Vec<u32> {
        self.left(&self.places[place as usize].producers)
    }

    /// The steps that are left and take tokens from a place.
    pub(super) fn consumers(&self, place: u32) -> Vec<u32> {
        self.left(&self.places[place as usize].consumers)
    }

    /// True if no other step that is left takes tokens from the place.
    pub(super) fn is_only_consumer(&self, number: u32, place: u32) -> bool {
        let mut consumers = self.places[place as usize].consumers.iter();
        consumers.all(|other| *other == number || self.steps[*other as usize].is_none())
    }

    fn left(&self, steps: &[u32]) -> Vec<u32> {
        steps.iter().copied().filter(|step| self.steps[*step as usize].is_some()).collect()
    }

    /// True if there is room for this many steps in place of others.
    pub(super) fn has_room(&self, fewer: usize, more: usize) -> bool {
        more <= fewer || self.alive_steps + more <= self.most_steps + fewer
    }

    pub(super) fn add(&mut self, step: Step) {
        let number = self.steps.len() as u32;
        for (place, _) in &step.inputs {
            self.places[*place as usize].consumers.push(number);
        }
        for (place, _) in &step.outputs {
            self.places[*place as usize].producers.push(number);
        }
        self.steps.push(Some(step));
        self.alive_steps += 1;
    }

    pub(super) fn remove_step(&mut self, number: u32) {
        self.steps[number as usize] = None;
        self.alive_steps -= 1;
        self.is_changed = true;
    }

    /// Removes a place and its arcs.
    pub(super) fn remove_place(&mut self, place: u32) {
        let entry = &mut self.places[place as usize];
        entry.is_alive = false;
        let (producers, consumers) =
            (std::mem::take(&mut entry.producers), std::mem::take(&mut entry.consumers));
        for number in producers.into_iter().chain(consumers) {
            if let Some(step) = &mut self.steps[number as usize] {
                step.inputs.retain(|arc| arc.0 != place);
                step.outputs.retain(|arc| arc.0 != place);
            }
        }
        self.is_changed = true;
    }

    /// The net that is left; none if there is no place left, or a name has become ambiguous.
    pub(super) fn finish(self, net: &Net, observed: &Observed) -> Option<Reduction> {
        let mut builder = NetBuilder::default();
        if let Some(name) = net.name() {
            builder.name(name);
        }
        let mut numbers: Vec<Option<PlaceId>> = vec![None; self.places.len()];
        let mut bounds = Vec::new();
        for place in self.places() {
            let old = PlaceId(place);
            numbers[place as usize] = Some(builder.place(net.place_name(old), net.initial(old)));
            bounds.push(self.bounds.of_place(old));
        }
        let number = |place: u32| numbers[place as usize].expect("a place that is left");
        let mut steps = Vec::new();
        let mut transitions: Vec<Option<TransitionId>> = vec![None; net.transition_count()];
        for (_, step) in self.alive() {
            let name = match &*step.parts {
                [only] => Cow::Borrowed(net.transition_name(*only)),
                parts => Cow::Owned(format!("{} steps, {}", parts.len(), steps.len())),
            };
            let transition = builder.transition(name);
            if let [only] = *step.parts {
                transitions[only.0 as usize] = Some(transition);
            }
            for (place, weight) in &step.inputs {
                builder.input(transition, number(*place), *weight).ok()?;
            }
            for (place, weight) in &step.outputs {
                builder.output(transition, number(*place), *weight).ok()?;
            }
            for (place, threshold) in &step.inhibitors {
                builder.inhibitor(transition, number(*place), *threshold);
            }
            steps.push(step.parts.clone());
        }
        for name in net.place_group_names() {
            let group = net.place_group(name).unwrap_or_default();
            if group.iter().all(|place| observed.places.contains(place)) {
                builder.place_group(name, group.iter().map(|place| number(place.0)).collect());
            }
        }
        for name in net.transition_group_names() {
            let group = net.transition_group(name).unwrap_or_default();
            if group.iter().all(|transition| observed.keeps(*transition)) {
                let kept = group.iter().filter_map(|old| transitions[old.0 as usize]).collect();
                builder.transition_group(name, kept);
            }
        }
        for name in net.place_alias_names() {
            let old = net.place_alias(name).filter(|old| observed.places.contains(old));
            if let Some(old) = old {
                builder.place_alias(name, number(old.0));
            }
        }
        for name in net.transition_alias_names() {
            let old = net.transition_alias(name).filter(|old| observed.keeps(*old));
            if let Some(kept) = old.and_then(|old| transitions[old.0 as usize]) {
                builder.transition_alias(name, kept);
            }
        }
        let net = builder.build().ok()?;
        // Its markings are those of the given net, on the places that are left.
        Some(Reduction { net: net.with_bounds(Bounds::proven(bounds)), steps })
    }
}
