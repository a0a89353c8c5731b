//! Feeds any text to the readers of Kripke structures.

#![no_main]

mod kripke_round_trip;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| kripke_round_trip::check(text));
