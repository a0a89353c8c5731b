//! Feeds any text to the reader of Petri nets in the text format.

#![no_main]

mod nets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| nets::check_text(text));
