//! Feeds any text to the reader of propositions.

#![no_main]

mod proposition_check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| proposition_check::check(text));
