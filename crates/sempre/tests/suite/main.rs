//! Tests of the command, in one executable.

mod documents;
mod engines;
mod sessions;
mod unix;
mod version;
