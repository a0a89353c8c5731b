//! Experiments that repeat published tables, and long runs that compare engines with each other.
//!
//! An [`Experiment`] measures on a [`Bench`](bench::Bench), which stores raw rows in a
//! [`Record`](record::Record) and computes only missing ones. It makes a [`Page`](page::Page) from
//! them: our figures beside the published ones, plots, and a verdict on each conclusion of the
//! document. The [`registry`] lists all experiments; [`agree`] has the comparisons by seed.

pub mod agree;
pub mod bench;
pub mod collections;
pub mod experiment;
pub mod experiments;
pub mod fuzz;
pub mod mutate;
pub mod page;
pub mod plot;
pub mod record;
pub mod registry;
pub mod run;
pub mod settings;
pub mod statistics;
pub mod stopwatch;
pub mod table;
pub mod tables;

pub use experiment::Experiment;
