//! Atomic propositions.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The name of an atomic proposition: any text, from `a` to `x[2] > 3`.
///
/// Numbers in propositions are ordered by value: `p2` comes before `p10`.
///
/// ```
/// use sempre_ltl::Prop;
/// let mut props = ["p10", "q", "p2"].map(Prop::new);
/// props.sort();
/// assert_eq!(props.map(|p| p.name().to_owned()), ["p2", "p10", "q"]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Prop(Arc<str>);

impl Prop {
    /// The proposition of that name.
    pub fn new(name: impl AsRef<str>) -> Self {
        Prop(Arc::from(name.as_ref()))
    }

    /// Its name, unquoted.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl Ord for Prop {
    fn cmp(&self, other: &Self) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        natural_order(&self.0, &other.0)
    }
}

impl PartialOrd for Prop {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Prop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.name())
    }
}

impl<S: AsRef<str>> From<S> for Prop {
    fn from(name: S) -> Self {
        Prop::new(name)
    }
}

/// Compares runs of digits by value, and everything else byte by byte. Names that differ only in
/// leading zeros use the byte order, so that the order is total.
fn natural_order(left: &str, right: &str) -> Ordering {
    let (l, r) = (left.as_bytes(), right.as_bytes());
    let (mut i, mut j) = (0, 0);
    while i < l.len() && j < r.len() {
        if l[i].is_ascii_digit() && r[j].is_ascii_digit() {
            let (a, b) = (digits(&l[i..]), digits(&r[j..]));
            let (x, y) = (significant(a), significant(b));
            let by_value = x.len().cmp(&y.len()).then_with(|| x.cmp(y));
            if by_value.is_ne() {
                return by_value;
            }
            i += a.len();
            j += b.len();
        } else {
            let by_byte = l[i].cmp(&r[j]);
            if by_byte.is_ne() {
                return by_byte;
            }
            i += 1;
            j += 1;
        }
    }
    (l.len() - i).cmp(&(r.len() - j)).then_with(|| left.cmp(right))
}

fn digits(text: &[u8]) -> &[u8] {
    &text[..text.iter().take_while(|b| b.is_ascii_digit()).count()]
}

fn significant(digits: &[u8]) -> &[u8] {
    &digits[digits.iter().take_while(|&&b| b == b'0').count()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_inside_names_count_as_numbers() {
        let sorted = ["", "a", "a0", "a00", "a1", "a01", "a2", "a10", "a10b", "aa", "b"];
        for (i, left) in sorted.iter().enumerate() {
            for (j, right) in sorted.iter().enumerate() {
                assert_eq!(Prop::new(left) < Prop::new(right), natural_order(left, right).is_lt());
                if (i == j) != natural_order(left, right).is_eq() {
                    panic!("{left} and {right} must be equal exactly if they are the same");
                }
            }
        }
        assert!(natural_order("p2", "p10").is_lt());
        assert!(natural_order("p02", "p10").is_lt());
        assert!(natural_order("a1b2", "a1b10").is_lt());
    }
}
