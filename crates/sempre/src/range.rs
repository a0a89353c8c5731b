//! Ranges of numbers in options: `5`, `3..8` (inclusive), `3..`, `..8`.

use std::fmt;
use std::str::FromStr;

/// The numbers from `low` to `high`, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// The smallest number.
    pub(crate) low: u64,
    /// The largest number; `None` if there is no upper end.
    pub(crate) high: Option<u64>,
}

impl Range {
    /// True if the number is in the range.
    pub(crate) fn contains(self, number: u64) -> bool {
        self.low <= number && self.high.is_none_or(|high| number <= high)
    }

    /// Returns both ends, or an error if there is no upper end.
    pub(crate) fn bounded(self) -> Result<(u64, u64), String> {
        match self.high {
            Some(high) => Ok((self.low, high)),
            None => Err(format!("the range `{self}` needs an upper end")),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.high {
            Some(high) if high == self.low => write!(out, "{high}"),
            Some(high) => write!(out, "{}..{high}", self.low),
            None => write!(out, "{}..", self.low),
        }
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            part.trim().parse::<u64>().map_err(|_| {
                format!("`{}` is not a number; a range is N, A..B, A.. or ..B", part.trim())
            })
        };
        let Some((low, high)) = text.split_once("..") else {
            let exact = number(text)?;
            return Ok(Range { low: exact, high: Some(exact) });
        };
        // Rust's `A..=B` is the same range.
        let high = high.strip_prefix('=').unwrap_or(high);
        if low.trim().is_empty() && high.trim().is_empty() {
            return Err("a range needs at least one end: N, A..B, A.. or ..B".into());
        }
        let range = Range {
            low: if low.trim().is_empty() { 0 } else { number(low)? },
            high: if high.trim().is_empty() { None } else { Some(number(high)?) },
        };
        match range.high {
            Some(high) if high < range.low => {
                Err(format!("the range is empty: {high} is less than {}", range.low))
            }
            _ => Ok(range),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let range = |text: &str| text.parse::<Range>().unwrap();
        assert_eq!(range("5"), Range { low: 5, high: Some(5) });
        assert_eq!(range("3..8"), Range { low: 3, high: Some(8) });
        assert_eq!(range("3..=8"), range("3..8"));
        assert_eq!(range(" 3 .. 8 "), range("3..8"));
        assert_eq!(range("3.."), Range { low: 3, high: None });
        assert_eq!(range("..8"), Range { low: 0, high: Some(8) });
        for text in ["5", "3..8", "3..", "0..8"] {
            assert_eq!(range(text).to_string(), text);
        }
    }

    #[test]
    fn malformed_ranges_are_rejected() {
        for text in ["", "..", "a", "1..b", "-1", "8..3", "1...3", "99999999999999999999"] {
            assert!(text.parse::<Range>().is_err(), "{text}");
        }
    }

    #[test]
    fn both_ends_belong_to_the_range() {
        let range = Range { low: 3, high: Some(5) };
        assert_eq!((2..=6).filter(|&n| range.contains(n)).collect::<Vec<u64>>(), [3, 4, 5]);
        assert!(Range { low: 3, high: None }.contains(u64::MAX));
    }
}
