//! Means, and the format of numbers.

/// Returns the arithmetic mean; `None` if there are no values.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}

/// Returns the geometric mean; `None` if there are no values.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    mean(values.into_iter().map(f64::ln)).map(f64::exp)
}

/// Returns a quantile: the value below which this fraction of the values lies; `None` if there are
/// none.
pub fn quantile(values: impl IntoIterator<Item = f64>, part: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let place = (sorted.len() as f64 * part) as usize;
    sorted.get(place.min(sorted.len().saturating_sub(1))).copied()
}

/// A mean, and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean of the sample.
    pub value: f64,
    /// The standard error of the mean, estimated from the sample.
    pub error: f64,
}

impl Estimate {
    /// Makes an estimate from the size of a sample of two or more, its sum and its sum of squares.
    pub fn new(count: f64, sum: f64, squares: f64) -> Self {
        let value = sum / count;
        let variance = ((squares - count * value * value) / (count - 1.0)).max(0.0);
        Estimate { value, error: (variance / count).sqrt() }
    }

    /// True if the mean differs from a published, rounded one by at most this fraction of it, or by
    /// three standard errors.
    pub fn agrees_with(&self, published: f64, tolerance: f64) -> bool {
        (self.value - published).abs() <= 0.5 + (tolerance * published).max(3.0 * self.error)
    }
}

/// Formats a value with a number of decimals; `None` as a dash.
pub fn shown(value: Option<f64>, decimals: usize) -> String {
    match value {
        Some(value) if value.is_finite() => format!("{value:.decimals$}"),
        _ => "–".to_owned(),
    }
}

/// Formats a whole number with commas between thousands; other text is unchanged.
pub fn grouped(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.to_owned();
    }
    if digits.len() > 15 {
        let (first, second) = (&digits[..1], &digits[1..2]);
        return format!("{sign}{first}.{second} · 10^{}", digits.len() - 1);
    }
    let mut out = sign.to_owned();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a value as a whole number with commas; `None` as a dash.
pub fn rounded(value: Option<f64>) -> String {
    grouped(&shown(value, 0))
}

/// Formats a part of a whole in percent, with one decimal.
pub fn percent(part: usize, whole: usize) -> String {
    shown((whole > 0).then(|| 100.0 * part as f64 / whole as f64), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_means() {
        assert_eq!(mean([1.0, 2.0, 6.0]), Some(3.0));
        assert_eq!(mean([]), None);
        assert!((geometric_mean([1.0, 4.0]).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(quantile([3.0, 1.0, 2.0], 0.5), Some(2.0));
        assert_eq!(quantile([3.0, 1.0, 2.0], 1.0), Some(3.0));
        let estimate = Estimate::new(3.0, 9.0, 41.0);
        assert_eq!(estimate.value, 3.0);
        assert!((estimate.error - (7.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!(estimate.agrees_with(4.0, 0.1) && !estimate.agrees_with(30.0, 0.1));
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped("1234567"), "1,234,567");
        assert_eq!(grouped("-123"), "-123");
        assert_eq!(grouped("22300000000000000000"), "2.2 · 10^19");
        assert_eq!(grouped("kanban 3"), "kanban 3");
        assert_eq!(rounded(Some(1999.6)), "2,000");
        assert_eq!(rounded(None), "–");
        assert_eq!(percent(1, 3), "33.3");
        assert_eq!(percent(1, 0), "–");
    }
}
