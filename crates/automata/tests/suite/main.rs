//! Tests across modules, in one executable.

mod claims;
mod drawings;
mod formats;
mod hoa;
mod limits;
mod stutter;
#[cfg(feature = "proptest")]
mod transformations;
