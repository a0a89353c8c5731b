//! The look of marks: a number in a disc, and a colour that is the same in every drawing.

use crate::Mark;

/// Distinct colours that are legible on white and behind white digits; they repeat.
const COLOURS: [&str; 10] = [
    "#1f78b4", "#d6336c", "#2b8a3e", "#e8590c", "#6741d9", "#0b7285", "#a61e4d", "#5c940d",
    "#862e9c", "#8a5a00",
];

/// The colour of a mark.
pub(super) fn colour(mark: Mark) -> &'static str {
    COLOURS[mark as usize % COLOURS.len()]
}

/// Returns the mark as one Unicode character where possible: ⓿❶❷…⓴, in parentheses from 21 on.
pub(super) fn glyph(mark: Mark) -> String {
    let base = match mark {
        0 => 0x24ff,
        1..=10 => 0x2776 + mark - 1,
        11..=20 => 0x24eb + mark - 11,
        _ => return format!("({mark})"),
    };
    char::from_u32(base).map_or_else(|| format!("({mark})"), String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_discs_with_their_numbers() {
        let all: Vec<String> = (0..22).map(glyph).collect();
        assert_eq!(all.join(" "), "⓿ ❶ ❷ ❸ ❹ ❺ ❻ ❼ ❽ ❾ ❿ ⓫ ⓬ ⓭ ⓮ ⓯ ⓰ ⓱ ⓲ ⓳ ⓴ (21)");
    }
}
