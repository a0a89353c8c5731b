//! Writes the shapes of a drawing as XML.

use super::SvgOptions;
use super::areas::{Area, areas};
use super::label::{
    DISC_GAP, DISC_RADIUS, DISC_STEP, FONT_SIZE, LINE_HEIGHT, LabelBox, Line, text_width,
};
use super::picture::{Arrow, Look, Picture, Placed, Point, Rect, Shape};
use super::route::HEAD;
use crate::Mark;
use crate::draw::caption::Piece;
use crate::draw::marks;
use crate::draw::strength;
use crate::draw::style::Outline;
use crate::draw::view::View;
use std::fmt::Write;

const INK: &str = "#212529";
const LINE: &str = "#495057";
const FILL: &str = "#fffbe6";
const MARGIN: f64 = 12.0;
const FONTS: &str = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'DejaVu Sans', sans-serif";
const TITLE_SIZE: f64 = 15.0;

/// Writes the document. It has a white background, for pages with a dark one.
pub(super) fn paint(view: &View<'_>, picture: &Picture, options: &SvgOptions) -> String {
    let parts = if options.parts { strength::deterministic_part(view.automaton) } else { None };
    let groups = match parts {
        Some(second) => strength::parts(view.automaton, &second),
        None if options.components => strength::components(view.automaton),
        None => vec![],
    };
    let areas = areas(view, picture, &groups);
    let boxes = areas.iter().flat_map(|area| &area.boxes);
    let mut bounds = boxes.fold(picture.bounds(), |bounds, rect| bounds.join(*rect));
    if picture.shapes.is_empty() {
        bounds = Rect { left: 0.0, top: 0.0, right: 60.0, bottom: 0.0 };
    }
    let caption = if options.caption { caption(view) } else { vec![] };
    let widest = caption.iter().map(|line| line.width()).fold(0.0, f64::max);
    let head = if caption.is_empty() { 0.0 } else { 20.0 * caption.len() as f64 + 6.0 };
    let width = (bounds.right - bounds.left).max(widest) + 2.0 * MARGIN;
    let height = bounds.bottom - bounds.top + head + 2.0 * MARGIN;
    let mut canvas = Canvas {
        out: String::new(),
        // A drawing narrower than its caption is aligned left with it.
        dx: MARGIN - bounds.left,
        dy: MARGIN + head - bounds.top,
    };
    // Writing to a string does not fail.
    let _ = canvas.document(view, picture, &areas, &caption, (width, height));
    canvas.out
}

/// A line above the drawing.
struct CaptionLine {
    pieces: Vec<Piece>,
    size: f64,
    bold: bool,
}

impl CaptionLine {
    fn width(&self) -> f64 {
        let width = |piece: &Piece| match piece {
            // Bold text is wider. Text before a disc needs room for wider fonts.
            Piece::Text(text) => text_width(text, self.size) * if self.bold { 1.08 } else { 1.15 },
            Piece::Mark(_) => DISC_STEP,
        };
        self.pieces.iter().map(width).sum()
    }
}

fn caption(view: &View<'_>) -> Vec<CaptionLine> {
    let text = |text: String| vec![Piece::Text(text)];
    let name = view.automaton.name().map(|name| CaptionLine {
        pieces: text(super::cut(name, 900.0, TITLE_SIZE)),
        size: TITLE_SIZE,
        bold: true,
    });
    let line = |pieces| CaptionLine { pieces, size: FONT_SIZE, bold: false };
    let rest = [Some(line(view.acceptance())), view.cut().map(|cut| line(text(cut)))];
    name.into_iter().chain(rest.into_iter().flatten()).collect()
}

struct Canvas {
    out: String,
    dx: f64,
    dy: f64,
}

