//! Tests across modules, in one executable.

mod checks;
mod models;
mod reduction;
mod testing;
mod wrapper;
