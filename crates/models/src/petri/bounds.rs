//! Bounds of places that follow from the structure of a net.

use super::net::{Net, PlaceId};

/// For each place the most tokens that it can ever have, if that has been proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds(Vec<Option<u32>>);

impl Bounds {
    /// Bounds of the places of a net.
    pub fn of(net: &Net) -> Self {
        Bounds(vec![None; net.place_count()])
    }

    /// The bound of a place, if there is a proven one.
    #[inline]
    pub fn of_place(&self, place: PlaceId) -> Option<u32> {
        self.0[place.0 as usize]
    }
}
