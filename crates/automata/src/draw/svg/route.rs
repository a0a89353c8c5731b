//! Curves: where links leave and enter states, and their route through the layers between.
//!
//! Under its own label and beside near labels and states, a link is horizontal at the height of its
//! vertex, and touches none of them. Elsewhere it is a Bézier curve. At a state, links spread over
//! its border in the order of arrival, each close to its direction.

use super::layers::{Chain, Layered};
use super::picture::{Arrow, Point, Shape};
use super::place::{Column, Places, isotonic};

/// The length of an arrowhead.
pub(super) const HEAD: f64 = 8.0;
/// An empty arrow.
pub(super) const ARROW: Arrow = Arrow {
    start: Point { x: 0.0, y: 0.0 },
    curves: vec![],
    tip: Point { x: 0.0, y: 0.0 },
    direction: Point { x: 1.0, y: 0.0 },
    dashed: false,
};
/// The angles of ports, in radians: the steepest, and the minimal distance of two.
const STEEPEST: f64 = 1.15;
const APART: f64 = 0.42;
/// The length of the arrow of an initial state, without its head.
const INITIAL: f64 = 18.0;

/// The minimal distance between a shape and a curved link, and the extra distance for the width.
const NEAR: f64 = 10.0;
const NEAR_PER_WIDTH: f64 = 0.3;
/// The minimal distance of links above or below a state, beyond the labels of its self-loops.
const LOOP_ROOM: f64 = 8.0;

/// The angles at which a chain leaves its left end and enters its right end.
#[derive(Clone, Copy, Default)]
struct Ends {
    left: f64,
    right: f64,
}

/// Draws the chains of all links, and an arrow for each initial node.
pub(super) fn route(
    graph: &Layered,
    places: &Places,
    shapes: &[Shape],
    initial: &[usize],
) -> (Vec<Arrow>, Vec<Arrow>) {
    let router = Router::new(graph, places, shapes);
    let (ends, starts) = router.spread(initial);
    let links = graph.chains.iter().zip(ends).map(|(chain, ends)| router.draw(chain, ends));
    let initial = initial.iter().map(|&node| {
        let (tip, outwards) = shapes[node].port(false, starts[node]);
        let end = tip.towards(outwards, HEAD);
        let start = tip.towards(outwards, HEAD + INITIAL);
        let third = |n: f64| end.towards(outwards, INITIAL * n / 3.0);
        let curves = vec![[third(2.0), third(1.0), end]];
        Arrow { start, curves, tip, direction: opposite(outwards), ..ARROW }
    });
    (links.collect(), initial.collect())
}

/// A point on a curve, and the direction there.
type Knot = (Point, Point);

const RIGHT: Point = Point { x: 1.0, y: 0.0 };

fn opposite(direction: Point) -> Point {
    Point::new(-direction.x, -direction.y)
}

struct Router<'a> {
    graph: &'a Layered,
    places: &'a Places,
    shapes: &'a [Shape],
    /// By vertex, the ones above and below it in its layer.
    neighbours: Vec<[Option<usize>; 2]>,
    /// By vertex, the horizontal range in which a link is horizontal.
    flat: Vec<(f64, f64)>,
}

impl<'a> Router<'a> {
    fn new(graph: &'a Layered, places: &'a Places, shapes: &'a [Shape]) -> Self {
        let mut neighbours = vec![[None; 2]; graph.vertices.len()];
        for pair in graph.layers.iter().flat_map(|layer| layer.windows(2)) {
            neighbours[pair[0]][1] = Some(pair[1]);
            neighbours[pair[1]][0] = Some(pair[0]);
        }
        let mut router = Router { graph, places, shapes, neighbours, flat: vec![] };
        router.flat = (0..graph.vertices.len()).map(|vertex| router.flat_part(vertex)).collect();
        router
    }

    fn column(&self, vertex: usize) -> Column {
        self.places.columns[self.graph.vertices[vertex].layer]
    }

    /// Returns the horizontal range of a vertex.
    fn span(&self, vertex: usize) -> (f64, f64) {
        let (axis, extent) = (self.column(vertex).axis, self.graph.vertices[vertex].extent);
        (axis - extent.left, axis + extent.right)
    }

