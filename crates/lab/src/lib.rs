//! Experiments that repeat published tables, and long runs that compare engines with each other.
//!
//! An [`Experiment`] measures on a [`Bench`](bench::Bench), which keeps raw rows in a
//! [`Record`](record::Record) and computes only those that are missing, and makes a
//! [`Page`](page::Page) of them: our figures beside the published ones, plots, and a verdict on each
//! conclusion of the document. The [`registry`] names all experiments; [`agree`] has what is compared
//! by seed.

pub mod agree;
pub mod bench;
pub mod collections;
pub mod experiment;
pub mod experiments;
pub mod page;
pub mod plot;
pub mod record;
pub mod registry;
pub mod run;
pub mod settings;
pub mod statistics;
pub mod stopwatch;
pub mod table;

pub use experiment::Experiment;
