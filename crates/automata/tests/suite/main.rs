//! Tests across modules, in one executable.

mod claims;
mod drawings;
mod formats;
mod hoa;
#[cfg(feature = "proptest")]
mod transformations;
