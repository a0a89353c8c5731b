//! Sets of acceptance marks.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

/// The number of an acceptance mark.
pub type Mark = u32;

/// A set of acceptance marks: one machine word for marks below 64, with heap storage for others.
///
/// ```
/// use sempre_automata::Marks;
/// let marks = Marks::from_iter([0, 3, 70]);
/// assert!(marks.contains(70));
/// assert_eq!(marks.iter().collect::<Vec<_>>(), [0, 3, 70]);
/// assert_eq!(marks.to_string(), "{0 3 70}");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Marks {
    low: u64,
    /// Marks from 64 on. The last word is never 0, so that equal sets have equal representations.
    /// Boxed twice, because almost all sets lack it and every edge has a set.
    #[allow(clippy::box_collection)]
    high: Option<Box<Vec<u64>>>,
}

impl Marks {
    /// The empty set.
    pub const EMPTY: Marks = Marks { low: 0, high: None };

    /// Returns the set of marks below `count`.
    pub fn all(count: u32) -> Self {
        (0..count).collect()
    }

    /// Returns the set of marks whose bits are set.
    pub const fn from_bits(low: u64) -> Self {
        Marks { low, high: None }
    }

    /// Returns the set as bits; `None` if a mark is 64 or more.
    pub fn as_bits(&self) -> Option<u64> {
        self.high.is_none().then_some(self.low)
    }

    /// True if the set has no mark.
    pub fn is_empty(&self) -> bool {
        self.low == 0 && self.high.is_none()
    }

    /// Returns the number of marks.
    pub fn len(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }

    /// True if the mark is in the set.
    pub fn contains(&self, mark: Mark) -> bool {
        self.words().nth(mark as usize / 64).is_some_and(|word| word >> (mark % 64) & 1 == 1)
    }

    /// Adds a mark.
    pub fn insert(&mut self, mark: Mark) {
        let bit = 1 << (mark % 64);
        match mark as usize / 64 {
            0 => self.low |= bit,
            word => {
                let high = self.high.get_or_insert_default();
                if high.len() < word {
                    high.resize(word, 0);
                }
                high[word - 1] |= bit;
            }
        }
    }

    /// True if every mark of this set is in the other.
    pub fn is_subset(&self, other: &Marks) -> bool {
        (self - other).is_empty()
    }

    /// True if the sets share no mark.
    pub fn is_disjoint(&self, other: &Marks) -> bool {
        (self & other).is_empty()
    }

    /// The marks in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Mark> + '_ {
        self.words().enumerate().flat_map(|(place, mut word)| {
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    place as u32 * 64 + bit
                })
            })
        })
    }

    /// The largest mark.
    pub fn last(&self) -> Option<Mark> {
        self.iter().last()
    }

    /// Adds `offset` to every mark.
    #[must_use]
    pub fn shifted(&self, offset: u32) -> Marks {
        match (&self.high, offset) {
            (_, 0) => self.clone(),
            (None, 1..64) if self.low.leading_zeros() >= offset => {
                Marks::from_bits(self.low << offset)
            }
            _ => self.iter().map(|mark| mark + offset).collect(),
        }
    }

    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.low).chain(self.high.iter().flat_map(|high| high.iter().copied()))
    }

    fn combine(&self, other: &Marks, op: impl Fn(u64, u64) -> u64) -> Marks {
        let low = op(self.low, other.low);
        if self.high.is_none() && other.high.is_none() {
            return Marks { low, high: None };
        }
        let (l, r) = (self.high.as_deref(), other.high.as_deref());
        let len = l.map_or(0, Vec::len).max(r.map_or(0, Vec::len));
        let word = |high: Option<&Vec<u64>>, i: usize| {
            high.and_then(|high| high.get(i)).copied().unwrap_or(0)
        };
        let mut high: Vec<u64> = (0..len).map(|i| op(word(l, i), word(r, i))).collect();
        while high.last() == Some(&0) {
            high.pop();
        }
        Marks { low, high: (!high.is_empty()).then(|| Box::new(high)) }
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        let mut set = Marks::EMPTY;
        marks.into_iter().for_each(|mark| set.insert(mark));
        set
    }
}

impl BitOr for &Marks {
    type Output = Marks;
    fn bitor(self, other: &Marks) -> Marks {
        self.combine(other, |l, r| l | r)
    }
}

impl BitAnd for &Marks {
    type Output = Marks;
    fn bitand(self, other: &Marks) -> Marks {
        self.combine(other, |l, r| l & r)
    }
}

impl Sub for &Marks {
    type Output = Marks;
    fn sub(self, other: &Marks) -> Marks {
        self.combine(other, |l, r| l & !r)
    }
}

impl BitOrAssign<&Marks> for Marks {
    fn bitor_assign(&mut self, other: &Marks) {
        if self.high.is_none() && other.high.is_none() {
            self.low |= other.low;
        } else {
            *self = &*self | other;
        }
    }
}

/// HOA's syntax: `{0 3}`.
impl fmt::Display for Marks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("{")?;
        for (place, mark) in self.iter().enumerate() {
            if place > 0 {
                out.write_str(" ")?;
            }
            write!(out, "{mark}")?;
        }
        out.write_str("}")
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn sets_behave_as_sets(
            left in prop::collection::btree_set(0u32..200, 0..12),
            right in prop::collection::btree_set(0u32..200, 0..12),
            offset in 0u32..130,
        ) {
            let set = |marks: &BTreeSet<u32>| marks.iter().copied().collect::<Marks>();
            let (l, r) = (set(&left), set(&right));
            prop_assert_eq!(&l | &r, set(&(&left | &right)));
            prop_assert_eq!(&l & &r, set(&(&left & &right)));
            prop_assert_eq!(&l - &r, set(&(&left - &right)));
            prop_assert_eq!(l.is_subset(&r), left.is_subset(&right));
            prop_assert_eq!(l.is_disjoint(&r), left.is_disjoint(&right));
            prop_assert_eq!(l.iter().collect::<BTreeSet<_>>(), left.clone());
            prop_assert_eq!(l.len(), left.len());
            prop_assert_eq!(l.last(), left.last().copied());
            prop_assert_eq!(l.shifted(offset), left.iter().map(|m| m + offset).collect::<Marks>());
            prop_assert!((0..200).all(|m| l.contains(m) == left.contains(&m)));
            let mut joined = l.clone();
            joined |= &r;
            prop_assert_eq!(joined, &l | &r);
        }
    }
}
