//! The areas behind components or parts.

use super::picture::{Arrow, Picture, Rect, Shape};
use crate::StateId;
use crate::draw::strength::{Component, Strength};
use crate::draw::view::View;
use rustc_hash::FxHashMap;

/// The minimal margin of a box, and the extra margin where there is room.
const NARROW: f64 = 2.5;
const WIDER: [f64; 3] = [6.0, 3.0, 1.5];

/// The background of a component: one box, or, if that would contain states of others, the area
/// near its states, edges and labels.
pub(super) struct Area<'a> {
    pub(super) boxes: Vec<Rect>,
    pub(super) arrows: Vec<&'a Arrow>,
    pub(super) strength: Strength,
}

/// Returns the areas of components in drawing order. Quadratic in the number of states, which is
/// limited.
pub(super) fn areas<'a>(
    view: &View<'_>,
    picture: &'a Picture,
    components: &[Component],
) -> Vec<Area<'a>> {
    // Shapes outside components have no owner.
    let mut owner = vec![usize::MAX; picture.shapes.len()];
    let number: FxHashMap<StateId, usize> =
        view.states.iter().enumerate().map(|(n, state)| (*state, n)).collect();
    for (place, component) in components.iter().enumerate() {
        let shown = component.states.iter().filter_map(|state| number.get(state));
        shown.for_each(|shape| owner[*shape] = place);
    }
    let area = |component: &Component| Area {
        boxes: vec![],
        arrows: vec![],
        strength: component.strength,
    };
    let mut areas: Vec<Area<'_>> = components.iter().map(area).collect();
    let of = |(from, to): (usize, usize)| (owner[from] == owner[to]).then_some(owner[from]);
    for (place, shape) in picture.shapes.iter().enumerate() {
        if let Some(area) = areas.get_mut(owner[place]) {
            area.boxes.push(shape.bounds());
        }
    }
    for (placed, ends) in &picture.labels {
        if let Some(area) = of(*ends).and_then(|owner| areas.get_mut(owner)) {
            // The text is lower than its line.
            let bounds = placed.bounds();
            area.boxes.push(Rect { top: bounds.top + 3.0, ..bounds });
        }
    }
    for (arrow, ends) in &picture.arrows {
        let Some(area) = ends.and_then(of).and_then(|owner| areas.get_mut(owner)) else {
            continue;
        };
        match ends {
            Some((from, to)) if from == to => area.boxes.push(arrow.bounds()),
            _ => area.arrows.push(arrow),
        }
    }
    let foreign = |place: usize| {
        let shapes = picture.shapes.iter().map(Shape::bounds).zip(&owner);
        let loops = picture.labels.iter().filter(|(_, (from, to))| from == to);
        let loops = loops.map(|(placed, (state, _))| (placed.bounds(), &owner[*state]));
        let others = shapes.chain(loops).filter(move |(_, owner)| **owner != place);
        others.map(|(rect, _)| rect).collect::<Vec<Rect>>()
    };
    for (place, area) in areas.iter_mut().enumerate().filter(|(_, area)| !area.boxes.is_empty()) {
        let arrows = area.arrows.iter().map(|arrow| arrow.bounds());
        let all = area.boxes.iter().copied().chain(arrows).fold(Rect::EMPTY, Rect::join);
        let rect = all.grown(NARROW);
        if foreign(place).iter().any(|other| other.overlaps(&rect)) {
            area.boxes.iter_mut().for_each(|rect| *rect = rect.grown(5.0));
        } else {
            *area = Area { boxes: vec![rect], arrows: vec![], ..*area };
        }
    }
    // Boxes come last, above the other areas, and as large as possible.
    areas.retain(|area| !area.boxes.is_empty());
    areas.sort_by_key(|area| area.arrows.is_empty());
    for place in 0..areas.len() {
        let [rect] = areas[place].boxes[..] else { continue };
        let wider = WIDER.iter().map(|more| rect.grown(*more)).find(|wider| {
            let others = areas.iter().enumerate().filter(|(other, _)| *other != place);
            !others.flat_map(|(_, other)| &other.boxes).any(|other| other.overlaps(wider))
        });
        areas[place].boxes[0] = wider.unwrap_or(rect);
    }
    areas
}
