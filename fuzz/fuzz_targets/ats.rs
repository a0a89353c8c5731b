//! Feeds any bytes to the reader of the format `ats`.

#![no_main]

mod formats;

use libfuzzer_sys::fuzz_target;
use sempre_automata::formats::Format;

fuzz_target!(|text: &[u8]| formats::check(text, Format::Ats));
