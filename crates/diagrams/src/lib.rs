//! Multi-valued decision diagrams with saturation.
//!
//! A [`Set`] of tuples of numbers is a diagram with a level for each variable. Equal parts are
//! stored once, so very large sets need little memory. Variables have no declared bounds. An
//! [`Event`] is a guard and an update over few variables. [`Group::reach`] computes all tuples that
//! a group of events reaches.
//!
//! Levels count from the bottom, as in the literature on saturation: the last value of a tuple has
//! level 1.
//!
//! ```
//! use sempre_diagrams::{Event, Manager, Options, Strategy};
//!
//! // Ten counters from 0 to 9, which count independently.
//! let manager = Manager::new(Options::default());
//! let events: Vec<_> = (1..=10)
//!     .map(|level| manager.event(&Event::new().guard(level, 0..=8).add(level, 1)))
//!     .collect();
//! let start = manager.tuple(&[0; 10]);
//! let reached = manager.group(&events).reach(&start, Strategy::Saturation);
//! assert_eq!(reached.count(), 10_000_000_000_u64.into());
//! assert_eq!(reached.nodes(), 10);
//! assert!(reached.contains(&[3, 1, 4, 1, 5, 9, 2, 6, 5, 3]));
//! ```

mod backward;
mod cache;
mod dot;
mod event;
mod events;
mod images;
mod manager;
mod nodes;
pub mod order;
mod saturate;
mod set;
mod store;
mod sums;
#[cfg(test)]
mod tests;
mod tuples;

pub use event::{Access, Event, Rule, TableFunction, Update};
pub use manager::{EventId, Exhausted, Group, Manager, Options, Poll, Strategy, Usage};
pub use set::Set;
