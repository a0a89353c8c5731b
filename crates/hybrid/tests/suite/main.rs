//! Tests across modules.

mod agreement;
mod graphs;
mod limits;
mod nets;
#[path = "../../../symbolic/tests/suite/random_nets.rs"]
mod random_nets;
mod sets;
