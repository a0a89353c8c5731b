//! How variables are packed into the words of a state.
//!
//! A state is a slice of 32-bit words. A variable occupies a [`Field`], some bits of one word; the
//! elements of an [`Array`] lie side by side, each in a power of two of bits, so that an index is
//! turned into a place by shifts alone. A value is stored as its distance from the least one that
//! the variable can have.

/// The place of a variable in a packed state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    word: u32,
    mask: u32,
    least: i32,
    shift: u8,
}

impl Field {
    /// The value of the variable in that state.
    #[inline]
    pub fn get(self, state: &[u32]) -> i64 {
        i64::from((state[self.word as usize] >> self.shift) & self.mask) + i64::from(self.least)
    }

    /// Gives the variable another value, which must be one that it can have: other bits are lost.
    #[inline]
    pub fn set(self, state: &mut [u32], value: i64) {
        debug_assert!((self.least()..=self.greatest()).contains(&value), "{value} in {self:?}");
        let raw = (value - i64::from(self.least)) as u32 & self.mask;
        let word = &mut state[self.word as usize];
        *word = *word & !(self.mask << self.shift) | raw << self.shift;
    }

    /// The least value that the field can hold.
    pub fn least(self) -> i64 {
        i64::from(self.least)
    }

    /// The greatest value that the field can hold.
    pub fn greatest(self) -> i64 {
        i64::from(self.least) + i64::from(self.mask)
    }

    /// The word of the state in which the field lies.
    pub fn word(self) -> usize {
        self.word as usize
    }

    /// The lowest bit of the field in its word.
    pub fn shift(self) -> u32 {
        u32::from(self.shift)
    }

    /// As many low bits as the field has.
    pub fn mask(self) -> u32 {
        self.mask
    }
}

/// The place of an array in a packed state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Array {
    /// The number of elements of this width before the first one, from the beginning of the state.
    first: u32,
    length: u32,
    least: i32,
    /// The logarithm of the number of bits of an element.
    log_bits: u8,
}

impl Array {
    /// The number of elements.
    #[expect(clippy::len_without_is_empty, reason = "arrays have elements")]
    pub fn len(self) -> usize {
        self.length as usize
    }

    /// The place of an element.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline]
    pub fn element(self, index: usize) -> Field {
        assert!(index < self.len(), "element {index} of {self:?}");
        let number = self.first + index as u32;
        let log_per_word = 5 - self.log_bits;
        Field {
            word: number >> log_per_word,
            mask: (u32::MAX) >> (32 - (1u32 << self.log_bits)),
            least: self.least,
            shift: ((number & ((1 << log_per_word) - 1)) << self.log_bits) as u8,
        }
    }
}

/// The bits of a packed state that something reads or writes.
///
/// ```
/// use sempre_models::layout::{Footprint, Layout};
/// let mut layout = Layout::default();
/// let (x, y) = (layout.field(0, 7), layout.field(0, 7));
/// let mut footprint = Footprint::default();
/// footprint.add(x);
/// assert!(footprint.touches(x) && !footprint.touches(y));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// For each word its bits; none for the words after the last.
    bits: Vec<u32>,
}

impl Footprint {
    /// All bits of states of `words` words.
    pub fn all(words: usize) -> Self {
        Footprint { bits: vec![u32::MAX; words] }
    }

    /// Adds the bits of a variable.
    pub fn add(&mut self, field: Field) {
        let word = field.word();
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= field.mask << field.shift;
    }

    /// Adds the bits of all elements of an array.
    pub fn add_array(&mut self, array: Array) {
        (0..array.len()).for_each(|index| self.add(array.element(index)));
    }

    /// Adds all bits of another one.
    pub fn extend(&mut self, other: &Footprint) {
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        for (bits, more) in self.bits.iter_mut().zip(&other.bits) {
            *bits |= more;
        }
    }

    /// A state that has these bits of one state, and all others of another.
    pub fn mix(&self, inside: &[u32], outside: &[u32]) -> Box<[u32]> {
        let bits = self.bits.iter().copied().chain(std::iter::repeat(0));
        let words = inside.iter().zip(outside).zip(bits);
        words.map(|((inside, outside), bits)| inside & bits | outside & !bits).collect()
    }

    /// True if one of the bits is the variable's.
    pub fn touches(&self, field: Field) -> bool {
        let bits = self.bits.get(field.word()).copied().unwrap_or_default();
        bits & (field.mask << field.shift) != 0
    }
}

