//! Tests across modules, in one executable.

mod events;
mod fuzz_corpus;
mod nets;
mod readers;
