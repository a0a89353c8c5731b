//! Plots as SVG: points that compare two participants, curves that compare all.
//!
//! Points that would lie on each other become one, with an area for their number, so that the
//! size of a picture depends on its resolution, not on the number of formulas.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The quantity on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// Something that is counted.
    Count,
    /// A time in milliseconds.
    Milliseconds,
}

/// Maps values to places.
#[derive(Clone, Copy, Debug)]
struct Scale {
    log: bool,
    least: f64,
    most: f64,
    /// Where the least and the greatest values are.
    from: f64,
    to: f64,
}

/// From this value on, counts are shown on a logarithmic scale.
const LARGE: f64 = 40.0;

impl Scale {
    fn new(
        quantity: Quantity,
        values: impl Iterator<Item = f64> + Clone,
        from: f64,
        to: f64,
    ) -> Self {
        let positive = values.clone().filter(|&value| value > 0.0);
        let smallest = positive.fold(f64::INFINITY, f64::min);
        let greatest = values.fold(0.0, f64::max);
        let (log, least, most) = match quantity {
            Quantity::Count if greatest < LARGE => (false, 0.0, greatest.max(4.0)),
            Quantity::Count => (true, 1.0, greatest.max(10.0)),
            Quantity::Milliseconds => {
                let smallest = if smallest.is_finite() { smallest } else { 0.1 };
                let least = 10f64.powf(smallest.log10().floor()).max(1e-4);
                (true, least, 10f64.powf(greatest.max(least * 10.0).log10().ceil()))
            }
        };
        Scale { log, least, most, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = match self.log {
            true => {
                let value = value.max(self.least);
                (value / self.least).log10() / (self.most / self.least).log10()
            }
            false => (value - self.least) / (self.most - self.least),
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Values to be marked on the axis.
    fn ticks(&self) -> Vec<f64> {
        let mut ticks = vec![];
        if self.log {
            let decades = (self.most / self.least).log10();
            let steps: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let mut decade = 10f64.powf(self.least.log10().floor());
            while decade <= self.most * 1.001 {
                let fits = |tick: &f64| (self.least * 0.999..=self.most * 1.001).contains(tick);
                ticks.extend(steps.iter().map(|step| step * decade).filter(fits));
                decade *= 10.0;
            }
        } else {
            let rough = (self.most - self.least) / 5.0;
            let power = 10f64.powf(rough.log10().floor());
            let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= rough);
            let step = (step.unwrap_or(10.0) * power).max(1.0);
            let mut tick = self.least;
            while tick <= self.most * 1.001 {
                ticks.push(tick);
                tick += step;
            }
        }
        ticks
    }
}

/// A number on an axis.
fn shown(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{}M", v / 1e6),
        v if v >= 1e3 => format!("{}k", v / 1e3),
        v if v >= 1.0 || v == 0.0 => format!("{v:.0}"),
        // As many digits as it has, and no noise of the last bits.
        v => format!("{v:.4}").trim_end_matches('0').to_owned(),
    }
}

/// A text as part of a page.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One formula in a plot of two participants.
pub(super) struct Point<'a> {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) formula: &'a str,
}

/// The edges of the square in which points lie, in units of the picture.
const SIDE: (f64, f64) = (44.0, 288.0);

/// Points closer than this become one.
const CELL: f64 = 2.0;

