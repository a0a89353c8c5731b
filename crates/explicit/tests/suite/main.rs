//! Tests across modules, in one executable.

mod checks;
mod fairness;
mod models;
mod on_demand;
mod reduction;
mod testing;
mod wrapper;
