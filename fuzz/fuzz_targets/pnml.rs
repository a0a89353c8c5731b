//! Feeds any bytes to the reader of Petri nets in PNML.

#![no_main]

mod nets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| nets::check_pnml(text));
