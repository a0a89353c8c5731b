//! Tests across modules, in one executable.

mod agreement;
#[cfg(feature = "oxidd")]
mod bdd;
mod nets;
mod programs;
mod race;
mod random_nets;
mod runs;
mod sets;
mod tables;