/// Assigns places to variables, one after the other.
///
/// ```
/// use sempre_models::layout::Layout;
/// let mut layout = Layout::default();
/// let (flag, small, array) = (layout.field(0, 1), layout.field(-3, 3), layout.array(0, 255, 6));
/// assert_eq!(layout.words(), 3);
/// let mut state = vec![0; layout.words()];
/// small.set(&mut state, -2);
/// array.element(5).set(&mut state, 200);
/// assert_eq!((flag.get(&state), small.get(&state)), (0, -2));
/// assert_eq!(array.element(5).get(&state), 200);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// For each word the bits that are taken.
    taken: Vec<u32>,
}

impl Layout {
    /// Returns the number of words of the layout.
    pub fn words(&self) -> usize {
        self.taken.len()
    }

    /// A place for a variable with values from `least` to `greatest`, in as few bits as they need.
    ///
    /// # Panics
    /// If there is no value, or they need more than 32 bits.
    pub fn field(&mut self, least: i32, greatest: i64) -> Field {
        let bits = bits(least, greatest).max(1);
        let mask = u32::MAX >> (32 - bits);
        let (word, shift) = self.place(bits, 1, 1);
        Field { word: word as u32, mask, least, shift: shift as u8 }
    }

    /// A place for an array of variables with values from `least` to `greatest`.
    ///
    /// # Panics
    /// If there is no element or no value, or a value needs more than 32 bits.
    pub fn array(&mut self, least: i32, greatest: i64, length: usize) -> Array {
        assert!(length > 0, "an array without elements");
        let bits = bits(least, greatest).max(1).next_power_of_two();
        let (word, shift) = self.place(bits, bits, length);
        let first = (word as u32 * 32 + shift) / bits;
        let length = u32::try_from(length).expect("a length that fits in memory");
        Array { first, length, least, log_bits: bits.trailing_zeros() as u8 }
    }

    /// Finds and takes the first place for `length` elements side by side.
    fn place(&mut self, bits: u32, alignment: u32, length: usize) -> (usize, u32) {
        let per_word = (32 / bits) as usize;
        let element = u32::MAX >> (32 - bits);
        if length <= per_word {
            let all = (u64::from(u32::MAX) >> (32 - bits as usize * length)) as u32;
            // Looking at a few words only keeps neighbours together, and time linear.
            let from = self.taken.len().saturating_sub(4);
            for word in from..self.taken.len() {
                let mut shift = 0;
                while shift + bits * length as u32 <= 32 {
                    if self.taken[word] & (all << shift) == 0 {
                        self.taken[word] |= all << shift;
                        return (word, shift);
                    }
                    shift += alignment;
                }
            }
            self.taken.push(all);
            return (self.taken.len() - 1, 0);
        }
        let word = self.taken.len();
        let (full, rest) = (length / per_word, length % per_word);
        self.taken.extend(std::iter::repeat_n(u32::MAX, full));
        if rest > 0 {
            let used = (0..rest as u32).fold(0, |used, index| used | element << (index * bits));
            self.taken.push(used);
        }
        (word, 0)
    }
}

/// Returns the number of bits of the values from `least` to `greatest`.
fn bits(least: i32, greatest: i64) -> u32 {
    let span = greatest - i64::from(least);
    assert!(span >= 0, "no value from {least} to {greatest}");
    let bits = 64 - span.leading_zeros();
    assert!(bits <= 32, "values from {least} to {greatest} need more than 32 bits");
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Variables keep their values whatever is written to others.
        #[test]
        fn places_do_not_overlap(
            requests in prop::collection::vec((-40_000i32..40_000, 0u32..40, 0usize..70), 1..40)
        ) {
            let mut layout = Layout::default();
            let mut fields = Vec::new();
            for (least, bits, length) in requests {
                let greatest = i64::from(least) + ((1i64 << bits.min(32)) - 1);
                if length == 0 {
                    fields.push(layout.field(least, greatest));
                } else {
                    let array = layout.array(least, greatest, length);
                    fields.extend((0..length).map(|index| array.element(index)));
                }
                prop_assert!(fields.last().unwrap().greatest() >= greatest);
            }
            let mut state = vec![0; layout.words()];
            let value = |field: &Field, index: usize| {
                field.least() + (index as i64 * 7919) % (field.greatest() - field.least() + 1)
            };
            for (index, field) in fields.iter().enumerate() {
                field.set(&mut state, value(field, index));
            }
            for (index, field) in fields.iter().enumerate() {
                prop_assert_eq!(field.get(&state), value(field, index));
            }
        }
    }
}
