//! SVG with its own layout: a layered drawing from left to right, after Sugiyama, Tagawa and Toda
//! (1981).
//!
//! The steps are [`layers`] (no cycles, layers, chains), [`order`] (few crossings), [`place`]
//! (coordinates), [`loops`] and [`route`] (curves), [`areas`] and [`paint`] (XML). Each takes
//! `O(v log v)` per sweep for `v` vertices, with a fixed number of sweeps. Text widths come from a
//! table, because no font is available.

mod areas;
mod label;
mod layers;
mod loops;
mod order;
mod paint;
mod picture;
mod place;
mod route;
#[cfg(test)]
mod tests;

pub(super) use paint::escaped;

use super::strength;
use super::style::{Outline, Style};
use super::view::View;
use crate::{Automaton, Error, StateId};
use label::{FONT_SIZE, LabelBox, cut, text_width};
use layers::{Extent, Graph, Layered, Link, Vertex};
use loops::{Loops, Side};
use picture::{Look, Picture, Placed, Point, Shape};
use rustc_hash::FxHashMap;

/// Options of an SVG drawing.
#[derive(Clone, Debug)]
pub struct SvgOptions {
    /// The name of the automaton and its acceptance condition above the drawing.
    pub caption: bool,
    /// Strongly connected components as boxes behind the drawing.
    pub components: bool,
    /// The two parts of a semi-deterministic automaton as boxes, with dashed edges between them.
    pub parts: bool,
    /// States by their names, if they have one, instead of their numbers.
    pub state_names: bool,
    /// The maximal number of states, those nearest to the initial ones.
    pub max_states: Option<usize>,
}

impl Default for SvgOptions {
    fn default() -> Self {
        SvgOptions {
            caption: true,
            components: false,
            parts: false,
            state_names: true,
            max_states: None,
        }
    }
}

/// The maximal number of states; a larger drawing would be illegible.
const MAX_STATES: usize = 2_000;
const MAX_EDGES: usize = 10_000;
/// From this number of states on, parallel edges share one arrow.
const MANY_STATES: usize = 25;

/// Draws the automaton as an SVG document.
///
/// # Errors
/// If the drawing would have more than 2,000 states or 10,000 edges, or if long edges need more
/// than 400,000 vertices in the layout.
pub fn svg(automaton: &Automaton, options: &SvgOptions) -> Result<String, Error> {
    styled(automaton, options, None)
}

/// Draws the automaton as an SVG document, with a custom style.
///
/// # Errors
/// As for [`svg`].
pub fn svg_in(
    style: &Style<'_>,
    automaton: &Automaton,
    options: &SvgOptions,
) -> Result<String, Error> {
    styled(automaton, options, Some(style))
}

fn styled(
    automaton: &Automaton,
    options: &SvgOptions,
    style: Option<&Style<'_>>,
) -> Result<String, Error> {
    let view = View::new(automaton, options.state_names, options.max_states, style);
    let edges: usize = view.states.iter().map(|state| view.edges_from(*state).count()).sum();
    if view.states.len() > MAX_STATES || edges > MAX_EDGES {
        return Err(Error::new(format!(
            "the automaton is too large to be drawn as SVG: {} states and {edges} edges, but at \
             most {MAX_STATES} and {MAX_EDGES} can be drawn; use DOT, or show fewer states",
            view.states.len(),
        )));
    }
    let mut picture = picture(&view)?;
    if let Some(second) = options.parts.then(|| strength::deterministic_part(automaton)).flatten() {
        let is_second = |shape: usize| view.states.get(shape).is_some_and(|s| second[s.index()]);
        for (arrow, ends) in &mut picture.arrows {
            arrow.dashed |= ends.is_some_and(|(from, to)| !is_second(from) && is_second(to));
        }
    }
    Ok(paint::paint(&view, &picture, options))
}

const RADIUS: f64 = 17.0;
/// The radius of a state without text.
const POINT: f64 = 5.0;
/// The maximal width of a name.
const WIDEST_NAME: f64 = 220.0;
/// The room between a label and its curve.
const LABEL_GAP: f64 = 3.0;