impl Canvas {
    fn document(
        &mut self,
        view: &View<'_>,
        picture: &Picture,
        areas: &[Area<'_>],
        caption: &[CaptionLine],
        (width, height): (f64, f64),
    ) -> std::fmt::Result {
        let (w, h) = (number(width.ceil()), number(height.ceil()));
        writeln!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" \
             height=\"{h}\" role=\"img\" font-family=\"{FONTS}\" font-size=\"{FONT_SIZE}\">"
        )?;
        let name = view.automaton.name().unwrap_or("an automaton");
        writeln!(self.out, "<title>{}</title>", escaped(name))?;
        writeln!(self.out, "<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>")?;
        for (line, content) in caption.iter().enumerate() {
            self.caption_line(content, MARGIN + 14.0 + 20.0 * line as f64)?;
        }
        for area in areas {
            self.area(area)?;
        }
        writeln!(self.out, "<g fill=\"none\" stroke=\"{LINE}\" stroke-width=\"1.3\">")?;
        for (arrow, _) in &picture.arrows {
            self.curve(arrow)?;
        }
        writeln!(self.out, "</g>\n<g fill=\"{LINE}\">")?;
        for (arrow, _) in &picture.arrows {
            self.head(arrow)?;
        }
        writeln!(self.out, "</g>\n<g fill=\"{FILL}\" stroke=\"{INK}\" stroke-width=\"1.4\">")?;
        for shape in &picture.shapes {
            self.outline(shape)?;
        }
        writeln!(self.out, "</g>\n<g fill=\"{INK}\" text-anchor=\"middle\">")?;
        for shape in &picture.shapes {
            self.state_text(shape)?;
        }
        writeln!(self.out, "</g>\n<g fill=\"{INK}\">")?;
        for (placed, _) in &picture.labels {
            self.label(placed)?;
        }
        writeln!(self.out, "</g>\n</svg>")
    }

    fn point(&self, point: Point) -> String {
        format!("{} {}", number(point.x + self.dx), number(point.y + self.dy))
    }

    fn caption_line(&mut self, line: &CaptionLine, y: f64) -> std::fmt::Result {
        let mut x = MARGIN;
        let weight = if line.bold { " font-weight=\"bold\"" } else { "" };
        for piece in &line.pieces {
            let part = CaptionLine { pieces: vec![piece.clone()], ..*line };
            match piece {
                Piece::Text(text) => writeln!(
                    self.out,
                    "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{weight} fill=\"{INK}\" \
                     xml:space=\"preserve\">{}</text>",
                    number(x),
                    number(y),
                    number(line.size),
                    escaped(text)
                )?,
                Piece::Mark(mark) => {
                    self.disc(*mark, x + DISC_STEP / 2.0, y - 4.5)?;
                }
            }
            x += part.width();
        }
        Ok(())
    }

    fn area(&mut self, area: &Area<'_>) -> std::fmt::Result {
        let look = area.strength.look();
        let (line, fill) = match area.arrows.is_empty() {
            true => (look.line, look.fill),
            // Overlapping parts have no lines, so that they look like one.
            false => ("none", look.strong_fill),
        };
        writeln!(self.out, "<g fill=\"{fill}\" stroke=\"{line}\"><title>{}</title>", look.name)?;
        for rect in &area.boxes {
            writeln!(
                self.out,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"9\"/>",
                number(rect.left + self.dx),
                number(rect.top + self.dy),
                number(rect.right - rect.left),
                number(rect.bottom - rect.top),
            )?;
        }
        writeln!(self.out, "</g>")?;
        if !area.arrows.is_empty() {
            writeln!(self.out, "<g fill=\"none\" stroke=\"{fill}\" stroke-width=\"18\">")?;
            area.arrows.iter().try_for_each(|arrow| self.curve(arrow))?;
            writeln!(self.out, "</g>")?;
        }
        Ok(())
    }

    fn curve(&mut self, arrow: &Arrow) -> std::fmt::Result {
        write!(self.out, "<path d=\"M{}", self.point(arrow.start))?;
        for [first, second, end] in &arrow.curves {
            let points = [first, second, end].map(|point| self.point(*point));
            write!(self.out, " C{}", points.join(", "))?;
        }
        let dashes = if arrow.dashed { " stroke-dasharray=\"4 3\"" } else { "" };
        writeln!(self.out, "\"{dashes}/>")
    }

    fn head(&mut self, arrow: &Arrow) -> std::fmt::Result {
        let across = Point::new(-arrow.direction.y, arrow.direction.x);
        // The curve extends into the head, so that no gap shows.
        let base = arrow.tip.towards(arrow.direction, -HEAD - 0.5);
        let corners = [arrow.tip, base.towards(across, 3.6), base.towards(across, -3.6)];
        let corners = corners.map(|corner| self.point(corner));
        writeln!(self.out, "<path d=\"M{} L{} L{}Z\"/>", corners[0], corners[1], corners[2])
    }