    /// Returns the vertices above and below, with the distance from the height of this vertex to
    /// their border.
    fn distances(&self, vertex: usize) -> impl Iterator<Item = (f64, usize)> + '_ {
        let y = self.places.y[vertex];
        let [above, below] = self.neighbours[vertex];
        let extent = |other: usize| self.graph.vertices[other].extent;
        let above = above.map(|o| (self.places.y[o] + extent(o).down - y, o));
        let below = below.map(|o| (self.places.y[o] - extent(o).up - y, o));
        above.into_iter().chain(below)
    }

    fn flat_part(&self, vertex: usize) -> (f64, f64) {
        self.distances(vertex)
            .filter(|(distance, other)| {
                let (left, right) = self.span(*other);
                right > left && distance.abs() < NEAR + NEAR_PER_WIDTH * (right - left) / 2.0
            })
            .map(|(_, other)| self.span(other))
            .fold(self.span(vertex), |l, r| (l.0.min(r.0), l.1.max(r.1)))
    }

    /// Chooses the angles of initial arrows and of the chains at each node, ordered by their
    /// direction.
    fn spread(&self, initial: &[usize]) -> (Vec<Ends>, Vec<f64>) {
        /// The object at a port.
        #[derive(Clone, Copy)]
        enum Port {
            Chain(usize),
            Initial,
        }
        let mut ends = vec![Ends::default(); self.graph.chains.len()];
        let mut starts = vec![0.0; self.shapes.len()];
        let mut ports: Vec<[Vec<(f64, f64, Port)>; 2]> =
            vec![Default::default(); self.shapes.len()];
        for (number, Chain { vertices, .. }) in self.graph.chains.iter().enumerate() {
            let last = vertices.len() - 1;
            let of_ends = [(1, vertices[0], vertices[1]), (0, vertices[last], vertices[last - 1])];
            for (side, node, next) in of_ends {
                let dy = self.places.y[next] - self.places.y[node];
                let dx = match side {
                    1 => self.flat[next].0 - self.column(node).axis,
                    _ => self.column(node).axis - self.flat[next].1,
                };
                let dx = dx - self.shapes[node].straight;
                // A less steep angle makes rounder curves.
                let angle = 0.95 * dy.atan2(dx.max(1.0));
                ports[node][side].push((self.places.y[next], angle, Port::Chain(number)));
            }
        }
        for &node in initial {
            let others = &ports[node][0];
            let top = others.iter().map(|port| port.0).fold(f64::INFINITY, f64::min);
            let angle = if others.is_empty() { 0.0 } else { -0.7 };
            ports[node][0].push((top.min(self.places.y[node]) - 1.0, angle, Port::Initial));
        }
        for (node, sides) in ports.into_iter().enumerate() {
            for (side, mut ports) in sides.into_iter().enumerate() {
                ports.sort_by(|l, r| l.0.total_cmp(&r.0));
                let wishes: Vec<f64> = ports.iter().map(|port| port.1).collect();
                for (angle, (_, _, port)) in apart(&wishes).into_iter().zip(ports) {
                    match (port, side) {
                        (Port::Initial, _) => starts[node] = angle,
                        (Port::Chain(chain), 1) => ends[chain].left = angle,
                        (Port::Chain(chain), _) => ends[chain].right = angle,
                    }
                }
            }
        }
        (ends, starts)
    }

    fn draw(&self, chain: &Chain, ends: Ends) -> Arrow {
        let last = chain.vertices.len() - 1;
        let (left, right) = (chain.vertices[0], chain.vertices[last]);
        let (from, outwards) = self.shapes[left].port(true, ends.left);
        let (to, back) = self.shapes[right].port(false, ends.right);
        // The head lies between the border and the curve.
        let (head_left, head_right) = if chain.reversed { (HEAD, 0.0) } else { (0.0, HEAD) };
        let start = from.towards(outwards, head_left);
        let end = to.towards(back, head_right);

        // The flat parts between the ends, then the knots of the curves between them.
        let inner = &chain.vertices[1..last];
        let mut parts: Vec<(f64, f64, f64)> = vec![(start.x, start.x, start.y)];
        parts.extend(inner.iter().map(|&v| (self.flat[v].0, self.flat[v].1, self.places.y[v])));
        parts.push((end.x, end.x, end.y));
        let mut knots: Vec<Knot> = vec![(start, outwards)];
        let next = Point::new(parts[1].0, parts[1].2);
        knots.extend(self.detour(left, start, next));
        for three in parts.windows(3) {
            let (before, (from, to, y), after) = (three[0], three[1], three[2]);
            if to > from {
                knots.extend([from, to].map(|x| (Point::new(x, y), RIGHT)));
            } else {
                let slope = slope_between(
                    (y - before.2) / (from - before.1).max(1.0),
                    (after.2 - y) / (after.0 - to).max(1.0),
                );
                knots.push((Point::new(from, y), rightwards(slope)));
            }
        }
        let previous = Point::new(parts[last - 1].1, parts[last - 1].2);
        knots.extend(self.detour(right, end, previous));
        knots.push((end, opposite(back)));

        let (tip, direction) = if chain.reversed {
            knots.reverse();
            knots.iter_mut().for_each(|(_, direction)| *direction = opposite(*direction));
            (from, opposite(outwards))
        } else {
            (to, opposite(back))
        };
        let curves = knots.windows(2).map(|pair| between(pair[0], pair[1])).collect();
        Arrow { start: knots[0].0, curves, tip, direction, ..ARROW }
    }

    /// Returns a point at the border of the layer of a node, if a direct link from its port would
    /// cross a self-loop or another vertex of that layer.
    fn detour(&self, node: usize, port: Point, other: Point) -> Option<Knot> {
        let (y, extent) = (self.places.y[node], self.graph.vertices[node].extent);
        let radius = self.shapes[node].radius;
        let line = |x: f64| port.y + (other.y - port.y) * (x - port.x) / (other.x - port.x);
        let to_right = other.x > port.x;
        let end = |(left, right): (f64, f64)| if to_right { right } else { left };
        let beyond = |x: f64| if to_right { x > port.x } else { x < port.x };
        let upwards = other.y < port.y;
        // The extent of an obstacle: its end, and its height.
        let own = if upwards { extent.up } else { extent.down };
        let own = (own > radius + 1.0).then_some((end(self.span(node)), radius + LOOP_ROOM));
        let neighbour = self
            .distances(node)
            .find(|(_, vertex)| (self.places.y[*vertex] < y) == upwards)
            .map(|(distance, vertex)| (end(self.span(vertex)), distance.abs()));
        let obstacles = [own, neighbour].into_iter().flatten().filter(|(x, _)| beyond(*x));
        let limit = obstacles
            .filter(|(x, room)| (line(*x) - y).abs() > *room)
            .map(|(_, room)| room)
            .fold(f64::INFINITY, f64::min);
        let column = self.column(node);
        let border = if to_right { column.right } else { column.left };
        (limit.is_finite() && beyond(border)).then(|| {
            let aside = (0.8 * limit).min(radius + 4.0);
            let slope = if upwards == to_right { -0.5 } else { 0.5 };
            (Point::new(border, y + if upwards { -aside } else { aside }), rightwards(slope))
        })
    }
}

