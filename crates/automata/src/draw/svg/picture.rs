//! A drawing as shapes with coordinates, before its output.

use super::label::LabelBox;
use crate::draw::style::Outline;

/// A point; `y` grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Point {
    pub(super) fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }

    /// Returns the point at a distance in a direction.
    pub(super) fn towards(self, direction: Point, distance: f64) -> Point {
        Point::new(self.x + direction.x * distance, self.y + direction.y * distance)
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Rect {
    /// The rectangle without points.
    pub(super) const EMPTY: Rect = Rect {
        left: f64::INFINITY,
        top: f64::INFINITY,
        right: f64::NEG_INFINITY,
        bottom: f64::NEG_INFINITY,
    };

    pub(super) fn around(centre: Point, half_width: f64, half_height: f64) -> Self {
        Rect {
            left: centre.x - half_width,
            top: centre.y - half_height,
            right: centre.x + half_width,
            bottom: centre.y + half_height,
        }
    }

    /// Returns the smallest rectangle around both.
    pub(super) fn join(self, other: Rect) -> Rect {
        Rect {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    pub(super) fn grown(self, by: f64) -> Rect {
        Rect {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }

    pub(super) fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// A state: a circle, or two half circles with straight lines between if its text is long.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) centre: Point,
    pub(super) radius: f64,
    /// Half the length of the straight part.
    pub(super) straight: f64,
    pub(super) look: Look,
    pub(super) text: String,
    /// The whole text, if it was cut.
    pub(super) full: Option<String>,
}

/// The look of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    State(Outline),
    /// A placeholder for omitted states.
    Hidden,
}

impl Shape {
    pub(super) fn bounds(&self) -> Rect {
        Rect::around(self.centre, self.straight + self.radius, self.radius)
    }

    /// Returns the border point of the right or left half circle in a direction, and that
    /// direction. The angle is from the horizontal, downwards.
    pub(super) fn port(&self, to_right: bool, angle: f64) -> (Point, Point) {
        let side = if to_right { 1.0 } else { -1.0 };
        let outwards = Point::new(side * angle.cos(), angle.sin());
        let middle = Point::new(self.centre.x + side * self.straight, self.centre.y);
        (middle.towards(outwards, self.radius), outwards)
    }

    /// Returns the point of the upper or lower border at a horizontal distance from the centre.
    pub(super) fn edge_at(&self, dx: f64, above: bool) -> Point {
        let beyond = (dx.abs() - self.straight).max(0.0).min(self.radius);
        let dy = (self.radius * self.radius - beyond * beyond).sqrt();
        Point::new(self.centre.x + dx, self.centre.y + if above { -dy } else { dy })
    }
}

/// A label, by the upper left corner of its box.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) corner: Point,
    pub(super) label: LabelBox,
}

impl Placed {
    pub(super) fn bounds(&self) -> Rect {
        Rect {
            left: self.corner.x,
            top: self.corner.y,
            right: self.corner.x + self.label.width(),
            bottom: self.corner.y + self.label.height(),
        }
    }
}

/// A curve with an arrowhead at one end.
#[derive(Clone, Debug)]
pub(super) struct Arrow {
    pub(super) start: Point,
    /// Cubic Bézier curves: two control points and the end of each.
    pub(super) curves: Vec<[Point; 3]>,
    /// The tip of the head, and its direction.
    pub(super) tip: Point,
    pub(super) direction: Point,
    pub(super) dashed: bool,
}

impl Arrow {
    pub(super) fn bounds(&self) -> Rect {
        let points = self.curves.iter().flatten().chain([&self.start, &self.tip]);
        points.fold(Rect::EMPTY, |rect, point| rect.join(Rect::around(*point, 1.0, 1.0)))
    }
}

/// Everything in the drawing but captions.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    pub(super) shapes: Vec<Shape>,
    /// Each arrow with its source and target shapes.
    pub(super) arrows: Vec<(Arrow, Option<(usize, usize)>)>,
    /// Each label with the source and target shapes of its arrow.
    pub(super) labels: Vec<(Placed, (usize, usize))>,
}

impl Picture {
    pub(super) fn bounds(&self) -> Rect {
        let shapes = self.shapes.iter().map(Shape::bounds);
        let arrows = self.arrows.iter().map(|(arrow, _)| arrow.bounds());
        let labels = self.labels.iter().map(|(placed, _)| placed.bounds());
        shapes.chain(arrows).chain(labels).fold(Rect::EMPTY, Rect::join)
    }
}
