//! Short notation for the nets of this module.

use crate::petri::{Net, NetBuilder, PlaceId, TransitionId};
use sempre_ltl::Error;

/// A net of which some places and transitions are there.
pub(super) struct Draft {
    builder: NetBuilder,
}

impl Draft {
    /// The net of a family for a number.
    pub(super) fn new(family: &str, number: u32) -> Self {
        let mut builder = NetBuilder::default();
        builder.name(format!("{family}-{number}"));
        Draft { builder }
    }

    /// A place.
    pub(super) fn place(&mut self, name: &str, tokens: u32) -> PlaceId {
        self.builder.place(name, tokens)
    }

    /// A place `name_i` for each number below `count`, all with as many tokens.
    pub(super) fn places(&mut self, name: &str, count: u32, tokens: u32) -> Vec<PlaceId> {
        (0..count).map(|i| self.builder.place(format!("{name}_{i}"), tokens)).collect()
    }

    /// A transition that takes a token from each of the one places and adds one to each of the
    /// others.
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

    /// A transition that takes and adds several tokens.
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

    /// The net.
    pub(super) fn finish(self) -> Result<Net, Error> {
        self.builder.build()
    }
}
