//! Tests across modules, in one executable.

mod checks;
mod fairness;
mod models;
mod on_demand;
mod parts;
mod reduction;
mod testing;
mod wrapper;