/// Lays out the view; its states are the first shapes.
fn picture(view: &View<'_>) -> Result<Picture, Error> {
    let mut shapes: Vec<Shape> = view.states.iter().map(|state| shape(view, *state)).collect();
    let number: FxHashMap<StateId, usize> =
        view.states.iter().enumerate().map(|(n, state)| (*state, n)).collect();
    let mut edges: Vec<(usize, usize, LabelBox)> = vec![];
    let mut self_loops: Vec<Vec<LabelBox>> = vec![vec![]; shapes.len()];
    for (from, &state) in view.states.iter().enumerate() {
        for (target, labels) in edge_labels(view, state) {
            match number[&target] {
                to if to == from => self_loops[from].extend(labels),
                to => edges.extend(labels.into_iter().map(|label| (from, to, label))),
            }
        }
        if view.hidden_from(state) > 0 {
            edges.push((from, shapes.len(), LabelBox::default()));
            shapes.push(hidden());
        }
    }

    let starts = view.initial().filter(|state| view.outline(*state) != Outline::Point);
    let initial: Vec<usize> = starts.map(|state| number[&state]).collect();
    let roots = view.initial().map(|state| number[&state]).collect();
    let links = edges.iter().map(|(from, to, label)| Link {
        from: *from,
        to: *to,
        label: Extent {
            left: label.width() / 2.0,
            right: label.width() / 2.0,
            up: LABEL_GAP + label.height(),
            down: 4.0,
        },
    });
    let graph =
        Graph { nodes: vec![Extent::default(); shapes.len()], roots, links: links.collect() };
    let mut layered = Layered::new(&graph)?;
    order::reduce_crossings(&mut layered);
    let mut loops = vec![Loops::default(); shapes.len()];
    for layer in &layered.layers {
        for (place, &vertex) in layer.iter().enumerate().filter(|(_, v)| **v < shapes.len()) {
            let last_of_several = place > 0 && place + 1 == layer.len();
            let Vertex { before, after, .. } = &layered.vertices[vertex];
            let free = match (before.is_empty(), after.is_empty()) {
                (true, false) => Side::Left,
                (false, true) => Side::Right,
                _ => Side::Neither,
            };
            if let Some(labels) = self_loops.get_mut(vertex).map(std::mem::take) {
                loops[vertex] = Loops::new(labels, !last_of_several, free);
            }
            layered.vertices[vertex].extent = loops[vertex].extent(&shapes[vertex]);
        }
    }
    let places = place::place(&layered);
    for (vertex, shape) in shapes.iter_mut().enumerate() {
        let column = places.columns[layered.vertices[vertex].layer];
        shape.centre = Point::new(column.axis, places.y[vertex]);
    }

    let (arrows, starts) = route::route(&layered, &places, &shapes, &initial);
    let mut picture = Picture::default();
    picture.arrows.extend(starts.into_iter().map(|arrow| (arrow, None)));
    for ((mut arrow, (from, to, label)), chain) in
        arrows.into_iter().zip(edges).zip(&layered.chains)
    {
        arrow.dashed = shapes[to].look == Look::Hidden;
        picture.arrows.push((arrow, Some((from, to))));
        if !label.lines.is_empty() {
            let axis = places.columns[layered.vertices[chain.label].layer].axis;
            let bottom = places.y[chain.label] - LABEL_GAP;
            let corner = Point::new(axis - label.width() / 2.0, bottom - label.height());
            picture.labels.push((Placed { corner, label }, (from, to)));
        }
    }
    for (place, (loops, shape)) in loops.into_iter().zip(&shapes).enumerate() {
        for (arrow, placed) in loops.draw(shape) {
            picture.arrows.push((arrow, Some((place, place))));
            picture.labels.push((placed, (place, place)));
        }
    }
    picture.shapes = shapes;
    Ok(picture)
}

/// Returns the labels of the edges of a state by target, in the order of the first edge to each.
/// Few parallel edges have separate arrows; the labels of many share one.
fn edge_labels(view: &View<'_>, state: StateId) -> Vec<(StateId, Vec<LabelBox>)> {
    let mut targets: Vec<(StateId, Vec<LabelBox>)> = vec![];
    let mut place: FxHashMap<StateId, usize> = FxHashMap::default();
    for edge in view.edges_from(state) {
        let label = LabelBox::new(&view.label(state, edge), view.marks(edge));
        let place = *place.entry(edge.target).or_insert_with(|| {
            targets.push((edge.target, vec![]));
            targets.len() - 1
        });
        targets[place].1.push(label);
    }
    let separate = if view.states.len() < MANY_STATES { 2 } else { 1 };
    for (target, labels) in &mut targets {
        if *target != state && labels.len() > separate {
            let mut rest = labels.split_off(1).into_iter();
            rest.by_ref().for_each(|label| labels[0].stack(label));
        }
    }
    targets
}

fn shape(view: &View<'_>, state: StateId) -> Shape {
    let whole = view.state_text(state);
    let text = cut(&whole, WIDEST_NAME, FONT_SIZE);
    let outline = view.outline(state);
    if outline == Outline::Point {
        let shape = hidden();
        return Shape { radius: POINT, look: Look::State(outline), text: String::new(), ..shape };
    }
    // The inner circle of accepting states must also have room for the text, which is wider in some
    // fonts.
    let needed =
        1.12 * text_width(&text, FONT_SIZE) / 2.0 + if outline.is_double() { 8.0 } else { 5.0 };
    let radius = if needed <= RADIUS + 4.0 { needed.max(RADIUS) } else { RADIUS };
    Shape {
        centre: Point::default(),
        radius,
        straight: (needed - radius - 1.0).max(0.0),
        look: Look::State(outline),
        full: (text != whole).then_some(whole),
        text,
    }
}

fn hidden() -> Shape {
    Shape {
        centre: Point::default(),
        radius: 9.0,
        straight: 0.0,
        look: Look::Hidden,
        text: "…".into(),
        full: None,
    }
}
