//! Feeds any bytes to the HOA reader.

#![no_main]

mod hoa_round_trip;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| hoa_round_trip::check(bytes));
