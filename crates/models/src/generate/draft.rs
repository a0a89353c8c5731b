//! A concise notation for the nets of this module.

use crate::petri::{Net, NetBuilder, PlaceId, TransitionId};
use sempre_ltl::Error;

/// A net under construction.
pub(super) struct Draft {
    builder: NetBuilder,
}

impl Draft {
    /// Makes the net of a family for a parameter.
    pub(super) fn new(family: &str, number: u32) -> Self {
        let mut builder = NetBuilder::default();
        builder.name(format!("{family}-{number}"));
        Draft { builder }
    }

    /// Adds a place.
    pub(super) fn place(&mut self, name: &str, tokens: u32) -> PlaceId {
        self.builder.place(name, tokens)
    }

    /// Adds a place `name_i` for each number below `count`, all with the same tokens.
    pub(super) fn places(&mut self, name: &str, count: u32, tokens: u32) -> Vec<PlaceId> {
        (0..count).map(|i| self.builder.place(format!("{name}_{i}"), tokens)).collect()
    }

    /// Adds a transition that moves a token from each of the first places to each of the others.
    pub(super) fn step(
        &mut self,
        name: impl Into<String>,
        from: &[PlaceId],
        to: &[PlaceId],
    ) -> Result<TransitionId, Error> {
        let transition = self.builder.transition(name);
        for place in from {
            self.builder.input(transition, *place, 1)?;
        }
        for place in to {
            self.builder.output(transition, *place, 1)?;
        }
        Ok(transition)
    }

    /// Adds a transition with weighted arcs.
    pub(super) fn weighted_step(
        &mut self,
        name: impl Into<String>,
        from: &[(PlaceId, u32)],
        to: &[(PlaceId, u32)],
    ) -> Result<TransitionId, Error> {
        let transition = self.builder.transition(name);
        for (place, weight) in from {
            self.builder.input(transition, *place, *weight)?;
        }
        for (place, weight) in to {
            self.builder.output(transition, *place, *weight)?;
        }
        Ok(transition)
    }

    /// Returns the net.
    pub(super) fn finish(self) -> Result<Net, Error> {
        self.builder.build()
    }
}
