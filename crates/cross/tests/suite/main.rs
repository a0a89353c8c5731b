//! Tests with programs, in one executable.

mod installed;
mod programs;
