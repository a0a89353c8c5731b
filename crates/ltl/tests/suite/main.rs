//! Tests across modules, in one executable.

mod round_trip;
