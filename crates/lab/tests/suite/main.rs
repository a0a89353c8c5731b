//! Tests across modules, in one executable.

mod agree;
mod command;
mod pages;
mod quick;
mod registry;
mod resume;
mod sizes;
mod translation_agreement;
