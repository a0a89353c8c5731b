//! Sets of numbers as bit vectors: small enough to stay in a cache.

/// A set of numbers that grows as needed.
#[derive(Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// True if the number is in the set.
    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds a number; true if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let place = number as usize / 64;
        if self.0.len() <= place {
            self.grow(place);
        }
        let (word, bit) = (&mut self.0[place], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    #[cold]
    fn grow(&mut self, place: usize) {
        self.0.resize((place + 1).max(self.0.len() * 3 / 2), 0);
    }

    /// Returns the memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        8 * self.0.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_contains_exactly_the_inserted_numbers() {
        let mut bits = Bits::default();
        let numbers = [0, 63, 64, 5, 1000, 127];
        assert!(numbers.iter().all(|number| bits.insert(*number)));
        assert!(numbers.iter().all(|number| !bits.insert(*number)));
        for number in 0..2000 {
            assert_eq!(bits.contains(number), numbers.contains(&number), "{number}");
        }
        assert!(bits.bytes() >= 1001 / 8);
    }
}
