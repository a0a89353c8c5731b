//! Feeds any text to the reader of words.

#![no_main]

mod word_check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| word_check::check(text));
