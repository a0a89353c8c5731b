//! Feeds any text to the reader of tables of transitions.

#![no_main]

mod etf_round_trip;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| etf_round_trip::check(text));
