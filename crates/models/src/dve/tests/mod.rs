//! Tests of the DVE reader and of the execution of models.

mod errors;
mod execution;