    fn outline(&mut self, shape: &Shape) -> std::fmt::Result {
        let Look::State(outline) = shape.look else { return Ok(()) };
        if outline.is_dashed() {
            writeln!(self.out, "<g stroke-dasharray=\"4 2.5\">")?;
        }
        if outline == Outline::Point {
            writeln!(self.out, "<g fill=\"{INK}\">")?;
        }
        self.stadium(shape, shape.radius)?;
        if outline.is_double() {
            self.stadium(shape, shape.radius - 3.2)?;
        }
        if outline.is_dashed() || outline == Outline::Point {
            writeln!(self.out, "</g>")?;
        }
        Ok(())
    }

    fn stadium(&mut self, shape: &Shape, radius: f64) -> std::fmt::Result {
        let (x, y) = (shape.centre.x + self.dx, shape.centre.y + self.dy);
        if shape.straight == 0.0 {
            let (x, y, r) = (number(x), number(y), number(radius));
            return writeln!(self.out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
        }
        writeln!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
            number(x - shape.straight - radius),
            number(y - radius),
            number(2.0 * (shape.straight + radius)),
            number(2.0 * radius),
            number(radius),
        )
    }

    fn state_text(&mut self, shape: &Shape) -> std::fmt::Result {
        writeln!(
            self.out,
            "<text x=\"{}\" y=\"{}\">{}{}</text>",
            number(shape.centre.x + self.dx),
            number(shape.centre.y + self.dy + 4.6),
            tooltip(shape.full.as_deref()),
            escaped(&shape.text),
        )
    }

    fn label(&mut self, placed: &Placed) -> std::fmt::Result {
        let Placed { corner, label } = placed;
        for (place, line) in label.lines.iter().enumerate() {
            let x = corner.x + self.dx + (label.width() - line.width()) / 2.0;
            let y = corner.y + self.dy + LINE_HEIGHT * place as f64;
            self.label_line(label, line, x, y)?;
        }
        Ok(())
    }

    /// Writes a line of a label; a white rim keeps it legible above a curve.
    fn label_line(&mut self, label: &LabelBox, line: &Line, x: f64, y: f64) -> std::fmt::Result {
        // Text before a disc is right-aligned, so that it fits with any font.
        let (at, anchor) = match line.marks.is_empty() {
            true => (x + line.text_width / 2.0, "middle"),
            false => (x + line.text_width, "end"),
        };
        writeln!(
            self.out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" stroke=\"#ffffff\" \
             stroke-width=\"3\" stroke-linejoin=\"round\" stroke-opacity=\"0.8\" \
             paint-order=\"stroke\">{}{}</text>",
            number(at),
            number(y + 12.5),
            tooltip(label.full.as_deref()),
            escaped(&line.text),
        )?;
        let first = x + line.text_width + DISC_GAP + DISC_STEP / 2.0;
        for (place, mark) in line.marks.iter().enumerate() {
            self.disc(*mark, first + DISC_STEP * place as f64, y + 8.0)?;
        }
        Ok(())
    }

    /// A mark: its number in a disc of its colour.
    fn disc(&mut self, mark: Mark, x: f64, y: f64) -> std::fmt::Result {
        let size = [10.0, 8.5, 6.5, 5.0][mark.checked_ilog10().unwrap_or(0).min(3) as usize];
        writeln!(
            self.out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{DISC_RADIUS}\" fill=\"{}\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"{size}\" font-weight=\"bold\" \
             text-anchor=\"middle\" fill=\"#ffffff\">{mark}</text>",
            number(x),
            number(y),
            marks::colour(mark),
            number(x),
            number(y + size * 0.36),
        )
    }
}

fn tooltip(full: Option<&str>) -> String {
    full.map(|text| format!("<title>{}</title>", escaped(text))).unwrap_or_default()
}

/// Formats a coordinate with a precision of 0.1 pixels.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    // Avoids minus zero.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// Escapes a text for XML; control characters are dropped, because XML cannot represent them.
pub(in crate::draw) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
