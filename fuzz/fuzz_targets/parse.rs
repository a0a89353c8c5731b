//! Feeds any text to all parsers.

#![no_main]

mod round_trip;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| round_trip::check(text));
