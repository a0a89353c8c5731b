//! Labels as boxes: lines of text with discs for marks, and an estimate of their width.

use crate::{Mark, Marks};

pub(super) const FONT_SIZE: f64 = 13.0;
pub(super) const LINE_HEIGHT: f64 = 16.0;
pub(super) const DISC_RADIUS: f64 = 6.5;
pub(super) const DISC_STEP: f64 = 14.5;
/// The gap between a text and the first disc.
pub(super) const DISC_GAP: f64 = 4.0;
/// The maximal width of a line; longer ones are broken before an operator. Further lines are
/// omitted.
const WIDEST_LINE: f64 = 160.0;
const MAX_LINES: usize = 5;

/// A line of a label.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) text_width: f64,
    pub(super) marks: Vec<Mark>,
}

impl Line {
    pub(super) fn new(text: impl Into<String>, marks: &Marks) -> Self {
        let text = text.into();
        // Extra room for wider fonts.
        let text_width = 1.05 * text_width(&text, FONT_SIZE);
        Line { text_width, text, marks: marks.iter().collect() }
    }

    pub(super) fn width(&self) -> f64 {
        match self.marks.len() {
            0 => self.text_width,
            discs => self.text_width + DISC_GAP + DISC_STEP * discs as f64,
        }
    }
}

/// The label of one or several edges: lines under each other.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelBox {
    pub(super) lines: Vec<Line>,
    /// The whole text, if the lines show only a part of it.
    pub(super) full: Option<String>,
}

impl LabelBox {
    /// The label of an edge.
    pub(super) fn new(text: &str, marks: &Marks) -> Self {
        let mut lines = broken(text);
        let mut full = None;
        if lines.len() > MAX_LINES {
            lines.truncate(MAX_LINES - 1);
            lines.push("…".into());
            full = Some(text.to_owned());
        }
        let mut lines: Vec<Line> =
            lines.into_iter().map(|line| Line::new(line, &Marks::EMPTY)).collect();
        if let Some(last) = lines.last_mut() {
            last.marks = marks.iter().collect();
        }
        LabelBox { lines, full }
    }

    /// Puts another label below this one.
    pub(super) fn stack(&mut self, other: LabelBox) {
        self.lines.extend(other.lines);
        self.full = self.full.take().or(other.full);
    }

    pub(super) fn width(&self) -> f64 {
        self.lines.iter().map(Line::width).fold(0.0, f64::max)
    }

    pub(super) fn height(&self) -> f64 {
        LINE_HEIGHT * self.lines.len() as f64
    }
}

/// Breaks the text into lines: before disjuncts if necessary, and within long disjuncts.
fn broken(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for (place, disjunct) in text.split(" | ").enumerate() {
        let disjunct = if place > 0 { format!("| {disjunct}") } else { disjunct.to_owned() };
        for (place, word) in disjunct.split(" & ").enumerate() {
            let start_of_disjunct = place == 0;
            let word = if start_of_disjunct { word.to_owned() } else { format!("& {word}") };
            let rest = if start_of_disjunct { &disjunct } else { &word };
            // A disjunct that would not fit starts a new line.
            match lines.last_mut().filter(|last| fits(last, rest)) {
                Some(last) => {
                    last.push(' ');
                    last.push_str(&word);
                }
                None => lines.push(word),
            }
        }
    }
    lines.into_iter().map(|line| cut(&line, 2.0 * WIDEST_LINE, FONT_SIZE)).collect()
}

fn fits(line: &str, more: &str) -> bool {
    text_width(line, FONT_SIZE) + text_width(more, FONT_SIZE) < WIDEST_LINE
}

/// Returns the text, cut to fit.
pub(super) fn cut(text: &str, widest: f64, size: f64) -> String {
    if text_width(text, size) <= widest {
        return text.to_owned();
    }
    let mut width = 0.0;
    let fits = |c: &char| {
        width += char_width(*c) * size;
        width + size <= widest
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// Estimates the width of a text.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(char_width).sum::<f64>() * size
}

/// Widths of the printable ASCII characters in a sans-serif font, in thousandths of its size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

fn char_width(c: char) -> f64 {
    let table = (c as usize).checked_sub(32).and_then(|place| WIDTHS.get(place));
    match table {
        Some(width) => f64::from(*width) / 1000.0,
        // From Hangul on, most characters are as wide as high.
        None if c >= '\u{1100}' => 1.05,
        None => 0.7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_labels_are_broken_before_operators() {
        let text = "alpha & beta & gamma & !delta | !alpha & epsilon";
        assert_eq!(broken(text), ["alpha & beta & gamma", "& !delta | !alpha & epsilon"]);
        assert_eq!(broken("a"), ["a"]);
        let long = [text; 10].join(" | ");
        let label = LabelBox::new(&long, &Marks::EMPTY);
        assert_eq!((label.lines.len(), label.full), (MAX_LINES, Some(long)));
    }
}
