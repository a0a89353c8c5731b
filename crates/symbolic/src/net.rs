//! Petri nets as events of a decision diagram: a variable for each place.

use sempre_diagrams::{Event, EventId, Manager, Set};
use sempre_models::petri::{Net, PlaceId, TransitionId};

/// A net whose markings are tuples of a diagram.
pub struct Encoding<'f> {
    /// The initial marking.
    pub initial: Set<'f>,
    /// The transitions of the net, in its order.
    pub events: Vec<EventId<'f>>,
    /// The places from the top of the diagram.
    pub order: Vec<PlaceId>,
}

/// The event of a transition, if places have the given levels.
fn event(net: &Net, transition: TransitionId, levels: &[u32]) -> Event<'static> {
    let mut event = Event::new();
    for &(place, weight) in net.inputs(transition) {
        let level = levels[place.0 as usize];
        event = event.guard(level, weight..=u32::MAX).add(level, -i64::from(weight));
    }
    for &(place, weight) in net.outputs(transition) {
        event = event.add(levels[place.0 as usize], i64::from(weight));
    }
    for &(place, threshold) in net.inhibitors(transition) {
        event = event.guard(levels[place.0 as usize], 0..=threshold.saturating_sub(1));
    }
    event
}

/// Encodes a net with its places in the given order from the top.
pub fn encode<'f>(manager: &Manager<'f>, net: &Net, order: Vec<PlaceId>) -> Encoding<'f> {
    let mut levels = vec![0; net.place_count()];
    for (position, place) in order.iter().enumerate() {
        levels[place.0 as usize] = (order.len() - position) as u32;
    }
    let marking: Vec<u32> = order.iter().map(|&place| net.initial(place)).collect();
    Encoding {
        initial: manager.tuple(&marking),
        events: net
            .transitions()
            .map(|transition| manager.event(&event(net, transition, &levels)))
            .collect(),
        order,
    }
}
