//! Tests across modules, in one executable.

mod classic_sizes;
mod kinds;
