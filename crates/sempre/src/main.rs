//! The `sempre` command.
fn main() {}
