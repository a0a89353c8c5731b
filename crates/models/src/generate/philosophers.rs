//! Dining philosophers.

use super::draft::Draft;
use crate::petri::{Net, PlaceId};
use sempre_ltl::Error;

/// The common part: the philosopher gets hungry and takes one fork, then the other, in
/// any order.
struct Table {
    idle: Vec<PlaceId>,
    has_left: Vec<PlaceId>,
    has_right: Vec<PlaceId>,
    forks: Vec<PlaceId>,
}

impl Table {
    fn new(net: &mut Draft, count: u32) -> Result<Self, Error> {
        let idle = net.places("idle", count, 1);
        let wants_left = net.places("wants_left", count, 0);
        let wants_right = net.places("wants_right", count, 0);
        let has_left = net.places("has_left", count, 0);
        let has_right = net.places("has_right", count, 0);
        let forks = net.places("fork", count, 1);
        let table = Table { idle, has_left, has_right, forks };
        for i in 0..count as usize {
            let (left, right) = table.forks_of(i);
            net.step(format!("hungry_{i}"), &[table.idle[i]], &[wants_left[i], wants_right[i]])?;
            net.step(format!("take_left_{i}"), &[wants_left[i], left], &[table.has_left[i]])?;
            net.step(format!("take_right_{i}"), &[wants_right[i], right], &[table.has_right[i]])?;
        }
        Ok(table)
    }

    /// The forks to the left and right of a philosopher.
    fn forks_of(&self, i: usize) -> (PlaceId, PlaceId) {
        (self.forks[i], self.forks[(i + 1) % self.forks.len()])
    }
}

/// Philosophers who have a place for eating: seven places for each.
pub(super) fn seven_places(count: u32) -> Result<Net, Error> {
    let mut net = Draft::new("philosophers", count);
    let table = Table::new(&mut net, count)?;
    let eats = net.places("eats", count, 0);
    for (i, eats) in eats.into_iter().enumerate() {
        let (left, right) = table.forks_of(i);
        net.step(format!("eat_{i}"), &[table.has_left[i], table.has_right[i]], &[eats])?;
        net.step(format!("leave_{i}"), &[eats], &[table.idle[i], left, right])?;
    }
    net.finish()
}

/// Philosophers who eat while they have both forks: six places for each.
pub(super) fn six_places(count: u32) -> Result<Net, Error> {
    let mut net = Draft::new("philosophers-simple", count);
    let table = Table::new(&mut net, count)?;
    for i in 0..count as usize {
        let (left, right) = table.forks_of(i);
        net.step(
            format!("leave_{i}"),
            &[table.has_left[i], table.has_right[i]],
            &[table.idle[i], left, right],
        )?;
    }
    net.finish()
}

#[cfg(test)]
mod tests {
    use super::super::token_game::{markings, play};
    use super::*;

    /// The published numbers.
    #[test]
    fn seven_places_for_each() {
        assert_eq!(markings("philosophers", 2..=6), [22, 100, 466, 2164, 10054]);
        let graph = play(&seven_places(5).unwrap());
        assert_eq!(graph.deadlocks, 2, "all wait for the left, or all for the right");
    }

    /// Every third number of Lucas: 10 philosophers have the published 1860498 markings.
    #[test]
    fn six_places_for_each() {
        assert_eq!(markings("philosophers-simple", 2..=6), [18, 76, 322, 1364, 5778]);
    }
}
