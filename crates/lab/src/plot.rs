//! Plots as SVG files: scatter plots, curves and boxes.

use crate::statistics::quantile;
use std::fmt::Write;

/// An axis: the positions of values.
#[derive(Clone, Copy, Debug)]
struct Axis {
    /// True if the scale is logarithmic.
    is_logarithmic: bool,
    least: f64,
    most: f64,
    /// The positions of the minimum and the maximum.
    from: f64,
    to: f64,
}

impl Axis {
    /// Makes an axis whose ends are round numbers around the values.
    fn around(values: impl Iterator<Item = f64>, is_logarithmic: bool, from: f64, to: f64) -> Self {
        let wanted = |value: &f64| value.is_finite() && (!is_logarithmic || *value > 0.0);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(wanted) {
            (least, most) = (least.min(value), most.max(value));
        }
        if least > most {
            (least, most) = (1.0, 10.0);
        }
        if is_logarithmic {
            least = 10f64.powf(least.log10().floor());
            most = 10f64.powf(most.log10().ceil()).max(10.0 * least);
        } else {
            least = least.min(0.0);
            most = if most > least { most } else { least + 1.0 };
            let step = step(most - least);
            most = (most / step).ceil() * step;
        }
        Axis { is_logarithmic, least, most, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = match self.is_logarithmic {
            true => (value.max(self.least) / self.least).ln() / (self.most / self.least).ln(),
            false => (value - self.least) / (self.most - self.least),
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    fn ticks(&self) -> Vec<f64> {
        // An axis of groups has no numbers.
        if self.least >= self.most {
            return Vec::new();
        }
        if self.is_logarithmic {
            let (first, last) =
                (self.least.log10().round() as i32, self.most.log10().round() as i32);
            let step = (last.abs_diff(first) as usize).div_ceil(7).max(1);
            return (first..=last).step_by(step).map(|power| 10f64.powi(power)).collect();
        }
        let step = step(self.most - self.least);
        let count = ((self.most - self.least) / step).round() as u32;
        (0..=count).map(|number| self.least + step * f64::from(number)).collect()
    }
}

/// Returns a round distance for about five ticks.
fn step(width: f64) -> f64 {
    let power = 10f64.powf((width / 5.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| width / step <= 6.0).unwrap_or(10.0 * power)
}

/// Returns the text of a tick.
fn label(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size >= 1e6 => format!("{}M", value / 1e6),
        size if size >= 1e4 => format!("{}k", value / 1e3),
        size if size >= 1.0 => format!("{}", (value * 10.0).round() / 10.0),
        size if size >= 1e-4 => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{value:e}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

const COLOURS: [&str; 8] =
    ["#1b6ca8", "#c2452d", "#3d8b40", "#7b4ea3", "#b8860b", "#2a9d8f", "#8c564b", "#555555"];

/// A series of points, by name.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

/// The frame of a plot with its axes and names.
struct Frame {
    svg: String,
    across: Axis,
    upward: Axis,
}

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 360.0;

impl Frame {
    fn new(across: Axis, upward: Axis, names: (&str, &str)) -> Self {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        let (left, right, bottom, top) = (across.from, across.to, upward.from, upward.to);
        for tick in across.ticks() {
            let (x, text) = (across.place(tick), label(tick));
            let _ = writeln!(
                svg,
                "<path stroke=\"#ddd\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
                bottom + 14.0
            );
        }
        for tick in upward.ticks() {
            let (y, text) = (upward.place(tick), label(tick));
            let _ = writeln!(
                svg,
                "<path stroke=\"#ddd\" d=\"M{left:.1} {y:.1}H{right:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                left - 5.0,
                y + 4.0
            );
        }
        let (middle, centre) = (f64::midpoint(left, right), f64::midpoint(bottom, top));
        let _ = writeln!(
            svg,
            "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(13 {centre:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            bottom + 32.0,
            escaped(names.0),
            escaped(names.1)
        );
        Frame { svg, across, upward }
    }

    fn legend(&mut self, names: &[&str]) {
        for (place, name) in names.iter().enumerate() {
            let (x, y) = (self.across.to + 10.0, self.upward.to + 6.0 + 16.0 * place as f64);
            let colour = COLOURS[place % COLOURS.len()];
            let _ = writeln!(
                self.svg,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"9\" height=\"9\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
                y - 8.0,
                x + 13.0,
                escaped(name)
            );
        }
    }

    fn end(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }
}

/// Draws points that compare two approaches on equal logarithmic axes, with the diagonal.
pub fn scatter(names: (&str, &str), series: &[Series]) -> String {
    let values = || series.iter().flat_map(|one| &one.points).flat_map(|&(x, y)| [x, y]);
    let across = Axis::around(values(), true, 58.0, 358.0);
    let upward = Axis { from: 312.0, to: 12.0, ..across };
    let mut frame = Frame::new(across, upward, names);
    let _ = writeln!(frame.svg, "<path stroke=\"#888\" d=\"M58 312L358 12\"/>");
    for (place, one) in series.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        for &(x, y) in &one.points {
            let (x, y) = (across.place(x), upward.place(y));
            let _ = writeln!(
                frame.svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.4\" fill=\"{colour}\" fill-opacity=\"0.55\"/>"
            );
        }
    }
    frame.legend(&series.iter().map(|one| one.name.as_str()).collect::<Vec<_>>());
    frame.end()
}

/// Draws a box for each group of positive values on a logarithmic axis: quartiles with the median,
/// and lines to the least and the greatest value.
pub fn boxes(name: &str, groups: &[(String, Vec<f64>)]) -> String {
    let upward = Axis::around(
        groups.iter().flat_map(|(_, values)| values.iter().copied()),
        true,
        292.0,
        12.0,
    );
    let across = Axis { is_logarithmic: false, least: 0.0, most: 0.0, from: 58.0, to: 468.0 };
    let mut frame = Frame::new(across, upward, ("", name));
    let width = (across.to - across.from) / groups.len().max(1) as f64;
    let one = upward.place(1.0);
    let _ = writeln!(
        frame.svg,
        "<path stroke=\"#888\" d=\"M{:.1} {one:.1}H{:.1}\"/>",
        across.from, across.to
    );
    for (number, (label, values)) in groups.iter().enumerate() {
        let (middle, colour) =
            (across.from + width * (number as f64 + 0.5), COLOURS[number % COLOURS.len()]);
        let _ = writeln!(
            frame.svg,
            "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">n = {}</text>",
            upward.from + 28.0,
            escaped(label),
            upward.from + 42.0,
            values.len()
        );
        let at =
            |part: f64| quantile(values.iter().copied(), part).map(|value| upward.place(value));
        let parts = [at(0.0), at(0.25), at(0.5), at(0.75), at(1.0)];
        let [Some(least), Some(low), Some(median), Some(high), Some(most)] = parts else {
            continue;
        };
        let (left, right) = (middle - 0.25 * width, middle + 0.25 * width);
        let _ = writeln!(
            frame.svg,
            "<path stroke=\"{colour}\" d=\"M{middle:.1} {least:.1}V{low:.1}M{middle:.1} {high:.1}V{most:.1}\"/>\
             <rect x=\"{left:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\" stroke=\"{colour}\" fill=\"{colour}\" fill-opacity=\"0.2\"/>\
             <path stroke=\"{colour}\" stroke-width=\"2\" d=\"M{left:.1} {median:.1}H{right:.1}\"/>",
            right - left,
            low - high
        );
    }
    frame.end()
}

/// Draws curves through points.
pub fn curves(names: (&str, &str), series: &[Series]) -> String {
    let points = || series.iter().flat_map(|one| one.points.iter().copied());
    let across = Axis::around(points().map(|(x, _)| x), false, 58.0, 388.0);
    let upward = Axis::around(points().map(|(_, y)| y), false, 312.0, 12.0);
    let mut frame = Frame::new(across, upward, names);
    for (place, one) in series.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let places = one.points.iter().map(|&(x, y)| (across.place(x), upward.place(y)));
        let path: Vec<String> = places.map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        if !path.is_empty() {
            let _ = writeln!(
                frame.svg,
                "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" d=\"M{}\"/>",
                path.join("L")
            );
        }
    }
    frame.legend(&series.iter().map(|one| one.name.as_str()).collect::<Vec<_>>());
    frame.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_ends_and_few_ticks() {
        for (values, is_logarithmic) in [
            (vec![], true),
            (vec![0.003, 120.0], true),
            (vec![5.0], true),
            (vec![1.0, 3e9], true),
            (vec![0.0, 1.0], false),
            (vec![3.0, 87.3], false),
            (vec![0.0], false),
        ] {
            let axis = Axis::around(values.iter().copied(), is_logarithmic, 10.0, 110.0);
            let ticks = axis.ticks();
            assert!((2..=8).contains(&ticks.len()), "{values:?}: {ticks:?}");
            for value in values {
                assert!((10.0..=110.0).contains(&axis.place(value)));
                assert!(axis.least <= value.max(axis.least) && value <= axis.most + 1e-9);
            }
            let places: Vec<f64> = ticks.iter().map(|&tick| axis.place(tick)).collect();
            assert!(places.is_sorted() && ticks.iter().all(|&tick| !label(tick).is_empty()));
        }
    }

    #[test]
    fn pictures_have_all_points_and_no_bare_markup() {
        let series = [Series { name: "a < b".into(), points: vec![(1.0, 2.0), (3.0, 0.0)] }];
        let svg = scatter(("x & y", "y"), &series);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("a &lt; b") && svg.contains("x &amp; y"));
        assert_eq!(curves(("d", "%"), &series).matches("stroke-width").count(), 1);
    }
}
