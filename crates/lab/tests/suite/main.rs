//! Tests across modules, in one executable.

mod agree;
mod command;
mod fuzz;
mod mutations;
mod pages;
mod quick;
mod registry;
mod resume;
mod sizes;
mod translation_agreement;
