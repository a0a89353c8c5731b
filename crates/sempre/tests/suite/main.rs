//! Tests of the command, in one executable.

mod documents;
mod sessions;
mod unix;
mod version;
