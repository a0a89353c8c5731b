//! Tests across modules, in one executable.

mod kinds;
