//! Tests across modules.

mod agreement;
mod graphs;
mod nets;
mod sets;