/// The values of two participants for each formula.
pub(super) fn scatter(
    (left, right): (&str, &str),
    quantity: Quantity,
    points: &[Point<'_>],
) -> String {
    let values = || points.iter().flat_map(|point| [point.x, point.y]);
    let (low, high) = SIDE;
    let across = Scale::new(quantity, values(), low, high);
    // Up is less.
    let upward = Scale { from: high - low + 12.0, to: 12.0, ..across };
    let bottom = upward.from;
    let mut svg = String::from("<svg viewBox=\"0 0 300 300\" class=\"plot\" role=\"img\">\n");
    let unit = if quantity == Quantity::Milliseconds { ", ms" } else { "" };
    for tick in across.ticks() {
        let (x, y, text) = (across.place(tick), upward.place(tick), shown(tick));
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{x:.1} 12V{bottom:.1}M{low:.1} {y:.1}H{high:.1}\"/>\
             <text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>\
             <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            bottom + 12.0,
            low - 4.0,
            y + 3.0,
        );
    }
    let _ = writeln!(
        svg,
        "<path class=\"equal\" d=\"M{low:.1} {bottom:.1}L{high:.1} 12\"/>\n\
         <text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}{unit}</text>\n\
         <text class=\"axis\" transform=\"translate(11 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}{unit}</text>",
        f64::midpoint(low, high),
        bottom + 26.0,
        escaped(&shortened(left)),
        f64::midpoint(bottom, 12.0),
        escaped(&shortened(right)),
    );
    let mut cells: BTreeMap<(i64, i64), Vec<&Point<'_>>> = BTreeMap::new();
    for point in points {
        let cell = |place: f64| (place / CELL).round() as i64;
        let key = (cell(across.place(point.x)), cell(upward.place(point.y)));
        cells.entry(key).or_default().push(point);
    }
    for members in cells.values() {
        let Some(first) = members.first() else { continue };
        let (x, y) = (across.place(first.x), upward.place(first.y));
        let radius = (2.2 * (members.len() as f64).powf(0.35)).min(14.0);
        let class = match first.x.total_cmp(&first.y) {
            std::cmp::Ordering::Less => "left",
            std::cmp::Ordering::Equal => "same",
            std::cmp::Ordering::Greater => "right",
        };
        let others = match members.len() {
            1 => String::new(),
            count => format!("\n{count} formulas here, for example:"),
        };
        let value = |value: f64| match quantity {
            Quantity::Count => format!("{value}"),
            Quantity::Milliseconds => format!("{value:.3} ms"),
        };
        let _ = writeln!(
            svg,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"><title>{}: \
             {}\n{}: {}{others}\n{}</title></circle>",
            escaped(left),
            value(first.x),
            escaped(right),
            value(first.y),
            escaped(&shortened(first.formula)),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// The most characters of a name or a formula in a plot.
const LONGEST: usize = 48;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The most points of a curve.
const RESOLUTION: usize = 300;

/// For each participant its values in ascending order: how many formulas it is done with within
/// each value.
pub(super) fn cactus(names: &[String], quantity: Quantity, values: &[Vec<f64>]) -> String {
    let (left, right, top, bottom) = (52.0, 628.0, 12.0, 262.0);
    let all = || values.iter().flatten().copied();
    let upward = Scale::new(quantity, all(), bottom, top);
    let count = values.iter().map(Vec::len).max().unwrap_or(0);
    let across =
        Scale { log: false, least: 0.0, most: (count as f64).max(1.0), from: left, to: right };
    let mut svg = String::from("<svg viewBox=\"0 0 640 300\" class=\"plot wide\" role=\"img\">\n");
    for tick in upward.ticks() {
        let (y, text) = (upward.place(tick), shown(tick));
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{left:.1} {y:.1}H{right:.1}\"/><text class=\"tick\" \
             x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            left - 6.0,
            y + 3.0,
        );
    }
    for tick in across.ticks() {
        let (x, text) = (across.place(tick), shown(tick));
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/><text class=\"tick\" \
             x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
            bottom + 16.0,
        );
    }
    let what = match quantity {
        Quantity::Count => "states",
        Quantity::Milliseconds => "milliseconds",
    };
    let _ = writeln!(
        svg,
        "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">translations with at \
         most this many {what}</text>\n<text class=\"axis\" transform=\"translate(13 {:.1}) \
         rotate(-90)\" text-anchor=\"middle\">{what}</text>",
        f64::midpoint(left, right),
        bottom + 33.0,
        f64::midpoint(top, bottom),
    );
    for (participant, (name, values)) in names.iter().zip(values).enumerate() {
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let Some(greatest) = sorted.last() else { continue };
        let step = sorted.len().div_ceil(RESOLUTION).max(1);
        let mut path = String::new();
        for (i, value) in sorted.iter().enumerate() {
            if i % step == 0 || i + 1 == sorted.len() {
                let command = if path.is_empty() { 'M' } else { 'L' };
                let x = across.place((i + 1) as f64);
                let _ = write!(path, "{command}{x:.1} {:.1}", upward.place(*value));
            }
        }
        let most = match quantity {
            Quantity::Count => format!("{greatest} states at most"),
            Quantity::Milliseconds => format!("{greatest:.3} ms at most"),
        };
        let _ = writeln!(
            svg,
            "<path class=\"curve tool{}\" data-tool=\"{participant}\" d=\"{path}\"><title>{}\n{} \
             translations, {most}</title></path>",
            participant % COLOURS,
            escaped(name),
            sorted.len(),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// The number of colours for participants.
pub(super) const COLOURS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_have_their_ends_and_few_ticks() {
        for (quantity, values) in [
            (Quantity::Count, vec![1.0, 7.0]),
            (Quantity::Count, vec![0.0]),
            (Quantity::Count, vec![1.0, 12_345.0]),
            (Quantity::Milliseconds, vec![0.013, 87.0]),
            (Quantity::Milliseconds, vec![]),
        ] {
            let scale = Scale::new(quantity, values.iter().copied(), 10.0, 110.0);
            let ticks = scale.ticks();
            assert!((2..=10).contains(&ticks.len()), "{values:?}: {ticks:?}");
            assert!((scale.place(scale.least) - 10.0).abs() < 1e-9);
            assert!((scale.place(scale.most) - 110.0).abs() < 1e-9);
            let places: Vec<f64> = ticks.iter().map(|&tick| scale.place(tick)).collect();
            assert!(places.is_sorted(), "{places:?}");
        }
    }

    #[test]
    fn equal_points_are_one_circle() {
        let point = |x, y| Point { x, y, formula: "a < b" };
        let points = [point(1.0, 2.0), point(1.0, 2.0), point(3.0, 3.0)];
        let svg = scatter(("a&b", "c"), Quantity::Count, &points);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("2 formulas here") && svg.contains("a &lt; b"));
        assert!(svg.contains("a&amp;b") && !svg.contains("a&b"));
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.001, 0.05, 1.0, 20.0, 5000.0, 2e6].map(shown);
        assert_eq!(shown, ["0", "0.001", "0.05", "1", "20", "5k", "2M"]);
    }
}
