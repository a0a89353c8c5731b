//! Tests of the command, in one executable.

mod answers;
mod browser;
mod documents;
mod engines;
mod guide;
mod layers;
mod library;
mod limits;
mod names;
mod polls;
mod property;
mod refine;
mod saved;
mod schema;
mod sessions;
mod unix;
mod version;
mod words;