/// Returns the angles nearest to the ascending wishes that keep the minimal distance.
fn apart(wishes: &[f64]) -> Vec<f64> {
    let last = wishes.len().saturating_sub(1) as f64;
    let distance = APART.min(2.0 * STEEPEST / last.max(1.0));
    let offset = |number: usize| number as f64 * distance;
    let shifted: Vec<(f64, f64)> =
        wishes.iter().enumerate().map(|(n, wish)| (wish - offset(n), 1.0)).collect();
    let clamped = |angle: f64| angle.clamp(-STEEPEST, (STEEPEST - last * distance).max(-STEEPEST));
    isotonic(&shifted).into_iter().enumerate().map(|(n, a)| clamped(a) + offset(n)).collect()
}

/// Returns the direction to the right with this slope.
fn rightwards(slope: f64) -> Point {
    let length = slope.hypot(1.0);
    Point::new(1.0 / length, slope / length)
}

/// Returns the slope at a point between two others: zero at an extremum, gentle elsewhere.
fn slope_between(before: f64, after: f64) -> f64 {
    if before * after <= 0.0 {
        return 0.0;
    }
    before.abs().min(after.abs()).min(0.6) * before.signum()
}

fn between((from, leaving): Knot, (to, arriving): Knot) -> [Point; 3] {
    let (dx, dy) = ((to.x - from.x).abs(), (to.y - from.y).abs());
    let handle = (0.42 * dx).max(0.25 * dx.hypot(dy).min(60.0));
    [from.towards(leaving, handle), to.towards(arriving, -handle), to]
}
