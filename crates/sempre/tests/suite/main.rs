//! Tests of the command, in one executable.

mod documents;
mod engines;
mod layers;
mod library;
mod sessions;
mod unix;
mod version;
mod words;
