//! Tests of the command, in one executable.

mod sessions;
mod unix;
