//! Self-loops: above or below their state, several side by side, with the label beyond the curve.

use super::label::LabelBox;
use super::layers::Extent;
use super::picture::{Arrow, Placed, Point, Shape};
use super::route::{ARROW, HEAD};

/// The distance of control points from the border; the curve reaches three quarters of it.
const REACH: f64 = 32.0;
const HEIGHT: f64 = 24.0;
/// The maximal width of a label beside another; wider labels share one loop.
const WIDEST_BESIDE: f64 = 48.0;
const BESIDE_GAP: f64 = 4.0;
/// The overhang of wide labels on a side with other edges.
const OVERHANG: f64 = 26.0;

/// The self-loops of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops {
    pub(super) above: Vec<LabelBox>,
    pub(super) below: Vec<LabelBox>,
    free: Side,
}

/// The side of a state without other edges, where wide labels may extend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    #[default]
    Neither,
}

impl Loops {
    /// Distributes the labels: one where there is room, two above and below, and more side by side
    /// if they are narrow. The others share a loop.
    pub(super) fn new(labels: Vec<LabelBox>, room_above: bool, free: Side) -> Self {
        let count = labels.len();
        let narrow = labels.iter().all(|label| label.width() <= WIDEST_BESIDE);
        let above = match count {
            1 => usize::from(room_above),
            _ => count.div_ceil(2),
        };
        let beside = count <= 4 && narrow;
        let mut labels = labels.into_iter();
        let mut side = |count: usize| -> Vec<LabelBox> {
            let mut side: Vec<LabelBox> = labels.by_ref().take(count).collect();
            if !beside && side.len() > 1 {
                let mut rest = side.split_off(1).into_iter();
                rest.by_ref().for_each(|label| side[0].stack(label));
            }
            side
        };
        let above = side(above);
        Loops { above, below: side(count), free }
    }

    /// Returns the extent of the state with its loops.
    pub(super) fn extent(&self, shape: &Shape) -> Extent {
        let half = shape.straight + shape.radius;
        let sides = [&self.above, &self.below];
        let reach = |side: &Vec<LabelBox>| {
            let height = side.iter().map(|label| label.height() + HEIGHT + 3.0);
            shape.radius + height.fold(0.0, f64::max)
        };
        let boxes = sides.iter().flat_map(|side| self.offsets(side).into_iter().zip(side.iter()));
        let (left, right) = boxes.fold((half, half), |(left, right), (offset, label)| {
            (left.max(-offset), right.max(offset + label.width()))
        });
        Extent { left, right, up: reach(&self.above), down: reach(&self.below) }
    }

    /// Draws the loops around a placed shape.
    pub(super) fn draw(self, shape: &Shape) -> Vec<(Arrow, Placed)> {
        let mut drawn = vec![];
        for (labels, above) in [(&self.above, true), (&self.below, false)] {
            let count = labels.len();
            for (place, (offset, label)) in self.offsets(labels).into_iter().zip(labels).enumerate()
            {
                let lean = match (count, place) {
                    (1, _) => 0.0,
                    (_, 0) => -1.0,
                    _ => 1.0,
                };
                let arrow = curve(shape, above, lean);
                let y = match above {
                    true => shape.centre.y - shape.radius - HEIGHT - 1.0 - label.height(),
                    false => shape.centre.y + shape.radius + HEIGHT + 1.0,
                };
                let corner = Point::new(shape.centre.x + offset, y);
                drawn.push((arrow, Placed { corner, label: label.clone() }));
            }
        }
        drawn
    }

    /// Returns the left borders of the boxes above or below, relative to the centre of the state.
    fn offsets(&self, labels: &[LabelBox]) -> Vec<f64> {
        if let [left, right] = labels {
            return vec![-left.width() - BESIDE_GAP, BESIDE_GAP.max(9.0 - right.width() / 2.0)];
        }
        let offset = |label: &LabelBox| {
            let centred = -label.width() / 2.0;
            match self.free {
                Side::Left => centred.min(OVERHANG - label.width()),
                Side::Right => centred.max(-OVERHANG),
                Side::Neither => centred,
            }
        };
        labels.iter().map(offset).collect()
    }
}

/// A loop, leaning to the left (-1), upright (0), or leaning to the right (1).
fn curve(shape: &Shape, above: bool, lean: f64) -> Arrow {
    let r = shape.radius;
    let up = if above { -1.0 } else { 1.0 };
    // The angles on the border, and the horizontal position of the control points.
    let (from, to) = match lean {
        0.0 => (-0.52 * r, 0.52 * r),
        _ => (lean * 0.5 * r - 0.32 * r, lean * 0.5 * r + 0.32 * r),
    };
    let (start, tip) = (shape.edge_at(from, above), shape.edge_at(to, above));
    let beyond = shape.centre.y + up * (r + REACH);
    let widened = if lean == 0.0 { 0.45 * r } else { 0.3 * r };
    let shift = lean * 0.55 * r;
    let first = Point::new(shape.centre.x + from - widened + shift, beyond);
    let second = Point::new(shape.centre.x + to + widened + shift, beyond);
    let (dx, dy) = (tip.x - second.x, tip.y - second.y);
    let length = dx.hypot(dy);
    let direction = Point::new(dx / length, dy / length);
    let end = tip.towards(direction, -HEAD);
    Arrow { start, curves: vec![[first, second, end]], tip, direction, ..ARROW }
}
